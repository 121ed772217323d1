/* Compliant contacts begin, change and end: see contact_changes.h. */
#include "engine/contact_changes.h"

#include "base/alloc.h"
#include "base/tolerance.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A speed below this share of the fastest contact's is no measure of what is going on. */
static const double SLOW = 1e-3;

/* What integration leaves of a velocity that has come to zero is far below this share of a contact's speed. */
static const double JUMP = 1e-4;

/* What rounding or the search for its zero leaves of a gap, as a share of the lengths in it. */
static const double TOUCH = 1e-12;

static double *rows_of(const pc_contact_changes *c, int which)
{
    return c->at->y + 2 * c->at->mechanics->n + which * pc_compliant_rows(c->at->compliant);
}

pc_status pc_changes_evaluate(pc_contact_changes *c, pc_error *err)
{
    pc_status status = pc_contact_state_place(c->at, err);
    if (status == PC_OK) status = pc_contact_state_accelerate(c->at, NULL, c->at->a, err);
    if (status == PC_OK) pc_compliant_rates(c->at->compliant, c->at->mechanics, c->at->a, NULL);
    return status;
}

/* The same without rates, unless forces do not follow from the state alone. */
static pc_status evaluate_forces(pc_contact_changes *c, pc_error *err)
{
    if (pc_compliant_held(c->at->compliant) > 0 || pc_compliant_braced(c->at->compliant) > 0)
        return pc_changes_evaluate(c, err);
    pc_status status = pc_contact_state_place(c->at, err);
    if (status == PC_OK) pc_compliant_evaluate(c->at->compliant, c->at->mechanics);
    return status;
}

static const pc_provider_parts *parts_of(const pc_contact_changes *c)
{
    return c->at->mechanics->provider->parts;
}

/* ---- how fast, how deep ---- */

/* The speed at which an impact would indent the contact by u; or, u = 0, an acceleration a would stop it: v^2 = a times
 * its length. Lengths grow with a power of the speed. */
static double speed_of(const pc_pairing *p, double mass, double u, double a)
{
    double speed = 1, factor = 2;
    for (int i = 0; i < 60 && !(fabs(factor - 1) < 1e-3); i++) {
        double length = p->law->element->length(p->params, mass, speed);
        factor = u > 0 ? u / length : sqrt(a * length) / speed;
        speed *= factor;
    }
    return speed;
}

/* Size of what is about to happen: the greatest of the closing speed, what presses or draws the pair together, how deep
 * it already is, and, where all that is next to nothing, what the contacts around it do. */
static double typical_speed(const pc_compliant *closed, const pc_pairing *p, double mass, double w, double u,
                            double load)
{
    const pc_element *element = p->law->element;
    double speed = fmax(w, element->sticking_speed ? element->sticking_speed(p->params, mass) : 0), around = 0;
    bool loaded = load > 0 && (speed == 0 || load * element->length(p->params, mass, speed) > speed * speed);
    if (loaded) speed = fmax(speed, speed_of(p, mass, 0, load));
    if (u > 0) speed = fmax(speed, speed_of(p, mass, u, 0));
    for (int i = 0; i < closed->n; i++) around = fmax(around, closed->contact[i].speed);
    return speed < SLOW * around ? around : speed;
}

/* ---- begin ---- */

/* From rest, but for what creep and rounding have left of v_t. A point that has been set moving, by a corner that
 * passed another one, slips as it moves. */
static void begin_slip(pc_compliant_contact *c, int sign, double v_t)
{
    pc_contact *contact = &c->base;
    bool rigid = contact->p.tangential.kind == PC_TANGENTIAL_RIGID, moves = rigid && fabs(v_t) > JUMP * c->speed;
    contact->stuck = false;
    contact->sign = moves ? (v_t < 0 ? -1 : 1) : sign;
    contact->backward = rigid && !moves ? fmax(-sign * v_t, 0) : 0;
}

