// Preloaded, ends a program right after it has put a file in the place of one that is called ENDING_AT, if there is a file ENDING, which goes.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
    const char *ending = getenv("ENDING"), *name = getenv("ENDING_AT");
    int result = (int)syscall(SYS_renameat2, from, old, to, new, flags);
    if (result == 0 && ending && name && strcmp(new, name) == 0 && unlink(ending) == 0) syscall(SYS_exit_group, 137);
    return result;
}
