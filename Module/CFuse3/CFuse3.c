// Shims over libfuse's low-level API: see the header for what they are for.
#include "Request.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Static_assert(sizeof(fuse_ino_t) == sizeof(uint64_t), "node numbers are 64 bits");
_Static_assert(CFuse3_SET_MODE == FUSE_SET_ATTR_MODE && CFuse3_SET_OWNER == FUSE_SET_ATTR_UID &&
               CFuse3_SET_GROUP == FUSE_SET_ATTR_GID && CFuse3_SET_SIZE == FUSE_SET_ATTR_SIZE &&
               CFuse3_SET_ACCESSED == FUSE_SET_ATTR_ATIME && CFuse3_SET_MODIFIED == FUSE_SET_ATTR_MTIME &&
               CFuse3_SET_ACCESSED_NOW == FUSE_SET_ATTR_ATIME_NOW && CFuse3_SET_MODIFIED_NOW == FUSE_SET_ATTR_MTIME_NOW,
               "the bits of setattr");

// MARK: Requests

void *CFuse3_context(struct fuse_req *request) { return fuse_req_userdata(request); }

struct CFuse3_Caller CFuse3_caller(struct fuse_req *request) {
    const struct fuse_ctx *context = fuse_req_ctx(request);
    return (struct CFuse3_Caller){context->uid, context->gid, (uint32_t)context->pid, context->umask};
}

// Structs with bit-fields, or whose size depends on the release.
uint64_t CFuse3_file_handle(const struct fuse_file_info *file) { return file->fh; }
int32_t CFuse3_file_flags(const struct fuse_file_info *file) { return file->flags; }
uint64_t CFuse3_forgotten_node(const struct fuse_forget_data *all, size_t index) { return all[index].ino; }
uint64_t CFuse3_forgotten_count(const struct fuse_forget_data *all, size_t index) { return all[index].nlookup; }

size_t CFuse3_data_size(const struct fuse_bufvec *data) { return fuse_buf_size(data); }

// A fuse_bufvec ends in a flexible array and is made with a macro.
static ssize_t movePiece(struct fuse_bufvec *data, int descriptor, int64_t offset, size_t count) {
    struct fuse_bufvec to = FUSE_BUFVEC_INIT(count);
    to.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK | FUSE_BUF_FD_RETRY;
    to.buf[0].fd = descriptor;
    to.buf[0].pos = offset;
    return fuse_buf_copy(&to, data, 0);
}

// In pieces, and others have their turn in between: the kernel lets a thread that has begun go on for a while, and who reads a
// few bytes from another document would wait until all of a large write is done. Only where somebody does: whoever gives way to
// programs that have nothing to do with the drive gets the processor back when those have had theirs. And the pieces are larger where nobody does.
//
// With `whole`, a part is no answer: then it is the error that the rest met with, and all of it can be moved once more.
ssize_t CFuse3_data_move(struct fuse_bufvec *data, int descriptor, int64_t offset, bool whole) {
    enum { beside = 32 << 10, alone = 256 << 10 };
    const size_t first = data->idx, begun = data->off, size = fuse_buf_size(data);
    size_t done = 0;
    bool isBeside = size > beside && CFuse3_others_wait();
    while (done < size) {
        const size_t most = isBeside ? beside : alone, count = size - done < most ? size - done : most;
        ssize_t moved = movePiece(data, descriptor, offset + (int64_t)done, count);
        if (moved < 0 && (done == 0 || whole)) {
            data->idx = first;
            data->off = begun;
            return moved;
        }
        if (moved <= 0) break;
        done += (size_t)moved;
        if ((size_t)moved < count) {
            if (whole) continue;
            break;
        }
        if (done < size && (isBeside = CFuse3_others_wait())) sched_yield();
    }
    return (ssize_t)done;
}

// MARK: Replies

static struct fuse_entry_param parameters(const struct CFuse3_Entry *entry) {
    return (struct fuse_entry_param){
        .ino = entry->node,
        .generation = entry->generation,
        .attr = entry->facts,
        .attr_timeout = entry->lasts,
        .entry_timeout = entry->lasts,
    };
}

static void fill(struct fuse_file_info *file, const struct CFuse3_Opened *opened) {
    file->fh = opened->handle;
    file->keep_cache = opened->keepsCache;
    file->direct_io = opened->bypassesCache;
    file->noflush = opened->closesSilently;
    file->nonseekable = opened->unseekable;
    file->cache_readdir = opened->cachesListing;
}

