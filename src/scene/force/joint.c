/* Joints: what holds a point of one body to a point of another one, to a line, or to all of it, by forces that do no
 * work unless the joint is driven.
 *
 * A condition is read as on[0].(v, w of end 0) + on[1].(v, w of end 1) = rate, and its force acts by on[0] and on[1]
 * times it: so the work of both is the force times the rate. Its derivative has the accelerations of the ends in place
 * of the velocities, and `bend`, what the change of on[] does with these.
 */
#include "scene/force/force.h"

#include <math.h>

#define AT_ROW(word, which, text)                                                                                      \
    {                                                                                                                  \
        .name = word, .kind = PC_VECTOR, .offset = offsetof(pc_joint, common.place[which].at), .count = 2,             \
        .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY, .doc = text                                        \
    }

/* The rows that every joint has: the first of a list, and the last. */
#define BODY_ROWS                                                                                                      \
    PC_FORCE_BODY_ROW(pc_joint, "a", 0, PC_FORCE_BODY_TEXT),                                                           \
        PC_FORCE_BODY_ROW(pc_joint, "b", 1, "what it is joined to, likewise; the ground if not given")
#define PLACE_ROWS(text)                                                                                               \
    {.name = "at",                                                                                                     \
     .kind = PC_VECTOR,                                                                                                \
     .offset = offsetof(pc_joint, at),                                                                                 \
     .count = 2,                                                                                                       \
     .unit = PC_UNIT_M,                                                                                                \
     .initial = PC_ABSENT,                                                                                             \
     .allowed = PC_ANY,                                                                                                \
     .doc = text},                                                                                                     \
        AT_ROW("a_at", 0, "where on a, in place of at: " PC_FORCE_AT_TEXT),                                            \
        AT_ROW("b_at", 1, "where on b likewise; on the ground in space"),                                              \
        PC_ROW(pc_joint, touch, "touch", .initial = 0, .doc = "true: what it joins may touch each other besides")

/* Conditions that hold the ends together, along x and y. */
static void hold_points(const pc_force_end end[2], pc_joint_row row[2])
{
    row[0] = (pc_joint_row){.on = {{1, 0, 0}, {-1, 0, 0}}, .error = end[0].x - end[1].x};
    row[1] = (pc_joint_row){.on = {{0, 1, 0}, {0, -1, 0}}, .error = end[0].y - end[1].y};
}

/* And one that holds the angle between the bodies. */
static pc_joint_row hold_angle(const pc_force_end end[2], const pc_joint_start *start)
{
    return (pc_joint_row){.on = {{0, 0, 1}, {0, 0, -1}}, .error = end[0].angle - end[1].angle - start->angle};
}

/* ---- pin ---- */

static const pc_row pin_rows[] = {
    BODY_ROWS,
    PLACE_ROWS("{ x, y } in space, where both bodies are at their own start; else a_at and b_at"),
    PC_ROW(pc_joint, rate, "rate", .unit = PC_UNIT_RAD_PER_S, .initial = PC_ABSENT, .allowed = PC_ANY,
           .doc = "of a against b, which a drive holds exactly; free if not given"),
    PC_FORCE_NAME_ROW(pc_joint),
};

static const pc_schema pin_schema = {
    .name = "pin",
    .summary = "A pin joint between two bodies, links or a body and the ground, for scenes.",
    .details = "Its reaction on a is in the columns Rx, Ry (N) and, where a drive holds a rate, M (N m). Loops may be "
               "closed, and conditions that follow from others are allowed: of reactions that are not unique those of "
               "the least squares are given.",
    .example = "local rod = percuss.free{ shape = \"rod\", mass = 3, length = 1, y = -0.5, name = \"rod\" }\n"
               "local world = percuss.scene{ rod, percuss.pin{ a = \"rod\", at = { 0, 0 } } }\n"
               "local run = percuss.simulate(world, { duration = 1 })\n"
               "print(string.format(\"%.4f N\", run:at(1)[\"pin.Ry\"])) --> 29.4300 N",
    PC_ROWS(pin_rows),
    .size = sizeof(pc_joint),
};

static int join_pin(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row row[3])
{
    const pc_joint *p = params;
    hold_points(end, row);
    if (isnan(p->rate)) return 2;
    row[2] = hold_angle(end, start);
    row[2].error = 0;
    row[2].rate = p->rate;
    return 3;
}

