/* The sweeps in a store and their rows: see store.h. Opening and failing is in store.c. */
#include "sweep/store_parts.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

/* ---- the present sweep ---- */

static pc_status no_memory(pc_store *store, pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "no memory to use the store '%.200s'", store->path);
}

static pc_status add_column(pc_store *store, const char *name, const char *unit, bool is_input, pc_error *err)
{
    if (store->n_columns == PC_STORE_COLUMNS_MAX)
        return pc_fail(err, PC_E_LIMIT, "a store has at most %d columns a sweep", PC_STORE_COLUMNS_MAX);
    pc_store_column *column = &store->columns[store->n_columns];
    *column = (pc_store_column){pc_strdup(name), pc_strdup(unit), is_input};
    store->n_columns++;
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
    pc_store_identity *what = &store->identity;
    char *const words[] = {what->parameters, what->function, what->program, what->processor};
    int64_t points = sqlite3_column_int64(row, 0);
    if (sqlite3_column_type(row, 0) != SQLITE_INTEGER || points < 1)
        return pc_store_damaged(store, err, "the sweep '%.60s' has no number of points", name);
    what->points = (uint64_t)points;
    for (int i = 0; i < 4; i++) {
        const char *text = text_at(row, i + 1);
        if (!text)
            return pc_store_damaged(store, err, "the %s of the sweep '%.60s' is no text",
                                    sqlite3_column_name(row, i + 1), name);
        sqlite3_snprintf(PC_STORE_WORD, words[i], "%s", text);
    }
    return PC_OK;
}

static pc_status read_column(pc_store *store, const char *name, sqlite3_stmt *row, pc_error *err)
{
    for (int i = 0; i < 3; i++)
        if (!text_at(row, i))
            return pc_store_damaged(store, err, "the %s of column %d of the sweep '%.60s' is no text",
                                    sqlite3_column_name(row, i), (int)store->n_columns + 1, name);
    return add_column(store, text_at(row, 0), text_at(row, 1), strcmp(text_at(row, 2), "input") == 0, err);
}

/* The table of the present sweep has the columns that the file lists for it, between those of its own. */
static pc_status check_table(pc_store *store, pc_error *err)
{
    int64_t tables = 0;
    pc_status status = pc_store_ask(
        store,
        sqlite3_mprintf("SELECT count(*) FROM pragma_table_list AS list WHERE schema = 'main' AND list.name = %Q AND"
                        " type = 'table' AND (SELECT count(*) FROM pragma_table_info(list.name) WHERE name = 'index'"
                        " AND pk = 1 AND upper(type) = 'INTEGER') = 1",
                        store->name),
        &tables, err);
    if (status) return status;
    if (tables != 1) return pc_store_damaged(store, err, "the sweep '%.60s' has no table of points", store->name);
    sqlite3_stmt *all = NULL;
    status = pc_store_prepare(store, sqlite3_mprintf("SELECT * FROM \"%w\"", store->name), &all, err);
    int n = status ? 0 : sqlite3_column_count(all), wanted = (int)store->n_columns + 3;
    if (!status && n != wanted)
        status = pc_store_damaged(store, err, "the points of the sweep '%.60s' have %d columns, not %d", store->name, n,
                                  wanted);
    for (int i = 0; i < n && !status; i++) {
        const char *found = sqlite3_column_name(all, i);
        const char *name = i == 0       ? "index"
                           : i == n - 2 ? "seconds"
                           : i == n - 1 ? "error"
                                        : store->columns[i - 1].name;
        if (!found)
            status = no_memory(store, err);
        else if (*name == '\0' || strcmp(found, name) != 0)
            status =
                pc_store_damaged(store, err, "column %d of the points of the sweep '%.60s' is '%.60s', not '%.60s'",
                                 i + 1, store->name, found, name);
    }
    sqlite3_finalize(all);
    return status;
}

/* *found = false where the file has no such sweep. */
static pc_status read_sweep(pc_store *store, const char *name, bool *found, pc_error *err)
{
    pc_store_forget(store);
    sqlite3_stmt *row = NULL;
    pc_status status = pc_store_prepare(
        store,
        sqlite3_mprintf("SELECT points, parameters, function, program, processor FROM sweep WHERE name = %Q", name),
        &row, err);
    if (status) return status;
    int code = sqlite3_step(row);
    *found = code == SQLITE_ROW;
    if (*found) status = read_identity(store, name, row, err);
    sqlite3_finalize(row);
    if (code == SQLITE_DONE || status) return status;
    if (code != SQLITE_ROW) return pc_store_fail(store, "read", err);

    store->name = pc_strdup(name);
    if (!store->name) return no_memory(store, err);
    status = pc_store_prepare(
        store, sqlite3_mprintf("SELECT name, unit, role FROM column WHERE sweep = %Q ORDER BY position", name), &row,
        err);
    while (!status && (code = sqlite3_step(row)) == SQLITE_ROW) status = read_column(store, name, row, err);
    sqlite3_finalize(row);
    if (!status && code != SQLITE_DONE) status = pc_store_fail(store, "read", err);
    return status ? status : check_table(store, err);
}

