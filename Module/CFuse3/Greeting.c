// Answers as the kernel wants them and libfuse 3.14 does not give them: to its greeting, with what libfuse does not know to ask for, and to STATX.
#include "Request.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// What is to be added to the answer to a greeting that this thread is giving, and what was agreed on with it.
static _Thread_local uint32_t added;
static _Thread_local struct CFuse3_Agreement *agreement;

static void note(const struct fuse_init_out *agreed) {
    // The protocol with which a file can be opened so that closing it is no request.
    enum { silentClosing = 35 };
    agreement->mostWrite = agreed->max_write;
    agreement->listsWithAttributes = agreed->flags & FUSE_DO_READDIRPLUS;
    agreement->looksUpInParallel = agreed->flags & FUSE_PARALLEL_DIROPS;
    agreement->keepsSetIDs = agreed->flags & FUSE_HANDLE_KILLPRIV_V2;
    agreement->writesBack = agreed->flags & FUSE_WRITEBACK_CACHE;
    agreement->closesSilently = agreement->minor >= silentClosing;
}

static ssize_t answer(int device, struct iovec *pieces, int count, void *context) {
    (void)context;
    if (agreement && count == 2 && pieces[1].iov_len >= offsetof(struct fuse_init_out, time_gran)) {
        const struct fuse_out_header *header = pieces[0].iov_base;
        struct fuse_init_out *agreed = pieces[1].iov_base;
        if (header->error == 0) {
            agreed->flags |= added;
            note(agreed);
        }
    }
    if (CFuse3_is_statx() && count == 2 && pieces[1].iov_len == sizeof(struct fuse_attr_out)) {
        struct fuse_out_header header;
        memcpy(&header, pieces[0].iov_base, sizeof header);
        // What the kernel is told meanwhile has a number in place of an error.
        if (header.error == 0) {
            struct CFuse3_StatxAnswer statx;
            CFuse3_lay_out_statx(pieces[1].iov_base, &statx);
            header.len = sizeof header + sizeof statx;
            const struct iovec laidOut[] = {{&header, sizeof header}, {&statx, sizeof statx}};
            return writev(device, laidOut, 2);
        }
    }
    return writev(device, pieces, count);
}

static ssize_t receive(int device, void *buffer, size_t size, void *context) {
    (void)context;
    return read(device, buffer, size);
}

static ssize_t sendPipe(int from, off_t *fromOffset, int to, off_t *toOffset, size_t size, unsigned flags, void *context) {
    (void)context;
    return splice(from, fromOffset, to, toOffset, size, flags);
}

int CFuse3_session_mount(struct fuse_session *session, const char *mountpoint) {
    // Without an own call to splice what is received, libfuse does not do it: a request would go through a pipe first, which
    // costs every small one two more calls.
    const struct fuse_custom_io calls = {.writev = answer, .read = receive, .splice_send = sendPipe};
    if (fuse_session_mount(session, mountpoint) != 0) return -1;
    return fuse_session_custom_io(session, &calls, fuse_session_fd(session));
}

// The headers of older systems do not have their names: of the second half of what a kernel offers.
enum { passthrough = 1 << 5, ring = 1 << 9 };

bool CFuse3_greet(struct fuse_session *session, struct fuse_buf *greeting, struct CFuse3_Agreement *came) {
    struct fuse_init_in asked;
    // Where they are laid out as they are now.
    enum { oldest = 12 };
    if (!CFuse3_is_whole(greeting, false)) {
        CFuse3_refuse(session, greeting);
        return false;
    }
    // Older kernels send less.
    enum { least = sizeof(struct fuse_in_header) + offsetof(struct fuse_init_in, flags) + sizeof(uint32_t) };
    if (greeting->size >= least) {
        memcpy(&asked, (const char *)greeting->mem + sizeof(struct fuse_in_header), least - sizeof(struct fuse_in_header));
        // The drive takes set-id bits away where the caller has no right to keep them, told by each request (Request.c). Without
        // it the kernel asks for a file's capabilities before each write, and changes the bits with an answer that may be old.
        // What goes on in one folder for several programs need not go one after another; libfuse tells the kernel that since 3.17.
        added = asked.flags & (FUSE_HANDLE_KILLPRIV_V2 | FUSE_PARALLEL_DIROPS);
    }
    const struct fuse_in_header *header = greeting->mem;
    const struct fuse_init_in *said = (const void *)(header + 1);
    *came = (struct CFuse3_Agreement){.mostRead = CFuse3_most_read};
    if (header->opcode == FUSE_INIT) {
        came->major = said->major;
        came->minor = said->minor;
    }
    if (header->opcode == FUSE_INIT && greeting->size >= sizeof *header + sizeof *said && said->flags & FUSE_INIT_EXT) {
        came->offersPassthrough = said->flags2 & passthrough;
        came->offersRing = said->flags2 & ring;
    }
    agreement = came;
    fuse_session_process_buf(session, greeting);
    added = 0;
    agreement = NULL;
    came->splicesOut = CFuse3_splices_out();
    came->splicesIn = CFuse3_splices_in();
    return header->opcode == FUSE_INIT && said->major == FUSE_KERNEL_VERSION && said->minor < oldest;
}
