// Keys that the kernel keeps (keyrings(7)), by system calls: libkeyutils, which has functions for these, is on few systems.
#include "CLinux.h"
#include <sys/syscall.h>
#include <unistd.h>

int32_t CLinux_add_key(const char *type, const char *description, const void *payload, size_t length, int32_t keyring) {
    return (int32_t)syscall(SYS_add_key, type, description, payload, length, keyring);
}

int32_t CLinux_find_key(int32_t keyring, const char *type, const char *description) {
    return (int32_t)syscall(SYS_keyctl, 10, keyring, type, description, 0);
}

ssize_t CLinux_read_key(int32_t key, void *into, size_t length) { return syscall(SYS_keyctl, 11, key, into, length); }

int CLinux_set_key_timeout(int32_t key, unsigned seconds) { return (int)syscall(SYS_keyctl, 15, key, seconds); }

int CLinux_clear_keyring(int32_t keyring) { return (int)syscall(SYS_keyctl, 7, keyring); }

int CLinux_unlink_key(int32_t key, int32_t keyring) { return (int)syscall(SYS_keyctl, 9, key, keyring); }
