/* Completion under Tab: names, fields and methods, options inside braces and their choices, names of files in strings,
 * Greek letters by name (\mu). What can stand where is found by the module percuss.complete. */
#ifndef PC_REPL_COMPLETE_H
#define PC_REPL_COMPLETE_H

#include <lua.h>

/* Let readline complete in `L`. Tables are read raw and metamethods are never called, so Tab neither fails nor runs
 * anybody's code. */
void pc_complete_open(lua_State *L);

/* The earlier lines of the statement that is being typed; they must stay valid while the next line is read. NULL: there
 * are none. */
void pc_complete_after(const char *lines);

#endif
