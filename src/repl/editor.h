/* The line editor: readline's callback interface under pselect, so that Ctrl-C is noticed at once and never inside
 * readline.
 *
 * Tab completes names, fields and methods, options inside braces and their choices, names of files in strings, Greek
 * letters by name (\mu). What can stand where is found by the module percuss.complete. Tables are read raw and
 * metamethods are never called, so Tab neither fails nor runs anybody's code.
 *
 * The history is kept in $XDG_STATE_HOME/percuss/history (XDG Base Directory Specification 0.8; by default
 * ~/.local/state/percuss/history). Where the file cannot be written it lasts as long as the program.
 */
#ifndef PC_REPL_EDITOR_H
#define PC_REPL_EDITOR_H

#include "repl/line.h"

#include <stdbool.h>

/* Set up editing, completion in `L` and the history. Once a process. False: this build has no editor, and nothing below
 * does anything. */
bool pc_editor_open(lua_State *L);

/* Read a line, or a paste of several; the caller frees `text`. */
pc_line pc_editor_read(const char *prompt, char **text);

/* Bytes that were typed while nobody read: they stand in the next line. */
void pc_editor_type(const char *text, size_t size);

/* The earlier lines of the statement that is being typed, for completion; they must stay valid while the next line is
 * read. NULL: there are none. */
void pc_editor_after(const char *lines);

/* Add a statement to the history and append it to the file at once: nothing is lost when the program is killed, and
 * programs running side by side do not overwrite each other's. Blank statements and repetitions are left out. */
void pc_editor_remember(const char *statement);

/* Readline's version; NULL without an editor. */
const char *pc_editor_version(void);

#endif
