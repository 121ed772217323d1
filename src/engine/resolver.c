/* One instant at which contacts touch: see resolver.h. */
#include "engine/resolver.h"

#include "base/tolerance.h"
#include "engine/collide.h"

#include <math.h>
#include <string.h>

/* Attempts to find how the contacts go on, each after an impact that the last one asked for. */
enum { TURNS = 64 };

/* Velocities within so many times that of zero are what corrections of other contacts leave. */
static const double RIDING = 1e4;

/* Places nearer to one another than this share of the lengths are told apart by rounding alone. */
static const double SAME_PLACE = 1e-12;

/* Shares of the loads and of the greatest force that rounding leaves where conditions are nearly dependent. */
static const double BORNE_BY = 1e-9;

/* Coordinates that round apart are the same. */
static int compare(double a, double b, double small)
{
    return a < b - small ? -1 : a > b + small;
}

static int compare_places(const pc_touch *a, const pc_touch *b, double length)
{
    for (int k = 0; k < 2; k++) {
        double at[] = {a->center[0][k] - a->reach * a->n[k], b->center[0][k] - b->reach * b->n[k]};
        int way = compare(at[0], at[1], SAME_PLACE * length);
        if (way != 0) return way;
    }
    int way = compare(a->n[0], b->n[0], SAME_PLACE);
    return way != 0 ? way : compare(a->n[1], b->n[1], SAME_PLACE);
}

/* Sort what touches by where it does, from left to right and then upwards, and by the normals there: the order of lists
 * of bodies and obstacles then reaches neither arithmetic nor choices. */
static void sort_touching(pc_touching *touching, const pc_mechanics *m)
{
    double length = 0;
    for (int i = 0; i < touching->n; i++) {
        pc_touching_pair *p = &touching->at[i];
        pc_mechanics_touch(m, p->pair, &p->touch);
        length = fmax(length, pc_mechanics_pairing(m, p->pair)->length);
    }
    for (int i = 1, k; i < touching->n; i++) {
        const pc_touching_pair next = touching->at[i];
        for (k = i; k > 0 && compare_places(&next.touch, &touching->at[k - 1].touch, length) < 0; k--)
            touching->at[k] = touching->at[k - 1];
        touching->at[k] = next;
    }
}

/* Whether a place, which does not act by the forces of its law, is closed to rounding. */
static bool touches_at(const pc_mechanics *m, int place)
{
    const pc_pairing *pairing = pc_mechanics_pairing(m, place);
    pc_touch touch;
    if (pairing->acts_in_motion) return false;
    pc_mechanics_touch(m, place, &touch);
    return touch.meets && fabs(touch.gap) <= pc_rounding(pairing->length);
}

pc_status pc_touching_find(pc_touching *touching, const pc_touching *gone, const pc_mechanics *m, pc_error *err)
{
    for (int place = 0; place < m->n_places; place++) {
        bool touches = touches_at(m, place);
        for (int i = 0; i < gone->n; i++) touches &= gone->at[i].pair != place;
        if (touches && !pc_touching_add(touching, place, err)) return PC_E_MEMORY;
    }
    return PC_OK;
}

/* ---- what is known of contacts ---- */

pc_status pc_contact_state_place(const pc_contact_state *s, pc_error *err)
{
    return pc_mechanics_place(s->mechanics, s->t, s->y) == 0 ? PC_OK : pc_mechanics_stopped(s->t, err);
}

pc_status pc_contact_state_accelerate(const pc_contact_state *s, const pc_acting *more, double *a, pc_error *err)
{
    int got = pc_contacts_accelerate_under(s->contacts, s->compliant, s->mechanics, s->block, more, a);
    return got == 0 ? PC_OK : pc_mechanics_stopped(s->t, err);
}

double pc_contact_state_energy(const pc_contact_state *s)
{
    return s->mechanics->provider->energy(s->mechanics->at);
}

double pc_contact_state_speed(const pc_contact_state *s, int place)
{
    return pc_speed_scale(&s->memory[place], s->mechanics->fall, pc_mechanics_pairing(s->mechanics, place)->length);
}

double pc_contact_state_resolution(const pc_contact_state *s, int place)
{
    return pc_rounding(pc_contact_state_speed(s, place));
}

void pc_contact_state_velocity(const pc_contact_state *s, int place, double v[2])
{
    pc_touch touch;
    pc_mechanics_touch(s->mechanics, place, &touch);
    pc_mechanics_velocity(s->mechanics, place, &touch, v);
}

