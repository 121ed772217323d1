/* Contacts that last: see lasting.h. */
#include "engine/lasting.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "math/friction.h"
#include "math/linsolve.h"
#include "engine/compliant.h"

#include <math.h>
#include <string.h>

/* See soften(). */
static const double PULL = 0.1;

pc_status pc_contacts_reserve(pc_contacts *c, int n, pc_error *err)
{
    const pc_column columns[] = {PC_COLUMN(c->touch),  PC_COLUMN(c->force), PC_COLUMN(c->press), PC_COLUMN(c->parting),
                                 PC_COLUMN(c->rubbed), PC_COLUMN(c->pair),  PC_COLUMN(c->mode)};
    if (pc_columns_reserve(columns, sizeof columns / sizeof *columns, &c->room, (size_t)n)) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", n);
}

void pc_contacts_close(pc_contacts *c)
{
    pc_free(c->touch); /* the first list */
    *c = (pc_contacts){0};
}

void pc_contacts_copy(pc_contacts *to, const pc_contacts *from)
{
    to->n = from->n;
    for (int i = 0; i < from->n; i++) {
        to->pair[i] = from->pair[i];
        to->mode[i] = from->mode[i];
    }
}

void pc_contacts_open(pc_contacts *contacts, int pair)
{
    int i = pc_contacts_find(contacts, pair);
    if (i < 0) return;
    contacts->n--;
    for (; i < contacts->n; i++) {
        contacts->pair[i] = contacts->pair[i + 1];
        contacts->mode[i] = contacts->mode[i + 1];
    }
}

pc_status pc_touching_add(pc_touching *touching, int pair, bool rest, bool still, pc_error *err)
{
    for (int i = 0; i < touching->n; i++) {
        if (touching->at[i].pair != pair) continue;
        touching->at[i].rest |= rest;
        touching->at[i].still |= still;
        return PC_OK;
    }
    if (!PC_GROW(touching->at, touching->room, touching->n + 1))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", touching->n + 1);
    touching->at[touching->n++] = (pc_touching_pair){.pair = pair, .rest = rest, .still = still};
    return PC_OK;
}

/* Touches of all closed pairs. */
static void touch_all(pc_contacts *c, const pc_mechanics *m)
{
    for (int i = 0; i < c->n; i++) pc_mechanics_touch(m, c->pair[i], &c->touch[i]);
}

/* Forces of compliant contacts (NULL: none), and those points of them that stick without an element: behind the closed
 * pairs, with a tangential condition and no normal one, since their normal force is known. How many there are. */
static int find_held(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m)
{
    if (!compliant) return 0;
    pc_compliant_evaluate(compliant, m);
    int held = pc_compliant_held(compliant);
    for (int k = 0; k < held; k++) {
        int i = compliant->held[k];
        c->pair[c->n + k] = compliant->contact[i].pair;
        c->touch[c->n + k] = compliant->touch[i];
        c->mode[c->n + k] = 0;
        compliant->now[i].Ft = 0;
    }
    return held;
}

double pc_contacts_slip_mobility(const pc_contacts *c, const pc_mechanics *m, const pc_block *block, int i)
{
    return pc_block_slip_mobility(block, i, c->mode[i], pc_mechanics_pairing(m, c->pair[i]).friction);
}

/* Touches of the closed pairs, and W of them and of as many held points behind them. */
static void build(pc_contacts *c, int held, const pc_mechanics *m, pc_block *block)
{
    touch_all(c, m);
    pc_block_build(block, m, &(pc_contact_set){c->n + held, c->pair, c->touch});
}

static bool solve_modes(const pc_contacts *c, const pc_mechanics *m, pc_block *block, bool smooth, bool press,
                        double (*force)[2])
{
    pc_kept_modes *kept = &block->kept;
    kept->n = c->n;
    for (int i = 0; i < block->n; i++) {
        const pc_pairing pairing = pc_mechanics_pairing(m, c->pair[i]);
        kept->mode[i] = c->mode[i];
        kept->friction[i] = pairing.friction;
        kept->static_friction[i] = pairing.static_friction;
    }
    return pc_block_solve_modes(block, smooth, press, force);
}

