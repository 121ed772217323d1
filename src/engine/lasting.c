/* Contacts that last: see lasting.h. */
#include "engine/lasting.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "math/friction.h"
#include "math/fixed_point.h"
#include "math/linsolve.h"
#include "engine/compliant.h"

#include <math.h>
#include <string.h>

/* See soften(). */
static const double PULL = 0.1;

pc_status pc_contacts_reserve(pc_contacts *c, int n, pc_error *err)
{
    const size_t remembered = PC_FIXED_POINT_MEMORY * sizeof(double);
    const pc_column columns[] = {
        PC_COLUMN(c->touch), PC_COLUMN(c->force), PC_COLUMN(c->cling),    PC_COLUMN(c->press),    PC_COLUMN(c->parting),
        PC_COLUMN(c->load),  PC_COLUMN(c->reach), {&c->lack, remembered}, {&c->last, remembered}, PC_COLUMN(c->rubbed),
        PC_COLUMN(c->hold),  PC_COLUMN(c->pair),  PC_COLUMN(c->mode),     PC_COLUMN(c->roll)};
    size_t most = 2 * (size_t)n; /* with the couples of those at rest */
    if (pc_columns_reserve(columns, sizeof columns / sizeof *columns, &c->room, most)) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", n);
}

void pc_contacts_close(pc_contacts *c)
{
    pc_free(c->touch); /* the first list */
    *c = (pc_contacts){0};
}

void pc_contacts_copy(pc_contacts *to, const pc_contacts *from)
{
    to->n = 0;
    for (int i = 0; i < from->n; i++) pc_contacts_add(to, from, i);
}

void pc_contacts_open(pc_contacts *contacts, int pair)
{
    int n = contacts->n, i = pc_contacts_find(contacts, pair);
    if (i < 0) return;
    for (contacts->n = i; ++i < n;) pc_contacts_add(contacts, contacts, i);
}

pc_touching_pair *pc_touching_add(pc_touching *touching, int pair, pc_error *err)
{
    for (int i = 0; i < touching->n; i++)
        if (touching->at[i].pair == pair) return &touching->at[i];
    if (!PC_GROW(touching->at, touching->room, touching->n + 1)) {
        pc_fail(err, PC_E_MEMORY, "not enough memory for %d contacts", touching->n + 1);
        return NULL;
    }
    pc_touching_pair *p = &touching->at[touching->n++]; /* whose touch is set when they are sorted */
    p->pair = pair;
    p->slip = p->roll = 0;
    p->rest = p->halts = p->still = p->kept = false;
    return p;
}

/* Touches of all closed pairs. */
static void touch_all(pc_contacts *c, const pc_mechanics *m)
{
    for (int i = 0; i < c->n; i++) {
        pc_mechanics_touch(m, c->pair[i], &c->touch[i]);
        if (c->roll[i] != 0) c->touch[i].aside = -c->roll[i] * pc_mechanics_pairing(m, c->pair[i])->rolling;
    }
}

/* Whether contact i is held against rolling. */
static bool is_braced(const pc_contacts *c, const pc_mechanics *m, int i)
{
    return m->rolls && c->roll[i] == 0 && pc_mechanics_pairing(m, c->pair[i])->rolling > 0;
}

/* The couples of those at rest, behind the closed pairs, which have been touched: with a tangential condition, that of
 * turning, and no normal one. How many there are. */
static int find_couples(pc_contacts *c, const pc_mechanics *m)
{
    int k = c->n;
    for (int i = 0; i < c->n && m->rolls; i++) {
        if (!is_braced(c, m, i)) continue;
        c->pair[k] = c->pair[i];
        c->mode[k] = 0;
        c->touch[k] = c->touch[i];
        c->touch[k++].couple = pc_mechanics_pairing(m, c->pair[i])->rolling;
    }
    return k - c->n;
}

/* What holds them, of which the solution is `p`, (t, n) of each. */
static void note_holds(pc_contacts *c, const pc_mechanics *m, const double *p)
{
    int k = c->n;
    for (int i = 0; i < c->n; i++) c->hold[i] = is_braced(c, m, i) ? p[2 * k++ + PC_T] : 0;
}

