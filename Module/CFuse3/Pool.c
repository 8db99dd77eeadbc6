// The threads that answer requests.
//
// Why in C: a thread that waits for a request can only be stopped by cancelling it, and a
// cancellation unwinds the stack, which Swift's frames do not allow. So a thread may be cancelled
// only while it waits here, never inside a callback.
//
// Why not libfuse's own loop: it starts threads and never ends them, and the fewer threads wait,
// the more often the one that wakes is the one whose caches are warm.
//
// The kernel wakes who has waited longest, so that what a program asks goes round. That is best for small documents, which are opened,
// read and let go of. A program that waits for the store again and again, as a database does, is answered sooner by one thread that
// listens, answers and listens again. While a program does that, another one looks each moment, and listens where the same request is
// being answered still.
//
// A store may not answer, and then each thread that asks it something waits. So there is one more than may: it goes on
// listening, answers what needs no store, and sets the rest aside for whoever is done first.
#include "Request.h"

#include <errno.h>
#include <linux/fuse.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Worker {
    struct CFuse3_Pool *pool;
    struct Worker *next;
    pthread_t thread;
    bool ended;
};

// A request that waits for a thread.
struct Aside {
    struct Aside *next;
    size_t size;
    char bytes[];
};

struct CFuse3_Pool {
    struct fuse_session *session;
    CFuse3_NeedsNoStore needsNoStore;
    unsigned most;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct Worker *workers;
    // `busy` are those that may wait for a store: `most` at most.
    unsigned alive, waiting, busy;
    struct Aside *firstAside, **lastAside;
    size_t asideSize;
    // Which request is answered while nobody listens, by its number in turn; 0 for none. And whether somebody looks how long that takes.
    uint64_t kept, turn;
    bool isWatched;
    bool stopping;
    int error;
    // The kernel's requests are laid out as they were long ago.
    bool isOld;
    struct CFuse3_Agreement agreement;

    // Who asked last, by the number of a thread, and when it had been another one.
    _Atomic uint32_t caller;
    _Atomic int64_t callersChanged;
    // When a program last waited for the store; 0 when none did.
    _Atomic int64_t synced;
};

// How many threads there are at first, and how many others must be idle before one that is done ends.
// The gap keeps a steady load from starting and ending threads all the time.
enum { first = 2, idle = 3 };

// So much is set aside. Then nobody listens until a thread is free: what others write is in there, and there may be many.
enum { mostAside = 64 << 20 };

static bool addWorker(struct CFuse3_Pool *pool);

static void freeBuffer(void *buffer) { free(((struct fuse_buf *)buffer)->mem); }

