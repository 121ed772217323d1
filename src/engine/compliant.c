/* Forces of compliant contacts within a motion: see compliant.h. */
#include "engine/compliant.h"

#include "base/alloc.h"

#include <math.h>

pc_status pc_compliant_reserve(pc_compliant *c, int n, pc_error *err)
{
    const pc_column columns[] = {PC_COLUMN(c->contact), PC_COLUMN(c->touch),  PC_COLUMN(c->now),
                                 PC_COLUMN(c->held),    PC_COLUMN(c->braced), PC_COLUMN(c->loose)};
    if (pc_columns_reserve(columns, sizeof columns / sizeof *columns, &c->room, (size_t)n)) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", n);
}

void pc_compliant_close(pc_compliant *c)
{
    pc_free(c->contact); /* the first list */
    *c = (pc_compliant){0};
}

bool pc_compliant_has(const pc_compliant *c, int pair)
{
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].pair == pair) return true;
    return false;
}

/* How fast a touching contact rolls, times the length by which it resists that; its forces act aside by that. */
static void resist_rolling(const pc_compliant *c, const pc_mechanics *mechanics, int i)
{
    const pc_contact *contact = &c->contact[i].base;
    pc_touch turning = c->touch[i];
    double v[2];
    turning.couple = contact->rolling;
    pc_mechanics_velocity(mechanics, c->contact[i].pair, &turning, v);
    c->now[i].turn = v[PC_T];
    c->touch[i].aside = -contact->roll * contact->rolling;
}

/* Slope at time t of a row of an arc. */
static double slope_at(const pc_dense *arc, int row, double t)
{
    pc_dense slope = {arc->t, arc->h, 1, arc->degree - 1, (double[PC_DENSE_DEGREE]){0}};
    const double *c = arc->c + row * (arc->degree + 1);
    for (int j = 0; j < arc->degree; j++) slope.c[j] = arc->degree * (c[j + 1] - c[j]) / arc->h;
    double value;
    pc_dense_eval(&slope, pc_dense_place(&slope, t), &value);
    return value;
}

void pc_compliant_evaluate(pc_compliant *c, const pc_mechanics *mechanics)
{
    double t;
    const double *q, *u;
    if (c->n == 0) return;
    mechanics->provider->state(mechanics->at, &t, &q, &u);
    const double *rows = u + mechanics->n;
    for (int i = 0; i < c->n; i++) {
        pc_contact_values *m = &c->now[i];
        pc_mechanics_touch(mechanics, c->contact[i].pair, &c->touch[i]);
        if (c->given) {
            m->u = c->given[i].u;
            m->w = c->given[i].w;
            m->v_t = c->given[i].v_t;
        } else {
            double v[2];
            pc_mechanics_velocity(mechanics, c->contact[i].pair, &c->touch[i], v);
            m->u = -(c->touch[i].gap + c->contact[i].residual);
            m->w = -v[PC_N];
            m->v_t = v[PC_T];
        }
        const double *own = rows + i * pc_compliant_rows(c);
        m->q = own[PC_ROW_Q];
        for (int j = 0; j < c->contact[i].base.p.memory; j++) m->recall[j] = own[PC_ROWS + j];
        if (c->past && pc_contact_has_rings(&c->contact[i].base)) {
            int row = 2 * mechanics->n + i * pc_compliant_rows(c) + PC_ROW_PT;
            m->Ft = slope_at(c->past, row, t);
            m->kept = -own[PC_ROW_WT];
        }
        pc_contact_forces(&c->contact[i].base, m);
        if (c->contact[i].base.rolling > 0) resist_rolling(c, mechanics, i);
        if (!c->touch[i].meets) m->n.release = -1 - fabs(m->n.release); /* beyond an edge: see scene/places.c */
    }
}

