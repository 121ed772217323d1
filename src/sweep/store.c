/* Stores: see store.h. The file and what may go wrong with it, the sweeps in it, their rows, and joining files. */
#include "sweep/store.h"

#ifdef PC_HAVE_SQLITE

#include "base/alloc.h"
#include "base/files.h"
#include "base/status.h"
#include "base/system.h"

#include <sqlite3.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

struct pc_store {
    sqlite3 *db;
    sqlite3_stmt *put, *rows;
    char *path;
    int lock;                            /* descriptor whose lock says that this process writes; -1: read only */
    pid_t owner;                         /* a forked child must not touch db */
    bool writing;                        /* a transaction is open */
    pc_store_sweep sweep;                /* the present one, whose texts are owned */
    double values[PC_STORE_COLUMNS_MAX]; /* of the row read last */
    int64_t last;                        /* its index; 0: none was read */
};

/* "pcsw": in the file's header it tells a store from other databases. */
enum { APPLICATION = 0x70637377, SCHEMA = 1 };

static const char schema[] =
    "CREATE TABLE sweep (name TEXT PRIMARY KEY, points INTEGER NOT NULL, parameters TEXT NOT NULL,"
    " function TEXT NOT NULL, program TEXT NOT NULL, processor TEXT NOT NULL,"
    " begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')));"
    "CREATE TABLE column (sweep TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL,"
    " role TEXT NOT NULL, PRIMARY KEY (sweep, position));";

/* ---- what may go wrong ---- */

static pc_status no_memory(const pc_store *store, pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "no memory to use the store '%.200s'", store->path);
}

