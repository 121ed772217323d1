/* percuss.collide and the impact it returns: one record with the same fields for every law. */
#include "bind/core/bind.h"
#include "bind/law/law.h"
#include "bind/law/restitution.h"
#include "law/maw/maw.h"
#include "math/array.h"

#include <math.h>
#include <string.h>

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
    pc_record_seal(L, "t n t2");
}

const pc_bound_body *pc_impact_body_of(lua_State *L, int impact)
{
    lua_getiuservalue(L, impact, PC_IMPACT_BODY);
    const pc_bound_body *body = lua_touserdata(L, -1); /* kept alive by the impact */
    lua_pop(L, 1);
    return body;
}

const pc_bound_law *pc_impact_law_of(lua_State *L, int impact)
{
    lua_getiuservalue(L, impact, PC_IMPACT_LAW);
    const pc_bound_law *law = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return law;
}

/* ---- fields ---- */

static void push_outcome(lua_State *L, void *self)
{
    lua_pushstring(L, pc_outcome_word(((pc_bound_impact *)self)->impact.outcome));
}

static void push_wedged(lua_State *L, void *self)
{
    lua_pushboolean(L, isinf(((pc_bound_impact *)self)->impact.duration));
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
    return pc_impact_body_of(L, 1)->body.spatial;
}

static void push_impulse(lua_State *L, void *self)
{
    push_components(L, ((pc_bound_impact *)self)->impact.impulse, is_spatial(L));
}

static void push_couple(lua_State *L, void *self)
{
    const double *couple = ((pc_bound_impact *)self)->impact.couple;
    lua_createtable(L, 0, 3);
    if (is_spatial(L)) {
        set_number(L, "t", couple[PC_T]);
        set_number(L, "n", couple[PC_N]);
    }
    set_number(L, "t2", couple[PC_T2]);
    pc_record_seal(L, "t n t2");
}

static void push_velocity(lua_State *L, void *self)
{
    push_components(L, ((pc_bound_impact *)self)->impact.v1, is_spatial(L));
}

static void push_velocity_before(lua_State *L, void *self)
{
    push_components(L, ((pc_bound_impact *)self)->impact.v0, is_spatial(L));
}

/* Motions of the body, as collide takes them: of a free one v and omega, where vt would be the contact point's. */
static void push_body(lua_State *L, void *self)
{
    const pc_bound_impact *hit = self;
    pc_body_motion_push(L, &pc_impact_body_of(L, 1)->body, hit->u1, hit->impact.v1);
}

static void push_body_before(lua_State *L, void *self)
{
    const pc_bound_impact *hit = self;
    pc_body_motion_push(L, &pc_impact_body_of(L, 1)->body, hit->u0, hit->impact.v0);
}

/* How the bodies of a pair move before: in own velocities, each in its frame. */
typedef struct pair_motion {
    const pc_body *body[2];
    double u[2][PC_BODY_DOF];
} pair_motion;

/* { a = motion, b = motion } before the impulse, or after it; nil where the body is no pair whose bodies have motions.
 * The impulse acts on b reversed, in a frame that is turned half round about t2. */
static void push_bodies(lua_State *L, const pc_impact *impact)
{
    static const char *const names[] = {"a", "b"};
    lua_getiuservalue(L, 1, PC_IMPACT_PAIR);
    const pair_motion *motion = lua_touserdata(L, -1);
    if (!motion) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, 0, 2);
    for (int i = 0; i < 2; i++) {
        const pc_body *body = motion->body[i];
        double u[PC_BODY_DOF], p[3] = {0}, v[3] = {0};
        for (int k = 0; impact && k < 3; k++) p[k] = i == 1 && k == PC_T2 ? -impact->impulse[k] : impact->impulse[k];
        pc_body_after(body, motion->u[i], p, u);
        pc_body_motion_push(L, body, u, v);
        lua_setfield(L, -2, names[i]);
    }
    pc_record_seal(L, "");
}

static void push_bodies_after(lua_State *L, void *self)
{
    push_bodies(L, &((pc_bound_impact *)self)->impact);
}

