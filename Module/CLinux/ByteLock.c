// Locks on bytes of a file (fcntl(2), “Open file description locks”), whose struct Swift does not import whole, and the ends of
// connections (epoll(7)), whose one Swift imports unaligned.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

static int lock(int file, int64_t byte, short kind) {
    struct flock one = {.l_type = kind, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &one);
}

int CLinux_lock_byte(int file, int64_t byte) { return lock(file, byte, F_WRLCK); }
int CLinux_unlock_byte(int file, int64_t byte) { return lock(file, byte, F_UNLCK); }

int CLinux_locked_byte(int file, int64_t first, int64_t end, int64_t *found) {
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = end - first};
    if (fcntl(file, F_OFD_GETLK, &other)) return -1;
    *found = other.l_type == F_UNLCK ? -1 : other.l_start;
    return 0;
}

int CLinux_watch_ends(void) { return epoll_create1(EPOLL_CLOEXEC); }

// That something came is not waited for: the end is told of each, once.
int CLinux_watch_end(int watch, int socket, uint64_t number) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.u64 = number};
    return epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event);
}

int CLinux_next_end(int watch, uint64_t *number) {
    struct epoll_event event;
    int count = epoll_wait(watch, &event, 1, -1);
    if (count > 0) *number = event.data.u64;
    return count;
}
