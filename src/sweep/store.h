/* Points of sweeps in an SQLite file that survives a crash at any moment.
 *
 * The file has, for every sweep in it, a row in the table "sweep", one row for each of its columns in the table
 * "column" (name, unit, and whether it is an input or an output), and a table of its own, called as the sweep is, with
 * one row for each finished point:
 *
 *     "index" (from 1), the inputs, the outputs, seconds (of wall time), error (text, or NULL)
 *
 * A number that is not a number is NULL. The journal is a write-ahead log: others may read while a sweep writes, and
 * after kill -9 everything that was committed is there. One process writes to a store at a time.
 * Without SQLite nothing can be opened (pc_fail_missing).
 */
#ifndef PC_SWEEP_STORE_H
#define PC_SWEEP_STORE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PC_STORE_COLUMNS_MAX = 256, PC_STORE_WORD = 64 };

typedef struct pc_store pc_store;

typedef struct pc_store_column {
    const char *name, *unit; /* unit "" for a pure number */
    bool is_input;
} pc_store_column;

/* What a sweep is: two runs with equal identities compute equal points. Words are cut to PC_STORE_WORD - 1 bytes. */
typedef struct pc_store_identity {
    uint64_t points;                /* of the whole sweep */
    char parameters[PC_STORE_WORD]; /* digest of the inputs */
    char function[PC_STORE_WORD];   /* digest of the function */
    char program[PC_STORE_WORD];    /* versions that results depend on */
    char processor[PC_STORE_WORD];  /* class of the processor */
} pc_store_identity;

/* What to do with stored points of another identity. */
typedef enum pc_store_change {
    PC_STORE_REFUSE, /* an error that says what changed */
    PC_STORE_KEEP,   /* they count as points of this sweep; refused all the same if the inputs differ */
    PC_STORE_RESTART /* they are removed */
} pc_store_change;

/* A row: values of all columns in their order; error is NULL for a point that was computed. */
typedef struct pc_store_row {
    uint64_t index; /* from 1 */
    const double *values;
    double seconds;
    const char *error;
} pc_store_row;

/* Open the file for reading, or open or make it for writing as well. Refused are files that are no stores; to writers
 * also those that another process writes to, and those on a network, where the write-ahead log does not work. */
pc_status pc_store_open(pc_store **store, const char *path, bool writes, pc_error *err);

/* free(NULL)'s manners. In a process forked after opening it does nothing but let go of the lock. */
void pc_store_close(pc_store *store);

/* For a worker: the file that keeps other processes out is the parent's alone. */
void pc_store_leave(pc_store *store);

/* Begin or resume the sweep `name`; the texts of columns are copied. */
pc_status pc_store_begin(pc_store *store, const char *name, const pc_store_identity *identity,
                         const pc_store_column *columns, size_t n_columns, pc_store_change change, pc_error *err);

/* Make the sweep `name` the present one as the file has it; NULL stands for the only one. */
pc_status pc_store_select(pc_store *store, const char *name, pc_error *err);

/* The i-th sweep of the file in the order of their names, i from 0; *found = false if there are fewer. */
pc_status pc_store_select_nth(pc_store *store, size_t i, bool *found, pc_error *err);

/* The present sweep, and its rows. */
typedef struct pc_store_sweep {
    const char *name;
    pc_store_identity identity;
    size_t n_columns;
    pc_store_column columns[PC_STORE_COLUMNS_MAX];
} pc_store_sweep;
const pc_store_sweep *pc_store_present(const pc_store *store);
pc_status pc_store_count(pc_store *store, uint64_t *rows, uint64_t *failed, pc_error *err);

/* Read the present sweep's rows in the order of their indices: pc_store_rows, then pc_store_next until it gives
 * *found = false. What a row points to lasts until the next call. */
pc_status pc_store_rows(pc_store *store, pc_error *err);
pc_status pc_store_next(pc_store *store, pc_store_row *row, bool *found, pc_error *err);

/* Write a row, in a transaction that pc_store_commit ends. After PC_E_SYSTEM (a full disk, say) nothing more can be
 * written; what was committed stays. */
pc_status pc_store_put(pc_store *store, const pc_store_row *row, pc_error *err);
pc_status pc_store_commit(pc_store *store, pc_error *err);

/* ---- joining stores ---- */

/* Copy every sweep of the file `part` into the store. Sweeps of one name must have one identity. A point that both
 * have is taken from the part if the store's failed. `rows`: points taken. */
pc_status pc_store_merge(pc_store *store, const char *part, uint64_t *rows, pc_error *err);

/* Arrays in NumPy's .npz form: a zip archive with one .npy file an array, without compression (NEP 1; APPNOTE of
 * PKWARE, 4.3). numpy.load reads it. */

typedef struct pc_npz_column {
    const char *name;
    const double *values;
    size_t n;
} pc_npz_column;

/* The file appears whole or not at all. PC_E_LIMIT for what a zip archive of the classic form cannot hold: 4 GiB, or
 * 65535 arrays. */
pc_status pc_npz_write(const char *path, const pc_npz_column *columns, size_t n, pc_error *err);

#endif