static void push_bodies_before(lua_State *L, void *self)
{
    (void)self;
    push_bodies(L, NULL);
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
    pc_record_seal(L, "kinematic kinetic energetic asked");
    /* what the law was asked for, where it was asked */
    const pc_bound_law *law = pc_impact_law_of(L, 1);
    int row = pc_schema_find_role(law->law->schema, PC_RESTITUTION);
    if (row < 0 || !(law->given >> row & 1)) return;
    pc_restitution_push_asked(L, law, fmax(-((pc_bound_impact *)self)->impact.v0[PC_N], 0));
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
    pc_record_seal(L, "total compression restitution");
}

static void push_energy(lua_State *L, void *self)
{
    const pc_bound_impact *hit = self;
    lua_createtable(L, 0, 4);
    set_number(L, "before", hit->energy0);
    set_number(L, "after", hit->energy1);
    if (!hit->moving) { /* W changes on the way: no share stays the contact's */
        set_number(L, "contact_before", hit->impact.energy0);
        set_number(L, "contact_after", hit->impact.energy1);
    }
    pc_record_seal(L, "before after contact_before contact_after");
}

static void push_loss(lua_State *L, void *self)
{
    lua_pushnumber(L, pc_impact_loss(&((pc_bound_impact *)self)->impact));
}

static void push_loss_fraction(lua_State *L, void *self)
{
    const pc_bound_impact *hit = self;
    lua_pushnumber(L, pc_impact_loss(&hit->impact) / hit->energy0);
}

static void push_loss_of_max(lua_State *L, void *self)
{
    const pc_bound_impact *hit = self;
    lua_pushnumber(L, pc_impact_loss(&hit->impact) / hit->loss_max);
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
    pc_record_seal(L, "normal tangential friction normal_compression normal_restitution");
}

static void push_peak(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, 0, 4);
    set_number(L, "n", impact->peak[PC_N]);
    set_number(L, "t", impact->peak[PC_T]);
    set_number(L, "n_time", impact->peak_time[PC_N]);
    set_number(L, "t_time", impact->peak_time[PC_T]);
    pc_record_seal(L, "n t n_time t_time");
}

#define FLAG_WORDS                                                                                                     \
    "jam reverse_slip e_above_one gained_energy gross_stick gross_slip recompression tangential_gain order_dependent"

void pc_impact_push_flags(lua_State *L, unsigned flags)
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
        {PC_FLAG_TANGENTIAL_GAIN, "tangential_gain"},
        {PC_FLAG_ORDER_DEPENDENT, "order_dependent"},
    };
    lua_newtable(L);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(flags & words[i].bit)) continue;
        lua_pushboolean(L, 1);
        lua_setfield(L, -2, words[i].word);
    }
    pc_record_seal(L, FLAG_WORDS);
}

static void push_flags(lua_State *L, void *self)
{
    pc_impact_push_flags(L, ((pc_bound_impact *)self)->impact.flags);
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
    pc_record_seal(L, "time frequency");
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

static void push_phase(lua_State *L, const pc_phase *phase, bool spatial)
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
    pc_record_seal(L, "normal tangential friction");
    lua_setfield(L, -2, "work");
    pc_impact_push_state(L, &phase->start, spatial);
    lua_setfield(L, -2, "at_start");
    pc_impact_push_state(L, &phase->stop, spatial);
    lua_setfield(L, -2, "at_stop");
    pc_record_seal(L, "start stop");
}

static void push_phases(lua_State *L, void *self)
{
    const pc_impact *impact = &((pc_bound_impact *)self)->impact;
    lua_createtable(L, impact->n_phases, 0);
    for (int i = 0; i < impact->n_phases; i++) {
        push_phase(L, &impact->phases[i], is_spatial(L));
        lua_rawseti(L, -2, i + 1);
    }
}

