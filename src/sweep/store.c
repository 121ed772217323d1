/* The file of a store, what it must be, and what may go wrong with it: see store.h. Sweeps and rows are in
 * store_sweep.c. */
#include "sweep/store_parts.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

/* "pcsw": in the file's header it tells a store from other databases. */
enum { APPLICATION = 0x70637377, SCHEMA = 1 };

static const char schema[] =
    "CREATE TABLE sweep (name TEXT PRIMARY KEY, points INTEGER NOT NULL, parameters TEXT NOT NULL,"
    " function TEXT NOT NULL, program TEXT NOT NULL, processor TEXT NOT NULL,"
    " begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')));"
    "CREATE TABLE column (sweep TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL,"
    " role TEXT NOT NULL, PRIMARY KEY (sweep, position));";

/* ---- what may go wrong ---- */

pc_status pc_store_fail(pc_store *store, const char *doing, pc_error *err)
{
    int code = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
    const char *what = store->db ? sqlite3_errmsg(store->db) : "out of memory";
    switch (code & 0xff) {
    case SQLITE_NOMEM: return pc_fail(err, PC_E_MEMORY, "no memory to use the store '%.200s'", store->path);
    case SQLITE_FULL:
        return pc_fail(err, PC_E_SYSTEM,
                       "the disk is full: cannot %s the store '%.200s'; what was written before is kept, and the sweep "
                       "goes on from there when it is run again",
                       doing, store->path);
    case SQLITE_READONLY:
        if (store->lock < 0)
            return pc_fail(err, PC_E_SYSTEM,
                           "cannot read the store '%.200s': a program was ended while it wrote to it; run its sweep "
                           "again, which puts it in order",
                           store->path);
        /* fall through */
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
        return pc_fail(err, PC_E_SYSTEM, "cannot write to the store '%.200s' or to its directory: %s", store->path,
                       what);
    case SQLITE_NOTADB:
        return pc_fail(err, PC_E_SYSTEM, "'%.200s' is not a store of sweeps: it was made by something else",
                       store->path);
    case SQLITE_CORRUPT:
        return pc_fail(err, PC_E_SYSTEM,
                       "the store '%.200s' is damaged (%s); sqlite3 '%.200s' .recover may save what it holds",
                       store->path, what, store->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return pc_fail(err, PC_E_SYSTEM, "cannot %s the store '%.200s': another program has locked it", doing,
                       store->path);
    case SQLITE_INTERRUPT: return pc_fail(err, PC_E_INTERRUPTED, "interrupted");
    default: return pc_fail(err, PC_E_SYSTEM, "cannot %s the store '%.200s': %s", doing, store->path, what);
    }
}

pc_status pc_store_damaged(pc_store *store, pc_error *err, const char *format, ...)
{
    char reason[PC_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return pc_fail(err, PC_E_SYSTEM, "the store '%.200s' is damaged: %.250s", store->path, reason);
}

pc_status pc_store_run(pc_store *store, char *sql, const char *doing, pc_error *err)
{
    int code = sql ? sqlite3_exec(store->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
    bool no_text = !sql;
    sqlite3_free(sql);
    if (no_text) return pc_fail(err, PC_E_MEMORY, "no memory to use the store '%.200s'", store->path);
    return code == SQLITE_OK ? PC_OK : pc_store_fail(store, doing, err);
}

pc_status pc_store_prepare(pc_store *store, char *sql, sqlite3_stmt **statement, pc_error *err)
{
    if (!sql) return pc_fail(err, PC_E_MEMORY, "no memory to use the store '%.200s'", store->path);
    int code = sqlite3_prepare_v2(store->db, sql, -1, statement, NULL);
    sqlite3_free(sql);
    return code == SQLITE_OK ? PC_OK : pc_store_fail(store, "use", err);
}

pc_status pc_store_ask(pc_store *store, char *sql, int64_t *number, pc_error *err)
{
    sqlite3_stmt *statement = NULL;
    pc_status status = pc_store_prepare(store, sql, &statement, err);
    if (status) return status;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? PC_OK : pc_store_fail(store, "read", err);
}

/* Numbers as statfs(2) lists them: NFS, SMB, CIFS, SMB2, AFS, Coda, Ceph, Lustre, GPFS, 9P. */
bool pc_store_is_network(unsigned long type)
{
    static const unsigned long network[] = {0x6969,     0x517b,     0xff534d42, 0xfe534d42, 0x5346414f,
                                            0x73757245, 0x00c36400, 0x0bd00bd0, 0x47504653, 0x01021997};
    for (size_t i = 0; i < sizeof network / sizeof *network; i++)
        if ((type & 0xffffffffUL) == network[i]) return true;
    return false;
}

static pc_status refuse_network(const char *path, int descriptor, pc_error *err)
{
#ifdef __linux__
    struct statfs system;
    if (fstatfs(descriptor, &system) == 0 && pc_store_is_network((unsigned long)system.f_type))
        return pc_fail(
            err, PC_E_SYSTEM,
            "the store '%.200s' is on a network file system, where its journal is not safe; put it on a disk "
            "of this machine and copy or merge it afterwards",
            path);
#else
    (void)path, (void)descriptor, (void)err;
#endif
    return PC_OK;
}

/* ---- life and death ---- */

static pc_status new_store(pc_store **out, const char *path, pc_error *err)
{
    if (pc_files_replaced())
        return pc_fail(err, PC_E_SYSTEM, "there are no stores here: write and read tables by table:csv and csv.read");
    pc_store *store = pc_calloc(1, sizeof *store);
    if (store) {
        store->lock = -1;
        store->owner = getpid();
        store->path = pc_strdup(path);
    }
    if (!store || !store->path) {
        pc_free(store);
        return pc_fail(err, PC_E_MEMORY, "no memory for a store");
    }
    *out = store;
    return PC_OK;
}

void pc_store_forget(pc_store *store)
{
    sqlite3_finalize(store->put);
    sqlite3_finalize(store->rows);
    store->put = store->rows = NULL;
    for (size_t i = 0; i < store->n_columns; i++) {
        pc_free((char *)(uintptr_t)store->columns[i].name);
        pc_free((char *)(uintptr_t)store->columns[i].unit);
    }
    store->n_columns = 0;
    pc_free(store->name);
    store->name = NULL;
}

void pc_store_leave(pc_store *store)
{
    if (store && store->lock >= 0) close(store->lock);
    if (store) store->lock = -1;
}

void pc_store_close(pc_store *store)
{
    if (!store || store->owner != getpid()) return;
    if (store->writing) sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    pc_store_forget(store);
    sqlite3_close(store->db);
    /* after SQLite: closing any descriptor of the file takes SQLite's own locks away */
    if (store->lock >= 0) close(store->lock);
    pc_free(store->path);
    pc_free(store);
}

/* A new or empty file becomes a store, another one must be a store already. */
static pc_status check_schema(pc_store *store, bool may_make, pc_error *err)
{
    int64_t application = 0, tables = 0, version = 0;
    pc_status status = pc_store_ask(store, sqlite3_mprintf("PRAGMA application_id"), &application, err);
    if (!status) status = pc_store_ask(store, sqlite3_mprintf("SELECT count(*) FROM sqlite_master"), &tables, err);
    if (!status) status = pc_store_ask(store, sqlite3_mprintf("PRAGMA user_version"), &version, err);
    if (status) return status;
    if (application == 0 && tables == 0 && may_make) {
        return pc_store_run(store,
                            sqlite3_mprintf("BEGIN; PRAGMA application_id = %d; PRAGMA user_version = %d; %s COMMIT",
                                            APPLICATION, SCHEMA, schema),
                            "make", err);
    }
    if (application != APPLICATION)
        return pc_fail(err, PC_E_SYSTEM, "'%.200s' is not a store of sweeps: it was made by something else",
                       store->path);
    if (version != SCHEMA)
        return pc_fail(err, PC_E_SYSTEM, "the store '%.200s' is of another version of percuss (schema %d, not %d)",
                       store->path, (int)version, SCHEMA);
    for (int i = 0; i < 2; i++) {
        static const char *const names[] = {"sweep", "column"};
        status =
            pc_store_ask(store,
                         sqlite3_mprintf("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name = %Q"
                                         " AND type = 'table'",
                                         names[i]),
                         &tables, err);
        if (status) return status;
        if (tables != 1) return pc_store_damaged(store, err, "it has no table '%s'", names[i]);
    }
    return PC_OK;
}

/* Points that are finished are written even so. */
static int give_way(void *store)
{
    return pc_interrupted() && !((pc_store *)store)->writing;
}

/* A file of somebody else runs nothing: its views and triggers are off, and what it could make large has bounds. */
static void distrust(pc_store *store)
{
    sqlite3 *db = store->db;
    enum { LONGEST = 1 << 24, OFTEN = 100000 /* steps of SQLite's machine, some milliseconds */ };
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST);
    sqlite3_progress_handler(db, OFTEN, give_way, store);
}

static pc_status open_database(pc_store *store, int flags, pc_error *err)
{
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK) return pc_store_fail(store, "open", err);
    sqlite3_busy_timeout(store->db, 5000);
    distrust(store);
    return PC_OK;
}

/* The lock is on the file itself, and of a kind that SQLite does not use. */
static pc_status take_lock(pc_store *store, pc_error *err)
{
    store->lock = open(store->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (store->lock < 0)
        return pc_fail(err, PC_E_SYSTEM, "cannot write to the store '%.200s': %s", store->path, strerror(errno));
    struct stat found;
    if (fstat(store->lock, &found) != 0 || !S_ISREG(found.st_mode))
        return pc_fail(err, PC_E_SYSTEM, "'%.200s' is not a file", store->path);
    pc_status status = refuse_network(store->path, store->lock, err);
    if (status) return status;
    if (flock(store->lock, LOCK_EX | LOCK_NB) == 0) return PC_OK;
    return pc_fail(err, PC_E_SYSTEM, "the store '%.200s' is in use: another process writes to it", store->path);
}

pc_status pc_store_open(pc_store **out, const char *path, pc_error *err)
{
    *out = NULL;
    pc_store *store = NULL;
    pc_status status = new_store(&store, path, err);
    if (status) return status;
    status = take_lock(store, err);
    if (!status) status = open_database(store, SQLITE_OPEN_READWRITE, err);
    if (!status) status = check_schema(store, true, err);
    /* NORMAL: a crash of the process loses nothing, one of the machine at most the last commits */
    if (!status)
        status =
            pc_store_run(store, sqlite3_mprintf("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"), "open", err);
    if (status)
        pc_store_close(store);
    else
        *out = store;
    return status;
}

pc_status pc_store_open_read(pc_store **out, const char *path, pc_error *err)
{
    *out = NULL;
    pc_store *store = NULL;
    pc_status status = new_store(&store, path, err);
    if (status) return status;
    struct stat found;
    if (stat(path, &found) != 0 || access(path, R_OK) != 0)
        status = pc_fail(err, PC_E_SYSTEM, "cannot read the store '%.200s': %s", path, strerror(errno));
    else if (!S_ISREG(found.st_mode)) /* SQLite would wait for whoever writes to a pipe */
        status = pc_fail(err, PC_E_SYSTEM, "'%.200s' is not a file", path);
    if (!status) status = open_database(store, SQLITE_OPEN_READONLY, err);
    if (!status) status = check_schema(store, false, err);
    if (status)
        pc_store_close(store);
    else
        *out = store;
    return status;
}
