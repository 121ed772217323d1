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
#include "motion/disc_plane/internal.h"

#include "base/alloc.h"
#include "base/grow.h"
#include "base/interrupt.h"
#include "base/tolerance.h"
#include "event/solve.h"
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

const char *const pc_disc_mode_words[] = {"flight", "smooth", "stick", "slip", NULL};

typedef enum change { EDGE, KINK, CONE, ARREST, FAST, SLOW, N_CHANGES } change;

typedef struct watch {
    const disc *s;
    change kind;
} watch;

static double size_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* ---- motion ---- */

int pc_disc_rates(double t, const double *y, double *rate, void *context)
{
    const disc *s = context;
    moment m;
    (void)t;
    pc_disc_evaluate(s, y, &m);
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
        double along = n[0] * m.V[0] + n[1] * m.V[1] + n[2] * m.V[2];
        for (int i = 0; i < 3; i++) rate[SLEDGE + i] = (m.V[i] - along * n[i]) / m.R;
    }
    rate[WORK_T] = -(m.f[0] * m.V[0] + m.f[1] * m.V[1] + m.f[2] * m.V[2]);
    rate[LOSS_N] = m.damped;
    return 0;
}

pc_ode_settings pc_disc_settings(const disc *s)
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
    pc_disc_force_rate(s, m);
    return n[0] * m->V[0] + n[1] * m->V[1] + n[2] * m->V[2] - s->mu / s->kt * m->Fdot;
}

static int guard(double t, const double *y, double *g, void *context)
{
    const watch *w = context;
    moment m;
    (void)t;
    pc_disc_evaluate(w->s, y, &m);
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
    pc_disc_evaluate(s, y, &m);
    double unit = 16 * DBL_EPSILON, speed = fabs(m.ddot) + fabs(m.sdot), reach = LONGEST * speed;
    double elastic = s->density * pc_flat_press(&s->patch, m.d + reach, m.s).force, damped = s->zeta * elastic;
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
    pc_disc_evaluate(s, y, &m);
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
    pc_disc_evaluate(s, y, &m);
    double grip = 0;
    if (m.s == 0 && m.d < TOGETHER) {
        /* all springs of a flat disc touch at once, and friction may hold it from the first instant */
        y[PLACE + 2] = fmin(y[PLACE + 2], -TOUCH);
        pc_disc_evaluate(s, y, &m);
        grip = s->mu / s->kt * m.ddot * (1 + s->zeta * m.ddot);
    }
    grip += LAG / 2 * m.R;
    s->hold = size_of(m.V) > grip ? DRAGGED : STICK;
}

/* An edge of the disc is at the surface: the lowest point, or the highest one; of a flat disc, all of them. */
static void pass(disc *s, double *y)
{
    moment m;
    pc_disc_evaluate(s, y, &m);
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
    pc_disc_evaluate(s, y, &m);
    if (m.s > 0 || slip_speed(s, y, &m) > noise_of(s, ARREST, y)) return true;
    pc_disc_rates(0, y, rate, (void *)s);
    for (int i = 0; i < N; i++) later[i] = y[i] + LONGEST / 10 * rate[i];
    pc_disc_evaluate(s, later, &m);
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
        pc_disc_evaluate(s, y, &m);
        if (size_of(m.V) > LAG * m.R)
            s->hold = DRAGGED;
        else
            slide(s, y, n);
        if (s->hold == SLIP && !breaks_away(s, y)) rest(s, y);
        break;
    case ARREST: rest(s, y); break;
    case FAST: s->hold = DRAGGED; break;
    default: pc_disc_evaluate(s, y, &m); slide(s, y, m.V);
    }
    /* what changed may leave no slip to go on: the force has corners at edges and kinks, and trailing was no slip of
     * its own. Slip that begins at the cone begins from nothing. */
    if (what == CONE || s->hold == STICK || !watches(s, ARREST)) return;
    pc_disc_evaluate(s, y, &m);
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

/* The time of the next row; beyond the end: all are told. */
static double next_row(const journey *j)
{
    int n = j->task->rows, i = j->run->n_rows;
    return i == n ? INFINITY : i == n - 1 ? j->end : j->end * i / (n - 1);
}

static void add_row(journey *j, const double *y)
{
    pc_disc_run *run = j->run;
    run->rows[run->n_rows] = pc_disc_row_at(&j->s, next_row(j), y);
    run->n_rows++;
    run->drift = fmax(run->drift, fabs(pc_disc_ledger(&j->s, y) - j->ledger) * j->s.energy);
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
    return pc_disc_run_mark(j->run, &j->s, dense->t, y, err);
}

/* Mode from `start` to `stop` (scaled) into the list; what is the same goes on. */
static pc_status log_phase(journey *j, double start, double stop)
{
    pc_disc_run *run = j->run;
    pc_disc_mode slips = j->s.mu > 0 ? PC_DISC_SLIP : PC_DISC_SMOOTH;
    pc_disc_mode mode = !j->s.touching ? PC_DISC_FLIGHT : j->s.hold == STICK ? PC_DISC_STICK : slips;
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
    pc_ode_problem problem = {.n = N, .rhs = pc_disc_rates, .context = s, .autonomous = true};
    pc_ode_settings settings = pc_disc_settings(s);
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
    return s->density * pc_flat_press(&s->patch, d, slope).force - s->g;
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
    pc_disc_scale(p, s);
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
    pc_disc_evaluate(s, y, &m);
    double low = m.d + m.s;
    s->touching = low > 0 || (low == 0 && m.ddot + m.sdot > 0);
    land(s, y);
    /* where friction begins at once the stretch is there from the start: it was not taken from the motion */
    y[WORK_T] = pc_disc_stretched(s, y);
    j->ledger = pc_disc_ledger(s, y);
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
    pc_status marked = pc_disc_run_mark(run, &j.s, j.t, j.y, status ? &own : j.err);
    return status ? status : marked;
}

void pc_disc_run_free(pc_disc_run *run)
{
    pc_free(run->rows);
    pc_free(run->phases);
    pc_free(run->marks);
    *run = (pc_disc_run){0};
}
