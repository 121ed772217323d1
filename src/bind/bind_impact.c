/* percuss.collide and the impact it returns: one record with the same fields for every law. */
#include "bind/bind_impact.h"

#include "bind/bind_array.h"
#include "bind/bind_body.h"
#include "bind/bind_contact.h"
#include "bind/register.h"
#include "math/array.h"
#include "sim/moving.h"

#include <math.h>
#include <string.h>

static pc_bound_impact *check_impact(lua_State *L)
{
    return pc_type_check(L, 1, &pc_type_impact);
}

/* ---- small tables ---- */

/* Numbers that mean nothing here (NaN) stay absent. */
static void set_number(lua_State *L, const char *key, double x)
{
    if (isnan(x)) return;
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}

/* { t =, n = [, t2 =] } */
static void push_components(lua_State *L, const double v[3], bool spatial)
{
    lua_createtable(L, 0, 3);
    set_number(L, "t", v[PC_T]);
    set_number(L, "n", v[PC_N]);
    if (spatial) set_number(L, "t2", v[PC_T2]);
}

static const pc_bound_body *bound_body_of(lua_State *L, int impact)
{
    lua_getiuservalue(L, impact, PC_IMPACT_BODY);
    const pc_bound_body *body = lua_touserdata(L, -1); /* kept alive by the impact */
    lua_pop(L, 1);
    return body;
}

static const pc_body *body_of(lua_State *L, int impact)
{
    return &bound_body_of(L, impact)->body;
}

static const pc_bound_law *law_of(lua_State *L, int impact)
{
    lua_getiuservalue(L, impact, PC_IMPACT_LAW);
    const pc_bound_law *law = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return law;
}

/* ---- collide ---- */

/* A planar law serves a spatial body when the second tangent neither moves nor couples. The bound on the coupling is
 * rounding: W comes from products and one factorisation of order 1. */
static void require_plane(lua_State *L, const pc_bound_law *law, const pc_mobility *W, const double v0[3])
{
    if (law->law->abilities & PC_LAW_SPATIAL) return;
    double scale = 1e-12 * (W->tt + W->nn + W->t2t2);
    if (fabs(W->tt2) <= scale && fabs(W->t2n) <= scale && v0[PC_T2] == 0) return;
    pc_error err = {0};
    pc_fail(
        &err, PC_E_UNSUPPORTED,
        "%s is a planar law, but this impact leaves the plane: vt2 = %.6g m/s, W couples t and t2 by %.3g and n and "
        "t2 by %.3g 1/kg; use a spatial law",
        law->law->schema->name, v0[PC_T2], W->tt2, W->t2n);
    pc_raise(L, &err);
}

/* A wedged body is at rest, but u0 + A^-1 J^T p leaves the rounding of u0: some 1e-16 of it, far below 1e-13. */
static void clear_rounding(int dof, const double *u0, double *u1)
{
    double scale = 0;
    for (int i = 0; i < dof; i++) scale = fmax(scale, fabs(u0[i]));
    for (int i = 0; i < dof; i++)
        if (fabs(u1[i]) < 1e-13 * scale) u1[i] = 0;
}

/* Read { configuration =, stick = }. */
static void read_options(lua_State *L, bool *moving, bool *persistent)
{
    static const char *const configurations[] = {"frozen", "moving", NULL}, *const sticks[] = {"coulomb", "persistent",
                                                                                               NULL};
    *moving = *persistent = false;
    if (lua_isnoneornil(L, 4)) return;
    luaL_checktype(L, 4, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, 4); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        bool first = strcmp(name, "configuration") == 0;
        if (!first && strcmp(name, "stick") != 0)
            luaL_error(L, "collide: unknown option '%s'; the options are configuration and stick",
                       luaL_tolstring(L, -2, NULL));
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        const char *const *choices = first ? configurations : sticks;
        if (strcmp(word, choices[0]) != 0 && strcmp(word, choices[1]) != 0)
            luaL_error(L, "collide: %s = %s is not allowed; it must be \"%s\" or \"%s\"", name,
                       luaL_tolstring(L, -1, NULL), choices[0], choices[1]);
        *(first ? moving : persistent) = strcmp(word, choices[1]) == 0;
    }
    if (*persistent && !*moving) luaL_error(L, "collide: stick = \"persistent\" belongs to configuration = \"moving\"");
}