int pc_contact_state_roll(const pc_contact_state *s, int place)
{
    const double rolling = pc_mechanics_pairing(s->mechanics, place)->rolling;
    pc_touch touch;
    double v[2];
    if (rolling == 0) return 0;
    pc_mechanics_touch(s->mechanics, place, &touch);
    touch.couple = rolling;
    pc_mechanics_velocity(s->mechanics, place, &touch, v);
    return fabs(v[PC_T]) <= pc_contact_state_resolution(s, place) ? 0 : v[PC_T] > 0 ? 1 : -1;
}

static pc_striking striking_at(const pc_resolver *r, int place, double speed)
{
    const pc_pairing *p = pc_mechanics_pairing(r->at->mechanics, place);
    return (pc_striking){p->name, p->law, p->params, p->friction, speed, p->rolling};
}

static pc_striking striking(const pc_resolver *r, int place)
{
    return striking_at(r, place, pc_contact_state_speed(r->at, place));
}

bool pc_resolver_has_turned(const pc_resolver *r, int i)
{
    const int mode = r->at->contacts->mode[i], place = r->at->contacts->pair[i];
    double v[2];
    if (mode == 0 || pc_pairing_is_smooth(pc_mechanics_pairing(r->at->mechanics, place))) return false;
    pc_contact_state_velocity(r->at, place, v);
    return mode * v[PC_T] < -pc_contact_state_resolution(r->at, place);
}

/* Joints may couple rates of which friction takes one each (two pins of a loop with one freedom): these come to rest
 * together, but for rounding. The one whose zero is not found at this instant would go on with the friction of its old
 * sign, and its zero has passed. */
static bool comes_to_rest(const pc_resolver *r, int i)
{
    const int place = r->at->contacts->pair[i];
    double v[2];
    if (!pc_mechanics_pairing(r->at->mechanics, place)->always) return false;
    pc_contact_state_velocity(r->at, place, v);
    return fabs(v[PC_T]) <= RIDING * pc_contact_state_resolution(r->at, place);
}

pc_status pc_resolver_add_closed(const pc_resolver *r, bool jumped, pc_touching *touching, pc_error *err)
{
    const pc_contacts *c = r->at->contacts;
    for (int i = 0; i < c->n; i++) {
        pc_touching_pair *p = pc_touching_add(touching, c->pair[i], err);
        if (!p) return PC_E_MEMORY;
        /* a slip that begins at this instant has no velocity yet */
        const bool stops = pc_resolver_has_turned(r, i) || (p->slip == 0 && comes_to_rest(r, i));
        p->rest |= !jumped && (c->mode[i] == 0 || stops);
        /* slip that nothing has stopped goes on, also where it has just begun and is still zero to rounding */
        p->slip = p->rest ? 0 : c->mode[i];
        p->halts |= !jumped && c->roll[i] == 0;
        p->roll = p->halts ? 0 : c->roll[i];
        p->kept = !jumped;
    }
    return PC_OK;
}

/* How a contact that touches slips, now: 0, or the sign. */
static int slip_of(const pc_resolver *r, const pc_touching_pair *p, double v_t)
{
    double small = pc_contact_state_resolution(r->at, p->pair);
    if (pc_mechanics_pairing(r->at->mechanics, p->pair)->always) small *= RIDING; /* joints may hold it but for that */
    if (p->kept) return p->rest ? 0 : p->slip;
    if (p->slip && p->slip * v_t >= -small) return p->slip;
    return p->rest || fabs(v_t) <= small ? 0 : v_t > 0 ? 1 : -1;
}

/* How it rolls against a resistance. What has lost its rate to an impact is held from there, as far as it can be. */
static int roll_of(const pc_resolver *r, const pc_touching_pair *p)
{
    if (p->halts) return 0;
    return p->kept ? p->roll : pc_contact_state_roll(r->at, p->pair);
}

/* Velocities have changed: what was known of them is over. */
static void forget(pc_resolver *r, pc_touching *touching, bool slips)
{
    r->jumped = true;
    for (int i = 0; i < touching->n; i++) {
        touching->at[i].kept = false;
        if (!slips) continue;
        touching->at[i].rest = touching->at[i].halts = false;
        touching->at[i].slip = touching->at[i].roll = 0;
    }
}

/* ---- bounces that are too low to be told from rounding ----
 *
 * Where several contacts bounce at once (a box on its corners, a pile), each disturbs the others, and no intervals form
 * a sequence that could be extrapolated. But every contact for itself comes to bounces below the rounding of positions;
 * after one of these, or after it has been closed, the next as low is taken to be the beginning of the end: restitution
 * e < 1 makes the rest of them a geometric sequence, which ends after 2 v/(a (1 - e)), for a speed v and an
 * acceleration a that presses the contact together.
 */

