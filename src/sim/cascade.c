/* The impacts of one instant: see run.h.
 *
 * Contacts that stay closed strike each other again and again, ever more gently: a ball that falls on others in a row
 * against a wall. Most such sequences end, or decay geometrically down to rounding. Where one has decayed so far that
 * the rest is beneath all else that is known of the motion, or where it decays so slowly that no patience will do
 * (balls between walls that leave no play), what is left of it is completed: infinitely many impacts at one instant
 * come to the state in which no pair approaches, and whatever restitution has given back has been taken again. That is
 * one impact of all of them without restitution, and is reported as an accumulation.
 */
#include "sim/run_parts.h"

#include <math.h>

/* Impacts at one instant, of all pairs, before the rest is completed however fast it still is. With restitution 0.999
 * it takes 30,000 to come to rounding. */
enum { IMPACTS = 100000 };

/* A sequence counts as one after so many impacts of each pair, and its rest is beneath notice below this share of the
 * greatest speed at the instant: its energy then is below rounding. */
enum { ROUNDS = 4 };
static const double BENEATH = 1e-8;

/* So is what is below so many times the rounding of velocities: corrections of closed contacts leave as much. */
static const double ROUNDED = 1e4;

/* The pair that approaches fastest, or -1. The configuration does not change, nor where they touch. */
static int fastest(const pc_run *run, const pc_touching *touching, const pc_touch *touch, double *speed)
{
    int found = -1;
    *speed = 0;
    for (int i = 0; i < touching->n; i++) {
        double v[2];
        pc_system_velocity(&run->system, touching->pair[i], &touch[i], v);
        if (touching->still[i] || !(v[PC_N] < -pc_run_resolution(run, touching->pair[i]))) continue;
        if (found >= 0 && -v[PC_N] <= *speed) continue;
        found = touching->pair[i];
        *speed = -v[PC_N];
    }
    return found;
}

/* What is left of a sequence of impacts of which this one would be the next. `slow`: next to nothing, so that it may
 * stay where no impulses are found for all of them. */
static pc_status complete(pc_run *run, const pc_touching *touching, int pair, int *order, double ratio, bool slow,
                          pc_error *err)
{
    pc_event_record event = {.t = run->t, .kind = PC_HAPPENS_ACCUMULATION, .pair = pair, .ratio = ratio};
    pc_status status = pc_run_tell(run, event, err);
    if (status == PC_OK) status = pc_run_strike_together(run, touching, order, true, err);
    return slow && status == PC_E_NUMERIC ? PC_OK : status;
}

pc_status pc_run_strike_all(pc_run *run, const pc_touching *touching, int *order, pc_error *err)
{
    pc_touch touch[PC_CLOSED];
    double first = 0, speed;
    for (int i = 0; i < touching->n; i++) {
        pc_system_touch(&run->system, touching->pair[i], &touch[i]);
        pc_run_note_speed(run, touching->pair[i]);
    }
    for (int begin = *order;; (*order)++) {
        int pair = fastest(run, touching, touch, &speed), n = *order - begin;
        if (pair < 0) return PC_OK;
        first = fmax(first, speed);
        if (run->scene->rule == PC_RULE_SIMULTANEOUS && touching->n > 1) /* after which none approaches */
            return pc_run_strike_together(run, touching, order, false, err);
        bool slow = speed <= fmax(BENEATH * first, ROUNDED * pc_run_resolution(run, pair));
        if ((n >= ROUNDS * touching->n && slow) || n >= IMPACTS)
            return complete(run, touching, pair, order, pow(speed / first, 1.0 / n), slow, err);
        bool nothing = false;
        pc_status status = pc_run_strike(run, pair, *order, false, &nothing, err);
        if (status == PC_OK && nothing)
            status = pc_fail_at(err, PC_E_NUMERIC, run->t, "impact",
                                "%s: the law does nothing about an approach at t = %.17g", run->scene->pairs[pair].name,
                                run->t);
        if (status != PC_OK) return status;
        pc_run_note_speed(run, pair);
    }
}