static void retire(void *argument) {
    struct Worker *worker = argument;
    struct CFuse3_Pool *pool = worker->pool;
    pthread_mutex_lock(&pool->lock);
    worker->ended = true;
    pool->alive--;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

// Whether it can be answered whatever the stores do.
static bool needsNoStore(const struct CFuse3_Pool *pool, const struct fuse_buf *buffer) {
    struct fuse_in_header header;
    if (buffer->flags & FUSE_BUF_IS_FD || buffer->size < sizeof header) return false;
    memcpy(&header, buffer->mem, sizeof header);
    switch (header.opcode) {
    case FUSE_INTERRUPT: return true;
    case FUSE_LOOKUP: {
        const char *name = (const char *)buffer->mem + sizeof header;
        return memchr(name, 0, buffer->size - sizeof header) && pool->needsNoStore(header.nodeid, name);
    }
    case FUSE_GETATTR: case FUSE_OPEN: case FUSE_READ: case FUSE_FLUSH: case FUSE_RELEASE: return pool->needsNoStore(header.nodeid, NULL);
    default: return false;
    }
}

// With the lock. False where there is no memory for it.
static bool setAside(struct CFuse3_Pool *pool, const struct fuse_buf *buffer) {
    if (buffer->flags & FUSE_BUF_IS_FD) return false;
    struct Aside *aside = malloc(sizeof *aside + buffer->size);
    if (!aside) return false;
    aside->next = NULL;
    aside->size = buffer->size;
    memcpy(aside->bytes, buffer->mem, buffer->size);
    *pool->lastAside = aside;
    pool->lastAside = &aside->next;
    pool->asideSize += aside->size;
    return true;
}

// With the lock.
static struct Aside *takeAside(struct CFuse3_Pool *pool) {
    struct Aside *aside = pool->firstAside;
    if (!aside || pool->stopping) return NULL;
    pool->firstAside = aside->next;
    if (!aside->next) pool->lastAside = &pool->firstAside;
    pool->asideSize -= aside->size;
    return aside;
}

// For whom this thread answers.
static _Thread_local struct CFuse3_Pool *own;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Who asked, and when somebody else last did. What the kernel asks on its own account is nobody's.
static void noteCaller(struct CFuse3_Pool *pool, const struct fuse_buf *buffer) {
    const struct fuse_in_header *header = buffer->mem;
    if (buffer->flags & FUSE_BUF_IS_FD || header->pid == 0) return;
    if (atomic_exchange_explicit(&pool->caller, header->pid, memory_order_relaxed) != header->pid)
        atomic_store_explicit(&pool->callersChanged, now(), memory_order_relaxed);
    if (header->opcode == FUSE_FSYNC) atomic_store_explicit(&pool->synced, now(), memory_order_relaxed);
}

// Several programs ask, in nanoseconds.
enum { together = 5000000 };

// Whether one program asks, and waits for the store again and again.
static bool syncs(struct CFuse3_Pool *pool) {
    enum { moment = 50000000 };
    int64_t last = atomic_load_explicit(&pool->synced, memory_order_relaxed);
    if (last == 0) return false;
    int64_t time = now();
    return time - last < moment && time - atomic_load_explicit(&pool->callersChanged, memory_order_relaxed) >= together;
}

// Who was answered a moment ago may wait for a processor, and asks again.
bool CFuse3_others_wait(void) {
    if (!own) return false;
    if (now() - atomic_load_explicit(&own->callersChanged, memory_order_relaxed) < together) return true;
    struct pollfd waiting = {.fd = fuse_session_fd(own->session), .events = POLLIN};
    return poll(&waiting, 1, 0) > 0;
}

static void process(struct CFuse3_Pool *pool, struct fuse_buf *buffer) {
    own = pool;
    if (!CFuse3_is_whole(buffer, pool->isOld)) return CFuse3_refuse(pool->session, buffer);
    noteCaller(pool, buffer);
    CFuse3_read_request(buffer);
    fuse_session_process_buf(pool->session, buffer);
}

// With the lock, which is not held meanwhile: looks each half millisecond, until somebody has to listen.
static void watch(struct CFuse3_Pool *pool) {
    const struct timespec moment = {.tv_nsec = 500000};
    pool->isWatched = true;
    uint64_t seen = 0;
    while (!pool->stopping && syncs(pool)) {
        pthread_mutex_unlock(&pool->lock);
        nanosleep(&moment, NULL);
        pthread_mutex_lock(&pool->lock);
        if (pool->kept != 0 && pool->kept == seen) break;
        seen = pool->kept;
    }
    pool->kept = 0;
    pool->isWatched = false;
}

static void *work(void *argument) {
    struct Worker *worker = argument;
    struct CFuse3_Pool *pool = worker->pool;
    struct fuse_buf buffer = {.mem = NULL};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_cleanup_push(retire, worker);
    pthread_cleanup_push(freeBuffer, &buffer);

    for (;;) {
        pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
        int result = fuse_session_receive_buf(pool->session, &buffer);
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
        if (result == -EINTR || result == -EAGAIN) continue;

        pthread_mutex_lock(&pool->lock);
        pool->waiting--;
        if (result <= 0) {
            // 0 says that the drive was unmounted; then the others are told the same.
            if (result < 0 && pool->error == 0) pool->error = -result;
            pool->stopping = true;
            pthread_mutex_unlock(&pool->lock);
            break;
        }
        bool isFree = needsNoStore(pool, &buffer);
        if (!isFree && pool->busy >= pool->most && setAside(pool, &buffer)) {
            while (pool->asideSize > mostAside && !pool->stopping) pthread_cond_wait(&pool->changed, &pool->lock);
            pool->waiting++;
            pthread_mutex_unlock(&pool->lock);
            continue;
        }
        if (!isFree) pool->busy++;
        // Somebody has to listen while this request is answered: it may wait for another.
        bool alone = pool->waiting == 0 && !pool->stopping;
        uint64_t turn = 0;
        if (alone && pool->isWatched) {
            pool->kept = turn = ++pool->turn;
            alone = false;
        }
        pthread_mutex_unlock(&pool->lock);

        if (alone) addWorker(pool);
        process(pool, &buffer);

        pthread_mutex_lock(&pool->lock);
        struct Aside *aside;
        while (!isFree && (aside = takeAside(pool))) {
            pthread_cond_broadcast(&pool->changed);
            pthread_mutex_unlock(&pool->lock);
            struct fuse_buf held = {.size = aside->size, .mem = aside->bytes};
            process(pool, &held);
            free(aside);
            pthread_mutex_lock(&pool->lock);
        }
        if (!isFree) pool->busy--;
        if (turn != 0 && pool->kept == turn) pool->kept = 0;
        if (pool->waiting > 0 && !pool->isWatched && syncs(pool)) watch(pool);
        bool surplus = pool->waiting >= (pool->isWatched ? 1 : idle);
        if (!surplus) pool->waiting++;
        pthread_mutex_unlock(&pool->lock);
        if (surplus) break;
    }

    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return NULL;
}

static void reap(struct CFuse3_Pool *pool) {
    struct Worker **link = &pool->workers;
    while (*link) {
        struct Worker *worker = *link;
        if (worker->ended) {
            *link = worker->next;
            pthread_join(worker->thread, NULL);
            free(worker);
        } else
            link = &worker->next;
    }
}

static bool addWorker(struct CFuse3_Pool *pool) {
    bool added = false;
    pthread_mutex_lock(&pool->lock);
    reap(pool);
    struct Worker *worker;
    if (pool->alive <= pool->most && !pool->stopping && (worker = calloc(1, sizeof *worker))) {
        worker->pool = pool;
        if (pthread_create(&worker->thread, NULL, work, worker) == 0) {
            worker->next = pool->workers;
            pool->workers = worker;
            pool->alive++;
            pool->waiting++;
            added = true;
        } else
            free(worker);
    }
    pthread_mutex_unlock(&pool->lock);
    return added;
}

struct CFuse3_Pool *CFuse3_pool_new(struct fuse_session *session, unsigned most, CFuse3_NeedsNoStore needsNoStore) {
    struct CFuse3_Pool *pool = calloc(1, sizeof *pool);
    if (!pool) return NULL;
    pool->session = session;
    pool->needsNoStore = needsNoStore;
    pool->most = most < first ? first : most;
    pool->lastAside = &pool->firstAside;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    return pool;
}

int CFuse3_pool_greet(struct CFuse3_Pool *pool) {
    struct fuse_buf buffer = {.mem = NULL};
    int result;
    do result = fuse_session_receive_buf(pool->session, &buffer);
    while (result == -EINTR || result == -EAGAIN);
    // INIT is always the first, and has been answered when this returns.
    if (result > 0) pool->isOld = CFuse3_greet(pool->session, &buffer, &pool->agreement);
    free(buffer.mem);
    return result > 0 ? 0 : result < 0 ? -result : ENODEV;
}

struct CFuse3_Agreement CFuse3_pool_agreement(const struct CFuse3_Pool *pool) { return pool->agreement; }

int CFuse3_pool_run(struct CFuse3_Pool *pool) {
    bool started = false;
    for (int count = 0; count < first; count++) started |= addWorker(pool);
    pthread_mutex_lock(&pool->lock);
    if (!started && !pool->stopping) pool->error = EAGAIN;
    while (pool->alive > 0) {
        if (pool->stopping)
            for (struct Worker *worker = pool->workers; worker; worker = worker->next)
                if (!worker->ended) pthread_cancel(worker->thread);
        pthread_cond_wait(&pool->changed, &pool->lock);
    }
    reap(pool);
    int error = pool->error;
    pthread_mutex_unlock(&pool->lock);
    return error;
}

void CFuse3_pool_stop(struct CFuse3_Pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

void CFuse3_pool_free(struct CFuse3_Pool *pool) {
    // The kernel ends them with the connection.
    for (struct Aside *aside = pool->firstAside, *next; aside; aside = next) {
        next = aside->next;
        free(aside);
    }
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
