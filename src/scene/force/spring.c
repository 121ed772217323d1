/* A spring and a damper in line between two points.
 *
 * T = k (l - l0) + c l', a tension where it is positive, along the line of the points. A cord pulls only: it is slack
 * where l < l0, and where its damper would make it push.
 */
#include "scene/force/force.h"

#include <math.h>

typedef struct spring {
    pc_force_common common;
    double stiffness, damping, rest_length;
    bool slack;
} spring;

static const pc_row rows[] = {
    PC_FORCE_BODY_ROW(spring, "a", 0, PC_FORCE_BODY_TEXT ", at one end"),
    PC_FORCE_BODY_ROW(spring, "b", 1, "that at the other end; the ground if not given"),
    PC_FORCE_AT_ROW(spring, "a_at", 0, 0, "where on a: " PC_FORCE_AT_TEXT),
    PC_FORCE_AT_ROW(spring, "b_at", 1, 0, "where on b likewise; on the ground in space"),
    PC_ROW(spring, stiffness, "stiffness", .symbol = "k", .unit = PC_UNIT_N_PER_M, .initial = 0,
           .allowed = PC_NONNEGATIVE, .sample = {1, 1e3}, .doc = "of the spring"),
    PC_ROW(spring, damping, "damping", .symbol = "c", .unit = {.kg = 1, .s = -1}, .initial = 0,
           .allowed = PC_NONNEGATIVE, .sample = {0, 10}, .doc = "of the damper beside it"),
    PC_ROW(spring, rest_length, "rest_length", .unit = PC_UNIT_M, .initial = 0, .allowed = PC_NONNEGATIVE,
           .sample = {0, 1},
           .doc = "length without force; at 0 the force of the spring is k times the way between the points"),
    PC_ROW(spring, slack, "slack", .initial = 0,
           .doc = "true: a cord, which pulls when it is longer than its rest_length and never pushes"),
    PC_FORCE_NAME_ROW(spring),
};

static const pc_schema schema = {
    .name = "spring",
    .summary = "A spring with a damper between two points of bodies, links or the ground, for scenes.",
    .equations = "T = k (l - l_0) + c l': tension at the length l, along the line of the points",
    .example = "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 1, y = -0.2 }\n"
               "local world = percuss.scene{ ball, percuss.spring{ a = \"body\", stiffness = 100 }, gravity = 0 }\n"
               "local run = percuss.simulate(world, { duration = math.pi/10 })\n"
               "print(string.format(\"%.6f\", run:at(math.pi/10).q[2])) --> 0.200000",
    PC_ROWS(rows),
    .size = sizeof(spring),
};

/* Length, its rate and the direction from a to b; at length 0 none. */
static double line(const pc_force_end *end, double e[2], double *rate)
{
    double dx = end[1].x - end[0].x, dy = end[1].y - end[0].y, length = hypot(dx, dy);
    e[0] = length > 0 ? dx / length : 0;
    e[1] = length > 0 ? dy / length : 0;
    *rate = e[0] * (end[1].vx - end[0].vx) + e[1] * (end[1].vy - end[0].vy);
    return length;
}

static double tension(const spring *s, double length, double rate)
{
    double T = s->stiffness * (length - s->rest_length) + s->damping * rate;
    return s->slack && (length < s->rest_length || T < 0) ? 0 : T;
}

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    (void)t;
    double e[2], rate, length = line(end, e, &rate), T = tension(params, length, rate);
    out[0] = (pc_wrench){T * e[0], T * e[1], 0};
    out[1] = (pc_wrench){-T * e[0], -T * e[1], 0};
    return 0;
}

static double potential(const void *params, const pc_force_end *end)
{
    const spring *s = params;
    double e[2], rate, stretch = line(end, e, &rate) - s->rest_length;
    return s->slack && stretch < 0 ? 0 : s->stiffness * stretch * stretch / 2;
}

static double damped(const void *params, const pc_force_end *end)
{
    const spring *s = params;
    double e[2], rate, length = line(end, e, &rate), T = tension(s, length, rate);
    if (s->slack && length < s->rest_length) return 0;
    return -(T - s->stiffness * (length - s->rest_length)) * rate;
}

const pc_force_kind pc_force_spring = {
    .schema = &schema, .ends = 2, .act = act, .potential = potential, .damped = damped};
