/* Collocation as the method of a phase: see phase.h and engine/collocation.h.
 *
 * Closed compliant contacts are springs and dampers. The deflection of a contact's normal spring is its indentation.
 * Along the tangent what sticks by an element has a second one, with the element's variable as its state; where
 * something rubs friction comes with the normal force, and the second spring has no stiffness and only tells how v_t
 * changes.
 *
 * At its points the step has found w and v_t of every contact. Between them w and v_t are the polynomials through
 * these, and u is the integral of w, which is what the gap of outlines changes at: all as exact as the step's own
 * polynomial, without a configuration. Edges, at which a pair ends, only that tells.
 */
#include "engine/collocation.h"
#include "engine/phase.h"
#include "math/twin.h"

#include <math.h>
#include <string.h>

enum { POINTS = PC_LOBATTO_POINTS, ROW = POINTS + 1 };

_Static_assert(2 * PC_PHASE_PATHS <= PC_SPRINGS, "two springs a contact");
_Static_assert((int)POINTS == (int)PC_PHASE_POINTS, "a place for what is seen at every point");

/* Longest steps, in periods, and of those where friction may change in between: guards are looked at in five places. A
 * linear contact lasts for pi periods. */
static const double LONGEST = 3.6, LONGEST_WITH_FRICTION = 1.6;

/* Whether the tangential force follows from the state, linearly. */
static bool is_sprung(const pc_contact *contact)
{
    const pc_tangential *e = &contact->p.tangential;
    if (e->kind == PC_TANGENTIAL_RIGID) return !contact->stuck;
    return e->kind == PC_TANGENTIAL_SPRING || e->kind == PC_TANGENTIAL_MINDLIN || e->kind == PC_TANGENTIAL_SECANT;
}

/* True if the closed contacts are springs, with dampers, and what they push is free otherwise. */
static bool serves(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    if (s->contacts->n > 0 || c->n > PC_PHASE_PATHS) return false;
    for (int i = 0; i < c->n; i++)
        if (!c->contact[i].base.p.linear || !is_sprung(&c->contact[i].base) || c->contact[i].base.rolling > 0)
            return false;
    return true;
}

static double longest(const pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    double most = LONGEST * s->period;
    if (most * pc_contact_phase_fastest(s) > PC_PHASE_EDGE) return INFINITY;
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].base.p.tangential.mu > 0) most = LONGEST_WITH_FRICTION * s->period;
    return most;
}

const pc_phase_method pc_phase_collocation = {.ode = &pc_collocation,
                                              .serves = serves,
                                              .longest = longest,
                                              .first_step = PC_FIRST_STEP_COLLOCATION,
                                              .follows_any_rate = true};

void pc_contact_phase_record_point(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++) {
        s->path[i].u[s->point] = c->now[i].u;
        s->path[i].w[s->point] = c->now[i].w;
        s->path[i].v_t[s->point] = c->now[i].v_t;
    }
    s->point = s->point + 1 == POINTS ? 1 : s->point + 1; /* another pass may follow */
}

/* One more spring along an axis of contact i: what a unit of force does, and what the velocities do to it, of which the
 * units are known. */
static void add(pc_contact_phase *s, pc_springs *springs, int i, int axis, const double force[2], double stiffness,
                double damping)
{
    const pc_compliant *c = s->compliant;
    int n = s->mechanics->n, k = springs->n++;
    double *row = springs->row + k * n, *column = springs->column + k * n;
    pc_mechanics_jump(s->mechanics, &(pc_contact_set){1, &c->contact[i].pair, &c->touch[i]}, force, column);
    for (int j = 0; j < n; j++) row[j] = -s->unit[2 * j + axis];
    springs->stiffness[k] = stiffness;
    springs->damping[k] = damping;
    springs->component[k] = -1;
}

int pc_contact_phase_springs(double t, const double *y, pc_springs *springs, void *context)
{
    pc_contact_phase *s = context;
    pc_compliant *c = s->compliant;
    int got = pc_mechanics_place(s->mechanics, t, y);
    if (got != 0) return got;
    pc_compliant_evaluate(s->compliant, s->mechanics);
    s->point = 0;
    pc_contact_phase_record_point(s);
    springs->n = 0;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        const pc_tangential *e = &contact->p.tangential;
        const pc_normal *n = &c->now[i].n;
        double rub = contact->stuck ? 0 : -contact->sign * e->mu,
               kt = e->kind == PC_TANGENTIAL_SPRING ? e->kt : e->ratio * n->k;
        pc_contact_phase_unit_velocities(s, c->contact[i].pair, &c->touch[i], s->unit);
        add(s, springs, i, PC_N, (double[2]){rub, 1}, n->dFdu, n->dFdw);
        if (!pc_contact_phase_has_tangent(contact)) continue;
        add(s, springs, i, PC_T, (double[2]){1, 0}, contact->stuck ? kt : 0, 0);
        if (!contact->stuck) continue;
        springs->component[springs->n - 1] = 2 * s->mechanics->n + i * pc_compliant_rows(c) + PC_ROW_Q;
        springs->factor[springs->n - 1] = -pc_tangential_gain(e, n);
    }
    return 0;
}

