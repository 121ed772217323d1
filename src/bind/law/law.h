/* Bodies, materials, contact laws and impacts as userdata. */
#ifndef PC_BIND_LAW_LAW_H
#define PC_BIND_LAW_LAW_H

#include "bind/core/bind.h"
#include "body/body.h"
#include "law/law.h"
#include "motion/collision.h"

#include <lua.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

/* Bodies and materials as userdata. */

/* Payload of a body: the body, and the parameters that it was made with (none for a pair), so that it can be made
 * again with one of them changed. */
typedef struct pc_bound_body {
    pc_body body;
    uint64_t given;                         /* which rows the caller set */
    alignas(double) unsigned char params[]; /* Lua aligns what it allocates as a double */
} pc_bound_body;

extern const pc_type pc_type_body;

/* Payload: a pc_material. */
extern const pc_type pc_type_material;

/* Read the motion table at `index`: contact velocities v and, where the body has its own, velocities u (PC_BODY_DOF
 * numbers; untouched where dof is 0). Forms, of which one is used at a time:
 *
 *     { vt =, vn = [, vt2 =] }                 of the contact point, m/s
 *     { speed =, incidence = [, azimuth =] }   the same in polar form, m/s and rad
 *     { v = {vt, vn}, omega = }                of a free body: mass centre and rotation
 *     { rate = }, { rates = {...} }            of any other body, by the names of its velocities or as a list
 *
 * Where a joint leaves one direction, vn, vt or speed alone is enough. Raises an error that names what is wrong. */
extern const pc_schema pc_motion_schema; /* the names that all bodies share, for help and completion */
void pc_body_motion_read(lua_State *L, int index, const pc_body *body, double *u, double v[3]);

/* The bodies of the pair at `index`, which it keeps: false for a body that is no pair. */
enum { PC_PAIR_A = 1, PC_PAIR_B, PC_PAIR_USERVALUES = 2 };
bool pc_pair_bodies(lua_State *L, int index, const pc_body *bodies[2]);

/* Push a motion table that pc_body_motion_read accepts: the body's own velocities u, or v where it has none. */
void pc_body_motion_push(lua_State *L, const pc_body *body, const double *u, const double v[3]);

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

/* Contact laws whose force or impulse is a function in Lua. */

/* True of a law that percuss.contact.define made. */
bool pc_law_is_scripted(const pc_law *law);

/* Push the constructor of a kind by the name of its laws, "contact.my_law"; false, and nothing is pushed, for what is
 * no such name. Raises an error where no such law has been defined. */
bool pc_scripted_push_maker(lua_State *L, const char *name, size_t n);

/* Push what its functions are, as text (percuss.identity); nil of any other law. */
void pc_scripted_push_identity(lua_State *L, const pc_law *law);

/* percuss.law_core: what percuss.contact.define rests on. */
int pc_scripted_open(lua_State *L);

/* Impacts as userdata. */

/* Payload. User value 1 is the body, 2 the law, 3 how the two bodies of a pair move. */
typedef pc_collision pc_bound_impact;

enum { PC_IMPACT_BODY = 1, PC_IMPACT_LAW, PC_IMPACT_PAIR, PC_IMPACT_USERVALUES = 3 };

extern const pc_type pc_type_impact;

/* Push { word = true } of each flag (PC_FLAG_*). */
void pc_impact_push_flags(lua_State *L, unsigned flags);

#define PC_IMPACT_EXAMPLE                                                                                              \
    "local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }\n"                                               \
    "local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }\n"             \
    "local hit = percuss.collide(ball, spring, { vt = 1, vn = -1 })\n"

/* Who strikes by which law, as the core wants it. */
pc_colliding pc_impact_colliding(const pc_bound_body *body, const pc_bound_law *law);

/* Body and law of the impact at a stack index, which keeps them alive. */
const pc_bound_body *pc_impact_body_of(lua_State *L, int impact);
const pc_bound_law *pc_impact_law_of(lua_State *L, int impact);

/* Push a state as a table: the columns of a trace at one instant. */
void pc_impact_open_records(lua_State *L); /* the types of a trace and of a state */
void pc_impact_push_state(lua_State *L, const pc_state *s, bool spatial);

extern const pc_property pc_impact_properties[]; /* impact.c */
extern const pc_function pc_impact_methods[];    /* impact_trace.c */

#endif
