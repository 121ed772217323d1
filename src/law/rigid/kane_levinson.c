/* Kane and Levinson's law: v_t+ = 0 if static friction can bring that about, else kinetic friction against v_t+. */
#include "law/rigid/impulse_ratio.h"
#include "law/law.h"

#include <math.h>

typedef struct kane_levinson {
    double restitution, friction, static_friction;
} kane_levinson;

static const pc_row rows[] = {
    PC_RATIO_RESTITUTION_ROW(kane_levinson),
    PC_RATIO_FRICTION_ROW(kane_levinson, "coefficient of kinetic friction: the impulse ratio of an impact that slides"),
    {.name = "static_friction",
     .symbol = "mu_s",
     .greek = "μ_s",
     PC_MEMBER(kane_levinson, static_friction),
     .initial = PC_ABSENT,
     .allowed = PC_NONNEGATIVE,
     .doc = "coefficient of static friction: bound on the impulse ratio of an impact that sticks; the same as friction "
            "if not given"},
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    kane_levinson *law = object;
    if (!pc_schema_given(schema, given, "static_friction")) law->static_friction = law->friction;
    if (law->static_friction < law->friction)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: static_friction (mu_s) = %.10g; it must not be below friction (mu) = %.10g", schema->name,
                       law->static_friction, law->friction);
    return PC_OK;
}

static const pc_schema schema = {
    .name = "contact.kane_levinson",
    .summary = "Newton's restitution; friction acts on the velocities before and after alone.",
    .details = "May create energy where slip reverses during the impact; the result says so (flags.gained_energy). "
               "Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = 0: if static friction can do that\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip afterwards",
    .source = "Kane and Levinson, Dynamics: Theory and Applications (1985); Lai (1999), equations 2.1-2.3",
    .example = "print(percuss.contact.kane_levinson{ e = 0.5, mu = 0.2, mu_s = 0.3 }.static_friction) --> 0.3",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(kane_levinson),
    .validate = validate,
};

static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out, pc_error *err)
{
    const kane_levinson *law = params;
    pc_mobility plane;
    pc_status status = pc_ratio_plane(schema.name, W, v0, &plane, err);
    if (status) return status;
    double ratio = pc_ratio_against_departure(&plane, v0, law->restitution, law->friction, law->static_friction);
    return pc_ratio_impact(schema.name, &plane, v0, law->restitution, ratio, out, err);
}

static void friction(const void *params, pc_coulomb *out)
{
    const kane_levinson *law = params;
    *out = (pc_coulomb){law->friction, law->static_friction};
}

const pc_law pc_law_kane_levinson = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN,
    .impact = impact,
    .path = pc_impulse_path,
    .friction = friction,
};
