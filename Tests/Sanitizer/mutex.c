// Tells the thread sanitizer of the half of Swift's Mutex that it cannot see.
//
// Taking and giving back a mutex that nobody else wants is compiled into whoever does it, and seen. Waiting for one and
// waking up who waits lie in the toolchain's libswiftSynchronization, which is not compiled for the sanitizer: what is
// read after a wait would look like a race with what was written before it. Preloaded, these functions stand before that
// library's, call it, and say what it means.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex

// Nobody's, in a program without the sanitizer.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

static void *theirs(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lock(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void lock(uint32_t thread, SELF) {
    SWIFT void (*real)(uint32_t, SELF) = theirs("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    real(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT _Bool tryLock(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT _Bool tryLock(SELF) {
    SWIFT _Bool (*real)(SELF) = theirs("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    _Bool taken = real(mutex);
    if (taken && __tsan_acquire) __tsan_acquire(mutex);
    return taken;
}

SWIFT void unlock(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
SWIFT void unlock(SELF) {
    SWIFT void (*real)(SELF) = theirs("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(mutex);
    real(mutex);
}

// A thread that is cancelled while it reads leaves the sanitizer's own account of that read open, and the sanitizer ends the
// program for it. In the tests that are run so, the other end is closed whenever threads are to end, and wakes them as well;
// that which leaves it open is left out.
int pthread_cancel(pthread_t thread) {
    (void)thread;
    return 0;
}
