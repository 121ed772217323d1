/* The Magnus force on a spinning body, F = S omega x v: to the left of its way where it spins anticlockwise. It does no
 * work in a fluid at rest. */
#include "scene/force/force.h"

typedef struct magnus {
    pc_force_common common;
    double coefficient;
} magnus;

static const pc_row rows[] = {
    PC_FORCE_BODY_ROW(magnus, "on", 0, PC_FORCE_BODY_TEXT),
    PC_ROW(magnus, coefficient, "coefficient", .symbol = "S", .unit = PC_UNIT_KG, .initial = PC_REQUIRED,
           .allowed = PC_ANY, .sample = {1e-4, 1e-2},
           .doc = "S in F = S omega x v; for a sphere about density times radius^3 (Rubinow and Keller: pi of them)"),
    PC_FORCE_NAME_ROW(magnus),
};

static const pc_schema schema = {
    .name = "magnus",
    .summary = "The Magnus force on a body that spins as it flies, for scenes.",
    .equations = "F_x = -S omega v_y: with the rate of spin omega, anticlockwise\n"
                 "F_y = S omega v_x: likewise",
    .source = "Rubinow and Keller, J. Fluid Mech. 11 (1961)",
    .example =
        "local ball = percuss.free{ shape = \"disc\", radius = 0.02, mass = 0.0027, vx = 10, rate = 100 }\n"
        "local world = percuss.scene{ ball, percuss.magnus{ on = \"body\", coefficient = 2.7e-5 }, gravity = 0 }\n"
        "local run = percuss.simulate(world, { duration = math.pi })\n"
        "print(string.format(\"%.4f m\", run:at(math.pi).q[2])) --> 20.0000 m",
    PC_ROWS(rows),
    .size = sizeof(magnus),
};

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    double S = ((const magnus *)params)->coefficient;
    (void)t;
    *out = (pc_wrench){-S * end->rate * end->vy, S * end->rate * end->vx, 0};
    return 0;
}

const pc_force_kind pc_force_magnus = {.schema = &schema, .ends = 1, .act = act};
