// Giving up rights for good.
#define _GNU_SOURCE
#include "CLinux.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/fuse.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int CLinux_hide_memory(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int CLinux_renounce_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int CLinux_limit(int resource, uint64_t most) {
    struct rlimit limit = {most, most};
    return setrlimit(resource, &limit);
}

const int CLinux_RLIMIT_AS = RLIMIT_AS, CLinux_RLIMIT_CORE = RLIMIT_CORE, CLinux_RLIMIT_FSIZE = RLIMIT_FSIZE;

const uint64_t CLinux_caller_capabilities =
    1ULL << CAP_CHOWN | 1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_DAC_READ_SEARCH | 1ULL << CAP_FOWNER | 1ULL << CAP_FSETID |
    1ULL << CAP_SETUID | 1ULL << CAP_SETGID |
    // For what root may beside: reading and writing trusted.* attributes, and the last blocks of a file system.
    1ULL << CAP_SYS_ADMIN | 1ULL << CAP_SYS_RESOURCE;

const int CLinux_CAP_SETUID = CAP_SETUID, CLinux_CAP_SETGID = CAP_SETGID;

void CLinux_load_unwinder(void) { dlopen("libgcc_s.so.1", RTLD_NOW); }

// A namespace of users may have nobody but root: then there is nobody to become.
int CLinux_become(uid_t user, gid_t group) {
    setfsuid(user);
    _Bool exists = (uid_t)setfsuid((uid_t)-1) == user;
    setfsuid(geteuid());
    if (!exists) return 0;
    return CLinux_become_user(user, group, NULL, 0);
}

int CLinux_become_user(uid_t user, gid_t group, const gid_t *groups, size_t count) {
    return setgroups(count, groups) < 0 || setresgid(group, group, group) < 0 || setresuid(user, user, user) < 0 ? -1 : 0;
}

int CLinux_keep_capabilities(uint64_t kept, uint64_t bound) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) < 0) return -1;
    // Without this right the bounding set stays; nothing is ever started that it could bound.
    if (sets[0].effective & CAP_TO_MASK(CAP_SETPCAP))
        for (int number = 0, has; number < 64 && (has = prctl(PR_CAPBSET_READ, number, 0, 0, 0)) >= 0; number++)
            if (has && !(bound >> number & 1) && prctl(PR_CAPBSET_DROP, number, 0, 0, 0) < 0) return -1;
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0) return -1;
    for (int index = 0; index < _LINUX_CAPABILITY_U32S_3; index++) {
        sets[index].permitted &= (uint32_t)(kept >> 32 * index);
        sets[index].effective = sets[index].permitted;
        sets[index].inheritable = 0;
    }
    return (int)syscall(SYS_capset, &header, sets);
}

// MARK: Files

// Landlock has no wrappers in the C library, and the headers of an older kernel know less than a newer kernel takes.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446, version_asked = 1, path_beneath = 1 };
enum { execute = 1 << 0, write_file = 1 << 1, read_file = 1 << 2, read_folder = 1 << 3 };

const unsigned CLinux_scope_sockets = 1, CLinux_scope_signals = 2;

int CLinux_landlock_version(void) { return (int)syscall(create_ruleset, NULL, 0, version_asked); }

