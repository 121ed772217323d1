/* Rates and their derivatives while compliant contacts are closed: see phase.h.
 *
 * A contact's force changes over an indentation that may be a millionth of the coordinates, so differences of the
 * rates in the coordinates would be all rounding. They are taken in two parts. With u, w and v_t of all contacts held
 * fixed the rates are smooth in the coordinates; and in u, w, v_t and q of each contact by itself they are functions
 * of numbers that can be changed by shares of their own size. How these depend on the coordinates is geometry:
 *
 *     df/dy = df/dy|(u, w, v_t) + sum_i df/d(u, w, v_t)_i d(u, w, v_t)_i/dy
 */
#include "engine/phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Slopes may cost a call of an element four times more: they are asked for where a step ends, of others forces, and in
 * between these with their rates. */
static void ask_forces(pc_compliant *c, bool alone, bool lean)
{
    for (int i = 0; i < c->n; i++) {
        bool may = pc_contact_needs_no_slopes(&c->contact[i].base);
        c->now[i].force_alone = alone && may;
        c->now[i].lean = lean && may;
    }
}

int pc_contact_phase_evaluate(pc_contact_phase *s, double t, const double *y, bool ends)
{
    int got = pc_mechanics_place(s->mechanics, t, y);
    if (got != 0) return got;
    ask_forces(s->compliant, false, !ends);
    pc_compliant_evaluate(s->compliant, s->mechanics);
    bool needed = ends;
    for (int i = 0; i < s->compliant->n; i++) {
        const pc_contact *c = &s->compliant->contact[i].base;
        needed |= pc_contact_is_constrained(c) || c->rolling > 0 || s->compliant->now[i].n.dFdw != 0 ||
                  c->element->rate || pc_tangential_is_damped(&c->p.tangential);
    }
    if (needed) got = pc_contacts_accelerate(s->contacts, s->compliant, s->mechanics, s->block, s->a);
    if (got != 0) return got;
    pc_compliant_rates(s->compliant, s->mechanics, needed ? s->a : NULL, NULL);
    ask_forces(s->compliant, false, false);
    return 0;
}

static bool any_sticks(const pc_compliant *c)
{
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].base.stuck) return true;
    return false;
}

/* What slips on a spring beside a dashpot moves as the accelerations say, and so do works. */
static bool any_needs_accelerations(const pc_compliant *c)
{
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        if (!contact->stuck && contact->p.tangential.kind == PC_TANGENTIAL_SPRING_DASHPOT) return true;
    }
    return false;
}

static int find_rates(pc_contact_phase *s, double t, const double *y, double *dydt)
{
    int n = s->mechanics->n;
    if (s->direct && s->evaluated) {
        s->options.shortcut.accelerate(s->options.shortcut.self, s->compliant, y, dydt + n);
    } else {
        int got = pc_mechanics_place(s->mechanics, t, y);
        if (got == 0) got = pc_contacts_accelerate(s->contacts, s->compliant, s->mechanics, s->block, dydt + n);
        if (got != 0) return got;
    }
    for (int j = 0; j < n; j++) dydt[j] = y[n + j];
    if (s->point >= 0 && s->point < PC_PHASE_POINTS) {
        pc_contact_phase_record_point(s);
        if (!any_sticks(s->compliant)) return 0; /* the rows come later, by pc_contact_phase_others */
    }
    bool known = s->evaluated && !any_needs_accelerations(s->compliant);
    pc_compliant_rates(s->compliant, s->mechanics, known ? NULL : dydt + n, dydt + 2 * n);
    s->evaluated = true;
    return 0;
}

int pc_contact_phase_rhs(double t, const double *y, double *dydt, void *context)
{
    pc_contact_phase *s = context;
    ask_forces(s->compliant, s->evaluated, false); /* the first tells all that is known where a phase begins */
    int got = find_rates(s, t, y, dydt);
    ask_forces(s->compliant, false, false);
    return got;
}

/* A way in the time of an impact, hundreds of differences long. */
static const double ASIDE = 1e-5;

/* A step for differences: small beside the size of a number, so that curvature does not matter, and long beside its
 * rounding. */
static double difference(double size)
{
    return sqrt(DBL_EPSILON) * size;
}

/* Values below this do not make the rates curve more than it would: an angle of 1, a length of those in the gaps that
 * are closed, and of velocities what moves that far in the time in which the fastest contact does. */
static double least_size(const pc_contact_phase *s, int j)
{
    const pc_compliant *c = s->compliant;
    int dof = s->mechanics->n;
    double length = INFINITY, speed = 0;
    for (int i = 0; i < c->n; i++) {
        length = fmin(length, s->pairing[i].length);
        speed = fmax(speed, c->contact[i].speed);
    }
    double size = s->mechanics->provider->is_angle(s->mechanics->self, j % dof) ? 1 : length;
    return j < dof ? size : size * speed / length;
}

/* Column j of df/dy with the contacts' own variables held fixed; and for coordinates how w and v_t change with it. */
static int smooth_column(pc_contact_phase *s, double t, double *y, int j, const double *f0, double *f, double *J)
{
    pc_compliant *c = s->compliant;
    int n = s->problem.ode.n;
    double kept = y[j], step = difference(fmax(fabs(kept), least_size(s, j)));
    y[j] = kept + step;
    step = y[j] - kept;
    int got = pc_contact_phase_rhs(t, y, f, s);
    for (int i = 0; i < n && got == 0; i++) J[i * n + j] = (f[i] - f0[i]) / step;
    for (int k = 0; k < c->n && got == 0 && j < s->mechanics->n; k++) {
        double v[2], *slope = s->slope + 2 * (j * c->n + k);
        pc_mechanics_velocity(s->mechanics, c->contact[k].pair, &c->touch[k], v);
        slope[PC_T] = (v[PC_T] - c->given[k].v_t) / step;
        slope[PC_N] = (v[PC_N] + c->given[k].w) / step;
    }
    y[j] = kept;
    return got;
}

