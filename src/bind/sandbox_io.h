/* The library io of a sandbox: files of its scratch folder, which is memory (sandbox/scratch.h), and nothing else. */
#ifndef PC_BIND_SANDBOX_IO_H
#define PC_BIND_SANDBOX_IO_H

#include <lua.h>

/* Push a table with open, lines and type. */
void pc_sandbox_push_io(lua_State *L);

/* os.remove. */
int pc_sandbox_remove(lua_State *L);

#endif