/* Whether a bounce of the speed v that lasts d is as low. */
static bool is_low(const pc_resolver *r, int place, double v, double d)
{
    double length = pc_mechanics_pairing(r->at->mechanics, place)->length;
    return pc_bounce_is_low(v, d, length, r->at->t) && pc_bounce_is_gentle(v, pc_contact_state_speed(r->at, place));
}

/* Remember what has struck here, for what follows. */
static void note_bounces(const pc_resolver *r, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) {
        int place = touching->at[i].pair;
        pc_pair_memory *memory = &r->at->memory[place];
        double v = r->sequence->struck[i];
        if (!isnan(v) && memory->last_impact != r->at->t) { /* else that was not the first one here */
            memory->low_bounce = is_low(r, place, fabs(v), r->at->t - memory->last_impact);
            memory->last_impact = r->at->t;
        }
        if (pc_contacts_find(r->before, place) >= 0) memory->low_bounce = true;
    }
}

pc_status pc_resolver_restitution(const pc_resolver *r, int place, double v, double *e, pc_error *err)
{
    const pc_striking contact = striking(r, place);
    pc_joint_rule rule;
    pc_touch touch;
    pc_mobility W;
    pc_error own = {0};
    if (pc_striking_rule(&contact, v, &rule)) {
        *e = rule.e;
        return PC_OK;
    }
    pc_mechanics_touch(r->at->mechanics, place, &touch);
    *e = 1;
    if (pc_contact_mobility(r->at->mechanics, place, &touch, r->at->block, &W, NULL, &own) != PC_OK) return PC_OK;
    double found = pc_law_restitution(contact.law, contact.params, W.nn, v, &own);
    if (!isnan(found)) *e = found;
    if (own.code != PC_E_CALLBACK && own.code != PC_E_INTERRUPTED) return PC_OK;
    if (err) *err = own;
    return own.code;
}

/* Slip may make the bounces shrink by another ratio than e, which shows in the speeds before and after. a: the
 * acceleration that presses. */
static pc_status tell_accumulation(pc_resolver *r, int place, double struck, double v, double a, pc_error *err)
{
    double ratio = -v / struck;
    pc_status status = PC_OK;
    if (!(ratio > 0 && ratio < 1)) status = pc_resolver_restitution(r, place, v, &ratio, err);
    double left = 0, first = 2 * v / a;
    if (status == PC_OK) status = pc_resolver_bounces(r, place, v, &left, err);
    if (status != PC_OK) return status;
    double rest = left > 0 ? first * left : first / (1 - ratio);
    double end = pc_accumulation_end(r->accumulation, place, r->at->t, r->at->t + rest);
    pc_accumulation_forget(r->accumulation); /* it is not to be found again by its intervals */
    return r->log.accumulation(r->log.context, place, ratio, end, err);
}

/* ---- which stay closed ---- */

/* The contacts that do not separate, with the sign of their slip; those of a velocity below v_rest are stopped.
 * *stopped: there was such a velocity. */
static pc_status collect(pc_resolver *r, const pc_touching *touching, bool *stopped, pc_error *err)
{
    pc_contacts *may = r->candidates;
    may->n = 0;
    *stopped = false;
    for (int i = 0; i < touching->n; i++) {
        const pc_touching_pair *p = &touching->at[i];
        double v[2], parting = 0;
        pc_contact_state_velocity(r->at, p->pair, v);
        bool slow = p->still || p->kept || fabs(v[PC_N]) < r->v_rest;
        *stopped |= slow && !p->kept && v[PC_N] != 0;
        if (!slow && v[PC_N] > pc_contact_state_resolution(r->at, p->pair)) {
            double e = 1;
            pc_status status = PC_OK;
            if (r->at->memory[p->pair].low_bounce) status = pc_resolver_restitution(r, p->pair, v[PC_N], &e, err);
            if (status != PC_OK) return status;
            if (!(e < 1)) continue;
            parting = v[PC_N];
        }
        int k = may->n++;
        may->parting[k] = parting;
        may->pair[k] = p->pair;
        may->mode[k] = slip_of(r, p, v[PC_T]);
        may->roll[k] = roll_of(r, p);
    }
    return PC_OK;
}

/* Whether a joint rests as others lock it: its friction moves nothing then, and that it comes to its bound where the
 * reaction vanishes is no slip. By the mobility of the last projection. */
static bool is_locked(const pc_resolver *r, int place, double v_t)
{
    if (fabs(v_t) > RIDING * pc_contact_state_resolution(r->at, place)) return false;
    return pc_mechanics_pairing(r->at->mechanics, place)->always && pc_block_is_locked(r->at->block, place);
}

