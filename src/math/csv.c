/* Comma-separated values, read and written: see csv.h. */
#include "math/csv.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/status.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK = 4096 }; /* rows between two looks at the interrupt flag */

typedef struct reader {
    FILE *stream;
    const char *name;
    pc_csv_format format;
    size_t *kept; /* of each column of the table its place in the file */
    size_t file_columns;
    size_t line; /* number of the present line */
    char *text;  /* the line; fields are cut out of it in place */
    size_t room;
    char **fields; /* of the present line */
    size_t n_fields, field_room;
    pc_error *err;
} reader;

static pc_status fail_memory(reader *r)
{
    return pc_fail(r->err, PC_E_MEMORY, "no memory to read '%s'", r->name);
}

/* Next line without its end into r->text; *more is false at the end of the file. */
static pc_status read_line(reader *r, bool *more)
{
    size_t n = 0;
    int c = getc(r->stream);
    *more = c != EOF;
    for (; c != EOF && c != '\n'; c = getc(r->stream)) {
        if (!PC_GROW(r->text, r->room, n + 2)) return fail_memory(r);
        if (c == '\0') return pc_fail(r->err, PC_E_SYSTEM, "%s, line %zu: this is not text", r->name, r->line + 1);
        r->text[n++] = (char)c;
    }
    if (ferror(r->stream)) return pc_fail(r->err, PC_E_SYSTEM, "cannot read '%s': %s", r->name, strerror(errno));
    r->line++;
    if (!PC_GROW(r->text, r->room, 1)) return fail_memory(r);
    if (n > 0 && r->text[n - 1] == '\r') n--;
    r->text[n] = '\0';
    static const char mark[] = "\xEF\xBB\xBF"; /* the byte order mark that some spreadsheets write */
    if (r->line == 1 && strncmp(r->text, mark, 3) == 0) memmove(r->text, r->text + 3, n - 2);
    return PC_OK;
}

static pc_status add_field(reader *r, char *field)
{
    if (!PC_GROW(r->fields, r->field_room, r->n_fields + 1)) return fail_memory(r);
    r->fields[r->n_fields++] = field;
    return PC_OK;
}

/* A tab between fields is none of the blanks around them. */
static bool is_blank(const reader *r, char c)
{
    return c == ' ' || (c == '\t' && r->format.separator != '\t');
}

static char *skip_blanks(const reader *r, char *s)
{
    while (is_blank(r, *s)) s++;
    return s;
}

/* A quoted field that begins at s: unquotes it in place; returns what follows it, or NULL if it does not end. */
static char *unquote(char *s)
{
    char *to = s, *from = s + 1;
    for (;; from++) {
        if (*from == '\0') return NULL;
        if (*from == '"' && *++from != '"') break;
        *to++ = *from;
    }
    /* `from` is behind the closing quote, so there is room for the terminator */
    *to = '\0';
    return from;
}

/* Cuts the line into fields without the blanks around them. */
static pc_status split(reader *r)
{
    r->n_fields = 0;
    for (char *s = r->text;;) {
        char *field = s = skip_blanks(r, s), *end = NULL;
        if (*s == '"') {
            s = unquote(s);
            if (!s) return pc_fail(r->err, PC_E_SYSTEM, "%s, line %zu: a quote is not closed", r->name, r->line);
            s = skip_blanks(r, s);
            if (*s && *s != r->format.separator)
                return pc_fail(r->err, PC_E_SYSTEM, "%s, line %zu: text after a closing quote", r->name, r->line);
        } else {
            s += strcspn(s, (const char[]){r->format.separator, '\0'});
            for (end = s; end > field && is_blank(r, end[-1]); end--) continue;
        }
        bool last = *s == '\0';
        if (end) *end = '\0';
        pc_status status = add_field(r, field);
        if (status != PC_OK || last) return status;
        s++;
    }
}

/* The next line that holds something, as fields; *more is false at the end. */
static pc_status next_record(reader *r, bool *more)
{
    for (;;) {
        pc_status status = read_line(r, more);
        if (status != PC_OK || !*more) return status;
        const char *s = skip_blanks(r, r->text);
        if (*s && *s != '#') return split(r);
    }
}

