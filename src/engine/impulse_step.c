/* A short step by impulses, past an instant that brings back what it has decided: see resolver.h.
 *
 * Where slips of several contacts are zero at once, or gentle impacts of some open others, what is decided at an
 * instant may bring it back again and again, by rounding alone. Impulses over a short time are not undecided so: for
 * the velocities at its end they always exist (Anitescu and Potra 1997, Nonlinear Dynamics 14), and these are far above
 * rounding, while what such a step gets wrong, of the order of its square in positions, is far below it.
 */
#include "engine/resolver.h"

#include "base/tolerance.h"

#include <math.h>

/* The greatest acceleration of what touches, or of a fall; where nothing accelerates, that of a turn at the greatest
 * velocities within the lengths. *speed: the greatest velocity. */
static double largest_load(const pc_resolver *r, const pc_touching *touching, double *speed)
{
    const pc_mechanics *m = r->at->mechanics;
    double most = m->fall, turn = 0;
    *speed = 0;
    for (int i = 0; i < touching->n; i++) {
        int place = touching->at[i].pair;
        double a[2], length = pc_mechanics_pairing(m, place)->length;
        pc_touch touch;
        pc_mechanics_touch(m, place, &touch);
        pc_mechanics_acceleration(m, place, &touch, r->at->a, a);
        most = fmax(most, fmax(fabs(a[0]), fabs(a[1])));
        double v = pc_contact_state_speed(r->at, place);
        turn = fmax(turn, v * v / length);
        *speed = fmax(*speed, v);
    }
    return most > 0 ? most : turn;
}

/* No more than half of the time until something else strikes. */
static double shorten(const pc_mechanics *m, double h)
{
    for (int place = 0; place < m->n_places; place++) {
        pc_touch touch;
        double v[2];
        pc_mechanics_touch(m, place, &touch);
        if (!touch.meets || !(touch.gap > pc_rounding(pc_mechanics_pairing(m, place)->length))) continue;
        pc_mechanics_velocity(m, place, &touch, v);
        if (touch.gap + 2 * h * v[PC_N] < 0) h = -0.5 * touch.gap / v[PC_N];
    }
    return h;
}

pc_status pc_impulse_step_length(pc_resolver *r, const pc_touching *touching, double share, double *h, pc_error *err)
{
    double speed;
    pc_status status = pc_contact_state_accelerate(r->at, NULL, r->at->a, err);
    if (status != PC_OK) return status;
    double load = largest_load(r, touching, &speed);
    *h = shorten(r->at->mechanics, share * speed / load);
    return PC_OK;
}

pc_status pc_impulse_step(pc_resolver *r, const pc_touching *touching, double h, pc_error *err)
{
    const pc_mechanics *m = r->at->mechanics;
    double *u = r->at->y + m->n, *a = r->at->a;
    if (pc_compliant_accelerations(r->at->compliant, m, r->at->block, NULL, a) != 0)
        return pc_mechanics_stopped(r->at->t, err);
    for (int i = 0; i < m->n; i++) u[i] += h * a[i];
    pc_status status = pc_contact_state_place(r->at, err);
    if (status != PC_OK) return status;
    pc_joint_impact *joint = pc_resolver_meet(r, touching);
    if (!pc_joint_impact_compress(joint)) return pc_joint_impact_unsolved(touching->n, r->at->t, err);
    pc_mechanics_jump(m, &(pc_contact_set){joint->n, joint->place, joint->touch}, joint->p, a);
    for (int i = 0; i < m->n; i++) u[i] += a[i];
    return PC_OK;
}
