/* Impacts of a run. What a run keeps of an impact stands in a table; what its law says beside that (phases, works,
 * times) is worked out when it is asked for, from the same W and velocity, which gives the same impact bit by bit. */
#include "bind/law/law.h"
#include "bind/scene/run.h"
#include "engine/collide.h"
#include "motion/run.h"

#include <math.h>
#include <string.h>

static void set_number(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

void pc_run_set_compliant(lua_State *L, const pc_run *run, size_t number)
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

/* Kinds of phases, by the events of the impact from its beginning on. */
static void push_phases(lua_State *L, const pc_run *run, size_t number)
{
    size_t n, at = pc_run_impact_history(&run->history, number)->begun;
    const pc_event_record *events = pc_run_events(run, &n);
    int left = ((const pc_impact_record *)run->history.impacts.data)[number].n_phases;
    lua_createtable(L, left, 0);
    for (int i = 1; at < n && left > 0; at++) {
        const pc_event_record *e = &events[at];
        bool begins = e->kind == PC_EVENT_BEGIN || e->kind == PC_EVENT_STICK || e->kind == PC_EVENT_SLIP ||
                      e->kind == PC_EVENT_REVERSAL;
        if (!begins || e->impact != number || !pc_pair_acts_in_motion(run->scene, e->pair)) continue;
        lua_createtable(L, 0, 2);
        lua_pushstring(L, e->mode == 0 ? "stick" : "slip");
        lua_setfield(L, -2, "kind");
        lua_pushinteger(L, e->mode);
        lua_setfield(L, -2, "sign");
        pc_record_seal(L, "start stop work at_start at_stop");
        lua_rawseti(L, -2, i++);
        left--;
    }
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
    push_phases(L, run, number);
    lua_setfield(L, -2, "phases");
    lua_createtable(L, 0, 1);
    if (record->v0[PC_N] < 0) set_number(L, "kinematic", -record->v1[PC_N] / record->v0[PC_N]);
    pc_record_seal(L, "kinematic kinetic energetic asked");
    lua_setfield(L, -2, "restitution");
    lua_pop(L, 1);
}

static const char *const fields[] = {"phases",           "regime",    "restitution", "impulse_ratio", "work",
                                     "compression_time", "reversals", "loss_of_max", "flags"};

void pc_run_fill_compliant(lua_State *L, int index, size_t number)
{
    pc_run *run = &((pc_bound_run *)lua_touserdata(L, index))->run;
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + number;
    pc_bound_impact *impact = pc_run_push_impact(L, index, record);
    double *joints = lua_newuserdatauv(L, pc_scene_reactions(run->scene) * sizeof *joints + 1, 0);
    pc_error err = {0};
    pc_status status = pc_run_compliant_impact(run, number, &impact->impact, joints, &err);
    if (status == PC_E_ARGUMENT) { /* not recorded */
        lua_pop(L, 2);
        fill_kept(L, run, number);
        return;
    }
    if (status != PC_OK) pc_raise(L, &err);
    lua_pushvalue(L, 1);
    pc_run_set_joint_impulses(L, run, joints);
    lua_pushinteger(L, impact->impact.n_phases);
    lua_setfield(L, -2, "phase_count");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_getfield(L, -3, fields[i]);
        lua_setfield(L, -2, fields[i]);
    }
    lua_pop(L, 3);
}

static void set_list(lua_State *L, const char *key, const double *v, int n)
{
    pc_push_numbers(L, v, n);
    lua_setfield(L, -2, key);
}

static void set_components(lua_State *L, const char *key, const double v[2])
{
    lua_createtable(L, 0, 2);
    set_number(L, "t", v[PC_T]);
    set_number(L, "n", v[PC_N]);
    pc_record_seal(L, "t2");
    lua_setfield(L, -2, key);
}

/* q, u before, u after, joint impulses. */
static const double *states_of(const pc_run *run, const pc_impact_record *record)
{
    return (const double *)run->history.states.data + record->states;
}