/* The impact while the body goes on moving. */
static pc_moving_task moving_task(const pc_bound_body *body, const pc_bound_law *law, const pc_bound_impact *self)
{
    return (pc_moving_task){.body = &body->body,
                            .body_params = body->body.kind ? body->params : NULL,
                            .element = law->law->element,
                            .params = law->params,
                            .u0 = self->u0,
                            .persistent = self->persistent};
}

static pc_status collide_moving(const pc_bound_body *body, const pc_bound_law *law, pc_bound_impact *self,
                                pc_error *err)
{
    if (!law->law->element)
        return pc_fail(err, PC_E_UNSUPPORTED, "%s is no element: it cannot act while the configuration moves",
                       law->law->schema->name);
    pc_moving_task task = moving_task(body, law, self);
    return pc_moving_impact(&task, &self->impact, self->u1, &self->rotation, err);
}

/* States at the given times; a moving impact is run again for them. */
static pc_status trace_states(const pc_bound_body *body, const pc_bound_law *law, const pc_bound_impact *self,
                              const double *times, size_t n, pc_state *states, pc_error *err)
{
    if (!self->moving) return law->law->trace(law->params, &self->W, &self->impact, times, n, states, err);
    pc_moving_task task = moving_task(body, law, self);
    task.times = times, task.n_times = n, task.states = states;
    pc_impact again;
    double u1[PC_BODY_DOF], rotation;
    pc_impact_init(&again);
    pc_status status = pc_moving_impact(&task, &again, u1, &rotation, err);
    pc_impact_free(&again);
    return status;
}

/* collide(body, law, motion, [options]) -> impact */
static int collide(lua_State *L)
{
    const pc_bound_body *bound = pc_type_check(L, 1, &pc_type_body);
    const pc_body *body = &bound->body;
    const pc_bound_law *law = pc_type_check(L, 2, &pc_type_law);
    lua_settop(L, 4);
    bool moving, persistent;
    read_options(L, &moving, &persistent);
    lua_settop(L, 3);
    pc_bound_impact *self = pc_type_new(L, &pc_type_impact, sizeof *self, PC_IMPACT_USERVALUES);
    pc_impact_init(&self->impact);
    self->moving = moving;
    self->persistent = persistent;
    self->rotation = 0;
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 4, PC_IMPACT_BODY);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, 4, PC_IMPACT_LAW);

    double v0[3] = {0};
    pc_body_motion_read(L, 3, body, self->u0, v0);
    self->W = body->W;
    require_plane(L, law, &self->W, v0);
    pc_error err = {0};
    pc_status status = moving ? collide_moving(bound, law, self, &err)
                              : law->law->impact(law->params, &self->W, v0, &self->impact, &err);
    if (status) return pc_raise(L, &err);
    if (self->impact.outcome == PC_OUTCOME_NONE) /* at vn = 0 a rigid law may still find a jam */
        return luaL_error(L,
                          "collide: the bodies do not approach: vn = %f m/s must be < 0 (the normal points away from "
                          "the obstacle)",
                          v0[PC_N]);

    self->loss_max = pc_mobility_energy(&self->W, v0);
    if (!moving) pc_body_after(body, self->u0, self->impact.impulse, self->u1);
    if (self->impact.outcome == PC_OUTCOME_WEDGED) clear_rounding(body->dof, self->u0, self->u1);
    bool own = body->dof > 0; /* else only the contact's share of the energy is known */
    self->energy0 = own ? pc_body_energy(body, self->u0) : self->impact.energy0;
    if (!isfinite(self->energy0) || !isfinite(self->loss_max))
        return luaL_error(L, "collide: the kinetic energy of this motion is too large for a number");
    /* the mass matrix of a linkage is another one by then */
    self->energy1 = own && !moving ? pc_body_energy(body, self->u1) : self->impact.energy1;
    return 1;
}

