// Giving up rights for good, as far as the kernel that runs has the means.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int CLinux_renounce_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int CLinux_limit(int resource, uint64_t most) {
    struct rlimit limit = {most, most};
    return setrlimit(resource, &limit);
}

const int CLinux_RLIMIT_AS = RLIMIT_AS, CLinux_RLIMIT_CORE = RLIMIT_CORE, CLinux_RLIMIT_FSIZE = RLIMIT_FSIZE;

// Landlock has no wrappers in the C library, and the headers of an older kernel know less than a newer kernel takes.
int CLinux_seal_files(void) {
    enum { create = 444, restrict_self = 446, version_asked = 1 };
    struct {
        uint64_t files, network, scopes;
    } handled = {0, 0, 0};
    long version = syscall(create, NULL, 0, version_asked);
    if (version < 1) return -1;
    // Every right on files that this version knows, and no rule that grants one.
    static const unsigned rights[] = {13, 14, 15, 15, 16};
    handled.files = (1ULL << rights[(version > 5 ? 5 : version) - 1]) - 1;
    size_t size = 8;
    if (version >= 4) handled.network = 3, size = 16;
    if (version >= 6) handled.scopes = 3, size = 24;
    int rules = syscall(create, &handled, size, 0);
    if (rules < 0) return -1;
    int result = syscall(restrict_self, rules, 0);
    int error = errno;
    close(rules);
    errno = error;
    return result;
}

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE
// What a process needs that has memory, threads, a clock and the files that it has open already. Nothing that opens,
// names, connects, starts or signals anything.
static const unsigned allowed[] = {
    SYS_read, SYS_readv, SYS_pread64, SYS_write, SYS_writev, SYS_lseek, SYS_close, SYS_fstat, SYS_sendmsg, SYS_recvmsg,
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_brk,
    SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid, SYS_getpid,
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrandom, SYS_setitimer,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_exit, SYS_exit_group,
};

int CLinux_seal_calls(void) {
    enum { fixed = 16, count = sizeof allowed / sizeof *allowed };
    struct sock_filter code[fixed + 2 * count];
    unsigned short length = 0;
#define PUT(...) code[length++] = (struct sock_filter)__VA_ARGS__
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (unsigned index = 0; index < count; index++) {
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, allowed[index], 0, 1));
        PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    // clone3's flags lie in memory, where a filter cannot look; without it the C library takes clone.
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)));
    PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    // A refusal and not a death: libraries look for files that they can do without.
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
#undef PUT
    struct sock_fprog program = {.len = length, .filter = code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}
#else
int CLinux_seal_calls(void) { return errno = ENOSYS, -1; }
#endif