/* ---- what is kept ---- */

/* Impulses on each link at its upper joint, members that are chains one after the other; then, by their names, those of
 * joints on their first body. */
void pc_run_set_joint_impulses(lua_State *L, const pc_run *run, const double *joints)
{
    lua_newtable(L);
    int at = 0;
    for (int m = 0; m < run->scene->n_members; m++) {
        const pc_member *member = &run->scene->members[m];
        for (int i = 0; member->chain && i < member->chain->n; i++) {
            lua_createtable(L, 0, 2);
            set_number(L, "x", joints[2 * (member->node + i)]);
            set_number(L, "y", joints[2 * (member->node + i) + 1]);
            pc_record_seal(L, "");
            lua_rawseti(L, -2, ++at);
        }
    }
    joints += 2 * run->scene->n_nodes;
    for (int i = 0; i < run->scene->n_joints; i++, joints += 3) {
        lua_createtable(L, 0, 3);
        set_number(L, "x", joints[0]);
        set_number(L, "y", joints[1]);
        set_number(L, "moment", joints[2]);
        pc_record_seal(L, "");
        lua_setfield(L, -2, run->scene->joints[i].at.name);
    }
    lua_setfield(L, -2, "joint_impulses");
}

static void push_hit(lua_State *L, const pc_run *run, size_t number)
{
    const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + number;
    int n = run->scene->n_dof;
    const double *states = states_of(run, record);
    lua_createtable(L, 0, 22);
    lua_pushinteger(L, (lua_Integer)number + 1);
    lua_setfield(L, -2, "number");
    set_number(L, "time", record->t);
    lua_pushstring(L, run->scene->pairs[record->pair].name);
    lua_setfield(L, -2, "contact");
    set_list(L, "q", states, n);
    set_list(L, "u_before", states + n, n);
    set_list(L, "u_after", states + 2 * n, n);
    set_components(L, "velocity_before", record->v0);
    set_components(L, "velocity", record->v1);
    set_components(L, "impulse", record->impulse);
    set_number(L, "couple", record->couple);
    lua_createtable(L, 0, 2);
    set_number(L, "before", record->energy0);
    set_number(L, "after", record->energy1);
    pc_record_seal(L, "contact_before contact_after");
    lua_setfield(L, -2, "energy");
    set_number(L, "loss", record->energy0 - record->energy1 + record->driven);
    set_number(L, "driven", record->driven);
    lua_createtable(L, 0, 3);
    set_number(L, "tt", record->W.tt);
    set_number(L, "tn", record->W.tn);
    set_number(L, "nn", record->W.nn);
    pc_record_seal(L, "");
    lua_setfield(L, -2, "W");
    lua_pushstring(L, pc_outcome_word(record->outcome));
    lua_setfield(L, -2, "outcome");
    lua_pushboolean(L, record->outcome == PC_OUTCOME_WEDGED || record->outcome == PC_OUTCOME_ADHERED);
    lua_setfield(L, -2, "wedged");
    lua_pushstring(L, pc_rule_words[record->rule]);
    lua_setfield(L, -2, "rule");
    lua_pushinteger(L, record->order + 1);
    lua_setfield(L, -2, "order");
    if (record->compliant) {
        pc_run_set_compliant(L, run, number);
    } else {
        lua_pushinteger(L, record->n_phases);
        lua_setfield(L, -2, "phase_count");
        pc_impact_push_flags(L, record->flags);
        lua_setfield(L, -2, "flags");
        pc_run_set_joint_impulses(L, run, states + 3 * n);
    }
}

/* ---- what is worked out ---- */

/* Push the law of a pair: the one of the scene's laws whose parameters it uses; of a joint a copy of its own. */
void pc_run_push_law(lua_State *L, int run, const pc_pair *pair)
{
    if (pair->kind > PC_PAIR_GAP) {
        pc_bound_law *own = pc_law_push(L, pair->law);
        memcpy(own->params, pair->params, pair->law->schema->size);
        return;
    }
    pc_run_push_scene(L, run);
    lua_getiuservalue(L, -1, PC_SCENE_LAWS);
    lua_remove(L, -2);
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; i++) {
        const pc_bound_law *law = lua_touserdata(L, -1);
        if (law->params == pair->params) break;
        lua_pop(L, 1);
    }
    lua_remove(L, -2);
}

