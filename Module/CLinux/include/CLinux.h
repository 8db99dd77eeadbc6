// Calls that Swift cannot make: variadic ones, macros, and those its Glibc overlay does not know.
// Shims only: each takes what the call takes, returns what it returns, and leaves errno alone.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <sys/fsuid.h>

int CLinux_openat(int directory, const char *name, int flags, mode_t mode);
int CLinux_open_within_mount(int directory, const char *name, int flags);
int CLinux_fcntl_get(int descriptor, int command);
int CLinux_fcntl_set(int descriptor, int command, int argument);
int CLinux_renameat2(int fromDirectory, const char *from, int toDirectory, const char *to, unsigned flags);
int CLinux_clone(int to, int from);
int CLinux_readable(int descriptor, int *count);
int CLinux_clone_range(int to, uint64_t toOffset, int from, uint64_t fromOffset, uint64_t length);
ssize_t CLinux_copy_file_range(int from, int64_t *fromOffset, int to, int64_t *toOffset, size_t length, unsigned flags);
int CLinux_fallocate(int descriptor, int mode, int64_t offset, int64_t length);
int CLinux_fchmodat_link(int descriptor, mode_t mode);
int CLinux_syncfs(int descriptor);
int CLinux_eventfd(void);
// Keyring.c: keys in the kernel.
int32_t CLinux_add_key(const char *type, const char *description, const void *payload, size_t length, int32_t keyring);
int32_t CLinux_find_key(int32_t keyring, const char *type, const char *description);
ssize_t CLinux_read_key(int32_t key, void *into, size_t length);
int CLinux_set_key_timeout(int32_t key, unsigned seconds);
int CLinux_clear_keyring(int32_t keyring);
int CLinux_unlink_key(int32_t key, int32_t keyring);
int CLinux_file_in_memory(void);

/// Watches what has a name in an open folder (inotify). The name is one that a folder can have.
int CLinux_watch(int queue, int folder, const char *name, uint32_t asked);

/// Until `CLinux_stand_nowhere`, names that this thread watches in that folder are found without the way through /proc, which takes
/// longer than the rest of it. Nothing comes of it where a thread may have no working folder of its own.
void CLinux_stand(int folder);
void CLinux_stand_nowhere(void);
/// Gives this thread a table of descriptors of its own, where these numbers are /dev/null, which is open as `nothing`, and there are no others.
int CLinux_leave_descriptors(int nothing, const int *numbers, size_t count);
uint32_t CLinux_thread_number(void);
/// Whether this is the thread that the process began with. The kernel is asked once a thread.
int CLinux_is_first_thread(void);
// ThreadIdentity.c: the calling thread alone is somebody else for the file system, and then itself again.
// Its further groups stay where none are given (NULL). After a failure it is to resume all the same.
int CLinux_assume_identity(uid_t user, gid_t group, const gid_t *groups, size_t count);
int CLinux_resume_identity(uid_t user, gid_t group, const gid_t *groups, size_t count);
/// Whether this thread may use what is open in that way: R_OK, W_OK, X_OK. Works on a place.
int CLinux_may_access(int descriptor, int wanted);
/// Whether what is open has an access control list beside its permissions: 1, 0, or -1 where that cannot be known.
int CLinux_has_access_list(int descriptor);
/// Whether this thread may change what it does not own (CAP_FOWNER).
int CLinux_has_file_rights(void);
/// Makes use of all capabilities that this thread may have; of the one to keep set-id bits, only if asked.
int CLinux_raise_capabilities(_Bool keepingSetIDs);
int CLinux_filesystem_type(int descriptor, int64_t *type);
/// Out of what the kernel knows: a file system that does not answer makes nobody wait.
int CLinux_device(int descriptor, unsigned *major, unsigned *minor);
/// Whether nobody may change what is there, or only add to it (chattr +i, +a): 1, 0, or -1 where that cannot be known.
int CLinux_is_immutable(int descriptor);
/// What `fstatat` tells of a name in a folder, which is not followed, or of the folder itself, and when it was made. 0 where the file system does not say
/// the latter.
int CLinux_status_and_birth(int folder, const char *name, int fresh, struct stat *status, int64_t *seconds, uint32_t *nanoseconds);
/// The top of a file system that has no place in the tree, and is unmounted when it is closed.
int CLinux_mount_nowhere(const char *type);
int CLinux_enter_mount_namespace(int descriptor);

long CLinux_getdents64(int descriptor, void *buffer, size_t size);

void CLinux_return_memory(void);
void CLinux_trim_memory(void);

