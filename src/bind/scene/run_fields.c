/* Fields and methods of a run: impacts, events, statistics, the state at a time, columns, and run:carry, what becomes
 * of a small displacement. */
#include "bind/core/bind.h"
#include "bind/scene/run.h"
#include "motion/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
        lua_pushstring(L, pc_outcome_word(record->outcome));
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
        lost += impacts[i].energy0 - impacts[i].energy1 + impacts[i].driven;
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
     "of phases and the kinematic restitution are kept"},
    {"events", push_events, NULL,
     "list of everything that happened: time, kind (impact, contact, accumulation, stick, slip, reversal, lift_off, "
     "jam, "
     "rest, user), name, contact, mode, impact (its number) and outcome (\"rebound\", or "
     "\"wedged\" or \"adhered\", after which the contact begins), ratio (of an accumulation)"},
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

/* ---- columns of an instant ---- */

typedef struct layout {
    int n;
    pc_run_column *columns;
} layout;

/* The layout of a scene, in a userdata on top of the stack. */
static void push_layout(lua_State *L, const pc_scene *scene, layout *l)
{
    l->n = pc_run_columns(scene, NULL, 0);
    l->columns = lua_newuserdatauv(L, (size_t)l->n * sizeof *l->columns + 1, 0);
    pc_run_columns(scene, l->columns, l->n);
}

/* ---- at ---- */

static void look_at(lua_State *L, int index, pc_run *run, double t, int side, pc_look *look)
{
    pc_run_session session = {0};
    int top = lua_gettop(L);
    pc_run_enter(L, index, &session);
    pc_status status = pc_run_look(run, t, side, look, &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) pc_raise(L, &session.err);
    lua_settop(L, top);
}

void pc_run_push_instant(lua_State *L, int index, double t, const double *y)
{
    pc_bound_run *self = lua_touserdata(L, index);
    pc_run *run = &self->run;
    pc_run_session session = {0};
    int top = lua_gettop(L);
    pc_run_enter(L, index, &session);
    pc_look look;
    pc_status status = pc_run_look_state(run, t, y, &look, &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) pc_raise(L, &session.err);
    lua_settop(L, top);
    layout l;
    push_layout(L, run->scene, &l);
    lua_createtable(L, 0, l.n);
    for (int i = 0; i < l.n; i++) {
        if (!pc_run_column_is_of_state(&l.columns[i])) continue;
        lua_pushnumber(L, pc_run_column_value(&look, &l.columns[i]));
        lua_setfield(L, -2, l.columns[i].name);
    }
    pc_record_seal(L, "");
    lua_replace(L, top + 1);
    lua_settop(L, top + 1);
}

void pc_run_push_rates(lua_State *L, const pc_scene *scene, const double *u)
{
    layout l;
    push_layout(L, scene, &l);
    lua_createtable(L, 0, scene->n_dof);
    for (int i = 0; i < l.n; i++) {
        const pc_run_column *c = &l.columns[i];
        if (c->from != PC_COLUMN_RATE && c->from != PC_COLUMN_BODY_U) continue;
        lua_pushnumber(L, u[scene->members[c->member].first + c->k]);
        lua_setfield(L, -2, c->name);
    }
    pc_record_seal(L, "");
    lua_remove(L, -2);
}

/* run:at(t [, side]) -> table of all columns, and q, u */
static int run_at(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    double t = pc_argument_number(L, 2);
    static const char *const sides[] = {"after", "before", NULL};
    int side = !lua_isnoneornil(L, 3) && pc_argument_word(L, 3, sides) == 1 ? -1 : 1;
    lua_settop(L, 3);
    pc_look look;
    look_at(L, 1, &self->run, t, side, &look);
    layout l;
    push_layout(L, self->run.scene, &l);
    lua_createtable(L, 0, l.n + 3);
    lua_pushnumber(L, t);
    lua_setfield(L, -2, "t");
    for (int i = 0; i < l.n; i++) {
        lua_pushnumber(L, pc_run_column_value(&look, &l.columns[i]));
        lua_setfield(L, -2, l.columns[i].name);
    }
    int n = self->run.scene->n_dof;
    for (int k = 0; k < 2; k++) {
        lua_createtable(L, n, 0);
        for (int i = 0; i < n; i++) {
            lua_pushnumber(L, look.y[k * n + i]);
            lua_rawseti(L, -2, i + 1);
        }
        lua_setfield(L, -2, k ? "u" : "q");
    }
    pc_record_seal(L, "");
    return 1;
}

