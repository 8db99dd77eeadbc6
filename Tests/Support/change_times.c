// Preloaded, shows a program that all files changed at CHANGE_TIME, in seconds, as a store may say.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int shown(int result, struct stat *facts) {
    const char *time = getenv("CHANGE_TIME");
    if (result == 0 && time) facts->st_ctim = (struct timespec){strtol(time, NULL, 10), 0};
    return result;
}

int fstat(int file, struct stat *facts) { return shown((int)syscall(SYS_newfstatat, file, "", facts, 0x1000), facts); }

int fstatat(int folder, const char *name, struct stat *facts, int flags) {
    return shown((int)syscall(SYS_newfstatat, folder, name, facts, flags), facts);
}
