/* The hard-sphere law: restitution along the normal and across it, as it is measured.
 *
 * v_n+ = -e v_n-; where friction can bring that about v_t+ = -beta0 v_t-, else the impulse ratio is at its bound. Of a
 * sphere beta0 = -1 is a smooth contact; 0 is one that sticks, 1 one that gives all of its tangential velocity back.
 *
 * Sources: Walton (1993), in Particulate Two-Phase Flow; Foerster, Louge, Chang and Allia, Phys. Fluids 6 (1994).
 */
#include "law/rigid/rigid.h"

typedef struct hard_sphere {
    pc_coefficient restitution;
    double friction, tangential;
} hard_sphere;

static const pc_row rows[] = {
    PC_RATIO_RESTITUTION_ROW(hard_sphere),
    {.name = "friction",
     .symbol = "mu",
     .greek = "μ",
     PC_MEMBER(hard_sphere, friction),
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 2},
     .doc = "coefficient of friction: bound on the impulse ratio"},
    {.name = "tangential_restitution",
     .symbol = "beta0",
     .greek = "β₀",
     PC_MEMBER(hard_sphere, tangential),
     .initial = PC_REQUIRED,
     .allowed = PC_BETWEEN(-1, 1),
     .sample = {-1, 1},
     .doc = "beta0 = -v_t+/v_t- of an impact that friction does not bound"},
};

static const pc_schema schema = {
    .name = "contact.hard_sphere",
    .summary = "Hard spheres known by three measured coefficients: restitution along, restitution across, friction.",
    .details = "What experiments on oblique impacts of spheres are reported in. Some papers write beta0 with the other "
               "sign. Of bodies whose W couples normal and tangent it may create energy; the result says so "
               "(flags.gained_energy). Works and partial impulses are those of the straight line in the impulse plane.",
    .equations = "v_n' = -e v_n: afterwards\n"
                 "v_t' = -beta0 v_t: if friction can bring that about\n"
                 "p_t = -mu s p_n: if it can not, s being the direction of slip before",
    .source = "Walton (1993); Foerster, Louge, Chang and Allia, Phys. Fluids 6 (1994)",
    .example = "local law = percuss.contact.hard_sphere{ e = 0.9, mu = 0.25, beta0 = 0.35 }\n"
               "local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }\n"
               "local hit = percuss.collide(ball, law, { vt = 0.5, vn = -1 })\n"
               "print(string.format('%.3f', hit.velocity.t)) --> -0.175",
    PC_ROWS(rows),
    .size = sizeof(hard_sphere),
};

/* v_t+ grows with the ratio, so what lies beyond a bound is nearest to it there. */
static double ratio(const void *params, double e, const pc_mobility *W, const double v0[3])
{
    const hard_sphere *law = params;
    double r = pc_ratio_reaching(W, v0, e, -law->tangential * v0[PC_T]);
    if (fabs(r) <= law->friction) return r;
    double missing = pc_ratio_after(W, v0, e, 0) + law->tangential * v0[PC_T];
    return missing > 0 ? -law->friction : law->friction;
}

PC_RATIO_RULE(ratio)

static void friction(const void *params, pc_coulomb *out)
{
    double mu = ((const hard_sphere *)params)->friction;
    *out = (pc_coulomb){mu, mu};
}

static int joint_rule(const void *params, double approach, pc_joint_rule *out)
{
    out->kind = PC_JOINT_NEWTON;
    return pc_coefficient_at(&((const hard_sphere *)params)->restitution, approach, &out->e, NULL);
}

const pc_law pc_law_hard_sphere = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_CLOSED_FORM | PC_LAW_MAY_GAIN,
    .impact = impact,
    .path = pc_ratio_path,
    .friction = friction,
    .joint_rule = joint_rule,
};
