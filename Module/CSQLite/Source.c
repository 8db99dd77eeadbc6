// A database whose bytes a program reads for SQLite, as a file system of SQLite's with that one file. Nothing is ever
// written through it: it has no other file, so SQLite can make neither a journal nor a temporary file, and what is read
// stays in memory.
#include "CSQLite.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQLITE_OPEN_MAIN_DB 0x00000100
#define SQLITE_OPEN_READONLY 0x00000001
#define SQLITE_OPEN_NOMUTEX 0x00008000
#define SQLITE_IOERR_READ (SQLITE_IOERR | (1 << 8))
#define SQLITE_IOERR_SHORT_READ (SQLITE_IOERR | (2 << 8))
#define SQLITE_IOCAP_IMMUTABLE 0x00002000
#define SQLITE_NOTFOUND 12

// As SQLite declares them in their first version, under names of our own.
typedef struct File File;
typedef struct System System;

struct Methods {
    int version;
    int (*close)(File *);
    int (*read)(File *, void *, int, long long);
    int (*write)(File *, const void *, int, long long);
    int (*truncate)(File *, long long);
    int (*sync)(File *, int);
    int (*size)(File *, long long *);
    int (*lock)(File *, int);
    int (*unlock)(File *, int);
    int (*check_reserved_lock)(File *, int *);
    int (*control)(File *, int, void *);
    int (*sector_size)(File *);
    int (*characteristics)(File *);
};

struct File {
    const struct Methods *methods;
    struct CSQLite_Source source;
};

struct System {
    int version, file_size, longest_path;
    System *next;
    const char *name;
    void *data;
    int (*open)(System *, const char *, File *, int, int *);
    int (*delete)(System *, const char *, int);
    int (*access)(System *, const char *, int, int *);
    int (*full_path)(System *, const char *, int, char *);
    void *(*load)(System *, const char *);
    void (*load_error)(System *, int, char *);
    void (*(*symbol)(System *, void *, const char *))(void);
    void (*unload)(System *, void *);
    int (*random)(System *, int, char *);
    int (*sleep)(System *, int);
    int (*time)(System *, double *);
    int (*last_error)(System *, int, char *);
};

struct CSQLite_System {
    System system;
    struct CSQLite_Source source;
    char name[40];
};

int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *system);

#if __has_include(<sqlite3.h>)
#define CONSTANTS(each)                                                                                        \
    each(OPEN_MAIN_DB) each(OPEN_READONLY) each(OPEN_NOMUTEX) each(IOERR_READ) each(IOERR_SHORT_READ)          \
    each(IOCAP_IMMUTABLE) each(NOTFOUND)
