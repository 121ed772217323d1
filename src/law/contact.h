/* One compliant contact: Maw's rings, which carry its tangential history, and its motion between two of its changes. */
#ifndef PC_LAW_CONTACT_H
#define PC_LAW_CONTACT_H

#include "base/status.h"
#include "law/series.h"

#include <stddef.h>

/* Maw's rings within a motion: a row of springs that stick or slip each by itself, carried along any path.
 *
 * A spring stands for a ring of the contact circle (law/maw/maw.h) and touches while the indentation u is above its
 * depth d. Its stretch follows the tangential displacement z of the contact point, and friction bounds it by
 *
 *     b = (u - d) B(u),   B = mu F_n/(k sum of width (u - d)),   F_t = -k sum of width stretch,
 *
 * k the tangential stiffness over the root of u; widths are in that root, as radii are. B is 3/2 kappa mu but for the
 * error of the sums; so written, friction in gross slip is mu F_n exactly, and never more.
 *
 * Within a step stretches are those of the step's beginning, moved along and cut off at the bounds: forces are then a
 * function of the state, which any integrator can follow. At its end they are taken over. For a straight path in (u, z)
 * that is what sliding does, and a path differs from its chords by the square of the step. A spring is added only at
 * the end of a step, where its depth is reached, unstretched; so no energy appears from nowhere, whatever the width of
 * rings and the length of steps: what is stored is k times the sum of width stretch^2/2, and the rest of what is done
 * on the springs is friction. (B is not quite constant, so the outermost rings may let go of more than they held: by
 * the fifth power of their width.)
 */

typedef struct pc_ring {
    double depth, width, stretch;
    double edge, moment; /* sums from the middle up to this one: of width, and of width times depth */
} pc_ring;

typedef struct pc_rings {
    double mu, stiffness; /* k */
    double width;         /* of a ring, root of a length */
    double time;          /* longest step along a path as curved as that of an impact */
    int wanted;           /* rings of that width in the greatest contact circle that is expected */
    double u, z;          /* where they were carried to last */
    double step;          /* longest next one */
    int n;
    size_t room;
    pc_ring *ring; /* from the middle outwards */
} pc_rings;

/* An unstretched row in a contact of indentation u that closes at w. `wanted` rings fill the circle at `depth`, about
 * the one that an impact with `speed` reaches. On failure there is nothing to close. */
pc_status pc_rings_open(pc_rings **rings, double mu, double stiffness, int wanted, double depth, double speed, double u,
                        double w, pc_error *err);
void pc_rings_close(pc_rings *rings);

/* n rings to be filled in, n > 0, all zero; NULL: not enough memory. */
pc_rings *pc_rings_new(size_t n);

typedef struct pc_rings_force {
    double Ft, dFt; /* and its rate */
    double power;   /* that the contact point's motion does on the stretches, W: less than nothing where they grow */
    double stored;  /* in the springs, J */
    int slip;       /* sign of slip if every ring slips, else 0 */
} pc_rings_force;

/* Forces at u, z, where these change at w, v_t, and F_n at dFn. */
void pc_rings_press(const pc_rings *rings, double u, double z, double w, double v_t, double Fn, double dFn,
                    pc_rings_force *out);

/* The end of a step: stretches go on from there. w: the closing speed, for the length of the next one. */
pc_status pc_rings_carry(pc_rings *rings, double u, double z, double w, double Fn, pc_error *err);

/* One compliant contact between two of its changes: an element with its mode, its forces, and what may change them.
 *
 * The contact neither knows what it presses on nor how that moves. Whoever integrates the motion says where it stands
 * (pc_contact_values: u, w, v_t and the variable q of the tangential element), and asks for forces, rates and guards.
 * Units are those of the scales that the element was prepared with. Where the tangential element has a history, that is
 * kept here, and whoever integrates tells the end of each step.
 */

/* What sticks is a particle joined by the tangential element, or the contact point itself where that is rigid: then
 * F_t follows from the motion. */
