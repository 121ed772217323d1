/* Fields of a run: impacts, events, statistics. */
#include "bind/bind_run.h"

#include <math.h>

static const pc_run *run_of(void *self)
{
    return &((pc_bound_run *)self)->run;
}

static void set_number(lua_State *L, const char *key, double x)
{
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

static void set_list(lua_State *L, const char *key, const double *v, int n)
{
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, v[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, key);
}

static void set_components(lua_State *L, const char *key, const double v[2])
{
    lua_createtable(L, 0, 2);
    set_number(L, "t", v[PC_T]);
    set_number(L, "n", v[PC_N]);
    lua_setfield(L, -2, key);
}

/* Phases as words: "slip+", "slip-", "stick". */
static void set_phases(lua_State *L, const pc_hit *hit)
{
    lua_newtable(L);
    for (int i = 0; i < hit->n_phases && i < 8; i++) {
        lua_pushstring(L, hit->phase[i] == 0 ? "stick" : hit->phase[i] > 0 ? "slip+" : "slip-");
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "phases");
}

static void set_flags(lua_State *L, unsigned flags)
{
    lua_newtable(L);
    const struct {
        unsigned bit;
        const char *word;
    } words[] = {{PC_FLAG_JAM, "jam"},
                 {PC_FLAG_REVERSE_SLIP, "reverse_slip"},
                 {PC_FLAG_E_ABOVE_ONE, "e_above_one"},
                 {PC_FLAG_GAINED_ENERGY, "gained_energy"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(flags & words[i].bit)) continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, words[i].word);
    }
    lua_setfield(L, -2, "flags");
}

/* Impulses on each link at its upper joint, members that are chains one after the other. */
static void set_joints(lua_State *L, const pc_run *run, const double *joints)
{
    lua_newtable(L);
    int at = 0;
    for (int m = 0; m < run->scene->n_members; m++) {
        const pc_member *member = &run->scene->members[m];
        for (int i = 0; member->chain && i < member->chain->n; i++) {
            lua_createtable(L, 0, 2);
            set_number(L, "x", joints[2 * (member->node + i)]);
            set_number(L, "y", joints[2 * (member->node + i) + 1]);
            lua_rawseti(L, -2, ++at);
        }
    }
    lua_setfield(L, -2, "joint_impulses");
}

static void push_hit(lua_State *L, const pc_run *run, const pc_hit *hit)
{
    int n = run->scene->n_dof;
    const double *states = (const double *)run->states.data + hit->states;
    lua_createtable(L, 0, 20);
    set_number(L, "time", hit->t);
    lua_pushstring(L, run->scene->pairs[hit->pair].name);
    lua_setfield(L, -2, "contact");
    set_list(L, "q", states, n);
    set_list(L, "u_before", states + n, n);
    set_list(L, "u_after", states + 2 * n, n);
    set_components(L, "velocity_before", hit->v0);
    set_components(L, "velocity", hit->v1);
    set_components(L, "impulse", hit->impulse);
    lua_createtable(L, 0, 2);
    set_number(L, "before", hit->energy0);
    set_number(L, "after", hit->energy1);
    lua_setfield(L, -2, "energy");
    set_number(L, "loss", hit->energy0 - hit->energy1);
    lua_createtable(L, 0, 3);
    set_number(L, "tt", hit->W.tt);
    set_number(L, "tn", hit->W.tn);
    set_number(L, "nn", hit->W.nn);
    lua_setfield(L, -2, "W");
    lua_pushstring(L, hit->outcome == PC_OUTCOME_WEDGED ? "wedged" : "rebound");
    lua_setfield(L, -2, "outcome");
    lua_pushboolean(L, hit->outcome == PC_OUTCOME_WEDGED);
    lua_setfield(L, -2, "wedged");
    lua_pushstring(L, hit->together ? "simultaneous" : "sequential");
    lua_setfield(L, -2, "rule");
    lua_pushinteger(L, hit->order + 1);
    lua_setfield(L, -2, "order");
    set_phases(L, hit);
    set_flags(L, hit->flags);
    set_joints(L, run, states + 3 * n);
}