/* A point without an element sticks only if friction can hold it. At the touch there is no force yet; then what would
 * move it is compared with what friction would do per newton. */
static pc_status settle_held(pc_contact_changes *c, int which, const double *W, pc_error *err)
{
    pc_compliant_contact *contact = &c->at->compliant->contact[which];
    if (!pc_contact_is_constrained(&contact->base)) return PC_OK;
    pc_status status = pc_changes_evaluate(c, err);
    if (status != PC_OK) return status;
    const pc_contact_values *m = &c->at->compliant->now[which];
    double mu = contact->base.p.tangential.mu, push = -m->Ft, hold = mu * fmax(m->Fn, 0);
    if (W && !(m->Fn > 0)) {
        double other = fabs(push) * W[0];
        double size = c->at->mechanics->fall + 1e-12 * contact->speed * contact->speed / contact->length;
        bool alone = other <= 64 * DBL_EPSILON * size;
        hold = alone ? mu * W[0] : 0;
        push = alone ? W[1] : push;
    }
    if (fabs(push) <= hold) return PC_OK;
    begin_slip(contact, push < 0 ? -1 : 1, W ? 0 : m->v_t);
    return PC_OK;
}

/* What a place closes with: how it moves, W, and its acceleration. Velocities that rounding explains are zero. */
typedef struct closing {
    pc_pairing pairing;
    double u, v_told[2], v[2], a[2], W[4];
} closing;

static pc_status look_at(pc_contact_changes *c, int at, closing *out, pc_error *err)
{
    const pc_mechanics *m = c->at->mechanics;
    pc_touch touch;
    pc_status status = pc_contact_state_place(c->at, err);
    if (status != PC_OK) return status;
    out->pairing = *pc_mechanics_pairing(m, at);
    pc_mechanics_touch(m, at, &touch);
    pc_mechanics_velocity(m, at, &touch, out->v_told);
    pc_block_build(c->at->block, m, &(pc_contact_set){1, &at, &touch});
    memcpy(out->W, c->at->block->W, sizeof out->W);
    if ((status = pc_contact_state_accelerate(c->at, NULL, c->at->a, err)) != PC_OK) return status;
    pc_mechanics_acceleration(m, at, &touch, c->at->a, out->a);
    double small = pc_contact_state_resolution(c->at, at);
    for (int i = 0; i < 2; i++) out->v[i] = fabs(out->v_told[i]) <= small ? 0 : out->v_told[i];
    out->u = -(touch.gap + c->at->memory[at].residual);
    if (out->u <= TOUCH * out->pairing.length) out->u = 0;
    return PC_OK;
}

/* One more in the list, which has begun. */
static pc_status append(pc_contact_changes *c, pc_compliant_contact *contact, const closing *with, pc_error *err)
{
    pc_compliant *all = c->at->compliant;
    pc_status status = PC_OK;
    if (pc_contact_has_rings(&contact->base))
        status = pc_contact_open_rings(&contact->base, with->u, -with->v[PC_N], contact->length, contact->speed, err);
    if (status != PC_OK) return status;
    if ((status = c->log.open(c->log.context, contact->pair, &contact->impact, err)) != PC_OK) {
        pc_contact_close_rings(&contact->base);
        return status;
    }
    int which = all->n++;
    all->version++;
    all->contact[which] = *contact;
    all->now[which] = (pc_contact_values){0};
    memset(rows_of(c, which), 0, (size_t)pc_compliant_rows(all) * sizeof(double));
    status = settle_held(c, which, with->u > 0 ? NULL : with->W, err);
    return status == PC_OK ? evaluate_forces(c, err) : status;
}

