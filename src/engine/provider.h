/* What the engine asks of the mechanics it follows: how contacts move in a configuration, and what forces and impulses
 * do there.
 *
 * A configuration is made by its provider and constant; only the provider knows what is in it. A place is where a
 * contact may be, by its number. Components of a contact are (t, n). Nothing but outputs is written.
 *
 * W is symmetric, the velocities after the jumps of impulses p are v + W p, and the accelerations of contacts under
 * forces F are b + W F with b those without, to rounding. Places that are always closed have a normal row of their own
 * in W, by which their normal force follows from b: their normal velocity stays zero.
 */
#ifndef PC_ENGINE_PROVIDER_H
#define PC_ENGINE_PROVIDER_H

#include "law/law.h"

#include <stdbool.h>

typedef struct pc_configuration pc_configuration;

/* How a contact touches in a configuration. */
typedef struct pc_touch {
    double gap;
    double n[2];         /* t = (n_y, -n_x) */
    double distance;     /* of the site's centre from a corner, negative inside a circle; infinite before a side */
    double center[2][2]; /* of the site; what is taken with it of the outline's body: the corner, or its point there */
    double reach, roll;  /* from the two of them to where they touch: against n, and along n */
    double curvature;    /* before a side: of the line on which the site's centre keeps the gap, positive on a hill */
    double yields;       /* how much of the gap's rate both of these follow */
    double aside;        /* where its forces act: so far along t from there */
    double couple;       /* not 0: it is a couple of so much for each newton along t, its velocity that of turning */
    int feature;         /* of the outline */
    bool meets;          /* the pair touches here if the gap closes */
    bool edge;           /* where another pair is as near, to rounding: that one begins */
} pc_touch;

/* What may touch at a place: the same while a scene lasts. */
typedef struct pc_pairing {
    const char *name;
    const pc_law *law;
    const void *params;
    double friction, static_friction; /* of the law; 0 where it has none */
    double pull;                      /* force that holds it together while it lasts, N */
    double rolling;                   /* length by which it resists rolling, m */
    double length;                    /* size of the terms in the gap, for its rounding */
    bool acts_in_motion;              /* by the forces of its law, while everything moves */
    bool always;                      /* closed as long as the scene lasts, whatever its normal force */
    bool follows;                     /* that is the size of a reaction: of what `reaction` tells */
    bool endless;                     /* as far as the gap goes there is no edge beyond which nothing touches */
} pc_pairing;

/* Without friction slip turns round where nothing happens: what its mode says of its sense is that of some time before.
 */
static inline bool pc_pairing_is_smooth(const pc_pairing *p)
{
    return p->static_friction == 0;
}

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

/* What becomes of a contact. */
typedef enum pc_contact_change {
    PC_CHANGE_BEGIN,
    PC_CHANGE_STICK,
    PC_CHANGE_SLIP,     /* stick breaks */
    PC_CHANGE_REVERSAL, /* slip goes on the other way */
    PC_CHANGE_END,
    PC_CHANGE_REST, /* nothing moves any more */
} pc_contact_change;

struct pc_contact_state; /* resolver.h; in its configuration */

/* Where places may touch in several parts of outlines, each of which ends somewhere. What a place holds to belongs to
 * whoever follows the state. */
enum { PC_MARGINS = 4 };

/* A closed contact holds to its part until it is beyond by this share of the lengths: what rests on an edge, up to
 * rounding, does not go to and fro. */
#define PC_OVERHANG 1e-12

typedef struct pc_provider_parts {
    /* a motion begins in this configuration */
    void (*begin)(const void *self, const pc_configuration *c, int place);

    /* the part that a place holds to, though another one may be nearer; -1: what is nearest. Let it hold to one. */
    int (*held)(const void *self, int place);
    void (*hold)(const void *self, int place, int part);

    /* how far a closed contact is from where another part takes over, infinite where none does; the rates of what is
     * finite; the part beyond a margin, -1 if the place does not touch there; and then the place that goes on in its
     * stead, -1 if none does */
    void (*margins)(const void *self, const pc_configuration *c, int place, double margin[PC_MARGINS]);
    void (*margin_rates)(const pc_configuration *c, int place, const pc_touch *touch, double rate[PC_MARGINS]);
    int (*beyond)(const void *self, const pc_configuration *c, int place, int margin);
    int (*follower)(const void *self, const pc_configuration *c, int place, int margin);

    /* of compliant contacts: whether one may begin where its gap closes, and holds to a part from there on (false: to
     * none); whether one is beyond the end of its part; it ends, and goes on elsewhere if this is true; it is over */
    bool (*may_begin)(const struct pc_contact_state *state, int place);
    bool (*take_hold)(const struct pc_contact_state *state, int place);
    bool (*is_off)(const struct pc_contact_state *state, int which);
    bool (*hand_over)(const struct pc_contact_state *state, int which);
    void (*leave)(const struct pc_contact_state *state, int place);
} pc_provider_parts;