const pc_property pc_impact_properties[] = {
    {"outcome", push_outcome, NULL, "\"rebound\"; \"wedged\" or \"adhered\" if the contact never ends"},
    {"wedged", push_wedged, NULL, "true if the contact never ends"},
    {"regime", push_regime, NULL, "order of phases as a word: \"gross stick\", \"slip-stick-slip\", ..."},
    {"phases", push_phases, NULL,
     "list of phases: .kind (\"stick\" or \"slip\"), .sign of the slip velocity along t (1 or -1; 0 in stick and where "
     "slip turns in space: at_start.s and .s_t2 tell its direction), .start and .stop (s), .work.normal, .tangential, "
     ".friction (J), .at_start and .at_stop (contact_state)"},
    {"duration", push_duration, "s", "how long the contact lasts; infinite when wedged or adhered"},
    {"compression_time", push_compression_time, "s", "when the indentation is greatest for the first time"},
    {"reversals", push_reversals, "s",
     "list of the times at which the tangential force changes its sign (rigid laws: 0)"},
    {"impulse", push_impulse, "N s", "impulse of the obstacle on the body: .t, .n, in space .t2"},
    {"couple", push_couple, "N m s",
     "impulse of the couples on the body that resist rolling, about .t2 and in space .t, and twisting, about .n; 0 "
     "without such resistance"},
    {"velocity", push_velocity, "m/s", "velocity of the contact point afterwards: .t, .n, in space .t2"},
    {"velocity_before", push_velocity_before, "m/s", "velocity of the contact point before: .t, .n, in space .t2"},
    {"body", push_body, NULL,
     "the body's motion afterwards, as collide takes it: of a free body .v of its mass centre, a list { t, n[, t2] } "
     "(m/s), and .omega (rad/s; in space a list); of one on joints its rates by their names (rad/s); of body.matrix "
     "vt, vn of the contact point (m/s)"},
    {"body_before", push_body_before, NULL, "the body's motion before, in the same form as body"},
    {"bodies", push_bodies_after, NULL,
     "of a pair: .a and .b, the motions of both afterwards, as body has that of one, each in its own frame"},
    {"bodies_before", push_bodies_before, NULL, "the motions of both bodies of a pair before, in the same form"},
    {"rotation", push_rotation, "rad",
     "angle that the body, or its last link, turned through; 0 with the configuration frozen"},
    {"restitution", push_restitution, "",
     "the three coefficients of restitution: .kinematic (e), .kinetic (R), .energetic (E); nil where undefined; "
     ".asked: the law's own, where one was given"},
    {"impulse_ratio", push_impulse_ratio, "", "p_t/p_n: .total, .compression, .restitution"},
    {"energy", push_energy, "J",
     "kinetic energy of the body (known by its W alone: the contact's share): .before, .after; the share that an "
     "impulse at the contact can reach: .contact_before, .contact_after (nil with configuration = \"moving\")"},
    {"loss", push_loss, "J", "energy lost"},
    {"loss_fraction", push_loss_fraction, "", "energy lost as a fraction of the kinetic energy before"},
    {"loss_of_max", push_loss_of_max, "", "energy lost as a fraction of the greatest possible loss v0.W^-1.v0/2"},
    {"work", push_work, "J",
     "work of the contact on the body: .normal, .tangential, and the part of it done by .friction, with that of "
     "couples; "
     ".normal_compression, .normal_restitution"},
    {"peak", push_peak, "N", "greatest forces: .n, .t, and when: .n_time, .t_time (s)"},
    {"flags", push_flags, NULL,
     "set of words: " FLAG_WORDS "; tangential_gain: Mindlin's incremental stiffness gave back more than it took"},
    {"lock", push_lock, NULL,
     "of a wedged impact: .time of the last slip's end (s), .frequency of the vibration (rad/s), .mean and .amplitude "
     "of the forces (N, each .t, .n), as far as they are known: a body at rest has no frequency, one whose vibration "
     "dies away has time alone; nil for a rebound"},
    {"law", push_law, NULL, "the law it was computed with"},
    {"object", push_object, NULL, "the body that struck"},
    {0},
};

pc_colliding pc_impact_colliding(const pc_bound_body *body, const pc_bound_law *law)
{
    return (pc_colliding){&body->body, body->params, law->law, law->params};
}

/* ---- collide ---- */

/* Motions of the bodies of the pair at index 1, of the motion at index 3: both are given as { a =, b = }, where one
 * that is not given is at rest, or a moves with the relative velocity while b is at rest. Puts them into the impact
 * on top, and the relative velocity into v; false: they are not given. */
