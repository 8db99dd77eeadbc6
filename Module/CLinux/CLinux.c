#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

const int CLinux_O_PATH = O_PATH, CLinux_O_TMPFILE = O_TMPFILE, CLinux_O_NOATIME = O_NOATIME, CLinux_O_DIRECT = O_DIRECT,
          CLinux_O_DIRECTORY = O_DIRECTORY, CLinux_O_NOFOLLOW = O_NOFOLLOW;
const int CLinux_AT_EMPTY_PATH = AT_EMPTY_PATH, CLinux_SEEK_DATA = SEEK_DATA, CLinux_SEEK_HOLE = SEEK_HOLE;
const unsigned CLinux_RENAME_NOREPLACE = RENAME_NOREPLACE, CLinux_RENAME_EXCHANGE = RENAME_EXCHANGE,
               CLinux_RENAME_WHITEOUT = RENAME_WHITEOUT;
const int CLinux_FALLOC_KEEP_SIZE = FALLOC_FL_KEEP_SIZE, CLinux_FALLOC_PUNCH_HOLE = FALLOC_FL_PUNCH_HOLE;

// openat, fcntl and ioctl are variadic.
int CLinux_openat(int directory, const char *name, int flags, mode_t mode) { return openat(directory, name, flags, mode); }
int CLinux_fcntl_get(int descriptor, int command) { return fcntl(descriptor, command); }
int CLinux_fcntl_set(int descriptor, int command, int argument) { return fcntl(descriptor, command, argument); }
int CLinux_clone(int to, int from) { return ioctl(to, FICLONE, from); }

int CLinux_readable(int descriptor, int *count) { return ioctl(descriptor, FIONREAD, count); }

int CLinux_clone_range(int to, uint64_t toOffset, int from, uint64_t fromOffset, uint64_t length) {
    struct file_clone_range range = {
        .src_fd = from, .src_offset = fromOffset, .src_length = length, .dest_offset = toOffset};
    return ioctl(to, FICLONERANGE, &range);
}

// These stand behind _GNU_SOURCE, which the overlay does not set.
int CLinux_renameat2(int fromDirectory, const char *from, int toDirectory, const char *to, unsigned flags) {
    return renameat2(fromDirectory, from, toDirectory, to, flags);
}

ssize_t CLinux_copy_file_range(int from, int64_t *fromOffset, int to, int64_t *toOffset, size_t length, unsigned flags) {
    return copy_file_range(from, (off64_t *)fromOffset, to, (off64_t *)toOffset, length, flags);
}

int CLinux_fallocate(int descriptor, int mode, int64_t offset, int64_t length) {
    return fallocate(descriptor, mode, offset, length);
}

int CLinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int CLinux_file_in_memory(void) { return memfd_create("valise", MFD_CLOEXEC); }

// The folder that this thread stands in, and whether where it stands is its own affair.
static _Thread_local int standing = -1;
static _Thread_local enum { unasked, own, shared } place;

void CLinux_stand(int folder) {
    if (place == unasked) place = unshare(CLONE_FS) == 0 ? own : shared;
    if (place == own && fchdir(folder) == 0) standing = folder;
}

void CLinux_stand_nowhere(void) {
    // No folder is kept from being unmounted.
    if (standing >= 0 && chdir("/") < 0) place = shared;
    standing = -1;
}

int CLinux_watch(int queue, int folder, const char *name, uint32_t asked) {
    if (standing == folder) return inotify_add_watch(queue, name, asked);
    // Longer than any name, so that one that is too long is refused and not cut.
    char path[320];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, name);
    return inotify_add_watch(queue, path, asked);
}
int CLinux_syncfs(int descriptor) { return syncfs(descriptor); }
int CLinux_leave_descriptors(int nothing, const int *numbers, size_t count) {
    // Whoever reads what the process prints waits until nobody has the other end. And what is opened next must not be taken for it, nor have one of
    // the numbers for which a sealed process is refused most.
    if (nothing < 0 || close_range(nothing + 1, ~0U, CLOSE_RANGE_UNSHARE) < 0) return -1;
    if (nothing > 0 && close_range(0, nothing - 1, 0) < 0) return -1;
    for (size_t index = 0; index < count; index++)
        if (numbers[index] != nothing && dup2(nothing, numbers[index]) < 0) return -1;
    return 0;
}

int CLinux_is_first_thread(void) {
    static _Thread_local signed char known;
    if (!known) known = getpid() == gettid() ? 1 : -1;
    return known > 0;
}

uint32_t CLinux_thread_number(void) { return (uint32_t)gettid(); }

#ifndef STATX_MNT_ID
#define STATX_MNT_ID 0x1000
#endif

// Whether two places are on one mount. The file system is not asked. An older kernel tells devices only.
static int same_mount(int one, int other) {
    struct statx facts[2];
    if (statx(one, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &facts[0]) < 0) return -1;
    if (statx(other, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &facts[1]) < 0) return -1;
    if (facts[0].stx_mask & facts[1].stx_mask & STATX_MNT_ID) return facts[0].stx_mnt_id == facts[1].stx_mnt_id;
    return facts[0].stx_dev_major == facts[1].stx_dev_major && facts[0].stx_dev_minor == facts[1].stx_dev_minor;
}

