// Locks on bytes of a file (fcntl(2), “Open file description locks”), whose struct Swift does not import whole.
#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>

static int lock(int file, int64_t byte, short kind) {
    struct flock one = {.l_type = kind, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(file, F_OFD_SETLK, &one);
}

int CLinux_lock_byte(int file, int64_t byte) { return lock(file, byte, F_WRLCK); }
int CLinux_unlock_byte(int file, int64_t byte) { return lock(file, byte, F_UNLCK); }

int CLinux_locked_byte(int file, int64_t first, int64_t end, int64_t *found) {
    struct flock other = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = first, .l_len = end - first};
    if (fcntl(file, F_OFD_GETLK, &other)) return -1;
    *found = other.l_type == F_UNLCK ? -1 : other.l_start;
    return 0;
}
