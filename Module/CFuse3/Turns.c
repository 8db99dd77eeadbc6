// How long a thread goes on while others wait for its processor.
//
// Who waits for a few bytes waits for a processor, too: for a thread that answers, and then for itself. While two programs keep both busy,
// one that writes a large file and the thread that stores it, that is most of the time it takes. The kernel (6.12) lets who has short turns
// interrupt who has long ones, so threads that answer have the shortest, and the longest while they store much of a file.
#include "Turns.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

// sched_setattr's, whose name is glibc's since 2.41.
struct Scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

// What the kernel takes at least and at most, in nanoseconds.
enum { shortest = 100000, longest = 100000000 };

static _Thread_local struct Scheduling scheduling;

static void set(uint64_t turn) {
    if (scheduling.size == 0) return;
    scheduling.runtime = turn;
    // Refused once, it is refused always.
    if (syscall(SYS_sched_setattr, 0, &scheduling, 0) != 0) scheduling.size = 0;
}

void CFuse3_begin_turns(void) {
    int error = errno;
    // Somebody who has chosen another way for the drive's threads keeps it.
    if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0) != 0 || scheduling.policy != SCHED_OTHER) scheduling.size = 0;
    set(shortest);
    errno = error;
}

void CFuse3_take_turns(bool isLong) {
    int error = errno;
    set(isLong ? longest : shortest);
    errno = error;
}
