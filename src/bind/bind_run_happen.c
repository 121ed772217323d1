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

static void push_event(lua_State *L, const pc_run *run, const pc_event_record *e)
{
    lua_createtable(L, 0, 5);
    set_number(L, "time", e->t);
    lua_pushstring(L, pc_event_kind_word(e->kind));
    lua_setfield(L, -2, "kind");
    if (e->kind == PC_EVENT_USER) {
        lua_getiuservalue(L, 1, PC_RUN_NAMES);
        lua_rawgeti(L, -1, e->pair + 1);
        lua_remove(L, -2);
    } else {
        lua_pushstring(L, pc_event_kind_word(e->kind));
    }
    lua_setfield(L, -2, "name");
    if (e->kind != PC_EVENT_USER && e->pair >= 0) {
        lua_pushstring(L, run->scene->pairs[e->pair].name);
        lua_setfield(L, -2, "contact");
    }
    bool has_mode = e->kind == PC_EVENT_BEGIN || e->kind == PC_EVENT_SLIP || e->kind == PC_EVENT_REVERSAL ||
                    e->kind == PC_EVENT_STICK;
    if (has_mode) {
        lua_pushstring(L, e->mode == 0 ? "stick" : e->mode > 0 ? "slip+" : "slip-");
        lua_setfield(L, -2, "mode");
    }
    if (e->kind == PC_EVENT_IMPACT) {
        lua_pushinteger(L, (lua_Integer)e->impact + 1);
        lua_setfield(L, -2, "impact");
        const pc_impact_record *record = (const pc_impact_record *)run->history.impacts.data + e->impact;
        lua_pushstring(L, record->outcome == PC_OUTCOME_WEDGED ? "wedged" : "rebound");
        lua_setfield(L, -2, "outcome");
    }
    bool has_record = e->kind != PC_EVENT_IMPACT && e->kind != PC_EVENT_USER && e->pair >= 0;
    if (has_record && pc_pair_acts_in_motion(run->scene, e->pair)) {
        lua_pushinteger(L, (lua_Integer)e->impact + 1);
        lua_setfield(L, -2, "impact");
    }
    if (e->kind == PC_EVENT_ACCUMULATION) set_number(L, "ratio", e->ratio);
    pc_record_seal(L, "contact mode impact outcome ratio");
}

/* What an event of this run may be called, those of the user last. */
static void push_event_names(lua_State *L, void *self)
{
    (void)self;
    lua_newtable(L);
    for (int kind = 0; kind < PC_EVENT_USER; kind++) {
        lua_pushstring(L, pc_event_kind_word(kind));
        lua_rawseti(L, -2, kind + 1);
    }
    if (lua_getiuservalue(L, 1, PC_RUN_NAMES) != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    for (lua_Integer i = 1, n = luaL_len(L, -1); i <= n; i++) {
        lua_rawgeti(L, -1, i);
        lua_rawseti(L, -3, PC_EVENT_USER + i);
    }
    lua_pop(L, 1);
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
    lua_pushnumber(L, run_of(self)->state.t);
}

static void push_start(lua_State *L, void *self)
{
    lua_pushnumber(L, run_of(self)->history.t0);
}

static void push_max_impacts(lua_State *L, void *self)
{
    lua_pushinteger(L, ((pc_bound_run *)self)->max_impacts);
}

static void push_record(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_bound_run *)self)->record);
}

static void push_stop(lua_State *L, void *self)
{
    static const char *const words[] = {"end", "event", "max_impacts", "interrupted", "broken"};
    lua_pushstring(L, words[run_of(self)->state.stop]);
}

static void push_rule(lua_State *L, void *self)
{
    const pc_scene *scene = run_of(self)->scene;
    lua_pushstring(L, pc_scene_compliant_pairs(scene) ? "compliant" : pc_rule_words[scene->rule]);
}

static void push_scene(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_RUN_SCENE);
}

static void push_count(lua_State *L, void *self)
{
    lua_pushinteger(L, (lua_Integer)run_of(self)->history.impacts.used);
}

/* The contacts that are closed now. */
static void push_contacts(lua_State *L, void *self)
{
    const pc_run *run = run_of(self);
    const pc_compliant *compliant = &run->state.compliant;
    lua_createtable(L, run->state.contacts.n + compliant->n, 0);
    for (int i = 0; i < run->state.contacts.n + compliant->n; i++) {
        bool rigid = i < run->state.contacts.n;
        const pc_compliant_contact *own = &compliant->contact[rigid ? 0 : i - run->state.contacts.n];
        lua_createtable(L, 0, 2);
        lua_pushstring(L, run->scene->pairs[rigid ? run->state.contacts.pair[i] : own->pair].name);
        lua_setfield(L, -2, "contact");
        int mode = rigid ? run->state.contacts.mode[i] : own->base.stuck ? 0 : own->base.sign;
        lua_pushstring(L, mode == 0 ? "stick" : mode > 0 ? "slip+" : "slip-");
        lua_setfield(L, -2, "mode");
        pc_record_seal(L, "");
        lua_rawseti(L, -2, i + 1);
    }
}

