/* What the engine asks of the mechanics it follows: how contacts move in a configuration, and what impulses do there.
 *
 * A configuration is made by its provider and constant; only the provider knows what is in it. A place is where a
 * contact may be, by its number. Components of a contact are (t, n). Nothing but outputs is written.
 *
 * W is symmetric, the velocities after the jumps of impulses p are v + W p, and the accelerations of contacts under
 * forces F are b + W F with b those without, to rounding.
 */
#ifndef PC_ENGINE_PROVIDER_H
#define PC_ENGINE_PROVIDER_H

#include <stdbool.h>

enum { PC_CLOSED = 64 }; /* contacts that may be closed at once */

typedef struct pc_configuration pc_configuration;

/* How a contact touches in a configuration. */
typedef struct pc_touch {
    double gap;
    double n[2];         /* t = (n_y, -n_x) */
    double distance;     /* of the site's centre from a corner; infinite before a side */
    double center[2][2]; /* of the site; what is taken with it of the outline's body: the corner, or its point there */
    double reach, roll;  /* from the two of them to where they touch: against n, and along n */
    double yields;       /* how much of the gap's rate both of these follow */
    int feature;         /* of the outline */
    bool meets;          /* the pair touches here if the gap closes */
    bool edge;           /* where another pair is as near, to rounding: that one begins */
} pc_touch;

/* Contacts that are looked at together, with how they touch. */
typedef struct pc_contact_set {
    int n;
    const int *place;
    const pc_touch *touch;
} pc_contact_set;

/* Forces that act at contacts, (t, n) of each; then others, or NULL. */
typedef struct pc_acting {
    pc_contact_set at;
    const double *force;
    const struct pc_acting *more;
} pc_acting;

/* Functions that return int give < 0 where a function of the user asks to stop. */
typedef struct pc_provider {
    void (*touch)(const void *self, const pc_configuration *c, int place, pc_touch *touch);
    void (*velocity)(const void *self, const pc_configuration *c, int place, const pc_touch *touch, double v[2]);

    /* whether an impulse at one place can change the velocity at another */
    bool (*coupled)(const void *self, const pc_configuration *c, int place, int other);

    /* W, row-major 2n x 2n: what an impulse along column (t, n of each contact) does to the velocities along row */
    void (*mobility)(const void *self, const pc_configuration *c, const pc_contact_set *set, double *W);

    /* what impulses (t, n of each contact) change of all velocities of the state */
    void (*jump)(const void *self, const pc_configuration *c, const pc_contact_set *set, const double *p, double *du);

    /* rates of all velocities of the state, under all that acts but contacts, and these forces (NULL: none); and those
     * of one contact that go with them, in the rolling sense that what sticks keeps both at zero */
    int (*accelerations)(const void *self, const pc_configuration *c, const pc_acting *acting, double *a);
    void (*acceleration)(const void *self, const pc_configuration *c, int place, const pc_touch *touch, const double *a,
                         double b[2]);
} pc_provider;

/* The mechanics of a motion in a configuration. */
typedef struct pc_mechanics {
    const pc_provider *provider;
    const void *self;
    const pc_configuration *at;
} pc_mechanics;

#endif
