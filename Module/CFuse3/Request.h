// For the C files here only.
#ifndef CFUSE3_REQUEST_H
#define CFUSE3_REQUEST_H

#include "libfuse.h"

/// Reads what libfuse does not pass on, before this thread lets libfuse process the request.
void CFuse3_read_request(struct fuse_buf *);

/// Whether a request is all there: libfuse believes whatever it says of itself, and would read what is behind it. Those of an
/// `old` kernel are laid out in another way, and only their length is looked at.
bool CFuse3_is_whole(const struct fuse_buf *, bool old);
/// Answers one that is not.
void CFuse3_refuse(struct fuse_session *, const struct fuse_buf *);

/// Answers the kernel's greeting. Whether it comes from a kernel whose requests are laid out in another way.
bool CFuse3_greet(struct fuse_session *, struct fuse_buf *);

#endif
