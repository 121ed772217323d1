/* Texts on charts: a growing run of bytes, and UTF-8 with a little markup for sub- and superscripts.
 *
 *     F_t   ω_0 t   v_{n,0}   m^2   10^{-3}   N/m^1.5
 *
 * A script takes the braces after it, or else the letters and digits that follow (after ^ also a leading sign and a
 * decimal point). A bare "_" is a subscript only after a short symbol of at most two letters, so that names such as
 * loss_fraction stay names; "_{" always is one. A backslash makes the next character literal.
 */
#ifndef PC_CHART_LABEL_H
#define PC_CHART_LABEL_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* --- bytes, for charts as text and for pictures in memory ---
 * Appending never reports: the first request for memory that fails marks the buffer as failed, later appends do
 * nothing, and whoever fills it asks once at the end (pc_buffer_status). That keeps the drawing code free of a check
 * after every character. */

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

/* --- labels --- */

/* Longest label, in characters; the rest is replaced by an ellipsis. PLplot's drawing of text has fixed buffers
 * behind it, which a label of this length cannot fill even if every second character is a script. */
enum { PC_LABEL_LENGTH = 120 };

/* A copy (pc_free) fit for every device: malformed UTF-8 becomes U+FFFD, control characters become spaces, so that
 * no label can send bytes to a terminal that steer it; too long ones are cut. NULL: no memory. */
char *pc_label_clean(const char *text);

/* Next character of UTF-8 text, advancing *text; U+FFFD for malformed bytes, 0 at the end. */
unsigned pc_label_next(const char **text);

/* The markup, read piece by piece: one base character or one whole script, bytes [start, start + size) at one height: 0
 * base, -1 subscript, +1 superscript. */
typedef struct pc_label_piece {
    const char *start;
    size_t size;
    int height;
} pc_label_piece;

/* Begin with {label, 0}. */
typedef struct pc_label_reader {
    const char *at;
    int letters; /* letters of the word that ends here */
} pc_label_reader;

/* The next piece; false at the end. */
bool pc_label_read(pc_label_reader *reader, pc_label_piece *piece);

/* Append as plain text. With `unicode` scripts use the raised and lowered characters where all of them exist (ω₀,
 * m²) and stay as written otherwise; without it Greek letters and signs are spelled in ASCII. */
void pc_label_plain(const char *label, bool unicode, pc_buffer *out);

/* Columns that plain text takes on a terminal. */
int pc_label_columns(const char *plain);

/* Width in multiples of the font's size, from the average widths of a sans-serif face: for room, not for precision. */
double pc_label_width(const char *label);

#endif
