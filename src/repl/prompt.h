/* The interactive prompt.
 *
 * A line that is an expression prints its values, with or without a leading `=`, unless it ends with a semicolon; of
 * several between semicolons each is shown; what is not complete is continued; `_` is the last value, or the partial
 * result of what Ctrl-C stopped. `time` in front of a statement tells how long it took. Errors are one sentence;
 * traceback() prints where the last one came from.
 */
#ifndef PC_REPL_PROMPT_H
#define PC_REPL_PROMPT_H

#include <lua.h>
#include <stdbool.h>

/* Read, run and print until the end of input. What a script that Ctrl-C stopped had computed is in `_`. The names of
 * percuss, and `pc` for percuss itself, become globals where those are free. `strict`: a global that does not exist is
 * an error in what is typed. */
void pc_prompt_run(lua_State *L, bool strict);

/* What the program does on Ctrl-C: the first two interrupt what runs, the third kills. */

/* Exit code of a script stopped by Ctrl-C, as shells report it: 128 + SIGINT. */
enum { PC_EXIT_INTERRUPTED = 130 };

/* Install the handler of SIGINT. Without SA_RESTART: a read that waits returns. */
void pc_signals_open(void);

/* Count from one again: the prompt is back. */
void pc_signals_reset(void);

#endif
