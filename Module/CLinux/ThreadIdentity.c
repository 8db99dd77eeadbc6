#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// The C library changes the groups of all threads at once; the call itself changes those of this one.
static int set_groups(const gid_t *groups, size_t count) { return (int)syscall(SYS_setgroups, count, groups); }

int CLinux_assume_identity(uid_t user, gid_t group, const gid_t *groups, size_t count) {
    if (groups && set_groups(groups, count) < 0) return -1;
    if (syscall(SYS_setresgid, -1, group, -1) < 0) return -1;
    // Last: with another user than root the kernel takes the rights over files away from this thread. Not the effective user: whose
    // that is, may have the thread wait or starve.
    setfsuid(user);
    // The call does not say whether it was done; asked for nobody, it says who it is.
    if ((uid_t)setfsuid((uid_t)-1) == user) return 0;
    errno = EPERM;
    return -1;
}

int CLinux_resume_identity(uid_t user, gid_t group, const gid_t *groups, size_t count) {
    setfsuid(user);
    if (syscall(SYS_setresgid, -1, group, -1) < 0) return -1;
    return groups ? set_groups(groups, count) : 0;
}

int CLinux_may_access(int descriptor, int wanted) {
    return (int)syscall(SYS_faccessat2, descriptor, "", wanted, AT_EACCESS | AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW);
}

int CLinux_has_access_list(int descriptor) {
    ssize_t size = fgetxattr(descriptor, "system.posix_acl_access", NULL, 0);
    // A place has no attributes by its descriptor, but /proc leads to it.
    if (size < 0 && errno == EBADF) {
        char path[40];
        snprintf(path, sizeof path, "/proc/thread-self/fd/%d", descriptor);
        size = getxattr(path, "system.posix_acl_access", NULL, 0);
    }
    if (size >= 0) return 1;
    return errno == ENODATA || errno == ENOTSUP ? 0 : -1;
}
