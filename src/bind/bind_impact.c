/* percuss.collide and the impact it returns: one record with the same fields for every law. */
#include "bind/argument.h"
#include "bind/bind_impact_parts.h"

pc_colliding pc_impact_colliding(const pc_bound_body *body, const pc_bound_law *law)
{
    return (pc_colliding){&body->body, body->params, law->law, law->params};
}

/* ---- collide ---- */

/* collide(body, law, motion, [options]) -> impact */
static int collide(lua_State *L)
{
    const pc_bound_body *bound = pc_type_check(L, 1, &pc_type_body);
    const pc_bound_law *law = pc_type_check(L, 2, &pc_type_law);
    lua_settop(L, 4);
    pc_collide_options options;
    if (lua_isnil(L, 4))
        pc_schema_defaults(&pc_collide_schema, &options);
    else
        pc_options_read(L, 4, &pc_collide_schema, &options);
    lua_settop(L, 3);
    pc_bound_impact *self = pc_type_new(L, &pc_type_impact, sizeof *self, PC_IMPACT_USERVALUES);
    pc_impact_init(&self->impact);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 4, PC_IMPACT_BODY);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, 4, PC_IMPACT_LAW);

    double u0[PC_BODY_DOF], v0[3] = {0};
    pc_body_motion_read(L, 3, &bound->body, u0, v0);
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

static const pc_param collide_params[] = {
    {"body", "body", NULL, NULL, "the body that strikes, frozen at the instant of contact"},
    {"law", "law", NULL, NULL, "the contact law"},
    {"motion", "table", NULL, NULL,
     "{ vt =, vn = [, vt2 =] } of the contact point (m/s, vn < 0 approaches; vt2 in space), { speed =, incidence = [, "
     "azimuth =] } (m/s, rad from the normal, rad from t towards t2), or the body's own velocities, as hit.body has "
     "them: { v = { t, n[, t2] }, omega = } of a free body (m/s of its mass centre; rad/s, in space a list), { rate = "
     "} or { rates = {...} } of joints (rad/s)"},
    {"options", "table", NULL, "{}", "how the body stands meanwhile"},
    {".configuration", "frozen | moving", NULL, "\"frozen\"", PC_COLLIDE_CONFIGURATION},
    {".stick", "coulomb | persistent", NULL, "\"coulomb\"", PC_COLLIDE_STICK},
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
