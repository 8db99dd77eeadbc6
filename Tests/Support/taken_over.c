// Preloaded, does what code of somebody else's could try in the process of a drive, when a folder “attack” is made on that: it says in the file SAID, in the
// container, of which files it could change the permissions, and has the helper unmount after it said that the drive ends, or
// unmount more than the drive.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void change(FILE *said, int file) {
    char link[64], path[4096];
    struct stat facts;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    // What has no path is this process's own.
    if (length < 0 || path[0] != '/' || fstat(file, &facts) < 0) return;
    path[length] = 0;
    if (fchmod(file, facts.st_mode & 07777) == 0) fprintf(said, "%s\n", path);
}

static void ask(char request) {
    for (int socket = 3; socket < 200; socket++) {
        int type = 0;
        socklen_t size = sizeof type;
        if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &size) < 0 || type != SOCK_SEQPACKET) continue;
        char answer[64];
        if (send(socket, &request, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1) recv(socket, answer, sizeof answer, 0);
    }
}

int mkdirat(int folder, const char *name, mode_t mode) {
    const char *path = getenv("SAID");
    FILE *said = path && strcmp(name, "attack") == 0 ? fopen(path, "w") : NULL;
    if (said) {
        for (int file = 0; file < 200; file++)
            if (file != fileno(said)) change(said, file);
        static const char *const others[] = {"/dev/null", "/dev/fuse", "/sys/devices/system/cpu", "/sys/devices/system/cpu/online", "/sys/fs/fuse/connections", "/proc", "/proc/1", "/"};
        for (size_t index = 0; index < sizeof others / sizeof *others; index++) change(said, open(others[index], O_RDONLY | O_CLOEXEC));
        fprintf(said, "tried\n");
        fclose(said);
        if (getenv("ENDING")) ask(8), ask(3);
        // Lazily, and then what is there by then, settled anew.
        if (getenv("UNMOUNTING")) ask(4), ask(9), ask(7), ask(4), ask(4);
    }
    return (int)syscall(SYS_mkdirat, folder, name, mode);
}
