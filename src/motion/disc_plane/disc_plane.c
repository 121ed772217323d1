/* A thin disc in space on a plane: the motion from one change of contact to the next.
 *
 * Normal force: springs along the rim or under the face (law/flat/flat.h), each with the force k depth (1 + zeta rate)
 * of Hunt and Crossley. Their resultant acts at the pressure centre; the spread of the pressure adds a moment, which
 * damps rocking and, behind the lowest point of a disc that rolls, resists rolling.
 *
 * Friction: a sledge at the pressure centre. Its stretch z has three parts: two along the plane and the turn about the
 * normal times the radius of gyration r of the pressure, z' = (v_x, v_y, r omega_n) - slip, v the velocity of the disc
 * there: pure rolling leaves it unstretched. The force is -k_t z, its third part a couple of arm r, and slip holds |z|
 * to mu F_n/k_t, along z: one sphere for sliding and spinning, so that each is easier while the other goes on. A
 * uniform bed that only spins has the couple mu F_n a/sqrt(2), 6 per cent above the integral 2/3 mu F_n a over the
 * face; a rim has mu F_n a, which is exact.
 *
 * In slip the stretch turns towards the velocity at the rate |v| k_t/(mu F_n). Where that is LAG times the contact's
 * own rate it has got there but for a part 1/LAG^2, and is taken to trail straight behind: at every touch and parting,
 * where it is infinite, and in long slides.
 *
 * Source: Kecskemethy, Lange and Grabner (1999), extension (3), rolling; the laws are worked out anew. Spin and slip on
 * one surface: Howe and Cutkosky, Int. J. Robotics Res. 15 (1996).
 */
#include "motion/disc_plane/disc_plane.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/tolerance.h"
#include "event/event.h"
#include "law/flat/flat.h"
#include "math/roots.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Error of a step. Penetrations are differences of lengths of order 1, and often 1e-6 of them. */
static const double RELATIVE = 1e-12, ABSOLUTE = 1e-14;

/* Steps in contact, in units of sqrt(m/k): the force has edges that steps must not pass unseen. */
static const double LONGEST = 0.25;

/* See above: beyond this rate the stretch trails; below half of it, it is followed again. */
static const double LAG = 200;

/* Edges this near to each other pass the surface together. */
static const double TOGETHER = 1e-12;

/* Depth of a flat disc that touches, in radii: so that its springs are known to, whatever rounding has left of the
 * height. */
static const double TOUCH = 1e-30;

/* SPACING: steps between marks. STALL: changes of contact in a row without progress in time. SEARCH: evaluations of
 * what changes the contact that take as long as a step; usual are 14 of each in a step. */
enum { SPACING = 32, STALL = 64, SEARCH = 100 };

/* ---- what can be set ---- */

static const char *const models[] = {"rim", "area", NULL};

#define REAL(word, field, dimension, start, range, text)                                                               \
    PC_ROW(pc_disc_plane, field, word, .unit = dimension, .initial = start, .allowed = range, .doc = text)

/* clang-format off */
#define S_PER_M {.m = -1, .s = 1}
#define TILTS {0, M_PI / 2, false, false}
/* clang-format on */

