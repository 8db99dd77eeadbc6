// What a request says and libfuse does not pass on, read out of the request before libfuse gets it. A request is answered
// on the thread that received it, so what was read of it is the thread's.
#include "Request.h"

#include <linux/fuse.h>
#include <stddef.h>
#include <string.h>

static _Thread_local struct { bool isDirect, losesSetIDs; } said;

bool CFuse3_is_direct(void) { return said.isDirect; }
bool CFuse3_loses_set_ids(void) { return said.losesSetIDs; }

// A request's own part, if it is so long.
static const void *part(const struct fuse_buf *buffer, size_t size) {
    return buffer->size >= sizeof(struct fuse_in_header) + size ? (const char *)buffer->mem + sizeof(struct fuse_in_header) : NULL;
}

void CFuse3_read_request(struct fuse_buf *buffer) {
    enum { tmpfile = 51 };
    said.isDirect = said.losesSetIDs = false;
    if (buffer->flags & FUSE_BUF_IS_FD || buffer->size < sizeof(struct fuse_in_header)) return;
    struct fuse_in_header *header = buffer->mem;
    const struct fuse_write_in *write;
    const struct fuse_setattr_in *setattr;
    const struct fuse_open_in *open;
    const struct fuse_create_in *create;
    switch (header->opcode) {
    case FUSE_WRITE:
        if (!(write = part(buffer, sizeof *write))) return;
        // The kernel names the lock's owner for what goes past its pages, and for that only.
        said.isDirect = write->write_flags & FUSE_WRITE_LOCKOWNER;
        said.losesSetIDs = write->write_flags & FUSE_WRITE_KILL_SUIDGID;
        return;
    case FUSE_SETATTR:
        if ((setattr = part(buffer, sizeof *setattr))) said.losesSetIDs = setattr->valid & FATTR_KILL_SUIDGID;
        return;
    case FUSE_OPEN:
        if ((open = part(buffer, sizeof *open))) said.losesSetIDs = open->open_flags & FUSE_OPEN_KILL_SUIDGID;
        return;
    // libfuse has no operation for O_TMPFILE. The request is laid out and answered as that of CREATE, and the name that it
    // brings is "/", which no file that is created can have.
    case tmpfile: header->opcode = FUSE_CREATE; // fall through
    case FUSE_CREATE:
        if ((create = part(buffer, sizeof *create))) said.losesSetIDs = create->open_flags & FUSE_OPEN_KILL_SUIDGID;
        return;
    }
}
