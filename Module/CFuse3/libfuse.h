// libfuse's headers with what they want set first. For the C files here only.
#ifndef CFUSE3_LIBFUSE_H
#define CFUSE3_LIBFUSE_H

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#define FUSE_USE_VERSION 314

#include <fuse3/fuse_log.h>
#include <fuse3/fuse_lowlevel.h>
#include <fuse3/fuse_opt.h>

#include "CFuse3.h"

#endif