int CLinux_seal_files(const struct CLinux_Reachable *reachable, size_t count, unsigned scopes) {
    struct {
        uint64_t files, network, scopes;
    } handled = {0, 0, 0};
    int version = CLinux_landlock_version();
    if (version < 1) return -1;
    // Every right on files that this version knows.
    static const unsigned rights[] = {13, 14, 15, 15, 16};
    handled.files = (1ULL << rights[(version > 5 ? 5 : version) - 1]) - 1;
    size_t size = 8;
    if (version >= 4) handled.network = 3, size = 16;
    if (version >= 6) handled.scopes = scopes, size = 24;
    int rules = (int)syscall(create_ruleset, &handled, size, 0);
    if (rules < 0) return -1;
    int result = 0;
    for (size_t index = 0; index < count && result == 0; index++) {
        static const uint64_t kinds[] = {
            [CLinux_reachable_reading] = read_file | read_folder, [CLinux_reachable_all] = ~0ULL & ~(uint64_t)execute};
        struct {
            uint64_t rights;
            int32_t place;
        } __attribute__((packed)) rule = {handled.files & kinds[reachable[index].kind], reachable[index].place};
        result = (int)syscall(add_rule, rules, path_beneath, &rule, 0);
    }
    if (result == 0) result = (int)syscall(restrict_self, rules, 0);
    int error = errno;
    close(rules);
    errno = error;
    return result;
}

// MARK: System calls

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef OWN_ARCHITECTURE
#define PUT(...) code[length++] = (struct sock_filter)__VA_ARGS__
#define ALLOW PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW))
#define REFUSE(error) PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error)))
#define LOAD(field) PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field)))
// Skips so many of what follows where it is something else.
#define WHERE(value, others) PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, others))

static unsigned short begin(struct sock_filter *code) {
    unsigned short length = 0;
    LOAD(arch);
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    LOAD(nr);
    return length;
}

static unsigned short allow(struct sock_filter *code, unsigned short length, const unsigned *calls, size_t count) {
    for (size_t index = 0; index < count; index++) {
        WHERE(calls[index], 1);
        ALLOW;
    }
    return length;
}

// A call where one of its arguments is one of those.
static unsigned short allowWhere(struct sock_filter *code, unsigned short length, unsigned call, int argument, const unsigned long *values, size_t count) {
    WHERE(call, 2 * count + 2);
    LOAD(args[argument]);
    for (size_t index = 0; index < count; index++) {
        WHERE(values[index], 1);
        ALLOW;
    }
    REFUSE(EPERM);
    return length;
}

// What only this thread would have, and with root's right to administer it could: mounts, networks and names of the system.
enum { namespaces = (int)(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | 0x80 /* CLONE_NEWTIME */) };

// Threads, and no processes. clone3's flags lie in memory, where a filter cannot look; without it the C library takes clone.
static unsigned short allowThreads(struct sock_filter *code, unsigned short length) {
    WHERE(SYS_clone3, 1);
    REFUSE(ENOSYS);
    WHERE(SYS_clone, 5);
    LOAD(args);
    PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 2));
    PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 1, 0));
    ALLOW;
    REFUSE(EPERM);
    return length;
}

// For all threads. What is refused is written to the system's audit log, where it has one.
static int install(struct sock_filter *code, unsigned short length, unsigned flags) {
    struct sock_fprog program = {.len = length, .filter = code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_LOG | flags, &program);
}

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
    enum { count = sizeof allowed / sizeof *allowed };
    struct sock_filter code[20 + 2 * count];
    unsigned short length = allow(code, begin(code), allowed, count);
    length = allowThreads(code, length);
    // A refusal and not a death: libraries look for files that they can do without.
    REFUSE(EPERM);
    return install(code, length, 0);
}