/* Counts of the integration and means over the impacts. */
static void push_statistics(lua_State *L, void *self)
{
    const pc_run *run = run_of(self);
    size_t n;
    const pc_impact_record *impacts = pc_run_impacts(run, &n);
    double lost = 0, fastest = 0;
    for (size_t i = 0; i < n; i++) {
        lost += impacts[i].energy0 - impacts[i].energy1;
        fastest = fmax(fastest, -impacts[i].v0[PC_N]);
    }
    lua_createtable(L, 0, 8);
    set_number(L, "steps", (double)run->history.statistics.steps);
    set_number(L, "rejected", (double)run->history.statistics.rejected);
    set_number(L, "rhs_calls", (double)run->history.statistics.rhs_calls);
    if (run->history.statistics.jacobians > 0) set_number(L, "jacobians", (double)run->history.statistics.jacobians);
    set_number(L, "impacts", (double)n);
    if (run->state.t > run->history.t0) set_number(L, "impact_rate", (double)n / (run->state.t - run->history.t0));
    set_number(L, "lost", lost);
    set_number(L, "fastest_approach", fastest);
    set_number(L, "energy_at_start", run->state.energy0);
    pc_record_seal(L, "jacobians impact_rate");
}

const pc_property pc_run_properties[] = {
    {"impacts", pc_run_push_impacts, NULL,
     "list of impacts: time, contact, q, u_before, u_after, velocity_before and velocity of the contact point (.t, "
     ".n), impulse (.t, .n), energy.before and .after (potential included), loss, W (.tt, .tn, .nn), outcome, wedged, "
     "flags (of collide, and order_dependent: others approached as fast, bodies join them, and a law of single impacts "
     "struck this one first because of its place), phase_count, joint_impulses, rule (sequential: by its law alone; "
     "tied "
     "or simultaneous: as one with others, by their joint rules) and order among those at one instant. Worked out when "
     "they are asked "
     "for: before and after (coordinates, rates, positions, gaps and energies by the names of columns), body_before "
     "and body (rates by their names), and, where the rule is sequential, impact (what percuss.collide "
     "would return), of which phases, regime, restitution, impulse_ratio, work, duration, compression_time, peak, "
     "reversals, lock, loss_of_max and law are fields here too. With configuration = \"moving\" an impact is what "
     "happened while the contact was closed, as far as it has got: it has rule \"compliant\", stop and duration (s; "
     "nil "
     "while it lasts), outcome (\"contact\" while it lasts) and peak, and the other fields but impact and lock "
     "are read off the recorded motion; their times count from its beginning, and its "
     "joint_impulses hold those of weight and motion meanwhile. Without a record (record = false) work, kinds and "
     "signs "
     "of the first 8 phases and the kinematic restitution are kept"},
    {"events", push_events, NULL,
     "list of everything that happened: time, kind (impact, contact, accumulation, stick, slip, reversal, lift_off, "
     "jam, "
     "rest, user), name, contact, mode, impact (its number) and outcome (\"rebound\" or \"wedged\"; after it the "
     "contact begins, in stick), ratio (of an accumulation)"},
    {"event_names", push_event_names, NULL,
     "what events of this run may be called: kinds, and the names of the user's"},
    {"impact_count", push_count, "", "number of impacts"},
    {"contacts", push_contacts, NULL, "the contacts that are closed at the end: contact, mode"},
    {"time", push_time, "s", "how far it got"},
    {"start", push_start, "s", "when it began"},
    {"max_impacts", push_max_impacts, "", "number of impacts at which it stops"},
    {"record", push_record, NULL, "true if what at, columns and charts need is kept"},
    {"stop", push_stop, NULL, "why it ended: end, event, max_impacts, or with a partial result interrupted or broken"},
    {"scene", push_scene, NULL, "the scene"},
    {"rule", push_rule, NULL,
     "what decides when several contacts act at once: compliant (configuration = \"moving\": their laws, through the "
     "motion; rigid laws in the same scene go on striking), tied, simultaneous or sequential"},
    {"statistics", push_statistics, NULL,
     "steps, rejected, rhs_calls, jacobians (of a stiff method), impacts, impact_rate (1/s), lost (J), "
     "fastest_approach (m/s), energy_at_start (J)"},
    {0},
};
