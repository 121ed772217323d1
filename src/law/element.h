/* The contract of a law written as an element: a normal force with its history and a tangential element on top of it.
 *
 * An element is a page of mechanics. It says what the normal force is at an indentation u and a closing speed
 * w = du/dt, and which tangential element (law/tangential.h) joins it; engine/element_impact.h turns any number of
 * elements and their mobility into impacts, with stick, slip, ends and the ledger of works.
 *
 * The engine works in scaled units: mass 1/w_nn, velocity |v_n| at the start, and a length that the element chooses.
 * `prepare` turns parameters into scaled constants. With one contact the indentation is followed through
 * y = u^(1/root) and a clock dt = root y^(root - 1) dtau, so that dy/dtau = w: forces that are powers u^(j/root) are
 * then polynomials in y, and neither the touch nor the parting is singular.
 */
#ifndef PC_LAW_ELEMENT_H
#define PC_LAW_ELEMENT_H

#include "law/impact.h"
#include "law/tangential.h"

enum { PC_ELEMENT_CONSTANTS = 8 };

/* Units of the scaled problem. */
typedef struct pc_scales {
    double mass, velocity, length;
} pc_scales;

/* The unit of stiffness, N/m. */
static inline double pc_scales_stiffness(const pc_scales *s)
{
    return s->mass * s->velocity * s->velocity / (s->length * s->length);
}

/* An element ready to run: constants of the normal force and the tangential element. */
typedef struct pc_prepared {
    double c[PC_ELEMENT_CONSTANTS];
    pc_tangential tangential;
    int root;           /* forces are smooth functions of u^(1/root) */
    bool linear;        /* between its kinks and branches F is linear in u and w, and k constant */
    bool has_shape;     /* with these constants the element's shape holds */
    bool plastic;       /* unloads on another curve: the engine keeps the greatest indentation and the branch */
    bool pulls;         /* F_n may become negative before the contact ends; friction is 0 there */
    const void *params; /* of an element that asks them for its force; else NULL */
} pc_prepared;

/* Where a contact stands. branch 0: loaded as never before; 1: unloaded, or loaded again, below the greatest
 * indentation `memory`. */
typedef struct pc_indent {
    double y, u, w;
    int branch;
    double memory;
    bool force_alone; /* slopes and stiffness are not used */
} pc_indent;

/* The normal force there. Zero at touch, unless the element says otherwise. */
typedef struct pc_normal {
    double F, dFdu, dFdw;
    double k, dk, ddk; /* elastic stiffness that the tangential element builds on, with its first two derivatives */
    double release;    /* positive while the contact lasts, zero where it ends, with a slope */
    double kink;       /* where it changes sign the force is not smooth; 1 if it has no such place */
} pc_normal;

struct pc_force;

typedef struct pc_element {
    /* Length of the scaled problem, m: about the indentation that stops `mass` (kg) at `speed` (m/s). */
    double (*length)(const void *params, double mass, double speed);
    /* mass (kg) and speed (m/s) are those of this contact, which constants may depend on. */
    void (*prepare)(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out);
    /* What else depends on the mobility of an only contact; NULL: nothing does. */
    pc_status (*suit)(const void *params, const pc_mobility *W, pc_prepared *p, pc_error *err);
    void (*normal)(const pc_prepared *p, const pc_indent *x, pc_normal *out);
    /* Rate of F where w changes at dw, without slopes. NULL: they cost nothing, and it is dFdu w + dFdw dw. */
    double (*rate)(const pc_prepared *p, const pc_indent *x, double dw);
    /* Energy in the normal element that unloading slowly from there would give back. */
    double (*stored)(const pc_prepared *p, const pc_indent *x);
    /* For elements whose force is a sum of powers of y (law/series.h): the shape of the stretch in which a contact
     * is; `beyond`: past the kink. Where k = 1 the motion is then followed by power series, without an integrator.
     * NULL: none. */
    void (*shape)(const pc_prepared *p, const pc_indent *x, bool beyond, struct pc_force *out);
} pc_element;

#endif
