/* Two tangential springs, a normal spring, and a particle that Coulomb friction holds: the linear law in space.
 *
 * The sledge is a point without mass on the obstacle, joined to the contact point by a normal spring and by an
 * isotropic tangential one. It rests while |F_T| < mu F_n. When it slides, the stretch x stays on the cone,
 * |x| = mu F_n/k_t, and the sledge moves along x: two nonholonomic constraints for its two coordinates.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extension (2), derived anew; Stronge, Impact Mechanics (2000),
 * chapter 5, in the plane. The normal spring returns E^2 of its energy on the line of Walton and Braun, J. Rheology 30
 * (1986).
 */
#include "law/sledge3d/sledge3d.h"

#include "law/recorder.h"

#include <math.h>

static const pc_row rows[] = {
    {.name = "stiffness",
     .symbol = "kn",
     .kind = PC_REAL,
     .offset = offsetof(pc_sledge3d, kn),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e3, 1e8},
     .doc = "stiffness of the normal spring"},
    {.name = "stiffness_ratio",
     .symbol = "eta",
     .greek = "η",
     .kind = PC_REAL,
     .offset = offsetof(pc_sledge3d, eta),
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {0.05, 5},
     .group = 1,
     .doc = "normal over tangential stiffness; (2 - nu)/(2 (1 - nu)) for equal materials"},
    {.name = "tangential",
     .symbol = "kt",
     .kind = PC_REAL,
     .offset = offsetof(pc_sledge3d, kt),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .group = 1,
     .doc = "stiffness of the tangential springs, the same in every direction"},
    {.name = "friction",
     .symbol = "mu",
     .greek = "μ",
     .kind = PC_REAL,
     .offset = offsetof(pc_sledge3d, mu),
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 2},
     .doc = "coefficient of friction of the sledge, the same in stick and slip"},
    {.name = "restitution",
     .role = PC_RESTITUTION,
     .symbol = "E",
     .kind = PC_REAL,
     .offset = offsetof(pc_sledge3d, restitution),
     .initial = 1,
     .allowed = {0, 1, true, false},
     .sample = {0.3, 1},
     .doc = "root of the energy that the normal spring returns: it unloads on kn/E^2"},
};

static pc_status validate(void *object, uint64_t given, pc_error *err)
{
    pc_sledge3d *law = object;
    (void)err;
    if (pc_schema_given(pc_law_sledge3d.schema, given, "tangential"))
        law->eta = law->kn / law->kt;
    else
        law->kt = law->kn / law->eta;
    return PC_OK;
}

static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out, pc_error *err)
{
    pc_mobility given = *W;
    pc_status status = pc_impact_begin(out, &given, 3, v0, err);
    if (status != PC_OK || out->outcome == PC_OUTCOME_NONE) return status;
    if (!(W->nn > 0))
        return pc_fail(err, PC_E_ARGUMENT, "the contact point must be able to move along the normal: w_nn = %.10g 1/kg",
                       W->nn);
    return pc_sledge3d_solve(params, &given, NULL, out, err);
}

static pc_status trace(const void *params, const pc_mobility *W, const pc_impact *from, const double *times, size_t n,
                       pc_state *out, pc_error *err)
{
    if (from->outcome == PC_OUTCOME_NONE)
        return pc_fail(err, PC_E_ARGUMENT, "there was no impact: the bodies did not approach");
    pc_mobility given = *W;
    pc_status status = pc_mobility_rank(W, &given.rank, err);
    if (status) return status;
    pc_impact again;
    pc_impact_init(&again);
    for (int i = 0; i < 3; i++) again.v0[i] = from->v0[i];
    again.energy0 = from->energy0;
    pc_sledge3d_trace wanted = {times, n, out};
    status = pc_sledge3d_solve(params, &given, &wanted, &again, err);
    pc_impact_free(&again);
    return status;
}

static const pc_schema schema = {
    .name = "contact.sledge3d",
    .summary = "Normal and tangential springs with Coulomb friction in space: the linear law with slip that swerves.",
    .details =
        "F_n = kn u_n and F_T = -kt x, x the stretch in the tangent plane, act on a massless particle that sticks "
        "while |F_T| < mu F_n. When it slips, x stays on the cone and the particle moves along x, so that the "
        "direction of slip turns with the velocity of the contact point. In the plane this is the linear law; as "
        "kt grows it tends to rigid impact with Stronge's E at a rate of 1/kt and a cost of kt. With restitution "
        "E < 1 the normal spring unloads on kn/E^2 about a residual indentation. A body without three degrees "
        "of freedom at the contact may wedge: the verdict is that no corner of the vibration leaves the cone, "
        "which is exact with one degree and with two of incommensurable frequencies.",
    .source = "Kecskemethy, Lange and Grabner (1999), extension (2); Walton and Braun, J. Rheology 30 (1986)",
    .example = "local sledge = percuss.contact.sledge3d{ stiffness = 1e6, eta = 1.21, friction = 0.3 }\n"
               "local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03, spatial = true }\n"
               "local hit = percuss.collide(ball, sledge, { vt = 0.3, vt2 = 0.4, vn = -1 })\n"
               "print(hit.regime, string.format('%.6f', hit.velocity.n)) --> slip-stick-slip\t1.000000",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .size = sizeof(pc_sledge3d),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

PC_ONE_FRICTION(pc_sledge3d, mu)

const pc_law pc_law_sledge3d = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_SPATIAL | PC_LAW_COMPLIANT | PC_LAW_CONSERVATIVE,
    .impact = impact,
    .trace = trace,
    .friction = friction,
};