pc_status pc_changes_close(pc_contact_changes *c, int at, pc_error *err)
{
    closing with;
    pc_status status = look_at(c, at, &with, err);
    if (status != PC_OK) return status;
    if (with.u == 0 && with.v[PC_N] > 0)
        return PC_OK; /* it came round the end of a thin side, and goes on from there */
    const pc_pairing *p = &with.pairing;
    pc_compliant_contact contact = {.pair = at,
                                    .feature = parts_of(c) ? parts_of(c)->held(c->at->mechanics->self, at) : -1,
                                    .residual = c->at->memory[at].residual,
                                    .mass = 1 / with.W[3],
                                    .base.element = p->law->element};
    contact.speed = typical_speed(c->at->compliant, p, contact.mass, -with.v[PC_N], with.u, -with.a[PC_N]);
    if (!(contact.speed > 0)) contact.speed = SLOW * c->at->memory[at].greatest_speed;
    if (!(contact.speed > 0)) return PC_OK; /* it only touches, and nothing gives a scale: it rides */
    contact.length = p->law->element->length(p->params, contact.mass, contact.speed);
    p->law->element->prepare(p->params, &(pc_scales){1, 1, 1}, contact.mass, contact.speed, &contact.base.p);
    pc_contact_begin(&contact.base, with.u, -with.v[PC_N], with.v[PC_T], contact.length, DBL_EPSILON * p->length);
    contact.base.rolling = p->rolling;
    contact.base.roll = pc_contact_state_roll(c->at, at);
    int which = c->at->compliant->n;
    if ((status = append(c, &contact, &with, err)) != PC_OK) return status;
    /* nothing has stretched along the surface yet: what a spring that slips beside a dashpot holds is a gain */
    const pc_contact *base = &c->at->compliant->contact[which].base;
    const pc_contact_values *now = &c->at->compliant->now[which];
    *c->elements -= pc_contact_stored(base, now) - pc_contact_stored_along(base, now);
    return c->log.begin(c->log.context, which, with.W, with.v_told, err);
}

/* ---- spring release ---- */

/* A compliant contact that parts with stretched springs gives back at once what they hold: see
 * pc_contact_release_springs. Its impulse is that of a force without bounds, so what contacts that last rigidly answer
 * to it, and points that friction holds, is in proportion to it, as long as their modes stay. For the motion it acts
 * where it begins: its impulses times the way that is left, a share 1e-9 of a contact's, is below what integration can
 * tell. The record of the impact tells of where it ends. */

/* What a unit impulse along t and along n does: rows of n velocities, then those impulses in the joints. A force at the
 * contact tells, by what there is more than without it. */
static pc_status respond(pc_contact_changes *c, int which, double force, double *rows, int length, pc_error *err)
{
    const pc_touch touch = c->at->compliant->touch[which];
    const double push[3][2] = {{force, 0}, {0, force}, {0, 0}};
    for (int i = 0; i < 3; i++) {
        const pc_acting more = {{1, &c->at->compliant->contact[which].pair, &touch}, push[i], NULL};
        double *a = rows + i * length;
        pc_status status = pc_contact_state_accelerate(c->at, &more, a, err);
        if (status != PC_OK) return status;
        if (c->log.n_reactions > 0) c->log.reactions(c->log.context, a + c->at->mechanics->n);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < length; k++) rows[i * length + k] = (rows[i * length + k] - rows[2 * length + k]) / force;
    return PC_OK;
}

/* The response is known, and so is all that is in `now`. How long it takes. Of the rows of the response the last is
 * lost. */
