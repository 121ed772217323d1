/* The impacts of one instant: see impact_sequence.h. */
#include "engine/impact_sequence.h"

#include "base/alloc.h"
#include "base/tolerance.h"
#include "engine/collide.h"
#include "math/fixed_point.h"

#include <math.h>
#include <string.h>

/* Impacts at one instant, of all contacts, before the rest is completed however fast it still is. With restitution
 * 0.999 it takes 30,000 to come to rounding. */
enum { IMPACTS = 100000 };

/* A sequence counts as one after so many impacts of each contact, and its rest is beneath notice below this share of
 * the greatest speed at the instant: its energy then is below rounding. */
enum { ROUNDS = 4 };
static const double BENEATH = 1e-8;

/* So is what is below so many times the rounding of velocities: corrections of closed contacts leave as much. */
static const double ROUNDED = 1e4;

/* Approaches that differ by less than this, times the relative tolerance of the method and the scale of velocities, are
 * one. Greater ones than the second share would not be known at all. */
static const double TIED = 10, UNKNOWN = 1e-3;

pc_status pc_impact_sequence_reserve(pc_impact_sequence *s, int n, pc_error *err)
{
    const size_t remembered = PC_FIXED_POINT_MEMORY * sizeof(double);
    const pc_column columns[] = {PC_COLUMN(s->touch),    PC_COLUMN(s->contact),     PC_COLUMN(s->approach),
                                 PC_COLUMN(s->load),     PC_COLUMN(s->reach),       {&s->lack, remembered},
                                 {&s->last, remembered}, PC_COLUMN(s->reaction[0]), PC_COLUMN(s->reaction[1]),
                                 PC_COLUMN(s->struck),   PC_COLUMN(s->place),       PC_COLUMN(s->which),
                                 PC_COLUMN(s->still),    PC_COLUMN(s->kept),        PC_COLUMN(s->chosen)};
    if (pc_columns_reserve(columns, sizeof columns / sizeof *columns, &s->room, (size_t)n))
        return pc_joint_impact_reserve(&s->joint, n, err);
    return pc_fail(err, PC_E_MEMORY, "not enough memory for the impacts of %d contacts", n);
}

void pc_impact_sequence_close(pc_impact_sequence *s)
{
    pc_joint_impact_close(&s->joint);
    pc_free(s->touch); /* the first list */
    *s = (pc_impact_sequence){0};
}

/* How what touches rolls: the contact, and behind it its couple as one of 1 m. */
static void find_turning(const pc_mechanics *m, int place, const pc_touch *touch, pc_block *block, pc_turning *out)
{
    enum { COUPLE = 2, SIDE = 4 };
    const int places[2] = {place, place};
    pc_touch both[2] = {*touch, *touch};
    double rate[2];
    both[1].couple = 1;
    pc_block_build(block, m, &(pc_contact_set){2, places, both});
    *out = (pc_turning){0};
    for (int k = PC_T; k <= PC_N; k++)
        out->cross[PC_T2][k] = 0.5 * (block->W[COUPLE * SIDE + k] + block->W[k * SIDE + COUPLE]);
    out->own[PC_T2][PC_T2] = block->W[COUPLE * SIDE + COUPLE];
    pc_mechanics_velocity(m, place, &both[1], rate);
    out->rate[PC_T2] = rate[PC_T];
}

pc_status pc_contact_mobility(const pc_mechanics *m, int place, const pc_touch *touch, pc_block *block, pc_mobility *W,
                              pc_turning *turning, pc_error *err)
{
    bool rolls = m->rolls && turning && pc_mechanics_pairing(m, place)->rolling > 0;
    if (rolls) find_turning(m, place, touch, block, turning);
    pc_block_build(block, m, &(pc_contact_set){1, &place, touch});
    *W = (pc_mobility){.tt = block->W[0], .tn = 0.5 * (block->W[1] + block->W[2]), .nn = block->W[3]};
    if (rolls) W->turning = turning;
    return pc_mobility_rank(W, &W->rank, err);
}

void pc_contact_struck(pc_struck *struck, int place, const pc_touch *touch, const pc_impact *impact)
{
    const double couple = impact->couple[PC_T2];
    struck->p[PC_T] = impact->impulse[PC_T];
    struck->p[PC_N] = impact->impulse[PC_N];
    struck->p[2 + PC_T] = couple;
    struck->p[2 + PC_N] = 0;
    struck->place[0] = place;
    struck->set = (pc_contact_set){1, struck->place, touch};
    if (couple == 0) return;
    struck->place[1] = place;
    struck->touch[0] = struck->touch[1] = *touch;
    struck->touch[1].couple = 1;
    struck->set = (pc_contact_set){2, struck->place, struck->touch};
}

