/* The interactive prompt.
 *
 * A line that is an expression prints its values, with or without a leading `=`; what is not complete is continued;
 * `_` is the last value printed, or the partial result of what Ctrl-C stopped. Errors are one line, with a traceback
 * when they happened inside a function.
 */
#ifndef PC_REPL_PROMPT_H
#define PC_REPL_PROMPT_H

#include <lua.h>

/* Read, run and print until the end of input. The names of percuss, and `pc` for percuss itself, become globals
 * where those are free. */
void pc_prompt_run(lua_State *L);

#endif
