/* What the files of a run's impacts share. */
#ifndef PC_BIND_BIND_RUN_PARTS_H
#define PC_BIND_BIND_RUN_PARTS_H

#include "bind/bind_run.h"

/* bind_run_impact.c: into the table on top, as `joint_impulses`. */
void pc_hit_set_joints(lua_State *L, const pc_run *run, const double *joints);

/* Push an impact of a pair of the run at `index`, with its law and a body that has its W; it is to be filled in. */
struct pc_collision *pc_hit_push_impact(lua_State *L, int index, const pc_impact_record *record);

/* Push the law of a pair: the one of the scene's laws whose parameters it uses. */
void pc_hit_push_law(lua_State *L, int index, const pc_pair *pair);

/* bind_run_contact.c: of a compliant impact, into the table on top, what is kept of it. */
void pc_hit_set_press(lua_State *L, const pc_run *run, size_t number);

/* Fill the table at stack index 1 with what the recorded motion of the run at `index` tells of it. */
void pc_hit_fill_press(lua_State *L, int index, size_t number);

#endif
