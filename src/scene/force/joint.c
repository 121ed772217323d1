/* Joints: what holds a point of one body to a point of another one, to a line, or to all of it, by forces that do no
 * work unless the joint is driven.
 *
 * A condition is read as on[0].(v, w of end 0) + on[1].(v, w of end 1) = rate, and its force acts by on[0] and on[1]
 * times it: so the work of both is the force times the rate. Its derivative has the accelerations of the ends in place
 * of the velocities, and `bend`, what the change of on[] does with these.
 */
#include "scene/force/force.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The rows that every joint has: the first of a list, and the last. */
#define BODY_ROWS                                                                                                      \
    PC_FORCE_BODY_ROW(pc_joint, "a", 0, PC_FORCE_BODY_TEXT),                                                           \
        PC_FORCE_BODY_ROW(pc_joint, "b", 1, "what it is joined to, likewise; the ground if not given")
#define PLACE_ROWS(text)                                                                                               \
    PC_ROW(pc_joint, at, "at", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_ANY, .doc = text),               \
        PC_FORCE_AT_ROW(pc_joint, "a_at", 0, PC_ABSENT, "where on a, in place of at: " PC_FORCE_AT_TEXT),              \
        PC_FORCE_AT_ROW(pc_joint, "b_at", 1, PC_ABSENT, "where on b likewise; on the ground in space"),                \
        PC_ROW(pc_joint, touch, "touch", .initial = 0, .doc = "true: what it joins may touch each other besides")

/* Stops and dry friction, with the units of the coordinate, and of its force. */
#define STOP_ROWS(unit_, stiffness_, damping_, what)                                                                   \
    PC_ROW(pc_joint, lower, "lower", .unit = unit_, .initial = PC_ABSENT, .allowed = PC_ANY,                           \
           .doc = "a stop: the least " what),                                                                          \
        PC_ROW(pc_joint, upper, "upper", .unit = unit_, .initial = PC_ABSENT, .allowed = PC_ANY,                       \
               .doc = "a stop: the greatest of it"),                                                                   \
        PC_ROW(pc_joint, restitution, "restitution", .initial = PC_ABSENT, .allowed = PC_BETWEEN(0, 1),                \
               .sample = {0, 1}, .doc = "of rigid stops, at which the coordinate strikes by contact.newton"),          \
        PC_ROW(pc_joint, stiffness, "stiffness", .unit = stiffness_, .initial = PC_ABSENT, .allowed = PC_POSITIVE,     \
               .sample = {1e2, 1e5},                                                                                   \
               .doc = "of stops that give, in place of restitution, by contact.kelvin_voigt: they do not pull"),       \
        PC_ROW(pc_joint, damping, "damping", .unit = damping_, .initial = PC_ABSENT, .otherwise = "0",                 \
               .allowed = PC_NONNEGATIVE, .doc = "of stops that give")

/* A unit of stiffness, N m/rad, and of damping of turning. */
#define UNIT_N_M_PER_RAD                                                                                               \
    {                                                                                                                  \
        .kg = 1, .m = 2, .s = -2, .rad = -1                                                                            \
    }
#define UNIT_N_M_S_PER_RAD                                                                                             \
    {                                                                                                                  \
        .kg = 1, .m = 2, .s = -1, .rad = -1                                                                            \
    }

#define UNIT_N_S_PER_M                                                                                                 \
    {                                                                                                                  \
        .kg = 1, .s = -1                                                                                               \
    }

/* The row of friction that does not depend on the reaction, and what is wrong with options of stops and friction. */
static const char *name_dry(const pc_schema *schema)
{
    int i = 0;
    while (schema->rows[i].offset != offsetof(pc_joint, dry)) i++;
    return schema->rows[i].name;
}