/* ---- fields ---- */

static void push_outcome(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_impact *)self)->impact.outcome == PC_OUTCOME_WEDGED ? "wedged" : "rebound");
}

static void push_wedged(lua_State *L, void *self)
{
    lua_pushboolean(L, ((pc_bound_impact *)self)->impact.outcome == PC_OUTCOME_WEDGED);
}

static void push_regime(lua_State *L, void *self)
{
    lua_pushstring(L, pc_impact_regime(&((pc_bound_impact *)self)->impact));
}

static void push_duration(lua_State *L, void *self)
{
    lua_pushnumber(L, ((pc_bound_impact *)self)->impact.duration);
}

static void push_reversals(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, impact->n_reversals, 0);
    for (int i = 0; i < impact->n_reversals; i++) {
        lua_pushnumber(L, impact->reversals[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static void push_compression_time(lua_State *L, void *self)
{
    lua_pushnumber(L, ((pc_bound_impact *)self)->impact.compression_time);
}

static bool is_spatial(lua_State *L)
{
    return body_of(L, 1)->spatial;
}

static void push_impulse(lua_State *L, void *self)
{
    push_components(L, ((pc_bound_impact *)self)->impact.impulse, is_spatial(L));
}

static void push_velocity(lua_State *L, void *self)
{
    push_components(L, ((pc_bound_impact *)self)->impact.v1, is_spatial(L));
}

static void push_velocity_before(lua_State *L, void *self)
{
    push_components(L, ((pc_bound_impact *)self)->impact.v0, is_spatial(L));
}

static void push_own(lua_State *L, const double *u)
{
    const pc_body *body = body_of(L, 1);
    lua_createtable(L, 0, body->dof);
    for (int i = 0; i < body->dof; i++) set_number(L, body->names[i], u[i]);
}

static void push_body(lua_State *L, void *self)
{
    push_own(L, ((pc_bound_impact *)self)->u1);
}

static void push_body_before(lua_State *L, void *self)
{
    push_own(L, ((pc_bound_impact *)self)->u0);
}

static void push_rotation(lua_State *L, void *self)
{
    lua_pushnumber(L, ((pc_bound_impact *)self)->rotation);
}

static void push_restitution(lua_State *L, void *self)
{
    pc_restitution3 r = pc_impact_restitution(&((pc_bound_impact *)self)->impact);
    lua_createtable(L, 0, 3);
    set_number(L, "kinematic", r.kinematic);
    set_number(L, "kinetic", r.kinetic);
    set_number(L, "energetic", r.energetic);
    /* what the law was asked for, where it was asked */
    const pc_bound_law *law = law_of(L, 1);
    int row = pc_schema_find(law->law->schema, "restitution");
    if (row < 0 || !(law->given >> row & 1)) return;
    pc_row_push(L, &law->law->schema->rows[row], law->params);
    lua_setfield(L, -2, "asked");
}

static double ratio(const double p[3])
{
    return p[PC_N] != 0 ? p[PC_T] / p[PC_N] : NAN;
}

static void push_impulse_ratio(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, 0, 3);
    set_number(L, "total", ratio(impact->impulse));
    set_number(L, "compression", ratio(impact->impulse_compression));
    set_number(L, "restitution", ratio(impact->impulse_restitution));
}

static void push_energy(lua_State *L, void *self)
{
    const pc_bound_impact *hit = self;
    lua_createtable(L, 0, 4);
    set_number(L, "before", hit->energy0);
    set_number(L, "after", hit->energy1);
    set_number(L, "contact_before", hit->impact.energy0);
    set_number(L, "contact_after", hit->impact.energy1);
}

static double loss(const pc_bound_impact *hit)
{
    return hit->impact.energy0 - hit->impact.energy1;
}

static void push_loss(lua_State *L, void *self)
{
    lua_pushnumber(L, loss(self));
}

static void push_loss_fraction(lua_State *L, void *self)
{
    lua_pushnumber(L, loss(self) / ((pc_bound_impact *)self)->energy0);
}

static void push_loss_of_max(lua_State *L, void *self)
{
    lua_pushnumber(L, loss(self) / ((pc_bound_impact *)self)->loss_max);
}

static void push_work(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, 0, 5);
    set_number(L, "normal", impact->work_n);
    set_number(L, "tangential", impact->work_t + impact->work_f);
    set_number(L, "friction", impact->work_f);
    set_number(L, "normal_compression", impact->work_n_compression);
    set_number(L, "normal_restitution", impact->work_n_restitution);
}

static void push_peak(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, 0, 4);
    set_number(L, "n", impact->peak[PC_N]);
    set_number(L, "t", impact->peak[PC_T]);
    set_number(L, "n_time", impact->peak_time[PC_N]);
    set_number(L, "t_time", impact->peak_time[PC_T]);
}

