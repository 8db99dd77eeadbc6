// Preloaded, shows a program the times of files as a store keeps them whose clock ticks every two seconds, as exFAT's does.
#define _GNU_SOURCE
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int coarse(int result, struct stat *facts) {
    if (result == 0) {
        facts->st_mtim = (struct timespec){facts->st_mtim.tv_sec & ~1L, 0};
        facts->st_ctim = (struct timespec){facts->st_ctim.tv_sec & ~1L, 0};
    }
    return result;
}

int fstat(int file, struct stat *facts) { return coarse((int)syscall(SYS_newfstatat, file, "", facts, 0x1000), facts); }

int fstatat(int folder, const char *name, struct stat *facts, int flags) {
    return coarse((int)syscall(SYS_newfstatat, folder, name, facts, flags), facts);
}
