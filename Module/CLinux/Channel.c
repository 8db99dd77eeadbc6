// A process of one's own that is talked to over a socket, and given one open file with a message.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// The macros of control messages cannot be imported.
typedef union {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
} Passing;

int CLinux_socket_pair(int both[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, both); }

int CLinux_connect_to_service(const void *path, size_t count) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count == 0 || count >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(address.sun_path, path, count);
    if (address.sun_path[0] == '@') address.sun_path[0] = 0;
    int service = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (service < 0) return -1;
    if (connect(service, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + count)) == 0) return service;
    int error = errno;
    close(service);
    errno = error;
    return -1;
}

ssize_t CLinux_send(int socket, const void *bytes, size_t count, int passed) {
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    Passing passing;
    memset(&passing, 0, sizeof passing);
    if (passed >= 0) {
        message.msg_control = &passing;
        message.msg_controllen = sizeof passing;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t CLinux_send_from(int socket, const void *bytes, size_t count, pid_t process, uid_t user, gid_t group) {
    struct iovec part = {(void *)bytes, count};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(struct ucred))];
    } facts;
    memset(&facts, 0, sizeof facts);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &facts, .msg_controllen = sizeof facts};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    struct ucred speaker = {process, user, group};
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_CREDENTIALS;
    header->cmsg_len = CMSG_LEN(sizeof speaker);
    memcpy(CMSG_DATA(header), &speaker, sizeof speaker);
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t CLinux_receive(int socket, void *buffer, size_t size, int *passed) {
    if (!passed) {
        // Says how long the message is, and leaves alone what comes with it.
        ssize_t whole = recv(socket, buffer, size, MSG_TRUNC);
        if (whole <= (ssize_t)size) return whole;
        errno = EMSGSIZE;
        return -1;
    }
    struct iovec part = {buffer, size};
    Passing passing;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &passing, .msg_controllen = sizeof passing};
    *passed = -1;
    ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count < 0) return count;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(passed, CMSG_DATA(header), sizeof *passed);
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
        if (*passed >= 0) close(*passed);
        *passed = -1;
        errno = EMSGSIZE;
        return -1;
    }
    return count;
}

// posix_spawn's closefrom stands behind _GNU_SOURCE. The new process has `input` as its standard input, nothing
// else that is open here, an empty environment, no blocked or ignored signals, and a session of its own: the keys of a terminal do not reach it.
int CLinux_spawn(const char *program, int input, pid_t *process) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error) return errno = error, -1;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&files);
        return errno = error, -1;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    if (!error) error = posix_spawn_file_actions_adddup2(&files, input, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(&files, 3);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &all);
    if (!error) error = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    char *arguments[] = {(char *)program, NULL}, *environment[] = {NULL};
    if (!error) error = posix_spawn(process, program, &files, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    if (error) return errno = error, -1;
    return 0;
}
