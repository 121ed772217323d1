/* Impacts of several contacts at once: see joint_impact.h. */
#include "engine/joint_impact.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "engine/collide.h"
#include "math/friction.h"
#include "math/roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What ever gentler impacts have left is rounding up to so many times that of one velocity. */
static const double LEFT = 1e3;

/* Works that differ by less than this share are the same, and energy below it is rounding: that of sums of a few dozen
 * terms after an elimination. */
static const double BALANCED = 1e-14, GAIN = 1e-12;

/* Velocities after impulses that hold each other round at that of the terms, which may be some times greater than any
 * velocity. */
static const double ROUNDING = 256 * DBL_EPSILON;

pc_status pc_joint_impact_reserve(pc_joint_impact *joint, int n, pc_error *err)
{
    const pc_column columns[] = {PC_COLUMN(joint->touch),      PC_COLUMN(joint->contact),  PC_COLUMN(joint->element),
                                 PC_COLUMN(joint->end),        PC_COLUMN(joint->rule),     PC_COLUMN(joint->given),
                                 PC_COLUMNS(joint->v0, 2),     PC_COLUMNS(joint->v1, 2),   PC_COLUMNS(joint->p, 2),
                                 PC_COLUMNS(joint->middle, 2), PC_COLUMNS(joint->back, 2), PC_COLUMNS(joint->from, 2),
                                 PC_COLUMNS(joint->load, 2),   PC_COLUMN(joint->place),    PC_COLUMN(joint->of)};
    if (pc_columns_reserve(columns, sizeof columns / sizeof *columns, &joint->room, (size_t)n)) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for the impact of %d contacts", n);
}

void pc_joint_impact_close(pc_joint_impact *joint)
{
    pc_free(joint->touch); /* the first list */
    *joint = (pc_joint_impact){0};
}

void pc_joint_impact_meet(pc_joint_impact *joint, int n, bool rolling, const pc_mechanics *m, pc_block *block)
{
    joint->n = n;
    for (int i = 0; i < n && rolling; i++) {
        if (!(joint->contact[i].rolling > 0)) continue;
        joint->of[joint->n] = i;
        joint->place[joint->n] = joint->place[i];
        joint->contact[joint->n++] = joint->contact[i];
    }
    joint->n_couples = joint->n - n;
    joint->block = block;
    joint->rounding = 0;
    for (int i = 0; i < joint->n; i++) {
        pc_mechanics_touch(m, joint->place[i], &joint->touch[i]);
        if (pc_joint_impact_is_couple(joint, i)) joint->touch[i].couple = joint->contact[i].rolling;
        pc_mechanics_velocity(m, joint->place[i], &joint->touch[i], joint->v0 + 2 * i);
        joint->rounding = fmax(joint->rounding, pc_rounding(joint->contact[i].speed));
    }
    pc_block_build(block, m, &(pc_contact_set){joint->n, joint->place, joint->touch});
}

static void add_change(const pc_joint_impact *joint, const double *p, const double *from, double *v)
{
    int side = 2 * joint->n;
    for (int i = 0; i < side; i++) {
        v[i] = from[i];
        for (int j = 0; j < side; j++) v[i] += joint->block->W[i * side + j] * p[j];
    }
}

/* Impulses p for velocities v; given: part of the normal ones that acts in any case, or NULL. Couples are bounded by
 * normal impulses that are found with them: one after the other until they agree, which they do by the ratio of the
 * length of rolling and a radius each time. */
static bool solve(const pc_joint_impact *joint, const double *v, const double *given, double rounding, double *p)
{
    enum { ROUNDS = 1000 };
    pc_block *block = joint->block;
    pc_rubbing *rub = block->rubbing;
    const int first = joint->n - joint->n_couples;
    for (int i = 0; i < joint->n; i++)
        rub[i] = (pc_rubbing){.mu = joint->contact[i].friction, .given = given ? given[i] : 0};
    for (int i = first; i < joint->n; i++) rub[i] = (pc_rubbing){.mu = 1, .held = true};
    for (int round = 0; round < ROUNDS; round++) {
        double change = 0, most = 0;
        if (!pc_block_solve_friction(block, v, rounding, p)) return false;
        for (int i = first; i < joint->n; i++) {
            double bound = fmax(p[2 * joint->of[i] + PC_N], 0);
            change = fmax(change, fabs(bound - rub[i].given));
            most = fmax(most, bound);
            rub[i].given = bound;
        }
        if (!(change > pc_rounding(most))) return true;
    }
    return false;
}

bool pc_joint_impact_compress(pc_joint_impact *joint)
{
    return solve(joint, joint->v0, NULL, joint->rounding, joint->p);
}

bool pc_striking_rule(const pc_striking *contact, double approach, pc_joint_rule *rule)
{
    return contact->law->joint_rule && contact->law->joint_rule(contact->params, approach, rule) == 0;
}

