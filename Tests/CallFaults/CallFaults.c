#define _GNU_SOURCE
#include "CallFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

// The trial program has one thread.
static int armed, deed, number, refusal;
static long count, point;
static const char *names[4096];

void CallFaults_arm(int newDeed, long newPoint, int newNumber) {
    deed = newDeed, point = newPoint, number = newNumber, count = 0, armed = 1;
    syscall(SYS_faccessat, AT_FDCWD, "/CallFaults/armed", 0);
}

void CallFaults_disarm(void) {
    armed = 0;
    syscall(SYS_faccessat, AT_FDCWD, "/CallFaults/disarmed", 0);
}

void CallFaults_refuse(int newRefusal) { refusal = newRefusal; }

long CallFaults_count(void) { return count; }
const char *CallFaults_name(long index) { return names[index]; }

// A process between the two waits for the trial: this one goes on with the next, and the test is not the trial's parent.
int CallFaults_begin(int socket) {
    signal(SIGCHLD, SIG_IGN);
    pid_t between = fork();
    if (between != 0) return 0;
    signal(SIGCHLD, SIG_DFL);
    pid_t trial = fork();
    if (trial == 0) {
        dup2(socket, 0);
        dup2(socket, 1);
        return 1;
    }
    int status = 0, length;
    char line[32];
    while (trial > 0 && waitpid(trial, &status, 0) < 0 && errno == EINTR) continue;
    length = snprintf(line, sizeof line, "ended %d\n", trial < 0 ? 126 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    send(socket, line, length, MSG_NOSIGNAL);
    _exit(0);
}

static void leave(void) { syscall(SYS_exit_group, 99); }

static int meet(const char *name) {
    if (!armed) return CallFaults_none;
    if (count < (long)(sizeof names / sizeof *names)) names[count] = name;
    if (++count != point) return CallFaults_none;
    if (deed == CallFaults_exit_before) leave();
    if (deed == CallFaults_fail) errno = number;
    return deed;
}

// Calls that write have a half; the others are whole.
#define WRITING(name, half, whole)                     \
    do {                                               \
        int met = meet(name);                          \
        if (met == CallFaults_fail) return -1;         \
        if (met == CallFaults_exit_within) {           \
            half;                                      \
            leave();                                   \
        }                                              \
        long result = (whole);                         \
        if (met == CallFaults_exit_after) leave();     \
        return result;                                 \
    } while (0)
#define CALL(name, whole) WRITING(name, (void)0, whole)

// A call that the store refuses is one that a process can end at, like all others.
static long refuse(int error) {
    errno = error;
    return -1;
}
#define REFUSED(error, when, whole) ((when) ? refuse(error) : (whole))

// Who does not own a file may not leave its access time as it is. The kernel says so when it has opened the file, or made it.
static long openUntraced(long file) {
    if (file < 0 || refusal != CallFaults_refuses_permissions) return file;
    syscall(SYS_close, file);
    return refuse(EPERM);
}

static int openAny(int directory, const char *path, int flags, mode_t mode) {
    const char *name = flags & (O_CREAT | O_TRUNC) ? "create" : "open";
    int isUntraced = (flags & O_NOATIME) == O_NOATIME;
    CALL(name, isUntraced ? openUntraced(syscall(SYS_openat, directory, path, flags, mode)) : syscall(SYS_openat, directory, path, flags, mode));
}

#define MODE(flags)                              \
    mode_t mode = 0;                             \
    if (flags & (O_CREAT | __O_TMPFILE)) {       \
        va_list arguments;                       \
        va_start(arguments, flags);              \
        mode = va_arg(arguments, mode_t);        \
        va_end(arguments);                       \
    }

int open(const char *path, int flags, ...) { MODE(flags) return openAny(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return openAny(AT_FDCWD, path, flags, mode); }
int openat(int directory, const char *path, int flags, ...) { MODE(flags) return openAny(directory, path, flags, mode); }
int openat64(int directory, const char *path, int flags, ...) { MODE(flags) return openAny(directory, path, flags, mode); }
int creat(const char *path, mode_t mode) { return openAny(AT_FDCWD, path, O_CREAT | O_TRUNC | O_WRONLY, mode); }

ssize_t write(int file, const void *bytes, size_t size) {
    WRITING("write", syscall(SYS_write, file, bytes, size / 2), syscall(SYS_write, file, bytes, size));
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    WRITING("pwrite", syscall(SYS_pwrite64, file, bytes, size / 2, offset), syscall(SYS_pwrite64, file, bytes, size, offset));
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) { return pwrite(file, bytes, size, offset); }
ssize_t writev(int file, const struct iovec *parts, int parted) { CALL("writev", syscall(SYS_writev, file, parts, parted)); }
ssize_t copy_file_range(int from, off64_t *fromOffset, int to, off64_t *toOffset, size_t size, unsigned flags) {
    WRITING("copy_file_range", syscall(SYS_copy_file_range, from, fromOffset, to, toOffset, size / 2, flags),
        syscall(SYS_copy_file_range, from, fromOffset, to, toOffset, size, flags));
}

int ftruncate(int file, off_t size) { CALL("ftruncate", syscall(SYS_ftruncate, file, size)); }
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int truncate(const char *path, off_t size) { CALL("truncate", syscall(SYS_truncate, path, size)); }
int fallocate(int file, int mode, off_t offset, off_t size) { CALL("fallocate", syscall(SYS_fallocate, file, mode, offset, size)); }
int rename(const char *from, const char *to) { CALL("rename", syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0)); }
int renameat(int from, const char *old, int to, const char *new) { CALL("renameat", syscall(SYS_renameat2, from, old, to, new, 0)); }
int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    int refused = flags && (refusal == CallFaults_refuses_renames || refusal == CallFaults_refuses_renames_and_links);
    CALL("renameat2", REFUSED(EINVAL, refused, syscall(SYS_renameat2, from, old, to, new, flags)));
}
int linkat(int from, const char *old, int to, const char *new, int flags) {
    CALL("linkat", REFUSED(EPERM, refusal == CallFaults_refuses_renames_and_links, syscall(SYS_linkat, from, old, to, new, flags)));
}
int symlinkat(const char *target, int folder, const char *name) { CALL("symlinkat", syscall(SYS_symlinkat, target, folder, name)); }
int unlinkat(int folder, const char *name, int flags) { CALL("unlinkat", syscall(SYS_unlinkat, folder, name, flags)); }
int unlink(const char *path) { CALL("unlink", syscall(SYS_unlinkat, AT_FDCWD, path, 0)); }
int mkdirat(int folder, const char *name, mode_t mode) { CALL("mkdirat", syscall(SYS_mkdirat, folder, name, mode)); }
int mkdir(const char *path, mode_t mode) { CALL("mkdir", syscall(SYS_mkdirat, AT_FDCWD, path, mode)); }
int mknodat(int folder, const char *name, mode_t mode, dev_t device) { CALL("mknodat", syscall(SYS_mknodat, folder, name, mode, device)); }
int chmod(const char *path, mode_t mode) { CALL("chmod", syscall(SYS_fchmodat, AT_FDCWD, path, mode)); }
int fchmod(int file, mode_t mode) { CALL("fchmod", REFUSED(EPERM, refusal == CallFaults_refuses_permissions, syscall(SYS_fchmod, file, mode))); }
int fchmodat(int folder, const char *name, mode_t mode, int flags) { CALL("fchmodat", syscall(SYS_fchmodat, folder, name, mode, flags)); }
int fchown(int file, uid_t user, gid_t group) {
    CALL("fchown", REFUSED(EPERM, refusal == CallFaults_refuses_permissions, syscall(SYS_fchown, file, user, group)));
}
int fchownat(int folder, const char *name, uid_t user, gid_t group, int flags) {
    CALL("fchownat", syscall(SYS_fchownat, folder, name, user, group, flags));
}
int utimensat(int folder, const char *name, const struct timespec times[2], int flags) {
    CALL("utimensat", syscall(SYS_utimensat, folder, name, times, flags));
}
int futimens(int file, const struct timespec times[2]) { CALL("utimensat", syscall(SYS_utimensat, file, 0, times, 0)); }
int setxattr(const char *path, const char *name, const void *value, size_t size, int flags) {
    CALL("setxattr", syscall(SYS_setxattr, path, name, value, size, flags));
}
int fsetxattr(int file, const char *name, const void *value, size_t size, int flags) {
    CALL("fsetxattr", syscall(SYS_fsetxattr, file, name, value, size, flags));
}
int removexattr(const char *path, const char *name) { CALL("removexattr", syscall(SYS_removexattr, path, name)); }
int fremovexattr(int file, const char *name) { CALL("fremovexattr", syscall(SYS_fremovexattr, file, name)); }
int fsync(int file) { CALL("fsync", syscall(SYS_fsync, file)); }
int fdatasync(int file) { CALL("fdatasync", syscall(SYS_fdatasync, file)); }
int syncfs(int file) { CALL("syncfs", syscall(SYS_syncfs, file)); }
int flock(int file, int operation) { CALL("flock", syscall(SYS_flock, file, operation)); }

int ioctl(int file, unsigned long request, ...) {
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request != FICLONE && request != FICLONERANGE) return syscall(SYS_ioctl, file, request, argument);
    CALL("ioctl", syscall(SYS_ioctl, file, request, argument));
}
