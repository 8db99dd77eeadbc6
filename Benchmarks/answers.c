// A file system that does nothing: every name and attribute is answered from memory, what is read is zeros, and what is written is forgotten.
// What it takes is what FUSE itself takes. answers COUNT SIZE MOUNTPOINT: so many files of that size, called as Benchmarks/containers.py calls photos.
#define FUSE_USE_VERSION 35
#include <errno.h>
#include <fuse_lowlevel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 17 };
static struct file { char name[64]; off_t size; } files[MOST];
static size_t count;
static const double forever = 3600;

// Names are found by a table: a list of all would be measured instead.
static unsigned places[MOST * 2];

static unsigned place(const char *name) {
    unsigned hash = 2166136261u;
    for (const char *at = name; *at; at++) hash = (hash ^ (unsigned char)*at) * 16777619u;
    unsigned at = hash % (MOST * 2);
    while (places[at] && strcmp(files[places[at] - 1].name, name)) at = (at + 1) % (MOST * 2);
    return at;
}

static fuse_ino_t add(const char *name, off_t size) {
    if (count == MOST) return 0;
    snprintf(files[count].name, sizeof files[count].name, "%s", name);
    files[count].size = size;
    places[place(name)] = ++count;
    return count + 1;
}

static struct stat attributes(fuse_ino_t number) {
    struct stat found = {.st_ino = number, .st_uid = getuid(), .st_gid = getgid(), .st_nlink = 1, .st_blksize = 4096};
    if (number == FUSE_ROOT_ID) {
        found.st_mode = S_IFDIR | 0755;
    } else {
        found.st_mode = S_IFREG | 0644;
        found.st_size = files[number - 2].size;
        found.st_blocks = (found.st_size + 511) / 512;
    }
    return found;
}

static struct fuse_entry_param entry(fuse_ino_t number) {
    return (struct fuse_entry_param){.ino = number, .attr = attributes(number), .attr_timeout = forever, .entry_timeout = forever};
}

static void begin(void *data, struct fuse_conn_info *connection) {
    (void)data;
    connection->max_readahead = 1 << 20;
    if (connection->capable & FUSE_CAP_NO_OPENDIR_SUPPORT) connection->want |= FUSE_CAP_NO_OPENDIR_SUPPORT;
}

static void lookup(fuse_req_t request, fuse_ino_t folder, const char *name) {
    unsigned found = places[place(name)];
    struct fuse_entry_param told = found ? entry(found + 1) : (struct fuse_entry_param){.entry_timeout = forever};
    (void)folder;
    fuse_reply_entry(request, &told);
}

static void get(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    struct stat found = attributes(number);
    (void)file;
    fuse_reply_attr(request, &found, forever);
}

static void set(fuse_req_t request, fuse_ino_t number, struct stat *wanted, int which, struct fuse_file_info *file) {
    if (which & FUSE_SET_ATTR_SIZE && number != FUSE_ROOT_ID) files[number - 2].size = wanted->st_size;
    get(request, number, file);
}

static void open_file(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    (void)number;
    file->noflush = 1;
    file->keep_cache = 1;
    fuse_reply_open(request, file);
}

static void create(fuse_req_t request, fuse_ino_t folder, const char *name, mode_t mode, struct fuse_file_info *file) {
    (void)folder, (void)mode;
    fuse_ino_t number = places[place(name)] ? places[place(name)] + 1 : add(name, 0);
    if (!number) { fuse_reply_err(request, ENOSPC); return; }
    struct fuse_entry_param made = entry(number);
    file->noflush = 1;
    fuse_reply_create(request, &made, file);
}

static void read_file(fuse_req_t request, fuse_ino_t number, size_t size, off_t offset, struct fuse_file_info *file) {
    static const char zeros[1 << 20];
    off_t rest = files[number - 2].size - offset;
    (void)file;
    if (rest < 0) rest = 0;
    if ((off_t)size > rest) size = rest;
    fuse_reply_buf(request, zeros, size);
}

static void write_file(fuse_req_t request, fuse_ino_t number, struct fuse_bufvec *given, off_t offset, struct fuse_file_info *file) {
    size_t size = fuse_buf_size(given);
    (void)file;
    if (files[number - 2].size < offset + (off_t)size) files[number - 2].size = offset + size;
    fuse_reply_write(request, size);
}

static void done(fuse_req_t request, fuse_ino_t number, struct fuse_file_info *file) {
    (void)number, (void)file;
    fuse_reply_err(request, 0);
}

static void synced(fuse_req_t request, fuse_ino_t number, int data, struct fuse_file_info *file) {
    (void)data;
    done(request, number, file);
}

static void list(fuse_req_t request, fuse_ino_t number, size_t size, off_t offset, struct fuse_file_info *file) {
    char *page = malloc(size);
    size_t used = 0;
    (void)number, (void)file;
    for (size_t at = offset; at < count; at++) {
        struct fuse_entry_param told = entry(at + 2);
        size_t taken = fuse_add_direntry_plus(request, page + used, size - used, files[at].name, &told, at + 1);
        if (taken > size - used) break;
        used += taken;
    }
    fuse_reply_buf(request, page, used);
    free(page);
}

int main(int arguments, char **argument) {
    if (arguments != 4) return 2;
    for (long number = 0; number < atol(argument[1]); number++) {
        char name[64];
        snprintf(name, sizeof name, "IMG_%05ld.jpg", number);
        add(name, atol(argument[2]));
    }
    static const struct fuse_lowlevel_ops operations = {.init = begin, .lookup = lookup, .getattr = get, .setattr = set, .open = open_file, .create = create,
        .read = read_file, .write_buf = write_file, .flush = done, .release = done, .fsync = synced, .readdirplus = list};
    struct fuse_args options = FUSE_ARGS_INIT(1, argument);
    struct fuse_session *session = fuse_session_new(&options, &operations, sizeof operations, NULL);
    if (!session || fuse_session_mount(session, argument[3]) || fuse_daemonize(0)) return 1;
    fuse_session_loop(session);
    fuse_session_unmount(session);
    return 0;
}
