/* Lines typed by a person, piped in, or pasted. */
#ifndef PC_REPL_LINE_H
#define PC_REPL_LINE_H

#include <lua.h>
#include <stddef.h>

typedef enum pc_line {
    PC_LINE_TEXT,        /* a line was read */
    PC_LINE_INTERRUPTED, /* Ctrl-C: what was typed so far is gone */
    PC_LINE_END,         /* end of input */
} pc_line;

/* Use the editor (history, completion over the globals of `L`) where both ends are a terminal that can move its
 * cursor; otherwise lines are read as they come, without echo or escape bytes. */
void pc_line_open(lua_State *L);

/* Read a line without its newline. `text` stays valid until the next call; it may contain any byte. */
pc_line pc_line_read(const char *prompt, const char **text, size_t *length);

/* Forget lines of a paste that have not been handed out. */
void pc_line_discard(void);

/* Enter a whole statement into the history. */
void pc_line_remember(const char *statement);

#endif