typedef struct pc_contact {
    const pc_element *element;
    pc_prepared p;
    const pc_force *shape; /* of the stretch that it is in, where forces are told by that; NULL: by the element */
    bool rooted;           /* y is given, the root of the indentation that the motion is followed by */
    bool stuck;
    int sign;   /* of slip */
    int branch; /* see pc_indent */
    double memory;
    int kink_side;   /* sign of the kink in this stretch */
    bool fresh;      /* just entered its mode: its guards may stand at zero and count as positive */
    bool armed;      /* has been pressed beyond the rounding of a gap */
    double parting;  /* indentation at which its springs are released (pc_contact_release_springs); 0: never */
    pc_rings *rings; /* history of that kind of element; NULL: F_t is left as it is, as that of a held point */
    double backward; /* speed that a slip began with against its direction, from creep or rounding; 0 once it slips */
    double rolling;  /* length by which it resists rolling, m; 0: it does not */
    int roll;        /* sign of the rate that is resisted; 0: there is none, and a couple holds it */
} pc_contact;

typedef struct pc_contact_values {
    double y;            /* rooted: root of the indentation, with a shape of that beyond its offset; of either sign */
    double u, w, v_t, q; /* where it stands; in slip q is found */
    double recall[PC_MEMORY];
    pc_normal n;
    double Fn, Ft;
    double dFn, dFt;    /* rates */
    double creep, slip; /* rate of the stretch; of the particle, 0 in stick */
    double dw, dv_t;    /* of w and v_t, where the one who integrates knows them */
    double stretching;  /* F_t times creep, and where the stretch follows the force the rate of what is stored besides;
                           of rings, the sum over them, and creep and slip are 0 */
    double kept;        /* of rings alone: the energy in them; and the sign of slip if all slip, else 0 */
    double turn, hold;  /* of what resists rolling: the rate and the couple that holds it, times and over the length */
    int whole;
    bool force_alone, lean; /* no rates of forces are asked for; these, but no slopes */
} pc_contact_values;

/* True if the contact point itself is held, so that F_t is not a function of the state. */
static inline bool pc_contact_is_constrained(const pc_contact *c)
{
    return c->stuck && c->p.tangential.kind == PC_TANGENTIAL_RIGID;
}

/* True if the tangential element has a history. */
static inline bool pc_contact_has_rings(const pc_contact *c)
{
    return c->p.tangential.kind == PC_TANGENTIAL_RINGS;
}

/* True if the stretch of what slips follows the normal force, and its rate that of the force, which stiff damping makes
 * the small difference of great ones. What has been done on such an element is what it stores, but for what a change of
 * its stiffness has done. */
static inline bool pc_contact_stretch_follows(const pc_contact *c)
{
    return c->p.tangential.kind == PC_TANGENTIAL_SPRING || c->p.tangential.kind == PC_TANGENTIAL_MINDLIN;
}

/* The normal element alone, which release, kink and branch are matters of; then all forces from u, w, v_t and q; F_t of
 * a held point is left as it is. */
void pc_contact_normal(const pc_contact *c, pc_contact_values *m);
void pc_contact_forces(const pc_contact *c, pc_contact_values *m);

/* Then the rates; dw: of the closing speed w, which matters where the force depends on w. A dashpot needs dv_t for that
 * of its force, and beside a spring also for what of it slips. */
void pc_contact_rates(const pc_contact *c, pc_contact_values *m, double dw);

/* Rates of what the element remembers, where p.memory > 0. */
void pc_contact_remember(const pc_contact *c, const pc_contact_values *m, double *rates);

/* True if neither the tangential force nor what of it slips asks for slopes or stiffness of the normal one. */
static inline bool pc_contact_needs_no_slopes(const pc_contact *c)
{
    const pc_tangential_kind kind = c->p.tangential.kind;
    return kind == PC_TANGENTIAL_RIGID || kind == PC_TANGENTIAL_SPRING || kind == PC_TANGENTIAL_DASHPOT;
}

/* How fast the size of a force grows, up to a positive factor: F_n, or |F_t|. */
static inline double pc_contact_growth(const pc_contact_values *m, int axis)
{
    return axis == PC_N ? m->dFn : m->Ft * m->dFt;
}

/* Stored in both elements, and in the tangential one. */
double pc_contact_stored(const pc_contact *c, const pc_contact_values *m);
double pc_contact_stored_along(const pc_contact *c, const pc_contact_values *m);

/* Where the coupled law never slips, the normal force grows beyond all bounds as the bodies part, integrably. What is
 * left of it when the indentation is next to nothing is released at once: impulses with which bodies of mobility W get
 * all that is stored, and how long it lasts. */