/* The failure of SQLite's last call, in words that say which file and what to do. */
static pc_status fail_store(pc_store *store, const char *doing, pc_error *err)
{
    int code = store->db ? sqlite3_errcode(store->db) : SQLITE_NOMEM;
    const char *what = store->db ? sqlite3_errmsg(store->db) : "out of memory";
    switch (code & 0xff) {
    case SQLITE_NOMEM: return no_memory(store, err);
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

/* What SQLite can read but no store has. Others may have written to the file: nothing in it is believed. */
static pc_status PC_PRINTF(3, 4) fail_damaged(pc_store *store, pc_error *err, const char *format, ...)
{
    char reason[PC_ERROR_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return pc_fail(err, PC_E_SYSTEM, "the store '%.200s' is damaged: %.250s", store->path, reason);
}

/* Run statements; `sql` is freed by sqlite3_free, and NULL is a lack of memory. */
static pc_status run_sql(pc_store *store, char *sql, const char *doing, pc_error *err)
{
    if (!sql) return no_memory(store, err);
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    sqlite3_free(sql);
    return code == SQLITE_OK ? PC_OK : fail_store(store, doing, err);
}

/* Prepare one; the same. */
static pc_status prepare_sql(pc_store *store, char *sql, sqlite3_stmt **statement, pc_error *err)
{
    if (!sql) return no_memory(store, err);
    int code = sqlite3_prepare_v2(store->db, sql, -1, statement, NULL);
    sqlite3_free(sql);
    return code == SQLITE_OK ? PC_OK : fail_store(store, "use", err);
}

/* The one number that a statement gives; the same. */
static pc_status ask_sql(pc_store *store, char *sql, int64_t *number, pc_error *err)
{
    sqlite3_stmt *statement = NULL;
    pc_status status = prepare_sql(store, sql, &statement, err);
    if (status) return status;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) *number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? PC_OK : fail_store(store, "read", err);
}

static pc_status refuse_network(const char *path, int descriptor, pc_error *err)
{
    if (pc_system_is_network(descriptor))
        return pc_fail(
            err, PC_E_SYSTEM,
            "the store '%.200s' is on a network file system, where its journal is not safe; put it on a disk "
            "of this machine and copy or merge it afterwards",
            path);
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

/* There is no present sweep any more. */
static void forget_sweep(pc_store *store)
{
    sqlite3_finalize(store->put);
    sqlite3_finalize(store->rows);
    store->put = store->rows = NULL;
    for (size_t i = 0; i < store->sweep.n_columns; i++) {
        pc_free((char *)(uintptr_t)store->sweep.columns[i].name);
        pc_free((char *)(uintptr_t)store->sweep.columns[i].unit);
    }
    store->sweep.n_columns = 0;
    pc_free((char *)(uintptr_t)store->sweep.name);
    store->sweep.name = NULL;
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
    forget_sweep(store);
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
    pc_status status = ask_sql(store, sqlite3_mprintf("PRAGMA application_id"), &application, err);
    if (!status) status = ask_sql(store, sqlite3_mprintf("SELECT count(*) FROM sqlite_master"), &tables, err);
    if (!status) status = ask_sql(store, sqlite3_mprintf("PRAGMA user_version"), &version, err);
    if (status) return status;
    if (application == 0 && tables == 0 && may_make) {
        return run_sql(store,
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
        status = ask_sql(store,
                         sqlite3_mprintf("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND name = %Q"
                                         " AND type = 'table'",
                                         names[i]),
                         &tables, err);
        if (status) return status;
        if (tables != 1) return fail_damaged(store, err, "it has no table '%s'", names[i]);
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
    if (sqlite3_open_v2(store->path, &store->db, flags, NULL) != SQLITE_OK) return fail_store(store, "open", err);
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

static pc_status check_readable(const pc_store *store, pc_error *err)
{
    struct stat found;
    if (stat(store->path, &found) != 0 || access(store->path, R_OK) != 0)
        return pc_fail(err, PC_E_SYSTEM, "cannot read the store '%.200s': %s", store->path, strerror(errno));
    if (S_ISREG(found.st_mode)) return PC_OK; /* SQLite would wait for whoever writes to a pipe */
    return pc_fail(err, PC_E_SYSTEM, "'%.200s' is not a file", store->path);
}

pc_status pc_store_open(pc_store **out, const char *path, bool writes, pc_error *err)
{
    *out = NULL;
    pc_store *store = NULL;
    pc_status status = new_store(&store, path, err);
    if (status) return status;
    status = writes ? take_lock(store, err) : check_readable(store, err);
    if (!status) status = open_database(store, writes ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, err);
    if (!status) status = check_schema(store, writes, err);
    /* NORMAL: a crash of the process loses nothing, one of the machine at most the last commits */
    if (!status && writes)
        status = run_sql(store, sqlite3_mprintf("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"), "open", err);
    if (status)
        pc_store_close(store);
    else
        *out = store;
    return status;
}

/* ---- the present sweep ---- */

static pc_status add_column(pc_store *store, const char *name, const char *unit, bool is_input, pc_error *err)
{
    if (store->sweep.n_columns == PC_STORE_COLUMNS_MAX)
        return pc_fail(err, PC_E_LIMIT, "a store has at most %d columns a sweep", PC_STORE_COLUMNS_MAX);
    pc_store_column *column = &store->sweep.columns[store->sweep.n_columns];
    *column = (pc_store_column){pc_strdup(name), pc_strdup(unit), is_input};
    store->sweep.n_columns++;
    return column->name && column->unit ? PC_OK : no_memory(store, err);
}

/* A text without zero bytes, or NULL. */
static const char *text_at(sqlite3_stmt *row, int column)
{
    if (sqlite3_column_type(row, column) != SQLITE_TEXT) return NULL;
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text && strlen(text) == (size_t)sqlite3_column_bytes(row, column) ? text : NULL;
}

/* What the row of a sweep says: its number of points and four words. */
static pc_status read_identity(pc_store *store, const char *name, sqlite3_stmt *row, pc_error *err)
{
    pc_store_identity *what = &store->sweep.identity;
    char *const words[] = {what->parameters, what->function, what->program, what->processor};
    int64_t points = sqlite3_column_int64(row, 0);
    if (sqlite3_column_type(row, 0) != SQLITE_INTEGER || points < 1)
        return fail_damaged(store, err, "the sweep '%.60s' has no number of points", name);
    what->points = (uint64_t)points;
    for (int i = 0; i < 4; i++) {
        const char *text = text_at(row, i + 1);
        if (!text)
            return fail_damaged(store, err, "the %s of the sweep '%.60s' is no text", sqlite3_column_name(row, i + 1),
                                name);
        sqlite3_snprintf(PC_STORE_WORD, words[i], "%s", text);
    }
    return PC_OK;
}

static pc_status read_column(pc_store *store, const char *name, sqlite3_stmt *row, pc_error *err)
{
    for (int i = 0; i < 3; i++)
        if (!text_at(row, i))
            return fail_damaged(store, err, "the %s of column %d of the sweep '%.60s' is no text",
                                sqlite3_column_name(row, i), (int)store->sweep.n_columns + 1, name);
    return add_column(store, text_at(row, 0), text_at(row, 1), strcmp(text_at(row, 2), "input") == 0, err);
}

/* The table of the present sweep has the columns that the file lists for it, between those of its own. */
static pc_status check_table(pc_store *store, pc_error *err)
{
    int64_t tables = 0;
    pc_status status = ask_sql(
        store,
        sqlite3_mprintf("SELECT count(*) FROM pragma_table_list AS list WHERE schema = 'main' AND list.name = %Q AND"
                        " type = 'table' AND (SELECT count(*) FROM pragma_table_info(list.name) WHERE name = 'index'"
                        " AND pk = 1 AND upper(type) = 'INTEGER') = 1",
                        store->sweep.name),
        &tables, err);
    if (status) return status;
    if (tables != 1) return fail_damaged(store, err, "the sweep '%.60s' has no table of points", store->sweep.name);
    sqlite3_stmt *all = NULL;
    status = prepare_sql(store, sqlite3_mprintf("SELECT * FROM \"%w\"", store->sweep.name), &all, err);
    int n = status ? 0 : sqlite3_column_count(all), wanted = (int)store->sweep.n_columns + 3;
    if (!status && n != wanted)
        status = fail_damaged(store, err, "the points of the sweep '%.60s' have %d columns, not %d", store->sweep.name,
                              n, wanted);
    for (int i = 0; i < n && !status; i++) {
        const char *found = sqlite3_column_name(all, i);
        const char *name = i == 0       ? "index"
                           : i == n - 2 ? "seconds"
                           : i == n - 1 ? "error"
                                        : store->sweep.columns[i - 1].name;
        if (!found)
            status = no_memory(store, err);
        else if (*name == '\0' || strcmp(found, name) != 0)
            status = fail_damaged(store, err, "column %d of the points of the sweep '%.60s' is '%.60s', not '%.60s'",
                                  i + 1, store->sweep.name, found, name);
    }
    sqlite3_finalize(all);
    return status;
}

/* *found = false where the file has no such sweep. */
static pc_status read_sweep(pc_store *store, const char *name, bool *found, pc_error *err)
{
    forget_sweep(store);
    sqlite3_stmt *row = NULL;
    pc_status status = prepare_sql(
        store,
        sqlite3_mprintf("SELECT points, parameters, function, program, processor FROM sweep WHERE name = %Q", name),
        &row, err);
    if (status) return status;
    int code = sqlite3_step(row);
    *found = code == SQLITE_ROW;
    if (*found) status = read_identity(store, name, row, err);
    sqlite3_finalize(row);
    if (code == SQLITE_DONE || status) return status;
    if (code != SQLITE_ROW) return fail_store(store, "read", err);

    store->sweep.name = pc_strdup(name);
    if (!store->sweep.name) return no_memory(store, err);
    status = prepare_sql(
        store, sqlite3_mprintf("SELECT name, unit, role FROM column WHERE sweep = %Q ORDER BY position", name), &row,
        err);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) status = read_column(store, name, row, err);
    sqlite3_finalize(row);
    if (!status && code != SQLITE_DONE) status = fail_store(store, "read", err);
    return status ? status : check_table(store, err);
}

pc_status pc_store_select_nth(pc_store *store, size_t i, bool *found, pc_error *err)
{
    sqlite3_stmt *row = NULL;
    pc_status status = prepare_sql(
        store, sqlite3_mprintf("SELECT name FROM sweep ORDER BY name LIMIT 1 OFFSET %lld", (long long)i), &row, err);
    if (status) return status;
    int code = sqlite3_step(row);
    *found = code == SQLITE_ROW;
    const char *text = *found ? text_at(row, 0) : NULL;
    char *name = text ? pc_strdup(text) : NULL;
    sqlite3_finalize(row);
    if (code == SQLITE_DONE) return PC_OK;
    if (!*found) return fail_store(store, "read", err);
    if (!text) return fail_damaged(store, err, "the name of a sweep is no text");
    status = name ? read_sweep(store, name, found, err) : no_memory(store, err);
    pc_free(name);
    return status;
}

pc_status pc_store_select(pc_store *store, const char *name, pc_error *err)
{
    bool found = false, more = false;
    pc_status status;
    if (name) {
        status = read_sweep(store, name, &found, err);
        if (!status && !found)
            status = pc_fail(err, PC_E_ARGUMENT, "the store '%.200s' has no sweep called '%.100s'", store->path, name);
        return status;
    }
    status = pc_store_select_nth(store, 1, &more, err);
    if (!status) status = pc_store_select_nth(store, 0, &found, err);
    if (status || (found && !more)) return status;
    return pc_fail(err, PC_E_ARGUMENT,
                   more ? "the store '%.200s' has several sweeps: say which" : "the store '%.200s' has no sweep",
                   store->path);
}

static pc_status make_sweep(pc_store *store, const char *name, const pc_store_identity *identity,
                            const pc_store_column *columns, size_t n, pc_error *err)
{
    sqlite3_str *text = sqlite3_str_new(store->db);
    sqlite3_str_appendf(text, "BEGIN IMMEDIATE; CREATE TABLE \"%w\" (\"index\" INTEGER PRIMARY KEY", name);
    for (size_t i = 0; i < n; i++) sqlite3_str_appendf(text, ", \"%w\" REAL", columns[i].name);
    sqlite3_str_appendf(text, ", seconds REAL, error TEXT);");
    sqlite3_str_appendf(text,
                        "INSERT INTO sweep (name, points, parameters, function, program, processor)"
                        " VALUES (%Q, %lld, %Q, %Q, %Q, %Q);",
                        name, (long long)identity->points, identity->parameters, identity->function, identity->program,
                        identity->processor);
    for (size_t i = 0; i < n; i++)
        sqlite3_str_appendf(text, "INSERT INTO column VALUES (%Q, %d, %Q, %Q, %Q);", name, (int)i + 1, columns[i].name,
                            columns[i].unit ? columns[i].unit : "", columns[i].is_input ? "input" : "output");
    sqlite3_str_appendf(text, "COMMIT");
    pc_status status = run_sql(store, sqlite3_str_finish(text), "begin a sweep in", err);
    if (status) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static pc_status drop_sweep(pc_store *store, const char *name, pc_error *err)
{
    return run_sql(store,
                   sqlite3_mprintf("BEGIN IMMEDIATE; DROP TABLE \"%w\"; DELETE FROM sweep WHERE name = %Q;"
                                   " DELETE FROM column WHERE sweep = %Q; COMMIT",
                                   name, name, name),
                   "empty", err);
}

static bool same_columns(const pc_store *store, const pc_store_column *columns, size_t n)
{
    if (store->sweep.n_columns != n) return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(store->sweep.columns[i].name, columns[i].name) != 0 ||
            store->sweep.columns[i].is_input != columns[i].is_input)
            return false;
    return true;
}

/* The stored sweep is another one than that which is asked for: say so, or do what `change` says. */
static pc_status compare(pc_store *store, const pc_store_identity *wanted, const pc_store_column *columns, size_t n,
                         pc_store_change change, bool *restart, pc_error *err)
{
    const pc_store_identity *stored = &store->sweep.identity;
    bool inputs = stored->points != wanted->points || strcmp(stored->parameters, wanted->parameters) != 0 ||
                  !same_columns(store, columns, n);
    bool function = strcmp(stored->function, wanted->function) != 0;
    bool program = strcmp(stored->program, wanted->program) != 0;
    bool processor = strcmp(stored->processor, wanted->processor) != 0;
    *restart = change == PC_STORE_RESTART && (inputs || function || program || processor);
    if (*restart) return PC_OK;
    if (inputs)
        return pc_fail(
            err, PC_E_ARGUMENT,
            "the store '%.200s' holds another sweep called '%.60s' (its points or columns differ): give this "
            "one a name or a file of its own, or say changed = \"restart\" to drop the stored points",
            store->path, store->sweep.name);
    if (change == PC_STORE_KEEP || !(function || program || processor)) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT,
                   "%s changed since the points in the store '%.200s' were computed: say changed = \"restart\" to "
                   "compute them again or changed = \"keep\" to go on with them",
                   function  ? "the function (or something that it uses)"
                   : program ? "the version of percuss or of its libraries"
                             : "the class of the processor",
                   store->path);
}

static pc_status prepare_put(pc_store *store, pc_error *err)
{
    sqlite3_str *text = sqlite3_str_new(store->db);
    sqlite3_str_appendf(text, "INSERT OR REPLACE INTO \"%w\" VALUES (?", store->sweep.name);
    for (size_t i = 0; i < store->sweep.n_columns + 2; i++) sqlite3_str_appendf(text, ", ?");
    sqlite3_str_appendf(text, ")");
    return prepare_sql(store, sqlite3_str_finish(text), &store->put, err);
}

pc_status pc_store_begin(pc_store *store, const char *name, const pc_store_identity *identity,
                         const pc_store_column *columns, size_t n, pc_store_change change, pc_error *err)
{
    bool found = false, restart = false;
    pc_status status = read_sweep(store, name, &found, err);
    if (!status && found) status = compare(store, identity, columns, n, change, &restart, err);
    if (!status && restart) status = drop_sweep(store, name, err);
    if (!status && (restart || !found)) {
        status = make_sweep(store, name, identity, columns, n, err);
        if (!status) status = read_sweep(store, name, &found, err);
    }
    return status ? status : prepare_put(store, err);
}

const pc_store_sweep *pc_store_present(const pc_store *store)
{
    return &store->sweep;
}

pc_status pc_store_count(pc_store *store, uint64_t *rows, uint64_t *failed, pc_error *err)
{
    int64_t n = 0, bad = 0;
    pc_status status = ask_sql(store, sqlite3_mprintf("SELECT count(*) FROM \"%w\"", store->sweep.name), &n, err);
    if (!status)
        status =
            ask_sql(store, sqlite3_mprintf("SELECT count(*) FROM \"%w\" WHERE error IS NOT NULL", store->sweep.name),
                    &bad, err);
    *rows = (uint64_t)n;
    *failed = (uint64_t)bad;
    return status;
}

/* ---- rows ---- */

pc_status pc_store_rows(pc_store *store, pc_error *err)
{
    sqlite3_finalize(store->rows);
    store->rows = NULL;
    store->last = 0;
    return prepare_sql(store, sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY \"index\"", store->sweep.name),
                       &store->rows, err);
}

pc_status pc_store_next(pc_store *store, pc_store_row *row, bool *found, pc_error *err)
{
    int code = sqlite3_step(store->rows), n = (int)store->sweep.n_columns;
    *found = code == SQLITE_ROW;
    if (code == SQLITE_DONE) return PC_OK;
    if (code != SQLITE_ROW) return fail_store(store, "read", err);
    int64_t index = sqlite3_column_int64(store->rows, 0);
    if (index <= store->last || (uint64_t)index > store->sweep.identity.points)
        return fail_damaged(store, err, "the sweep '%.60s' has a point %lld after point %lld of %lld",
                            store->sweep.name, (long long)index, (long long)store->last,
                            (long long)store->sweep.identity.points);
    store->last = index;
    for (int i = 0; i <= n; i++) {
        int type = sqlite3_column_type(store->rows, i + 1);
        double value = type == SQLITE_NULL ? (double)NAN : sqlite3_column_double(store->rows, i + 1);
        if (type != SQLITE_NULL && type != SQLITE_FLOAT && type != SQLITE_INTEGER)
            return fail_damaged(store, err, "'%.60s' of point %lld of the sweep '%.60s' is no number",
                                i < n ? store->sweep.columns[i].name : "seconds", (long long)index, store->sweep.name);
        if (i < n)
            store->values[i] = value;
        else
            row->seconds = value;
    }
    row->index = (uint64_t)index;
    row->values = store->values;
    row->error = text_at(store->rows, n + 2);
    if (!row->error && sqlite3_column_type(store->rows, n + 2) != SQLITE_NULL)
        return fail_damaged(store, err, "the error of point %lld of the sweep '%.60s' is no text", (long long)index,
                            store->sweep.name);
    return PC_OK;
}

pc_status pc_store_put(pc_store *store, const pc_store_row *row, pc_error *err)
{
    if (!store->writing) {
        pc_status status = run_sql(store, sqlite3_mprintf("BEGIN IMMEDIATE"), "write to", err);
        if (status) return status;
        store->writing = true;
    }
    sqlite3_stmt *put = store->put;
    int n = (int)store->sweep.n_columns;
    sqlite3_bind_int64(put, 1, (sqlite3_int64)row->index);
    /* SQLite stores NaN as NULL */
    for (int i = 0; i < n; i++) sqlite3_bind_double(put, i + 2, row->values[i]);
    sqlite3_bind_double(put, n + 2, row->seconds);
    if (row->error)
        sqlite3_bind_text(put, n + 3, row->error, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(put, n + 3);
    int code = sqlite3_step(put);
    pc_status status = code == SQLITE_DONE ? PC_OK : fail_store(store, "write to", err);
    sqlite3_reset(put);
    return status;
}

pc_status pc_store_commit(pc_store *store, pc_error *err)
{
    if (!store->writing) return PC_OK;
    store->writing = false;
    pc_status status = run_sql(store, sqlite3_mprintf("COMMIT"), "write to", err);
    if (status && !sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

/* ---- joining stores ---- */

/* Rows of the part's present sweep into the same sweep of the store, which has it by now. */
static pc_status copy_rows(pc_store *store, pc_store *part, uint64_t *rows, pc_error *err)
{
    sqlite3_stmt *known = NULL;
    pc_status status = prepare_sql(
        store, sqlite3_mprintf("SELECT error IS NOT NULL FROM \"%w\" WHERE \"index\" = ?", store->sweep.name), &known,
        err);
    if (!status) status = pc_store_rows(part, err);
    pc_store_row row;
    bool found = true;
    while (!status) {
        status = pc_store_next(part, &row, &found, err);
        if (status || !found) break;
        sqlite3_bind_int64(known, 1, (sqlite3_int64)row.index);
        int code = sqlite3_step(known);
        bool has = code == SQLITE_ROW, failed = has && sqlite3_column_int(known, 0) != 0;
        if (!has && code != SQLITE_DONE) status = fail_store(store, "read", err);
        sqlite3_reset(known);
        if (status) break;
        if (has && !(failed && !row.error)) continue;
        status = pc_store_put(store, &row, err);
        if (!status) ++*rows;
    }
    sqlite3_finalize(known);
    pc_status ended = status ? PC_OK : pc_store_commit(store, err);
    return status ? status : ended;
}

pc_status pc_store_merge(pc_store *store, const char *path, uint64_t *rows, pc_error *err)
{
    *rows = 0;
    pc_store *part;
    pc_status status = pc_store_open(&part, path, false, err);
    if (status) return status;
    bool found = true;
    for (size_t i = 0; !status; i++) {
        status = pc_store_select_nth(part, i, &found, err);
        if (status || !found) break;
        status = pc_store_begin(store, part->sweep.name, &part->sweep.identity, part->sweep.columns,
                                part->sweep.n_columns, PC_STORE_REFUSE, err);
        if (!status) {
            status = copy_rows(store, part, rows, err);
            continue;
        }
        char reason[PC_ERROR_TEXT];
        memcpy(reason, err->text, sizeof reason);
        pc_fail(err, status, "'%.100s' does not belong to the same sweep: %.300s", path, reason);
    }
    pc_store_close(part);
    return status;
}

/* Without SQLite nothing can be opened, so nobody has a store for the rest. */
#else

pc_status pc_store_open(pc_store **store, const char *path, bool writes, pc_error *err)
{
    (void)path, (void)writes;
    *store = NULL;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

void pc_store_close(pc_store *store)
{
    (void)store;
}

void pc_store_leave(pc_store *store)
{
    (void)store;
}

pc_status pc_store_begin(pc_store *store, const char *name, const pc_store_identity *identity,
                         const pc_store_column *columns, size_t n_columns, pc_store_change change, pc_error *err)
{
    (void)store, (void)name, (void)identity, (void)columns, (void)n_columns, (void)change;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_select(pc_store *store, const char *name, pc_error *err)
{
    (void)store, (void)name;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_select_nth(pc_store *store, size_t i, bool *found, pc_error *err)
{
    (void)store, (void)i, (void)found;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

const pc_store_sweep *pc_store_present(const pc_store *store)
{
    (void)store;
    return NULL;
}

pc_status pc_store_count(pc_store *store, uint64_t *rows, uint64_t *failed, pc_error *err)
{
    (void)store, (void)rows, (void)failed;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_rows(pc_store *store, pc_error *err)
{
    (void)store;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_next(pc_store *store, pc_store_row *row, bool *found, pc_error *err)
{
    (void)store, (void)row, (void)found;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_put(pc_store *store, const pc_store_row *row, pc_error *err)
{
    (void)store, (void)row;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_commit(pc_store *store, pc_error *err)
{
    (void)store;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

pc_status pc_store_merge(pc_store *store, const char *part, uint64_t *rows, pc_error *err)
{
    (void)store, (void)part, (void)rows;
    return pc_fail_missing(err, "SQLite", "stores of sweeps");
}

#endif
