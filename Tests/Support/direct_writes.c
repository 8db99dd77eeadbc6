// Writes past the kernel's pages, asynchronously, beside threads that read the same through them; and reads each piece back, when
// the write is done, in both ways: with what was open all the time, and opened anew. Says what was not what was written.
//
// usage: direct_writes FILE ROUNDS
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { piece = 4096, pieces = 24, depth = 4, readers = 3 };

static const char *path;
static volatile int isOver;

static void *readAlong(void *unused) {
    int file = open(path, O_RDONLY);
    static _Thread_local char bytes[piece * pieces];
    while (!isOver) {
        if (pread(file, bytes, sizeof bytes, 0) < 0) break;
    }
    close(file);
    return unused;
}

static int fail(const char *what) {
    perror(what);
    return 2;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    path = words[1];
    int rounds = atoi(words[2]), stale = 0;
    int direct = open(path, O_RDWR | O_DIRECT), cached = open(path, O_RDONLY);
    if (direct < 0 || cached < 0) return fail("open");
    unsigned char *pages;
    if (posix_memalign((void **)&pages, piece, piece * depth)) return fail("memory");
    aio_context_t context = 0;
    if (syscall(SYS_io_setup, depth, &context)) return fail("io_setup");
    pthread_t threads[readers];
    for (int number = 0; number < readers; number++) pthread_create(&threads[number], NULL, readAlong, NULL);

    for (int round = 0; round < rounds; round++) {
        struct iocb all[depth], *each[depth];
        int first = rand() % (pieces / depth) * depth;
        for (int number = 0; number < depth; number++) {
            memset(pages + number * piece, 1 + (round + number) % 255, piece);
            all[number] = (struct iocb){
                .aio_lio_opcode = IOCB_CMD_PWRITE, .aio_fildes = (uint32_t)direct, .aio_buf = (uintptr_t)(pages + number * piece),
                .aio_nbytes = piece, .aio_offset = (first + number) * piece, .aio_data = (uint64_t)number,
            };
            each[number] = &all[number];
        }
        if (syscall(SYS_io_submit, context, depth, each) != depth) return fail("io_submit");
        for (int number = 0; number < depth; number++) {
            struct io_event event;
            if (syscall(SYS_io_getevents, context, 1, 1, &event, NULL) != 1 || event.res != piece) return fail("writing");
            unsigned char seen[piece];
            off_t place = (first + (off_t)event.data) * piece;
            if (pread(cached, seen, piece, place) != piece) return fail("reading");
            if (memcmp(seen, pages + event.data * piece, piece) == 0) continue;
            stale++;
            usleep(100000);
            int fresh = open(path, O_RDONLY);
            int isStill = pread(fresh, seen, piece, place) == piece && memcmp(seen, pages + event.data * piece, piece) != 0;
            close(fresh);
            printf("round %d: the old bytes at %lld%s\n", round, (long long)place, isStill ? ", for who opens it anew too" : "");
        }
    }
    isOver = 1;
    for (int number = 0; number < readers; number++) pthread_join(threads[number], NULL);
    return stale > 0;
}