/* Accelerations of the contact points without their forces. */
static int bias(const pc_contacts *c, const pc_compliant *compliant, const pc_mechanics *m, pc_block *block,
                const pc_acting *more)
{
    int got = pc_compliant_accelerations(compliant, m, block, more, block->a);
    for (int i = 0; i < block->n && got == 0; i++)
        pc_mechanics_acceleration(m, c->pair[i], &c->touch[i], block->a, block->b + 2 * i);
    return got;
}

/* Two held points of one body ask for nearly the same. So that their forces stay what friction could be, and do not
 * jump where rounding makes the conditions dependent, they give by a millionth, and are brought back: they creep at
 * about that share of the speed that their load would reach in the time of an impact. */
static void soften(const pc_contacts *c, const pc_compliant *compliant, pc_block *block, int held)
{
    for (int k = 0; k < held && held > 1; k++) {
        const pc_compliant_contact *contact = &compliant->contact[compliant->held[k]];
        int row = 2 * (c->n + k) + PC_T;
        block->W[row * 2 * block->n + row] *= 1 + PC_CLEARLY;
        block->b[row] += PULL * compliant->now[compliant->held[k]].v_t * contact->speed / contact->length;
    }
}

int pc_contacts_accelerate_under(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block,
                                 const pc_acting *more, double *a)
{
    int held = find_held(c, compliant, m);
    if (c->n + held > 0) {
        build(c, held, m, block);
        int got = bias(c, compliant, m, block, more);
        if (got != 0) return got;
        soften(c, compliant, block, held);
        block->shared = solve_modes(c, m, block, true, true, c->force);
        for (int k = 0; k < held; k++) compliant->now[compliant->held[k]].Ft = c->force[c->n + k][PC_T];
    }
    const pc_acting closed = {{c->n, c->pair, c->touch}, (const double *)c->force, more};
    return pc_compliant_accelerations(compliant, m, block, &closed, a);
}

/* y += the jump that impulses at the closed pairs make. */
static void add_jump(const pc_contacts *c, const pc_mechanics *m, pc_block *block, double (*impulse)[2], double *y)
{
    pc_mechanics_jump(m, &(pc_contact_set){c->n, c->pair, c->touch}, *impulse, block->a);
    for (int i = 0; i < m->n; i++) y[i] += block->a[i];
}

/* Its velocity is what that of the bodies alone has more than the relative one. */
double pc_carried_work(const pc_mechanics *m, const pc_contact_set *set, const double *p)
{
    double sum = 0, t;
    const double *q, *u;
    if (!m->carried) return 0;
    m->provider->state(m->self, m->at, &t, &q, &u);
    for (int i = 0; i < set->n; i++) {
        double alone[2], v[2];
        pc_mechanics_change(m, set->place[i], &set->touch[i], u, alone);
        pc_mechanics_velocity(m, set->place[i], &set->touch[i], v);
        for (int k = 0; k < 2; k++) sum += p[2 * i + k] * (alone[k] - v[k]);
    }
    return sum;
}

double pc_contacts_project(pc_contacts *c, const pc_mechanics *m, pc_block *block, bool rub, double *y)
{
    double(*impulse)[2] = (double(*)[2])block->p;
    build(c, 0, m, block);
    /* velocities first: they are asked of the configuration that was made */
    for (int i = 0; i < c->n; i++) pc_mechanics_velocity(m, c->pair[i], &c->touch[i], block->b + 2 * i);
    solve_modes(c, m, block, rub, false, impulse);
    double given = pc_carried_work(m, &(pc_contact_set){c->n, c->pair, c->touch}, *impulse);
    add_jump(c, m, block, impulse, y + m->n);
    for (int i = 0; i < c->n; i++) {
        block->kept.mode[i] = 1; /* positions along the tangent are free */
        block->b[2 * i + PC_T] = 0;
        block->b[2 * i + PC_N] = c->touch[i].gap;
    }
    pc_block_solve_modes(block, false, false, impulse);
    add_jump(c, m, block, impulse, y);
    return given;
}

/* All pairs at rest, and the forces that hold them there are within their cones: then they may stay, even where the
 * search for modes ends without an answer (a wedged link, on which slip either way would press harder). */
