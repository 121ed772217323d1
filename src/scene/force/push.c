/* Any force on one body: constant or harmonic, or a function of time and of how the body moves; in space axes. */
#include "scene/force/force.h"

typedef struct push {
    pc_force_common common;
    double fx, fy, moment, frequency, phase;
} push;

static const pc_row rows[] = {
    PC_FORCE_BODY_ROW(push, "on", 0, PC_FORCE_BODY_TEXT),
    PC_FORCE_AT_ROW(push, "at", 0, 0, "where it acts: " PC_FORCE_AT_TEXT),
    PC_ROW(push, fx, "fx", .unit = PC_UNIT_N, .initial = 0, .allowed = PC_ANY, .sample = {-1, 1},
           .doc = "along x, times cos(frequency t + phase)"),
    PC_ROW(push, fy, "fy", .unit = PC_UNIT_N, .initial = 0, .allowed = PC_ANY, .sample = {-1, 1},
           .doc = "along y, likewise"),
    PC_ROW(push, moment, "moment", .unit = {.kg = 1, .m = 2, .s = -2, .rad = -1}, .initial = 0, .allowed = PC_ANY,
           .doc = "moment, likewise"),
    PC_ROW(push, frequency, "frequency", .unit = PC_UNIT_RAD_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "of a harmonic force"),
    PC_ROW(push, phase, "phase", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY, .doc = "of a harmonic force"),
    PC_FORCE_NAME_ROW(push),
    PC_FORCE_BREAKS_ROW,
};

static const pc_schema schema = {
    .name = "force",
    .summary = "A force on a body, constant, harmonic or a function of time and motion, for scenes.",
    .details =
        "f = function(t, body) returns fx, fy and, if it likes, a moment (N, N m), in space axes; body has x, y, "
        "vx, vy of the point where the force acts (m, m/s), angle and rate (rad, rad/s) and mass (kg) of the "
        "body. The table is the same at each call.",
    .example = "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1 }\n"
               "local push = percuss.force{ on = \"body\", f = function(t, body) return -4*body.x, 0 end }\n"
               "local world = percuss.scene{ ball, push, gravity = 0 }\n"
               "local run = percuss.simulate(world, { duration = math.pi/2, q = { 1, 0, 0 } })\n"
               "print(string.format(\"%.6f\", run:at(math.pi/2).q[1])) --> -1.000000",
    PC_ROWS(rows),
    .size = sizeof(push),
};

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    const push *p = params;
    if (p->common.function.call) {
        double at[3] = {0, 0, 0};
        int got = p->common.function.call(p->common.function.context, PC_FORCE_OF_BODY, t, end, at);
        *out = (pc_wrench){at[0], at[1], at[2]};
        return got;
    }
    double swing = pc_force_swing(p->frequency, p->phase, t);
    *out = (pc_wrench){p->fx * swing, p->fy * swing, p->moment * swing};
    return 0;
}

static bool driven(const void *params)
{
    const push *p = params;
    return p->common.function.call != NULL || p->frequency != 0;
}

const pc_force_kind pc_force_force = {
    .schema = &schema, .ends = 1, .function = PC_FORCE_OF_BODY, .act = act, .driven = driven};
