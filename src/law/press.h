/* One compliant contact between two of its changes: an element with its mode, its forces, and what may change them.
 *
 * The contact neither knows what it presses on nor how that moves. Whoever integrates the motion says where it stands
 * (pc_pressing: u, w, v_t and the variable q of the tangential element), and asks for forces, rates and guards. Units
 * are those of the scales that the element was prepared with. Where the tangential element has a history, that is kept
 * here, and whoever integrates tells the end of each step.
 */
#ifndef PC_LAW_PRESS_H
#define PC_LAW_PRESS_H

#include "law/element.h"
#include "law/rings.h"

/* What sticks is a particle joined by the tangential element, or the contact point itself where that is rigid: then
 * F_t follows from the motion. */
typedef struct pc_press {
    const pc_element *element;
    pc_prepared p;
    bool stuck;
    int sign;   /* of slip */
    int branch; /* see pc_indent */
    double memory;
    int knot_side;   /* sign of the knot in this stretch */
    bool fresh;      /* just entered its mode: its guards may stand at zero and count as positive */
    bool armed;      /* has been pressed beyond the rounding of a gap */
    double parting;  /* indentation at which it ends with a burst (pc_press_burst); 0: without */
    pc_rings *rings; /* history of that kind of element; NULL: F_t is left as it is, as that of a held point */
    double backward; /* speed that a slip began with against its direction, from creep or rounding; 0 once it slips */
} pc_press;

typedef struct pc_pressing {
    double u, w, v_t, q; /* where it stands; in slip q is found */
    pc_normal n;
    double Fn, Ft;
    double dFn, dFt;    /* rates */
    double creep, slip; /* rate of the stretch; of the particle, 0 in stick */
    double dw, dv_t;    /* of w and v_t, where the one who integrates knows them */
    double stretching;  /* F_t times creep, and where the stretch follows the force the rate of what is stored besides;
                           of rings, the sum over them, and creep and slip are 0 */
    double kept;        /* of rings alone: the energy in them */
} pc_pressing;

/* True if the contact point itself is held, so that F_t is not a function of the state. */
static inline bool pc_press_holds(const pc_press *c)
{
    return c->stuck && c->p.tangential.kind == PC_TANGENTIAL_RIGID;
}

/* True if the tangential element has a history. */
static inline bool pc_press_remembers(const pc_press *c)
{
    return c->p.tangential.kind == PC_TANGENTIAL_RINGS;
}

/* True if the stretch of what slips follows the normal force, and its rate that of the force, which stiff damping makes
 * the small difference of great ones. What has been done on such an element is what it stores, but for what a change of
 * its stiffness has done. */
static inline bool pc_press_follows(const pc_press *c)
{
    return c->p.tangential.kind == PC_TANGENTIAL_SPRING || c->p.tangential.kind == PC_TANGENTIAL_MINDLIN;
}

/* The normal element alone, which release, knot and branch are matters of; then all forces from u, w, v_t and q; F_t of
 * a held point is left as it is. */
void pc_press_see(const pc_press *c, pc_pressing *m);
void pc_press_forces(const pc_press *c, pc_pressing *m);

/* Then the rates; dw: of the closing speed w, which matters where the force depends on w. */
void pc_press_rates(const pc_press *c, pc_pressing *m, double dw);

/* Stored in both elements, and in the tangential one. */
double pc_press_stored(const pc_press *c, const pc_pressing *m);
double pc_press_stored_along(const pc_press *c, const pc_pressing *m);

/* Where the coupled law never slips, the normal force grows beyond all bounds as the bodies part, integrably. What is
 * left of it when the indentation is next to nothing is a burst: impulses with which bodies of mobility W get all that
 * is stored, and how long it lasts. `late`: the mean over that time of the share of impulses that is yet to come. */
typedef struct pc_burst {
    double impulse[2], duration, late;
    bool unbounded; /* there is a stretch, so that the force grows */
} pc_burst;
void pc_press_burst(const pc_press *c, const pc_pressing *m, const pc_mobility *W, pc_burst *out);

/* What may end a mode; positive while it lasts, 1 where it does not apply. */
enum {
    PC_PRESS_RELEASE,
    PC_PRESS_CONE_UP,   /* stick becomes slip towards +t */
    PC_PRESS_CONE_DOWN, /* towards -t */
    PC_PRESS_ARREST,
    PC_PRESS_KNOT,
    PC_PRESS_BRANCH,
    PC_PRESS_GUARDS
};
double pc_press_guard(const pc_press *c, const pc_pressing *m, int which);

/* Begin at u (0 or, where a motion begins compressed, more) with a sliding velocity v_t, 0 if it counts as none.
 * length: of an impact like this, m; rounding: of u. A held point may yet turn out to slip. */
void pc_press_begin(pc_press *c, double u, double w, double v_t, double length, double rounding);

/* Then, for elements with a history: let it begin, at q = 0, for an impact of this length and speed. */
pc_status pc_press_remember(pc_press *c, double u, double w, double length, double speed, pc_error *err);

/* True if enough rings touch to tell stick from slip; and if all of them slip. */
bool pc_press_tells(const pc_press *c);
bool pc_press_slips(const pc_press *c, const pc_pressing *m);

/* The end of a step, whose forces are known: the history goes on from there, and stuck and sign are what they are by
 * now. *q is what the variable goes on from: of rings the stretch of the one in the middle. */
pc_status pc_press_carry(pc_press *c, const pc_pressing *m, double *q, pc_error *err);

void pc_press_forget(pc_press *c);

#endif