/* ---- columns ---- */

/* Times of the rows, as an array on top of the stack: those given; or multiples of a step and both sides of each
 * jump; or the ends of all arcs. side[i] < 0: before the jump. */
static pc_array *push_times(lua_State *L, const pc_run *run, int index, signed char **sides)
{
    if (lua_type(L, index) == LUA_TTABLE || lua_type(L, index) == LUA_TUSERDATA) {
        lua_pushvalue(L, index);
        pc_array *times = pc_array_take(L, lua_gettop(L));
        *sides = lua_newuserdatauv(L, times->n + 1, 0);
        memset(*sides, 1, times->n + 1);
        lua_insert(L, -2);
        return times;
    }
    double step = pc_argument_number_or(L, index, 0), span = run->state.t - run->history.t0;
    pc_argument_check(L, lua_isnoneornil(L, index) || (step > 0 && isfinite(step)), index, "must be > 0");
    if (step > 0 && span / step > 1e8) pc_refuse(L, "%f rows are too many; give a longer step", span / step);
    size_t n_arcs;
    const pc_arc *arcs = pc_trajectory_arcs(&run->history.trajectory, &n_arcs);
    size_t grid = step > 0 ? (size_t)(span / step * (1 + 1e-12)) + 1 : 0;
    size_t n_impacts, n = 0, most;
    const pc_impact_record *impacts = pc_run_impacts(run, &n_impacts);
    most = grid + 2 * n_impacts + (step > 0 ? 2 : n_arcs + 2);
    double *t = lua_newuserdatauv(L, most * sizeof *t, 0);
    *sides = lua_newuserdatauv(L, most, 0);
    size_t g = 0, h = 0, a = 0;
    t[n] = run->history.t0;
    (*sides)[n++] = 1;
    while (h < n_impacts && impacts[h].t <= run->history.t0) h++;
    while (n_arcs > 0) { /* merge: the next row is the earliest of grid, impact and arc */
        double next_g = step > 0 && g + 1 < grid ? run->history.t0 + (double)(g + 1) * step : INFINITY;
        double next_h = h < n_impacts ? impacts[h].t : INFINITY;
        double next_a = step > 0 ? INFINITY : a < n_arcs ? arcs[a].stop : INFINITY;
        double next = fmin(next_g, fmin(next_h, next_a));
        if (!(next < run->state.t)) break;
        if (next_h == next) {
            t[n] = next;
            (*sides)[n++] = -1;
            while (h < n_impacts && impacts[h].t == next) h++;
        }
        t[n] = next;
        (*sides)[n++] = 1;
        if (next_g == next) g++;
        while (step == 0 && a < n_arcs && arcs[a].stop <= next) a++;
    }
    if (run->state.t > run->history.t0) {
        t[n] = run->state.t;
        (*sides)[n++] = 1;
    }
    pc_array *times = pc_array_new(L, n);
    memcpy(times->v, t, n * sizeof *t);
    return times;
}

