#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>
#include <unistd.h>

// The C library changes the groups of all threads at once; the call itself changes those of this one.
static int set_groups(const gid_t *groups, size_t count) { return (int)syscall(SYS_setgroups, count, groups); }

int CLinux_assume_identity(uid_t user, gid_t group, const gid_t *groups, size_t count) {
    if (set_groups(groups, count) < 0) return -1;
    setfsgid(group);
    // Last: with another user than root the kernel takes the rights over files away from this thread.
    setfsuid(user);
    // Neither call says whether it was done; asked for nobody, each says who it is.
    if ((uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group) return 0;
    errno = EPERM;
    return -1;
}

int CLinux_resume_identity(const gid_t *groups, size_t count) {
    setfsuid(geteuid());
    setfsgid(getegid());
    return set_groups(groups, count);
}

int CLinux_may_access(int descriptor, int wanted) {
    return (int)syscall(SYS_faccessat2, descriptor, "", wanted, AT_EACCESS | AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW);
}