int pc_contact_phase_others(int point, double t, const double *y, const double *x, const double *v, double *dydt,
                            void *context)
{
    pc_contact_phase *s = context;
    (void)t;
    pc_compliant *c = s->compliant;
    const double *rows = y + 2 * s->mechanics->n;
    for (int i = 0; i < c->n; i++, rows += pc_compliant_rows(c)) {
        const pc_contact *contact = &c->contact[i].base;
        pc_contact_phase_path *path = &s->path[i];
        pc_contact_values *m = &c->now[i];
        m->u = path->u[point] + *x++;
        m->w = path->w[point] += *v++;
        if (pc_contact_phase_has_tangent(contact)) {
            x++;
            path->v_t[point] -= *v++;
        }
        m->v_t = path->v_t[point];
        m->q = rows[PC_ROW_Q];
        pc_contact_forces(contact, m);
    }
    pc_compliant_rates(s->compliant, s->mechanics, NULL, dydt + 2 * s->mechanics->n);
    if (point + 1 == PC_PHASE_POINTS) s->point = PC_PHASE_POINTS;
    return 0;
}

/* Bernstein coefficients of degree 9 of two rows of values at the points. */
static void through(const pc_twin value[POINTS], pc_twin b[POINTS])
{
    for (int j = 0; j < POINTS; j++) {
        b[j] = (pc_twin){0};
#pragma GCC unroll 10
        for (int k = 0; k < POINTS; k++) b[j] += pc_lobatto_bernstein[j][k] * value[k];
    }
}

/* The coefficient j in degree 10 of what has these in degree 9. */
static pc_twin raised(const pc_twin b[POINTS], int j)
{
    if (j == 0 || j == POINTS) return b[j == 0 ? 0 : POINTS - 1];
    return ((double)j * b[j - 1] + (double)(POINTS - j) * b[j]) / (double)POINTS;
}

bool pc_contact_phase_has_paths(const pc_contact_phase *s)
{
    if (s->point != POINTS) return false;
    for (int i = 0; i < s->compliant->n; i++)
        if (!s->pairing[i].endless) return false;
    return true;
}

void pc_contact_phase_take_end(pc_contact_phase *s)
{
    for (int i = 0; i < s->compliant->n; i++) {
        const pc_contact *contact = &s->compliant->contact[i].base;
        const pc_contact_phase_path *path = &s->path[i];
        pc_contact_values *m = &s->compliant->now[i];
        double before = 0; /* coefficient of w, of degree 9 */
        for (int k = 0; k < POINTS; k++) before += pc_lobatto_bernstein[POINTS - 2][k] * path->w[k];
        m->u = path->u[POINTS - 1];
        m->w = path->w[POINTS - 1];
        m->v_t = path->v_t[POINTS - 1];
        m->q = s->stepper.y[2 * s->mechanics->n + i * pc_compliant_rows(s->compliant) + PC_ROW_Q];
        pc_contact_forces(contact, m);
        pc_contact_rates(contact, m, (POINTS - 1) / s->stepper.h * (m->w - before));
    }
}

void pc_contact_phase_fit_paths(pc_contact_phase *s)
{
    static const double binomial[ROW] = {1, 10, 45, 120, 210, 252, 210, 120, 45, 10, 1};
    for (int i = 0; i < s->compliant->n; i++) {
        pc_contact_phase_path *path = &s->path[i];
        const double *q = s->dense->c + (2 * s->mechanics->n + i * pc_compliant_rows(s->compliant) + PC_ROW_Q) * ROW;
        pc_twin value[POINTS], b[POINTS], v[ROW], slope[POINTS];
        for (int k = 0; k < POINTS; k++) value[k] = (pc_twin){path->w[k], path->v_t[k]};
        through(value, b);
        for (int j = 0; j < ROW; j++) v[j] = raised(b, j);
        for (int j = 0; j < POINTS; j++) slope[j] = POINTS / s->stepper.h * (v[j + 1] - v[j]);
        double u = path->u[0];
        for (int j = 0; j < ROW; j++) {
            double *row = path->row[j];
            pc_twin_store(row + PC_PATH_W, binomial[j] * v[j]);
            pc_twin_store(row + PC_PATH_DW, binomial[j] * raised(slope, j));
            row[PC_PATH_U] = binomial[j] * u;
            row[PC_PATH_Q] = binomial[j] * q[j];
            if (j < POINTS) u += s->stepper.h / POINTS * b[j][0];
        }
    }
}

/* All rows at x, from the end that is near, as pc_poly_eval. */
static inline void follow(const pc_contact_phase_path *path, double x, double out[PC_PATHS])
{
    bool far = x > 0.5;
    double big = far ? x : 1 - x, r = far ? (1 - x) / x : x / (1 - x), two = big * big, eight = two * two * two * two;
    const double *row = path->row[far ? 0 : POINTS];
    const ptrdiff_t next = far ? PC_PATHS : -PC_PATHS;
    pc_twin sum[PC_PATHS / 2];
    for (int i = 0; i < PC_PATHS / 2; i++) sum[i] = pc_twin_load(row + 2 * i);
#pragma GCC unroll 10
    for (int k = 0; k < POINTS; k++) {
        row += next;
        for (int i = 0; i < PC_PATHS / 2; i++) sum[i] = sum[i] * r + pc_twin_load(row + 2 * i);
    }
    for (int i = 0; i < PC_PATHS / 2; i++) pc_twin_store(out + 2 * i, sum[i] * (eight * two));
}

void pc_contact_phase_interpolate(pc_contact_phase *s, double x)
{
    pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        pc_contact_values *m = &c->now[i];
        double at[PC_PATHS];
        follow(&s->path[i], x, at);
        m->u = at[PC_PATH_U];
        m->w = at[PC_PATH_W];
        m->v_t = at[PC_PATH_T];
        if (contact->stuck) m->q = at[PC_PATH_Q];
        pc_contact_forces(contact, m);
        pc_contact_rates(contact, m, at[PC_PATH_DW]);
    }
}
