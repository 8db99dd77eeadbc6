// Sockets that have a place in a folder. Nothing here waits, but CLinux_receive_waiting: what would is EAGAIN.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

// By way of /proc, because an address has room for 107 bytes and a folder's path may be longer.
static int address_of(int folder, const char *name, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", folder, name);
    if (length < (int)sizeof address->sun_path) return 0;
    errno = ENAMETOOLONG;
    return -1;
}

static int fail(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

// Its permissions are set before it has a place, so that nobody comes in between.
int CLinux_listen(int folder, const char *name, mode_t mode) {
    struct sockaddr_un address;
    if (address_of(folder, name, &address)) return -1;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    if (fchmod(listener, mode) || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, SOMAXCONN)) return fail(listener);
    return listener;
}

int CLinux_connect(int folder, const char *name) {
    struct sockaddr_un address;
    if (address_of(folder, name, &address)) return -1;
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection < 0) return -1;
    if (connect(connection, (struct sockaddr *)&address, sizeof address)) return fail(connection);
    // From here on, each call says whether it waits.
    return fcntl(connection, F_SETFL, 0) ? fail(connection) : connection;
}

int CLinux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int CLinux_peer(int connection, pid_t *process, uid_t *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size)) return -1;
    *process = peer.pid;
    *user = peer.uid;
    return 0;
}

// A connection without a place: what one thread says into it wakes another that polls it.
int CLinux_stream_pair(int both[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both); }

ssize_t CLinux_send_some(int connection, const void *bytes, size_t count) { return send(connection, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT); }
ssize_t CLinux_receive_some(int connection, void *buffer, size_t size) { return recv(connection, buffer, size, MSG_DONTWAIT); }
ssize_t CLinux_receive_waiting(int connection, void *buffer, size_t size) { return recv(connection, buffer, size, 0); }