static bool is_number(const char *field, double *value)
{
    char *end;
    *value = strtod(field, &end);
    return end != field && *end == '\0';
}

static bool is_missing(const reader *r, const char *field)
{
    for (size_t i = 0; i < r->format.n_missing; i++)
        if (strcmp(field, r->format.missing[i]) == 0) return true;
    return false;
}

static bool all_numbers(const reader *r)
{
    double value;
    for (size_t i = 0; i < r->n_fields; i++)
        if (!is_number(r->fields[i], &value) && !is_missing(r, r->fields[i])) return false;
    return true;
}

/* "name [unit]" or a name alone. */
static pc_status set_header(reader *r, pc_csv_header *header, char *field)
{
    char *unit = NULL;
    size_t n = strlen(field);
    if (n > 0 && field[n - 1] == ']') unit = strrchr(field, '[');
    if (unit) {
        field[n - 1] = '\0';
        char *end = unit;
        while (end > field && end[-1] == ' ') end--;
        *unit++ = '\0';
        *end = '\0';
    }
    header->name = pc_strdup(field);
    header->unit = pc_strdup(unit ? unit : "");
    return header->name && header->unit ? PC_OK : fail_memory(r);
}

static pc_status check_names(reader *r, const pc_csv *table)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *name = table->headers[i].name;
        if (!*name) return pc_fail(r->err, PC_E_SYSTEM, "%s: column %zu has no name", r->name, i + 1);
        for (size_t j = 0; j < i; j++)
            if (strcmp(table->headers[j].name, name) == 0)
                return pc_fail(r->err, PC_E_SYSTEM, "%s: columns %zu and %zu are both called '%s'", r->name, j + 1,
                               i + 1, name);
    }
    return PC_OK;
}

/* Of the columns that are wanted their places in the file; the table has these alone. */
static pc_status keep_columns(reader *r, pc_csv *table)
{
    size_t n = r->format.n_columns;
    pc_csv_header *headers = pc_calloc(n, sizeof *headers);
    if (!headers) return fail_memory(r);
    pc_status status = PC_OK;
    for (size_t i = 0; i < n && status == PC_OK; i++) {
        size_t at = 0;
        while (at < table->n_columns && strcmp(table->headers[at].name, r->format.columns[i]) != 0) at++;
        if (at == table->n_columns) {
            status = pc_fail(r->err, PC_E_SYSTEM, "'%s' has no column '%.60s'", r->name, r->format.columns[i]);
            break;
        }
        r->kept[i] = at;
        headers[i].name = pc_strdup(table->headers[at].name);
        headers[i].unit = pc_strdup(table->headers[at].unit);
        if (!headers[i].name || !headers[i].unit) status = fail_memory(r);
    }
    /* what the table held goes, and it holds the wanted ones, whole or not */
    pc_csv_free(table);
    table->headers = headers;
    table->n_columns = n;
    return status;
}

/* The first record names the columns; *is_data if it is numbers and the names are ours. */
static pc_status read_headers(reader *r, pc_csv *table, bool *is_data)
{
    *is_data = all_numbers(r);
    r->file_columns = r->n_fields;
    r->kept = pc_calloc(r->n_fields > r->format.n_columns ? r->n_fields : r->format.n_columns, sizeof *r->kept);
    table->headers = pc_calloc(r->n_fields, sizeof *table->headers);
    if (!r->kept || !table->headers) return fail_memory(r);
    table->n_columns = r->n_fields;
    for (size_t i = 0; i < r->n_fields; i++) {
        char made[32];
        snprintf(made, sizeof made, "c%zu", i + 1);
        r->kept[i] = i;
        pc_status status = set_header(r, &table->headers[i], *is_data ? made : r->fields[i]);
        if (status != PC_OK) return status;
    }
    pc_status status = check_names(r, table);
    return status == PC_OK && r->format.n_columns > 0 ? keep_columns(r, table) : status;
}

