/* Resistance of a fluid to a body: F = -(c1 + c2 |w|) w with the velocity w of the mass centre through the fluid, and
 * a moment against its rotation. */
#include "scene/force/force.h"

#include <math.h>

typedef struct drag {
    pc_force_common common;
    double linear, quadratic, rotational, wind_x, wind_y;
} drag;

static const pc_row rows[] = {
    PC_FORCE_BODY_ROW(drag, "on", 0, PC_FORCE_BODY_TEXT),
    PC_FORCE_AT_ROW(drag, "at", 0, 0, "point whose velocity counts and where the force acts: " PC_FORCE_AT_TEXT),
    PC_ROW(drag, linear, "linear", .symbol = "c1", .unit = {.kg = 1, .s = -1}, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 1}, .doc = "force per speed"),
    PC_ROW(drag, quadratic, "quadratic", .symbol = "c2", .unit = {.kg = 1, .m = -1}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .sample = {0, 1},
           .doc = "force per square of the speed: density times drag coefficient times cross section over 2"),
    PC_ROW(drag, rotational, "rotational", .unit = {.kg = 1, .m = 2, .s = -1, .rad = -2}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .doc = "moment per rate of rotation"),
    PC_ROW(drag, wind_x, "wind_x", .unit = PC_UNIT_M_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "velocity of the fluid along x"),
    PC_ROW(drag, wind_y, "wind_y", .unit = PC_UNIT_M_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "velocity of the fluid along y"),
    PC_FORCE_NAME_ROW(drag),
};

static const pc_schema schema = {
    .name = "drag",
    .summary = "Resistance of air or water to a body, linear and quadratic in its speed, for scenes.",
    .equations = "F = c1 v + c2 v^2: against the velocity through the fluid, of size v",
    .example = "local ball = percuss.free{ shape = \"disc\", radius = 0.02, mass = 0.0027 }\n"
               "local world = percuss.scene{ ball, percuss.drag{ on = \"body\", quadratic = 3.4e-4 } }\n"
               "local run = percuss.simulate(world, { duration = 10 })\n"
               "print(string.format(\"%.4f m/s\", run:at(10).u[2])) --> -8.8263 m/s",
    PC_ROWS(rows),
    .size = sizeof(drag),
};

static double through(const drag *d, const pc_force_end *end, double w[2])
{
    w[0] = end->vx - d->wind_x;
    w[1] = end->vy - d->wind_y;
    return d->linear + d->quadratic * hypot(w[0], w[1]);
}

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    const drag *d = params;
    (void)t;
    double w[2], c = through(d, end, w);
    *out = (pc_wrench){-c * w[0], -c * w[1], -d->rotational * end->rate};
    return 0;
}

static double damped(const void *params, const pc_force_end *end)
{
    const drag *d = params;
    double w[2], c = through(d, end, w);
    return -c * (w[0] * w[0] + w[1] * w[1]) - d->rotational * end->rate * end->rate;
}

const pc_force_kind pc_force_drag = {.schema = &schema, .ends = 1, .act = act, .damped = damped};
