/* percuss.collide and the impact it returns: one record with the same fields for every law. */
#include "bind/argument.h"
#include "bind/bind_impact_parts.h"

#include <math.h>
#include <string.h>

/* The impact while the body goes on moving. */
pc_moving_task pc_impact_moving_task(const pc_bound_body *body, const pc_bound_law *law, const pc_bound_impact *self)
{
    return (pc_moving_task){.body = &body->body,
                            .body_params = body->body.kind ? body->params : NULL,
                            .element = law->law->element,
                            .params = law->params,
                            .u0 = self->u0,
                            .persistent = self->persistent};
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
    pc_argument_type(L, 4, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, 4); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        bool first = strcmp(name, "configuration") == 0;
        if (!first && strcmp(name, "stick") != 0)
            pc_refuse(L, "collide: unknown option '%s'; the options are configuration and stick",
                      luaL_tolstring(L, -2, NULL));
        const char *word = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        const char *const *choices = first ? configurations : sticks;
        if (strcmp(word, choices[0]) != 0 && strcmp(word, choices[1]) != 0)
            pc_refuse(L, "collide: %s = %s is not allowed; it must be \"%s\" or \"%s\"", name,
                      luaL_tolstring(L, -1, NULL), choices[0], choices[1]);
        *(first ? moving : persistent) = strcmp(word, choices[1]) == 0;
    }
    if (*persistent && !*moving) pc_refuse(L, "collide: stick = \"persistent\" belongs to configuration = \"moving\"");
}

static pc_status collide_moving(const pc_bound_body *body, const pc_bound_law *law, pc_bound_impact *self,
                                pc_error *err)
{
    if (!law->law->element)
        return pc_fail(err, PC_E_UNSUPPORTED,
                       "configuration = \"moving\" needs a compliant law, such as contact.linear or "
                       "contact.hunt_crossley; %s is none",
                       law->law->schema->name);
    pc_moving_task task = pc_impact_moving_task(body, law, self);
    return pc_moving_impact(&task, &self->impact, self->u1, &self->rotation, err);
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
        return pc_refuse(L,
                         "collide: the bodies do not approach: vn = %f m/s must be < 0 (the normal points away from "
                         "the obstacle)",
                         v0[PC_N]);

    self->loss_max = pc_mobility_energy(&self->W, v0);
    if (!moving) pc_body_after(body, self->u0, self->impact.impulse, self->u1);
    if (self->impact.outcome == PC_OUTCOME_WEDGED) clear_rounding(body->dof, self->u0, self->u1);
    bool own = body->dof > 0; /* else only the contact's share of the energy is known */
    self->energy0 = own ? pc_body_energy(body, self->u0) : self->impact.energy0;
    if (!isfinite(self->energy0) || !isfinite(self->loss_max))
        return pc_refuse(L, "collide: the kinetic energy of this motion is too large for a number");
    /* the mass matrix of a linkage is another one by then */
    self->energy1 = own && !moving ? pc_body_energy(body, self->u1) : self->impact.energy1;
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

static const pc_param collide_params[] = {
    {"body", "body", NULL, NULL, "the body that strikes, frozen at the instant of contact"},
    {"law", "law", NULL, NULL, "the contact law"},
    {"motion", "table", NULL, NULL,
     "{ vt =, vn = [, vt2 =] } of the contact point (m/s, vn < 0 approaches; vt2 in space), { speed =, incidence = [, "
     "azimuth =] } (m/s, rad from the normal, rad from t towards t2), or the body's own velocities, as hit.body has "
     "them: { v = { t, n[, t2] }, omega = } of a free body (m/s of its mass centre; rad/s, in space a list), { rate = "
     "} or { rates = {...} } of joints (rad/s)"},
    {"options", "table", NULL, "{}", "how the body stands meanwhile"},
    {".configuration", "frozen | moving", NULL, "\"frozen\"",
     "moving: a free body in the plane, a pendulum or a linkage turns while a compliant law acts; energies are those "
     "of the body, and a pendulum may wedge"},
    {".stick", "coulomb | persistent", NULL, "\"coulomb\"",
     "of a moving one; persistent: a contact point that has come to rest stays there, as in Brach's simulation"},
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