static const pc_row rows[] = {
    PC_CHOICE_ROW(pc_disc_plane, model, "model", models, .initial = PC_FLAT_AREA,
                  .doc = "where the springs are: along the rim or under the whole face"),
    REAL("radius", radius, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "radius of the disc"),
    REAL("mass", mass, PC_UNIT_KG, PC_REQUIRED, PC_POSITIVE, "mass of the disc"),
    REAL("inertia", inertia, PC_UNIT_KG_M2, PC_ABSENT, PC_POSITIVE,
         "moment of inertia about a diameter; m a^2/4 of a thin homogeneous disc if not given"),
    REAL("polar_inertia", polar, PC_UNIT_KG_M2, PC_ABSENT, PC_POSITIVE,
         "moment of inertia about the axis; twice the one about a diameter, as of any thin disc, if not given"),
    REAL("stiffness", stiffness, PC_UNIT_N_PER_M, PC_REQUIRED, PC_POSITIVE,
         "stiffness of all springs together, when the disc lies flat"),
    REAL("stiffness_ratio", eta, PC_UNIT_NONE, 1.21, PC_POSITIVE,
         "stiffness over that along the plane; 1.21 for equal materials with a Poisson's ratio of 0.3"),
    REAL("friction", friction, PC_UNIT_NONE, PC_REQUIRED, PC_NONNEGATIVE,
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
    PC_ROW(pc_disc_plane, velocity, "velocity", .unit = PC_UNIT_M_PER_S, .initial = 0, .allowed = PC_ANY,
           .doc = "velocity of the centre at the start, {x, y, z}, z upwards"),
    REAL("duration", duration, PC_UNIT_S, PC_REQUIRED, PC_POSITIVE, "how long"),
    PC_ROW(pc_disc_plane, rows, "rows", .initial = 1001, .allowed = PC_BETWEEN(2, 10000000),
           .doc = "how many instants are told of, equally spaced"),
    PC_ROW(pc_disc_plane, max_steps, "max_steps", .initial = 500000, .allowed = PC_BETWEEN(1, 2e9),
           .doc = "steps after which the run ends with the error limit; in contact a step is at most a quarter of "
                  "sqrt(mass/stiffness)"),
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
    PC_ROWS(rows),
    .size = sizeof(pc_disc_plane),
    .validate = validate,
};

/* ---- the equations; scaled units: the disc's radius and mass, and the time sqrt(m/k) ---- */

/* The state: place and velocity of the centre, axis, angular momentum, sledge, works. SLEDGE is the stretch in stick
 * and a unit vector along it in slip; unused while dragging. */
enum {
    PLACE,
    SPEED = PLACE + 3,
    AXIS = SPEED + 3,
    MOMENTUM = AXIS + 3,
    SLEDGE = MOMENTUM + 3,
    WORK_T = SLEDGE + 3,
    LOSS_N,
    N
};

/* How the sledge moves. DRAGGED: in slip so fast for its stretch that it trails straight behind the contact. */
typedef enum hold { NONE, STICK, SLIP, DRAGGED } hold;

typedef struct disc {
    pc_flat_patch patch;
    double density;        /* of springs */
    double inertia, polar; /* about a diameter, about the axis */
    double kt, mu, zeta, g;
    hold hold;
    bool touching, whole;                      /* some of it is pressed; all of it is */
    double length, time, speed, force, energy; /* SI values of the scaled units */
} disc;

typedef struct moment {
    double axis[3], omega[3];
    double slope[3], s, cosine; /* of the tilt: the part of -n within the disc, its size, n.axis */
    double d, ddot, sdot;       /* penetration of the centre; rates of d and s */
    pc_flat_load load;          /* of the springs, for a density of 1 */
    double lever, w;            /* of the pressure centre, down the slope; rate of the depth there */
    double F, V[3], R;          /* normal force; velocity at the sledge; greatest stretch */
    double f[3];                /* force along the plane, and the couple over the radius of gyration */
    double gyration;
    double a[3], torque[3];
    double stored; /* of the normal springs */
    double damped; /* power lost by damping */
    double Fdot;
} moment;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double size_of(const double v[3])
{
    return sqrt(dot(v, v));
}

static void cross(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x, out[1] = y, out[2] = z;
}

/* Scales and constants. */
static void set_scales(const pc_disc_plane *p, disc *s)
{
    double a = p->radius, T = sqrt(p->mass / p->stiffness);
    s->length = a;
    s->time = T;
    s->speed = a / T;
    s->force = p->stiffness * a;
    s->energy = s->force * a;
    s->patch = (pc_flat_patch){.model = p->model, .radius = 1};
    s->density = 1 / pc_flat_press(&s->patch, 1, 0, true).force; /* at a depth of 1 */
    s->inertia = p->inertia / (p->mass * a * a);
    s->polar = p->polar / (p->mass * a * a);
    s->kt = 1 / p->eta;
    s->mu = p->friction;
    s->zeta = p->damping * s->speed;
    s->g = p->gravity * T * T / a;
}

/* Where the disc is and how it moves. */
static void place(const disc *s, const double *y, moment *m)
{
    double size = size_of(y + AXIS);
    for (int i = 0; i < 3; i++) m->axis[i] = y[AXIS + i] / size;
    double along = dot(y + MOMENTUM, m->axis) * (1 / s->polar - 1 / s->inertia);
    for (int i = 0; i < 3; i++) m->omega[i] = y[MOMENTUM + i] / s->inertia + along * m->axis[i];
    m->cosine = m->axis[2];
    for (int i = 0; i < 3; i++) m->slope[i] = m->cosine * m->axis[i];
    /* 1 - cos^2 without cancellation */
    m->slope[2] = -(m->axis[0] * m->axis[0] + m->axis[1] * m->axis[1]);
    m->s = hypot(m->axis[0], m->axis[1]);
    m->d = -y[PLACE + 2];
    m->ddot = -y[SPEED + 2];
}

/* Normal force with its couple. The rate of the depth has the gradient omega x n within the disc. */
static void press(const disc *s, const double down[3], moment *m, double couple[3])
{
    m->load = pc_flat_press(&s->patch, m->d, m->s, s->whole);
    double elastic = s->density * m->load.force;
    double along = m->load.along, athwart = m->load.athwart;
    m->stored = s->density * m->load.potential;
    m->lever = m->load.lever;
    m->gyration = sqrt(along + athwart);
    m->w = m->ddot + m->lever * m->sdot;
    double g[3] = {m->omega[1], -m->omega[0], 0}; /* omega x n */
    double out = dot(g, m->axis), steep = m->sdot, spread[3], held;
    for (int i = 0; i < 3; i++) {
        g[i] -= out * m->axis[i];
        spread[i] = athwart * g[i] + (along - athwart) * steep * down[i];
    }
    double size = dot(g, spread);
    m->F = pc_flat_damp(elastic, s->zeta, m->w, size, &held);
    for (int i = 0; i < 3; i++) couple[i] = held * spread[i];
    m->damped = (m->F - elastic) * m->w + held * size;
}

/* The sledge: a force along the plane and a couple, their three parts on a sphere of radius mu F at most. */
static void drag(const disc *s, const double *y, moment *m)
{
    m->R = s->mu * m->F / s->kt;
    for (int i = 0; i < 3; i++) m->f[i] = 0;
    double speed = size_of(m->V);
    for (int i = 0; i < 3 && s->hold != NONE; i++) {
        if (s->hold == STICK)
            m->f[i] = -s->kt * y[SLEDGE + i];
        else if (s->hold == SLIP)
            m->f[i] = -s->mu * m->F * y[SLEDGE + i] / size_of(y + SLEDGE);
        else if (speed > 0)
            m->f[i] = -s->mu * m->F * m->V[i] / speed;
    }
}

/* Forces and accelerations at a state, in the hold at hand. */
static void evaluate(const disc *s, const double *y, moment *m)
{
    place(s, y, m);
    double down[3] = {0};
    if (m->s > 0)
        for (int i = 0; i < 3; i++) down[i] = m->slope[i] / m->s;
    m->sdot = m->omega[1] * down[0] - m->omega[0] * down[1];
    double couple[3], arm[3], turning[3];
    press(s, down, m, couple);
    for (int i = 0; i < 3; i++) arm[i] = m->lever * down[i];
    cross(m->omega, arm, turning);
    m->V[0] = y[SPEED] + turning[0];
    m->V[1] = y[SPEED + 1] + turning[1];
    m->V[2] = m->gyration * m->omega[2];
    drag(s, y, m);
    double force[3] = {m->f[0], m->f[1], m->F};
    cross(arm, force, m->torque);
    m->torque[0] += couple[1]; /* couple x n */
    m->torque[1] -= couple[0];
    m->torque[2] += m->gyration * m->f[2];
    for (int i = 0; i < 3; i++) m->a[i] = force[i] - (i == 2 ? s->g : 0);
}

/* With q the lever: w = d' + q s', so w' = d'' + q' s' + q s'', and q' is the moment about q of the rate of depth. */
static void find_force_rate(const disc *s, moment *m)
{
    const double *j = m->load.pressed;
    double elastic = s->density * (m->w * j[0] + m->sdot * j[1]);
    double factor = 1 + s->zeta * m->w;
    m->Fdot = elastic * fmax(factor, 0);
    if (s->zeta == 0 || !(factor > 0) || !(m->load.force > 0)) return;
    double wdot = -m->a[2];
    if (m->s > 0) {
        double axis_rate[3], again[3], pushed[3], turn[3];
        cross(m->omega, m->axis, axis_rate);
        double along = dot(m->torque, m->axis), more = 1 / s->polar - 1 / s->inertia,
               kept = s->polar * dot(m->omega, m->axis);
        for (int i = 0; i < 3; i++)
            turn[i] = m->torque[i] / s->inertia + more * (along * m->axis[i] + kept * axis_rate[i]);
        cross(turn, m->axis, pushed);
        cross(m->omega, axis_rate, again);
        double bend = -axis_rate[2] * axis_rate[2] - m->cosine * (pushed[2] + again[2]) - m->sdot * m->sdot;
        double leverdot = (m->w * j[1] + m->sdot * j[2]) / m->load.force;
        wdot += leverdot * m->sdot + m->lever * bend / m->s;
    }
    m->Fdot += s->density * m->load.force * s->zeta * wdot;
}

static double kinetic(const double *y, const moment *m)
{
    return (dot(y + SPEED, y + SPEED) + dot(y + MOMENTUM, m->omega)) / 2;
}

/* Energy in the stretch of the sledge, scaled. */
static double stretched(const disc *s, const double *y)
{
    moment m;
    if (s->hold == NONE) return 0;
    evaluate(s, y, &m);
    return s->kt / 2 * (s->hold == STICK ? dot(y + SLEDGE, y + SLEDGE) : m.R * m.R);
}

/* All energy of a state with what was lost since the start, scaled. */
static double ledger_of(const disc *s, const double *y)
{
    moment m;
    evaluate(s, y, &m);
    return kinetic(y, &m) + s->g * y[PLACE + 2] + m.stored + y[WORK_T] + y[LOSS_N];
}

static pc_disc_mode mode_of(const disc *s)
{
    if (!s->touching) return PC_DISC_FLIGHT;
    if (s->hold == STICK) return PC_DISC_STICK;
    return s->mu > 0 ? PC_DISC_SLIP : PC_DISC_SMOOTH;
}

/* What is told of a state. */
static pc_disc_row row_at(const disc *s, double t, const double *y)
{
    moment m;
    evaluate(s, y, &m);
    double v = s->speed, turn = 1 / s->time, tangential = stretched(s, y);
    double spin = dot(m.omega, m.axis);
    pc_disc_row r = {.t = t * s->time,
                     .x = y[PLACE] * s->length,
                     .y = y[PLACE + 1] * s->length,
                     .height = y[PLACE + 2] * s->length,
                     .vx = y[SPEED] * v,
                     .vy = y[SPEED + 1] * v,
                     .vz = y[SPEED + 2] * v,
                     .tilt = atan2(m.s, fabs(m.cosine)),
                     .azimuth = m.s > 0 ? atan2(m.cosine * m.axis[1], m.cosine * m.axis[0]) : 0,
                     .spin = spin * turn,
                     .twist = m.omega[2] * turn,
                     .depth = (m.d + m.s) * s->length,
                     .force = m.F * s->force,
                     .friction = hypot(m.f[0], m.f[1]) * s->force,
                     .couple = m.gyration * m.f[2] * s->force * s->length,
                     .lever = m.lever * s->length,
                     .creep = m.F > 0 ? hypot(m.V[0], m.V[1]) * v : 0,
                     .kinetic = kinetic(y, &m) * s->energy,
                     .potential = s->g * y[PLACE + 2] * s->energy,
                     .stored = (m.stored + tangential) * s->energy,
                     .lost_friction = (y[WORK_T] - tangential) * s->energy,
                     .lost_damping = y[LOSS_N] * s->energy};
    if (m.s > 0) r.precession = (m.omega[2] - m.cosine * spin) / (m.s * m.s) * turn;
    r.mode = mode_of(s);
    return r;
}

/* ---- motion ---- */

const char *const pc_disc_mode_words[] = {"flight", "smooth", "stick", "slip", NULL};

/* A state of the motion, scaled, after which the mode stays for a while. */
typedef struct pc_disc_mark {
    double t, y[N];
    hold hold;
    bool touching, whole;
} pc_disc_mark;

typedef enum change { EDGE, KINK, CONE, ARREST, FAST, SLOW, N_CHANGES } change;

typedef struct watch {
    const disc *s;
    change kind;
} watch;

static int rates(double t, const double *y, double *rate, void *context)
{
    const disc *s = context;
    moment m;
    (void)t;
    evaluate(s, y, &m);
    for (int i = 0; i < 3; i++) {
        rate[PLACE + i] = y[SPEED + i];
        rate[SPEED + i] = m.a[i];
        rate[MOMENTUM + i] = m.torque[i];
        int j = (i + 1) % 3, k = (i + 2) % 3;
        rate[AXIS + i] = m.omega[j] * m.axis[k] - m.omega[k] * m.axis[j];
        rate[SLEDGE + i] = s->hold == STICK ? m.V[i] : 0;
    }
    if (s->hold == SLIP && m.R > 0) {
        const double *n = y + SLEDGE;
        double along = dot(n, m.V);
        for (int i = 0; i < 3; i++) rate[SLEDGE + i] = (m.V[i] - along * n[i]) / m.R;
    }
    rate[WORK_T] = -dot(m.f, m.V);
    rate[LOSS_N] = m.damped;
    return 0;
}

static pc_ode_settings settings_of(const disc *s)
{
    return (pc_ode_settings){
        .rtol = RELATIVE, .atol = ABSOLUTE, .max_step = s->touching ? LONGEST : INFINITY, .max_steps = INT_MAX};
}

/* Direction of the stretch in slip. */
static void direction(const disc *s, const double *y, const moment *m, double n[3])
{
    const double *v = s->hold == SLIP ? y + SLEDGE : m->V;
    double size = size_of(v);
    for (int i = 0; i < 3; i++) n[i] = size > 0 ? v[i] / size : 0;
}

/* Speed at which the sledge slips along its stretch. */
static double slip_speed(const disc *s, const double *y, moment *m)
{
    double n[3];
    direction(s, y, m, n);
    find_force_rate(s, m);
    return dot(n, m->V) - s->mu / s->kt * m->Fdot;
}

static int guard(double t, const double *y, double *g, void *context)
{
    const watch *w = context;
    moment m;
    (void)t;
    evaluate(w->s, y, &m);
    double v = size_of(m.V), z = size_of(y + SLEDGE);
    switch (w->kind) {
    case EDGE: /* a flat disc has one edge, and begins to have two whenever it turns: both ways with the same sign */
        *g = m.s > 0 ? (m.d - m.s) * (m.d + m.s) : w->s->touching ? m.d : -m.d;
        break;
    case KINK: *g = 1 + w->s->zeta * m.w; break;
    case CONE: *g = (m.R - z) * (m.R + z); break;
    case ARREST: *g = slip_speed(w->s, y, &m); break;
    case FAST: *g = (LAG * m.R - v) * (LAG * m.R + v); break;
    default: *g = (v - LAG / 2 * m.R) * (v + LAG / 2 * m.R);
    }
    return 0;
}

/* Rounding of what is watched within a step from y; 0: it is measured. Depths are differences of lengths of order 1;
 * where a rim touches, the weight that is pressed grows as the root of the depth, of a face as its power 3/2; damping
 * adds to the rate of the force that of the velocity, which the force itself makes. */
static double noise_of(const disc *s, change kind, const double *y)
{
    moment m;
    if (kind != CONE && kind != ARREST) return 0;
    evaluate(s, y, &m);
    double unit = 16 * DBL_EPSILON, speed = fabs(m.ddot) + fabs(m.sdot), reach = LONGEST * speed;
    double elastic = s->density * pc_flat_press(&s->patch, m.d + reach, m.s, false).force, damped = s->zeta * elastic;
    double grip = s->mu / s->kt, stretch = grip * elastic * (1 + s->zeta * speed);
    if (kind == CONE) return unit * stretch * (stretch + grip);
    double depth = fmax(m.d + m.s, 0) + reach;
    double pressed = s->density * (s->patch.model == PC_FLAT_RIM ? sqrt(unit) : sqrt(depth) * unit);
    return grip * speed * (pressed + damped * damped * unit) + unit * (size_of(y + SPEED) + size_of(m.omega));
}

static bool watches(const disc *s, change kind)
{
    switch (kind) {
    case EDGE: return true;
    case KINK: return s->zeta > 0 && s->touching;
    case CONE: return s->hold == STICK;
    case ARREST: return s->hold == SLIP || (s->hold == DRAGGED && s->touching);
    case FAST: return s->hold == SLIP;
    default: return s->hold == DRAGGED && s->touching;
    }
}

/* ---- changes ---- */

/* The sledge slides along n; without a direction it stays. */
static void slide(disc *s, double *y, const double n[3])
{
    double size = size_of(n);
    s->hold = size > 0 ? SLIP : STICK;
    for (int i = 0; i < 3; i++) y[SLEDGE + i] = size > 0 ? n[i] / size : 0;
}

/* The sledge comes to rest, stretched as far as friction lets it. */
static void rest(disc *s, double *y)
{
    moment m;
    double n[3];
    evaluate(s, y, &m);
    direction(s, y, &m, n);
    s->hold = STICK;
    for (int i = 0; i < 3; i++) y[SLEDGE + i] = m.R * n[i];
}

/* Contact as it begins or ends, with the sledge below the disc. */
static void land(disc *s, double *y)
{
    moment m;
    s->hold = NONE;
    for (int i = 0; i < 3; i++) y[SLEDGE + i] = 0;
    if (s->mu == 0 || !s->touching) return;
    evaluate(s, y, &m);
    double grip = 0;
    if (m.s == 0 && m.d < TOGETHER) {
        /* all springs of a flat disc touch at once, and friction may hold it from the first instant */
        y[PLACE + 2] = fmin(y[PLACE + 2], -TOUCH);
        evaluate(s, y, &m);
        grip = s->mu / s->kt * m.ddot * (1 + s->zeta * m.ddot);
    }
    grip += LAG / 2 * m.R;
    s->hold = size_of(m.V) > grip ? DRAGGED : STICK;
}

/* An edge of the disc is at the surface: the lowest point, or the highest one; of a flat disc, all of them. */
static void pass(disc *s, double *y)
{
    moment m;
    evaluate(s, y, &m);
    if (m.d > m.s / 2 && m.d > TOGETHER) {
        s->whole = m.ddot - m.sdot > 0;
        if (!s->touching) s->touching = true, land(s, y);
        return;
    }
    bool touching = m.ddot + m.sdot > 0;
    s->whole = false;
    if (touching != s->touching) s->touching = touching, land(s, y);
}

/* Whether the sledge, which is at the edge of the cone, goes on to slip. Below a disc that lies flat the cone rests,
 * and what swings as far as friction lets it touches it at rest and turns back: whether it slips a little later
 * tells. */
static bool breaks_away(const disc *s, const double *y)
{
    moment m;
    double rate[N], later[N];
    evaluate(s, y, &m);
    if (m.s > 0 || slip_speed(s, y, &m) > noise_of(s, ARREST, y)) return true;
    rates(0, y, rate, (void *)s);
    for (int i = 0; i < N; i++) later[i] = y[i] + LONGEST / 10 * rate[i];
    evaluate(s, later, &m);
    return slip_speed(s, later, &m) > 0;
}

static void act(disc *s, double *y, change what)
{
    moment m;
    double n[3];
    switch (what) {
    case EDGE: pass(s, y); break;
    case KINK: break; /* the force has a corner there: start afresh */
    case CONE:
        for (int i = 0; i < 3; i++) n[i] = y[SLEDGE + i];
        evaluate(s, y, &m);
        if (size_of(m.V) > LAG * m.R)
            s->hold = DRAGGED;
        else
            slide(s, y, n);
        if (s->hold == SLIP && !breaks_away(s, y)) rest(s, y);
        break;
    case ARREST: rest(s, y); break;
    case FAST: s->hold = DRAGGED; break;
    default: evaluate(s, y, &m); slide(s, y, m.V);
    }
    /* what changed may leave no slip to go on: the force has corners at edges and kinks, and trailing was no slip of
     * its own. Slip that begins at the cone begins from nothing. */
    if (what == CONE || s->hold == STICK || !watches(s, ARREST)) return;
    evaluate(s, y, &m);
    if (slip_speed(s, y, &m) < 0) rest(s, y);
}

/* ---- the run ---- */

typedef struct journey {
    const pc_disc_plane *task;
    disc s;
    double y[N], t, end, ledger;
    int stalls;
    long arcs;   /* since the contact changed */
    long sought; /* evaluations in search of changes */
    pc_disc_run *run;
    pc_error *err;
} journey;

/* A mark stands where each mode begins and every few steps along it, for the motion at any time: it takes less than a
 * twentieth of the memory of the steps' polynomials, and what follows from it is as exact as the motion itself. */
static pc_status add_mark(pc_disc_run *run, const disc *s, double t, const double *y, pc_error *err)
{
    if (!PC_GROW(run->marks, run->mark_room, run->n_marks + 1))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %zu marks of a motion", run->n_marks + 1);
    pc_disc_mark *mark = &run->marks[run->n_marks++];
    *mark = (pc_disc_mark){.t = t, .hold = s->hold, .touching = s->touching, .whole = s->whole};
    memcpy(mark->y, y, sizeof mark->y);
    return PC_OK;
}

/* The time of the next row; beyond the end: all are told. */
static double next_row(const journey *j)
{
    int n = j->task->rows, i = j->run->n_rows;
    return i == n ? INFINITY : i == n - 1 ? j->end : j->end * i / (n - 1);
}

static void add_row(journey *j, const double *y)
{
    pc_disc_run *run = j->run;
    run->rows[run->n_rows] = row_at(&j->s, next_row(j), y);
    run->n_rows++;
    run->drift = fmax(run->drift, fabs(ledger_of(&j->s, y) - j->ledger) * j->s.energy);
}

/* The rows of a step up to its stop, where what follows has its own; and a mark at its beginning, now and then. */
static pc_status see_arc(const pc_dense *dense, double stop, void *context, pc_error *err)
{
    journey *j = context;
    double y[N];
    for (double t; (t = next_row(j)) < stop;) {
        pc_dense_eval(dense, pc_dense_place(dense, t), y);
        add_row(j, y);
    }
    if (j->arcs++ % SPACING != 0) return PC_OK;
    pc_dense_eval(dense, 0, y);
    return add_mark(j->run, &j->s, dense->t, y, err);
}

/* Mode from `start` to `stop` (scaled) into the list; what is the same goes on. */
static pc_status log_phase(journey *j, double start, double stop)
{
    pc_disc_run *run = j->run;
    pc_disc_mode mode = mode_of(&j->s);
    if (!(stop > start)) return PC_OK;
    if (run->n_phases > 0 && run->phases[run->n_phases - 1].mode == mode) {
        run->phases[run->n_phases - 1].stop = stop * j->s.time;
        return PC_OK;
    }
    if (!PC_GROW(run->phases, run->room, run->n_phases + 1))
        return pc_fail(j->err, PC_E_MEMORY, "not enough memory for %zu phases", run->n_phases + 1);
    run->phases[run->n_phases++] = (pc_disc_phase){mode, start * j->s.time, stop * j->s.time};
    return PC_OK;
}

/* Steps that are left, of which a search for changes that takes as long counts as one; an error tells why there are
 * none. */
static pc_status steps_left(const journey *j, int *left)
{
    const pc_disc_plane *p = j->task;
    long left_over = p->max_steps - j->run->steps - j->sought / SEARCH;
    *left = (int)left_over;
    if (left_over > 0) return PC_OK;
    return pc_fail_at(j->err, PC_E_LIMIT, j->run->stop, "max_steps",
                      "disc_on_plane: max_steps = %d steps, or as long a search for changes of contact, have come to "
                      "t = %.6g s of duration = %.6g s; in contact a step is at most %.3g s, a quarter of "
                      "sqrt(mass/stiffness), and shorter where the disc turns fast",
                      p->max_steps, j->run->stop, p->duration, LONGEST * j->s.time);
}

/* The stretch into the run; what happens at its end changes the contact. */
static pc_status take(journey *j, const pc_solution *stretch, const watch *watched)
{
    pc_status status = log_phase(j, j->t, stretch->t);
    if (status) return status;
    memcpy(j->y, stretch->y, sizeof j->y);
    while (next_row(j) <= stretch->t) add_row(j, j->y);
    j->t = stretch->t;
    j->run->stop = j->t < j->end ? j->t * j->s.time : j->task->duration;
    j->run->steps += stretch->statistics.steps + stretch->statistics.rejected;
    j->sought += stretch->g_calls;
    /* what happens at one instant, in the order of the list, as far as the earlier leaves it to happen */
    for (size_t i = 0; i < stretch->n_events && stretch->stop == PC_STOP_EVENT; i++) {
        change what = watched[stretch->events[i].event].kind;
        if (stretch->events[i].t == stretch->t && watches(&j->s, what)) act(&j->s, j->y, what);
    }
    return PC_OK;
}

/* Contacts that change again and again at one instant. */
static pc_status check_progress(journey *j, double before)
{
    j->stalls = j->t - before > pc_one_instant(j->t, 0) ? 0 : j->stalls + 1;
    if (j->stalls < STALL || j->t >= j->end) return PC_OK;
    return pc_fail_at(j->err, PC_E_NUMERIC, j->run->stop, "phases",
                      "disc_on_plane: the contact changes again and again at t = %.10g s", j->run->stop);
}

/* Follow the motion until something changes, and let it change. */
static pc_status follow(journey *j)
{
    disc *s = &j->s;
    pc_event events[N_CHANGES];
    watch watched[N_CHANGES];
    int n = 0;
    for (change kind = EDGE; kind < N_CHANGES; kind++) {
        if (!watches(s, kind)) continue;
        watched[n] = (watch){s, kind};
        events[n] = (pc_event){.name = "change",
                               .direction = kind == EDGE || kind == KINK ? 0 : -1,
                               .terminal = true,
                               .g = guard,
                               .context = &watched[n],
                               .noise = noise_of(s, kind, j->y)};
        n++;
    }
    pc_ode_problem problem = {.n = N, .rhs = rates, .context = s, .autonomous = true};
    pc_ode_settings settings = settings_of(s);
    pc_status status = steps_left(j, &settings.max_steps);
    if (status) return status;
    pc_solve_task task = {.problem = &problem,
                          .method = &pc_ode_dop853,
                          .settings = &settings,
                          .events = events,
                          .n_events = n,
                          .max_events = INT_MAX,
                          .t0 = j->t,
                          .t1 = j->end,
                          .y0 = j->y,
                          .arc = see_arc,
                          .arc_context = j};
    pc_solution stretch = {0};
    pc_error failure = {0};
    double before = j->t;
    j->arcs = 0;
    status = pc_solve(&task, &stretch, &failure);
    if (stretch.y) {
        pc_status taken = take(j, &stretch, watched);
        if (taken) status = taken, failure = *j->err;
    }
    pc_solution_free(&stretch);
    if (status == PC_E_LIMIT) return steps_left(j, &settings.max_steps);
    if (status == PC_E_NUMERIC)
        return pc_fail_at(j->err, status, j->run->stop, failure.quantity,
                          "disc_on_plane: at t = %.10g s of duration = %.6g s %s", j->run->stop, j->task->duration,
                          "the motion is too fast for steps above rounding");
    if (status) {
        *j->err = failure;
        j->err->time = j->run->stop;
        return status;
    }
    return check_progress(j, before);
}

static double surplus(double d, void *context)
{
    const disc *s = ((void **)context)[0];
    double slope = *(const double *)((void **)context)[1];
    return s->density * pc_flat_press(&s->patch, d, slope, false).force - s->g;
}

/* The penetration at which the springs carry the weight; at the touch if there is none. */
static double carried(disc *s, double slope)
{
    if (s->g == 0) return -slope;
    double high = s->g + slope;
    void *context[2] = {s, &slope};
    /* beyond full contact the force is d itself */
    return pc_root_between(surplus, context, -slope, -s->g, high, surplus(high, context), 0);
}

static void begin(journey *j)
{
    const pc_disc_plane *p = j->task;
    disc *s = &j->s;
    set_scales(p, s);
    double a = s->length, T = s->time, c = cos(p->tilt), d = sin(p->tilt);
    if (p->tilt == 0) c = 1, d = 0;
    double *y = j->y;
    y[PLACE + 2] = isnan(p->height) ? -carried(s, d) : p->height / a;
    for (int i = 0; i < 3; i++) y[SPEED + i] = p->velocity[i] / s->speed;
    /* the lowest point towards +x: the slope is (c, 0, -d), what is across it (0, 1, 0) */
    y[AXIS] = d, y[AXIS + 2] = c;
    double down = -p->precession * d * T, across = p->tilt_rate * T, spin = p->spin * T;
    y[MOMENTUM] = s->inertia * down * c + s->polar * spin * d;
    y[MOMENTUM + 1] = s->inertia * across;
    y[MOMENTUM + 2] = -s->inertia * down * d + s->polar * spin * c;
    moment m;
    s->hold = NONE;
    evaluate(s, y, &m);
    double low = m.d + m.s;
    s->touching = low > 0 || (low == 0 && m.ddot + m.sdot > 0);
    land(s, y);
    /* where friction begins at once the stretch is there from the start: it was not taken from the motion */
    y[WORK_T] = stretched(s, y);
    j->ledger = ledger_of(s, y);
    j->end = p->duration / T;
}

pc_status pc_disc_plane_run(const pc_disc_plane *task, pc_disc_run *run, pc_error *err)
{
    *run = (pc_disc_run){.rows = pc_calloc((size_t)task->rows, sizeof *run->rows)};
    if (!run->rows) return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rows", task->rows);
    pc_error own = {0};
    journey j = {.task = task, .run = run, .err = err ? err : &own};
    begin(&j);
    pc_status status = PC_OK;
    while (!status && j.t < j.end) {
        if (pc_interrupted())
            status = pc_fail_at(j.err, PC_E_INTERRUPTED, run->stop, "phases", "interrupted at t = %.10g s", run->stop);
        else
            status = follow(&j);
    }
    pc_status marked = add_mark(run, &j.s, j.t, j.y, status ? &own : j.err);
    return status ? status : marked;
}

/* ---- the motion at any time: followed again from the mark before, within one mode ---- */

/* The last mark that is not after t, s, as the phases tell its time. */
static const pc_disc_mark *mark_before(const pc_disc_run *run, double t, double unit)
{
    size_t lo = 0, hi = run->n_marks;
    while (hi - lo > 1) {
        size_t middle = lo + (hi - lo) / 2;
        if (run->marks[middle].t * unit <= t)
            lo = middle;
        else
            hi = middle;
    }
    return &run->marks[lo];
}

pc_status pc_disc_run_at(const pc_disc_plane *task, const pc_disc_run *run, double t, pc_disc_row *row, pc_error *err)
{
    disc s = {0};
    set_scales(task, &s);
    const pc_disc_mark *mark = mark_before(run, t, s.time);
    double when = fmax(mark->t, fmin(t / s.time, run->marks[run->n_marks - 1].t));
    s.hold = mark->hold;
    s.touching = mark->touching;
    s.whole = mark->whole;
    double y[N];
    memcpy(y, mark->y, sizeof y);
    if (when > mark->t) {
        pc_ode_problem problem = {.n = N, .rhs = rates, .context = &s, .autonomous = true};
        pc_ode_settings settings = settings_of(&s);
        pc_solve_task again = {.problem = &problem,
                               .method = &pc_ode_dop853,
                               .settings = &settings,
                               .t0 = mark->t,
                               .t1 = when,
                               .y0 = mark->y};
        pc_solution solution = {0};
        pc_status status = pc_solve(&again, &solution, err);
        if (status == PC_OK) memcpy(y, solution.y, sizeof y);
        pc_solution_free(&solution);
        if (status != PC_OK) return status;
    }
    *row = row_at(&s, when, y);
    row->t = t;
    return PC_OK;
}

void pc_disc_run_free(pc_disc_run *run)
{
    pc_free(run->rows);
    pc_free(run->phases);
    pc_free(run->marks);
    *run = (pc_disc_run){0};
}