pc_status pc_single_impact_strike(pc_single_impact *single, const pc_striking *contact, const pc_mechanics *m,
                                  pc_block *block, pc_error *err)
{
    pc_impact_init(&single->impact);
    pc_status status = pc_contact_mobility(m, single->place, &single->touch, block, &single->W, &single->turning, err);
    if (status != PC_OK) return status;
    const double v0[3] = {single->v0[PC_T], single->v0[PC_N], 0};
    return pc_law_impact(contact->law, contact->params, &single->W, v0, &single->impact, err);
}

/* Find all that approach. The configuration does not change, nor where they touch. */
static void see(pc_impact_sequence *s)
{
    const pc_mechanics *m = s->mechanics;
    s->n_approaching = 0;
    for (int i = 0; i < s->n; i++) {
        double v[2];
        pc_mechanics_velocity(m, s->place[i], &s->touch[i], v);
        if (s->still[i] || (s->kept[i] && s->order == 0)) continue;
        if (!(v[PC_N] < -pc_rounding(s->contact[i].speed))) continue;
        s->which[s->n_approaching] = i;
        s->approach[s->n_approaching++] = -v[PC_N];
    }
}

static void keep_chosen(pc_impact_sequence *s)
{
    int n = 0;
    for (int i = 0; i < s->n_approaching; i++) {
        if (!s->chosen[i]) continue;
        s->which[n] = s->which[i];
        s->approach[n++] = s->approach[i];
    }
    s->n_approaching = n;
}

/* Keep those that tie with the fastest, whose speed is returned: each within the tolerance of another one. */
static double keep_tied(pc_impact_sequence *s)
{
    double fastest = 0, scale = 0;
    for (int i = 0; i < s->n_approaching; i++) {
        fastest = fmax(fastest, s->approach[i]);
        scale = fmax(scale, s->contact[s->which[i]].speed);
    }
    double near = fmin(TIED * s->rtol, UNKNOWN) * scale, least = fastest;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < s->n_approaching; i++) {
            if (!(s->approach[i] < least && s->approach[i] >= least - near)) continue;
            least = s->approach[i];
            more = true;
        }
    }
    for (int i = 0; i < s->n_approaching; i++) s->chosen[i] = !(s->approach[i] < least);
    keep_chosen(s);
    return fastest;
}

/* Keep the first and those that it acts upon, by bodies that they have in common: the others are impacts of their own.
 */
static void keep_coupled(pc_impact_sequence *s)
{
    const pc_mechanics *m = s->mechanics;
    bool *with = s->chosen;
    for (int i = 0; i < s->n_approaching; i++) with[i] = i == 0;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < s->n_approaching; i++)
            for (int j = 0; j < s->n_approaching && !with[i]; j++)
                if (with[j] && m->provider->coupled(m->self, m->at, s->place[s->which[i]], s->place[s->which[j]]))
                    with[i] = more = true;
    }
    keep_chosen(s);
}

/* Some contacts of the sequence, or all of them, as one problem. */
static void meet(pc_impact_sequence *s, int n, const int *which)
{
    for (int i = 0; i < n; i++) {
        s->joint.place[i] = s->place[which ? which[i] : i];
        s->joint.contact[i] = s->contact[which ? which[i] : i];
    }
    pc_joint_impact_meet(&s->joint, n, s->mechanics->rolls, s->mechanics, s->block);
}

static void note(pc_impact_sequence *s, int place, pc_rule rule, double v0, double v1)
{
    pc_first_impact *first = &s->first;
    for (int i = 0; i < s->n; i++)
        if (s->place[i] == place && isnan(s->struck[i])) s->struck[i] = v0;
    if (first->place < 0)
        *first = (pc_first_impact){place, rule, v0, v1, true};
    else
        first->once &= rule != PC_RULE_SEQUENTIAL && rule == first->rule && place != first->place;
}

/* ---- friction with the impulses of reactions ---- */

/* What rubs, in the joint impact, and the impulses of its reactions by what has struck last; and their size. How many
 * there are. */