/* Push body.matrix{ mobility = W }: all that a law knows of what struck. */
static void push_body(lua_State *L, const pc_mobility *W)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_getfield(L, -1, "percuss");
    lua_getfield(L, -1, "body");
    lua_getfield(L, -1, "matrix");
    lua_createtable(L, 0, 1);
    lua_createtable(L, 2, 0);
    pc_push_numbers(L, (const double[2]){W->tt, W->tn}, 2);
    lua_rawseti(L, -2, 1);
    pc_push_numbers(L, (const double[2]){W->tn, W->nn}, 2);
    lua_rawseti(L, -2, 2);
    lua_setfield(L, -2, "mobility");
    lua_call(L, 1, 1);
    lua_insert(L, -4);
    lua_pop(L, 3);
}

pc_bound_impact *pc_run_push_impact(lua_State *L, int index, const pc_impact_record *record)
{
    const pc_pair *pair = &((pc_bound_run *)lua_touserdata(L, index))->run.scene->pairs[record->pair];
    pc_bound_impact *self = pc_type_new(L, &pc_type_impact, sizeof *self, PC_IMPACT_USERVALUES);
    int at = lua_gettop(L);
    pc_impact_init(&self->impact);
    push_body(L, &record->W);
    lua_setiuservalue(L, at, PC_IMPACT_BODY);
    pc_run_push_law(L, index, pair);
    lua_setiuservalue(L, at, PC_IMPACT_LAW);
    self->W = pc_impact_record_mobility(record, &self->turning);
    self->resists = self->W.turning != NULL;
    self->W.turning = NULL;
    pc_error err = {0};
    if (pc_mobility_rank(&self->W, &self->W.rank, &err) != PC_OK) pc_raise(L, &err);
    self->loss_max = pc_mobility_energy(&self->W, (const double[3]){record->v0[PC_T], record->v0[PC_N], 0});
    return self;
}

/* Push the impact that the law made of this, as percuss.collide would return it. */
static void push_impact(lua_State *L, int index, const pc_run *run, const pc_impact_record *record)
{
    const pc_pair *pair = &run->scene->pairs[record->pair];
    pc_bound_impact *self = pc_run_push_impact(L, index, record);
    pc_error err = {0};
    const double v0[3] = {record->v0[PC_T], record->v0[PC_N], 0};
    pc_mobility W = record->W; /* with the rank that the impact had */
    W.turning = pc_collision_mobility(self).turning;
    if (pc_law_impact(pair->law, pair->params, &W, v0, &self->impact, &err) != PC_OK) pc_raise(L, &err);
    self->energy0 = self->impact.energy0;
    self->energy1 = self->impact.energy1;
}

static const char *const of_impact[] = {"phases",   "regime",           "restitution", "impulse_ratio", "work",
                                        "duration", "compression_time", "peak",        "reversals",     "lock",
                                        "law",      "loss_of_max"};

static void push_state(lua_State *L, int index, const pc_run *run, const pc_impact_record *record, bool after)
{
    int n = run->scene->n_dof;
    const double *states = states_of(run, record), *q = states;
    double t = record->t;
    if (after && record->compliant) { /* it has moved meanwhile */
        q = states + 3 * n + pc_scene_reactions(run->scene);
        t = pc_run_impact_history(&run->history, (size_t)(record - (const pc_impact_record *)run->history.impacts.data))
                ->stop;
        if (isnan(t)) t = run->state.t;
    }
    double *y = lua_newuserdatauv(L, 2 * (size_t)n * sizeof *y, 0);
    memcpy(y, q, (size_t)n * sizeof *y);
    memcpy(y + n, states + (after ? 2 * n : n), (size_t)n * sizeof *y);
    pc_run_push_instant(L, index, t, y);
    lua_remove(L, -2);
}

