// Calls that go wrong when a test says so. Linked into a trial program, these functions stand before the C library's
// of the same names, for everything in the process; the product knows nothing of them.
#pragma once

enum CallFaults_deed {
    CallFaults_none,
    // The process ends just before the call, or just after it, as a crash would end it.
    CallFaults_exit_before,
    CallFaults_exit_after,
    // Half of what is written gets written, then the process ends. At a call that writes nothing: as before it.
    CallFaults_exit_within,
    // The call fails, once.
    CallFaults_fail,
};

// What the store refuses from here on, whether calls are counted or not.
enum CallFaults_refusal {
    CallFaults_refuses_nothing,
    // Renames with flags, as most FUSE programs and NFS do.
    CallFaults_refuses_renames,
    // Second names as well, as exFAT does.
    CallFaults_refuses_renames_and_links,
    // Other permissions and owners than those that it gives, as exFAT and FAT do, and to leave access times as they are.
    CallFaults_refuses_permissions,
};
void CallFaults_refuse(int refusal);

// Counts from here on, and does the deed at the call of that number (from 1). strace sees where counting begins and ends.
void CallFaults_arm(int deed, long point, int number);
void CallFaults_disarm(void);

long CallFaults_count(void);
// What the call of that number (from 0) was; "open" changes nothing, all others do.
const char *CallFaults_name(long index);

// Begins another process, for one trial: a copy of this one, which takes less than starting a program anew. Answers 1 in that process, with `socket`
// as its input and output, and 0 in this one. When the trial ends, the socket hears "ended" and its exit code, or 128 and the signal.
int CallFaults_begin(int socket);
