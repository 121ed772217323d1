/* The first guard to fall within one step.
 *
 * A *guard* is a function that is positive while the mode of a contact lasts. All guards are known in a few places of
 * the step, which the integrator resolves to its tolerance; between two places a guard is followed down where it dips,
 * and its zero is found on the guard itself. What a guard means only its owner knows: here it has a value, the sign of
 * its rate where that is known, and a noise.
 *
 * Guard 0 of each contact is its end. Beyond the end of a contact its forces pull and the other guards mean nothing, so
 * that the places are spread anew up to the first end before the other guards are asked; what falls together with the
 * end is part of it.
 */
#ifndef PC_EVENT_GUARD_WALK_H
#define PC_EVENT_GUARD_WALK_H

#include <stdbool.h>

/* Places along a step, the first at 0. */
enum { PC_GUARD_PLACES = 5 };

/* What is known of a guard: it cannot fall; its values; its rates as well. */
typedef enum pc_guard_known { PC_GUARD_OFF, PC_GUARD_VALUES, PC_GUARD_RATES } pc_guard_known;

typedef struct pc_guard_walk pc_guard_walk;
struct pc_guard_walk {
    int contacts, guards;
    double *place;  /* PC_GUARD_PLACES fractions of the step */
    bool ends_only; /* the step is less exact within than at its end, by far: only its end is looked at */
    bool failed;    /* set by a callback: the walk ends */
    void *context;

    /* Make all guards known at place[i] = x. */
    void (*look)(pc_guard_walk *walk, int i, double x);

    /* A guard at all places, and perhaps its rate there, up to a positive factor. A guard that stands at zero as its
     * mode begins counts as 0 there, whatever rounding makes of it. */
    pc_guard_known (*values)(pc_guard_walk *walk, int contact, int guard, double value[PC_GUARD_PLACES],
                             double rate[PC_GUARD_PLACES]);

    /* How far below zero a guard may stand by errors alone. */
    double (*noise)(pc_guard_walk *walk, int contact, int guard);

    /* A guard at the fraction x. `exact` is given where `at` only approximates the motion: near the zero of `at`, with
     * the slope of `at`, it finds the zero of the motion. */
    double (*at)(pc_guard_walk *walk, int contact, int guard, double x);
    double (*exact)(pc_guard_walk *walk, int contact, int guard, double x); /* or NULL */

    /* True if the contact is about to end at x, where another of its guards falls; NULL: only the end tells. */
    bool (*ends_at)(pc_guard_walk *walk, int contact, double x);
};

typedef struct pc_guard_fall {
    double x; /* fraction of the step; > 1: none */
    int contact, guard;
} pc_guard_fall;

/* Find the first fall in the step. False if a callback failed. */
bool pc_guard_walk_find(pc_guard_walk *walk, pc_guard_fall *fall);

/* Spread the places evenly from 0 to `end` and look there; the guards at 0 are known. */
void pc_guard_walk_spread(pc_guard_walk *walk, double end);

#endif
