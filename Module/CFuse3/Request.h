// For the C files here only.
#ifndef CFUSE3_REQUEST_H
#define CFUSE3_REQUEST_H

#include "libfuse.h"

/// Reads what libfuse does not pass on, before this thread lets libfuse process the request.
void CFuse3_read_request(struct fuse_buf *);

/// Answers the kernel's greeting.
void CFuse3_greet(struct fuse_session *, struct fuse_buf *);

#endif
