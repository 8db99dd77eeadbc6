// libdispatch counts which of its threads run, by /proc/THREAD/stat of each, and ends the process where one cannot be opened. A sealed drive of
// root's may look at nobody in /proc but itself (DriveSandbox.swift), and that name is not among what is its own. The same page has another name that
// is. libdispatch asks by open(), so that is what is here.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>

static int is_thread_page(const char *path, int *thread) {
    int end = 0;
    return sscanf(path, "/proc/%d/stat%n", thread, &end) == 1 && end > 0 && !path[end];
}

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | __O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    int file = openat(AT_FDCWD, path, flags, mode), thread;
    if (file != -1 || errno != EACCES || !is_thread_page(path, &thread)) return file;
    char own[64];
    snprintf(own, sizeof own, "/proc/self/task/%d/stat", thread);
    return openat(AT_FDCWD, own, flags, mode);
}
