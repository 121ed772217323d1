/* A motor: a torque on a body from another one or from the ground; constant, harmonic or a function of time, angle and
 * rate; or a drive that holds a rate as well as its torque allows. */
#include "scene/force/force.h"

#include <math.h>

typedef struct motor {
    pc_force_common common;
    double torque, frequency, phase, rate, gain;
} motor;

static const pc_row rows[] = {
    PC_FORCE_BODY_ROW(motor, "on", 0, PC_FORCE_BODY_TEXT),
    PC_FORCE_BODY_ROW(motor, "from", 1, "what it stands on, which has the opposite torque; the ground if not given"),
    PC_ROW(motor, torque, "torque", .symbol = "M", .unit = {.kg = 1, .m = 2, .s = -2, .rad = -1}, .initial = PC_ABSENT,
           .allowed = PC_ANY, .sample = {-1, 1},
           .doc = "torque, times cos(frequency t + phase); with rate the greatest one"),
    PC_ROW(motor, frequency, "frequency", .unit = PC_UNIT_RAD_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "of a harmonic torque"),
    PC_ROW(motor, phase, "phase", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY, .doc = "of a harmonic torque"),
    PC_ROW(motor, rate, "rate", .unit = PC_UNIT_RAD_PER_S, .initial = PC_ABSENT, .allowed = PC_ANY,
           .doc = "rate of the body against what it stands on, which the drive holds: its torque is gain times what is "
                  "missing, up to torque"),
    PC_ROW(motor, gain, "gain", .unit = {.kg = 1, .m = 2, .s = -1, .rad = -2}, .initial = PC_ABSENT,
           .allowed = PC_POSITIVE, .doc = "of a drive that holds a rate: torque for each rad/s that is missing"),
    PC_FORCE_NAME_ROW(motor),
    PC_FORCE_BREAKS_ROW,
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    motor *m = object;
    if (isnan(m->rate) != isnan(m->gain))
        return pc_fail(err, PC_E_ARGUMENT, "%s: rate and gain are given together", schema->name);
    if (!isnan(m->rate) && (m->frequency != 0 || m->phase != 0))
        return pc_fail(err, PC_E_ARGUMENT, "%s: a drive that holds a rate takes no frequency and no phase",
                       schema->name);
    if (!isnan(m->rate) && m->torque < 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: torque = %.10g N m; the greatest of a drive must not be below 0",
                       schema->name, m->torque);
    (void)given;
    return PC_OK;
}

static const pc_schema schema = {
    .name = "motor",
    .summary = "A motor: a torque on a body, constant, harmonic or a function, or a drive that holds a rate.",
    .details =
        "f = function(t, angle, rate) returns the torque, N m, at the angle and rate of the body against what it "
        "stands on. A rate is held by a gain, and not exactly: percuss.pin{ rate = } does that.",
    .example = "local wheel = percuss.free{ shape = \"disc\", radius = 0.1, mass = 2 }\n"
               "local world = percuss.scene{ wheel, percuss.motor{ on = \"body\", torque = 0.01 }, gravity = 0 }\n"
               "local run = percuss.simulate(world, { duration = 2 })\n"
               "print(string.format(\"%.6f rad/s\", run:at(2).u[3])) --> 2.000000 rad/s",
    PC_ROWS(rows),
    .size = sizeof(motor),
    .validate = validate,
};

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    const motor *m = params;
    double M = isnan(m->torque) ? 0 : m->torque * pc_force_swing(m->frequency, m->phase, t);
    int got = 0;
    if (m->common.function.call) {
        double answer[3] = {0};
        got = m->common.function.call(m->common.function.context, PC_FORCE_OF_ANGLE, t, end, answer);
        M = answer[0];
    } else if (!isnan(m->rate)) {
        double most = isnan(m->torque) ? INFINITY : m->torque;
        M = fmin(fmax(m->gain * (m->rate - (end[0].rate - end[1].rate)), -most), most);
    }
    out[0] = (pc_wrench){0, 0, M};
    out[1] = (pc_wrench){0, 0, -M};
    return got;
}

static bool driven(const void *params)
{
    const motor *m = params;
    return m->common.function.call != NULL || m->frequency != 0;
}

const pc_force_kind pc_force_motor = {
    .schema = &schema, .ends = 2, .function = PC_FORCE_OF_ANGLE, .act = act, .driven = driven};
