// libfuse's low-level API as Swift sees it.
//
// libfuse's own headers want macros set before they are read, use bit-fields, variadic calls and
// structs that grew over the releases. None of that reaches Swift: its types stay incomplete here,
// and a shim says in CFuse3.c why it is one. What needs no shim is only declared again.
#ifndef CFUSE3_H
#define CFUSE3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

struct fuse_req;
struct fuse_session;
struct fuse_file_info;
struct fuse_bufvec;
struct fuse_forget_data;

// MARK: Requests

struct CFuse3_Caller {
    uint32_t user, group, thread, umask;
};

/// What libfuse calls, in libfuse's order. Each field has exactly the type of libfuse's own, which CFuse3.c relies on.
struct CFuse3_Operations {
    void (*_Nullable lookup)(struct fuse_req *, uint64_t parent, const char *name);
    void (*_Nullable forget)(struct fuse_req *, uint64_t node, uint64_t count);
    void (*_Nullable getattr)(struct fuse_req *, uint64_t node, struct fuse_file_info *_Nullable);
    void (*_Nullable setattr)(struct fuse_req *, uint64_t node, struct stat *, int what, struct fuse_file_info *_Nullable);
    void (*_Nullable readlink)(struct fuse_req *, uint64_t node);
    void (*_Nullable mknod)(struct fuse_req *, uint64_t parent, const char *name, mode_t, dev_t);
    void (*_Nullable mkdir)(struct fuse_req *, uint64_t parent, const char *name, mode_t);
    void (*_Nullable unlink)(struct fuse_req *, uint64_t parent, const char *name);
    void (*_Nullable rmdir)(struct fuse_req *, uint64_t parent, const char *name);
    void (*_Nullable symlink)(struct fuse_req *, const char *target, uint64_t parent, const char *name);
    void (*_Nullable rename)(struct fuse_req *, uint64_t parent, const char *name, uint64_t newParent, const char *newName, unsigned flags);
    void (*_Nullable link)(struct fuse_req *, uint64_t node, uint64_t newParent, const char *newName);
    void (*_Nullable open)(struct fuse_req *, uint64_t node, struct fuse_file_info *);
    void (*_Nullable create)(struct fuse_req *, uint64_t parent, const char *name, mode_t, struct fuse_file_info *);
    void (*_Nullable read)(struct fuse_req *, uint64_t node, size_t count, off_t offset, struct fuse_file_info *);
    void (*_Nullable write_buf)(struct fuse_req *, uint64_t node, struct fuse_bufvec *, off_t offset, struct fuse_file_info *);
    void (*_Nullable flush)(struct fuse_req *, uint64_t node, struct fuse_file_info *);
    void (*_Nullable fsync)(struct fuse_req *, uint64_t node, int dataOnly, struct fuse_file_info *);
    void (*_Nullable release)(struct fuse_req *, uint64_t node, struct fuse_file_info *);
    void (*_Nullable opendir)(struct fuse_req *, uint64_t node, struct fuse_file_info *);
    void (*_Nullable readdir)(struct fuse_req *, uint64_t node, size_t size, off_t offset, struct fuse_file_info *);
    void (*_Nullable readdirplus)(struct fuse_req *, uint64_t node, size_t size, off_t offset, struct fuse_file_info *);
    void (*_Nullable releasedir)(struct fuse_req *, uint64_t node, struct fuse_file_info *);
    void (*_Nullable fsyncdir)(struct fuse_req *, uint64_t node, int dataOnly, struct fuse_file_info *);
    void (*_Nullable statfs)(struct fuse_req *, uint64_t node);
    void (*_Nullable getxattr)(struct fuse_req *, uint64_t node, const char *name, size_t size);
    void (*_Nullable setxattr)(struct fuse_req *, uint64_t node, const char *name, const char *value, size_t size, int flags);
    void (*_Nullable listxattr)(struct fuse_req *, uint64_t node, size_t size);
    void (*_Nullable removexattr)(struct fuse_req *, uint64_t node, const char *name);
    void (*_Nullable forget_multi)(struct fuse_req *, size_t count, struct fuse_forget_data *);
    void (*_Nullable fallocate)(struct fuse_req *, uint64_t node, int mode, off_t offset, off_t length, struct fuse_file_info *);
    void (*_Nullable lseek)(struct fuse_req *, uint64_t node, off_t offset, int whence, struct fuse_file_info *);
    void (*_Nullable copy_file_range)(struct fuse_req *, uint64_t from, off_t fromOffset, struct fuse_file_info *fromFile, uint64_t to, off_t toOffset, struct fuse_file_info *toFile, size_t count, int flags);
};

/// The `what` of setattr.
enum {
    CFuse3_SET_MODE = 1 << 0,
    CFuse3_SET_OWNER = 1 << 1,
    CFuse3_SET_GROUP = 1 << 2,
    CFuse3_SET_SIZE = 1 << 3,
    CFuse3_SET_ACCESSED = 1 << 4,
    CFuse3_SET_MODIFIED = 1 << 5,
    CFuse3_SET_ACCESSED_NOW = 1 << 7,
    CFuse3_SET_MODIFIED_NOW = 1 << 8,
};

void *CFuse3_context(struct fuse_req *);
struct CFuse3_Caller CFuse3_caller(struct fuse_req *);
uint64_t CFuse3_file_handle(const struct fuse_file_info *);
int32_t CFuse3_file_flags(const struct fuse_file_info *);
uint64_t CFuse3_forgotten_node(const struct fuse_forget_data *, size_t index);
uint64_t CFuse3_forgotten_count(const struct fuse_forget_data *, size_t index);
size_t CFuse3_data_size(const struct fuse_bufvec *);
ssize_t CFuse3_data_move(struct fuse_bufvec *, int descriptor, int64_t offset, bool whole);

