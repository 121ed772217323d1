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

/* One more spring along an axis of contact i: what a unit of force does, and what the velocities do to it. */
static void add(pc_contact_phase *s, pc_springs *springs, int i, int axis, const double force[2], double stiffness,
                double damping)
{
    const pc_compliant *c = s->compliant;
    int n = s->mechanics->n, k = springs->n++;
    double *row = springs->row + k * n, *column = springs->column + k * n;
    pc_mechanics_jump(s->mechanics, &(pc_contact_set){1, &c->contact[i].pair, &c->touch[i]}, force, column);
    pc_contact_phase_unit_velocities(s, c->contact[i].pair, &c->touch[i], s->unit);
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

/* Bernstein coefficients of degree 9 of what has these values at the points. */
static void through(const double value[POINTS], double b[POINTS])
{
    for (int j = 0; j < POINTS; j++) {
        b[j] = 0;
        for (int k = 0; k < POINTS; k++) b[j] += pc_lobatto_bernstein[j][k] * value[k];
    }
}

/* The same polynomial in degree 10. */
static void raise_degree(const double b[POINTS], double out[ROW])
{
    out[0] = b[0];
    for (int j = 1; j < POINTS; j++) out[j] = (j * b[j - 1] + (POINTS - j) * b[j]) / POINTS;
    out[POINTS] = b[POINTS - 1];
}

bool pc_contact_phase_fit_paths(pc_contact_phase *s)
{
    const pc_compliant *c = s->compliant;
    if (s->point != POINTS) return false;
    for (int i = 0; i < c->n; i++)
        if (!s->pairing[i].endless) return false;
    for (int i = 0; i < c->n; i++) {
        pc_contact_phase_path *path = &s->path[i];
        double b[POINTS];
        through(path->w, b);
        raise_degree(b, path->row[PC_PATH_W]);
        double *u = path->row[PC_PATH_U];
        u[0] = path->u[0];
        for (int j = 0; j < POINTS; j++) u[j + 1] = u[j] + s->stepper.h / POINTS * b[j];
        if (!pc_contact_phase_has_tangent(&c->contact[i].base)) continue;
        through(path->v_t, b);
        raise_degree(b, path->row[PC_PATH_T]);
    }
    return true;
}

void pc_contact_phase_interpolate(pc_contact_phase *s, const pc_dense *dense, double x)
{
    pc_compliant *c = s->compliant;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        pc_contact_values *m = &c->now[i];
        double at[PC_PATHS], dw = 0;
        at[PC_PATH_T] = m->v_t;
        pc_poly_eval_rows(s->path[i].row[0], pc_contact_phase_has_tangent(contact) ? PC_PATHS : PC_PATH_T, POINTS, x,
                          at);
        m->u = at[PC_PATH_U];
        m->w = at[PC_PATH_W];
        m->v_t = at[PC_PATH_T];
        if (contact->stuck) {
            int row = 2 * s->mechanics->n + i * pc_compliant_rows(c) + PC_ROW_Q;
            m->q = dense ? pc_poly_eval(dense->c + row * (dense->degree + 1), dense->degree, x) : s->stepper.y[row];
        }
        pc_contact_forces(contact, m);
        if (m->n.dFdw != 0) {
            double slope[POINTS];
            pc_poly_derivative(s->path[i].row[PC_PATH_W], POINTS, slope);
            dw = pc_poly_eval(slope, POINTS - 1, x) / s->stepper.h;
        }
        pc_contact_rates(contact, m, dw);
    }
}