static pc_status check_options(const pc_schema *schema, const pc_joint *p, uint64_t given, pc_error *err)
{
    static const char *const of_stops[] = {"restitution", "stiffness", "damping"};
    const bool stops = pc_schema_given(schema, given, "lower") || pc_schema_given(schema, given, "upper");
    const bool rigid = pc_schema_given(schema, given, "restitution"),
               soft = pc_schema_given(schema, given, "stiffness"), pin = pc_schema_find(schema, "radius") >= 0,
               radius = pin && pc_schema_given(schema, given, "radius"),
               friction = pc_schema_given(schema, given, "friction");
    for (int i = 0; i < 3 && !stops; i++)
        if (pc_schema_given(schema, given, of_stops[i]))
            return pc_fail(err, PC_E_ARGUMENT, "%s: %s is of its stops: give lower or upper as well", schema->name,
                           of_stops[i]);
    if (stops && pin && !isnan(p->rate))
        return pc_fail(err, PC_E_ARGUMENT, "%s: a drive holds rate = %.10g rad/s exactly: there can be no stops",
                       schema->name, p->rate);
    if (p->lower >= p->upper)
        return pc_fail(err, PC_E_ARGUMENT, "%s: lower = %.10g must be below upper = %.10g", schema->name, p->lower,
                       p->upper);
    if (stops && rigid == soft)
        return pc_fail(err, PC_E_ARGUMENT, "%s: its stops need restitution, or stiffness and damping: one of the two",
                       schema->name);
    if (pc_schema_given(schema, given, "damping") && !soft)
        return pc_fail(err, PC_E_ARGUMENT, "%s: damping is of stops that give: they need stiffness as well",
                       schema->name);
    if (friction && pc_schema_given(schema, given, name_dry(schema)))
        return pc_fail(err, PC_E_ARGUMENT, "%s: friction is that of its reaction, %s does not depend on it: give one",
                       schema->name, name_dry(schema));
    if (pin && friction != radius)
        return pc_fail(err, PC_E_ARGUMENT, "%s: friction of its reaction needs both radius and friction", schema->name);
    return PC_OK;
}

/* Parameters of contact.kelvin_voigt without friction. */
static pc_status make_soft(pc_joint *p, uint64_t *given, pc_error *err)
{
    const pc_schema *schema = p->stop->schema;
    void *law = &p->stop_params;
    assert(schema->size <= sizeof p->stop_params);
    pc_schema_defaults(schema, law);
    pc_status status = pc_schema_set_number(schema, pc_schema_find(schema, "stiffness"), law, p->stiffness, given, err);
    if (status == PC_OK)
        status = pc_schema_set_number(schema, pc_schema_find(schema, "damping"), law,
                                      isnan(p->damping) ? 0 : p->damping, given, err);
    if (status == PC_OK) status = pc_schema_set_number(schema, pc_schema_find(schema, "friction"), law, 0, given, err);
    return status == PC_OK ? pc_schema_finish(schema, law, *given, err) : status;
}

static const pc_law *find_law(const char *name)
{
    int i = 0;
    while (strcmp(pc_laws[i]->schema->name, name) != 0) i++;
    return pc_laws[i];
}

static pc_status validate_joint(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_joint *p = object;
    uint64_t of_law = 0;
    pc_status status = check_options(schema, p, given, err);
    if (status != PC_OK) return status;
    p->stop = NULL;
    if (!isnan(p->restitution)) {
        p->stop = find_law("contact.newton");
        p->stop_params.rigid = (pc_rigid){.restitution = {p->restitution, NULL}, .rolling = NAN};
    } else if (!isnan(p->stiffness)) {
        p->stop = find_law("contact.kelvin_voigt");
        if ((status = make_soft(p, &of_law, err)) != PC_OK) return status;
    }
    const double mu = isnan(p->friction) ? 1 : p->friction;
    p->press = isnan(p->dry) ? 0 : p->dry;
    p->arm = isnan(p->friction) ? 0 : pc_schema_find(schema, "radius") < 0 ? 1 : p->radius;
    p->rubs = mu > 0 && (p->press > 0 || p->arm > 0);
    p->dry_params = (pc_rigid){.restitution = {0, NULL}, .coulomb = {mu, mu}, .rolling = NAN};
    return PC_OK;
}

