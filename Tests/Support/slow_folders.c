// Preloaded, makes a program wait for a minute before it makes a folder called "slow". It makes "slow.begun" first.
#define _GNU_SOURCE
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int mkdirat(int folder, const char *name, mode_t mode) {
    if (strcmp(name, "slow") == 0) {
        syscall(SYS_mkdirat, folder, "slow.begun", mode);
        sleep(60);
    }
    return (int)syscall(SYS_mkdirat, folder, name, mode);
}