static bool read_pair(lua_State *L, double v[3])
{
    static const char *const names[] = {"a", "b"};
    const pc_body *bodies[2];
    bool given = false;
    if (!pc_pair_bodies(L, 1, bodies) || !lua_istable(L, 3)) return false;
    for (int i = 0; i < 2; i++) {
        given |= lua_getfield(L, 3, names[i]) != LUA_TNIL;
        lua_pop(L, 1);
    }
    if (given)
        for (lua_pushnil(L); lua_next(L, 3); lua_pop(L, 1)) {
            const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
            if (strcmp(key, "a") != 0 && strcmp(key, "b") != 0)
                pc_refuse(L, "the motion of a pair has a and b, the motions of its bodies, and no '%s' besides", key);
        }
    if (bodies[0]->dof == 0 || bodies[1]->dof == 0) {
        if (given) pc_refuse(L, "a pair with a body that is known by its W alone takes vt and vn");
        return false;
    }
    pair_motion *motion = lua_newuserdatauv(L, sizeof *motion, 0);
    memset(motion, 0, sizeof *motion);
    memcpy(motion->body, bodies, sizeof bodies);
    int top = lua_gettop(L);
    double own[2][3] = {{0}};
    pc_error err = {0};
    for (int i = 0; i < 2 && given; i++) {
        if (lua_getfield(L, 3, names[i]) != LUA_TNIL) pc_body_motion_read(L, top + 1, bodies[i], motion->u[i], own[i]);
        lua_settop(L, top);
    }
    if (given)
        for (int k = 0; k < 3; k++) v[k] = own[0][k] + (k == PC_T2 ? -own[1][k] : own[1][k]);
    else if (pc_body_velocities(bodies[0], v, motion->u[0], &err)) { /* joints let it not move so */
        lua_pop(L, 1);
        return false;
    }
    lua_setiuservalue(L, -2, PC_IMPACT_PAIR);
    return given;
}

/* collide(body, law, motion, [options]) -> impact */
static int collide(lua_State *L)
{
    const pc_bound_body *bound = pc_type_check(L, 1, &pc_type_body);
    const pc_bound_law *law = pc_type_check(L, 2, &pc_type_law);
    lua_settop(L, 4);
    pc_collide_options options;
    pc_options_take(L, 4, &pc_collide_schema, &options);
    lua_settop(L, 3);
    pc_bound_impact *self = pc_type_new(L, &pc_type_impact, sizeof *self, PC_IMPACT_USERVALUES);
    pc_impact_init(&self->impact);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 4, PC_IMPACT_BODY);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, 4, PC_IMPACT_LAW);

    double u0[PC_BODY_DOF], v0[3] = {0};
    if (!read_pair(L, v0)) {
        pc_body_motion_read(L, 3, &bound->body, u0, v0);
        read_pair(L, v0); /* which now knows the relative velocity */
    }
    pc_colliding who = pc_impact_colliding(bound, law);
    pc_error err = {0};
    if (pc_collide(&who, &options, u0, v0, self, &err) != PC_OK) return pc_raise(L, &err);
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

const pc_type pc_type_impact = {
    .name = "percuss.impact",
    .summary = "What happened in one impact: the same fields for every law.",
    .properties = pc_impact_properties,
    .methods = pc_impact_methods,
    .free = impact_free,
    .describe = impact_describe,
};

static const pc_row collide_params[] = {
    {.name = "body",
     .kind = PC_OBJECT,
     .object = "body",
     .initial = PC_REQUIRED,
     .doc = "the body that strikes, frozen at the instant of contact"},
    {.name = "law", .kind = PC_OBJECT, .object = "law", .initial = PC_REQUIRED, .doc = "the contact law"},
    {.name = "motion",
     .kind = PC_TABLE,
     .initial = PC_REQUIRED,
     .options = &pc_motion_schema,
     .doc = "of the contact point: vt and vn, or speed and incidence; or in the body's own velocities, as hit.body has "
            "them: v and omega of a free body, those of joints by name or as rates"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &pc_collide_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "how the body stands meanwhile"},
    {0},
};

static const pc_function functions[] = {
    {"collide", collide, "One impact of a body with the obstacle by a contact law.", collide_params, "impact",
     "Birlik (2012), section 3.3; Stronge, Impact Mechanics (2000)",
     PC_IMPACT_EXAMPLE "print(hit.regime, hit.wedged)\n--> slip-stick-slip\tfalse"},
    {0},
};

void pc_open_impact(lua_State *L)
{
    pc_type_open(L, &pc_type_impact);
    pc_impact_open_records(L);
    pc_functions_open(L, "", functions);
}