// What serving a drive takes, and what libraries may take in its place on another day. It has the files that Landlock leaves it,
// threads, sockets of this machine and the identities of those it acts for. Nothing that starts, traces, mounts or loads
// anything, and no way around this list (io_uring).
static const unsigned serving[] = {
    // Files that are open.
    SYS_read, SYS_readv, SYS_pread64, SYS_preadv, SYS_preadv2, SYS_write, SYS_writev, SYS_pwrite64, SYS_pwritev, SYS_pwritev2,
    SYS_lseek, SYS_close, SYS_close_range, SYS_dup, SYS_dup3, SYS_flock, SYS_fstat, SYS_fstatfs, SYS_ftruncate,
    SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_sync_file_range, SYS_syncfs, SYS_fadvise64, SYS_readahead, SYS_copy_file_range,
    SYS_sendfile, SYS_splice, SYS_tee, SYS_vmsplice, SYS_pipe2, SYS_getdents64, SYS_fchmod, SYS_fchown, SYS_fchdir,
    SYS_fgetxattr, SYS_fsetxattr, SYS_flistxattr, SYS_fremovexattr, SYS_eventfd2, SYS_memfd_create,
    // Files by name: none that changes attributes, which Landlock does not look at. An open file was let be opened.
    SYS_statx, SYS_newfstatat, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_mkdirat,
    SYS_unlinkat, SYS_symlinkat, SYS_linkat, SYS_renameat2,
    SYS_statfs, SYS_chdir, SYS_getcwd, SYS_umask, SYS_getxattr, SYS_listxattr,
    SYS_lgetxattr, SYS_llistxattr, SYS_name_to_handle_at,
    SYS_inotify_init1, SYS_inotify_add_watch, SYS_inotify_rm_watch,
#ifdef SYS_open
    SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_symlink,
    SYS_link, SYS_rename, SYS_getdents, SYS_dup2, SYS_pipe,
    SYS_poll, SYS_select, SYS_epoll_wait, SYS_epoll_create, SYS_eventfd, SYS_time, SYS_alarm, SYS_pause, SYS_getpgrp, SYS_arch_prctl,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
    // Memory, threads and time.
    SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_msync, SYS_mincore, SYS_mlock, SYS_munlock, SYS_brk, SYS_membarrier,
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_sched_getattr,
    SYS_getpriority, SYS_getcpu,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_times, SYS_getitimer, SYS_setitimer,
    SYS_timerfd_create, SYS_timerfd_settime, SYS_timerfd_gettime, SYS_getrandom, SYS_restart_syscall, SYS_exit, SYS_exit_group,
    // Waiting, signals, sockets.
    SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait, SYS_epoll_pwait2, SYS_wait4, SYS_waitid,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_sigaltstack,
    SYS_signalfd4, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_shutdown, SYS_getsockname, SYS_getpeername,
    // No call that takes an open file from another process: Landlock has not let this one open it.
    SYS_getsockopt, SYS_setsockopt, SYS_sendto, SYS_recvfrom, SYS_sendmsg,
    // Who it is and acts for.
    SYS_gettid, SYS_getpid, SYS_getppid, SYS_getpgid, SYS_getsid, SYS_setsid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_getresuid, SYS_getresgid, SYS_getgroups, SYS_setgroups, SYS_setresgid, SYS_setfsuid, SYS_setfsgid, SYS_capget,
    SYS_capset, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrlimit,
};

// Neither the access mode that neither reads nor writes (3), which Landlock does not see and is enough for fchmod, nor cutting what is
// opened for reading, which its older versions do not see. And not openat2: its flags lie in memory, where a filter cannot look.
static unsigned short allowOpening(struct sock_filter *code, unsigned short length, unsigned call, int flags) {
    WHERE(call, 7);
    LOAD(args[flags]);
    PUT(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE | O_TRUNC));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TRUNC, 3, 0));
    PUT(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_ACCMODE));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_ACCMODE, 1, 0));
    ALLOW;
    REFUSE(EPERM);
    return length;
}

// The times of an open file: there is no path.
static unsigned short allowOpenTimes(struct sock_filter *code, unsigned short length) {
    WHERE(SYS_utimensat, 6);
    LOAD(args[1]);
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
    // The other half of the number.
    PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1]) + 4));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
    ALLOW;
    REFUSE(EPERM);
    return length;
}

// Where the number that was looked at is one of these. Otherwise the filter goes on.
static unsigned short refuseAmong(struct sock_filter *code, unsigned short length, const int *files, size_t count) {
    for (size_t index = 0; index < count; index++) {
        WHERE(files[index], 1);
        REFUSE(EPERM);
    }
    LOAD(nr);
    return length;
}