int CFuse3_reply_error(struct fuse_req *request, int error) { return fuse_reply_err(request, error); }
void CFuse3_reply_none(struct fuse_req *request) { fuse_reply_none(request); }

int CFuse3_reply_entry(struct fuse_req *request, const struct CFuse3_Entry *entry) {
    struct fuse_entry_param all = parameters(entry);
    return fuse_reply_entry(request, &all);
}

int CFuse3_reply_created(struct fuse_req *request, const struct CFuse3_Entry *entry, struct fuse_file_info *file,
                         const struct CFuse3_Opened *opened) {
    struct fuse_entry_param all = parameters(entry);
    fill(file, opened);
    return fuse_reply_create(request, &all, file);
}

int CFuse3_reply_opened(struct fuse_req *request, struct fuse_file_info *file, const struct CFuse3_Opened *opened) {
    fill(file, opened);
    return fuse_reply_open(request, file);
}

int CFuse3_reply_attributes(struct fuse_req *request, const struct stat *facts, double lasts) {
    return fuse_reply_attr(request, facts, lasts);
}

int CFuse3_reply_link(struct fuse_req *request, const char *target) { return fuse_reply_readlink(request, target); }
int CFuse3_reply_count(struct fuse_req *request, size_t count) { return fuse_reply_write(request, count); }
int CFuse3_reply_bytes(struct fuse_req *request, const void *bytes, size_t count) { return fuse_reply_buf(request, bytes, count); }

int CFuse3_reply_file(struct fuse_req *request, int descriptor, int64_t offset, size_t count) {
    struct fuse_bufvec data = FUSE_BUFVEC_INIT(count);
    data.buf[0].flags = FUSE_BUF_IS_FD | FUSE_BUF_FD_SEEK;
    data.buf[0].fd = descriptor;
    data.buf[0].pos = offset;
    return fuse_reply_data(request, &data, FUSE_BUF_SPLICE_MOVE);
}

int CFuse3_reply_file_system(struct fuse_req *request, const struct statvfs *facts) { return fuse_reply_statfs(request, facts); }
int CFuse3_reply_value_size(struct fuse_req *request, size_t size) { return fuse_reply_xattr(request, size); }
int CFuse3_reply_offset(struct fuse_req *request, int64_t offset) { return fuse_reply_lseek(request, offset); }

// libfuse wants names that end in zero; the drive's are counted, and an entry is to cost no allocation.
#define CString(text, name, length)                                                                                    \
    char text[256];                                                                                                    \
    if ((length) >= sizeof text) (length) = sizeof text - 1;                                                           \
    memcpy(text, name, length);                                                                                        \
    text[length] = 0

size_t CFuse3_put_entry(struct fuse_req *request, char *page, size_t space, const uint8_t *name, size_t length,
                        const struct stat *facts, uint64_t next) {
    CString(text, name, length);
    return fuse_add_direntry(request, page, space, text, facts, (off_t)next);
}

size_t CFuse3_put_entry_plus(struct fuse_req *request, char *page, size_t space, const uint8_t *name, size_t length,
                             const struct CFuse3_Entry *entry, uint64_t next) {
    CString(text, name, length);
    struct fuse_entry_param all = parameters(entry);
    return fuse_add_direntry_plus(request, page, space, text, &all, (off_t)next);
}

// MARK: The session

static CFuse3_Log sink;

// The lines come as a format and a va_list.
static void logLine(enum fuse_log_level level, const char *format, va_list values) {
    char line[1024];
    vsnprintf(line, sizeof line, format, values);
    sink((int)level, line);
}

void CFuse3_set_log(CFuse3_Log log) {
    sink = log;
    fuse_set_log_func(logLine);
}

static const char mostReadOption[] = "-omax_read=524288";

// libfuse answers a greeting on the thread that received it, and has no place for what came of that.
static _Thread_local struct { bool out, in; } splices;

bool CFuse3_splices_out(void) { return splices.out; }
bool CFuse3_splices_in(void) { return splices.in; }
const char *CFuse3_library_version(void) { return fuse_pkgversion(); }

