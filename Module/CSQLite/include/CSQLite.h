// SQLite. Shims for what Swift cannot call: variadic calls, and constants that are casts.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>
#include <stdint.h>

// Opens a database file, which is made where it is missing and is no symbolic link; NULL: one in memory. What comes from it is
// not trusted: no function is called that its schema names, and nothing of it can be written past its tables.
int CSQLite_open(const char *path, int patience, sqlite3 **database);
// What a long sort does not keep in memory goes there. Once in a process, before another thread has a connection.
void CSQLite_keep_temporary_files_in(const char *folder);
// Nothing of the log is carried over into the file by itself any more; `pages` is how many there are in it after each transaction. It lives as long
// as the connection.
void CSQLite_count_log(sqlite3 *database, int *pages);
// The bytes are copied.
int CSQLite_bind_text(sqlite3_stmt *statement, int place, const uint8_t *bytes, int count);

#endif
