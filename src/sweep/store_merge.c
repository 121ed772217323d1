/* Joining stores: see store.h. */
#include "sweep/store_parts.h"

#include <string.h>

/* Rows of the part's present sweep into the same sweep of the store, which has it by now. */
static pc_status copy_rows(pc_store *store, pc_store *part, uint64_t *rows, pc_error *err)
{
    sqlite3_stmt *known = NULL;
    pc_status status = pc_store_prepare(
        store, sqlite3_mprintf("SELECT error IS NOT NULL FROM \"%w\" WHERE \"index\" = ?", store->name), &known, err);
    if (!status) status = pc_store_rows(part, err);
    pc_store_row row;
    bool found = true;
    while (!status) {
        status = pc_store_next(part, &row, &found, err);
        if (status || !found) break;
        sqlite3_bind_int64(known, 1, (sqlite3_int64)row.index);
        int code = sqlite3_step(known);
        bool has = code == SQLITE_ROW, failed = has && sqlite3_column_int(known, 0) != 0;
        if (!has && code != SQLITE_DONE) status = pc_store_fail(store, "read", err);
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
    pc_status status = pc_store_open_read(&part, path, err);
    if (status) return status;
    bool found = true;
    for (size_t i = 0; !status; i++) {
        status = pc_store_select_nth(part, i, &found, err);
        if (status || !found) break;
        status =
            pc_store_begin(store, part->name, &part->identity, part->columns, part->n_columns, PC_STORE_REFUSE, err);
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