#define OURS(name) ours_##name = SQLITE_##name,
#define SAME(name) _Static_assert(ours_##name == SQLITE_##name, "SQLITE_" #name);
enum { CONSTANTS(OURS) };
#include <sqlite3.h>
CONSTANTS(SAME)
#define PLACE(ours, theirs, type, field, member) \
    _Static_assert(offsetof(struct ours, member) == offsetof(type, field), #type "." #field);
PLACE(Methods, x, sqlite3_io_methods, xRead, read)
PLACE(Methods, x, sqlite3_io_methods, xFileSize, size)
PLACE(Methods, x, sqlite3_io_methods, xDeviceCharacteristics, characteristics)
PLACE(System, x, sqlite3_vfs, szOsFile, file_size)
PLACE(System, x, sqlite3_vfs, zName, name)
PLACE(System, x, sqlite3_vfs, xOpen, open)
PLACE(System, x, sqlite3_vfs, xFullPathname, full_path)
PLACE(System, x, sqlite3_vfs, xGetLastError, last_error)
#else
int sqlite3_vfs_register(System *system, int is_default);
int sqlite3_vfs_unregister(System *system);
#endif

#if __has_include(<sqlite3.h>)
#define THEIRS(system) ((sqlite3_vfs *)(system))
#else
#define THEIRS(system) (system)
#endif

// MARK: The file

static int close_file(File *file) { return (void)file, SQLITE_OK; }

static int read_file(File *file, void *bytes, int count, long long offset) {
    long long left = file->source.size - offset;
    int there = left <= 0 ? 0 : left < count ? (int)left : count;
    if (there && file->source.read(file->source.context, bytes, there, offset)) return SQLITE_IOERR_READ;
    if (there == count) return SQLITE_OK;
    // As SQLite wants it.
    memset((char *)bytes + there, 0, (size_t)(count - there));
    return SQLITE_IOERR_SHORT_READ;
}

static int refuse_write(File *file, const void *bytes, int count, long long offset) {
    return (void)file, (void)bytes, (void)count, (void)offset, SQLITE_READONLY;
}
static int refuse_truncate(File *file, long long size) { return (void)file, (void)size, SQLITE_READONLY; }
static int sync_nothing(File *file, int flags) { return (void)file, (void)flags, SQLITE_OK; }
static int lock_nothing(File *file, int level) { return (void)file, (void)level, SQLITE_OK; }
static int is_unlocked(File *file, int *answer) { return (void)file, *answer = 0, SQLITE_OK; }
static int control_nothing(File *file, int what, void *argument) {
    return (void)file, (void)what, (void)argument, SQLITE_NOTFOUND;
}
static int sector_size(File *file) { return (void)file, 512; }
static int characteristics(File *file) { return (void)file, SQLITE_IOCAP_IMMUTABLE; }
static int size_of(File *file, long long *size) { return *size = file->source.size, SQLITE_OK; }

static const struct Methods methods = {
    1, close_file, read_file, refuse_write, refuse_truncate, sync_nothing, size_of, lock_nothing, lock_nothing,
    is_unlocked, control_nothing, sector_size, characteristics,
};

// MARK: The file system

static int open_file(System *system, const char *name, File *file, int flags, int *opened) {
    (void)name;
    file->methods = NULL;
    if (!(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
    file->methods = &methods;
    file->source = ((struct CSQLite_System *)system)->source;
    if (opened) *opened = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    return SQLITE_OK;
}

static int refuse_delete(System *system, const char *name, int sync) {
    return (void)system, (void)name, (void)sync, SQLITE_READONLY;
}

static int is_missing(System *system, const char *name, int what, int *answer) {
    return (void)system, (void)name, (void)what, *answer = 0, SQLITE_OK;
}

static int same_path(System *system, const char *name, int room, char *path) {
    (void)system;
    return snprintf(path, (size_t)room, "%s", name) < room ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int no_random(System *system, int count, char *bytes) {
    return (void)system, memset(bytes, 0, (size_t)count), 0;
}

static int no_sleep(System *system, int time) { return (void)system, (void)time, 0; }
static int no_time(System *system, double *time) { return (void)system, *time = 0, SQLITE_OK; }
static int no_error(System *system, int room, char *text) { return (void)system, (void)room, (void)text, 0; }

int CSQLite_open_source(struct CSQLite_Source source, sqlite3 **database, struct CSQLite_System **system) {
    struct CSQLite_System *made = calloc(1, sizeof *made);
    if (!made) return SQLITE_NOMEM;
    made->source = source;
    // SQLite finds it by its name, once.
    snprintf(made->name, sizeof made->name, "valise-%p", (void *)made);
    made->system = (System){
        .version = 1, .file_size = sizeof(File), .longest_path = 64, .name = made->name, .open = open_file,
        .delete = refuse_delete, .access = is_missing,
        .full_path = same_path, .random = no_random, .sleep = no_sleep, .time = no_time, .last_error = no_error,
    };
    *system = made;
    int result = sqlite3_vfs_register(THEIRS(&made->system), 0);
    if (result != SQLITE_OK) return result;
    result = sqlite3_open_v2("source", database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, made->name);
    // The connection knows it from now on.
    sqlite3_vfs_unregister(THEIRS(&made->system));
    if (result == SQLITE_OK) CSQLite_distrust(*database, 0);
    return result;
}

void CSQLite_free_system(struct CSQLite_System *system) { free(system); }