static double give_back(pc_contact_changes *c, int which, double *rows, int length)
{
    const pc_compliant_contact *contact = &c->at->compliant->contact[which];
    const pc_contact_values *m = &c->at->compliant->now[which];
    const pc_touch *touch = &c->at->compliant->touch[which];
    const int n = c->at->mechanics->n;
    double *mine = rows_of(c, which), *jump = rows + 2 * length, along[2], across[2];
    pc_mechanics_change(c->at->mechanics, contact->pair, touch, rows, across);
    pc_mechanics_change(c->at->mechanics, contact->pair, touch, rows + length, along);
    pc_spring_release release;
    const double *p = release.impulse;
    /* what slides elsewhere answers unlike on both axes: work knows their mean */
    double tn = (along[PC_T] + across[PC_N]) / 2;
    pc_contact_release_springs(&contact->base, m, &(pc_mobility){.tt = across[PC_T], .tn = tn, .nn = along[PC_N]},
                               &release);
    for (int k = 0; k < length; k++) jump[k] = p[PC_T] * rows[k] + p[PC_N] * rows[length + k];
    for (int k = 0; k < n; k++) c->at->y[n + k] += jump[k];
    mine[PC_ROW_PT] += p[PC_T];
    mine[PC_ROW_PN] += p[PC_N];
    mine[PC_ROW_WT] += p[PC_T] * (m->v_t + (across[PC_T] * p[PC_T] + along[PC_T] * p[PC_N]) / 2);
    mine[PC_ROW_WN] += p[PC_N] * (-m->w + (across[PC_N] * p[PC_T] + along[PC_N] * p[PC_N]) / 2);
    c->log.release(c->log.context, contact->impact, &release, jump + n);
    return release.duration;
}

/* Velocities jump, and all rates are in `now`, of the configuration after that; duration: how long it takes. */
static pc_status release_springs(pc_contact_changes *c, int which, double *duration, pc_error *err)
{
    pc_status status = pc_changes_evaluate(c, err);
    double force = c->at->compliant->now[which].Fn;
    if (status != PC_OK || !(force > 0)) return status;
    double before = pc_contact_state_energy(c->at), elements[2], friction;
    int length = c->at->mechanics->n + c->log.n_reactions;
    double *rows = pc_calloc(3 * (size_t)length, sizeof *rows);
    if (!rows) return pc_fail(err, PC_E_MEMORY, "not enough memory for the end of a contact");
    status = respond(c, which, force, rows, length, err);
    pc_compliant_work(c->at->compliant, rows_of(c, 0), &elements[0], &friction);
    if (status == PC_OK) *duration = give_back(c, which, rows, length);
    pc_free(rows);
    pc_compliant_work(c->at->compliant, rows_of(c, 0), &elements[1], &friction);
    if (status == PC_OK) status = pc_changes_evaluate(c, err);
    /* what slides elsewhere rubs meanwhile */
    if (status == PC_OK && c->at->contacts->n > 0)
        *c->friction += pc_contact_state_energy(c->at) - before - (elements[1] - elements[0]);
    return status;
}

/* The contact that was at a place goes on to the end of that. */
static pc_status end_spring_release(pc_contact_changes *c, size_t impact, int at, double duration, pc_error *err)
{
    pc_touch touch;
    double b[2];
    pc_status status = pc_contact_state_place(c->at, err);
    if (status == PC_OK) status = pc_contact_state_accelerate(c->at, NULL, c->at->a, err);
    if (status != PC_OK) return status;
    pc_mechanics_touch(c->at->mechanics, at, &touch);
    pc_mechanics_acceleration(c->at->mechanics, at, &touch, c->at->a, b);
    c->log.released(c->log.context, impact, duration, c->at->a, b);
    return PC_OK;
}

/* ---- changes and end ---- */

/* The law ends the contact, after some time more. What it leaves of the indentation counts until the gap has opened by
 * as much. */
static pc_status end_contact(pc_contact_changes *c, int which, double more, pc_error *err)
{
    pc_compliant *all = c->at->compliant;
    const pc_compliant_contact *contact = &all->contact[which];
    pc_pair_memory *memory = &c->at->memory[contact->pair];
    double work[3], left = -all->touch[which].gap;
    double rounding = TOUCH * pc_mechanics_pairing(c->at->mechanics, contact->pair)->length;
    pc_compliant_works(&contact->base, &all->now[which], rows_of(c, which), work);
    pc_status status = c->log.end(c->log.context, which, more, work, err);
    *c->elements += work[0] + work[1];
    *c->friction += work[2];
    bool off = parts_of(c) && parts_of(c)->is_off(c->at, which);
    memory->residual = left > rounding && !off ? left : 0;
    memory->permanent = c->permanent && contact->base.p.plastic;
    if (parts_of(c)) parts_of(c)->leave(c->at, contact->pair);
    pc_contact_close_rings(&all->contact[which].base);
    all->n--;
    all->version++;
    for (int i = which; i < all->n; i++) {
        all->contact[i] = all->contact[i + 1];
        memcpy(rows_of(c, i), rows_of(c, i + 1), (size_t)pc_compliant_rows(all) * sizeof(double));
    }
    return status;
}

