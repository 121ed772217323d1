/* Bodies and materials as userdata. */
#ifndef PC_BIND_LAW_BODY_H
#define PC_BIND_LAW_BODY_H

#include "bind/core/bind.h"
#include "body/body.h"

#include <stdalign.h>
#include <stdint.h>

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

/* Push a motion table that pc_body_motion_read accepts: the body's own velocities u, or v where it has none. */
void pc_body_motion_push(lua_State *L, const pc_body *body, const double *u, const double v[3]);

#endif
