/* percuss.traction: what the rings of Maw's solution carry at a moment of an impact. */
#include "bind/argument.h"
#include "bind/bind_array.h"
#include "bind/bind_contact.h"
#include "bind/bind_impact.h"
#include "law/maw/maw.h"

#include <math.h>

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

static const pc_param params[] = {
    {"hit", "impact", NULL, NULL, "an impact by contact.maw"},
    {"t", "number", "s", NULL, "from 0 to the duration; the nearest step is taken"},
    {"n", "integer", NULL, "200", "how many radii, from the middle to the edge"},
    {"rings", "integer", NULL, "400", "rings to compute with"},
    {0},
};

static const pc_function functions[] = {
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
    pc_functions_open(L, "", functions);
}
