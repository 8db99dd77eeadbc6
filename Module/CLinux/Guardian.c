// A process that outlives the one that starts it.
#define _GNU_SOURCE
#include "CLinux.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

// Other threads may have held any lock when it was forked: only system calls are made in there.
pid_t CLinux_write_when_ended(int file) {
    pid_t ward = getpid(), process = fork();
    if (process != 0) return process;
    // What ends the ward is sent to its whole group or service. It decides itself when to end, and this one follows.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_NAME, "valise-guard");
    // Told when the thread that forked ends, by a signal that nothing else is told by. A process of which another thread cannot
    // end is its parent all the same.
    int news = SIGRTMIN;
    if (prctl(PR_SET_PDEATHSIG, news) < 0 || dup2(file, 0) < 0 || chdir("/") < 0 || close_range(1, ~0U, 0) < 0) _exit(1);
    siginfo_t told = {0};
    while (getppid() == ward && !(told.si_signo == news && told.si_pid == ward)) sigwaitinfo(&all, &told);
    _exit(write(0, "1", 1) == 1 ? 0 : 1);
}