static void push_flags(lua_State *L, void *self)
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {
        {PC_FLAG_JAM, "jam"},
        {PC_FLAG_REVERSE_SLIP, "reverse_slip"},
        {PC_FLAG_E_ABOVE_ONE, "e_above_one"},
        {PC_FLAG_GAINED_ENERGY, "gained_energy"},
        {PC_FLAG_GROSS_STICK, "gross_stick"},
        {PC_FLAG_GROSS_SLIP, "gross_slip"},
        {PC_FLAG_RECOMPRESSION, "recompression"},
    };
    unsigned flags = ((pc_bound_impact *)self)->impact.flags;
    lua_newtable(L);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(flags & words[i].bit)) continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, words[i].word);
    }
}

/* What a wedged contact does after its last slip; nil for a rebound. */
static void push_lock(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    if (impact->outcome != PC_OUTCOME_WEDGED) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, 0, 4);
    set_number(L, "time", impact->arrest_time);
    set_number(L, "frequency", impact->lock_frequency);
    double mean[3] = {0}, amplitude[3] = {0};
    memcpy(mean, impact->lock_mean, sizeof impact->lock_mean);
    memcpy(amplitude, impact->lock_amplitude, sizeof impact->lock_amplitude);
    push_components(L, mean, false);
    lua_setfield(L, -2, "mean");
    push_components(L, amplitude, false);
    lua_setfield(L, -2, "amplitude");
}

static void push_law(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_IMPACT_LAW);
}

static void push_object(lua_State *L, void *self)
{
    (void)self;
    lua_getiuservalue(L, 1, PC_IMPACT_BODY);
}

/* One state as a table: the columns of a trace at one instant. W_t is the work of the tangential force, that of
 * its spring and of friction together (Birlik 2012, eqs 4.61 to 4.66). */
static void push_state(lua_State *L, const pc_state *s)
{
    lua_createtable(L, 0, 14);
    set_number(L, "t", s->t);
    set_number(L, "u_t", s->u[PC_T]);
    set_number(L, "u_n", s->u[PC_N]);
    set_number(L, "F_t", s->F[PC_T]);
    set_number(L, "F_n", s->F[PC_N]);
    set_number(L, "v_t", s->v[PC_T]);
    set_number(L, "v_n", s->v[PC_N]);
    set_number(L, "p_t", s->p[PC_T]);
    set_number(L, "p_n", s->p[PC_N]);
    set_number(L, "s", s->s[0]);
    set_number(L, "W_t", s->work_t + s->work_f);
    set_number(L, "W_n", s->work_n);
    set_number(L, "W_f", s->work_f);
}

