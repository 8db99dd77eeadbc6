// SQLite. Shims for what Swift cannot call: variadic calls, and constants that are casts.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <stdint.h>

// What is called of SQLite, as its interface promises it to stay: so that whoever builds this needs the library, which is on nearly
// every machine, and not its header. CSQLite.c holds it against the header where there is one.
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_backup sqlite3_backup;

#define SQLITE_OK 0
#define SQLITE_PERM 3
#define SQLITE_BUSY 5
#define SQLITE_LOCKED 6
#define SQLITE_NOMEM 7
#define SQLITE_READONLY 8
#define SQLITE_IOERR 10
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_PROTOCOL 15
#define SQLITE_NOLFS 22
#define SQLITE_AUTH 23
#define SQLITE_ROW 100
#define SQLITE_DONE 101
// The type of a column without a value.
#define SQLITE_NULL 5

int sqlite3_close_v2(sqlite3 *database);
int sqlite3_errcode(sqlite3 *database);
const char *sqlite3_errmsg(sqlite3 *database);
int sqlite3_exec(sqlite3 *database, const char *sql, int (*row)(void *, int, char **, char **), void *context, char **message);
int sqlite3_get_autocommit(sqlite3 *database);
long long sqlite3_last_insert_rowid(sqlite3 *database);

int sqlite3_prepare_v2(sqlite3 *database, const char *sql, int count, sqlite3_stmt **statement, const char **rest);
int sqlite3_bind_double(sqlite3_stmt *statement, int place, double value);
int sqlite3_bind_int64(sqlite3_stmt *statement, int place, long long value);
int sqlite3_bind_null(sqlite3_stmt *statement, int place);
int sqlite3_step(sqlite3_stmt *statement);
const void *sqlite3_column_blob(sqlite3_stmt *statement, int column);
int sqlite3_column_bytes(sqlite3_stmt *statement, int column);
long long sqlite3_column_int64(sqlite3_stmt *statement, int column);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
int sqlite3_column_type(sqlite3_stmt *statement, int column);
int sqlite3_reset(sqlite3_stmt *statement);
int sqlite3_finalize(sqlite3_stmt *statement);

sqlite3_backup *sqlite3_backup_init(sqlite3 *to, const char *name, sqlite3 *from, const char *source);
int sqlite3_backup_step(sqlite3_backup *backup, int pages);
int sqlite3_backup_finish(sqlite3_backup *backup);

// Opens a database file, which is made where it is missing and is no symbolic link; NULL: one in memory. What comes from it is
// not trusted: no function is called that its schema names, and nothing of it can be written past its tables.
int CSQLite_open(const char *path, int patience, sqlite3 **database);
// The same for a file that nobody changes meanwhile: a URI says which. Nothing is written, and no file beside it is looked at.
int CSQLite_open_unchanging(const char *uri, sqlite3 **database);
// Bytes that are read as a database that nobody changes. `read` fills so many bytes from an offset on, and answers 0; anything else where it cannot.
struct CSQLite_Source {
    int64_t size;
    void *context;
    int (*read)(void *context, void *bytes, int count, int64_t offset);
};
struct CSQLite_System;
// The same for those. `system` is freed after the connection is closed, also where it did not open.
int CSQLite_open_source(struct CSQLite_Source source, sqlite3 **database, struct CSQLite_System **system);
void CSQLite_free_system(struct CSQLite_System *system);
// What comes from it is not trusted.
void CSQLite_distrust(sqlite3 *database, int patience);
// No text and no blob of more bytes is made or read.
void CSQLite_limit_length(sqlite3 *database, int most);
// Called after each so many steps; what is under way ends where it answers anything but 0.
void sqlite3_progress_handler(sqlite3 *database, int steps, int (*handler)(void *), void *context);
// What a long sort does not keep in memory goes there. Once in a process, before another thread has a connection.
void CSQLite_keep_temporary_files_in(const char *folder);
// Nothing of the log is carried over into the file by itself any more; `pages` is how many there are in it after each transaction. It lives as long
// as the connection.
void CSQLite_count_log(sqlite3 *database, int *pages);
// The bytes are copied, here and below.
int CSQLite_bind_blob(sqlite3_stmt *statement, int place, const uint8_t *bytes, int count);
int CSQLite_bind_text(sqlite3_stmt *statement, int place, const uint8_t *bytes, int count);

#endif
