// How many things a program waits for at once: the most, as one byte for each wait, in the file WAITS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

int poll(struct pollfd *waited, nfds_t count, int timeout)
{
    int (*next)(struct pollfd *, nfds_t, int) = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    const char *path = getenv("WAITS");
    int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (file >= 0) {
        unsigned char number = (unsigned char)count;
        if (write(file, &number, 1) < 0) abort();
        close(file);
    }
    return next(waited, count, timeout);
}