int pc_compliant_accelerations(const pc_compliant *c, const pc_mechanics *m, pc_block *block, const pc_acting *more,
                               double *a)
{
    if (!c || c->n == 0) return pc_mechanics_accelerations(m, more, a);
    int *place = block->index;
    double *force = block->p;
    for (int i = 0; i < c->n; i++) {
        place[i] = c->contact[i].pair;
        force[2 * i + PC_T] = c->now[i].Ft;
        force[2 * i + PC_N] = c->now[i].Fn;
    }
    const pc_acting all = {{c->n, place, c->touch}, force, more};
    return pc_mechanics_accelerations(m, &all, a);
}

int pc_compliant_held(pc_compliant *c)
{
    int held = 0;
    for (int i = 0; i < c->n; i++)
        if (pc_contact_is_constrained(&c->contact[i].base)) c->held[held++] = i;
    return held;
}

int pc_compliant_braced(pc_compliant *c)
{
    int braced = 0;
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].base.rolling > 0 && c->contact[i].base.roll == 0) c->braced[braced++] = i;
    return braced;
}

bool pc_compliant_rolls(const pc_compliant *c)
{
    for (int i = 0; i < c->n; i++)
        if (c->contact[i].base.rolling > 0) return true;
    return false;
}

static void turn(pc_compliant *c, const pc_mechanics *m, int i, const double *a)
{
    double dv[2];
    pc_mechanics_acceleration(m, c->contact[i].pair, &c->touch[i], a, dv);
    c->now[i].dw = -dv[PC_N];
    c->now[i].dv_t = dv[PC_T];
}

void pc_compliant_rates(pc_compliant *c, const pc_mechanics *mechanics, const double *a, double *rate)
{
    for (int i = 0; i < c->n; i++) {
        const pc_contact *contact = &c->contact[i].base;
        pc_contact_values *m = &c->now[i];
        if (a) turn(c, mechanics, i, a);
        pc_contact_rates(contact, m, a ? m->dw : 0);
        if (!rate) continue;
        bool grows = contact->stuck || pc_contact_has_rings(contact);
        rate[PC_ROW_Q] = grows ? m->v_t * pc_tangential_gain(&contact->p.tangential, &m->n) : 0;
        rate[PC_ROW_PT] = m->Ft;
        rate[PC_ROW_PN] = m->Fn;
        rate[PC_ROW_WN] = -m->Fn * m->w;
        rate[PC_ROW_WT] = m->stretching;
        rate[PC_ROW_WF] = m->Ft * (pc_contact_is_constrained(contact) ? m->v_t : m->slip); /* a held point may creep */
        if (pc_contact_has_rings(contact) || pc_contact_stretch_follows(contact))
            rate[PC_ROW_WF] = m->Ft * m->v_t - m->stretching;
        if (contact->rolling > 0)
            rate[PC_ROW_WF] += contact->roll != 0 ? -contact->roll * m->Fn * m->turn : m->hold * m->turn;
        for (int j = 0; j < c->memory; j++) rate[PC_ROWS + j] = 0;
        if (contact->p.memory > 0) pc_contact_remember(contact, m, rate + PC_ROWS);
        rate += pc_compliant_rows(c);
    }
}

double pc_compliant_stored(const pc_compliant *c)
{
    double sum = 0;
    for (int i = 0; i < c->n; i++) sum += pc_contact_stored(&c->contact[i].base, &c->now[i]);
    return sum;
}

void pc_compliant_works(const pc_contact *contact, const pc_contact_values *m, const double *rows, double work[3])
{
    double apart = pc_contact_stretch_follows(contact) ? pc_contact_stored_along(contact, m) : 0;
    work[0] = rows[PC_ROW_WN];
    work[1] = rows[PC_ROW_WT] - apart;
    work[2] = rows[PC_ROW_WF] + apart;
}

void pc_compliant_work(const pc_compliant *c, const double *rows, double *elements, double *friction)
{
    *elements = *friction = 0;
    for (int i = 0; i < c->n; i++, rows += pc_compliant_rows(c)) {
        double work[3];
        pc_compliant_works(&c->contact[i].base, &c->now[i], rows, work);
        *elements += work[0] + work[1];
        *friction += work[2];
    }
}