/* What the projection has taken may have turned a slip round: its sign is that of the velocity it has now. */
static void aim(const pc_resolver *r, const pc_touching *touching)
{
    pc_contacts *may = r->candidates;
    for (int i = 0, k = 0; k < may->n; k++) {
        double v[2];
        while (touching->at[i].pair != may->pair[k]) i++;
        pc_contact_state_velocity(r->at, may->pair[k], v);
        may->mode[k] = is_locked(r, may->pair[k], v[PC_T]) ? 0 : slip_of(r, &touching->at[i], v[PC_T]);
        may->roll[k] = roll_of(r, &touching->at[i]);
    }
}

/* Leave candidates out: those whose next bounce is too high to be the last, for the forces that `kept` has, or, without
 * that, all that separate. True if there were any: the others have to be decided on anew. */
static bool leave_bouncing(const pc_resolver *r, const pc_contacts *kept)
{
    pc_contacts *may = r->candidates;
    const int all = may->n;
    may->n = 0;
    for (int i = 0; i < all; i++) {
        const double v = may->parting[i];
        const int j = kept ? pc_contacts_find(kept, may->pair[i]) : -1;
        bool bounces = v > 0;
        if (bounces && kept) bounces = j >= 0 && !is_low(r, may->pair[i], v, 2 * v / kept->press[j]);
        if (bounces) continue;
        may->parting[may->n] = v;
        pc_contacts_add(may, may, i);
    }
    return may->n < all;
}

/* Decide which candidates stay closed. */
static pc_verdict decide(pc_resolver *r)
{
    pc_contacts *now = r->at->contacts;
    for (;;) {
        pc_contacts_copy(now, r->candidates);
        pc_verdict verdict =
            now->n > 0 ? pc_contacts_decide(now, r->at->compliant, r->at->mechanics, r->at->block) : PC_CONSISTENT;
        bool left = verdict != PC_STOPPED && leave_bouncing(r, verdict == PC_CONSISTENT ? now : NULL);
        if (!left) return verdict;
    }
}

/* ---- velocities that they must not have ---- */

/* Whether slip goes on in its direction, or has stopped, and nothing moves along the normals. */
static bool moves_on(const pc_resolver *r)
{
    const pc_contacts *c = r->at->contacts;
    for (int i = 0; i < c->n; i++) {
        double v[2], small = pc_contact_state_resolution(r->at, c->pair[i]);
        pc_contact_state_velocity(r->at, c->pair[i], v);
        if (c->mode[i] * v[PC_T] < -small || fabs(v[PC_N]) > RIDING * small) return false;
    }
    return true;
}

/* Nothing moves along the normals. */
static bool stays(const pc_resolver *r)
{
    const pc_contacts *c = r->at->contacts;
    for (int i = 0; i < c->n; i++) {
        double v[2];
        pc_contact_state_velocity(r->at, c->pair[i], v);
        if (fabs(v[PC_N]) > pc_contact_state_resolution(r->at, c->pair[i])) return false;
    }
    return true;
}

/* What rode along with a gap of its own is put back farther than rounding, where normals have turned: once more. */
static pc_status remove_forbidden(pc_resolver *r, bool rub, double *given, pc_error *err)
{
    pc_status status = PC_OK;
    *given = 0;
    for (int round = 0; round < 2 && status == PC_OK && (round == 0 || !stays(r)); round++) {
        *given += pc_contacts_project(r->at->contacts, r->at->mechanics, r->at->block, rub, r->at->y);
        status = pc_contact_state_place(r->at, err);
    }
    return status;
}

/* rub: bounces are stopped, whose impulses bring friction with them: what the contact's force gives too much until they
 * would have ended is taken here, of both. Where that would turn slip round, or cannot be done, they stop
 * without friction. */
static pc_status project(pc_resolver *r, bool rub, pc_error *err)
{
    const pc_mechanics *m = r->at->mechanics;
    size_t size = 2 * (size_t)m->n * sizeof *r->at->y;
    if (r->at->contacts->n == 0) return PC_OK;
    double energy = pc_contact_state_energy(r->at), given;
    if (rub) memcpy(r->spare, r->at->y, size);
    pc_status status = remove_forbidden(r, rub, &given, err);
    if (status != PC_OK || !rub) return status;
    if (!moves_on(r)) {
        memcpy(r->at->y, r->spare, size);
        status = pc_contact_state_place(r->at, err);
        if (status == PC_OK) status = remove_forbidden(r, false, &given, err);
    }
    *r->lost += energy - pc_contact_state_energy(r->at) + given;
    *r->driven += given;
    return status;
}

