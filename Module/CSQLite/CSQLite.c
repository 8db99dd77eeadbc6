#include "CSQLite.h"

#include <stddef.h>

// As in CSQLite.h: needed here only.
#define SQLITE_OPEN_READONLY 0x00000001
#define SQLITE_OPEN_URI 0x00000040
#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_NOMUTEX 0x00008000
#define SQLITE_OPEN_NOFOLLOW 0x01000000
#define SQLITE_DBCONFIG_ENABLE_TRIGGER 1003
#define SQLITE_DBCONFIG_DEFENSIVE 1010
#define SQLITE_DBCONFIG_ENABLE_VIEW 1015
#define SQLITE_DBCONFIG_TRUSTED_SCHEMA 1017
#define SQLITE_LIMIT_LENGTH 0
#define SQLITE_TRANSIENT ((sqlite3_destructor_type)-1)
typedef void (*sqlite3_destructor_type)(void *);

extern char *sqlite3_temp_directory;
int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *system);
int sqlite3_extended_result_codes(sqlite3 *database, int on);
int sqlite3_busy_timeout(sqlite3 *database, int milliseconds);
int sqlite3_db_config(sqlite3 *database, int what, ...);
int sqlite3_limit(sqlite3 *database, int what, int most);
int sqlite3_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, int count, void (*free)(void *));
int sqlite3_bind_text(sqlite3_stmt *statement, int place, const char *text, int count, void (*free)(void *));
char *sqlite3_mprintf(const char *format, ...);
void *sqlite3_wal_hook(sqlite3 *database, int (*hook)(void *, sqlite3 *, const char *, int), void *context);

#if __has_include(<sqlite3.h>)
// A function that is declared otherwise there is an error by itself; a constant is not.
#define CONSTANTS(each)                                                                                                          \
    each(OK) each(PERM) each(BUSY) each(LOCKED) each(NOMEM) each(READONLY) each(IOERR) each(FULL) each(CANTOPEN) each(PROTOCOL)  \
    each(NOLFS) each(AUTH) each(ROW) each(DONE) each(NULL) each(OPEN_READONLY) each(OPEN_URI) each(OPEN_READWRITE) each(OPEN_CREATE) each(OPEN_NOMUTEX)             \
    each(OPEN_NOFOLLOW) each(DBCONFIG_ENABLE_TRIGGER) each(DBCONFIG_DEFENSIVE) each(DBCONFIG_ENABLE_VIEW)                        \
    each(DBCONFIG_TRUSTED_SCHEMA) each(LIMIT_LENGTH)
#define OURS(name) ours_##name = SQLITE_##name,
#define SAME(name) _Static_assert(ours_##name == SQLITE_##name, "SQLITE_" #name);
enum { CONSTANTS(OURS) };
#include <sqlite3.h>
CONSTANTS(SAME)
#endif

void CSQLite_distrust(sqlite3 *database, int patience) {
    sqlite3_extended_result_codes(database, 1);
    sqlite3_busy_timeout(database, patience);
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 64 << 20);
}

int CSQLite_open(const char *path, int patience, sqlite3 **database) {
    // One thread at a time has a connection: see Database.swift.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW;
    // One process has it alone, and nothing of it is mapped from a file: one that is cut meanwhile would end the process.
    int result = sqlite3_open_v2(path ? path : ":memory:", database, flags, path ? "unix-excl" : NULL);
    return result == SQLITE_OK ? (CSQLite_distrust(*database, patience), SQLITE_OK) : result;
}

int CSQLite_open_unchanging(const char *uri, sqlite3 **database) {
    int result = sqlite3_open_v2(uri, database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    return result == SQLITE_OK ? (CSQLite_distrust(*database, 0), SQLITE_OK) : result;
}

void CSQLite_limit_length(sqlite3 *database, int most) { sqlite3_limit(database, SQLITE_LIMIT_LENGTH, most); }

void CSQLite_keep_temporary_files_in(const char *folder) {
    if (!sqlite3_temp_directory) sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
}

static int count(void *pages, sqlite3 *database, const char *name, int count) {
    (void)database, (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}

void CSQLite_count_log(sqlite3 *database, int *pages) { sqlite3_wal_hook(database, count, pages); }

int CSQLite_bind_blob(sqlite3_stmt *statement, int place, const uint8_t *bytes, int count) {
    return sqlite3_bind_blob(statement, place, count ? (const void *)bytes : "", count, SQLITE_TRANSIENT);
}

int CSQLite_bind_text(sqlite3_stmt *statement, int place, const uint8_t *bytes, int count) {
    return sqlite3_bind_text(statement, place, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}
