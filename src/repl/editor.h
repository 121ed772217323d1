/* The line editor: readline's callback interface under pselect, so that Ctrl-C is noticed at once and never inside
 * readline. */
#ifndef PC_REPL_EDITOR_H
#define PC_REPL_EDITOR_H

#include "repl/line.h"

/* Set up editing, completion and the history. Once a process. */
void pc_editor_open(lua_State *L);

/* Read a line, or a paste of several; the caller frees `text`. */
pc_line pc_editor_read(const char *prompt, char **text);

/* Add to the history and to its file. */
void pc_editor_remember(const char *statement);

#endif