/* Functions that return int give < 0 where a function of the user asks to stop. What follows from a configuration alone
 * asks for nothing else. */
typedef struct pc_provider {
    /* make a configuration for t and y = (q, u, what else there is in it), which must stay; and what it was made for */
    int (*place)(const void *self, double t, const double *y, pc_configuration *out);
    void (*state)(const pc_configuration *c, double *t, const double **q, const double **u);

    /* put y, at t, back to where the conditions within the mechanics hold, from which integration drifts; makes a
     * configuration on the way. 1: there is no such place nearby; 2: no such velocities. NULL: there are none */
    int (*project)(const void *self, double t, double *y);

    double (*energy)(const pc_configuration *c); /* kinetic and potential, J */

    bool (*is_angle)(const void *self, int coordinate); /* else a length */

    void (*touch)(const void *self, const pc_configuration *c, int place, pc_touch *touch);
    void (*velocity)(const pc_configuration *c, int place, const pc_touch *touch, double v[2]);

    /* what changes du of all velocities of the state change of it */
    void (*change)(const pc_configuration *c, int place, const pc_touch *touch, const double *du, double v[2]);

    /* whether an impulse at one place can change the velocity at another, in whatever configuration */
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

    /* sizes of coordinates and velocities that are locked together, 0 of others; NULL: none are */
    void (*sizes)(const void *self, const pc_configuration *c, double *size);

    /* (x, y), N, of a place whose normal force follows from it: by the forces, or impulses, that were solved for last.
     * Returns the size of the forces of which it is a sum, by which it rounds. */
    double (*reaction)(const void *self, int place, double r[2]);

    const pc_provider_parts *parts; /* NULL: no outline ends anywhere */
} pc_provider;

/* The mechanics of a motion, and the configuration that is asked. */
typedef struct pc_mechanics {
    const pc_provider *provider;
    const void *self;
    pc_configuration *at;
    const pc_pairing *pairing; /* of each place */
    int n, n_places;           /* velocities of the state, and places */
    double fall;               /* acceleration of a free fall, m/s^2: the size of those that nothing else tells */
    bool driven;               /* what acts but contacts depends on t */
    bool rolls;                /* some contacts resist rolling */
    bool clings;               /* some are held together by a force */
    bool follows;              /* the normal forces of some are sizes of reactions */
    bool carried;              /* contacts may be with what moves by itself: their velocities are relative to that */
} pc_mechanics;

/* The failure where a function of the user asked to stop. */
static inline pc_status pc_mechanics_stopped(double t, pc_error *err)
{
    return pc_fail_stopped(err, t, "torque", "a function of the scene asked to stop at t = %.17g", t);
}

/* What the provider says of it, by the names of its functions. */
static inline int pc_mechanics_place(const pc_mechanics *m, double t, const double *y)
{
    return m->provider->place(m->self, t, y, m->at);
}

static inline int pc_mechanics_project(const pc_mechanics *m, double t, double *y)
{
    return m->provider->project ? m->provider->project(m->self, t, y) : 0;
}

static inline const pc_pairing *pc_mechanics_pairing(const pc_mechanics *m, int place)
{
    return &m->pairing[place];
}

static inline void pc_mechanics_touch(const pc_mechanics *m, int place, pc_touch *touch)
{
    m->provider->touch(m->self, m->at, place, touch);
}

static inline void pc_mechanics_velocity(const pc_mechanics *m, int place, const pc_touch *touch, double v[2])
{
    m->provider->velocity(m->at, place, touch, v);
}

static inline void pc_mechanics_change(const pc_mechanics *m, int place, const pc_touch *touch, const double *du,
                                       double v[2])
{
    m->provider->change(m->at, place, touch, du, v);
}

static inline void pc_mechanics_jump(const pc_mechanics *m, const pc_contact_set *set, const double *p, double *du)
{
    m->provider->jump(m->self, m->at, set, p, du);
}

static inline int pc_mechanics_accelerations(const pc_mechanics *m, const pc_acting *acting, double *a)
{
    return m->provider->accelerations(m->self, m->at, acting, a);
}

static inline void pc_mechanics_acceleration(const pc_mechanics *m, int place, const pc_touch *touch, const double *a,
                                             double b[2])
{
    m->provider->acceleration(m->self, m->at, place, touch, a, b);
}

#endif