void pc_contact_phase_unit_velocities(pc_contact_phase *s, int pair, const pc_touch *touch, double *unit)
{
    int n = s->mechanics->n;
    memset(s->a, 0, (size_t)n * sizeof *s->a);
    for (int j = 0; j < n; j++) {
        s->a[j] = 1;
        pc_mechanics_change(s->mechanics, pair, touch, s->a, unit + 2 * j);
        s->a[j] = 0;
    }
}

/* J of one variable of contact k, of which the rates change at `rate`: 0 is u, 1 is w, 2 is v_t. */
static void spread(const pc_contact_phase *s, int k, int variable, double rate, double *row)
{
    int dof = s->mechanics->n, n = s->compliant->n, axis = variable == 2 ? PC_T : PC_N;
    const double *unit = s->unit + 2 * k * dof;
    if (variable < 2) rate = -rate; /* u and w grow against n */
    for (int j = 0; j < dof; j++) {
        if (variable == 0) {
            row[j] += rate * unit[2 * j + PC_N];
            continue;
        }
        row[j] += rate * s->slope[2 * (j * n + k) + axis];
        row[dof + j] += rate * unit[2 * j + axis];
    }
}

static bool slides_freely(const pc_contact *contact)
{
    return !contact->stuck && contact->p.tangential.mu == 0 && !pc_contact_has_rings(contact);
}

/* Rings that slip stand at a kink where a step begins, and rates are those beyond it: go on along the motion by more
 * than a difference. True if a contact has rings. */
static bool step_aside(const pc_contact_phase *s, pc_contact_values *given, double *y)
{
    const pc_compliant *c = s->compliant;
    bool any = false;
    for (int k = 0; k < c->n; k++) {
        const pc_compliant_contact *contact = &c->contact[k];
        if (!pc_contact_has_rings(&contact->base)) continue;
        double time = ASIDE * contact->length / contact->speed;
        given[k].u += time * given[k].w;
        y[2 * s->mechanics->n + k * pc_compliant_rows(c) + PC_ROW_Q] += time * given[k].v_t;
        any = true;
    }
    return any;
}

static int differentiate(pc_contact_phase *s, double t, const double *given_y, double *J)
{
    pc_compliant *c = s->compliant;
    int n = s->problem.ode.n, dof = s->mechanics->n;
    double *y = s->base, *f0 = s->spare, *f = s->rates;
    pc_contact_values *given = s->given;
    memcpy(y, given_y, (size_t)n * sizeof *y);
    int got = pc_contact_phase_rhs(t, y, f0, s);
    if (got != 0) return got;
    memcpy(given, c->now, (size_t)c->n * sizeof *given);
    for (int k = 0; k < c->n; k++)
        pc_contact_phase_unit_velocities(s, c->contact[k].pair, &c->touch[k], s->unit + 2 * k * dof);

    c->given = given;
    if (got == 0 && step_aside(s, given, y)) got = pc_contact_phase_rhs(t, y, f0, s);
    for (int j = 0; j < 2 * dof && got == 0; j++) got = smooth_column(s, t, y, j, f0, f, J);
    for (int k = 0; k < c->n && got == 0; k++) {
        const pc_compliant_contact *contact = &c->contact[k];
        int column = 2 * dof + k * pc_compliant_rows(c) + PC_ROW_Q;
        double *own[4 + PC_MEMORY] = {&given[k].u, &given[k].w, &given[k].v_t, &y[column]};
        double least[4 + PC_MEMORY] = {1e-3 * contact->length, contact->speed, contact->speed, 1e-3 * s->scale[column]};
        const int memory = contact->base.p.memory;
        for (int j = 0; j < memory; j++) own[4 + j] = &y[column + PC_ROWS + j], least[4 + j] = 1e-3;
        for (int v = 0; v < 4 + memory && got == 0; v++) {
            /* nothing depends on v_t, and q is not in use */
            if ((v == 2 || v == 3) && slides_freely(&contact->base)) continue;
            double kept = *own[v], step = difference(fmax(fabs(kept), least[v]));
            *own[v] = kept + step;
            step = *own[v] - kept;
            got = pc_contact_phase_rhs(t, y, f, s);
            *own[v] = kept;
            for (int i = 0; i < n && got == 0; i++) {
                double rate = (f[i] - f0[i]) / step;
                if (v >= 3)
                    J[i * n + (v == 3 ? column : column + PC_ROWS + v - 4)] = rate;
                else if (rate != 0)
                    spread(s, k, v, rate, J + i * n);
            }
        }
    }
    c->given = NULL;
    return got;
}

int pc_contact_phase_jacobian(double t, const double *y, double *J, void *context)
{
    pc_contact_phase *s = context;
    const bool direct = s->direct;
    s->direct = false; /* touches are asked for, and what contacts do is given */
    int got = differentiate(s, t, y, J);
    s->direct = direct;
    return got;
}
