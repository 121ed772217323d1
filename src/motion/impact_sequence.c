/* The impacts of one instant: see run.h.
 *
 * Of the pairs that approach, those that tie with the fastest are struck first, as one where bodies join them and
 * their laws have joint rules, and so on until none approaches. Which pairs tie depends on speeds alone, and the order
 * of what does not is that of the places: that of lists decides nothing.
 *
 * Contacts that stay closed strike each other again and again, ever more gently: a ball that falls on others in a row
 * against a wall. Most such sequences end, or decay geometrically down to rounding. Where one has decayed so far that
 * the rest is beneath all else that is known of the motion, or where it decays so slowly that no patience will do
 * (balls between walls that leave no play), what is left of it is completed: infinitely many impacts at one instant
 * come to the state in which no pair approaches, and whatever restitution has given back has been taken again. That is
 * one impact of all of them without restitution, and is reported as an accumulation.
 */
#include "motion/accumulation.h"
#include "motion/impacts.h"
#include "motion/proximity.h"

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

/* Approaches that differ by less than this, times the relative tolerance of the method and the scale of velocities, are
 * one. Greater ones than the second share would not be known at all. */
static const double TIED = 10, UNKNOWN = 1e-3;

/* Pairs that approach, and how fast. */
typedef struct approaches {
    int n, pair[PC_CLOSED];
    double speed[PC_CLOSED];
} approaches;

/* All that approach, in the order of their places. The configuration does not change, nor where they touch. What was
 * closed does not approach before something has struck. */
static void see(const pc_run *run, const pc_touching *touching, const pc_touch *touch, bool struck, approaches *all)
{
    all->n = 0;
    for (int i = 0; i < touching->n; i++) {
        double v[2];
        pc_configuration_velocity(&run->scratch.system.now, touching->pair[i], &touch[i], v);
        if (touching->still[i] || (touching->kept[i] && !struck)) continue;
        if (!(v[PC_N] < -pc_run_resolution(run, touching->pair[i]))) continue;
        all->pair[all->n] = touching->pair[i];
        all->speed[all->n++] = -v[PC_N];
    }
}

/* Keep those that tie with the fastest, whose speed is returned: each within the tolerance of another one. */
static double keep_tied(const pc_run *run, approaches *all)
{
    double fastest = 0, scale = 0;
    for (int i = 0; i < all->n; i++) {
        fastest = fmax(fastest, all->speed[i]);
        scale = fmax(scale, pc_run_speed_scale(run, all->pair[i]));
    }
    double near = fmin(TIED * run->rtol, UNKNOWN) * scale, least = fastest;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < all->n; i++) {
            if (!(all->speed[i] < least && all->speed[i] >= least - near)) continue;
            least = all->speed[i];
            more = true;
        }
    }
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        if (all->speed[i] < least) continue;
        all->pair[n] = all->pair[i];
        all->speed[n++] = all->speed[i];
    }
    all->n = n;
    return fastest;
}

/* Keep the first and those that it acts upon, by bodies that they have in common: the others are impacts of their own.
 */
static void keep_coupled(const pc_run *run, approaches *all)
{
    bool with[PC_CLOSED] = {true};
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < all->n; i++)
            for (int j = 0; j < all->n && !with[i]; j++)
                if (with[j] && pc_planar_coupled(run->scene, all->pair[i], all->pair[j])) with[i] = more = true;
    }
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        if (!with[i]) continue;
        all->pair[n] = all->pair[i];
        all->speed[n++] = all->speed[i];
    }
    all->n = n;
}

static bool are_compliant(const pc_run *run, const approaches *tied)
{
    for (int i = 0; i < tied->n; i++)
        if (!run->scene->pairs[tied->pair[i]].law->element) return false;
    return true;
}

/* Strike what ties: as one, or else the first of them by its law. */
static pc_status strike_tied(pc_run *run, const approaches *tied, int *order, pc_error *err)
{
    bool join = tied->n > 1 && run->scene->rule == PC_RULE_TIED, found = false;
    pc_status joint = PC_OK;
    if (join) joint = pc_run_joint_impact(run, tied->n, tied->pair, PC_RULE_TIED, order, &found, err);
    if (join && joint == PC_OK && !found && are_compliant(run, tied))
        joint = pc_run_joint_compliant_impact(run, tied->n, tied->pair, order, &found, err);
    if (joint != PC_OK || found) return joint;
    int pair = tied->pair[0];
    bool nothing = false;
    pc_status status = pc_run_single_impact(run, pair, (*order)++, false, tied->n > 1, &nothing, err);
    if (status == PC_OK && nothing)
        status = pc_fail_at(err, PC_E_NUMERIC, run->state.t, "impact",
                            "%s: the law does nothing about an approach at t = %.17g", run->scene->pairs[pair].name,
                            run->state.t);
    return status;
}

/* What is left of a sequence of impacts of which this one would be the next. `slow`: next to nothing, so that it may
 * stay where no impulses are found for all of them. */
static pc_status complete(pc_run *run, const pc_touching *touching, int pair, int *order, double ratio, bool slow,
                          pc_error *err)
{
    pc_event_record event = {.kind = PC_EVENT_ACCUMULATION, .pair = pair, .ratio = ratio};
    event.t = run->state.t + pc_run_rest_of_impacts(run);
    pc_status status = pc_run_log(run, event, err);
    if (status == PC_OK) status = pc_run_joint_plastic_impact(run, touching->n, touching->pair, order, err);
    return slow && status == PC_E_NUMERIC ? PC_OK : status;
}

pc_status pc_run_impact_sequence(pc_run *run, const pc_touching *touching, int *order, pc_error *err)
{
    pc_touch touch[PC_CLOSED];
    double first = 0;
    for (int i = 0; i < touching->n; i++) {
        pc_configuration_touch(&run->scratch.system.now, &run->scratch.system.places, touching->pair[i], &touch[i]);
        pc_run_record_speed(run, touching->pair[i]);
    }
    for (int begin = *order;;) {
        approaches tied;
        see(run, touching, touch, *order > 0, &tied);
        if (tied.n == 0) return PC_OK;
        double speed = keep_tied(run, &tied);
        int n = *order - begin, pair = tied.pair[0];
        first = fmax(first, speed);
        if (run->scene->rule == PC_RULE_SIMULTANEOUS && touching->n > 1) { /* after which none approaches */
            bool found = false;
            pc_status status =
                pc_run_joint_impact(run, touching->n, touching->pair, PC_RULE_SIMULTANEOUS, order, &found, err);
            return status == PC_OK && !found ? pc_run_unsolved(run, touching->n, err) : status;
        }
        bool slow = speed <= fmax(BENEATH * first, ROUNDED * pc_run_resolution(run, pair));
        if ((n >= ROUNDS * touching->n && slow) || n >= IMPACTS)
            return complete(run, touching, pair, order, pow(speed / first, 1.0 / n), slow, err);
        keep_coupled(run, &tied);
        pc_status status = strike_tied(run, &tied, order, err);
        if (status != PC_OK) return status;
        for (int i = 0; i < tied.n; i++) pc_run_record_speed(run, tied.pair[i]);
    }
}