// Never into what is mounted on a folder, and nothing there is opened for more than its place. openat2 does this in one call, and a filter of calls
// cannot look at what it is asked for.
int CLinux_open_within_mount(int directory, const char *name, int flags) {
    int place = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC | (flags & O_DIRECTORY));
    if (place < 0) return -1;
    int same = same_mount(directory, place), result = place;
    if (same == 1 && flags & O_PATH) return place;
    if (same == 1) {
        struct stat facts;
        char path[40];
        snprintf(path, sizeof path, "/proc/thread-self/fd/%d", place);
        result = fstat(place, &facts);
        if (result == 0 && S_ISLNK(facts.st_mode)) errno = ELOOP, result = -1;
        if (result == 0) result = open(path, flags & ~O_NOFOLLOW);
    } else {
        if (same == 0) errno = EXDEV;
        result = -1;
    }
    int error = errno;
    close(place);
    errno = error;
    return result;
}

// An O_PATH descriptor has no fchmod; its entry in /proc does, and follows to exactly that file.
int CLinux_fchmodat_link(int descriptor, mode_t mode) {
    char path[32];
    snprintf(path, sizeof path, "/proc/thread-self/fd/%d", descriptor);
    return chmod(path, mode);
}

int CLinux_filesystem_type(int descriptor, int64_t *type) {
    struct statfs facts;
    int result = fstatfs(descriptor, &facts);
    if (result == 0) *type = facts.f_type;
    return result;
}

int CLinux_device(int descriptor, unsigned *major, unsigned *minor) {
    struct statx facts;
    if (statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &facts) < 0) return -1;
    *major = facts.stx_dev_major;
    *minor = facts.stx_dev_minor;
    return 0;
}

int CLinux_is_immutable(int descriptor) {
    struct statx facts;
    if (statx(descriptor, "", AT_EMPTY_PATH, 0, &facts) < 0) return -1;
    return (facts.stx_attributes & (STATX_ATTR_IMMUTABLE | STATX_ATTR_APPEND)) != 0;
}

int CLinux_status_and_birth(int folder, const char *name, int fresh, struct stat *status, int64_t *seconds, uint32_t *nanoseconds) {
    struct statx facts;
    if (statx(folder, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW | (fresh ? AT_STATX_FORCE_SYNC : 0), STATX_BASIC_STATS | STATX_BTIME, &facts) < 0) return -1;
    *status = (struct stat){
        .st_dev = makedev(facts.stx_dev_major, facts.stx_dev_minor),
        .st_ino = facts.stx_ino,
        .st_mode = facts.stx_mode,
        .st_nlink = facts.stx_nlink,
        .st_uid = facts.stx_uid,
        .st_gid = facts.stx_gid,
        .st_rdev = makedev(facts.stx_rdev_major, facts.stx_rdev_minor),
        .st_size = (off_t)facts.stx_size,
        .st_blocks = (blkcnt_t)facts.stx_blocks,
        .st_atim = {facts.stx_atime.tv_sec, facts.stx_atime.tv_nsec},
        .st_mtim = {facts.stx_mtime.tv_sec, facts.stx_mtime.tv_nsec},
        .st_ctim = {facts.stx_ctime.tv_sec, facts.stx_ctime.tv_nsec},
    };
    *seconds = facts.stx_btime.tv_sec;
    *nanoseconds = facts.stx_btime.tv_nsec;
    return (facts.stx_mask & STATX_BTIME) != 0;
}

// Not in every C library that this is built with.
int CLinux_mount_nowhere(const char *type) {
    int context = (int)syscall(SYS_fsopen, type, FSOPEN_CLOEXEC);
    if (context < 0) return -1;
    int mount = syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) < 0 ? -1 : (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
    int error = errno;
    close(context);
    errno = error;
    return mount;
}

int CLinux_enter_mount_namespace(int descriptor) { return setns(descriptor, CLONE_NEWNS); }
// The C library has no wrappers for these. They concern one thread.
int CLinux_has_file_rights(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) != 0) return 0;
    return (sets[0].effective & CAP_TO_MASK(CAP_FOWNER)) != 0;
}

int CLinux_raise_capabilities(_Bool keepingSetIDs) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) != 0) return -1;
    for (int index = 0; index < _LINUX_CAPABILITY_U32S_3; index++) sets[index].effective = sets[index].permitted;
    if (!keepingSetIDs) sets[0].effective &= ~CAP_TO_MASK(CAP_FSETID);
    return syscall(SYS_capset, &header, sets);
}

long CLinux_getdents64(int descriptor, void *buffer, size_t size) { return syscall(SYS_getdents64, descriptor, buffer, size); }

void CLinux_trim_memory(void) { malloc_trim(0); }

void CLinux_return_memory(void) {
    // A fixed threshold also ends glibc's habit of raising it, after which big blocks are never given back.
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 256 * 1024);
    mallopt(M_ARENA_MAX, 2);
}
