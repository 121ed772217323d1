/* Contact laws whose force or impulse is a function in Lua. */
#ifndef PC_BIND_LAW_SCRIPTED_LAW_H
#define PC_BIND_LAW_SCRIPTED_LAW_H

#include "law/law.h"

#include <lua.h>
#include <stdbool.h>

/* True of a law that percuss.contact.define made. */
bool pc_law_is_scripted(const pc_law *law);

/* Push the constructor of a kind by the name of its laws, "contact.my_law"; false, and nothing is pushed, for what is
 * no such name. Raises an error where no such law has been defined. */
bool pc_scripted_push_maker(lua_State *L, const char *name, size_t n);

/* Push what its functions are, as text (percuss.identity); nil of any other law. */
void pc_scripted_push_identity(lua_State *L, const pc_law *law);

/* percuss.law_core: what percuss.contact.define rests on. */
int pc_scripted_open(lua_State *L);

#endif
