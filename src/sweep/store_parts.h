/* For the files of the store only. */
#ifndef PC_SWEEP_STORE_PARTS_H
#define PC_SWEEP_STORE_PARTS_H

#include "sweep/store.h"

#include <sqlite3.h>
#include <sys/types.h>

struct pc_store {
    sqlite3 *db;
    sqlite3_stmt *put, *rows;
    char *path;
    int lock;     /* descriptor whose lock says that this process writes; -1: read only */
    pid_t owner;  /* a forked child must not touch db */
    bool writing; /* a transaction is open */
    char *name;   /* of the present sweep */
    pc_store_identity identity;
    size_t n_columns;
    pc_store_column columns[PC_STORE_COLUMNS_MAX]; /* their texts are owned */
    double values[PC_STORE_COLUMNS_MAX];           /* of the row read last */
    int64_t last;                                  /* its index; 0: none was read */
};

/* What SQLite can read but no store has. Others may have written to the file: nothing in it is believed. */
pc_status pc_store_damaged(pc_store *store, pc_error *err, const char *format, ...) PC_PRINTF(3, 4);

/* The failure of SQLite's last call, in words that say which file and what to do. */
pc_status pc_store_fail(pc_store *store, const char *doing, pc_error *err);

/* Run statements; `sql` is freed by sqlite3_free, and NULL is a lack of memory. */
pc_status pc_store_run(pc_store *store, char *sql, const char *doing, pc_error *err);

/* The one number that a statement gives; the same. */
pc_status pc_store_ask(pc_store *store, char *sql, int64_t *number, pc_error *err);

/* There is no present sweep any more. */
void pc_store_forget(pc_store *store);

/* Prepare one; the same. */
pc_status pc_store_prepare(pc_store *store, char *sql, sqlite3_stmt **statement, pc_error *err);

#endif
