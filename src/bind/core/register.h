/* The register of everything public: what help, the manual, completion and the documentation tests read.
 *
 * Entries are made when types, functions, constructors and constants are opened; they hold pointers to the const
 * records and are expanded into Lua tables only when somebody asks (`percuss.register()`), so that they cost
 * nothing at start.
 */
#ifndef PC_BIND_CORE_REGISTER_H
#define PC_BIND_CORE_REGISTER_H

#include "bind/core/bind.h"

#include <stdbool.h>

/* The function value is on top of the stack and stays there. Its path is owner, separator, name; an empty owner is
 * percuss itself. */
void pc_register_function(lua_State *L, const char *owner, const char *separator, const pc_function *function);

/* Let the table on top of the stack be called as the function, and register both. */
void pc_register_callable(lua_State *L, const char *owner, const pc_function *function);

/* The constructor is on top of the stack and stays there. */
void pc_register_schema(lua_State *L, const pc_schema *schema);

/* What the function of that path computes, as lines "formula: words" (see pc_schema.equations). */
void pc_register_equations(lua_State *L, const char *path, const char *equations);

/* What was registered under a path is something else from now on. */
void pc_register_forget(lua_State *L, const char *path);

void pc_register_type(lua_State *L, const pc_type *type);

void pc_register_constant(lua_State *L, const char *owner, const char *name, double value, const char *unit,
                          const char *doc);

/* The record of the C function that runs, its path ("impact:trace") and whether it is a method; NULL if it is described
 * by a schema, and without a path if it is not in the register. The path lives as long as the register. */
const pc_function *pc_register_running(lua_State *L, const char **path, bool *method);

/* Lua: percuss.register() -> list of entries, percuss.document(path, value, entry), percuss.lookup(value). */
int pc_register_list(lua_State *L);
int pc_register_document(lua_State *L);
int pc_register_lookup(lua_State *L);

/* Lua: percuss.extend(type, name, function); see type.c. */
int pc_type_extend(lua_State *L);

/* Give the module table on top of the stack an __index that names the nearest function. */
void pc_module_strict(lua_State *L, const char *name);

#endif