// Macros with values that the overlay does not import.
extern const int CLinux_O_PATH, CLinux_O_TMPFILE, CLinux_O_NOATIME, CLinux_O_DIRECT, CLinux_O_DIRECTORY, CLinux_O_NOFOLLOW;
extern const int CLinux_AT_EMPTY_PATH, CLinux_SEEK_DATA, CLinux_SEEK_HOLE;
extern const unsigned CLinux_RENAME_NOREPLACE, CLinux_RENAME_EXCHANGE, CLinux_RENAME_WHITEOUT;
extern const int CLinux_FALLOC_KEEP_SIZE, CLinux_FALLOC_PUNCH_HOLE;

// ByteLock.c: bytes of a file, each locked by one open file at a time, until that is closed.
int CLinux_lock_byte(int file, int64_t byte);
int CLinux_unlock_byte(int file, int64_t byte);
/// One that another open file has locked, of those from `first` on to before `end`; -1 where there is none.
int CLinux_locked_byte(int file, int64_t first, int64_t end, int64_t *found);

// ConnectionEnds.c: one end of it was closed or shut down: waits, and says which number's socket that is.
int CLinux_watch_ends(void);
int CLinux_watch_end(int watch, int socket, uint64_t number);
int CLinux_next_end(int watch, uint64_t *number);

// Channel.c: processes that are talked to. `passed` is a descriptor that goes with the message, or -1.
int CLinux_socket_pair(int both[2]);
int CLinux_connect_to_service(const void *path, size_t count);
ssize_t CLinux_send(int socket, const void *bytes, size_t count, int passed);
/// With the facts of another process in the place of this one's: root may say so.
ssize_t CLinux_send_from(int socket, const void *bytes, size_t count, pid_t process, uid_t user, gid_t group);
/// Without `passed` no descriptor is taken.
ssize_t CLinux_receive(int socket, void *buffer, size_t size, int *passed);
int CLinux_spawn(const char *program, int input, pid_t *process);

// Guardian.c: starts a process that writes "1" to a file when this thread has ended.
pid_t CLinux_write_when_ended(int file);

// Helper.c: 0 in the new process, its number in this one.
pid_t CLinux_start_helper(int channel);
extern const int CLinux_helper_channel;

// LocalSocket.c: sockets in a folder, by name. Only the last of these waits.
int CLinux_listen(int folder, const char *name, mode_t mode);
int CLinux_connect(int folder, const char *name);
int CLinux_accept(int listener);
int CLinux_peer(int connection, pid_t *process, uid_t *user);
int CLinux_stream_pair(int both[2]);
ssize_t CLinux_send_some(int connection, const void *bytes, size_t count);
ssize_t CLinux_receive_some(int connection, void *buffer, size_t size);
ssize_t CLinux_receive_waiting(int connection, void *buffer, size_t size);

// Sandbox.c: rights that are given up for good.
/// No core dump is made of this process, and no other of its user looks into it.
int CLinux_hide_memory(void);
int CLinux_renounce_privileges(void);
int CLinux_limit(int resource, uint64_t most);
/// Another user without other groups. Where there is only one user, everything stays as it is.
int CLinux_become(uid_t user, gid_t group);
int CLinux_become_user(uid_t user, gid_t group, const gid_t *groups, size_t count);
/// No others than these in the sets of this thread and of those that it starts, and no others than `bound` of what it starts.
int CLinux_keep_capabilities(uint64_t kept, uint64_t bound);
/// Those that acting for others takes.
extern const uint64_t CLinux_caller_capabilities;
extern const int CLinux_CAP_SETUID, CLinux_CAP_SETGID;
/// The library with which threads are cancelled, which the C library loads when the first one is.
void CLinux_load_unwinder(void);

/// Nothing but a place and what is beneath it stays in reach.
enum CLinux_ReachableKind { CLinux_reachable_reading, CLinux_reachable_all };
struct CLinux_Reachable {
    int place;
    enum CLinux_ReachableKind kind;
};
/// -1 where the kernel has no Landlock.
int CLinux_landlock_version(void);
/// `scopes`: nor do others' abstract sockets, or other processes.
int CLinux_seal_files(const struct CLinux_Reachable *reachable, size_t count, unsigned scopes);
extern const unsigned CLinux_scope_sockets, CLinux_scope_signals;
/// For a process that has open all it needs; and for one that serves a drive, which may end its ward.
int CLinux_seal_calls(void);
/// `outside`: open files whose attributes stay as they are.
int CLinux_seal_serving(pid_t ward, const int *outside, size_t outsiders);
extern const int CLinux_RLIMIT_AS, CLinux_RLIMIT_CORE, CLinux_RLIMIT_FSIZE;

#endif