/* Velocities after impulses p and then `back`, from vc. */
typedef struct restitution {
    pc_joint_impact *joint;
    const double *vc;
    double rounding;          /* of velocities, after impulses as great as those of compression */
    double compression, loss; /* normal work that Stronge's law gives back; energy that compression took, J */
    bool conserves;           /* no other law that might create some */
} restitution;

/* Each pair gives back its part of the impulse, those by Stronge's law with a factor; more where it would be passed
 * through. Newton's law asks for a velocity instead. */
static bool give_back(restitution *r, double factor)
{
    pc_joint_impact *joint = r->joint;
    int side = 2 * joint->n;
    double *from = joint->from, *given = joint->given;
    memcpy(from, r->vc, (size_t)side * sizeof *from);
    for (int i = 0; i < joint->n; i++) {
        const pc_joint_rule *rule = &joint->rule[i];
        double share = rule->e * fmax(joint->p[2 * i + PC_N], 0);
        bool newton = rule->kind == PC_JOINT_NEWTON;
        given[i] = newton ? 0 : rule->kind == PC_JOINT_STRONGE ? factor * share : share;
        if (newton) from[2 * i + PC_N] -= rule->e * fmax(-joint->v0[2 * i + PC_N], 0);
    }
    if (!solve(joint, from, given, r->rounding, joint->back)) return false;
    add_change(joint, joint->back, r->vc, joint->v1);
    return true;
}

/* By how much the factor is too great: normal work in restitution, or energy that would be created. NaN: no impulses
 * were found. */
static double excess(double factor, void *context)
{
    restitution *r = context;
    const pc_joint_impact *joint = r->joint;
    if (!give_back(r, factor)) return NAN;
    double work = 0, gain = 0;
    for (int i = 0; i < 2 * joint->n; i++) {
        double w = 0.5 * joint->back[i] * (r->vc[i] + joint->v1[i]);
        gain += w;
        if (i % 2 == PC_N && joint->rule[i / 2].kind == PC_JOINT_STRONGE) work += w;
    }
    work -= r->compression;
    return r->conserves ? fmax(work, gain - r->loss) : work;
}

/* Without friction the factor is 1, unless pairs would be passed through. Where pairs hold each other by friction,
 * impulses can grow and do no work: then it is 1 as well. */
static bool balance_works(restitution *r)
{
    enum { DOUBLINGS = 20 };
    double low = 0, high = 1, below = -r->compression, above = excess(high, r);
    for (int i = 0; above < -BALANCED * r->compression && i < DOUBLINGS; i++) {
        low = high;
        below = above;
        above = excess(high *= 2, r);
    }
    if (!(above >= -BALANCED * r->compression)) return give_back(r, 1);
    if (above <= BALANCED * r->compression) return true;
    double factor = pc_root_between(excess, r, low, below, high, above, 0);
    return !isnan(factor) && !isnan(excess(factor, r));
}

/* Where friction holds bodies against the velocities that Newton's law asks for (a disc wedged into a V), it restitutes
 * as Poisson's does. False: no pair has it. */
static bool ask_for_impulses(pc_joint_impact *joint)
{
    bool any = false;
    for (int i = 0; i < joint->n; i++) {
        any |= joint->rule[i].kind == PC_JOINT_NEWTON;
        joint->rule[i].kind = PC_JOINT_POISSON;
    }
    return any;
}

/* After compression by p: by the rules of the pairs, or none at all. */
static bool restitute(pc_joint_impact *joint)
{
    int side = 2 * joint->n;
    double *vc = joint->middle;
    add_change(joint, joint->p, joint->v0, vc);
    restitution r = {.joint = joint, .vc = vc, .rounding = joint->rounding, .conserves = true};
    for (int i = 0; i < side * side; i++)
        r.rounding = fmax(r.rounding, ROUNDING * fabs(joint->block->W[i] * joint->p[i % side]));
    for (int i = 0; i < side; i++) {
        double w = 0.5 * joint->p[i] * (joint->v0[i] + vc[i]);
        const pc_joint_rule *rule = &joint->rule[i / 2];
        r.loss -= w;
        r.conserves &= rule->kind == PC_JOINT_STRONGE;
        if (i % 2 == PC_N && rule->kind == PC_JOINT_STRONGE) r.compression -= rule->e * rule->e * w;
    }
    if (!(r.compression > 0 ? balance_works(&r) : give_back(&r, 1))) {
        if (!ask_for_impulses(joint) || !give_back(&r, 1)) return false;
    }
    for (int i = 0; i < side; i++) joint->p[i] += joint->back[i];
    return true;
}

bool pc_joint_impact_gains(const pc_joint_impact *joint)
{
    double change = 0, size = 0;
    for (int i = 0; i < 2 * joint->n; i++) {
        change += 0.5 * joint->p[i] * (joint->v0[i] + joint->v1[i]);
        size += fabs(joint->p[i] * joint->v0[i]);
    }
    return change > GAIN * size;
}