static void push_impacts(lua_State *L, void *self)
{
    size_t n;
    const pc_hit *hits = pc_run_hits(run_of(self), &n);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_hit(L, run_of(self), &hits[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_event(lua_State *L, const pc_run *run, const pc_event_record *e)
{
    lua_createtable(L, 0, 5);
    set_number(L, "time", e->t);
    lua_pushstring(L, pc_happening_word(e->kind));
    lua_setfield(L, -2, "kind");
    if (e->kind == PC_HAPPENS_USER) {
        lua_getiuservalue(L, 1, PC_RUN_NAMES);
        lua_rawgeti(L, -1, e->pair + 1);
        lua_remove(L, -2);
    } else {
        lua_pushstring(L, pc_happening_word(e->kind));
    }
    lua_setfield(L, -2, "name");
    if (e->kind != PC_HAPPENS_USER && e->pair >= 0) {
        lua_pushstring(L, run->scene->pairs[e->pair].name);
        lua_setfield(L, -2, "contact");
    }
    bool has_mode = e->kind == PC_HAPPENS_BEGIN || e->kind == PC_HAPPENS_SLIP || e->kind == PC_HAPPENS_REVERSAL ||
                    e->kind == PC_HAPPENS_STICK;
    if (has_mode) {
        lua_pushstring(L, e->mode == 0 ? "stick" : e->mode > 0 ? "slip+" : "slip-");
        lua_setfield(L, -2, "mode");
    }
    if (e->kind == PC_HAPPENS_IMPACT) {
        lua_pushinteger(L, (lua_Integer)e->impact + 1);
        lua_setfield(L, -2, "impact");
    }
    if (e->kind == PC_HAPPENS_ACCUMULATION) set_number(L, "ratio", e->ratio);
}

static void push_events(lua_State *L, void *self)
{
    size_t n;
    const pc_event_record *events = pc_run_events(run_of(self), &n);
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_event(L, run_of(self), &events[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

static void push_time(lua_State *L, void *self)
{
    lua_pushnumber(L, run_of(self)->t);
}

static void push_start(lua_State *L, void *self)
{
    lua_pushnumber(L, run_of(self)->t0);
}

static void push_stop(lua_State *L, void *self)
{
    static const char *const words[] = {"end", "event", "max_impacts", "interrupted", "broken"};
    lua_pushstring(L, words[run_of(self)->stop]);
}

static void push_scene(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_RUN_SCENE);
}

static void push_count(lua_State *L, void *self)
{
    lua_pushinteger(L, (lua_Integer)run_of(self)->hits.used);
}

/* The contacts that are closed now. */
static void push_contacts(lua_State *L, void *self)
{
    const pc_run *run = run_of(self);
    lua_createtable(L, run->contacts.n, 0);
    for (int i = 0; i < run->contacts.n; i++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, run->scene->pairs[run->contacts.pair[i]].name);
        lua_setfield(L, -2, "contact");
        int mode = run->contacts.mode[i];
        lua_pushstring(L, mode == 0 ? "stick" : mode > 0 ? "slip+" : "slip-");
        lua_setfield(L, -2, "mode");
        lua_rawseti(L, -2, i + 1);
    }
}

/* Counts of the integration and means over the impacts. */
static void push_statistics(lua_State *L, void *self)
{
    const pc_run *run = run_of(self);
    size_t n;
    const pc_hit *hits = pc_run_hits(run, &n);
    double lost = 0, fastest = 0;
    for (size_t i = 0; i < n; i++) {
        lost += hits[i].energy0 - hits[i].energy1;
        fastest = fmax(fastest, -hits[i].v0[PC_N]);
    }
    lua_createtable(L, 0, 8);
    set_number(L, "steps", (double)run->statistics.steps);
    set_number(L, "rejected", (double)run->statistics.rejected);
    set_number(L, "rhs_calls", (double)run->statistics.rhs_calls);
    set_number(L, "impacts", (double)n);
    if (run->t > run->t0) set_number(L, "impact_rate", (double)n / (run->t - run->t0));
    set_number(L, "lost", lost);
    set_number(L, "fastest_approach", fastest);
    set_number(L, "energy_at_start", run->energy0);
}

const pc_property pc_run_properties[] = {
    {"impacts", push_impacts, NULL,
     "list of impacts: time, contact, q, u_before, u_after, velocity_before and velocity of the contact point (.t, "
     ".n), "
     "impulse (.t, .n), energy.before and .after, loss, W (.tt, .tn, .nn), outcome, wedged, phases, flags, "
     "joint_impulses, "
     "rule and order among those at one instant"},
    {"events", push_events, NULL,
     "list of everything that happened: time, kind (impact, contact, accumulation, stick, slip, reversal, lift_off, "
     "jam, "
     "rest, user), name, contact, mode, impact (its number), ratio (of an accumulation)"},
    {"impact_count", push_count, "", "number of impacts"},
    {"contacts", push_contacts, NULL, "the contacts that are closed at the end: contact, mode"},
    {"time", push_time, "s", "how far it got"},
    {"start", push_start, "s", "when it began"},
    {"stop", push_stop, NULL, "why it ended: end, event, max_impacts, or with a partial result interrupted or broken"},
    {"scene", push_scene, NULL, "the scene"},
    {"statistics", push_statistics, NULL,
     "steps, rejected, rhs_calls, impacts, impact_rate (1/s), lost (J), fastest_approach (m/s), energy_at_start (J)"},
    {0},
};
