/* What the files of the sweep binding share. Scripts see percuss.sweep, written in Lua; these are the parts it is made
 * of, in the module "percuss.sweep_core". */
#ifndef PC_BIND_SWEEP_SWEEP_H
#define PC_BIND_SWEEP_SWEEP_H

#include "bind/core/bind.h"
#include "sweep/store.h"

/* Metatable's name and payload of an open store. */
#define PC_BOUND_STORE "percuss.store"
typedef struct pc_bound_store {
    pc_store *store; /* NULL: closed */
} pc_bound_store;

/* sweep_core.run(options): see sweep_run.c. */
int pc_sweep_run(lua_State *L);

/* Whether this process is a worker of a sweep. */
bool pc_sweep_in_worker(void);

/* Processes or threads that share a computation: as --jobs says, else one for each core; in a worker one. */
int pc_sweep_jobs(void);

/* Functions on stores for the module's table on top of the stack: sweep.c. */
void pc_sweep_open_stores(lua_State *L);

#endif
