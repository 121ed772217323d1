/* Options of laws that stand for several parameters at once. */
#ifndef PC_BIND_LAW_OPTIONS_H
#define PC_BIND_LAW_OPTIONS_H

#include "bind/bind.h"

/* Where a law has elastic constants among its rows, its options may name materials: `material` gives young and poisson,
 * `counter_material` counter_young and counter_poisson, `body` (a body) its material and its radius. The table at
 * `index` is replaced on the stack by a copy in which they are spelled out; the caller's table is left alone. */
void pc_law_spell_options(lua_State *L, int index, const pc_schema *schema);

#endif
