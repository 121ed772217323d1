/* What can be set for a disc on a plane: see disc_plane.c. */
#include "law/flat/flat.h"
#include "motion/disc_plane/disc_plane.h"

#include <math.h>

static const char *const models[] = {"rim", "area", NULL};

#define REAL(word, field, dimension, start, range, text)                                                               \
    {                                                                                                                  \
        .name = word, PC_MEMBER(pc_disc_plane, field), .unit = dimension, .initial = start, .allowed = range,          \
        .doc = text                                                                                                    \
    }

/* clang-format off */
#define NUMBER {0}
#define S_PER_M {.m = -1, .s = 1}
#define TILTS {0, M_PI / 2, false, false}
/* clang-format on */

static const pc_row rows[] = {
    {.name = "model",
     .kind = PC_CHOICE,
     .offset = offsetof(pc_disc_plane, model),
     .initial = PC_FLAT_AREA,
     .choices = models,
     .doc = "where the springs are: along the rim or under the whole face"},
    REAL("radius", radius, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "radius of the disc"),
    REAL("mass", mass, PC_UNIT_KG, PC_REQUIRED, PC_POSITIVE, "mass of the disc"),
    REAL("inertia", inertia, PC_UNIT_KG_M2, PC_ABSENT, PC_POSITIVE,
         "moment of inertia about a diameter; m a^2/4 of a thin homogeneous disc if not given"),
    REAL("polar_inertia", polar, PC_UNIT_KG_M2, PC_ABSENT, PC_POSITIVE,
         "moment of inertia about the axis; twice the one about a diameter, as of any thin disc, if not given"),
    REAL("stiffness", stiffness, PC_UNIT_N_PER_M, PC_REQUIRED, PC_POSITIVE,
         "stiffness of all springs together, when the disc lies flat"),
    REAL("stiffness_ratio", eta, NUMBER, 1.21, PC_POSITIVE,
         "stiffness over that along the plane; 1.21 for equal materials with a Poisson's ratio of 0.3"),
    REAL("friction", friction, NUMBER, PC_REQUIRED, PC_NONNEGATIVE,
         "coefficient of friction, the same in stick and slip"),
    REAL("damping", damping, S_PER_M, 0, PC_NONNEGATIVE,
         "damping zeta of each spring: its force is k depth (1 + zeta rate)"),
    REAL("gravity", gravity, PC_UNIT_M_PER_S2, 9.81, PC_NONNEGATIVE, "acceleration by gravity, towards the plane"),
    REAL("height", height, PC_UNIT_M, PC_ABSENT, PC_ANY,
         "height of the centre at the start; if not given, the springs carry the weight"),
    REAL("tilt", tilt, PC_UNIT_RAD, 0, TILTS,
         "angle between disc and plane at the start; the lowest point is towards +x"),
    REAL("tilt_rate", tilt_rate, PC_UNIT_RAD_PER_S, 0, PC_ANY, "rate at which the tilt grows at the start"),
    REAL("precession", precession, PC_UNIT_RAD_PER_S, 0, PC_ANY,
         "rate at which the lowest point goes round the normal at the start"),
    REAL("spin", spin, PC_UNIT_RAD_PER_S, 0, PC_ANY, "angular velocity about the axis of the disc at the start"),
    {.name = "velocity",
     .kind = PC_VECTOR,
     .offset = offsetof(pc_disc_plane, velocity),
     .count = 3,
     .unit = PC_UNIT_M_PER_S,
     .initial = 0,
     .allowed = PC_ANY,
     .doc = "velocity of the centre at the start, {x, y, z}, z upwards"},
    REAL("duration", duration, PC_UNIT_S, PC_REQUIRED, PC_POSITIVE, "how long"),
    {.name = "rows",
     PC_MEMBER(pc_disc_plane, rows),
     .initial = 1001,
     .allowed = PC_BETWEEN(2, 10000000),
     .doc = "how many instants are told of, equally spaced"},
    {.name = "max_steps",
     PC_MEMBER(pc_disc_plane, max_steps),
     .initial = 500000,
     .allowed = PC_BETWEEN(1, 2e9),
     .doc = "steps after which the run ends with the error limit; in contact a step is at most a quarter of "
            "sqrt(mass/stiffness)"},
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_disc_plane *p = object;
    if (!pc_schema_given(schema, given, "inertia")) p->inertia = p->mass * p->radius * p->radius / 4;
    if (!pc_schema_given(schema, given, "polar_inertia")) p->polar = 2 * p->inertia;
    /* the triangle inequality of moments of inertia, with room for rounding at the lamina's equality */
    if (p->polar > 2 * p->inertia * (1 + 1e-12))
        return pc_fail(err, PC_E_ARGUMENT,
                       "disc_on_plane: polar_inertia = %.10g kg m^2; it must not exceed twice inertia = %.10g kg m^2",
                       p->polar, p->inertia);
    if (p->tilt == 0 && p->precession != 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "disc_on_plane: precession = %.10g rad/s needs a tilt; a flat disc turns by its spin",
                       p->precession);
    return PC_OK;
}

const pc_schema pc_disc_plane_schema = {
    .name = "disc_on_plane",
    .summary = "A thin disc in space on a rough plane.",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_disc_plane),
    .validate = validate,
};