/* The contact is over, unless another goes on with it. Where its bodies part by a spring release, what it holds has not
 * come to an edge, beyond which that is lost. */
static pc_status end(pc_contact_changes *c, int which, pc_error *err)
{
    if (parts_of(c) && parts_of(c)->hand_over(c->at, which))
        return pc_changes_jump(c, NULL, err); /* in a frame that has turned */
    const pc_compliant_contact contact = c->at->compliant->contact[which];
    bool bursts = contact.base.parting > 0 && c->at->compliant->now[which].u < 2 * contact.base.parting;
    double duration = 0;
    pc_status status = bursts ? release_springs(c, which, &duration, err) : PC_OK;
    if (status == PC_OK) status = end_contact(c, which, duration, err);
    if (status == PC_OK && bursts) status = end_spring_release(c, contact.impact, contact.pair, duration, err);
    return status == PC_OK && bursts ? pc_changes_jump(c, NULL, err) : status;
}

static pc_status tell(pc_contact_changes *c, int which, pc_contact_change change, pc_error *err)
{
    return c->log.change(c->log.context, which, change, err);
}

/* The particle, or the point itself, has come to rest. */
static pc_status arrest(pc_contact_changes *c, int which, pc_error *err)
{
    pc_compliant_contact *contact = &c->at->compliant->contact[which];
    const pc_contact_values *m = &c->at->compliant->now[which];
    int sign = contact->base.sign;
    /* a corner that is pressed past another jumps to the next side of it, and its velocity with the frame */
    if (contact->base.p.tangential.kind == PC_TANGENTIAL_RIGID && fabs(m->v_t) > JUMP * contact->speed) {
        contact->base.sign = -sign;
        return tell(c, which, PC_CHANGE_REVERSAL, err);
    }
    rows_of(c, which)[PC_ROW_Q] = m->q;
    contact->base.stuck = true;
    contact->base.fresh = true;
    pc_status status = settle_held(c, which, NULL, err);
    if (status != PC_OK) return status;
    if (!contact->base.stuck && contact->base.sign == sign) return PC_OK; /* goes on as it did */
    return tell(c, which, contact->base.stuck ? PC_CHANGE_STICK : PC_CHANGE_REVERSAL, err);
}

/* Rolling has come to rest: it stays so, or goes on the other way, if it cannot be held. */
static pc_status end_roll(pc_contact_changes *c, int which, pc_error *err)
{
    pc_contact *contact = &c->at->compliant->contact[which].base;
    contact->roll = 0;
    pc_status status = pc_changes_evaluate(c, err);
    if (status == PC_OK) contact->roll = pc_contact_roll_on(&c->at->compliant->now[which]);
    return status;
}

pc_status pc_changes_guard(pc_contact_changes *c, int which, int guard, pc_error *err)
{
    pc_compliant_contact *contact = &c->at->compliant->contact[which];
    pc_status status = guard == PC_GUARD_RELEASE ? evaluate_forces(c, err) : pc_changes_evaluate(c, err);
    if (status != PC_OK) return status;
    contact->base.fresh = true;
    switch (guard) {
    case PC_GUARD_RELEASE: return end(c, which, err);
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN:
        begin_slip(contact, guard == PC_GUARD_CONE_UP ? 1 : -1, c->at->compliant->now[which].v_t);
        return tell(c, which, PC_CHANGE_SLIP, err);
    case PC_GUARD_ARREST: return arrest(c, which, err);
    case PC_GUARD_TURN: return end_roll(c, which, err);
    default: pc_contact_cross(&contact->base, &c->at->compliant->now[which], guard); return PC_OK;
    }
}