// Files that were opened before are not among those that Landlock let be opened: their attributes stay, under whatever number.
static unsigned short refuseFor(struct sock_filter *code, unsigned short length, unsigned call, const int *files, size_t count) {
    WHERE(call, 2 * count + 4);
    LOAD(args[0]);
    // No number below zero: AT_FDCWD is one, and newer kernels take it for the working folder, which may be any.
    PUT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x80000000u, 0, 1));
    REFUSE(EPERM);
    return refuseAmong(code, length, files, count);
}

// A copy under a number that is not among those, and so is not looked at. Under one of them it may be: a log takes the place of standard error.
static unsigned short refuseCopiesTo(struct sock_filter *code, unsigned short length, unsigned call, const int *files, size_t count) {
    WHERE(call, 3 * count + 3);
    LOAD(args[1]);
    for (size_t index = 0; index < count; index++) PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)files[index], 3 * count - index, 0));
    LOAD(args[0]);
    return refuseAmong(code, length, files, count);
}

static unsigned short refuseCopies(struct sock_filter *code, unsigned short length, const int *files, size_t count) {
    WHERE(SYS_fcntl, 2 * count + 5);
    LOAD(args[1]);
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD, 1, 0));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD_CLOEXEC, 0, 2 * count + 1));
    LOAD(args[0]);
    return refuseAmong(code, length, files, count);
}

// Of a terminal the kernel makes the group in its foreground the one that is signalled, whoever asks, and no filter sees it.
static unsigned short refuseNotices(struct sock_filter *code, unsigned short length) {
    WHERE(SYS_fcntl, 6);
    LOAD(args[1]);
    WHERE(F_SETFL, 3);
    LOAD(args[2]);
    PUT(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_ASYNC, 0, 1));
    REFUSE(EPERM);
    LOAD(nr);
    return length;
}

// Whatever has a name but devices: who may make one, reaches every disk by it. The kernel looks at sixteen bits of the mode, and a character
// device without a number is none: it says in a layer of an overlay that there is nothing, and anybody may make it.
static unsigned short refuseDevices(struct sock_filter *code, unsigned short length, unsigned call, int mode) {
    WHERE(call, 8);
    LOAD(args[mode]);
    PUT(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, S_IFMT));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, S_IFBLK, 4, 0));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, S_IFCHR, 0, 2));
    LOAD(args[mode + 1]);
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1));
    ALLOW;
    REFUSE(EPERM);
    return length;
}

// The highest of those that this filter's writer knew. A later one is what an old kernel says, and libraries do without.
enum { later = 463 };

