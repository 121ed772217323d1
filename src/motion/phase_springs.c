/* Closed compliant contacts as springs and dampers, for collocation: see ode/lobatto.h.
 *
 * The deflection of a contact's normal spring is its indentation. Along the tangent what sticks by an element has a
 * second one, with the element's variable as its state; where something rubs friction comes with the normal force, and
 * the second spring has no stiffness and only tells how v_t changes.
 */
#include "ode/lobatto.h"
#include "motion/phase.h"

#include <string.h>

_Static_assert(2 * PC_PHASE_PATHS <= PC_ODE_SPRINGS, "two springs a contact");

/* Whether the tangential force follows from the state, linearly. */
static bool is_sprung(const pc_contact *press)
{
    const pc_tangential *e = &press->p.tangential;
    if (e->kind == PC_TANGENTIAL_RIGID) return !press->stuck;
    return e->kind == PC_TANGENTIAL_SPRING || e->kind == PC_TANGENTIAL_MINDLIN || e->kind == PC_TANGENTIAL_SECANT;
}

bool pc_contact_phase_is_linear(const pc_contact_phase *s)
{
    const pc_compliant *c = &s->run->state.compliant;
    if (s->run->state.contacts.n > 0 || c->n > PC_PHASE_PATHS) return false;
    for (int i = 0; i < c->n; i++)
        if (!c->contact[i].press.p.linear || !is_sprung(&c->contact[i].press)) return false;
    return true;
}

/* One more spring along an axis of contact i: what a unit of force does, and what the velocities do to it. */
static void add(pc_contact_phase *s, pc_ode_springs *springs, int i, int axis, const double force[2], double stiffness,
                double damping)
{
    pc_system *system = &s->run->scratch.system;
    const pc_compliant *c = &s->run->state.compliant;
    int n = system->scene->n_dof, k = springs->n++;
    double *row = springs->row + k * n, *column = springs->column + k * n;
    memset(column, 0, (size_t)n * sizeof *column);
    pc_system_respond(system, c->contact[i].pair, &c->touch[i], force, column);
    pc_contact_phase_unit_velocities(s, c->contact[i].pair, &c->touch[i], s->unit);
    for (int j = 0; j < n; j++) row[j] = -s->unit[2 * j + axis];
    springs->stiffness[k] = stiffness;
    springs->damping[k] = damping;
    springs->component[k] = -1;
}

int pc_contact_phase_springs(double t, const double *y, pc_ode_springs *springs, void *context)
{
    pc_contact_phase *s = context;
    pc_system *system = &s->run->scratch.system;
    pc_compliant *c = &s->run->state.compliant;
    int got = pc_system_place(system, t, y);
    if (got != 0) return got;
    pc_compliant_evaluate(system);
    s->point = 0;
    pc_contact_phase_record_point(s);
    springs->n = 0;
    for (int i = 0; i < c->n; i++) {
        const pc_contact *press = &c->contact[i].press;
        const pc_tangential *e = &press->p.tangential;
        const pc_normal *n = &c->now[i].n;
        double rub = press->stuck ? 0 : -press->sign * e->mu,
               kt = e->kind == PC_TANGENTIAL_SPRING ? e->kt : e->ratio * n->k;
        add(s, springs, i, PC_N, (double[2]){rub, 1}, n->dFdu, n->dFdw);
        if (!pc_contact_phase_has_tangent(press)) continue;
        add(s, springs, i, PC_T, (double[2]){1, 0}, press->stuck ? kt : 0, 0);
        if (!press->stuck) continue;
        springs->component[springs->n - 1] = 2 * system->scene->n_dof + i * PC_ROWS + PC_ROW_Q;
        springs->factor[springs->n - 1] = -pc_tangential_gain(e, n);
    }
    return 0;
}

int pc_contact_phase_others(int point, double t, const double *y, const double *x, const double *v, double *dydt,
                            void *context)
{
    pc_contact_phase *s = context;
    (void)t;
    pc_run *run = s->run;
    pc_compliant *c = &run->state.compliant;
    const double *rows = y + 2 * run->scene->n_dof;
    for (int i = 0; i < c->n; i++, rows += PC_ROWS) {
        const pc_contact *press = &c->contact[i].press;
        pc_contact_phase_path *path = &s->path[i];
        pc_contact_values *m = &c->now[i];
        m->u = path->u[point] + *x++;
        m->w = path->w[point] += *v++;
        if (pc_contact_phase_has_tangent(press)) {
            x++;
            path->v_t[point] -= *v++;
        }
        m->v_t = path->v_t[point];
        m->q = rows[PC_ROW_Q];
        pc_contact_forces(press, m);
    }
    pc_compliant_rates(&run->scratch.system, NULL, dydt + 2 * run->scene->n_dof);
    if (point + 1 == PC_PHASE_POINTS) s->point = PC_PHASE_POINTS;
    return 0;
}
