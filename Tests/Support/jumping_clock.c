// Preloaded, gives a program another time than the kernel has: the file JUMPING_CLOCK says by how many seconds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    long result = syscall(SYS_clock_gettime, clock, now);
    const char *path = getenv("JUMPING_CLOCK");
    if (result != 0 || clock != CLOCK_REALTIME || !path) return (int)result;
    char words[32] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        if (read(file, words, sizeof words - 1) > 0) now->tv_sec += atol(words);
        close(file);
    }
    return 0;
}
