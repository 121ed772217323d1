/* Compliant impacts of a run: what its record keeps of them, and what the recorded motion tells when it is asked. */
#include "bind/bind_contact.h"
#include "bind/bind_impact.h"
#include "bind/bind_run_parts.h"
#include "motion/impact_history.h"

#include <math.h>

static void set_number(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

void pc_hit_set_press(lua_State *L, const pc_run *run, size_t number)
{
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + number;
    const pc_impact_history *history = pc_run_impact_history(&run->history, number);
    bool over = !isnan(history->stop);
    if (over) {
        set_number(L, "stop", history->stop);
        set_number(L, "duration", history->stop - record->t);
    }
    lua_pushstring(L, over ? "rebound" : "contact");
    lua_setfield(L, -2, "outcome");
    lua_pushliteral(L, "compliant");
    lua_setfield(L, -2, "rule");
    lua_createtable(L, 0, 4);
    set_number(L, "n", history->peaks.force[PC_N]);
    set_number(L, "t", history->peaks.force[PC_T]);
    set_number(L, "n_time", history->peaks.time[PC_N] - record->t);
    set_number(L, "t_time", history->peaks.time[PC_T] - record->t);
    pc_record_seal(L, "");
    lua_setfield(L, -2, "peak");
}

/* Without a recorded motion: works, and kinds of phases. */
static void fill_kept(lua_State *L, const pc_run *run, size_t number)
{
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + number;
    const pc_impact_history *history = pc_run_impact_history(&run->history, number);
    lua_pushvalue(L, 1);
    pc_impact_push_flags(L, record->flags);
    lua_setfield(L, -2, "flags");
    lua_createtable(L, 0, 3);
    set_number(L, "normal", history->work[0]);
    set_number(L, "tangential", history->work[1] + history->work[2]);
    set_number(L, "friction", history->work[2]);
    pc_record_seal(L, "normal_compression normal_restitution");
    lua_setfield(L, -2, "work");
    lua_pushinteger(L, record->n_phases);
    lua_setfield(L, -2, "phase_count");
    int kept = (int)sizeof history->phase;
    lua_createtable(L, kept, 0);
    for (int i = 0; i < record->n_phases && i < kept; i++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, history->phase[i] == 0 ? "stick" : "slip");
        lua_setfield(L, -2, "kind");
        lua_pushinteger(L, history->phase[i]);
        lua_setfield(L, -2, "sign");
        pc_record_seal(L, "start stop work at_start at_stop");
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "phases");
    lua_createtable(L, 0, 1);
    if (record->v0[PC_N] < 0) set_number(L, "kinematic", -record->v1[PC_N] / record->v0[PC_N]);
    pc_record_seal(L, "kinematic kinetic energetic asked");
    lua_setfield(L, -2, "restitution");
    lua_pop(L, 1);
}

static const char *const fields[] = {"phases",           "regime",    "restitution", "impulse_ratio", "work",
                                     "compression_time", "reversals", "loss_of_max", "flags"};

void pc_hit_fill_press(lua_State *L, int index, size_t number)
{
    pc_run *run = &((pc_bound_run *)lua_touserdata(L, index))->run;
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + number;
    pc_bound_impact *impact = pc_hit_push_impact(L, index, record);
    double *joints = lua_newuserdatauv(L, 2 * (size_t)run->scene->n_nodes * sizeof *joints + 1, 0);
    pc_error err = {0};
    pc_status status = pc_run_compliant_impact(run, number, &impact->impact, joints, &err);
    if (status == PC_E_ARGUMENT) { /* not recorded */
        lua_pop(L, 2);
        fill_kept(L, run, number);
        return;
    }
    if (status != PC_OK) pc_raise(L, &err);
    lua_pushvalue(L, 1);
    pc_hit_set_joints(L, run, joints);
    lua_pushinteger(L, impact->impact.n_phases);
    lua_setfield(L, -2, "phase_count");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_getfield(L, -3, fields[i]);
        lua_setfield(L, -2, fields[i]);
    }
    lua_pop(L, 3);
}
