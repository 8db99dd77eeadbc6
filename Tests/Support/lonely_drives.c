// Preloaded, makes a program one that can start no process once it serves a drive.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

pid_t fork(void) {
    for (int descriptor = 0; descriptor < 256; descriptor++) {
        char link[32], target[16] = "";
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        if (readlink(link, target, sizeof target - 1) > 0 && strcmp(target, "/dev/fuse") == 0) {
            errno = EAGAIN;
            return -1;
        }
    }
    return ((pid_t (*)(void))dlsym(RTLD_NEXT, "fork"))();
}