typedef struct pc_spring_release {
    double impulse[2], duration;
    bool unbounded; /* there is a stretch, so that the force grows */
} pc_spring_release;
void pc_contact_release_springs(const pc_contact *c, const pc_contact_values *m, const pc_mobility *W,
                                pc_spring_release *out);

/* What may end a mode; positive while it lasts, 1 where it does not apply. */
enum {
    PC_GUARD_RELEASE,
    PC_GUARD_CONE_UP,   /* stick becomes slip towards +t */
    PC_GUARD_CONE_DOWN, /* towards -t */
    PC_GUARD_ARREST,
    PC_GUARD_KINK,
    PC_GUARD_BRANCH,
    PC_GUARDS,
    PC_GUARD_TURN = PC_GUARDS, /* of what resists rolling: its rate comes to zero */
    PC_GUARD_BRACE_UP,         /* what is held begins to roll, anticlockwise */
    PC_GUARD_BRACE_DOWN,
    PC_ALL_GUARDS
};
static inline bool pc_guard_is_cone(int which)
{
    return which == PC_GUARD_CONE_UP || which == PC_GUARD_CONE_DOWN;
}

/* False if it is 1 wherever a contact stands in its mode. */
static inline bool pc_contact_guard_applies(const pc_contact *c, int which)
{
    bool modes = !pc_contact_has_rings(c);
    switch (which) {
    case PC_GUARD_CONE_UP:
    case PC_GUARD_CONE_DOWN: return modes && c->stuck;
    case PC_GUARD_ARREST: return modes && !c->stuck && c->p.tangential.mu != 0;
    case PC_GUARD_BRANCH: return c->p.plastic;
    case PC_GUARD_TURN: return c->roll != 0;
    case PC_GUARD_BRACE_UP:
    case PC_GUARD_BRACE_DOWN: return c->rolling > 0 && c->roll == 0;
    default: return true;
    }
}

double pc_contact_guard(const pc_contact *c, const pc_contact_values *m, int which);

/* The rate of a guard up to a positive factor, where it is known: of a release and, but for points that are held, rings
 * and dashpots, of cones. With it a fall is found from which a guard rises again within a step, as by stiff dampers. */
static inline bool pc_contact_guard_has_rate(const pc_contact *c, int which)
{
    const pc_tangential *e = &c->p.tangential;
    if (!pc_guard_is_cone(which)) return which == PC_GUARD_RELEASE;
    return e->kind != PC_TANGENTIAL_RIGID && e->kind != PC_TANGENTIAL_RINGS && !pc_tangential_is_damped(e);
}

static inline double pc_contact_guard_rate(const pc_contact *c, const pc_contact_values *m, int which)
{
    const pc_tangential *e = &c->p.tangential;
    if (which == PC_GUARD_RELEASE) return c->parting > 0 ? m->w : m->dFn;
    int sign = which == PC_GUARD_CONE_UP ? 1 : -1;
    return pc_tangential_bounds_stretch(e) ? e->cone * m->w - sign * m->creep : e->mu * m->dFn + sign * m->dFt;
}

/* A cone, what holds against rolling, a kink or a branch has been crossed: the mode that follows. */
void pc_contact_cross(pc_contact *c, const pc_contact_values *m, int which);

/* The direction in which what has come to rest from rolling goes on; 0: the couple `hold` keeps it there. */
static inline int pc_contact_roll_on(const pc_contact_values *m)
{
    double most = m->Fn > 0 ? m->Fn : 0;
    return m->hold > most ? -1 : m->hold < -most ? 1 : 0;
}

/* Begin at u (0 or, where a motion begins compressed, more) with a sliding velocity v_t, 0 if it counts as none.
 * length: of an impact like this, m; rounding: of u. A held point may yet turn out to slip. */
void pc_contact_begin(pc_contact *c, double u, double w, double v_t, double length, double rounding);

/* Then, for elements with a history: let it begin, at q = 0, for an impact of this length and speed. */
pc_status pc_contact_open_rings(pc_contact *c, double u, double w, double length, double speed, pc_error *err);

/* True if enough rings touch to tell stick from slip. */
bool pc_contact_has_mode(const pc_contact *c);

/* The end of a step, whose forces are known: the history goes on from there, and stuck and sign are what they are by
 * now. *q is what the variable goes on from: of rings the stretch of the one in the middle. */
pc_status pc_contact_advance_rings(pc_contact *c, const pc_contact_values *m, double *q, pc_error *err);

void pc_contact_close_rings(pc_contact *c);

#endif
