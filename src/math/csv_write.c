/* Comma-separated values, written: see csv.h. */
#include "math/csv.h"

#include "base/interrupt.h"
#include "base/outfile.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 4096 }; /* rows between two looks at the interrupt flag */

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && *end == '\0';
}

static pc_status check_headers(const pc_csv_column *columns, size_t n, pc_error *err)
{
    bool numbers = true;
    for (size_t i = 0; i < n; i++) {
        const char *name = columns[i].name, *unit = columns[i].unit ? columns[i].unit : "";
        if (!*name) return pc_fail(err, PC_E_ARGUMENT, "column %zu has no name", i + 1);
        if (strpbrk(name, "\r\n") || strpbrk(unit, "\r\n[]"))
            return pc_fail(err, PC_E_ARGUMENT, "the header of column %zu has a line break, or its unit a bracket",
                           i + 1);
        for (size_t j = 0; j < i; j++)
            if (strcmp(columns[j].name, name) == 0)
                return pc_fail(err, PC_E_ARGUMENT, "columns %zu and %zu are both called '%s'", j + 1, i + 1, name);
        numbers = numbers && !*unit && is_number(name);
    }
    if (numbers) return pc_fail(err, PC_E_ARGUMENT, "headers that are all numbers would be read as data");
    return PC_OK;
}

/* Always quoted where a reader could take it for something else. */
static void write_header(FILE *stream, const pc_csv_column *column)
{
    const char *name = column->name;
    size_t n = strlen(name);
    bool quote = strpbrk(name, ",\"") || strpbrk(name, " #\t") == name || name[n - 1] == ' ' ||
                 (column->unit && strpbrk(column->unit, ",\""));
    if (quote) putc('"', stream);
    for (const char *s = name; *s; s++) {
        if (*s == '"') putc('"', stream);
        putc(*s, stream);
    }
    if (column->unit && *column->unit) {
        fputs(" [", stream);
        for (const char *s = column->unit; *s; s++) {
            if (*s == '"') putc('"', stream);
            putc(*s, stream);
        }
        putc(']', stream);
    }
    if (quote) putc('"', stream);
}

static void write_number(FILE *stream, double x)
{
    char text[32];
    if (isnan(x)) {
        fputs("nan", stream); /* printf may add a sign */
        return;
    }
    snprintf(text, sizeof text, "%.15g", x);
    if (strtod(text, NULL) != x) snprintf(text, sizeof text, "%.17g", x);
    fputs(text, stream);
}

pc_status pc_csv_write(const char *path, const pc_csv_column *columns, size_t n_columns, size_t n_rows, pc_error *err)
{
    if (n_columns == 0) return pc_fail(err, PC_E_ARGUMENT, "a table needs at least one column");
    pc_status status = check_headers(columns, n_columns, err);
    if (status != PC_OK) return status;
    pc_outfile file;
    status = pc_outfile_open(&file, path, err);
    if (status != PC_OK) return status;
    for (size_t j = 0; j < n_columns; j++) {
        if (j > 0) putc(',', file.stream);
        write_header(file.stream, &columns[j]);
    }
    putc('\n', file.stream);
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) {
            if (j > 0) putc(',', file.stream);
            write_number(file.stream, columns[j].values[i]);
        }
        putc('\n', file.stream);
        if ((i + 1) % LOOK == 0 && pc_interrupted()) {
            pc_outfile_abandon(&file);
            return pc_fail(err, PC_E_INTERRUPTED, "interrupted while writing '%s'; no file was written", path);
        }
    }
    return pc_outfile_commit(&file, err);
}