/* Forces of compliant contacts (NULL: none), and those points of them that stick without an element: from `first` on,
 * with a tangential condition and no normal one, since their normal force is known. How many there are. */
static int find_held(pc_contacts *c, int first, pc_compliant *compliant, const pc_mechanics *m)
{
    if (!compliant) return 0;
    pc_compliant_evaluate(compliant, m);
    int held = pc_compliant_held(compliant);
    for (int k = 0; k < held; k++) {
        int i = compliant->held[k];
        c->pair[first + k] = compliant->contact[i].pair;
        c->touch[first + k] = compliant->touch[i];
        c->mode[first + k] = 0;
        compliant->now[i].Ft = 0;
    }
    return held;
}

/* Behind them, from `first` on, what holds compliant contacts against rolling: their couples. How many there are. */
static int find_braces(pc_contacts *c, int first, pc_compliant *compliant)
{
    const int braced = compliant ? pc_compliant_braced(compliant) : 0;
    for (int k = 0; k < braced; k++) {
        const int i = compliant->braced[k];
        c->pair[first + k] = compliant->contact[i].pair;
        c->touch[first + k] = compliant->touch[i];
        c->touch[first + k].couple = compliant->contact[i].base.rolling;
        c->mode[first + k] = 0;
        compliant->now[i].hold = 0;
    }
    return braced;
}

/* Friction that makes the forces grow so many times that bound it jams: in motion they go to infinity from there in a
 * time of that share, and beyond it rounding in a reaction, 1e-12 of it, is what a step may be off. */
static const double GROWN = 3e4;

bool pc_contacts_run_away(const pc_block *block)
{
    return block->grown > GROWN;
}

double pc_contacts_slip_mobility(const pc_contacts *c, const pc_mechanics *m, const pc_block *block, int i)
{
    return pc_block_slip_mobility(block, i, c->mode[i], pc_mechanics_pairing(m, c->pair[i])->friction);
}

/* What stands behind the closed pairs. */
typedef struct behind {
    int couples, held, braces;
} behind;

/* Touches of the closed pairs, and W of them and of what stands behind them. */
static behind build(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block)
{
    touch_all(c, m);
    behind all = {.couples = find_couples(c, m)};
    all.held = find_held(c, c->n + all.couples, compliant, m);
    all.braces = find_braces(c, c->n + all.couples + all.held, compliant);
    pc_block_build(block, m, &(pc_contact_set){c->n + all.couples + all.held + all.braces, c->pair, c->touch});
    return all;
}

static bool solve_modes(const pc_contacts *c, const pc_mechanics *m, pc_block *block, bool smooth, bool press,
                        double (*force)[2])
{
    pc_kept_modes *kept = &block->kept;
    kept->n = c->n;
    for (int i = 0; i < block->n; i++) {
        const pc_pairing *pairing = pc_mechanics_pairing(m, c->pair[i]);
        kept->mode[i] = c->mode[i];
        kept->apart[i] = pairing->always;
        kept->friction[i] = pairing->friction;
        kept->static_friction[i] = c->touch[i].couple != 0 ? 1 : pairing->static_friction;
    }
    return pc_block_solve_modes(block, smooth, press, force);
}