/* The history of an impact: impact:trace, impact:at; and percuss.traction: what the rings of Maw's solution carry at a
 * moment of an impact. */

/* ---- what comes out ---- */

#define STATE_FIELDS                                                                                                   \
    {"t", NULL, "s", "time since the first touch"},                                                                    \
        {"u_t", NULL, "m", "tangential displacement of the contact point, as the law's springs see it"},               \
        {"u_n", NULL, "m", "indentation"}, {"F_t", NULL, "N", "tangential force of the obstacle on the body"},         \
        {"F_n", NULL, "N", "normal force"}, {"v_t", NULL, "m/s", "tangential velocity of the contact point"},          \
        {"v_n", NULL, "m/s", "its normal velocity; below 0 it approaches"},                                            \
        {"s", NULL, "m/s", "slip velocity along t; 0 while it sticks"},                                                \
        {"p_t", NULL, "N s", "tangential impulse up to now"}, {"p_n", NULL, "N s", "normal impulse up to now"},        \
        {"W_t", NULL, "J", "work of the tangential force up to now, that of friction included"},                       \
        {"W_n", NULL, "J", "work of the normal force up to now"}, {"W_f", NULL, "J", "work of friction up to now"},    \
        {"u_t2", NULL, "m", "in space: as u_t, along t2"}, {"F_t2", NULL, "N", "in space: as F_t, along t2"},          \
        {"v_t2", NULL, "m/s", "in space: as v_t, along t2"}, {"p_t2", NULL, "N s", "in space: as p_t, along t2"},      \
    {                                                                                                                  \
        "s_t2", NULL, "m/s", "in space: as s, along t2"                                                                \
    }

static const pc_property trace_fields[] = {
    STATE_FIELDS,
    {"energy", NULL, "J", "kinetic energy of the body; of one known by its W alone, the contact's share of it"},
    {"contact_energy", NULL, "J",
     "the share that an impulse at the contact can reach, v.W^-1.v/2; not with configuration = \"moving\""},
    {"names", NULL, NULL, "list of the columns"},
    {"units", NULL, NULL, "their units by name"},
    {"view", NULL, NULL, "of impact:scaled alone: whose scaled quantities the columns are"},
    {"scale", NULL, NULL,
     "of impact:scaled alone: what 1 is in SI units: .time (s), .length (m), .velocity (m/s), .force (N), .impulse "
     "(N s), .energy (J)"},
    {0},
};
static const pc_property state_fields[] = {STATE_FIELDS, {0}};

static const pc_type type_trace = {
    .name = "percuss.trace",
    .summary = "The history of an impact by a compliant law: columns over time, each an array.",
    .properties = trace_fields,
};
static const pc_type type_state = {
    .name = "percuss.contact_state",
    .summary = "A contact at one instant of its history.",
    .properties = state_fields,
};

void pc_impact_open_records(lua_State *L)
{
    pc_record_open(L, &type_trace);
    pc_record_open(L, &type_state);
}

/* One state as a table: the columns of a trace at one instant. W_t is the work of the tangential force, that of
 * its spring and of friction together (Birlik 2012, eqs 4.61 to 4.66). */
void pc_impact_push_state(lua_State *L, const pc_state *s, bool spatial)
{
    lua_createtable(L, 0, spatial ? 18 : 13);
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
    if (spatial) {
        set_number(L, "u_t2", s->u[PC_T2]);
        set_number(L, "F_t2", s->F[PC_T2]);
        set_number(L, "v_t2", s->v[PC_T2]);
        set_number(L, "p_t2", s->p[PC_T2]);
        set_number(L, "s_t2", s->s[1]);
    }
    pc_record_make(L, &type_state);
}

/* ---- the history ---- */

static pc_bound_impact *check_impact(lua_State *L)
{
    return pc_type_check(L, 1, &pc_type_impact);
}

/* Columns of a trace, in the order of their names; those along t2, the last ones, are of bodies in space. The energy
 * is the body's, as in hit.energy; the contact's share of it, v.W^-1.v/2, is known while the configuration stands. */