/* Stop the contacts that come to stay closed though they separate, each from its last bounce, and tell of those that
 * were open before. *any: there were such contacts, and velocities have changed. */
static pc_status end_bounces(pc_resolver *r, pc_touching *touching, bool *any, pc_error *err)
{
    const pc_contacts *may = r->candidates;
    pc_contacts *now = r->at->contacts;
    pc_status status = PC_OK;
    *any = false;
    for (int j = 0; j < now->n && status == PC_OK; j++) {
        int i = pc_contacts_find(may, now->pair[j]), k = 0;
        while (touching->at[k].pair != now->pair[j]) k++;
        now->mode[j] = may->mode[i]; /* as they move now, not as they will */
        now->roll[j] = may->roll[i];
        if (may->parting[i] == 0) continue;
        *any = touching->at[k].still = true;
        if (pc_contacts_find(r->before, now->pair[j]) < 0)
            status = tell_accumulation(r, now->pair[j], r->sequence->struck[k], may->parting[i], now->press[j], err);
    }
    return *any && status == PC_OK ? project(r, true, err) : status;
}

/* ---- jams ---- */

/* Slip whose friction presses the contact harder than its normal force can relieve, most so; or -1. */
static int jammed(const pc_resolver *r, const pc_contacts *c)
{
    int found = -1;
    double least = 0;
    for (int i = 0; i < c->n; i++) {
        double mobility = pc_contacts_slip_mobility(c, r->at->mechanics, r->at->block, i);
        if (c->mode[i] == 0 || !(mobility < least)) continue;
        found = c->pair[i];
        least = mobility;
    }
    return found;
}

/* Slips that stop in no time: they count as stopped. */
static bool stop_slow(const pc_resolver *r, const pc_contacts *c, double slow, pc_touching *touching)
{
    bool any = false;
    for (int i = 0; i < touching->n; i++) {
        const int j = pc_contacts_find(c, touching->at[i].pair);
        double v[2];
        if (j < 0 || c->mode[j] == 0) continue;
        pc_contact_state_velocity(r->at, touching->at[i].pair, v);
        if (fabs(v[PC_T]) > slow) continue;
        touching->at[i].rest = any = true;
        touching->at[i].slip = 0;
    }
    return any;
}

static pc_joint_impact *meet(pc_resolver *r, int n, bool rolling)
{
    pc_joint_impact *joint = &r->sequence->joint;
    for (int i = 0; i < n; i++) joint->contact[i] = striking(r, joint->place[i]);
    pc_joint_impact_meet(joint, n, rolling, r->at->mechanics, r->at->block);
    return joint;
}

pc_joint_impact *pc_resolver_meet(pc_resolver *r, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) r->sequence->joint.place[i] = touching->at[i].pair;
    return meet(r, touching->n, r->at->mechanics->rolls);
}

pc_status pc_resolver_joint_jump(pc_resolver *r, const pc_touching *touching, double *u, pc_error *err)
{
    pc_joint_impact *joint = pc_resolver_meet(r, touching);
    double *du = r->at->block->a;
    bool any = false;
    if (!pc_joint_impact_by_rules(joint)) return pc_joint_impact_unsolved(joint->n, r->at->t, err);
    for (int i = 0; i < joint->n; i++) any |= joint->p[2 * i + PC_N] > 0;
    if (!any) return PC_OK;
    pc_mechanics_jump(r->at->mechanics, &(pc_contact_set){joint->n, joint->place, joint->touch}, joint->p, du);
    for (int i = 0; i < r->at->mechanics->n; i++) u[i] += du[i];
    return PC_OK;
}

pc_status pc_resolver_rub_jump(pc_resolver *r, const pc_touching *touching, double *u, pc_error *err)
{
    pc_impact_sequence *s = r->sequence;
    s->mechanics = r->at->mechanics;
    s->block = r->at->block;
    s->t = r->at->t;
    s->n = touching->n;
    for (int i = 0; i < touching->n; i++) {
        s->place[i] = touching->at[i].pair;
        s->contact[i] = striking(r, touching->at[i].pair);
    }
    return pc_impact_sequence_rub(s, u, err);
}