static void push_phase(lua_State *L, const pc_phase *phase)
{
    lua_createtable(L, 0, 8);
    lua_pushstring(L, phase->kind == PC_PHASE_STICK ? "stick" : "slip");
    lua_setfield(L, -2, "kind");
    lua_pushinteger(L, phase->sign);
    lua_setfield(L, -2, "sign");
    set_number(L, "start", phase->start.t);
    set_number(L, "stop", phase->stop.t);
    lua_createtable(L, 0, 3);
    set_number(L, "normal", phase->stop.work_n - phase->start.work_n);
    set_number(L, "tangential", phase->stop.work_t + phase->stop.work_f - phase->start.work_t - phase->start.work_f);
    set_number(L, "friction", phase->stop.work_f - phase->start.work_f);
    lua_setfield(L, -2, "work");
    push_state(L, &phase->start);
    lua_setfield(L, -2, "at_start");
    push_state(L, &phase->stop);
    lua_setfield(L, -2, "at_stop");
}

static void push_phases(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, impact->n_phases, 0);
    for (int i = 0; i < impact->n_phases; i++) {
        push_phase(L, &impact->phases[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static const pc_property properties[] = {
    {"outcome", push_outcome, NULL, "\"rebound\" or \"wedged\""},
    {"wedged", push_wedged, NULL, "true if the contact never ends"},
    {"regime", push_regime, NULL, "order of phases as a word: \"gross stick\", \"slip-stick-slip\", ..."},
    {"phases", push_phases, NULL,
     "list of phases: kind (\"stick\" or \"slip\"), sign of slip, start and stop (s), work.normal, .tangential, "
     ".friction "
     "(J), at_start and at_stop (the states)"},
    {"duration", push_duration, "s", "how long the contact lasts; infinite when wedged"},
    {"compression_time", push_compression_time, "s", "when the indentation is greatest for the first time"},
    {"reversals", push_reversals, "s",
     "list of the times at which the tangential force changes its sign (rigid laws: 0)"},
    {"impulse", push_impulse, "N s", "impulse of the obstacle on the body: .t, .n"},
    {"velocity", push_velocity, "m/s", "velocity of the contact point afterwards: .t, .n"},
    {"velocity_before", push_velocity_before, "m/s", "velocity of the contact point before: .t, .n"},
    {"body", push_body, NULL, "the body's own velocities afterwards, by their names"},
    {"body_before", push_body_before, NULL, "the body's own velocities before, by their names"},
    {"rotation", push_rotation, "rad",
     "angle that the body, or its last link, turned through; 0 with the configuration frozen"},
    {"restitution", push_restitution, "",
     "the three coefficients of restitution: .kinematic (e), .kinetic (R), .energetic (E); nil where undefined; "
     ".asked: "
     "the law's own, where one was given"},
    {"impulse_ratio", push_impulse_ratio, "", "p_t/p_n: .total, .compression, .restitution"},
    {"energy", push_energy, "J",
     "kinetic energy: .before, .after; the contact's share of it: .contact_before, .contact_after"},
    {"loss", push_loss, "J", "energy lost"},
    {"loss_fraction", push_loss_fraction, "", "energy lost as a fraction of the kinetic energy before"},
    {"loss_of_max", push_loss_of_max, "", "energy lost as a fraction of the greatest possible loss v0.W^-1.v0/2"},
    {"work", push_work, "J",
     "work of the contact on the body: .normal, .tangential, and the part of it done by .friction; "
     ".normal_compression, .normal_restitution"},
    {"peak", push_peak, "N", "greatest forces: .n, .t, and when: .n_time, .t_time (s)"},
    {"flags", push_flags, NULL,
     "set of words: jam, reverse_slip, e_above_one, gained_energy, gross_stick, gross_slip, recompression"},
    {"lock", push_lock, NULL,
     "of a wedged impact: .time of the last slip's end (s), .frequency of the vibration (rad/s), .mean and .amplitude "
     "of "
     "the forces (N, each .t, .n); nil for a rebound"},
    {"law", push_law, NULL, "the law it was computed with"},
    {"object", push_object, NULL, "the body that struck"},
    {0},
};

/* ---- trace ---- */

/* Columns of a trace, in the order of their names. Kinetic is the contact's share of the kinetic energy; with
 * the configuration moving, that of the body. */
static const struct {
    const char *name, *unit;
} trace_columns[] = {
    {"t", "s"},   {"u_t", "m"},   {"u_n", "m"},   {"F_t", "N"}, {"F_n", "N"}, {"v_t", "m/s"}, {"v_n", "m/s"},
    {"s", "m/s"}, {"p_t", "N s"}, {"p_n", "N s"}, {"W_t", "J"}, {"W_n", "J"}, {"W_f", "J"},   {"kinetic", "J"},
};
enum { N_COLUMNS = sizeof trace_columns / sizeof *trace_columns };

static void trace_values(const pc_bound_impact *self, const pc_state *s, double out[N_COLUMNS])
{
    /* of the contact alone, or, as it moves, of the body */
    double kinetic =
        self->moving ? self->energy0 + (s->work_n + s->work_t + s->work_f) : pc_mobility_energy(&self->W, s->v);
    double values[N_COLUMNS] = {s->t,
                                s->u[PC_T],
                                s->u[PC_N],
                                s->F[PC_T],
                                s->F[PC_N],
                                s->v[PC_T],
                                s->v[PC_N],
                                s->s[0],
                                s->p[PC_T],
                                s->p[PC_N],
                                s->work_t + s->work_f,
                                s->work_n,
                                s->work_f,
                                kinetic};
    memcpy(out, values, sizeof values);
}

/* The end of the picture when none is given: the contact's end, or, wedged, a while after the last slip. */
static double trace_end(const pc_impact *impact)
{
    if (isfinite(impact->duration)) return impact->duration;
    double arrest = impact->phases[impact->n_phases - 1].start.t;
    return 1.5 * arrest;
}

/* impact:trace(n, [stop]) -> { names =, units =, t = array, u_t = array, ... } */
static int impact_trace(lua_State *L)
{
    pc_bound_impact *self = check_impact(L);
    const pc_bound_law *law = law_of(L, 1);
    if (!law->law->trace) return luaL_error(L, "%s has no history in time to trace", law->law->schema->name);
    lua_Integer n = luaL_optinteger(L, 2, 400);
    luaL_argcheck(L, n >= 2 && n <= 10000000, 2, "the number of points must be from 2 to 1e7");
    double stop = luaL_optnumber(L, 3, trace_end(&self->impact));
    luaL_argcheck(L, stop > 0 && isfinite(stop), 3, "the last time must be a positive number of s");
    if (stop > self->impact.duration) stop = self->impact.duration;
    lua_settop(L, 1);

    /* work space and columns belong to Lua, so that an error leaves nothing behind */
    double *times = lua_newuserdatauv(L, (size_t)n * sizeof *times, 0);
    pc_state *states = lua_newuserdatauv(L, (size_t)n * sizeof *states, 0);
    double *columns[N_COLUMNS];
    lua_createtable(L, 0, N_COLUMNS + 2);
    lua_createtable(L, N_COLUMNS, 0);
    lua_createtable(L, 0, N_COLUMNS);
    for (int c = 0; c < N_COLUMNS; c++) {
        lua_pushstring(L, trace_columns[c].name);
        lua_rawseti(L, -3, c + 1);
        lua_pushstring(L, trace_columns[c].unit);
        lua_setfield(L, -2, trace_columns[c].name);
        columns[c] = pc_array_new(L, (size_t)n)->v;
        lua_setfield(L, -4, trace_columns[c].name);
    }
    lua_setfield(L, -3, "units");
    lua_setfield(L, -2, "names");

    for (lua_Integer i = 0; i < n; i++) times[i] = i == n - 1 ? stop : stop * (double)i / (double)(n - 1);
    pc_error err = {0};
    if (trace_states(bound_body_of(L, 1), law, self, times, (size_t)n, states, &err)) return pc_raise(L, &err);
    for (lua_Integer i = 0; i < n; i++) {
        double row[N_COLUMNS];
        trace_values(self, &states[i], row);
        for (int c = 0; c < N_COLUMNS; c++) columns[c][i] = row[c];
    }
    return 1;
}

/* impact:at(t) -> state */
static int impact_at(lua_State *L)
{
    pc_bound_impact *self = check_impact(L);
    const pc_bound_law *law = law_of(L, 1);
    if (!law->law->trace) return luaL_error(L, "%s has no history in time", law->law->schema->name);
    double t = luaL_checknumber(L, 2);
    if (!(t >= 0 && t <= self->impact.duration && isfinite(t)))
        return luaL_error(L, "at: t = %f s is outside the contact, which lasts from 0 to %f s", t,
                          self->impact.duration);
    pc_state state;
    pc_error err = {0};
    if (trace_states(bound_body_of(L, 1), law, self, &t, 1, &state, &err)) return pc_raise(L, &err);
    push_state(L, &state);
    return 1;
}

/* ---- the type ---- */

static void impact_free(void *self)
{
    pc_bound_impact *hit = self;
    if (hit->impact.phases) pc_impact_free(&hit->impact);
}

/* The text of tostring is made in Lua (percuss.report). */
static void impact_describe(lua_State *L, void *self)
{
    (void)self;
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.report");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "impact");
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
}

#define EXAMPLE_HIT                                                                                                    \
    "local ball = percuss.body.sphere{ radius = 5e-3, mass = 0.0041 }\n"                                               \
    "local spring = percuss.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }\n"             \
    "local hit = percuss.collide(ball, spring, { vt = 1, vn = -1 })\n"

static const pc_param trace_params[] = {
    {"n", "integer", NULL, "400", "how many points, equally spaced in time"},
    {"stop", "number", "s", "the end of contact; wedged: 1.5 times the end of the last slip", "last time"},
    {0},
};
static const pc_param at_params[] = {{"t", "number", "s", NULL, "from 0 to the duration"}, {0}};

static const pc_function methods[] = {
    {"trace", impact_trace,
     "The history of the contact as arrays: t, u_t, u_n, F_t, F_n, v_t, v_n, s (slip velocity), p_t, p_n, W_t, W_n, "
     "W_f (works), kinetic.",
     trace_params, "table of arrays, with names (list) and units (by name)", NULL,
     EXAMPLE_HIT "local h = hit:trace(200)\nprint(#h.F_n, h.units.F_n, h.F_n:max() <= hit.peak.n)\n--> 200\tN\ttrue"},
    {"at", impact_at, "The state of the contact at a given time.", at_params, "table with the columns of a trace", NULL,
     EXAMPLE_HIT "print(hit:at(hit.compression_time).v_n == 0 or math.abs(hit:at(hit.compression_time).v_n) < 1e-12)\n"
                 "--> true"},
    {0},
};

const pc_type pc_type_impact = {
    .name = "percuss.impact",
    .summary = "What happened in one impact: the same fields for every law.",
    .properties = properties,
    .methods = methods,
    .free = impact_free,
    .describe = impact_describe,
};

static const pc_param collide_params[] = {
    {"body", "body", NULL, NULL, "the body that strikes, frozen at the instant of contact"},
    {"law", "law", NULL, NULL, "the contact law"},
    {"motion", "table", NULL, NULL,
     "{ vt =, vn = } of the contact point (m/s, vn < 0 approaches), { speed =, incidence = } (m/s, rad from the "
     "normal), "
     "or the body's own velocities: { v = {x, z}, omega = }, { rate = }"},
    {"options", "table", NULL, "frozen",
     "{ configuration = \"moving\" }: a free body in the plane, a pendulum or a linkage turns while a compliant law "
     "acts, energies are those of "
     "the body; with stick = \"persistent\" a contact point that has come to rest stays there, as in Brach's "
     "simulation"},
    {0},
};

static const pc_function functions[] = {
    {"collide", collide, "One impact of a body with the obstacle by a contact law.", collide_params, "impact",
     "Birlik (2012), section 3.3; Stronge, Impact Mechanics (2000)",
     EXAMPLE_HIT "print(hit.regime, hit.wedged)\n--> slip-stick-slip\tfalse"},
    {0},
};

void pc_open_impact(lua_State *L)
{
    pc_type_open(L, &pc_type_impact);
    pc_functions_open(L, "", functions);
}
