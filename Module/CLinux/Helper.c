// A process that is asked over a channel.
#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

const int CLinux_helper_channel = 3;

// The new process has the channel under that number, and nothing else that is open here.
pid_t CLinux_start_helper(int channel) {
    pid_t process = fork();
    if (process != 0) return process;
    // What ends the one that asks is sent to its whole group or service. It decides itself when to end, and this one follows.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_NAME, "valise-helper");
    int end = fcntl(channel, F_DUPFD_CLOEXEC, CLinux_helper_channel), nothing = open("/dev/null", O_RDWR);
    if (end < 0 || nothing < 0 || chdir("/") < 0) _exit(1);
    for (int stream = 0; stream < CLinux_helper_channel; stream++) dup2(nothing, stream);
    if (end != CLinux_helper_channel && dup3(end, CLinux_helper_channel, O_CLOEXEC) < 0) _exit(1);
    if (close_range(CLinux_helper_channel + 1, ~0U, 0) < 0) _exit(1);
    return 0;
}