bool pc_joint_impact_by_rules(pc_joint_impact *joint)
{
    for (int i = 0; i < joint->n; i++)
        if (pc_joint_impact_is_couple(joint, i))
            joint->rule[i] = (pc_joint_rule){PC_JOINT_POISSON, 0};
        else if (!pc_striking_rule(&joint->contact[i], fmax(-joint->v0[2 * i + PC_N], 0), &joint->rule[i]))
            return false;
    return pc_joint_impact_compress(joint) && restitute(joint);
}

bool pc_joint_impact_compliant(pc_joint_impact *joint, pc_error *err)
{
    const pc_element_summary *end = joint->end;
    pc_error own = {0};
    for (int i = 0; i < joint->n; i++)
        joint->element[i] = (pc_element_contact){joint->contact[i].law->element, joint->contact[i].params};
    pc_element_task task = {.k = joint->n,
                            .contacts = joint->element,
                            .W = joint->block->W,
                            .v0 = joint->v0,
                            .tolerance = PC_ELEMENT_TOLERANCE};
    pc_status status = pc_element_run(&task, joint->end, NULL, NULL, &own);
    bool refused = status == PC_E_NUMERIC || status == PC_E_UNSUPPORTED || status == PC_E_ARGUMENT;
    if (status != PC_OK && !refused) *err = own;
    for (int i = 0; i < 2 * joint->n && status == PC_OK; i++) {
        joint->p[i] = end[i / 2].p[i % 2];
        joint->v1[i] = end[i / 2].v[i % 2];
    }
    return status == PC_OK;
}

bool pc_joint_impact_plastic(pc_joint_impact *joint)
{
    joint->rounding *= LEFT;
    for (int i = 0; i < joint->n; i++) joint->rule[i] = (pc_joint_rule){PC_JOINT_POISSON, 0};
    return pc_joint_impact_compress(joint) && restitute(joint);
}

/* Impulses that answer a load (an acceleration of each component) for a time h, without restitution. */
static bool bear(const pc_joint_impact *joint, const double *load, double h, double *p)
{
    double *loaded = joint->from;
    for (int i = 0; i < 2 * joint->n; i++) loaded[i] = joint->v0[i] + h * load[i];
    return solve(joint, loaded, NULL, joint->rounding, p);
}

/* The load of a short time h as an impulse, and the impulses that answer it. These have a limit for h -> 0: zero if
 * forces could bear the load, and a finite impulse where slip presses the harder the greater the forces are, until it
 * stops (Stewart 1998, SIAM Review 42, section 5). For small h they are linear in it. */
bool pc_joint_impact_jam(pc_joint_impact *joint, const int *mode, const double *load, double *slow, bool *nothing)
{
    static const double STEP = 1e-9;
    int side = 2 * joint->n;
    double *twice = joint->back, speed = 0, most = 0, p = 0, change = 0;
    *nothing = true;
    for (int i = 0; i < joint->n; i++) {
        joint->v0[2 * i + PC_N] = 0;
        if (mode[i] == 0) joint->v0[2 * i + PC_T] = 0;
    }
    for (int i = 0; i < side; i++) {
        speed = fmax(speed, fabs(joint->v0[i]));
        most = fmax(most, fabs(load[i]));
    }
    double h = fmax(STEP * speed, 100 * joint->rounding) / most;
    *slow = 10 * h * most;
    if (!bear(joint, load, h, joint->p) || !bear(joint, load, 2 * h, twice)) return false;
    for (int i = 0; i < side; i++) {
        p = fmax(p, fabs(joint->p[i]));
        joint->p[i] = 2 * joint->p[i] - twice[i];
        change = fmax(change, fabs(joint->p[i]));
    }
    *nothing = !(change > 0.5 * p);
    if (*nothing) memcpy(joint->p, twice, (size_t)side * sizeof *twice);
    return true;
}

bool pc_joint_impact_after_jam(pc_joint_impact *joint, pc_error *err)
{
    int side = 2 * joint->n;
    for (int i = 0; i < joint->n; i++) { /* there is no approach: what counts is the impulse that stopped the slips */
        const pc_striking *contact = &joint->contact[i];
        double w_nn = joint->block->W[(2 * i + PC_N) * (side + 1)], approach = w_nn * fmax(joint->p[2 * i + PC_N], 0);
        pc_joint_rule own = {.e = 0};
        if (!pc_striking_rule(contact, approach, &own) && approach > 0)
            own.e = pc_law_restitution(contact->law, contact->params, w_nn, approach, err);
        joint->rule[i] = (pc_joint_rule){PC_JOINT_POISSON, own.e};
        if (isnan(joint->rule[i].e)) return false;
    }
    return restitute(joint);
}

pc_status pc_joint_impact_unsolved(int n, double t, pc_error *err)
{
    return pc_fail_at(err, PC_E_NUMERIC, t, "impulse",
                      "no impulses solve the simultaneous impact of %d contacts at t = %.17g", n, t);
}