// What libfuse does not pass on of the request that this thread is answering.
/// A write that goes past the kernel's pages.
bool CFuse3_is_direct(void);
// Whether the write that this thread answers comes from memory that a program has mapped.
bool CFuse3_is_mapped(void);
/// The file is to lose its set-id bits by what is done to it, for the caller has no right to keep them.
bool CFuse3_loses_set_ids(void);
/// When the file was made is asked for, too.
bool CFuse3_asks_birth(void);
/// Said before the attributes are.
void CFuse3_say_birth(int64_t seconds, int32_t nanoseconds);

// MARK: Replies. Each frees the request; a result other than 0 says that the kernel did not take it.

struct CFuse3_Entry {
    uint64_t node, generation;
    /// For how many seconds the kernel may remember the name and the attributes.
    double lasts;
    struct stat facts;
};

/// How the kernel is to treat what was opened.
struct CFuse3_Opened {
    uint64_t handle;
    bool keepsCache, bypassesCache, closesSilently, unseekable, cachesListing;
};

int CFuse3_reply_error(struct fuse_req *, int error);
void CFuse3_reply_none(struct fuse_req *);
int CFuse3_reply_entry(struct fuse_req *, const struct CFuse3_Entry *);
int CFuse3_reply_created(struct fuse_req *, const struct CFuse3_Entry *, struct fuse_file_info *, const struct CFuse3_Opened *);
int CFuse3_reply_opened(struct fuse_req *, struct fuse_file_info *, const struct CFuse3_Opened *);
int CFuse3_reply_attributes(struct fuse_req *, const struct stat *, double lasts);
int CFuse3_reply_link(struct fuse_req *, const char *target);
int CFuse3_reply_count(struct fuse_req *, size_t count);
int CFuse3_reply_bytes(struct fuse_req *, const void *_Nullable bytes, size_t count);
int CFuse3_reply_file(struct fuse_req *, int descriptor, int64_t offset, size_t count);
int CFuse3_reply_file_system(struct fuse_req *, const struct statvfs *);
int CFuse3_reply_value_size(struct fuse_req *, size_t size);
int CFuse3_reply_offset(struct fuse_req *, int64_t offset);

/// Puts one entry into a listing's page. What it needs; more than `space`: nothing was put.
size_t CFuse3_put_entry(struct fuse_req *, char *page, size_t space, const uint8_t *name, size_t nameLength, const struct stat *, uint64_t next);
size_t CFuse3_put_entry_plus(struct fuse_req *, char *page, size_t space, const uint8_t *name, size_t nameLength, const struct CFuse3_Entry *, uint64_t next);

// MARK: The session

/// Takes one line of libfuse's log.
typedef void (*CFuse3_Log)(int level, const char *line);
void CFuse3_set_log(CFuse3_Log);

struct fuse_session *_Nullable CFuse3_session_new(
    const char *_Nonnull const *_Nonnull arguments, int count, const struct CFuse3_Operations *, bool accessLists, void *context);
int CFuse3_session_mount(struct fuse_session *, const char *mountpoint);
void CFuse3_session_unmount(struct fuse_session *);
/// By which the kernel is talked to.
int CFuse3_session_device(struct fuse_session *);
void CFuse3_session_destroy(struct fuse_session *);
int CFuse3_sync_all(int descriptor);

int CFuse3_notify_content(struct fuse_session *, uint64_t node, int64_t offset, int64_t count);
int CFuse3_notify_entry(struct fuse_session *, uint64_t folder, const uint8_t *name, size_t length);
int CFuse3_notify_removed(struct fuse_session *, uint64_t folder, uint64_t node, const uint8_t *name, size_t length);

// MARK: The loop

struct CFuse3_Pool;

/// What one request reads at most. Answers to larger ones would not fit into a pipe as users may make them (1 MiB,
/// with a header), and be copied instead.
enum { CFuse3_most_read = 512 << 10 };

/// Whether what is asked of a node, or of a name in it, is answered without asking a store. From any thread; it must not wait.
typedef bool (*CFuse3_NeedsNoStore)(uint64_t node, const char *_Nullable name);

/// `most` threads may wait for stores.
struct CFuse3_Pool *_Nullable CFuse3_pool_new(struct fuse_session *, unsigned most, CFuse3_NeedsNoStore);
/// Answers the kernel's greeting, on this thread. 0, or the error that there was instead.
int CFuse3_pool_greet(struct CFuse3_Pool *);

/// What was agreed on then, and what might have been.
struct CFuse3_Agreement {
    /// Of the protocol.
    uint32_t major, minor;
    uint32_t mostRead, mostWrite;
    bool listsWithAttributes, looksUpInParallel, splicesOut, splicesIn, writesBack, closesSilently, keepsSetIDs;
    /// What the kernel offers, whatever libfuse makes of it.
    bool offersPassthrough, offersRing;
};
struct CFuse3_Agreement CFuse3_pool_agreement(const struct CFuse3_Pool *);
/// Of libfuse, as it is at run time.
const char *CFuse3_library_version(void);
/// Answers requests until the drive is unmounted or `CFuse3_pool_stop` is called. 0, or an error.
int CFuse3_pool_run(struct CFuse3_Pool *);
/// From any thread.
void CFuse3_pool_stop(struct CFuse3_Pool *);
void CFuse3_pool_free(struct CFuse3_Pool *);

#pragma clang assume_nonnull end
#endif