/* What holds the closed pairs together, before `more`; `more` alone where nothing does. */
static const pc_acting *hold_together(const pc_contacts *c, const pc_mechanics *m, const pc_acting *more,
                                      pc_acting *cling)
{
    if (!m->clings) return more;
    for (int i = 0; i < c->n; i++) {
        c->cling[i][PC_T] = 0;
        c->cling[i][PC_N] = -pc_mechanics_pairing(m, c->pair[i])->pull;
    }
    *cling = (pc_acting){{c->n, c->pair, c->touch}, (const double *)c->cling, more};
    return cling;
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
static void soften(int first, const pc_compliant *compliant, pc_block *block, int held)
{
    for (int k = 0; k < held && held > 1; k++) {
        const pc_compliant_contact *contact = &compliant->contact[compliant->held[k]];
        int row = 2 * (first + k) + PC_T;
        block->W[row * 2 * block->n + row] *= 1 + PC_CLEARLY;
        block->b[row] += PULL * compliant->now[compliant->held[k]].v_t * contact->speed / contact->length;
    }
}

/* ---- normal forces that are sizes of reactions ----
 *
 * They are sought from zero on, so that nothing of before is in them. Friction changes the reaction by which it is
 * bounded by some hundredths as a rule: the share of the radius of a pin in the lengths. */

static pc_fixed_point begin_loads(pc_contacts *c)
{
    for (int i = 0; i < c->n; i++) c->load[i] = 0;
    return (pc_fixed_point){.n = c->n, .x = c->load, .g = c->reach, .lack = c->lack, .last = c->last};
}

/* Where those from zero on come to an end there may be others, which those of joints that slip then go to: from this
 * many times the forces on, without friction. */
static const double ABOVE = 1e3;

static void begin_above(pc_fixed_point *loads, const pc_contacts *c, const pc_mechanics *m, pc_block *block)
{
    enum { DOWN = 20 };
    loads->plain = DOWN;
    for (int i = 0; i < c->n; i++) {
        double r[2];
        if (!pc_mechanics_pairing(m, c->pair[i])->follows) continue;
        c->load[i] = ABOVE * m->provider->reaction(m->self, c->pair[i], r);
        block->b[2 * i + PC_N] -= c->load[i] * block->W[(2 * i + PC_N) * (2 * block->n + 1)];
    }
}

/* Forces were solved for with these loads. False: the reactions are as they say. */
static bool change_loads(pc_fixed_point *loads, const pc_contacts *c, const pc_mechanics *m, pc_block *block)
{
    double greatest = 0; /* of the forces of which reactions are sums */
    for (int i = 0; i < c->n; i++) {
        double r[2];
        greatest = fmax(greatest, fmax(fabs(c->force[i][PC_T]), fabs(c->force[i][PC_N])));
        c->reach[i] = 0;
        if (!pc_mechanics_pairing(m, c->pair[i])->follows) continue;
        greatest = fmax(greatest, m->provider->reaction(m->self, c->pair[i], r));
        c->reach[i] = hypot(r[0], r[1]);
        block->b[2 * i + PC_N] += c->load[i] * block->W[(2 * i + PC_N) * (2 * block->n + 1)];
    }
    const bool more = pc_fixed_point_next(loads, PC_ROUNDING, greatest);
    block->grown = fmax(loads->grown, 1);
    for (int i = 0; i < c->n; i++) block->b[2 * i + PC_N] -= c->load[i] * block->W[(2 * i + PC_N) * (2 * block->n + 1)];
    return more;
}

/* Where that has failed, the place that is farthest off, for whoever asks for it. Later stages of that step, whose
 * states are no numbers, know nothing of it. */
static void note_unbound(const pc_fixed_point *loads, const pc_contacts *c, const pc_mechanics *m, pc_block *block)
{
    double most = -1;
    for (int i = 0; i < c->n && (loads->failed || pc_contacts_run_away(block)); i++) {
        const double off = fabs(c->reach[i] - c->load[i]) + fabs(c->reach[i]);
        if (!pc_mechanics_pairing(m, c->pair[i])->follows || !(off > most)) continue;
        most = off;
        block->unbound = 1 + c->pair[i];
    }
}

int pc_contacts_accelerate_under(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block,
                                 const pc_acting *more, double *a)
{
    const behind all = build(c, compliant, m, block);
    const int first = c->n + all.couples, brace = first + all.held; /* of the held points; of what holds others */
    pc_acting cling;
    more = hold_together(c, m, more, &cling);
    const pc_acting braces = {
        {all.braces, c->pair + brace, c->touch + brace}, (const double *)(c->force + brace), more};
    const pc_acting closed = {{first, c->pair, c->touch}, (const double *)c->force, &braces};
    pc_fixed_point loads = begin_loads(c);
    int got = 0;
    if (block->n > 0) {
        if ((got = bias(c, compliant, m, block, more)) != 0) return got;
        soften(first, compliant, block, all.held);
    }
    do {
        if (block->n > 0) {
            block->shared = solve_modes(c, m, block, true, true, c->force);
            note_holds(c, m, *c->force);
            for (int k = 0; k < all.held; k++) compliant->now[compliant->held[k]].Ft = c->force[first + k][PC_T];
            for (int k = 0; k < all.braces; k++) compliant->now[compliant->braced[k]].hold = c->force[brace + k][PC_T];
        }
        got = pc_compliant_accelerations(compliant, m, block, &closed, a);
    } while (got == 0 && m->follows && change_loads(&loads, c, m, block));
    for (int i = 0; i < m->n && loads.failed; i++) a[i] = NAN; /* there are no such forces: steps end at that */
    note_unbound(&loads, c, m, block);
    return got;
}

/* y += the jump that impulses at the closed pairs make, and those of the couples behind them. */
static void add_jump(const pc_contacts *c, int couples, const pc_mechanics *m, pc_block *block, double (*impulse)[2],
                     double *y)
{
    pc_mechanics_jump(m, &(pc_contact_set){c->n + couples, c->pair, c->touch}, *impulse, block->a);
    for (int i = 0; i < m->n; i++) y[i] += block->a[i];
}

/* Its velocity is what that of the bodies alone has more than the relative one. */
double pc_carried_work(const pc_mechanics *m, const pc_contact_set *set, const double *p, const double v0[2])
{
    double sum = 0, t;
    const double *q, *u;
    if (!m->carried) return 0;
    m->provider->state(m->at, &t, &q, &u);
    for (int i = 0; i < set->n; i++) {
        double alone[2], found[2];
        const double *v = i == 0 && v0 ? v0 : found;
        pc_mechanics_change(m, set->place[i], &set->touch[i], u, alone);
        if (v == found) pc_mechanics_velocity(m, set->place[i], &set->touch[i], found);
        for (int k = 0; k < 2; k++) sum += p[2 * i + k] * (alone[k] - v[k]);
    }
    return sum;
}

double pc_contacts_project(pc_contacts *c, const pc_mechanics *m, pc_block *block, bool rub, double *y)
{
    double(*impulse)[2] = (double(*)[2])block->p;
    const int couples = build(c, NULL, m, block).couples, all = c->n + couples;
    /* velocities first: they are asked of the configuration that was made */
    for (int i = 0; i < all; i++) pc_mechanics_velocity(m, c->pair[i], &c->touch[i], block->b + 2 * i);
    solve_modes(c, m, block, rub, false, impulse);
    double given = pc_carried_work(m, &(pc_contact_set){c->n, c->pair, c->touch}, *impulse, NULL);
    add_jump(c, couples, m, block, impulse, y + m->n);
    for (int i = 0; i < all; i++) {
        block->kept.mode[i] = 1; /* positions along the tangent are free */
        block->b[2 * i + PC_T] = 0;
        block->b[2 * i + PC_N] = c->touch[i].gap;
    }
    pc_block_solve_modes(block, false, false, impulse);
    add_jump(c, 0, m, block, impulse, y);
    return given;
}

/* What holds joints at rest does not follow from their loads: these are the reactions that go with it. */
static bool follow_sticking(pc_contacts *c, const pc_compliant *compliant, const pc_mechanics *m, pc_block *block)
{
    pc_acting cling;
    const pc_acting *more = hold_together(c, m, NULL, &cling);
    const pc_acting closed = {{block->n, c->pair, c->touch}, (const double *)c->force, more};
    if (!m->follows) return true;
    if (pc_compliant_accelerations(compliant, m, block, &closed, block->a) != 0) return false;
    for (int i = 0; i < c->n; i++) {
        double r[2];
        if (!pc_mechanics_pairing(m, c->pair[i])->follows) continue;
        m->provider->reaction(m->self, c->pair[i], r);
        c->force[i][PC_N] = hypot(r[0], r[1]);
    }
    return true;
}

/* Whether the forces that hold pairs at rest are within their cones. */
static bool are_within(const pc_contacts *c, const pc_mechanics *m)
{
    double largest = 0;
    for (int i = 0; i < c->n; i++) largest = fmax(largest, fabs(c->force[i][PC_N]) + fabs(c->force[i][PC_T]));
    for (int i = 0; i < c->n; i++) {
        double bound = pc_mechanics_pairing(m, c->pair[i])->static_friction * c->force[i][PC_N];
        if (!(c->force[i][PC_N] > pc_rank_bound(largest)) || fabs(c->force[i][PC_T]) > bound) return false;
    }
    return true;
}

/* The acceleration (t, n) of a pair that goes with forces p. */
static double accelerated(const pc_block *block, const double *p, int row)
{
    int side = 2 * block->n;
    double sum = block->b[row];
    for (int k = 0; k < side; k++) sum += block->W[row * side + k] * p[k];
    return sum;
}

/* Whether forces shared among dependent conditions keep these: of those that contradict one another they keep some. */
static bool keep_all(const pc_contacts *c, const pc_block *block)
{
    double load = 0, left = 0;
    for (int row = 0; row < 2 * c->n; row++) {
        load = fmax(load, fabs(block->b[row]));
        left = fmax(left, fabs(accelerated(block, *c->force, row)));
    }
    return left <= PC_CLEARLY * load;
}

/* Joints that hold one another share their load by weights: these become such that each takes by its bound. */
static void weigh_anew(const pc_contacts *c, const pc_mechanics *m, pc_block *block)
{
    static const double MOST = 1e3;
    for (int i = 0; i < c->n; i++) {
        const pc_pairing *pairing = pc_mechanics_pairing(m, c->pair[i]);
        const double bound = pairing->static_friction * c->force[i][PC_N], bears = fabs(c->force[i][PC_T]);
        if (pairing->always)
            block->kept.static_friction[i] *= bears * MOST > bound ? fmax(bound / bears, 1 / MOST) : MOST;
    }
}

/* All pairs at rest, and there are forces that hold them there within their cones: then they may stay, even where the
 * search for modes ends without an answer (a wedged link, on which slip either way would press harder; two pins on one
 * freedom, whose load has to be shared by what it makes of their reactions). */
static bool all_stick(pc_contacts *c, const pc_compliant *compliant, const pc_mechanics *m, pc_block *block)
{
    enum { ROUNDS = 16 };
    for (int i = 0; i < c->n; i++)
        if (c->mode[i] != 0) return false;
    const bool shared = solve_modes(c, m, block, true, true, c->force);
    if (shared && !m->follows && block->n == c->n && !keep_all(c, block)) return false;
    if (!follow_sticking(c, compliant, m, block)) return false;
    for (int round = 0; !are_within(c, m); round++) {
        if (!m->follows || round == ROUNDS) return false;
        weigh_anew(c, m, block);
        pc_block_solve_modes(block, true, true, c->force);
        if (!follow_sticking(c, compliant, m, block)) return false;
    }
    note_holds(c, m, *c->force);
    for (int i = 0; i < c->n; i++)
        if (fabs(c->hold[i]) > c->force[i][PC_N]) return false;
    for (int i = 0; i < c->n; i++) /* what nothing rubs is at rest as others are, and slips as soon as they do */
        if (pc_pairing_is_smooth(pc_mechanics_pairing(m, c->pair[i]))) c->mode[i] = 1;
    return true;
}

/* Stands for a bound that is looked at later: greater than any force. */
static const double UNBOUNDED = 1e30;

/* What joints lock has the acceleration that rounding leaves of the reactions that lock it, up to so many times what a
 * solution leaves. */
static const double LOCKED = 1e3;

static void calm_locked(const pc_contacts *c, const pc_mechanics *m, pc_block *block, double least)
{
    for (int i = 0; i < c->n; i++) {
        double *b = &block->b[2 * i + PC_T];
        if (block->W[(2 * i + PC_T) * (2 * block->n + 1)] != 0 || fabs(*b) > LOCKED * least) continue;
        if (pc_mechanics_pairing(m, c->pair[i])->always) *b = 0;
    }
}

/* Forces in block->p for pairs that touch, held points among them, by their modes; firm: held points hold whatever
 * that takes. Accelerations within `least` of zero, what a solution may leave of the greatest, are zero. */
static pc_verdict solve_free(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block, bool firm,
                             double *least)
{
    const behind all = build(c, compliant, m, block);
    pc_acting cling;
    const pc_acting *more = hold_together(c, m, NULL, &cling);
    if (bias(c, compliant, m, block, more) != 0) return PC_STOPPED;

    block->unbound = 0;
    pc_rubbing *rub = block->rubbing;
    const int side = 2 * block->n, held = c->n + all.couples;
    for (int i = 0; i < block->n; i++) {
        const pc_pairing *pairing = pc_mechanics_pairing(m, c->pair[i]);
        rub[i] = (pc_rubbing){.mu = c->mode[i] ? pairing->friction : pairing->static_friction, .slip = c->mode[i]};
        if (i < c->n) continue;
        rub[i].held = true; /* with a normal force that is known, or is found with the others */
        if (i < held || i >= held + all.held) {
            rub[i] = (pc_rubbing){.mu = 1, .held = true, .given = UNBOUNDED};
            continue;
        }
        rub[i].given = fmax(compliant->now[compliant->held[i - held]].Fn, 0);
        if (firm) rub[i].mu = UNBOUNDED;
        /* which is among the impulses of the problem, and has acted already */
        for (int k = 0; k < side; k++) block->b[k] -= block->W[k * side + 2 * i + PC_N] * rub[i].given;
    }
    *least = m->fall;
    for (int i = 0; i < 2 * block->n; i++) *least = fmax(*least, fabs(block->b[i]));
    *least = pc_rank_bound(*least);
    const pc_acting closed = {{c->n + all.couples, c->pair, c->touch}, (const double *)c->force, more};
    pc_fixed_point loads = begin_loads(c);
    if (block->above) begin_above(&loads, c, m, block);
    bool again = false;
    do {
        if (!pc_block_solve_friction(block, block->b, *least, block->p)) return PC_INCONSISTENT;
        if (!m->follows) return PC_CONSISTENT;
        memcpy(c->force, block->p, (size_t)block->n * sizeof *c->force);
        if (pc_compliant_accelerations(compliant, m, block, &closed, block->a) != 0) return PC_STOPPED;
        memcpy(block->p, c->force, (size_t)block->n * sizeof *c->force);
        again = change_loads(&loads, c, m, block);
        for (int i = 0; i < c->n; i++) *least = fmax(*least, pc_rank_bound(fabs(block->b[2 * i + PC_N])));
        calm_locked(c, m, block, *least);
    } while (again);
    loads.failed |= pc_contacts_run_away(block);
    note_unbound(&loads, c, m, block);
    return loads.failed ? PC_INCONSISTENT : PC_CONSISTENT;
}

int pc_contacts_persist(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block, bool *hold)
{
    double least;
    pc_verdict verdict = solve_free(c, compliant, m, block, false, &least);
    if (verdict == PC_STOPPED) return -1;
    if (verdict == PC_INCONSISTENT) {
        *hold = all_stick(c, compliant, m, block);
        return 0;
    }
    *hold = true;
    /* clearly more than that: what decides on modes will see it as well */
    double clear = least * PC_CLEARLY / PC_RANK_TOLERANCE;
    for (int i = 0; i < c->n && *hold; i++) {
        bool slips = c->mode[i] == 0 && fabs(accelerated(block, block->p, 2 * i + PC_T)) > clear;
        *hold = !slips && accelerated(block, block->p, 2 * i + PC_N) <= clear;
    }
    if (*hold) note_holds(c, m, block->p);
    for (int i = 0; i < c->n && *hold; i++) *hold = fabs(c->hold[i]) <= block->p[2 * i + PC_N] * (1 + PC_CLEARLY);
    return 0;
}

/* Of the couples that hold against rolling the one that is most beyond its bound gives way. False: there is none. */
static bool give_way(pc_contacts *c, const pc_mechanics *m, const pc_block *block)
{
    double most = 0;
    int which = -1;
    if (!m->rolls) return false;
    note_holds(c, m, block->p);
    for (int i = 0; i < c->n; i++) {
        double N = block->p[2 * i + PC_N], beyond = fabs(c->hold[i]) - N * (1 + PC_RANK_TOLERANCE);
        if (N > 0 && beyond > most) {
            most = beyond;
            which = i;
        }
    }
    if (which >= 0) c->roll[which] = c->hold[which] > 0 ? -1 : 1;
    return which >= 0;
}

static pc_verdict solve_all(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block, bool firm,
                            double *least)
{
    pc_verdict verdict;
    do verdict = solve_free(c, compliant, m, block, firm, least);
    while (verdict == PC_CONSISTENT && give_way(c, m, block));
    return verdict;
}

/* The held points to which forces that were found do not hold, beyond their bounds or on them, are loose. True if there
 * are any. */
static bool note_loose(const pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, const pc_block *block,
                       double least)
{
    const int held = compliant ? pc_compliant_held(compliant) : 0;
    int at = c->n;
    bool any = false;
    for (int i = 0; i < c->n; i++) at += is_braced(c, m, i);
    for (int k = 0; k < held; k++, at++) {
        const int i = compliant->held[k];
        const double p = block->p[2 * at + PC_T], a = accelerated(block, block->p, 2 * at + PC_T);
        const double bound = compliant->contact[i].base.p.tangential.mu * fmax(compliant->now[i].Fn, 0);
        compliant->loose[i] = fabs(p) > bound * (1 + PC_CLEARLY) ? (p < 0 ? 1 : -1) : 0;
        if (fabs(a) > least) compliant->loose[i] = a > 0 ? 1 : -1;
        any |= compliant->loose[i] != 0;
    }
    return any;
}

/* Where some points do not hold there may be other forces with which they all do: what holds goes on to. */
static pc_verdict solve_with_held(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block,
                                  double *least)
{
    for (int i = 0; compliant && i < compliant->n; i++) compliant->loose[i] = 0;
    pc_verdict verdict = solve_all(c, compliant, m, block, false, least);
    if (verdict != PC_CONSISTENT || !note_loose(c, compliant, m, block, *least)) return verdict;
    verdict = solve_all(c, compliant, m, block, true, least);
    if (verdict == PC_STOPPED || (verdict == PC_CONSISTENT && !note_loose(c, compliant, m, block, *least)))
        return verdict;
    verdict = solve_all(c, compliant, m, block, false, least);
    if (verdict == PC_CONSISTENT) note_loose(c, compliant, m, block, *least);
    return verdict;
}

pc_verdict pc_contacts_decide(pc_contacts *c, pc_compliant *compliant, const pc_mechanics *m, pc_block *block)
{
    int n = c->n, kept = 0;
    double least;
    pc_verdict verdict = solve_with_held(c, compliant, m, block, &least);
    if (verdict == PC_INCONSISTENT && all_stick(c, compliant, m, block)) return PC_CONSISTENT;
    if (verdict != PC_CONSISTENT) return verdict;
    for (int i = 0; i < n; i++) {
        int mode = c->mode[i];
        double N = block->p[2 * i + PC_N];
        if (mode == 0) {
            const pc_pairing *pairing = pc_mechanics_pairing(m, c->pair[i]);
            const double slide = accelerated(block, block->p, 2 * i + PC_T), push = block->b[2 * i + PC_T];
            const double held = fabs(block->p[2 * i + PC_T]), bound = pairing->static_friction * N;
            mode = slide < -least ? -1 : slide > least || pc_pairing_is_smooth(pairing) ? 1 : 0;
            /* loads that follow reactions leave more than rounding of an acceleration that friction within its cone
             * has taken */
            if (held < (1 - PC_CLEARLY) * bound && fabs(slide) < PC_CLEARLY * fabs(push)) mode = 0;
        }
        const double *W = block->W + (2 * i + PC_N) * 2 * block->n + 2 * i;
        const bool always = pc_mechanics_pairing(m, c->pair[i])->always;
        if (!(N * W[PC_N] > least) && !always) continue; /* opens, or touches without a force */
        c->pair[kept] = c->pair[i];
        c->touch[kept] = c->touch[i];
        c->mode[kept] = mode;
        c->roll[kept] = c->roll[i];
        c->press[kept] = N * W[PC_N] + block->p[2 * i + PC_T] * W[PC_T];
        kept++;
    }
    c->n = kept;
    return PC_CONSISTENT;
}
