// Preloaded, has a program's files get no second names, with the error FAILING_NUMBER, as long as there is a file FAILING.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int linkat(int from, const char *old, int to, const char *new, int flags) {
    const char *failing = getenv("FAILING"), *number = getenv("FAILING_NUMBER");
    if (failing && number && access(failing, F_OK) == 0) {
        errno = atoi(number);
        return -1;
    }
    return (int)syscall(SYS_linkat, from, old, to, new, flags);
}
