/* A rotational spring and damper between two bodies, or a body and the ground: M = k (phi - phi0) + c phi', with the
 * angle phi of b against a. */
#include "scene/force/force.h"

typedef struct rotational {
    pc_force_common common;
    double stiffness, damping, rest_angle;
} rotational;

static const pc_row rows[] = {
    PC_FORCE_BODY_ROW(rotational, "a", 0, PC_FORCE_BODY_TEXT),
    PC_FORCE_BODY_ROW(rotational, "b", 1, "the other one; the ground if not given"),
    PC_ROW(rotational, stiffness, "stiffness", .symbol = "k", .unit = {.kg = 1, .m = 2, .s = -2, .rad = -2},
           .initial = 0, .allowed = PC_NONNEGATIVE, .sample = {1, 10}, .doc = "of the spring"),
    PC_ROW(rotational, damping, "damping", .symbol = "c", .unit = {.kg = 1, .m = 2, .s = -1, .rad = -2}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .sample = {0, 1}, .doc = "of the damper beside it"),
    PC_ROW(rotational, rest_angle, "rest_angle", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY,
           .doc = "of a against b without a moment"),
    PC_FORCE_NAME_ROW(rotational),
};

static const pc_schema schema = {
    .name = "rotational_spring",
    .summary = "A rotational spring with a damper between two bodies, links or the ground, for scenes.",
    .equations = "M = -k (phi - phi_0) - c phi': moment on a, at its angle phi against b",
    .example =
        "local bar = percuss.free{ shape = \"rod\", length = 1, mass = 12, angle = 0.1 }\n"
        "local world = percuss.scene{ bar, percuss.rotational_spring{ a = \"body\", stiffness = 4 }, gravity = 0 }\n"
        "local run = percuss.simulate(world, { duration = math.pi/2 })\n"
        "print(string.format(\"%.6f\", run:at(math.pi/2).q[3])) --> -0.100000",
    PC_ROWS(rows),
    .size = sizeof(rotational),
};

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    const rotational *s = params;
    (void)t;
    double M = s->stiffness * (end[0].angle - end[1].angle - s->rest_angle) + s->damping * (end[0].rate - end[1].rate);
    out[0] = (pc_wrench){0, 0, -M};
    out[1] = (pc_wrench){0, 0, M};
    return 0;
}

static double potential(const void *params, const pc_force_end *end)
{
    const rotational *s = params;
    double stretch = end[0].angle - end[1].angle - s->rest_angle;
    return s->stiffness * stretch * stretch / 2;
}

static double damped(const void *params, const pc_force_end *end)
{
    double rate = end[0].rate - end[1].rate;
    return -((const rotational *)params)->damping * rate * rate;
}

const pc_force_kind pc_force_rotational_spring = {
    .schema = &schema, .ends = 2, .act = act, .potential = potential, .damped = damped};