static int find_rubbing(pc_impact_sequence *s, double *size)
{
    const pc_mechanics *m = s->mechanics;
    int n = 0;
    for (int i = 0; i < s->n; i++) {
        double r[2];
        if (!pc_mechanics_pairing(m, s->place[i])->follows) continue;
        *size = fmax(*size, m->provider->reaction(m->self, s->place[i], r));
        const int k = n++;
        s->joint.place[k] = s->place[i];
        s->joint.contact[k] = s->contact[i];
        for (int j = 0; j < 2; j++) s->reaction[j][k] = r[j];
        s->load[k] = 0;
    }
    return n;
}

/* Friction impulses for these loads, and what they make of the reactions, which becomes `reach`. held: a place whose
 * friction stops it, whatever its load, with an impulse up to `most`; -1: none. */
static bool rub_once(pc_impact_sequence *s, int held, double most)
{
    const pc_mechanics *m = s->mechanics;
    pc_joint_impact *joint = &s->joint;
    pc_block *block = joint->block;
    for (int k = 0; k < joint->n; k++)
        block->rubbing[k] = (pc_rubbing){
            .mu = joint->contact[k].friction, .given = joint->place[k] == held ? most : s->load[k], .held = true};
    /* joints may hold it at zero but for corrections */
    if (!pc_block_solve_friction(block, joint->v0, ROUNDED * joint->rounding, joint->p)) return false;
    pc_mechanics_jump(m, &(pc_contact_set){joint->n, joint->place, joint->touch}, joint->p, block->a);
    for (int k = 0; k < joint->n; k++) {
        double r[2];
        m->provider->reaction(m->self, joint->place[k], r);
        s->reach[k] = hypot(s->reaction[0][k] + r[0], s->reaction[1][k] + r[1]);
    }
    return true;
}

/* An impulse of so many times that which would stop what slips alone is more than any that does. */
static const double BEYOND = 1e6;

/* What joints hold, next to what it could do without them, moves by their corrections alone: it rubs nothing off. */
static const double LOCKED = 1e-7, CORRECTED = 1e-8;

static void calm_locked(pc_joint_impact *joint)
{
    for (int k = 0; k < joint->n; k++) {
        const double *W = &joint->block->W[2 * k * (2 * joint->n + 1)], free = W[2 * joint->n + 1];
        bool locked = *W <= LOCKED * free && fabs(joint->v0[2 * k + PC_T]) <= CORRECTED * joint->contact[k].speed;
        if (locked) joint->v0[2 * k + PC_T] = 0;
    }
}

/* Where loads do not settle: whether they are known as well as velocities tell impulses, which are zero within their
 * rounding. */
static bool are_known(const pc_impact_sequence *s, double stopping)
{
    const pc_joint_impact *joint = &s->joint;
    for (int k = 0; k < joint->n; k++) {
        const double *W = &joint->block->W[2 * k * (2 * joint->n + 1)], free = W[2 * joint->n + 1];
        const double blur = *W > LOCKED * free ? ROUNDED * joint->rounding / *W : 0;
        if (!(fabs(s->reach[k] - s->load[k]) <= fmax(BENEATH * stopping, blur))) return false;
    }
    return true;
}

/* In the joint impact: nothing, of no contacts, where none rubs. held: see rub_once; nothing has struck before that. */
static pc_status solve_rubbing(pc_impact_sequence *s, int held, pc_error *err)
{
    pc_joint_impact *joint = &s->joint;
    double size = 0;
    const int n = find_rubbing(s, &size);
    for (int k = 0; k < n && held >= 0; k++) s->reaction[0][k] = s->reaction[1][k] = size = 0;
    pc_joint_impact_meet(joint, n, false, s->mechanics, s->block);
    if (n == 0) return PC_OK;
    calm_locked(joint);
    double stopping = 0; /* the impulses that would stop what slips, as a part of which others are known */
    for (int k = 0; k < joint->n; k++) {
        const double W = joint->block->W[2 * k * (2 * joint->n + 1)];
        if (W > 0) stopping = fmax(stopping, fabs(joint->v0[2 * k + PC_T]) / W);
    }
    pc_fixed_point loads = {.n = joint->n, .x = s->load, .g = s->reach, .lack = s->lack, .last = s->last};
    do
        if (!rub_once(s, held, BEYOND * stopping)) return pc_joint_impact_unsolved(joint->n, s->t, err);
    while (pc_fixed_point_next(&loads, PC_ROUNDING, fmax(stopping, size)));
    if (loads.failed && !are_known(s, stopping)) return pc_joint_impact_unsolved(joint->n, s->t, err);
    for (int i = 0; i < 2 * joint->n; i++) {
        joint->v1[i] = joint->v0[i];
        for (int k = 0; k < joint->n; k++)
            joint->v1[i] += joint->block->W[2 * (i * joint->n + k) + PC_T] * joint->p[2 * k + PC_T];
    }
    return PC_OK;
}