static const struct {
    const char *name, *unit;
} trace_columns[] = {
    {"t", "s"},     {"u_t", "m"},   {"u_n", "m"},    {"F_t", "N"},    {"F_n", "N"},
    {"v_t", "m/s"}, {"v_n", "m/s"}, {"s", "m/s"},    {"p_t", "N s"},  {"p_n", "N s"},
    {"W_t", "J"},   {"W_n", "J"},   {"W_f", "J"},    {"energy", "J"}, {"contact_energy", "J"},
    {"u_t2", "m"},  {"F_t2", "N"},  {"v_t2", "m/s"}, {"s_t2", "m/s"}, {"p_t2", "N s"},
};
enum { N_COLUMNS = sizeof trace_columns / sizeof *trace_columns, N_PLANAR = N_COLUMNS - 5, CONTACT_ENERGY = 14 };

/* A planar trace has no columns along t2, a moving one no share of the contact. */
static bool has_column(const pc_bound_impact *self, bool spatial, int column)
{
    return column == CONTACT_ENERGY ? !self->moving : spatial || column < N_PLANAR;
}

static void trace_values(const pc_bound_impact *self, const pc_state *s, double out[N_COLUMNS])
{
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
                                pc_collision_energy(self, s),
                                pc_mobility_energy(&self->W, s->v),
                                s->u[PC_T2],
                                s->F[PC_T2],
                                s->v[PC_T2],
                                s->s[1],
                                s->p[PC_T2]};
    memcpy(out, values, sizeof values);
}

/* The end of the picture when none is given: the contact's end, or, wedged, a while after the last slip, or some swings
 * of what adheres. */
static double trace_end(const pc_impact *impact)
{
    if (isfinite(impact->duration)) return impact->duration;
    if (impact->outcome == PC_OUTCOME_ADHERED) return 6 * impact->compression_time;
    double arrest = impact->phases[impact->n_phases - 1].start.t;
    return 1.5 * arrest;
}

/* impact:trace(n, [stop]) -> { names =, units =, t = array, u_t = array, ... } */
static int impact_trace(lua_State *L)
{
    pc_bound_impact *self = check_impact(L);
    const pc_bound_law *law = pc_impact_law_of(L, 1);
    if (!(law->law->abilities & PC_LAW_COMPLIANT))
        return pc_refuse(L, "%s has no history in time to trace", law->law->schema->name);
    lua_Integer n = pc_argument_integer_or(L, 2, 400);
    pc_argument_check(L, n >= 2 && n <= 10000000, 2, "must be from 2 to 1e7");
    double stop = pc_argument_number_or(L, 3, trace_end(&self->impact));
    pc_argument_check(L, stop > 0 && isfinite(stop), 3, "must be a positive number of s");
    if (stop > self->impact.duration) stop = self->impact.duration;
    lua_settop(L, 1);

    /* work space and columns belong to Lua, so that an error leaves nothing behind */
    double *times = lua_newuserdatauv(L, (size_t)n * sizeof *times, 0);
    pc_state *states = lua_newuserdatauv(L, (size_t)n * sizeof *states, 0);
    double *columns[N_COLUMNS] = {NULL};
    bool spatial = pc_impact_body_of(L, 1)->body.spatial;
    lua_createtable(L, 0, N_COLUMNS + 2);
    lua_createtable(L, N_COLUMNS, 0);
    lua_createtable(L, 0, N_COLUMNS);
    for (int c = 0, n_columns = 0; c < N_COLUMNS; c++) {
        if (!has_column(self, spatial, c)) continue;
        lua_pushstring(L, trace_columns[c].name);
        lua_rawseti(L, -3, ++n_columns);
        lua_pushstring(L, trace_columns[c].unit);
        lua_setfield(L, -2, trace_columns[c].name);
        columns[c] = pc_array_new(L, (size_t)n)->v;
        lua_setfield(L, -4, trace_columns[c].name);
    }
    lua_setfield(L, -3, "units");
    lua_setfield(L, -2, "names");
    pc_record_make(L, &type_trace);

    for (lua_Integer i = 0; i < n; i++) times[i] = i == n - 1 ? stop : stop * (double)i / (double)(n - 1);
    pc_error err = {0};
    const pc_colliding who = pc_impact_colliding(pc_impact_body_of(L, 1), law);
    if (pc_collision_trace(&who, self, times, (size_t)n, states, &err)) return pc_raise(L, &err);
    for (lua_Integer i = 0; i < n; i++) {
        double row[N_COLUMNS];
        trace_values(self, &states[i], row);
        for (int c = 0; c < N_COLUMNS; c++)
            if (columns[c]) columns[c][i] = row[c];
    }
    return 1;
}

