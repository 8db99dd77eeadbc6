// For the C files here only.
#ifndef CFUSE3_REQUEST_H
#define CFUSE3_REQUEST_H

#include "libfuse.h"

/// Reads what libfuse does not pass on, before this thread lets libfuse process the request.
void CFuse3_read_request(struct fuse_buf *);

/// Whether a request is all there: libfuse believes whatever it says of itself, and would read what is behind it. Those of an
/// `old` kernel are laid out in another way, and only their length is looked at.
bool CFuse3_is_whole(const struct fuse_buf *, bool old);
/// Whether somebody else than who asked for what this thread does has asked a moment ago, or waits to be answered.
bool CFuse3_others_wait(void);

/// Answers one that is not.
void CFuse3_refuse(struct fuse_session *, const struct fuse_buf *);

/// Answers the kernel's greeting. Whether it comes from a kernel whose requests are laid out in another way.
bool CFuse3_greet(struct fuse_session *, struct fuse_buf *, struct CFuse3_Agreement *);
/// What libfuse keeps to itself of the greeting that this thread answered last.
bool CFuse3_splices_out(void);
bool CFuse3_splices_in(void);

// The answer to STATX, which libfuse knows nothing of: it answers GETATTR, and that is laid out anew.
struct CFuse3_StatxTime {
    int64_t seconds;
    uint32_t nanoseconds;
    int32_t reserved;
};

struct CFuse3_StatxAnswer {
    uint64_t lasting;
    uint32_t lastingNanoseconds, flags;
    uint64_t spare[2];
    uint32_t mask, blockSize;
    uint64_t attributes;
    uint32_t links, owner, group;
    uint16_t mode, spareMode;
    uint64_t inode, size, blocks, knownAttributes;
    struct CFuse3_StatxTime accessed, born, changed, modified;
    uint32_t deviceMajor, deviceMinor, storeMajor, storeMinor;
    uint64_t spareEnd[14];
};

/// Whether it is STATX that this thread answers.
bool CFuse3_is_statx(void);
/// Lays out what libfuse answers to GETATTR, a `fuse_attr_out`.
void CFuse3_lay_out_statx(const void *attributes, struct CFuse3_StatxAnswer *);

#endif
