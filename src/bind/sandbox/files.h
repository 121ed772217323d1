/* The library io of a sandbox: files of its scratch folder, which is memory (sandbox/scratch.h), and nothing else. What
 * percuss itself writes and reads by name (tables, runs, CSV) lies there as well. */
#ifndef PC_BIND_SANDBOX_FILES_H
#define PC_BIND_SANDBOX_FILES_H

#include <lua.h>

/* Push a table with open, lines and type. */
void pc_sandbox_push_io(lua_State *L);

/* os.remove and os.rename. */
int pc_sandbox_remove(lua_State *L);
int pc_sandbox_rename(lua_State *L);

#endif