/* impact:at(t) -> state */
static int impact_at(lua_State *L)
{
    pc_bound_impact *self = check_impact(L);
    const pc_bound_law *law = pc_impact_law_of(L, 1);
    if (!(law->law->abilities & PC_LAW_COMPLIANT))
        return pc_refuse(L, "%s has no history in time", law->law->schema->name);
    double t = pc_argument_number(L, 2);
    if (!(t >= 0 && t <= self->impact.duration && isfinite(t)))
        return pc_refuse(L, "at: t = %f s is outside the contact, which lasts from 0 to %f s", t,
                         self->impact.duration);
    pc_state state;
    pc_error err = {0};
    const pc_colliding who = pc_impact_colliding(pc_impact_body_of(L, 1), law);
    if (pc_collision_trace(&who, self, &t, 1, &state, &err)) return pc_raise(L, &err);
    pc_impact_push_state(L, &state, pc_impact_body_of(L, 1)->body.spatial);
    return 1;
}

static const pc_row trace_params[] = {
    {.name = "n", .kind = PC_INTEGER, .initial = 400, .doc = "how many points, equally spaced in time"},
    {.name = "stop",
     .kind = PC_REAL,
     .unit = PC_UNIT_S,
     .initial = PC_ABSENT,
     .otherwise = "the end of contact; wedged: 1.5 times the end of the last slip; adhered: some swings",
     .doc = "last time"},
    {0},
};
static const pc_row at_params[] = {
    {.name = "t", .kind = PC_REAL, .unit = PC_UNIT_S, .initial = PC_REQUIRED, .doc = "from 0 to the duration"}, {0}};

const pc_function pc_impact_methods[] = {
    {"trace", impact_trace, "The history of an impact by a compliant law, as arrays over time.", trace_params, "trace",
     NULL,
     PC_IMPACT_EXAMPLE
     "local h = hit:trace(200)\nprint(#h.F_n, h.units.F_n, h.F_n:max() <= hit.peak.n)\n--> 200\tN\ttrue"},
    {"at", impact_at, "The state of the contact at a given time.", at_params, "contact_state", NULL,
     PC_IMPACT_EXAMPLE
     "print(hit:at(hit.compression_time).v_n == 0 or math.abs(hit:at(hit.compression_time).v_n) < 1e-12)\n"
     "--> true"},
    {0},
};

static pc_array *column(lua_State *L, const char *name, size_t n)
{
    pc_array *a = pc_array_new(L, n);
    lua_setfield(L, -2, name);
    return a;
}

static const pc_property fields[] = {
    {"radius", NULL, "m", "distances from the middle of the contact circle, an array"},
    {"traction", NULL, "Pa", "tangential traction there, an array"},
    {"limit", NULL, "Pa", "mu times the pressure there, an array: where the traction has this magnitude, it slips"},
    {"stick_radius", NULL, "m", "radius of the middle part that sticks"},
    {"time", NULL, "s", "of the step that was taken"},
    {0},
};
static const pc_type type_traction = {
    .name = "percuss.traction",
    .summary = "Tangential traction over a contact circle at one moment.",
    .properties = fields,
};