/* run:columns([step or times]) -> { names =, units =, t = array, ... } */
static int run_columns(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    pc_run *run = &self->run;
    lua_settop(L, 2);
    signed char *sides;
    pc_array *times = push_times(L, run, 2, &sides);
    int at = lua_gettop(L);
    layout l;
    push_layout(L, run->scene, &l);
    lua_createtable(L, 0, l.n + 3);
    int result = lua_gettop(L);
    lua_createtable(L, l.n + 1, 0);
    lua_createtable(L, 0, l.n + 1);
    double **out = lua_newuserdatauv(L, (size_t)l.n * sizeof *out + 1, 0);
    lua_pushvalue(L, at);
    lua_setfield(L, result, "t");
    lua_pushliteral(L, "t");
    lua_rawseti(L, result + 1, 1);
    lua_pushliteral(L, "s");
    lua_setfield(L, result + 2, "t");
    for (int i = 0; i < l.n; i++) {
        out[i] = pc_array_new(L, times->n)->v;
        lua_setfield(L, result, l.columns[i].name);
        lua_pushstring(L, l.columns[i].name);
        lua_rawseti(L, result + 1, i + 2);
        lua_pushstring(L, l.columns[i].unit);
        lua_setfield(L, result + 2, l.columns[i].name);
    }
    for (size_t k = 0; k < times->n; k++) {
        pc_look look;
        look_at(L, 1, run, times->v[k], sides[k], &look);
        for (int i = 0; i < l.n; i++) out[i][k] = pc_run_column_value(&look, &l.columns[i]);
    }
    lua_settop(L, result + 2);
    lua_setfield(L, result, "units");
    lua_setfield(L, result, "names");
    pc_record_seal(L, "");
    return 1;
}

#define BALL                                                                                                           \
    "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = 1.1 }\n"                                 \
    "local world = percuss.scene{ ball, percuss.floor{ height = 0 },\n"                                                \
    "    contact = percuss.contact.newton{ restitution = 0.5, friction = 0 } }\n"                                      \
    "local run = percuss.simulate(world, { duration = 0.4 })\n"

static const pc_row at_params[] = {
    {.name = "t", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .doc = "time within the run"},
    PC_STAYS_ROW("side", PC_STRING, .otherwise = "\"after\"",
                 .doc = "where velocities jump at t: \"before\" or \"after\""),
    {0},
};
static const pc_row columns_params[] = {
    PC_STAYS_ROW("times", PC_REAL, .also = PC_ALSO(PC_NUMBERS), .unit = PC_UNIT_S, .otherwise = "the ends of all steps",
                 .doc = "step between rows, or the times themselves; unless they are given, an impact has two rows, "
                        "before and after"),
    {0},
};
static const pc_row continue_params[] = {
    {.name = "duration", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .doc = "how much longer"},
    PC_STAYS_ROW("progress", PC_FUNCTION, .otherwise = "nil", .doc = "function of time and number of impacts"),
    {0},
};