/* One contact is struck by its law, from v_n = 0. */
static pc_status strike_alone(pc_resolver *r, int place, pc_error *err)
{
    const pc_striking contact = striking(r, place);
    pc_single_impact single;
    pc_status status = r->log.jam(r->log.context, place, err);
    if (status != PC_OK) return status;
    single.place = place;
    single.tied = false;
    pc_mechanics_touch(r->at->mechanics, place, &single.touch);
    pc_mechanics_velocity(r->at->mechanics, place, &single.touch, single.v0);
    single.v0[PC_N] = 0;
    status = pc_single_impact_strike(&single, &contact, r->at->mechanics, r->at->block, err);
    if (status == PC_OK && single.impact.outcome == PC_OUTCOME_NONE)
        status = pc_fail_at(err, PC_E_NUMERIC, r->at->t, "force",
                            "%s: slip jams at t = %.17g (Painleve): no contact force is consistent with it and this "
                            "law has no impact from rest",
                            contact.name, r->at->t);
    if (status == PC_OK) status = pc_impact_sequence_tell_single(r->sequence, &single, err);
    pc_impact_free(&single.impact);
    return status;
}

/* And the friction of joints, which never opens. */
static void keep_loaded(pc_contacts *c, const pc_mechanics *m, const double *p)
{
    const int n = c->n;
    c->n = 0;
    for (int i = 0; i < n; i++)
        if (p[2 * i + PC_N] > 0 || pc_mechanics_pairing(m, c->pair[i])->always) pc_contacts_add(c, c, i);
}

/* Contacts of which some slip and for which no forces were found, from v_n = 0. *nothing: no impulse came of it, and
 * slips below *slow are stopped by the load in no time; then only those contacts are left that bear it. */
static pc_status strike_together(pc_resolver *r, pc_contacts *c, double *slow, bool *nothing, pc_error *err)
{
    int n = c->n, which = c->pair[0];
    *nothing = true;
    if (pc_compliant_accelerations(r->at->compliant, r->at->mechanics, r->at->block, NULL, r->at->a) != 0)
        return pc_mechanics_stopped(r->at->t, err);
    memcpy(r->sequence->joint.place, c->pair, (size_t)n * sizeof *c->pair);
    pc_joint_impact *joint = meet(r, n, false);
    for (int i = 0; i < n; i++)
        pc_mechanics_acceleration(r->at->mechanics, c->pair[i], &joint->touch[i], r->at->a, joint->load + 2 * i);
    if (!pc_joint_impact_jam(joint, c->mode, joint->load, slow, nothing))
        return pc_joint_impact_unsolved(n, r->at->t, err);
    if (*nothing) {
        keep_loaded(c, r->at->mechanics, joint->p);
        return PC_OK;
    }
    for (int i = 0; i < n; i++)
        if (c->mode[i] != 0) which = c->pair[i];
    pc_status status = r->log.jam(r->log.context, which, err);
    if (status != PC_OK) return status;
    if (!pc_joint_impact_after_jam(joint, err))
        return err->code != PC_OK ? err->code : pc_joint_impact_unsolved(n, r->at->t, err);
    return pc_impact_sequence_tell_joint(r->sequence, PC_RULE_SIMULTANEOUS, err);
}

/* Friction of a joint that its own reaction makes grow beyond bounds stops the slip of the joint by an impulse, in no
 * time: loads that follow the reactions with whatever delay would grow until it does. *stops: there is one joint that
 * does so; where others might as well, or where contacts take their share, it would depend on who is first. */
static pc_status stop_joint(pc_resolver *r, const pc_contacts *c, bool *stops, pc_error *err)
{
    const pc_mechanics *m = r->at->mechanics;
    int found = -1, n = 0;
    pc_status status = PC_OK;
    *stops = false;
    for (int i = 0; i < r->sequence->n; i++) r->sequence->contact[i] = striking(r, r->sequence->place[i]);
    for (int i = 0; i < c->n && status == PC_OK; i++) {
        const int place = c->pair[i];
        if (c->mode[i] == 0 || !pc_mechanics_pairing(m, place)->follows) continue;
        bool alone = true, one = false;
        for (int k = 0; k < c->n; k++)
            alone &=
                pc_mechanics_pairing(m, c->pair[k])->always || !m->provider->coupled(m->self, m->at, place, c->pair[k]);
        if (alone) status = pc_impact_sequence_stop(r->sequence, place, &one, err);
        if (!one) continue;
        found = place;
        n++;
    }
    if (status != PC_OK || n != 1) return status;
    status = pc_impact_sequence_stop(r->sequence, found, stops, err);
    if (status == PC_OK) status = r->log.jam(r->log.context, found, err);
    return status == PC_OK ? pc_impact_sequence_tell_stop(r->sequence, err) : status;
}

/* What becomes of contacts for which no forces were found. LEAPT: nothing has struck, but forces beyond those that have
 * come to an end may let some of what sticks slip. */
typedef enum way_out { STRUCK, STOPPED, BORNE, LEAPT } way_out;

/* Slip presses some contacts harder than normal forces can relieve. One that does so by itself is struck by its law;
 * else all candidates together. If no impact comes of it, slips that are next to nothing are stopped; and if there are
 * none, the load of a short time showed forces that bear it: these stay closed. */
