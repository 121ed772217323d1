/* Contact laws as userdata. */
#ifndef PC_BIND_LAW_CONTACT_H
#define PC_BIND_LAW_CONTACT_H

#include "bind/core/bind.h"
#include "law/law.h"

#include <stdalign.h>
#include <stdint.h>

/* Payload of a law: its descriptor and the parameters it was made with. */
typedef struct pc_bound_law {
    const pc_law *law;
    uint64_t given;                         /* which rows the caller set */
    alignas(double) unsigned char params[]; /* Lua aligns what it allocates as a double */
} pc_bound_law;

extern const pc_type pc_type_law;

/* User values of a law: the kind of one in Lua; what tells its restitution by the speed. */
enum { PC_LAW_KIND = 1, PC_LAW_RESTITUTION, PC_LAW_USERVALUES = PC_LAW_RESTITUTION };

/* Push a law whose parameters are yet to be filled; and one of the kind and with the user values of that at `index`. */
pc_bound_law *pc_law_push(lua_State *L, const pc_law *law);

pc_bound_law *pc_law_push_like(lua_State *L, int index);

/* Where a law has elastic constants among its rows, its options may name materials: `material` gives young and poisson,
 * `counter_material` counter_young and counter_poisson, `body` (a body) its material and its radius. The table at
 * `index` is replaced on the stack by a copy in which they are spelled out, and functions made objects; the caller's
 * table is left alone. */
void pc_law_spell_options(lua_State *L, int index, const pc_schema *schema);

#endif
