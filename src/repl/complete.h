/* Completion of Lua names under Tab. */
#ifndef PC_REPL_COMPLETE_H
#define PC_REPL_COMPLETE_H

#include <lua.h>

/* Let readline complete keywords, globals and their fields in `L`. Tables are read raw and metamethods are never
 * called, so Tab neither fails nor runs anybody's code. */
void pc_complete_open(lua_State *L);

#endif
