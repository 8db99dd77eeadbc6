// The ends of connections (epoll(7), whose struct Swift imports unaligned).
#include "CLinux.h"

#include <sys/epoll.h>

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
