/* Arrays in NumPy's .npz form: see store.h. All numbers in a zip archive are little-endian. */
#include "sweep/store.h"

#include "base/files.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NPY_HEADER = 128, LOCAL_HEADER = 30, NAME_MOST = 256 };

/* CRC-32 of ISO 3309, reflected, a nibble at a time. */
static uint32_t crc(uint32_t c, const void *data, size_t bytes)
{
    static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++) {
        c ^= byte[i];
        c = c >> 4 ^ nibble[c & 15];
        c = c >> 4 ^ nibble[c & 15];
    }
    return c;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* The header says what follows: version 1.0, then a Python dictionary padded so that the data begin at 128. */
static void npy_header(size_t n, char header[NPY_HEADER])
{
    memset(header, ' ', NPY_HEADER);
    memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
    int length = snprintf(header + 10, NPY_HEADER - 10, "{'descr': '%cf8', 'fortran_order': False, 'shape': (%zu,), }",
                          is_little_endian() ? '<' : '>', n);
    header[10 + length] = ' ';
    header[NPY_HEADER - 1] = '\n';
}

/* Write `bytes` low bytes of each number. */
typedef struct field {
    uint32_t value;
    int bytes;
} field;

static void write_fields(FILE *out, const field *fields, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (int b = 0; b < fields[i].bytes; b++) putc((int)(fields[i].value >> (8 * b) & 0xff), out);
}

#define WRITE(out, ...)                                                                                                \
    write_fields(out, (const field[]){__VA_ARGS__}, sizeof(const field[]){__VA_ARGS__} / sizeof(field))

typedef struct member {
    uint32_t crc, size, offset;
    uint32_t name_bytes;
    char name[NAME_MOST + 8];
} member;

/* 1980-01-01 in DOS form, so that equal arrays make equal files. */
enum { VERSION = 20, UTF8_NAMES = 1 << 11, STORED = 0, TIME = 0, DATE = 1 << 5 | 1 };

static void write_local(FILE *out, const member *m, const pc_npz_column *column, const char *header)
{
    WRITE(out, {0x04034b50, 4}, {VERSION, 2}, {UTF8_NAMES, 2}, {STORED, 2}, {TIME, 2}, {DATE, 2}, {m->crc, 4},
          {m->size, 4}, {m->size, 4}, {m->name_bytes, 2}, {0, 2});
    fwrite(m->name, 1, m->name_bytes, out);
    fwrite(header, 1, NPY_HEADER, out);
    fwrite(column->values, sizeof *column->values, column->n, out);
}

static void write_central(FILE *out, const member *m)
{
    WRITE(out, {0x02014b50, 4}, {VERSION, 2}, {VERSION, 2}, {UTF8_NAMES, 2}, {STORED, 2}, {TIME, 2}, {DATE, 2},
          {m->crc, 4}, {m->size, 4}, {m->size, 4}, {m->name_bytes, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 4},
          {m->offset, 4});
    fwrite(m->name, 1, m->name_bytes, out);
}

static void describe(const pc_npz_column *column, uint64_t offset, member *m, char header[NPY_HEADER])
{
    npy_header(column->n, header);
    m->name_bytes = (uint32_t)snprintf(m->name, sizeof m->name, "%.*s.npy", NAME_MOST, column->name);
    m->crc = crc(crc(UINT32_MAX, header, NPY_HEADER), column->values, column->n * sizeof *column->values) ^ UINT32_MAX;
    m->size = (uint32_t)(NPY_HEADER + column->n * sizeof *column->values);
    m->offset = (uint32_t)offset;
}

pc_status pc_npz_write(const char *path, const pc_npz_column *columns, size_t n, pc_error *err)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += columns[i].n * sizeof(double) + NPY_HEADER + LOCAL_HEADER + 46 + 2 * (NAME_MOST + 4);
    if (total + 22 > UINT32_MAX || n > UINT16_MAX)
        return pc_fail(err, PC_E_LIMIT, "an .npz file holds at most 4 GiB: write fewer columns or rows, or a store");
    pc_outfile file;
    pc_status status = pc_outfile_open(&file, path, err);
    if (status) return status;

    /* the directory at the end repeats what stands before each array: it is computed twice instead of kept */
    char header[NPY_HEADER];
    member m;
    uint64_t at = 0;
    for (size_t i = 0; i < n; i++) {
        describe(&columns[i], at, &m, header);
        write_local(file.stream, &m, &columns[i], header);
        at += LOCAL_HEADER + m.name_bytes + m.size;
    }
    uint64_t directory = at, length = 0;
    at = 0;
    for (size_t i = 0; i < n; i++) {
        describe(&columns[i], at, &m, header);
        write_central(file.stream, &m);
        at += LOCAL_HEADER + m.name_bytes + m.size;
        length += 46 + m.name_bytes;
    }
    WRITE(file.stream, {0x06054b50, 4}, {0, 2}, {0, 2}, {(uint32_t)n, 2}, {(uint32_t)n, 2}, {(uint32_t)length, 4},
          {(uint32_t)directory, 4}, {0, 2});
    return pc_outfile_commit(&file, err);
}
