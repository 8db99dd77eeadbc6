#include "CSQLite.h"

#include <stddef.h>

int CSQLite_open(const char *path, int patience, sqlite3 **database) {
    // One thread at a time has a connection: see Database.swift.
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
#ifdef SQLITE_OPEN_NOFOLLOW
    flags |= SQLITE_OPEN_NOFOLLOW;
#endif
    // One process has it alone, and nothing of it is mapped from a file: one that is cut meanwhile would end the process.
    int result = sqlite3_open_v2(path ? path : ":memory:", database, flags, path ? "unix-excl" : NULL);
    if (result != SQLITE_OK) return result;
    sqlite3_extended_result_codes(*database, 1);
    sqlite3_busy_timeout(*database, patience);
    sqlite3_db_config(*database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(*database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(*database, SQLITE_LIMIT_LENGTH, 64 << 20);
    return SQLITE_OK;
}

void CSQLite_keep_temporary_files_in(const char *folder) {
    if (!sqlite3_temp_directory) sqlite3_temp_directory = sqlite3_mprintf("%s", folder);
}

static int count(void *pages, sqlite3 *database, const char *name, int count) {
    (void)database, (void)name;
    *(int *)pages = count;
    return SQLITE_OK;
}

void CSQLite_count_log(sqlite3 *database, int *pages) { sqlite3_wal_hook(database, count, pages); }

int CSQLite_bind_text(sqlite3_stmt *statement, int place, const uint8_t *bytes, int count) {
    return sqlite3_bind_text(statement, place, count ? (const char *)bytes : "", count, SQLITE_TRANSIENT);
}