const pc_law *pc_joint_dry_law(void)
{
    return find_law("contact.newton");
}

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
    STOP_ROWS(PC_UNIT_RAD, UNIT_N_M_PER_RAD, UNIT_N_M_S_PER_RAD, "angle of a less that of b"),
    PC_ROW(
        pc_joint, dry, "friction_torque", .unit = {.kg = 1, .m = 2, .s = -2}, .initial = PC_ABSENT, .otherwise = "0",
        .allowed = PC_NONNEGATIVE, .sample = {0, 1},
        .doc =
            "dry friction: the moment against the relative rate, and the greatest that holds it at zero; of no effect "
            "on impacts"),
    PC_ROW(pc_joint, radius, "radius", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE,
           .doc = "of the pin, with friction"),
    PC_ROW(
        pc_joint, friction, "friction", .symbol = "mu", .greek = "μ", .initial = PC_ABSENT, .otherwise = "0",
        .allowed = PC_NONNEGATIVE,
        .doc =
            "dry friction of the reaction R, with radius: the moment is not above friction radius |R|, and in impacts "
            "its impulse not above that of the reaction"),
    PC_FORCE_NAME_ROW(pc_joint),
};

static const pc_schema pin_schema = {
    .name = "pin",
    .summary = "A pin joint between two bodies, links or a body and the ground, for scenes.",
    .details =
        "Its reaction on a is in the columns Rx, Ry (N) and, where a drive holds a rate, M (N m). Loops may be "
        "closed, and conditions that follow from others are allowed: of reactions that are not unique those of "
        "the least squares are given. Its stops and its dry friction are contacts of the scene, called "
        "pin.lower, pin.upper and pin.friction after its name, which events, impacts and columns know: in rad, "
        "rad/s, N m and N m s in place of m, m/s, N and N s. What a stop gives is >= 0, friction is told as it "
        "acts on a. Friction of the reaction that makes this grow by more than itself jams: where one joint does so "
        "and no other contact shares it, an impulse stops its slip at once, told as \"jam\".",
    .example = "local rod = percuss.free{ shape = \"rod\", mass = 3, length = 1, y = -0.5, name = \"rod\" }\n"
               "local world = percuss.scene{ rod, percuss.pin{ a = \"rod\", at = { 0, 0 } } }\n"
               "local run = percuss.simulate(world, { duration = 1 })\n"
               "print(string.format(\"%.4f N\", run:at(1)[\"pin.Ry\"])) --> 29.4300 N",
    PC_ROWS(pin_rows),
    .size = sizeof(pc_joint),
    .validate = validate_joint,
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

static void turn_pin(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row *row)
{
    (void)params, (void)start;
    *row = (pc_joint_row){.on = {{0, 0, 1}, {0, 0, -1}}, .error = end[0].angle - end[1].angle};
}

static bool pin_drives(const void *params)
{
    return ((const pc_joint *)params)->rate != 0 && !isnan(((const pc_joint *)params)->rate);
}

const pc_force_kind pc_force_pin = {.schema = &pin_schema,
                                    .ends = 2,
                                    .join = join_pin,
                                    .drives = pin_drives,
                                    .coordinate = turn_pin,
                                    .holds_points = true,
                                    .needs_place = true};

/* ---- slider ---- */

static const pc_row slider_rows[] = {
    BODY_ROWS,
    PC_ROW(pc_joint, angle, "angle", .unit = PC_UNIT_RAD, .initial = 0, .allowed = PC_ANY,
           .doc = "of its line in space at the start, from the x axis, anticlockwise; the line turns with b"),
    PLACE_ROWS("{ x, y } in space, a point of a that is on the line at the start; a's own origin if not given"),
    STOP_ROWS(PC_UNIT_M, PC_UNIT_N_PER_M, UNIT_N_S_PER_M, "way along the line from the place on b to that on a"),
    PC_ROW(
        pc_joint, dry, "friction_force", .unit = PC_UNIT_N, .initial = PC_ABSENT, .otherwise = "0",
        .allowed = PC_NONNEGATIVE, .sample = {0, 1},
        .doc =
            "dry friction: the force against the relative speed, and the greatest that holds it at zero; of no effect "
            "on impacts"),
    PC_ROW(
        pc_joint, friction, "friction", .symbol = "mu", .greek = "μ", .initial = PC_ABSENT, .otherwise = "0",
        .allowed = PC_NONNEGATIVE,
        .doc =
            "dry friction of the reaction normal to the line, N: the force is not above friction |N|, and in impacts "
            "its impulse not above that of the reaction"),
    PC_FORCE_NAME_ROW(pc_joint),
};

static const pc_schema slider_schema = {
    .name = "slider",
    .summary = "A sliding joint: a body keeps to a line of another one, or of the ground, and to its angle.",
    .details =
        "Its reaction on a is in the columns Rx, Ry (N), normal to the line, and M (N m). Its stops and its dry "
        "friction are contacts of the scene, called slider.lower, slider.upper and slider.friction after its "
        "name. The moment that keeps the angle does not add to the friction. Friction that makes the force normal "
        "to the line grow by more than itself jams, as that of a pin does.",
    .example = "local block = percuss.free{ shape = \"box\", mass = 1, width = 0.2, height = 0.1, name = \"block\" }\n"
               "local world = percuss.scene{ block, percuss.slider{ a = \"block\", angle = -math.pi/6 } }\n"
               "local run = percuss.simulate(world, { duration = 1 })\n"
               "print(string.format(\"%.4f m\", run:at(1).q[2])) --> -1.2262 m",
    PC_ROWS(slider_rows),
    .size = sizeof(pc_joint),
    .validate = validate_joint,
};

/* With d from the end of b to that of a, e along the line and n to its left, both turning with b at the rate w:
 * (n.d)' = n.(v_a - v_b) - w e.d, and of that once more -2 w e.(v_a - v_b) - w^2 n.d besides the accelerations. */
/* What a slider is made of in a configuration, in these letters. */
typedef struct sliding {
    double e[2], n[2], v[2], along, off, w;
} sliding;

static sliding slide(const void *params, const pc_force_end end[2], const pc_joint_start *start)
{
    const double angle = ((const pc_joint *)params)->angle + end[1].angle - start->second;
    const double x = end[0].x - end[1].x, y = end[0].y - end[1].y;
    sliding s = {.e = {cos(angle), sin(angle)}, .w = end[1].rate};
    s.n[0] = -s.e[1];
    s.n[1] = s.e[0];
    s.v[0] = end[0].vx - end[1].vx;
    s.v[1] = end[0].vy - end[1].vy;
    s.along = s.e[0] * x + s.e[1] * y;
    s.off = s.n[0] * x + s.n[1] * y;
    return s;
}

static int join_slider(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row row[3])
{
    const sliding s = slide(params, end, start);
    row[0] = (pc_joint_row){.on = {{s.n[0], s.n[1], 0}, {-s.n[0], -s.n[1], -s.along}},
                            .error = s.off,
                            .bend = -2 * s.w * (s.e[0] * s.v[0] + s.e[1] * s.v[1]) - s.w * s.w * s.off};
    row[1] = hold_angle(end, start);
    return 2;
}

/* (e.d)' = e.(v_a - v_b) + w n.d, and of that once more 2 w n.(v_a - v_b) - w^2 e.d besides the accelerations. */
static void move_slider(const void *params, const pc_force_end end[2], const pc_joint_start *start, pc_joint_row *row)
{
    const sliding s = slide(params, end, start);
    *row = (pc_joint_row){.on = {{s.e[0], s.e[1], 0}, {-s.e[0], -s.e[1], s.off}},
                          .error = s.along,
                          .bend = 2 * s.w * (s.n[0] * s.v[0] + s.n[1] * s.v[1]) - s.w * s.w * s.along};
}

const pc_force_kind pc_force_slider = {
    .schema = &slider_schema, .ends = 2, .join = join_slider, .coordinate = move_slider};

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

const pc_force_kind pc_force_weld = {.schema = &weld_schema, .ends = 2, .join = join_weld, .holds_points = true};

bool pc_joint_turns(const pc_force_kind *kind, const void *params)
{
    const pc_force_end end[2] = {{.x = 0}, {.x = 0}};
    pc_joint_row row[PC_JOINT_ROWS];
    bool turns = false;
    for (int i = kind->join(params, end, &(pc_joint_start){0}, row); i-- > 0;) turns |= row[i].on[0].moment != 0;
    return turns;
}

bool pc_joint_angular(const pc_force_kind *kind, const void *params)
{
    const pc_force_end end[2] = {{.x = 0}, {.x = 0}};
    pc_joint_row row;
    kind->coordinate(params, end, &(pc_joint_start){0}, &row);
    return row.on[0].fx == 0 && row.on[0].fy == 0;
}