/* All fields that follow from the recorded motion are made at once; push one of them. */
static bool push_compliant_field(lua_State *L, int index, size_t number, const char *key)
{
    lua_pushliteral(L, "phases");
    bool made = lua_rawget(L, 1) != LUA_TNIL;
    lua_pop(L, 1);
    if (made) return false;
    pc_run_fill_compliant(L, index, number);
    lua_pushstring(L, key);
    return lua_rawget(L, 1) != LUA_TNIL;
}

/* The value of a field that is not there yet, or nothing. */
static bool push_field(lua_State *L, int index, const char *key)
{
    const pc_run *run = &((pc_bound_run *)lua_touserdata(L, index))->run;
    lua_getfield(L, 1, "number"); /* it is there: this is only called for what is not */
    size_t n, number = (size_t)lua_tointeger(L, -1) - 1;
    lua_pop(L, 1);
    const pc_impact_record *record = pc_run_impacts(run, &n) + number;
    if (number >= n) return false;
    bool after = strcmp(key, "after") == 0 || strcmp(key, "body") == 0;
    if (strcmp(key, "before") == 0 || strcmp(key, "after") == 0) {
        push_state(L, index, run, record, after);
        return true;
    }
    if (strcmp(key, "body") == 0 || strcmp(key, "body_before") == 0) {
        pc_run_push_rates(L, run->scene, states_of(run, record) + (after ? 2 : 1) * run->scene->n_dof);
        return true;
    }
    if (strcmp(key, "law") == 0 && record->compliant) {
        pc_run_push_law(L, index, &run->scene->pairs[record->pair]);
        return true;
    }
    if (record->compliant) return push_compliant_field(L, index, number, key);
    if (record->rule != PC_RULE_SEQUENTIAL) return false;
    if (strcmp(key, "impact") == 0) {
        push_impact(L, index, run, record);
        return true;
    }
    for (size_t i = 0; i < sizeof of_impact / sizeof *of_impact; i++) {
        if (strcmp(key, of_impact[i]) != 0) continue;
        lua_getfield(L, 1, "impact");
        lua_getfield(L, -1, key);
        lua_remove(L, -2);
        return true;
    }
    return false;
}

/* What an impact may have beside what is kept. */
#define WORKED_OUT                                                                                                     \
    "before after body body_before impact stop phases regime restitution impulse_ratio work duration "                 \
    "compression_time peak reversals lock law loss_of_max flags joint_impulses phase_count"

/* __index of the tables of impacts; upvalue 1: the run. */
static int impact_index(lua_State *L)
{
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING || strcmp(lua_tostring(L, 2), "number") == 0) return 0;
    lua_pushvalue(L, lua_upvalueindex(1));
    pc_type_check(L, 3, &pc_type_run); /* it may have been closed */
    if (!push_field(L, 3, lua_tostring(L, 2))) {
        lua_settop(L, 2);
        return pc_record_missing(L, WORKED_OUT);
    }
    lua_pushvalue(L, 2);
    lua_pushvalue(L, -2);
    lua_rawset(L, 1);
    return 1;
}

void pc_run_push_impacts(lua_State *L, void *self)
{
    const pc_run *run = &((pc_bound_run *)self)->run;
    size_t n = run->history.impacts.used;
    lua_createtable(L, (int)n, 0);
    lua_createtable(L, 0, 3);
    lua_pushvalue(L, 1);
    lua_pushcclosure(L, impact_index, 1);
    lua_setfield(L, -2, "__index");
    pc_record_say(L);
    for (size_t i = 0; i < n; i++) {
        push_hit(L, run, i);
        lua_pushvalue(L, -2);
        lua_setmetatable(L, -2);
        lua_rawseti(L, -3, (lua_Integer)i + 1);
    }
    lua_pop(L, 1);
}
