/* Tables of numbers as text: comma-separated values (RFC 4180), one line of headers "name [unit]", then numbers.
 *
 * Reading: blank lines and lines that begin with # are skipped; a first line made of numbers only is data, and the
 * columns are then called c1, c2, ...; every line must have the same number of fields and every field that is read a
 * number (nan and inf count), or a word that stands for a missing one. Writing: each number with the fewest of 15 or 17
 * digits that read back as the same double.
 */
#ifndef PC_MATH_CSV_H
#define PC_MATH_CSV_H

#include "base/status.h"

#include <stddef.h>
#include <stdio.h>

typedef struct pc_csv_header {
    char *name, *unit; /* unit: "" for a pure number */
} pc_csv_header;

typedef struct pc_csv {
    size_t n_columns, n_rows, capacity; /* capacity: numbers there is room for */
    pc_csv_header *headers;
    double *values; /* row by row */
} pc_csv;

/* How a file is written that is not ours. All zero: as ours are. */
typedef struct pc_csv_format {
    char separator;             /* 0: a comma */
    const char *const *missing; /* fields that stand for a number that is not there, and become NaN */
    const char *const *columns; /* names of the columns that are read, in this order; the others may hold any text */
    size_t n_missing, n_columns;
} pc_csv_format;

/* `table` is zeroed; after success and failure pc_csv_free takes what it holds. Failures of the file and of what it
 * contains are PC_E_SYSTEM and name the file and the line. `format` NULL: as ours. */
pc_status pc_csv_read(pc_csv *table, const char *path, const pc_csv_format *format, pc_error *err);

/* The same from an open stream; `name` stands for the file in messages. */
pc_status pc_csv_read_stream(pc_csv *table, FILE *stream, const char *name, const pc_csv_format *format, pc_error *err);

void pc_csv_free(pc_csv *table);

/* A column to be written: name and unit (NULL or "" for none) and n_rows numbers. */
typedef struct pc_csv_column {
    const char *name, *unit;
    const double *values;
} pc_csv_column;

/* The file appears whole or not at all. PC_E_ARGUMENT for headers that could not be read back: an empty name, one
 * given twice, a line break, or numbers only. */
pc_status pc_csv_write(const char *path, const pc_csv_column *columns, size_t n_columns, size_t n_rows, pc_error *err);

#endif
