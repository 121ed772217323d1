/* Growing bytes: see buffer.h. */
#include "chart/buffer.h"

#include "base/alloc.h"
#include "base/grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Room for `extra` more bytes and the closing zero. */
static bool reserve(pc_buffer *buffer, size_t extra)
{
    if (buffer->failed) return false;
    buffer->failed = !PC_GROW(buffer->data, buffer->capacity, buffer->size + extra + 1);
    return !buffer->failed;
}

void pc_buffer_append(pc_buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0 || !reserve(buffer, size)) return;
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void pc_buffer_print(pc_buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    if (size > 0 && reserve(buffer, (size_t)size)) {
        vsnprintf(buffer->data + buffer->size, (size_t)size + 1, format, again);
        buffer->size += (size_t)size;
    }
    va_end(again);
    va_end(arguments);
}

void pc_buffer_put(pc_buffer *buffer, unsigned character)
{
    char bytes[4];
    size_t size = 0;
    if (character < 0x80) {
        bytes[size++] = (char)character;
    } else if (character < 0x800) {
        bytes[size++] = (char)(0xC0 | (character >> 6));
        bytes[size++] = (char)(0x80 | (character & 0x3F));
    } else if (character < 0x10000) {
        bytes[size++] = (char)(0xE0 | (character >> 12));
        bytes[size++] = (char)(0x80 | ((character >> 6) & 0x3F));
        bytes[size++] = (char)(0x80 | (character & 0x3F));
    } else {
        bytes[size++] = (char)(0xF0 | (character >> 18));
        bytes[size++] = (char)(0x80 | ((character >> 12) & 0x3F));
        bytes[size++] = (char)(0x80 | ((character >> 6) & 0x3F));
        bytes[size++] = (char)(0x80 | (character & 0x3F));
    }
    pc_buffer_append(buffer, bytes, size);
}

void pc_buffer_clear(pc_buffer *buffer)
{
    buffer->size = 0;
    if (buffer->data) buffer->data[0] = '\0';
}

const char *pc_buffer_text(const pc_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

pc_status pc_buffer_status(const pc_buffer *buffer, pc_error *err)
{
    if (buffer->failed) return pc_fail(err, PC_E_MEMORY, "not enough memory for the chart");
    return PC_OK;
}

void pc_buffer_free(pc_buffer *buffer)
{
    pc_free(buffer->data);
    *buffer = (pc_buffer){0};
}