static pc_status add_row(reader *r, pc_csv *table)
{
    size_t n = table->n_columns, used = table->n_rows * n;
    if (r->n_fields != r->file_columns)
        return pc_fail(r->err, PC_E_SYSTEM, "%s, line %zu: %zu fields where there are %zu columns", r->name, r->line,
                       r->n_fields, r->file_columns);
    if (!PC_GROW(table->values, table->capacity, used + n)) return fail_memory(r);
    for (size_t i = 0; i < n; i++) {
        const char *field = r->fields[r->kept[i]];
        double *value = &table->values[used + i];
        if (is_missing(r, field)) *value = NAN;
        if (is_missing(r, field) || is_number(field, value)) continue;
        if (!*field)
            return pc_fail(r->err, PC_E_SYSTEM,
                           "%s, line %zu: '%s' is empty; a missing number is written nan, or missing = \"\" allows it",
                           r->name, r->line, table->headers[i].name);
        bool whole_line = r->file_columns == 1 && strpbrk(field, ";\t");
        return pc_fail(r->err, PC_E_SYSTEM, "%s, line %zu: '%s' is \"%.60s\", not a number; %s", r->name, r->line,
                       table->headers[i].name, field,
                       whole_line ? "separator = says what stands between fields"
                                  : "missing = and columns = say what to do with texts");
    }
    table->n_rows++;
    return PC_OK;
}

static pc_status read_records(reader *r, pc_csv *table)
{
    bool more, is_data = false;
    pc_status status = next_record(r, &more);
    if (status != PC_OK) return status;
    if (!more) return pc_fail(r->err, PC_E_SYSTEM, "'%s' holds no table", r->name);
    status = read_headers(r, table, &is_data);
    if (status == PC_OK && is_data) status = add_row(r, table);
    while (status == PC_OK) {
        status = next_record(r, &more);
        if (status != PC_OK || !more) break;
        status = add_row(r, table);
        if (status == PC_OK && table->n_rows % LOOK == 0 && pc_interrupted())
            status = pc_fail(r->err, PC_E_INTERRUPTED, "interrupted in line %zu of '%s'", r->line, r->name);
    }
    return status;
}

pc_status pc_csv_read_stream(pc_csv *table, FILE *stream, const char *name, const pc_csv_format *format, pc_error *err)
{
    reader r = {.stream = stream, .name = name, .err = err};
    if (format) r.format = *format;
    if (!r.format.separator) r.format.separator = ',';
    pc_status status = read_records(&r, table);
    pc_free(r.text);
    pc_free(r.fields);
    pc_free(r.kept);
    return status;
}

pc_status pc_csv_read(pc_csv *table, const char *path, const pc_csv_format *format, pc_error *err)
{
    FILE *stream = pc_file_open(path, "r");
    if (!stream) return pc_fail(err, PC_E_SYSTEM, "cannot read '%s': %s", path, strerror(errno));
    pc_status status = pc_csv_read_stream(table, stream, path, format, err);
    fclose(stream);
    return status;
}

void pc_csv_free(pc_csv *table)
{
    for (size_t i = 0; i < table->n_columns; i++) {
        pc_free(table->headers[i].name);
        pc_free(table->headers[i].unit);
    }
    pc_free(table->headers);
    pc_free(table->values);
    *table = (pc_csv){0};
}

static pc_status check_headers(const pc_csv_column *columns, size_t n, pc_error *err)
{
    bool numbers = true;
    double value;
    for (size_t i = 0; i < n; i++) {
        const char *name = columns[i].name, *unit = columns[i].unit ? columns[i].unit : "";
        if (!*name) return pc_fail(err, PC_E_ARGUMENT, "column %zu has no name", i + 1);
        if (strpbrk(name, "\r\n") || strpbrk(unit, "\r\n[]"))
            return pc_fail(err, PC_E_ARGUMENT, "the header of column %zu has a line break, or its unit a bracket",
                           i + 1);
        for (size_t j = 0; j < i; j++)
            if (strcmp(columns[j].name, name) == 0)
                return pc_fail(err, PC_E_ARGUMENT, "columns %zu and %zu are both called '%s'", j + 1, i + 1, name);
        numbers = numbers && !*unit && is_number(name, &value);
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
