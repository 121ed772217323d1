/* What the files of the sandbox share: its child, data that crosses to it, and files.
 *
 * The child is percuss started again by sandbox.c with the option below, confined before any foreign text reaches it.
 */
#ifndef PC_BIND_SANDBOX_SANDBOX_H
#define PC_BIND_SANDBOX_SANDBOX_H

#include "base/status.h"

#include <lua.h>
#include <stddef.h>

#define PC_SANDBOX_OPTION "--sandbox-child"

/* Codes with which it leaves. */
enum { PC_SANDBOX_UNUSABLE = 10, PC_SANDBOX_INSTRUCTIONS = 11 };

/* argv: program, option, memory (bytes), instructions, processor time (s), bytes of a reply, seed. Returns the exit
 * code; the caller leaves by _exit. */
int pc_sandbox_child(int argc, char **argv);

/* Lua values as bytes, for the way between a sandbox and its parent.
 *
 * Data alone: nil, booleans, numbers, strings, tables without metatables, arrays, and figures as tables of what they
 * show. Anything else becomes { opaque = name of its type }. Writing runs no Lua code, and reading trusts nothing:
 * depth, number of values and every length are checked.
 */

/* Leave the bytes of the value at `index` as a userdata on top of the stack; PC_E_LIMIT, and nothing on the stack, if
 * it is nested too deeply or longer than `most` bytes. */
pc_status pc_sandbox_encode(lua_State *L, int index, size_t most, size_t *n, pc_error *err);

/* Push the value of the bytes; PC_E_ARGUMENT, and nothing on the stack, if they are no value. */
pc_status pc_sandbox_decode(lua_State *L, const unsigned char *bytes, size_t n, pc_error *err);

/* The library io of a sandbox: files of its scratch folder, which is memory (sandbox/sandbox.h), and nothing else. What
 * percuss itself writes and reads by name (tables, runs, CSV) lies there as well. */

/* Push a table with open, lines and type. */
void pc_sandbox_push_io(lua_State *L);

/* os.remove and os.rename. */
int pc_sandbox_remove(lua_State *L);
int pc_sandbox_rename(lua_State *L);

#endif