static pc_status strike_jam(pc_resolver *r, int jam, pc_touching *touching, way_out *way, pc_error *err)
{
    bool nothing, stops;
    double slow;
    pc_status status;
    *way = STRUCK;
    if (jam >= 0 ? pc_mechanics_pairing(r->at->mechanics, jam)->follows : r->at->block->unbound > 0) {
        status = stop_joint(r, jam >= 0 ? r->at->contacts : r->candidates, &stops, err);
        if (status != PC_OK || stops) return status;
        if (jam >= 0) {
            *way = LEAPT;
            return PC_OK;
        }
    }
    if (jam >= 0) return strike_alone(r, jam, err);
    status = strike_together(r, r->candidates, &slow, &nothing, err);
    if (status == PC_OK && nothing) *way = stop_slow(r, r->candidates, slow, touching) ? STOPPED : BORNE;
    return status;
}

/* That a short load was borne by these contacts says little where slips change at once: they may stay closed if they
 * are at rest along the normals, and the forces of their modes keep them there and press; where friction of joints jams
 * there are none. */
static pc_status see_borne(pc_resolver *r, bool *borne, pc_error *err)
{
    pc_contacts *c = r->at->contacts;
    double most = 0, load = r->at->mechanics->fall;
    pc_status status = pc_contact_state_accelerate(r->at, NULL, r->at->a, err);
    if (status != PC_OK) return status;
    for (int i = 0; i < c->n; i++) {
        most = fmax(most, fabs(c->force[i][PC_N]) + fabs(c->force[i][PC_T]));
        for (int k = 0; k < 2; k++) load = fmax(load, fabs(r->at->block->b[2 * i + k]));
    }
    *borne = true;
    for (int i = 0; i < r->at->mechanics->n; i++) *borne &= isfinite(r->at->a[i]);
    for (int i = 0; i < c->n; i++) {
        double v[2], a[2];
        if (pc_mechanics_pairing(r->at->mechanics, c->pair[i])->always) continue; /* with no condition along a normal */
        pc_mechanics_velocity(r->at->mechanics, c->pair[i], &c->touch[i], v);
        pc_mechanics_acceleration(r->at->mechanics, c->pair[i], &c->touch[i], r->at->a, a);
        *borne &= fabs(v[PC_N]) <= RIDING * pc_contact_state_resolution(r->at, c->pair[i]) &&
                  fabs(a[PC_N]) <= BORNE_BY * load && c->force[i][PC_N] >= -BORNE_BY * most &&
                  (c->mode[i] != 0 || fabs(a[PC_T]) <= BORNE_BY * load);
    }
    if (*borne) r->at->block->unbound = 0;
    return PC_OK;
}

/* ---- the instant ---- */

static pc_status strike(pc_resolver *r, const pc_touching *touching, pc_error *err)
{
    pc_impact_sequence *s = r->sequence;
    s->rest = pc_accumulation_rest(r->accumulation, r->at->t);
    for (int i = 0; i < touching->n; i++) {
        s->contact[i] = striking(r, touching->at[i].pair);
        s->still[i] = touching->at[i].still;
        s->kept[i] = touching->at[i].kept;
    }
    return pc_impact_sequence_strike(s, err);
}

/* The sequence of n impacts, at places that are still to be said. */
static void begin_sequence(pc_resolver *r, int n)
{
    pc_impact_sequence *s = r->sequence;
    pc_contacts_copy(r->before, r->at->contacts);
    r->candidates->n = 0;
    s->mechanics = r->at->mechanics;
    s->block = r->at->block;
    s->log = &r->log;
    s->rule = r->rule;
    s->t = r->at->t;
    s->rtol = r->rtol;
    s->order = 0;
    s->first = (pc_first_impact){.place = -1};
    s->n = n;
    for (int i = 0; i < n; i++) s->struck[i] = NAN;
}

static void begin(pc_resolver *r, pc_touching *touching)
{
    sort_touching(touching, r->at->mechanics);
    begin_sequence(r, touching->n);
    for (int i = 0; i < touching->n; i++) r->sequence->place[i] = touching->at[i].pair;
}

/* Whether a place touches that is not the one in question. */
static bool another_touches(const pc_mechanics *m, int place)
{
    for (int other = 0; other < m->n_places; other++)
        if (other != place && touches_at(m, other)) return true;
    return false;
}