/* Forces that have grown 3e4 times by friction are about so near, as a share, to growing without bound. */
static const double NEARLY = 1e-4;

pc_status pc_impact_sequence_stop(pc_impact_sequence *s, int place, bool *stops, pc_error *err)
{
    pc_joint_impact *joint = &s->joint;
    pc_error own = {0};
    *stops = false;
    pc_status status = solve_rubbing(s, place, &own);
    if (status != PC_OK) return status == PC_E_NUMERIC ? PC_OK : pc_fail(err, status, "%s", own.text);
    for (int k = 0; k < joint->n; k++) {
        if (joint->place[k] != place) continue;
        double *p = joint->p + 2 * k;
        const double bound = (1 + NEARLY) * joint->contact[k].friction * s->reach[k];
        *stops = p[PC_T] * joint->v0[2 * k + PC_T] < 0 && fabs(p[PC_T]) < bound;
        p[PC_N] = s->reach[k];
        joint->v1[2 * k + PC_T] = 0;
    }
    return PC_OK;
}

pc_status pc_impact_sequence_tell_stop(pc_impact_sequence *s, pc_error *err)
{
    return s->log->joint(s->log->context, &s->joint, PC_RULE_TIED, &s->order, err);
}

pc_status pc_impact_sequence_rub(pc_impact_sequence *s, double *u, pc_error *err)
{
    const pc_joint_impact *joint = &s->joint;
    pc_status status = solve_rubbing(s, -1, err);
    if (status != PC_OK || joint->n == 0) return status;
    pc_mechanics_jump(s->mechanics, &(pc_contact_set){joint->n, joint->place, joint->touch}, joint->p, s->block->a);
    for (int i = 0; i < s->mechanics->n; i++) u[i] += s->block->a[i];
    return PC_OK;
}

/* slow: what struck was beneath notice, and so is what it rubs off where no impulses are found. */
static pc_status rub(pc_impact_sequence *s, pc_rule rule, bool slow, pc_error *err)
{
    const pc_joint_impact *joint = &s->joint;
    bool any = false;
    pc_error own = {0};
    if (!s->mechanics->follows) return PC_OK;
    pc_status status = solve_rubbing(s, -1, slow ? &own : err);
    if (slow && status == PC_E_NUMERIC) return PC_OK;
    if (slow && status != PC_OK) *err = own;
    if (status != PC_OK || joint->n == 0) return status;
    for (int k = 0; k < joint->n; k++) any |= joint->p[2 * k + PC_T] != 0;
    s->first.once = false; /* what struck has another velocity now */
    return any ? s->log->joint(s->log->context, joint, rule, &s->order, err) : PC_OK;
}

pc_status pc_impact_sequence_tell_single(pc_impact_sequence *s, const pc_single_impact *single, pc_error *err)
{
    note(s, single->place, PC_RULE_SEQUENTIAL, single->v0[PC_N], single->impact.v1[PC_N]);
    pc_status status = s->log->single(s->log->context, single, s->order++, err);
    return status == PC_OK ? rub(s, PC_RULE_TIED, false, err) : status;
}

/* All but what rubs. */
static pc_status tell_struck(pc_impact_sequence *s, pc_rule rule, pc_error *err)
{
    const pc_joint_impact *joint = &s->joint;
    for (int i = 0, k = PC_N; i < joint->n - joint->n_couples; i++, k += 2)
        if (joint->p[k] > 0) note(s, joint->place[i], rule, joint->v0[k], joint->v1[k]);
    return s->log->joint(s->log->context, joint, rule, &s->order, err);
}

pc_status pc_impact_sequence_tell_joint(pc_impact_sequence *s, pc_rule rule, pc_error *err)
{
    pc_status status = tell_struck(s, rule, err);
    return status == PC_OK ? rub(s, rule, false, err) : status;
}

