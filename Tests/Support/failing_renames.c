// Preloaded, makes every rename of a program fail with the error FAILING_NUMBER, as long as there is a file FAILING.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    const char *failing = getenv("FAILING"), *number = getenv("FAILING_NUMBER");
    if (failing && number && access(failing, F_OK) == 0) {
        errno = atoi(number);
        return -1;
    }
    return (int)syscall(SYS_renameat2, from, old, to, new, flags);
}