bool pc_compliant_has_jumped(const pc_compliant_contact *contact, double v_t)
{
    return pc_contact_is_constrained(&contact->base) && fabs(v_t) > JUMP * contact->speed;
}

pc_status pc_changes_let_slip(pc_contact_changes *c, int which, int sign, double v_t, pc_error *err)
{
    pc_compliant_contact *contact = &c->at->compliant->contact[which];
    begin_slip(contact, sign, v_t);
    contact->base.fresh = true;
    return tell(c, which, PC_CHANGE_SLIP, err);
}

pc_status pc_changes_carry_histories(pc_contact_changes *c, bool *changed, pc_error *err)
{
    pc_compliant *all = c->at->compliant;
    bool any = false;
    for (int i = 0; i < all->n; i++) any |= pc_contact_has_rings(&all->contact[i].base);
    if (!any) return PC_OK;
    pc_status status = pc_changes_evaluate(c, err);
    for (int i = 0; i < all->n && status == PC_OK; i++) {
        pc_contact *contact = &all->contact[i].base;
        if (!pc_contact_has_rings(contact)) continue;
        int before = contact->stuck ? 0 : contact->sign;
        double *rows = rows_of(c, i), both = rows[PC_ROW_WT] + rows[PC_ROW_WF];
        status = pc_contact_advance_rings(contact, &all->now[i], &rows[PC_ROW_Q], err);
        /* what is stored the springs know best, and together their work and that of friction is exact */
        rows[PC_ROW_WT] = -all->now[i].kept;
        rows[PC_ROW_WF] = both - rows[PC_ROW_WT];
        int after = contact->stuck ? 0 : contact->sign;
        if (status != PC_OK || after == before) continue;
        *changed = true;
        status = tell(c, i, after == 0 ? PC_CHANGE_STICK : before == 0 ? PC_CHANGE_SLIP : PC_CHANGE_REVERSAL, err);
    }
    return status;
}

pc_status pc_changes_jump(pc_contact_changes *c, bool *changed, pc_error *err)
{
    pc_compliant *all = c->at->compliant;
    if (all->n == 0) return PC_OK;
    pc_status status = pc_changes_evaluate(c, err);
    bool any = false;
    for (int i = 0; i < all->n && status == PC_OK; i++) {
        pc_contact *contact = &all->contact[i].base;
        const pc_contact_values *m = &all->now[i];
        int at = all->contact[i].pair;
        double small = pc_contact_state_resolution(c->at, at);
        contact->fresh = true;
        if (contact->p.plastic && contact->branch == 0 && m->w < 0) pc_contact_cross(contact, m, PC_GUARD_BRANCH);
        bool element = contact->p.tangential.kind != PC_TANGENTIAL_RIGID;
        if (contact->rolling > 0) contact->roll = fabs(m->turn) <= small ? contact->roll : m->turn > 0 ? 1 : -1;
        if (pc_contact_is_constrained(contact) && fabs(m->v_t) > small) {
            contact->stuck = false;
            contact->sign = m->v_t < 0 ? -1 : 1;
            any = true;
            status = tell(c, i, PC_CHANGE_SLIP, err);
        } else if (!contact->stuck && contact->p.tangential.mu > 0 && contact->sign * m->slip < -small) {
            contact->stuck = element;
            if (element)
                rows_of(c, i)[PC_ROW_Q] = m->q;
            else
                contact->sign = -contact->sign;
            any = true;
            status = tell(c, i, element ? PC_CHANGE_STICK : PC_CHANGE_REVERSAL, err);
        }
    }
    if (changed) *changed = any;
    return status;
}