/* run:work(name [, from, to]) -> given, damped */
static int run_work(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    const pc_scene *scene = self->run.scene;
    const char *name = pc_argument_string(L, 2), *names[64];
    int which = 0, n_names = 0, n = scene->n_forces + scene->n_drives; /* the drives of obstacles follow the forces */
    for (; which < n; which++) {
        int drive = which - scene->n_forces;
        const char *known = drive < 0 ? scene->forces[which].name : pc_scene_drive_name(scene, drive);
        if (strcmp(known, name) == 0) break;
        if (n_names < 64) names[n_names++] = known;
    }
    if (which == n) {
        const char *near = pc_nearest(name, names, n_names);
        return pc_refuse(L, "run:work: the scene has no force and no moving obstacle '%s'%s%s%s", name,
                         near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    double from = pc_argument_number_or(L, 3, self->run.history.t0),
           to = pc_argument_number_or(L, 4, self->run.state.t);
    if (from < self->run.history.t0 || to > self->run.state.t || to < from)
        return pc_refuse(L, "run:work: from %f to %f s is not within the motion, %f to %f s", from, to,
                         self->run.history.t0, self->run.state.t);
    if (self->run.history.arcs.used == 0 && to > from)
        return pc_refuse(L, "run:work: the motion was not recorded (record = false)");
    lua_settop(L, 4);
    pc_run_session session = {0};
    double work[2];
    pc_run_enter(L, 1, &session);
    int drive = which - scene->n_forces;
    work[0] = 0;
    pc_status status = drive < 0 ? pc_run_force_work(&self->run, which, from, to, work, &session.err)
                                 : pc_run_drive_work(&self->run, drive, from, to, &work[1], &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) return pc_raise(L, &session.err);
    lua_pushnumber(L, work[1]);
    lua_pushnumber(L, 0 - work[0]);
    return 2;
}

static const pc_row work_params[] = {
    {.name = "name",
     .kind = PC_STRING,
     .initial = PC_REQUIRED,
     .doc = "of a force or of an obstacle that moves: the one that it was given, or that of its kind"},
    {.name = "from", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_ABSENT, .otherwise = "the start", .doc = "time"},
    {.name = "to", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_ABSENT, .otherwise = "the end", .doc = "time"},
    {0},
};
static const pc_row carry_params[] = {
    {.name = "displacement",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .doc = "q and u: lists of a number for each coordinate"},
    PC_STAYS_ROW("from", PC_REAL, .unit = PC_UNIT_S, .otherwise = "the start",
                 .doc = "when it is made, after what happened then"),
    PC_STAYS_ROW("to", PC_REAL, .unit = PC_UNIT_S, .otherwise = "the end",
                 .doc = "when it is looked at, after what happened then"),
    {0},
};
static const pc_row save_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {0},
};

const pc_function pc_run_methods[] = {
    {"at", run_at, "Everything at one time: coordinates, positions, gaps, forces, energies.", at_params,
     "table: the columns by name as numbers, and q, u (lists)", NULL,
     BALL "print(string.format(\"%.6f %.6f\", run:at(0.2).y, run:at(0.2).vy)) --> 0.903800 -1.962000"},
    {"columns", run_columns,
     "The run as arrays: angle1, rate1, x1, y1 (lower ends), Rx1, Ry1 (force on a link at its upper joint) of chains, "
     "and x0, y0, vx0, vy0 of the upper end of one that floats; x, y, angle, vx, vy, rate of free bodies and, after "
     "its name, of an obstacle that moves (displacements from where it was described); gap, F_t, F_n of contacts; "
     "kinetic, potential, energy (their sum), "
     "damped, "
     "torque (with that of forces) and pivot (their work), friction (what it took), lost (in impacts), J; where "
     "obstacles move also "
     "drive (the work of what drives them). With "
     "configuration = \"moving\" also "
     "stored "
     "(in the springs of contacts; energy includes it) and dissipated (by their laws).",
     columns_params, "table: the columns by name as arrays; names (list) and units (by name)", NULL,
     BALL "local c = run:columns(0.1)\nprint(#c.t, string.format(\"%.6f\", c.vy[3])) --> 5\t-1.962000"},
    {"continue", pc_run_continue, "Let the run go on; the run itself grows.", continue_params, "the run", NULL,
     BALL "print(run:continue(0.6).impact_count) --> 2"},
    {"carry", pc_run_carry_list,
     "What a small displacement of the state becomes along the run: linearised arcs, and the saltation where contacts "
     "change, at impacts by their law. Joints and contacts that last allow some displacements; what they forbid of "
     "that "
     "which is given is taken away at the start, as assemble = true would: places are put back by the least change as "
     "masses weigh it, and then velocities by an impulse, so that every number of q and u means the motion that is "
     "left "
     "of it alone. A drive holds a rate, and lets the angle be displaced. "
     "Where the motion is no smooth function of its start (a graze, a jam, two impacts at once whose order matters, a "
     "slip that begins the other way) the answer is an error, and so it is where a contact gives, unless it is by a "
     "spring and a dashpot of given constants without friction, as stops of joints are. The displacement is integrated "
     "with the rtol of the "
     "run, at best 1e-12, from break to break; forces and impacts are differentiated by differences of four points, "
     "good to some 1e-11 of the lengths and speeds in the scene, an impact slower than these by a factor to that "
     "factor times as much, one by a compliant law that is integrated to some 1e-8.",
     carry_params,
     "table: q and u (lists), slowest (speed of approach of the impact nearest to a graze, m/s; nil without impacts), "
     "slowest_time",
     "Aizerman and Gantmakher (1958); Mueller (1995)",
     BALL "-- half a metre per second more downwards at the start, a tenth of a second later\n"
          "local d = run:carry({ q = { 0, 0, 0 }, u = { 0, -0.5, 0 } }, 0, 0.1)\n"
          "print(string.format(\"%.6f %.6f\", d.q[2], d.u[2])) --> -0.050000 -0.500000"},
    {"work", run_work,
     "What one force of the scene has done: the work that it gave, of a force that stores nothing, and what it damped; "
     "or what the drive of an obstacle has given, at its contacts and in its impacts. Together those of all forces are "
     "in the columns torque and damped, those of all obstacles in drive.",
     work_params, "number (J), number (J)", NULL,
     "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 2 }\n"
     "local world = percuss.scene{ ball, percuss.force{ on = \"body\", fx = 4 }, gravity = 0 }\n"
     "local run = percuss.simulate(world, { duration = 1 })\n"
     "print(string.format(\"%.6f J\", (run:work \"force\"))) --> 4.000000 J"},
    {"save", pc_run_save_file,
     "Write the run into a file, whole or not at all; percuss.load_run reads it. Functions of Lua in it are not kept.",
     save_params, "name of the file; or nil, message, code", NULL,
     BALL "print(run:save \"bounce.run\") --> bounce.run"},
    {0},
};

/* The n numbers of a field of the table at index 2. */
static void read_part(lua_State *L, const char *name, int n, double *out)
{
    if (lua_getfield(L, 2, name) != LUA_TTABLE || luaL_len(L, -1) != n)
        pc_refuse(L, "carry: %s must be a list of %d numbers, one for each coordinate", name, n);
    for (int i = 0; i < n; i++) {
        int number;
        lua_rawgeti(L, -1, i + 1);
        out[i] = lua_tonumberx(L, -1, &number);
        if (!number || !isfinite(out[i])) pc_refuse(L, "carry: %s[%d] must be a finite number", name, i + 1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* run:carry({ q =, u = } [, from, to]) */
int pc_run_carry_list(lua_State *L)
{
    pc_bound_run *self = pc_run_check(L);
    pc_run *run = &self->run;
    pc_argument_type(L, 2, LUA_TTABLE);
    double from = pc_argument_number_or(L, 3, run->history.t0), to = pc_argument_number_or(L, 4, run->state.t);
    lua_settop(L, 2);
    int n = run->scene->n_dof;
    double *d = lua_newuserdatauv(L, 2 * (size_t)n * sizeof *d, 0);
    read_part(L, "q", n, d);
    read_part(L, "u", n, d + n);
    pc_run_session session = {0};
    pc_slowest slowest = {.speed = INFINITY};
    pc_run_enter(L, 1, &session);
    pc_status status = pc_run_carry(run, from, to, d, &slowest, &session.err);
    pc_run_leave(&session);
    if (status != PC_OK) return pc_raise(L, &session.err);
    lua_createtable(L, 0, 4);
    pc_push_numbers(L, d, n);
    lua_setfield(L, -2, "q");
    pc_push_numbers(L, d + n, n);
    lua_setfield(L, -2, "u");
    if (isfinite(slowest.speed)) {
        lua_pushnumber(L, slowest.speed);
        lua_setfield(L, -2, "slowest");
        lua_pushnumber(L, slowest.t);
        lua_setfield(L, -2, "slowest_time");
    }
    return 1;
}