/* traction(hit, t, [n], [rings]) -> table */
static int traction(lua_State *L)
{
    const pc_bound_impact *hit = pc_type_check(L, 1, &pc_type_impact);
    double t = pc_argument_number(L, 2);
    lua_Integer n = pc_argument_integer_or(L, 3, 200), rings = pc_argument_integer_or(L, 4, 400);
    pc_argument_check(L, n >= 2 && n <= 100000, 3, "must be from 2 to 1e5");
    pc_argument_check(L, rings >= 2 && rings <= 10000, 4, "must be from 2 to 10000");
    lua_getiuservalue(L, 1, PC_IMPACT_LAW);
    const pc_bound_law *bound = lua_touserdata(L, -1);
    if (bound->law != &pc_law_maw) return pc_refuse(L, "traction: only an impact by contact.maw knows its tractions");
    const pc_maw *law = (const void *)bound->params;
    if (law->friction == 0) return pc_refuse(L, "traction: without friction there is none");
    const pc_impact *impact = &hit->impact;
    if (!(t >= 0 && t <= impact->duration))
        return pc_refuse(L, "traction: t = %f s is outside the contact, which lasts from 0 to %f s", t,
                         impact->duration);

    double v = -impact->v0[PC_N], tangential = 1.5 * law->hertz.kappa * law->friction * v;
    double chi = hit->W.tt / (3 * law->hertz.kappa * hit->W.nn);
    size_t last = 2 * (size_t)rings;
    pc_maw_step *steps = lua_newuserdatauv(L, (last + 1) * sizeof *steps, 0);
    double *profile = lua_newuserdatauv(L, ((size_t)rings + 1) * sizeof *profile, 0);
    pc_error err = {0};
    if (pc_maw_run(impact->v0[PC_T] / tangential, chi, (int)rings, steps, NULL, 0, &err)) return pc_raise(L, &err);
    double scale = impact->duration / steps[last].t;
    size_t at = 1;
    while (at + 1 < last && fabs(steps[at + 1].t * scale - t) <= fabs(steps[at].t * scale - t)) at++;
    if (pc_maw_run(impact->v0[PC_T] / tangential, chi, (int)rings, steps, profile, (int)at, &err))
        return pc_raise(L, &err);

    /* greatest contact radius a: u = a^2/R; greatest pressure 2 E* a/(pi R) = 3 F/(2 pi a^2) */
    double depth = pow(impact->peak[PC_N] / pc_hertz_stiffness(&law->hertz), 2.0 / 3);
    double a = sqrt(depth * pc_hertz_radius(&law->hertz));
    double bound_unit = law->friction * 1.5 * impact->peak[PC_N] / (M_PI * a * a);
    double u = pow(fabs(sin(steps[at].phi)), 0.8);

    lua_createtable(L, 0, 5);
    pc_array *radius = column(L, "radius", (size_t)n), *q = column(L, "traction", (size_t)n);
    pc_array *limit = column(L, "limit", (size_t)n);
    for (lua_Integer i = 0; i < n; i++) radius->v[i] = sqrt(u) * (double)i / (double)(n - 1);
    pc_maw_traction(profile, (int)rings, u, radius->v, (int)n, q->v, limit->v);
    for (lua_Integer i = 0; i < n; i++) {
        radius->v[i] *= a;
        q->v[i] *= -bound_unit;
        limit->v[i] *= bound_unit;
    }
    lua_pushnumber(L, steps[at].t * scale);
    lua_setfield(L, -2, "time");
    lua_pushnumber(L, steps[at].stick_radius * a);
    lua_setfield(L, -2, "stick_radius");
    pc_record_make(L, &type_traction);
    return 1;
}

static const pc_row params[] = {
    {.name = "hit", .kind = PC_OBJECT, .object = "impact", .initial = PC_REQUIRED, .doc = "an impact by contact.maw"},
    {.name = "t",
     .kind = PC_REAL,
     .unit = PC_UNIT_S,
     .initial = PC_REQUIRED,
     .doc = "from 0 to the duration; the nearest step is taken"},
    {.name = "n", .kind = PC_INTEGER, .initial = 200, .doc = "how many radii, from the middle to the edge"},
    {.name = "rings", .kind = PC_INTEGER, .initial = 400, .doc = "rings to compute with"},
    {0},
};

static const pc_function traction_functions[] = {
    {"traction", traction, "The tangential traction over the contact circle at a moment of an impact by contact.maw.",
     params, "traction", "Maw, Barber and Fawcett, Wear 38 (1976)",
     "local law = percuss.contact.maw{ modulus = 1, poisson = 0.3, radius = 1, friction = 0.5, rings = 100 }\n"
     "local hit = percuss.collide(percuss.body.lai{ mass = 1, lambda = 5/9, theta = 0 }, law, { vt = 1, vn = -1 })\n"
     "local p = percuss.traction(hit, 0.1 * hit.duration)\n"
     "print(math.abs(p.traction[100] / p.limit[100] + 1) < 1e-2, p.stick_radius) --> true\t0.0"},
    {0},
};

void pc_open_traction(lua_State *L)
{
    pc_record_open(L, &type_traction);
    pc_functions_open(L, "", traction_functions);
}