pc_status pc_resolve_alone(pc_resolver *r, int place, const pc_touch *touch, bool *settled, pc_error *err)
{
    const pc_mechanics *m = r->at->mechanics;
    pc_pair_memory *memory = &r->at->memory[place];
    pc_single_impact single;
    *settled = false;
    if (memory->last_impact == r->at->t || another_touches(m, place)) return PC_OK;
    const pc_striking contact = striking_at(r, place, r->log.speed(r->log.context, place));
    const double small = pc_rounding(contact.speed);
    single.place = place;
    single.tied = false;
    single.touch = *touch;
    pc_mechanics_velocity(m, place, touch, single.v0);
    const double v_n = single.v0[PC_N];
    if (!(v_n < -small) || is_low(r, place, fabs(v_n), r->at->t - memory->last_impact)) return PC_OK;
    pc_status status = pc_single_impact_strike(&single, &contact, m, r->at->block, err);
    if (status == PC_OK && single.impact.outcome != PC_OUTCOME_NONE &&
        single.impact.v1[PC_N] > fmax(RIDING * small, r->v_rest)) {
        begin_sequence(r, 1);
        r->sequence->place[0] = place;
        status = pc_impact_sequence_tell_single(r->sequence, &single, err);
        memory->low_bounce = false;
        memory->last_impact = r->at->t;
        r->log.speed(r->log.context, place);
        *settled = r->jumped = true;
    }
    pc_impact_free(&single.impact);
    return status;
}

/* Contacts that touch and do not separate, but get no force: others carry the load. They ride along, whatever rounding
 * makes of their acceleration. */
static void note_riding(const pc_resolver *r, const pc_touching *touching)
{
    for (int i = 0; i < touching->n; i++) {
        int place = touching->at[i].pair;
        double v[2];
        pc_contact_state_velocity(r->at, place, v);
        if (pc_contacts_find(r->at->contacts, place) < 0 &&
            fabs(v[PC_N]) <= RIDING * pc_contact_state_resolution(r->at, place))
            r->at->memory[place].riding = r->at->t;
    }
}

/* Whether the contacts are those of before, in the same modes. */
static bool goes_on(const pc_resolver *r)
{
    const pc_contacts *now = r->at->contacts, *before = r->before;
    bool same = now->n == before->n;
    for (int i = 0; i < now->n && same; i++) {
        const int was = pc_contacts_find(before, now->pair[i]);
        same = was >= 0 && before->mode[was] == now->mode[i];
    }
    return same;
}

pc_status pc_resolve(pc_resolver *r, pc_touching *touching, int jam, bool *settled, pc_error *err)
{
    pc_contacts *now = r->at->contacts, *may = r->candidates;
    pc_status status = PC_OK;
    bool jams = jam >= 0, stopped;
    *settled = false;
    begin(r, touching);
    for (int turn = 0; turn < TURNS && !*settled; turn++) {
        int struck = r->sequence->order;
        way_out way = STRUCK;
        if (jams) status = strike_jam(r, jam, touching, &way, err);
        if (status == PC_OK && way == BORNE) {
            pc_contacts_copy(now, may);
            status = see_borne(r, settled, err);
            if (status != PC_OK) return status;
            break;
        }
        if (status == PC_OK) status = strike(r, touching, err);
        if (status != PC_OK) return status;
        if (r->sequence->order > struck) forget(r, touching, true);
        note_bounces(r, touching);

        if ((status = collect(r, touching, &stopped, err)) != PC_OK) return status;
        now->n = 0;
        for (int i = 0; i < may->n; i++)
            if (!(may->parting[i] > 0)) pc_contacts_add(now, may, i);
        status = project(r, stopped, err);
        if (status != PC_OK) return status;
        if (stopped) forget(r, touching, false);
        aim(r, touching);
        r->at->block->above = way == LEAPT;
        pc_verdict verdict = decide(r);
        r->at->block->above = false;
        if (verdict == PC_STOPPED) return pc_mechanics_stopped(r->at->t, err);
        jams = verdict == PC_INCONSISTENT;
        if (way == LEAPT && (jams || goes_on(r)))
            return pc_fail_at(err, PC_E_NUMERIC, r->at->t, "friction", "%s: friction jams at t = %.17g",
                              pc_mechanics_pairing(r->at->mechanics, jam)->name, r->at->t);
        jam = jams ? jammed(r, may) : -1;
        if (jams) continue;
        bool ended = false;
        for (int i = 0; i < may->n; i++) ended |= may->parting[i] > 0;
        if (ended) status = end_bounces(r, touching, &ended, err);
        if (status != PC_OK) return status;
        if (ended) forget(r, touching, false);
        *settled = !ended;
    }
    if (*settled)
        note_riding(r, touching);
    else
        pc_contacts_copy(now, r->before);
    return PC_OK;
}
