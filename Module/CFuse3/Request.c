// What a request says and libfuse does not pass on, read out of the request before libfuse gets it. A request is answered
// on the thread that received it, so what was read of it is the thread's.
#include "Request.h"

#include <errno.h>
#include <linux/fuse.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static _Thread_local struct {
    bool isDirect, isMapped, losesSetIDs, isStatx, asksBirth, hasBirth;
    struct CFuse3_StatxTime birth;
} said;

// The headers of older systems do not have their names.
enum { tmpfile = 51, statxRequest = 52 };

// As statx(2) has them.
enum { basic = 0x7FF, birth = 0x800 };

// What STATX asks: laid out as GETATTR, and then which facts it wants.
struct Asked {
    struct fuse_getattr_in getattr;
    uint32_t flags, mask;
};

bool CFuse3_is_direct(void) { return said.isDirect; }
bool CFuse3_is_mapped(void) { return said.isMapped; }
bool CFuse3_loses_set_ids(void) { return said.losesSetIDs; }
bool CFuse3_is_statx(void) { return said.isStatx; }
bool CFuse3_asks_birth(void) { return said.asksBirth; }

void CFuse3_say_birth(int64_t seconds, int32_t nanoseconds) {
    said.hasBirth = said.asksBirth;
    said.birth = (struct CFuse3_StatxTime){.seconds = seconds, .nanoseconds = (uint32_t)nanoseconds};
}

static struct CFuse3_StatxTime moment(uint64_t seconds, uint32_t nanoseconds) {
    return (struct CFuse3_StatxTime){.seconds = (int64_t)seconds, .nanoseconds = nanoseconds};
}

void CFuse3_lay_out_statx(const void *attributes, struct CFuse3_StatxAnswer *answer) {
    struct fuse_attr_out out;
    memcpy(&out, attributes, sizeof out);
    const struct fuse_attr *attr = &out.attr;
    *answer = (struct CFuse3_StatxAnswer){
        .lasting = out.attr_valid, .lastingNanoseconds = out.attr_valid_nsec,
        .mask = basic | (said.hasBirth ? birth : 0), .blockSize = attr->blksize,
        .links = attr->nlink, .owner = attr->uid, .group = attr->gid, .mode = (uint16_t)attr->mode,
        .inode = attr->ino, .size = attr->size, .blocks = attr->blocks,
        .accessed = moment(attr->atime, attr->atimensec), .changed = moment(attr->ctime, attr->ctimensec),
        .modified = moment(attr->mtime, attr->mtimensec),
        // As the kernel packs a device's number.
        .deviceMajor = (attr->rdev & 0xFFF00) >> 8, .deviceMinor = (attr->rdev & 0xFF) | ((attr->rdev >> 12) & 0xFFF00),
    };
    if (said.hasBirth) answer->born = said.birth;
}

// A request's own part, if it is so long.
static const void *part(const struct fuse_buf *buffer, size_t size) {
    return buffer->size >= sizeof(struct fuse_in_header) + size ? (const char *)buffer->mem + sizeof(struct fuse_in_header) : NULL;
}

void CFuse3_read_request(struct fuse_buf *buffer) {
    memset(&said, 0, sizeof said);
    if (buffer->flags & FUSE_BUF_IS_FD || buffer->size < sizeof(struct fuse_in_header)) return;
    struct fuse_in_header *header = buffer->mem;
    const struct fuse_write_in *write;
    const struct fuse_setattr_in *setattr;
    const struct fuse_open_in *open;
    const struct fuse_create_in *create;
    const struct Asked *asked;
    switch (header->opcode) {
    case FUSE_WRITE:
        if (!(write = part(buffer, sizeof *write))) return;
        // The kernel names the lock's owner for what goes past its pages, and for that only.
        said.isDirect = write->write_flags & FUSE_WRITE_LOCKOWNER;
        // Without a write-back cache, the kernel has pages to write of maps alone.
        said.isMapped = write->write_flags & FUSE_WRITE_CACHE;
        said.losesSetIDs = write->write_flags & FUSE_WRITE_KILL_SUIDGID;
        return;
    case FUSE_SETATTR:
        if ((setattr = part(buffer, sizeof *setattr))) said.losesSetIDs = setattr->valid & FATTR_KILL_SUIDGID;
        return;
    case FUSE_OPEN:
        if ((open = part(buffer, sizeof *open))) said.losesSetIDs = open->open_flags & FUSE_OPEN_KILL_SUIDGID;
        return;
    case statxRequest:
        if (!(asked = part(buffer, sizeof *asked))) return;
        header->opcode = FUSE_GETATTR;
        said.isStatx = true;
        said.asksBirth = asked->mask & birth;
        return;
    // libfuse has no operation for O_TMPFILE. The request is laid out and answered as that of CREATE, and the name that it
    // brings is "/", which no file that is created can have.
    case tmpfile: header->opcode = FUSE_CREATE; // fall through
    case FUSE_CREATE:
        if ((create = part(buffer, sizeof *create))) said.losesSetIDs = create->open_flags & FUSE_OPEN_KILL_SUIDGID;
        return;
    }
}

// How long a request's own part is at least, and how many names follow it, each ended by zero.
struct Shape {
    uint8_t size, names;
};

