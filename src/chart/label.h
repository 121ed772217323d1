/* Texts on charts: UTF-8 with a little markup for sub- and superscripts.
 *
 *     F_t   ω_0 t   v_{n,0}   m^2   10^{-3}   N/m^1.5
 *
 * A script takes the braces after it, or else the letters and digits that follow (after ^ also a leading sign and a
 * decimal point). A bare "_" is a subscript only after a short symbol of at most two letters, so that names such as
 * loss_fraction stay names; "_{" always is one. A backslash makes the next character literal.
 */
#ifndef PC_CHART_LABEL_H
#define PC_CHART_LABEL_H

#include "chart/buffer.h"

#include <stdbool.h>

/* Longest label, in characters; the rest is replaced by an ellipsis. PLplot's drawing of text has fixed buffers
 * behind it, which a label of this length cannot fill even if every second character is a script. */
enum { PC_LABEL_LENGTH = 120 };

/* A copy (pc_free) fit for every device: malformed UTF-8 becomes U+FFFD, control characters become spaces, so that
 * no label can send bytes to a terminal that steer it; too long ones are cut. NULL: no memory. */
char *pc_label_clean(const char *text);

/* Next character of UTF-8 text, advancing *text; U+FFFD for malformed bytes, 0 at the end. */
unsigned pc_label_next(const char **text);

/* Append in PLplot's escapes. */
void pc_label_plplot(const char *label, pc_buffer *out);

/* Append as plain text. With `unicode` scripts use the raised and lowered characters where all of them exist (ω₀,
 * m²) and stay as written otherwise; without it Greek letters and signs are spelled in ASCII. */
void pc_label_plain(const char *label, bool unicode, pc_buffer *out);

/* Columns that plain text takes on a terminal. */
int pc_label_columns(const char *plain);

/* Width in multiples of the font's size, from the average widths of a sans-serif face: for room, not for precision. */
double pc_label_width(const char *label);

#endif
