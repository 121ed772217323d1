/* Closed contacts within a step of collocation, without placing the scene: see phase.h.
 *
 * At its points the step has found w and v_t of every contact. Between them w and v_t are the polynomials through
 * these, and u is the integral of w, which is what the gap of outlines changes at: all as exact as the step's own
 * polynomial. Edges, at which a pair ends, only the scene itself tells.
 */
#include "ode/lobatto.h"
#include "ode/lobatto_table.h"
#include "motion/phase.h"

#include <math.h>

enum { POINTS = PC_LOBATTO_POINTS, ROW = POINTS + 1 };

_Static_assert((int)POINTS == (int)PC_PHASE_POINTS, "a place for what is seen at every point");

void pc_contact_phase_record_point(pc_contact_phase *s)
{
    const pc_compliant *c = &s->run->state.compliant;
    for (int i = 0; i < c->n; i++) {
        s->path[i].u[s->point] = c->now[i].u;
        s->path[i].w[s->point] = c->now[i].w;
        s->path[i].v_t[s->point] = c->now[i].v_t;
    }
    s->point = s->point + 1 == POINTS ? 1 : s->point + 1; /* another pass may follow */
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

/* True if a pair knows no edges: outlines without sides, or a site before an endless plane. */
static bool is_endless(const pc_scene *scene, const pc_pair *p)
{
    const pc_outline *outline = &scene->outlines[p->outline], *own = &scene->outlines[scene->sites[p->site].outline];
    if (outline->n_sides == 0) return own->n_sides == 0;
    return outline->n_sides == 1 && isinf(outline->sides[0].lo) && isinf(outline->sides[0].hi);
}

bool pc_contact_phase_fit_paths(pc_contact_phase *s)
{
    const pc_run *run = s->run;
    const pc_compliant *c = &run->state.compliant;
    if (s->method != &pc_ode_lobatto || s->point != POINTS) return false;
    for (int i = 0; i < c->n; i++)
        if (!is_endless(run->scene, &run->scene->pairs[c->contact[i].pair])) return false;
    for (int i = 0; i < c->n; i++) {
        pc_contact_phase_path *path = &s->path[i];
        double b[POINTS];
        through(path->w, b);
        raise_degree(b, path->row[PC_PATH_W]);
        double *u = path->row[PC_PATH_U];
        u[0] = path->u[0];
        for (int j = 0; j < POINTS; j++) u[j + 1] = u[j] + s->stepper.h / POINTS * b[j];
        if (!pc_contact_phase_has_tangent(&c->contact[i].press)) continue;
        through(path->v_t, b);
        raise_degree(b, path->row[PC_PATH_T]);
    }
    return true;
}

void pc_contact_phase_interpolate(pc_contact_phase *s, const pc_dense *dense, double x)
{
    pc_compliant *c = &s->run->state.compliant;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *press = &c->contact[i].press;
        pc_contact_values *m = &c->now[i];
        double at[PC_PATHS], dw = 0;
        at[PC_PATH_T] = m->v_t;
        pc_poly_eval_rows(s->path[i].row[0], pc_contact_phase_has_tangent(press) ? PC_PATHS : PC_PATH_T, POINTS, x, at);
        m->u = at[PC_PATH_U];
        m->w = at[PC_PATH_W];
        m->v_t = at[PC_PATH_T];
        if (press->stuck) {
            int row = 2 * s->run->scene->n_dof + i * PC_ROWS + PC_ROW_Q;
            m->q = dense ? pc_poly_eval(dense->c + row * (dense->degree + 1), dense->degree, x) : s->stepper.y[row];
        }
        pc_contact_forces(press, m);
        if (m->n.dFdw != 0) {
            double slope[POINTS];
            pc_poly_derivative(s->path[i].row[PC_PATH_W], POINTS, slope);
            dw = pc_poly_eval(slope, POINTS - 1, x) / s->stepper.h;
        }
        pc_contact_rates(press, m, dw);
    }
}
