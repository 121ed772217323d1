/* Motions with impacts as userdata. */
#ifndef PC_BIND_SCENE_RUN_H
#define PC_BIND_SCENE_RUN_H

#include "bind/ode/ode.h"
#include "bind/scene/scene.h"
#include "motion/look.h"

/* Owner of the run. User value 1: the scene, 2: the events of the user (a list), 3: their names, 4: the
 * block of breaks. */
typedef struct pc_bound_run {
    pc_run run;
    pc_bound_solver solver, contact_solver; /* the second without a method unless it was given */
    long max_impacts;
    pc_breaks breaks;  /* in user value 4 */
    double time_scale; /* NaN: not given */
    bool record, in_use, assemble, separate;
} pc_bound_run;

/* The core at work with a run: functions of its scene may be called meanwhile. */
typedef struct pc_run_session {
    pc_bound_run *run;
    pc_bound_scene *scene;
    const pc_scene_functions *saved;
    pc_callback *failed; /* that function of the scene which failed */
    int partial;         /* index of the run if it is what an error carries; 0: none */
    pc_error err;
} pc_run_session;

enum { PC_RUN_SCENE = 1, PC_RUN_EVENTS, PC_RUN_NAMES, PC_RUN_BREAKS, PC_RUN_USERVALUES = 4 };

extern const pc_type pc_type_run;

/* Functions, methods and properties by file. */
extern const pc_function pc_run_files[];      /* run_save.c */
extern const pc_function pc_run_methods[];    /* run_fields.c */
extern const pc_property pc_run_properties[]; /* run_fields.c */

pc_bound_run *pc_run_check(lua_State *L);

/* The scene of the run at `index`, which is pushed; an error if it was closed. */
pc_bound_scene *pc_run_push_scene(lua_State *L, int index);

/* Begin and end a session with the run at `index`; what it needs is pushed and has to stay. A function that is called
 * meanwhile can neither close run and scene nor begin another session with the run, which has one scratch. Nothing may
 * be raised between the two; leaving raises the error of a function that failed. */
void pc_run_enter(lua_State *L, int index, pc_run_session *session);
void pc_run_leave(pc_run_session *session);

/* The checked field `events` of the table at `options` into the run at `run`: { { g, name, direction, terminal }, ...
 * }, and their names. callable: each must begin with its function. */
void pc_run_keep_events(lua_State *L, int options, int run, bool callable);

/* The fields `breaks` and `time_scale` of the table at `options`, into the run at `run`. */
void pc_run_keep_breaks(lua_State *L, int options, int run);

void pc_run_push_impacts(lua_State *L, void *self); /* run_impact.c: a property */

/* run_fields.c: what follows from a state (q, u) alone at time t, by the names of columns, and the rates u. */
void pc_run_push_instant(lua_State *L, int index, double t, const double *y);
void pc_run_push_rates(lua_State *L, const pc_scene *scene, const double *u);

int pc_run_continue(lua_State *L);   /* run.c */
int pc_run_save_file(lua_State *L);  /* run_save.c */
int pc_run_carry_list(lua_State *L); /* run_fields.c */

/* run_impact.c: into the table on top, as `joint_impulses`. */
void pc_run_set_joint_impulses(lua_State *L, const pc_run *run, const double *joints);

/* Push an impact of a pair of the run at `index`, with its law and a body that has its W; it is to be filled in. */
struct pc_collision *pc_run_push_impact(lua_State *L, int index, const pc_impact_record *record);

/* Push the law of a pair: the one of the scene's laws whose parameters it uses. */
void pc_run_push_law(lua_State *L, int index, const pc_pair *pair);

/* run_impact.c: of a compliant impact, into the table on top, what is kept of it. */
void pc_run_set_compliant(lua_State *L, const pc_run *run, size_t number);

/* Fill the table at stack index 1 with what the recorded motion of the run at `index` tells of it. */
void pc_run_fill_compliant(lua_State *L, int index, size_t number);

#endif
