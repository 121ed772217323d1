/* Between a solver in C and the functions of a script: what percuss.ode hands to the core as context. */
#ifndef PC_BIND_ODE_ODE_H
#define PC_BIND_ODE_ODE_H

#include "bind/core/bind.h"
#include "event/event.h"
#include "ode/ode.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>

/* Lua's side of one solve. */
typedef struct pc_ode_side {
    lua_State *L;
    int n;
    int y_table, f_table; /* stack indices of the two tables, for many components */
    pc_callback rhs, jacobian, progress;
    pc_callback *failed;
    pc_error *err;
} pc_ode_side;

/* One event as C sees it through `context`. */
typedef struct pc_ode_watcher {
    pc_ode_side *side;
    const char *name;
    pc_callback g, action;
    bool has_action;
} pc_ode_watcher;

/* The functions of the contracts in ode/ode.h and event/event.h; `context` is a pc_ode_side for the rates, the
 * Jacobian and the progress, a pc_ode_watcher for events and their actions. */
int pc_ode_call_rhs(double t, const double *y, double *dydt, void *context);
int pc_ode_call_jacobian(double t, const double *y, double *dfdy, void *context);
int pc_ode_call_event(double t, const double *y, double *g, void *context);
int pc_ode_call_action(double t, double *y, void *context);
int pc_ode_call_progress(double t, size_t n_events, void *context);

/* The list of breaks at the top of the stack, or nil, sorted into a block that stays there in its place. */
void pc_breaks_read(lua_State *L, const char *where, pc_breaks *breaks);

/* The value of an event function on top of the stack, a number or boolean. Returns 0 if it is neither. */
int pc_ode_read_value(lua_State *L, double *g);

/* Motions as userdata: the result of solving differential equations. */

/* Owner of the solution. User value 1: list of the names of the components, or nil; 2: list of the events' names. */
typedef struct pc_bound_motion {
    pc_solution solution;
} pc_bound_motion;

enum { PC_MOTION_NAMES = 1, PC_MOTION_EVENTS, PC_MOTION_USERVALUES = 2 };

/* Functions take the components as numbers up to this size, and as a table above. */
enum { PC_MOTION_NUMBERS = 8 };

extern const pc_type pc_type_motion;

/* Solvers of differential equations, a method with its settings, and built-in right-hand sides as userdata. */

typedef struct pc_bound_solver {
    const pc_ode_method *method;
    pc_ode_settings settings;
} pc_bound_solver;

extern const pc_type pc_type_solver;

typedef struct pc_bound_system {
    const pc_ode_system *system;
    alignas(double) unsigned char params[]; /* Lua aligns what it allocates as a double */
} pc_bound_system;

extern const pc_type pc_type_system;

#endif