static const struct Shape shapes[] = {
    [FUSE_LOOKUP] = {0, 1},
    [FUSE_FORGET] = {sizeof(struct fuse_forget_in)},
    [FUSE_GETATTR] = {sizeof(struct fuse_getattr_in)},
    [FUSE_SETATTR] = {sizeof(struct fuse_setattr_in)},
    [FUSE_SYMLINK] = {0, 2},
    [FUSE_MKNOD] = {sizeof(struct fuse_mknod_in), 1},
    [FUSE_MKDIR] = {sizeof(struct fuse_mkdir_in), 1},
    [FUSE_UNLINK] = {0, 1},
    [FUSE_RMDIR] = {0, 1},
    [FUSE_RENAME] = {sizeof(struct fuse_rename_in), 2},
    [FUSE_LINK] = {sizeof(struct fuse_link_in), 1},
    [FUSE_OPEN] = {sizeof(struct fuse_open_in)},
    [FUSE_READ] = {sizeof(struct fuse_read_in)},
    [FUSE_WRITE] = {sizeof(struct fuse_write_in)},
    [FUSE_RELEASE] = {sizeof(struct fuse_release_in)},
    [FUSE_FSYNC] = {sizeof(struct fuse_fsync_in)},
    // Of the longer form, which is not asked for, only the beginning is sent.
    [FUSE_SETXATTR] = {FUSE_COMPAT_SETXATTR_IN_SIZE, 1},
    [FUSE_GETXATTR] = {sizeof(struct fuse_getxattr_in), 1},
    [FUSE_LISTXATTR] = {sizeof(struct fuse_getxattr_in)},
    [FUSE_REMOVEXATTR] = {0, 1},
    [FUSE_FLUSH] = {sizeof(struct fuse_flush_in)},
    [FUSE_OPENDIR] = {sizeof(struct fuse_open_in)},
    [FUSE_READDIR] = {sizeof(struct fuse_read_in)},
    [FUSE_RELEASEDIR] = {sizeof(struct fuse_release_in)},
    [FUSE_FSYNCDIR] = {sizeof(struct fuse_fsync_in)},
    [FUSE_GETLK] = {sizeof(struct fuse_lk_in)},
    [FUSE_SETLK] = {sizeof(struct fuse_lk_in)},
    [FUSE_SETLKW] = {sizeof(struct fuse_lk_in)},
    [FUSE_ACCESS] = {sizeof(struct fuse_access_in)},
    [FUSE_CREATE] = {sizeof(struct fuse_create_in), 1},
    [FUSE_INTERRUPT] = {sizeof(struct fuse_interrupt_in)},
    [FUSE_BMAP] = {sizeof(struct fuse_bmap_in)},
    [FUSE_IOCTL] = {sizeof(struct fuse_ioctl_in)},
    [FUSE_POLL] = {sizeof(struct fuse_poll_in)},
    [FUSE_NOTIFY_REPLY] = {sizeof(struct fuse_notify_retrieve_in)},
    [FUSE_BATCH_FORGET] = {sizeof(struct fuse_batch_forget_in)},
    [FUSE_FALLOCATE] = {sizeof(struct fuse_fallocate_in)},
    [FUSE_READDIRPLUS] = {sizeof(struct fuse_read_in)},
    [FUSE_RENAME2] = {sizeof(struct fuse_rename2_in), 2},
    [FUSE_LSEEK] = {sizeof(struct fuse_lseek_in)},
    [FUSE_COPY_FILE_RANGE] = {sizeof(struct fuse_copy_file_range_in)},
    [tmpfile] = {sizeof(struct fuse_create_in), 1},
    [statxRequest] = {sizeof(struct Asked)},
};

// A greeting of the oldest kernels is two numbers, and later ones end in what they say that they have.
static bool isWholeGreeting(const struct fuse_init_in *asked, size_t size) {
    if (size < offsetof(struct fuse_init_in, max_readahead)) return false;
    if (asked->major != FUSE_KERNEL_VERSION || asked->minor < 6) return true;
    if (size < offsetof(struct fuse_init_in, flags2)) return false;
    return !(asked->flags & FUSE_INIT_EXT) || size >= sizeof *asked;
}

bool CFuse3_is_whole(const struct fuse_buf *buffer, bool old) {
    struct fuse_in_header header;
    if (buffer->flags & FUSE_BUF_IS_FD) return true;
    if (buffer->size < sizeof header) return false;
    memcpy(&header, buffer->mem, sizeof header);
    if (header.len != buffer->size) return false;
    const char *place = (const char *)buffer->mem + sizeof header;
    size_t left = buffer->size - sizeof header;
    if (header.opcode == FUSE_INIT) return isWholeGreeting((const void *)place, left);
    if (old || header.opcode >= sizeof shapes / sizeof *shapes) return true;

    const struct Shape shape = shapes[header.opcode];
    const void *own = place;
    if (left < shape.size) return false;
    place += shape.size;
    left -= shape.size;
    for (int names = shape.names; names > 0; names--) {
        const char *end = memchr(place, 0, left);
        if (!end) return false;
        left -= (size_t)(end + 1 - place);
        place = end + 1;
    }
    switch (header.opcode) {
    case FUSE_WRITE: return left >= ((const struct fuse_write_in *)own)->size;
    case FUSE_SETXATTR: return left >= ((const struct fuse_setxattr_in *)own)->size;
    case FUSE_BATCH_FORGET:
        return left / sizeof(struct fuse_forget_one) >= ((const struct fuse_batch_forget_in *)own)->count;
    default: return true;
    }
}

void CFuse3_refuse(struct fuse_session *session, const struct fuse_buf *buffer) {
    struct fuse_in_header header;
    if (buffer->size < sizeof header) return;
    memcpy(&header, buffer->mem, sizeof header);
    switch (header.opcode) {
    case FUSE_FORGET: case FUSE_BATCH_FORGET: case FUSE_INTERRUPT: case FUSE_NOTIFY_REPLY: return;
    }
    const struct fuse_out_header answer = {.len = sizeof answer, .error = -EIO, .unique = header.unique};
    // Who does not take it has no other use for it.
    ssize_t written = write(fuse_session_fd(session), &answer, sizeof answer);
    (void)written;
}