pc_status pc_store_select_nth(pc_store *store, size_t i, bool *found, pc_error *err)
{
    sqlite3_stmt *row = NULL;
    pc_status status = pc_store_prepare(
        store, sqlite3_mprintf("SELECT name FROM sweep ORDER BY name LIMIT 1 OFFSET %lld", (long long)i), &row, err);
    if (status) return status;
    int code = sqlite3_step(row);
    *found = code == SQLITE_ROW;
    const char *text = *found ? text_at(row, 0) : NULL;
    char *name = text ? pc_strdup(text) : NULL;
    sqlite3_finalize(row);
    if (code == SQLITE_DONE) return PC_OK;
    if (!*found) return pc_store_fail(store, "read", err);
    if (!text) return pc_store_damaged(store, err, "the name of a sweep is no text");
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
    pc_status status = pc_store_run(store, sqlite3_str_finish(text), "begin a sweep in", err);
    if (status) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static pc_status drop_sweep(pc_store *store, const char *name, pc_error *err)
{
    return pc_store_run(store,
                        sqlite3_mprintf("BEGIN IMMEDIATE; DROP TABLE \"%w\"; DELETE FROM sweep WHERE name = %Q;"
                                        " DELETE FROM column WHERE sweep = %Q; COMMIT",
                                        name, name, name),
                        "empty", err);
}

static bool same_columns(const pc_store *store, const pc_store_column *columns, size_t n)
{
    if (store->n_columns != n) return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(store->columns[i].name, columns[i].name) != 0 || store->columns[i].is_input != columns[i].is_input)
            return false;
    return true;
}

/* The stored sweep is another one than that which is asked for: say so, or do what `change` says. */
static pc_status compare(pc_store *store, const pc_store_identity *wanted, const pc_store_column *columns, size_t n,
                         pc_store_change change, bool *restart, pc_error *err)
{
    const pc_store_identity *stored = &store->identity;
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
            store->path, store->name);
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
    sqlite3_str_appendf(text, "INSERT OR REPLACE INTO \"%w\" VALUES (?", store->name);
    for (size_t i = 0; i < store->n_columns + 2; i++) sqlite3_str_appendf(text, ", ?");
    sqlite3_str_appendf(text, ")");
    return pc_store_prepare(store, sqlite3_str_finish(text), &store->put, err);
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

const char *pc_store_name(const pc_store *store)
{
    return store->name;
}

size_t pc_store_columns(const pc_store *store, const pc_store_column **columns)
{
    *columns = store->columns;
    return store->n_columns;
}

const pc_store_identity *pc_store_what(const pc_store *store)
{
    return &store->identity;
}

pc_status pc_store_count(pc_store *store, uint64_t *rows, uint64_t *failed, pc_error *err)
{
    int64_t n = 0, bad = 0;
    pc_status status = pc_store_ask(store, sqlite3_mprintf("SELECT count(*) FROM \"%w\"", store->name), &n, err);
    if (!status)
        status = pc_store_ask(
            store, sqlite3_mprintf("SELECT count(*) FROM \"%w\" WHERE error IS NOT NULL", store->name), &bad, err);
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
    return pc_store_prepare(store, sqlite3_mprintf("SELECT * FROM \"%w\" ORDER BY \"index\"", store->name),
                            &store->rows, err);
}

pc_status pc_store_next(pc_store *store, pc_store_row *row, bool *found, pc_error *err)
{
    int code = sqlite3_step(store->rows), n = (int)store->n_columns;
    *found = code == SQLITE_ROW;
    if (code == SQLITE_DONE) return PC_OK;
    if (code != SQLITE_ROW) return pc_store_fail(store, "read", err);
    int64_t index = sqlite3_column_int64(store->rows, 0);
    if (index <= store->last || (uint64_t)index > store->identity.points)
        return pc_store_damaged(store, err, "the sweep '%.60s' has a point %lld after point %lld of %lld", store->name,
                                (long long)index, (long long)store->last, (long long)store->identity.points);
    store->last = index;
    for (int i = 0; i <= n; i++) {
        int type = sqlite3_column_type(store->rows, i + 1);
        double value = type == SQLITE_NULL ? (double)NAN : sqlite3_column_double(store->rows, i + 1);
        if (type != SQLITE_NULL && type != SQLITE_FLOAT && type != SQLITE_INTEGER)
            return pc_store_damaged(store, err, "'%.60s' of point %lld of the sweep '%.60s' is no number",
                                    i < n ? store->columns[i].name : "seconds", (long long)index, store->name);
        if (i < n)
            store->values[i] = value;
        else
            row->seconds = value;
    }
    row->index = (uint64_t)index;
    row->values = store->values;
    row->error = text_at(store->rows, n + 2);
    if (!row->error && sqlite3_column_type(store->rows, n + 2) != SQLITE_NULL)
        return pc_store_damaged(store, err, "the error of point %lld of the sweep '%.60s' is no text", (long long)index,
                                store->name);
    return PC_OK;
}

pc_status pc_store_put(pc_store *store, const pc_store_row *row, pc_error *err)
{
    if (!store->writing) {
        pc_status status = pc_store_run(store, sqlite3_mprintf("BEGIN IMMEDIATE"), "write to", err);
        if (status) return status;
        store->writing = true;
    }
    sqlite3_stmt *put = store->put;
    int n = (int)store->n_columns;
    sqlite3_bind_int64(put, 1, (sqlite3_int64)row->index);
    /* SQLite stores NaN as NULL */
    for (int i = 0; i < n; i++) sqlite3_bind_double(put, i + 2, row->values[i]);
    sqlite3_bind_double(put, n + 2, row->seconds);
    if (row->error)
        sqlite3_bind_text(put, n + 3, row->error, -1, SQLITE_STATIC);
    else
        sqlite3_bind_null(put, n + 3);
    int code = sqlite3_step(put);
    pc_status status = code == SQLITE_DONE ? PC_OK : pc_store_fail(store, "write to", err);
    sqlite3_reset(put);
    return status;
}

pc_status pc_store_commit(pc_store *store, pc_error *err)
{
    if (!store->writing) return PC_OK;
    store->writing = false;
    pc_status status = pc_store_run(store, sqlite3_mprintf("COMMIT"), "write to", err);
    if (status && !sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}