static bool pin_drives(const void *params)
{
    return ((const pc_joint *)params)->rate != 0 && !isnan(((const pc_joint *)params)->rate);
}

const pc_force_kind pc_force_pin = {
    .schema = &pin_schema, .ends = 2, .join = join_pin, .drives = pin_drives, .needs_place = true};

/* ---- slider ---- */

static const pc_row slider_rows[] = {
    BODY_ROWS,
    PC_ROW(pc_joint, angle, "angle", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY,
           .doc = "of its line in space at the start, from the x axis, anticlockwise; the line turns with b"),
    PLACE_ROWS("{ x, y } in space, a point of a that is on the line at the start; a's own origin if not given"),
    PC_FORCE_NAME_ROW(pc_joint),
};

static const pc_schema slider_schema = {
    .name = "slider",
    .summary = "A sliding joint: a body keeps to a line of another one, or of the ground, and to its angle.",
    .details = "Its reaction on a is in the columns Rx, Ry (N), normal to the line, and M (N m).",
    .example = "local block = percuss.free{ shape = \"box\", mass = 1, width = 0.2, height = 0.1, name = \"block\" }\n"
               "local world = percuss.scene{ block, percuss.slider{ a = \"block\", angle = -math.pi/6 } }\n"
               "local run = percuss.simulate(world, { duration = 1 })\n"
               "print(string.format(\"%.4f m\", run:at(1).q[2])) --> -1.2262 m",
    PC_ROWS(slider_rows),
    .size = sizeof(pc_joint),
};

/* With d from the end of b to that of a, e along the line and n to its left, both turning with b at the rate w:
 * (n.d)' = n.(v_a - v_b) - w e.d, and of that once more -2 w e.(v_a - v_b) - w^2 n.d besides the accelerations. */
static int join_slider(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row row[3])
{
    const double angle = ((const pc_joint *)params)->angle + end[1].angle - start->second,
                 e[2] = {cos(angle), sin(angle)}, n[2] = {-e[1], e[0]};
    const double d[2] = {end[0].x - end[1].x, end[0].y - end[1].y}, w = end[1].rate;
    const double v[2] = {end[0].vx - end[1].vx, end[0].vy - end[1].vy};
    const double along = e[0] * d[0] + e[1] * d[1], off = n[0] * d[0] + n[1] * d[1];
    row[0] = (pc_joint_row){.on = {{n[0], n[1], 0}, {-n[0], -n[1], -along}},
                            .error = off,
                            .bend = -2 * w * (e[0] * v[0] + e[1] * v[1]) - w * w * off};
    row[1] = hold_angle(end, start);
    return 2;
}

const pc_force_kind pc_force_slider = {.schema = &slider_schema, .ends = 2, .join = join_slider};

/* ---- weld ---- */

static const pc_row weld_rows[] = {
    BODY_ROWS,
    PLACE_ROWS("{ x, y } in space, where its reaction is taken; a's own origin if not given"),
    PC_FORCE_NAME_ROW(pc_joint),
};

static const pc_schema weld_schema = {
    .name = "weld",
    .summary = "A rigid joint: two bodies, or a body and the ground, keep together as they are at the start.",
    .details = "Its reaction on a is in the columns Rx, Ry (N) and M (N m).",
    .example = "local bar = percuss.free{ shape = \"rod\", mass = 2, length = 1, x = 0.5, angle = math.pi/2,\n"
               "    name = \"bar\" }\n"
               "local world = percuss.scene{ bar, percuss.weld{ a = \"bar\", at = { 0, 0 } } }\n"
               "local run = percuss.simulate(world, { duration = 1 })\n"
               "print(string.format(\"%.4f N m\", run:at(1)[\"weld.M\"])) --> 9.8100 N m",
    PC_ROWS(weld_rows),
    .size = sizeof(pc_joint),
};

static int join_weld(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row row[3])
{
    (void)params;
    hold_points(end, row);
    row[2] = hold_angle(end, start);
    return 3;
}

const pc_force_kind pc_force_weld = {.schema = &weld_schema, .ends = 2, .join = join_weld};

bool pc_joint_turns(const pc_force_kind *kind, const void *params)
{
    const pc_force_end end[2] = {{.x = 0}, {.x = 0}};
    pc_joint_row row[PC_JOINT_ROWS];
    bool turns = false;
    for (int i = kind->join(params, end, &(pc_joint_start){0}, row); i-- > 0;) turns |= row[i].on[0].moment != 0;
    return turns;
}
