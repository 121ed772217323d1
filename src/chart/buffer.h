/* A growing run of bytes, for charts as text and for pictures in memory.
 *
 * Appending never reports: the first request for memory that fails marks the buffer as failed, later appends do
 * nothing, and whoever fills it asks once at the end (pc_buffer_status). That keeps the drawing code free of a
 * check after every character.
 */
#ifndef PC_CHART_BUFFER_H
#define PC_CHART_BUFFER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* All zero is an empty buffer. While nothing has failed and size > 0, data[size] is a zero byte. */
typedef struct pc_buffer {
    char *data;
    size_t size, capacity;
    bool failed;
} pc_buffer;

void pc_buffer_append(pc_buffer *buffer, const void *bytes, size_t size);
void pc_buffer_print(pc_buffer *buffer, const char *format, ...) PC_PRINTF(2, 3);

/* Append one character as UTF-8. */
void pc_buffer_put(pc_buffer *buffer, unsigned character);

/* Forget the contents, keep the memory. */
void pc_buffer_clear(pc_buffer *buffer);

/* Contents as a string: never NULL. */
const char *pc_buffer_text(const pc_buffer *buffer);

pc_status pc_buffer_status(const pc_buffer *buffer, pc_error *err);
void pc_buffer_free(pc_buffer *buffer);

#endif