static pc_status strike_as_one(pc_impact_sequence *s, bool *found, pc_error *err)
{
    pc_error own = {0};
    bool compliant = true;
    for (int i = 0; i < s->n_approaching; i++) compliant &= s->contact[s->which[i]].law->element != NULL;
    meet(s, s->n_approaching, s->which);
    *found = pc_joint_impact_by_rules(&s->joint) ||
             (compliant && s->joint.n_couples == 0 && pc_joint_impact_compliant(&s->joint, &own));
    if (*found) return pc_impact_sequence_tell_joint(s, PC_RULE_TIED, err);
    if (own.code != PC_OK) *err = own;
    return own.code;
}

static pc_status strike_first(pc_impact_sequence *s, pc_error *err)
{
    const int which = s->which[0];
    pc_single_impact single;
    single.place = s->place[which];
    single.touch = s->touch[which];
    single.tied = s->n_approaching > 1;
    pc_mechanics_velocity(s->mechanics, single.place, &single.touch, single.v0);
    pc_status status = pc_single_impact_strike(&single, &s->contact[which], s->mechanics, s->block, err);
    if (status == PC_OK && single.impact.outcome == PC_OUTCOME_NONE)
        status = pc_fail_at(err, PC_E_NUMERIC, s->t, "impact",
                            "%s: the law does nothing about an approach at t = %.17g", s->contact[which].name, s->t);
    if (status == PC_OK) status = pc_impact_sequence_tell_single(s, &single, err);
    pc_impact_free(&single.impact);
    return status;
}

/* Friction with the impulses of reactions sets what has just come to rest moving again, by some hundredths each time,
 * which so many rounds take down to rounding. */
enum { ROUNDS_OF_ALL = 64 };

/* What is left of a sequence of impacts of which this one would be the next. `slow`: next to nothing, so that it may
 * stay where no impulses are found for all of them. */
static pc_status complete(pc_impact_sequence *s, int which, double ratio, bool slow, pc_error *err)
{
    pc_status status = s->log->accumulation(s->log->context, s->place[which], ratio, s->t + s->rest, err);
    for (int round = 0; round < ROUNDS_OF_ALL && status == PC_OK; round++) {
        meet(s, s->n, NULL);
        if (!pc_joint_impact_plastic(&s->joint)) return slow ? PC_OK : pc_joint_impact_unsolved(s->n, s->t, err);
        status = tell_struck(s, PC_RULE_SIMULTANEOUS, err);
        if (status == PC_OK) status = rub(s, PC_RULE_SIMULTANEOUS, slow, err);
        see(s);
        if (s->n_approaching == 0) break;
        double speed = keep_tied(s);
        if (speed <= ROUNDED * pc_rounding(s->contact[s->which[0]].speed)) break;
    }
    return status;
}

pc_status pc_impact_sequence_strike(pc_impact_sequence *s, pc_error *err)
{
    const pc_mechanics *m = s->mechanics;
    double first = 0;
    for (int i = 0; i < s->n; i++) {
        pc_mechanics_touch(m, s->place[i], &s->touch[i]);
        s->contact[i].speed = s->log->speed(s->log->context, s->place[i]);
    }
    for (int begin = s->order;;) {
        see(s);
        if (s->n_approaching == 0) return PC_OK;
        double speed = keep_tied(s);
        int n = s->order - begin, next = s->which[0];
        first = fmax(first, speed);
        bool slow = speed <= fmax(BENEATH * first, ROUNDED * pc_rounding(s->contact[next].speed));
        if ((n >= ROUNDS * s->n && slow) || n >= IMPACTS)
            return complete(s, next, pow(speed / first, 1.0 / n), slow, err);
        if (s->rule == PC_RULE_SIMULTANEOUS && s->n > 1) { /* after which none approaches */
            meet(s, s->n, NULL);
            if (!pc_joint_impact_by_rules(&s->joint)) return pc_joint_impact_unsolved(s->n, s->t, err);
            pc_status status = pc_impact_sequence_tell_joint(s, PC_RULE_SIMULTANEOUS, err);
            if (status != PC_OK || !m->follows) return status;
            continue; /* friction with the impulses of reactions may have set some moving again */
        }
        keep_coupled(s);
        bool found = false;
        pc_status status = PC_OK;
        if (s->n_approaching > 1 && s->rule == PC_RULE_TIED) status = strike_as_one(s, &found, err);
        if (status == PC_OK && !found) status = strike_first(s, err);
        if (status != PC_OK) return status;
        for (int i = 0; i < s->n_approaching; i++)
            s->contact[s->which[i]].speed = s->log->speed(s->log->context, s->place[s->which[i]]);
    }
}