static bool all_stick(pc_contacts *c, const pc_mechanics *m, pc_block *block)
{
    for (int i = 0; i < c->n; i++)
        if (c->mode[i] != 0) return false;
    double largest = 0;
    solve_modes(c, m, block, true, true, c->force);
    for (int i = 0; i < c->n; i++) largest = fmax(largest, fabs(c->force[i][PC_N]) + fabs(c->force[i][PC_T]));
    for (int i = 0; i < c->n; i++) {
        double bound = pc_mechanics_pairing(m, c->pair[i]).static_friction * c->force[i][PC_N];
        if (!(c->force[i][PC_N] > pc_rank_bound(largest)) || fabs(c->force[i][PC_T]) > bound) return false;
    }
    return true;
}

/* Forces in block->p for pairs that touch, held points among them, by their modes; accelerations within `least` of
 * zero, what a solution may leave of the greatest, are zero. */
static pc_verdict solve_free(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block,
                             double *least)
{
    int held = find_held(c, compliant, m);
    build(c, held, m, block);
    if (bias(c, compliant, m, block, NULL) != 0) return PC_STOPPED;

    pc_rubbing *rub = block->rubbing;
    for (int i = 0; i < block->n; i++) {
        const pc_pairing pairing = pc_mechanics_pairing(m, c->pair[i]);
        rub[i] = (pc_rubbing){.mu = c->mode[i] ? pairing.friction : pairing.static_friction, .slip = c->mode[i]};
        if (i < c->n) continue;
        rub[i].held = true; /* with a normal force that is known */
        rub[i].given = fmax(compliant->now[compliant->held[i - c->n]].Fn, 0);
    }
    *least = m->fall;
    for (int i = 0; i < 2 * block->n; i++) *least = fmax(*least, fabs(block->b[i]));
    *least = pc_rank_bound(*least);
    return pc_block_solve_friction(block, block->b, *least, block->p) ? PC_CONSISTENT : PC_INCONSISTENT;
}

/* The acceleration (t, n) of a pair that goes with block->p. */
static double accelerated(const pc_block *block, int row)
{
    int side = 2 * block->n;
    double sum = block->b[row];
    for (int k = 0; k < side; k++) sum += block->W[row * side + k] * block->p[k];
    return sum;
}

int pc_contacts_persist(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block, bool *hold)
{
    double least;
    pc_verdict verdict = solve_free(c, compliant, m, block, &least);
    if (verdict == PC_STOPPED) return -1;
    *hold = verdict == PC_CONSISTENT;
    /* clearly more than that: what decides on modes will see it as well */
    double clear = least * PC_CLEARLY / PC_RANK_TOLERANCE;
    for (int i = 0; i < c->n && *hold; i++) {
        bool slips = c->mode[i] == 0 && fabs(accelerated(block, 2 * i + PC_T)) > clear;
        *hold = !slips && accelerated(block, 2 * i + PC_N) <= clear;
    }
    return 0;
}

pc_verdict pc_contacts_decide(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block)
{
    int n = c->n, kept = 0;
    double least;
    pc_verdict verdict = solve_free(c, compliant, m, block, &least);
    if (verdict == PC_INCONSISTENT && all_stick(c, m, block)) return PC_CONSISTENT;
    if (verdict != PC_CONSISTENT) return verdict;
    for (int i = 0; i < n; i++) {
        int mode = c->mode[i];
        double N = block->p[2 * i + PC_N];
        if (mode == 0) {
            double slide = accelerated(block, 2 * i + PC_T);
            bool smooth = pc_mechanics_pairing(m, c->pair[i]).static_friction == 0;
            mode = slide < -least ? -1 : slide > least || smooth ? 1 : 0;
        }
        const double *W = block->W + (2 * i + PC_N) * 2 * block->n + 2 * i;
        if (!(N * W[PC_N] > least)) continue; /* opens, or touches without a force */
        c->pair[kept] = c->pair[i];
        c->touch[kept] = c->touch[i];
        c->mode[kept] = mode;
        c->press[kept] = N * W[PC_N] + block->p[2 * i + PC_T] * W[PC_T];
        kept++;
    }
    c->n = kept;
    return PC_CONSISTENT;
}