static void want(struct fuse_conn_info *connection, bool accessLists) {
    const unsigned off =
        // One READDIRPLUS instead of a LOOKUP an entry, always: the kernel's guess comes too late for `ls -l`.
        FUSE_CAP_READDIRPLUS_AUTO |
        // What changes unasked is told by notices, so a new time alone must not empty the cache.
        FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_WRITEBACK_CACHE |
        // Its later form is taken: see Greeting.c.
        FUSE_CAP_HANDLE_KILLPRIV | FUSE_CAP_POSIX_LOCKS | FUSE_CAP_FLOCK_LOCKS | FUSE_CAP_IOCTL_DIR |
        // A request would go through a pipe first, which costs every small one two more calls.
        FUSE_CAP_SPLICE_READ;
    const unsigned on = FUSE_CAP_READDIRPLUS | FUSE_CAP_PARALLEL_DIROPS | FUSE_CAP_ASYNC_READ | FUSE_CAP_ASYNC_DIO |
                        FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_CACHE_SYMLINKS | FUSE_CAP_EXPORT_SUPPORT |
                        FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE | (accessLists ?
                        // Where a folder has a default list, the caller's mask is not to be taken from a new file's permissions.
                        FUSE_CAP_POSIX_ACL | FUSE_CAP_DONT_MASK : 0);
    connection->want &= ~off;
    connection->want |= on & connection->capable;
    // Wanted both here and among the options.
    connection->max_read = CFuse3_most_read;
    connection->max_background = 64;
    connection->time_gran = 1;
    splices.out = connection->want & FUSE_CAP_SPLICE_WRITE;
    splices.in = connection->want & FUSE_CAP_SPLICE_READ;
}

// Two of them, for a context that is opaque here and several sessions at a time.
static void greeted(void *context, struct fuse_conn_info *connection) {
    (void)context;
    want(connection, false);
}

static void greetedWithLists(void *context, struct fuse_conn_info *connection) {
    (void)context;
    want(connection, true);
}

struct fuse_session *CFuse3_session_new(const char *const *arguments, int count, const struct CFuse3_Operations *table,
                                        bool accessLists, void *context) {
    // libfuse's own struct grows at its end from release to release, so the fields are named one by one.
    const struct fuse_lowlevel_ops operations = {
        .init = accessLists ? greetedWithLists : greeted,
        .lookup = table->lookup,
        .forget = table->forget,
        .getattr = table->getattr,
        .setattr = table->setattr,
        .readlink = table->readlink,
        .mknod = table->mknod,
        .mkdir = table->mkdir,
        .unlink = table->unlink,
        .rmdir = table->rmdir,
        .symlink = table->symlink,
        .rename = table->rename,
        .link = table->link,
        .open = table->open,
        .create = table->create,
        .read = table->read,
        .write_buf = table->write_buf,
        .flush = table->flush,
        .fsync = table->fsync,
        .release = table->release,
        .opendir = table->opendir,
        .readdir = table->readdir,
        .readdirplus = table->readdirplus,
        .releasedir = table->releasedir,
        .fsyncdir = table->fsyncdir,
        .statfs = table->statfs,
        .getxattr = table->getxattr,
        .setxattr = table->setxattr,
        .listxattr = table->listxattr,
        .removexattr = table->removexattr,
        .forget_multi = table->forget_multi,
        .fallocate = table->fallocate,
        .lseek = table->lseek,
        .copy_file_range = table->copy_file_range,
    };
    struct fuse_args all = FUSE_ARGS_INIT(0, NULL);
    struct fuse_session *session = NULL;
    for (int index = 0; index < count; index++)
        if (fuse_opt_add_arg(&all, arguments[index]) != 0) goto end;
    if (fuse_opt_add_arg(&all, mostReadOption) != 0) goto end;
    session = fuse_session_new(&all, &operations, sizeof operations, context);
end:
    fuse_opt_free_args(&all);
    return session;
}

// Macros over versioned symbols in newer releases.
int CFuse3_session_device(struct fuse_session *session) { return fuse_session_fd(session); }
void CFuse3_session_unmount(struct fuse_session *session) { fuse_session_unmount(session); }
void CFuse3_session_destroy(struct fuse_session *session) { fuse_session_destroy(session); }

// Behind _GNU_SOURCE.
int CFuse3_sync_all(int descriptor) { return syncfs(descriptor); }

int CFuse3_notify_content(struct fuse_session *session, uint64_t node, int64_t offset, int64_t count) {
    return fuse_lowlevel_notify_inval_inode(session, node, offset, count);
}

int CFuse3_notify_entry(struct fuse_session *session, uint64_t folder, const uint8_t *name, size_t length) {
    CString(text, name, length);
    return fuse_lowlevel_notify_inval_entry(session, folder, text, length);
}

int CFuse3_notify_removed(struct fuse_session *session, uint64_t folder, uint64_t node, const uint8_t *name, size_t length) {
    CString(text, name, length);
    return fuse_lowlevel_notify_delete(session, folder, node, text, length);
}