int CLinux_seal_serving(pid_t ward, const int *outside, size_t outsiders) {
    static const unsigned long controls[] = {
        FICLONE, FICLONERANGE, FIONREAD, FIONBIO, FIOCLEX, TCGETS, FUSE_DEV_IOC_CLONE,
        // To hand a file to the kernel and take it back (passthrough): headers may be older.
        0x4010E501, 0x4004E502};
    // Not whom the kernel sends which signal when something happens to the file (F_SETOWN, F_SETSIG): it asks for no other right than
    // kill does, and no filter sees it.
    static const unsigned long commands[] = {
        F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW,
        F_SETPIPE_SZ, F_GETPIPE_SZ, F_ADD_SEALS, F_GET_SEALS};
    static const unsigned long settings[] = {PR_SET_NAME, PR_GET_NAME, 0x53564D41 /* PR_SET_VMA */, PR_GET_DUMPABLE};
    enum { count = sizeof serving / sizeof *serving, most = 272, mostOutsiders = 24 };
    struct sock_filter code[most + 2 * count + 10 * (3 * mostOutsiders + 6)];
    if (outsiders > mostOutsiders) return errno = E2BIG, -1;
    // What is asked for often comes first.
    unsigned short length = allowOpening(code, begin(code), SYS_openat, 2);
#ifdef SYS_open
    length = allowOpening(code, length, SYS_open, 1);
#endif
    static const unsigned ofOpenFiles[] = {SYS_fchmod, SYS_fchown, SYS_fsetxattr, SYS_fremovexattr, SYS_utimensat, SYS_dup};
    for (size_t index = 0; index < sizeof ofOpenFiles / sizeof *ofOpenFiles; index++) length = refuseFor(code, length, ofOpenFiles[index], outside, outsiders);
    length = refuseCopiesTo(code, length, SYS_dup3, outside, outsiders);
#ifdef SYS_dup2
    length = refuseCopiesTo(code, length, SYS_dup2, outside, outsiders);
#endif
    length = refuseCopies(code, length, outside, outsiders);
    length = refuseNotices(code, length);
    length = allowOpenTimes(code, length);
    length = allow(code, length, serving, count);
    length = allowThreads(code, length);
#define COUNT(list) (sizeof(list) / sizeof *(list))
    // ioctl, prctl and fcntl are many calls in one.
    length = allowWhere(code, length, SYS_ioctl, 1, controls, COUNT(controls));
    length = allowWhere(code, length, SYS_prctl, 0, settings, COUNT(settings));
    length = allowWhere(code, length, SYS_fcntl, 1, commands, COUNT(commands));
    length = refuseDevices(code, length, SYS_mknodat, 2);
#ifdef SYS_mknod
    length = refuseDevices(code, length, SYS_mknod, 1);
#endif
    // Sockets of this machine that are connections. A message to a socket of datagrams has an address of its own, which lies in memory, where a
    // filter cannot look: whoever has one needs no connect to reach each service.
    for (int pair = 0; pair < 2; pair++) {
        WHERE(pair ? SYS_socketpair : SYS_socket, 9);
        LOAD(args[0]);
        WHERE(AF_UNIX, 6);
        LOAD(args[1]);
        PUT(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf /* SOCK_TYPE_MASK */));
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0));
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_SEQPACKET, 0, 1));
        ALLOW;
        REFUSE(EPERM);
        REFUSE(EAFNOSUPPORT);
    }
    // Signals to its own threads, and the last one to its ward; without one, to itself.
    WHERE(SYS_tgkill, 4);
    LOAD(args[0]);
    WHERE(getpid(), 1);
    ALLOW;
    REFUSE(EPERM);
    WHERE(SYS_kill, 6);
    LOAD(args[0]);
    WHERE(ward > 0 ? ward : getpid(), 3);
    LOAD(args[1]);
    WHERE(SIGKILL, 1);
    ALLOW;
    REFUSE(EPERM);
    // A working folder of a thread's own.
    WHERE(SYS_unshare, 4);
    LOAD(args[0]);
    WHERE(CLONE_FS, 1);
    ALLOW;
    REFUSE(EPERM);
    // Its own limits, and how the calling thread runs.
    static const unsigned long own[] = {0};
    static const unsigned ofThreads[] = {SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setscheduler, SYS_sched_setattr};
    for (size_t index = 0; index < COUNT(ofThreads); index++) length = allowWhere(code, length, ofThreads[index], 0, own, COUNT(own));
    WHERE(SYS_setpriority, 6);
    LOAD(args[0]);
    WHERE(PRIO_PROCESS, 3);
    LOAD(args[1]);
    WHERE(0, 1);
    ALLOW;
    REFUSE(EPERM);
    PUT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, later, 0, 1));
    REFUSE(ENOSYS);
    REFUSE(EPERM);
    // Before Linux 5.16 a filter also had the processor load nothing ahead of what is stored, for the sake of code that somebody
    // else wrote. There is none of that here, and each call would be slower.
    return install(code, length, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
}
#else
int CLinux_seal_calls(void) { return errno = ENOSYS, -1; }
int CLinux_seal_serving(pid_t ward, const int *outside, size_t outsiders) { return errno = ENOSYS, -1; }
#endif
