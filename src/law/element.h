/* Laws written as elements, of which the engine makes impacts: tangential elements, the contract of a normal element,
 * closed forms of restitution, and the power laws with damping. */
#ifndef PC_LAW_ELEMENT_H
#define PC_LAW_ELEMENT_H

#include "base/row.h"
#include "law/impact.h"

#include <stdbool.h>

/* Tangential elements: what joins the contact point to the particle that Coulomb friction holds.
 *
 * Every kind has one variable q: stretch or force. It grows in stick; in slip it follows from the normal force. k is
 * the elastic normal stiffness at the moment, `ratio` the tangential stiffness over it, 2(1 - nu)/(2 - nu) for
 * equal materials (Mindlin 1949):
 *
 *     rigid     no element: the contact point itself sticks or slips
 *     spring    F_t = -kt q, q the stretch
 *     mindlin   F_t = -q, dq/dt = ratio k v_t: an incremental stiffness, which is not conservative
 *     dashpot   F_t = -ct v_t, without a variable: "stick" is where friction holds its other end
 *     spring_dashpot  F_t = -kt q - ct v_t, q the stretch; in slip friction bounds the sum, and what v_t leaves of it
 *               is the spring's, kt q = +-mu F_n - ct v_t (Luding 2008, eq. 17; LAMMPS's linear_history): not
 *               conservative
 *     secant    F_t = -ratio k q, q the stretch: not conservative either
 *     coupled   the same with its potential complete: F_n gains ratio k' q^2/2, so that nothing is lost or created (Lai
 *               1999, eqs 5.21-5.24)
 *     rings     a row of springs that stick or slip each by itself (contact.h): q is the displacement of the contact
 *               point, and the force a matter of its history
 */

typedef enum pc_tangential_kind {
    PC_TANGENTIAL_RIGID,
    PC_TANGENTIAL_SPRING,
    PC_TANGENTIAL_MINDLIN,
    PC_TANGENTIAL_DASHPOT,
    PC_TANGENTIAL_SPRING_DASHPOT,
    PC_TANGENTIAL_SECANT,
    PC_TANGENTIAL_COUPLED,
    PC_TANGENTIAL_RINGS,
} pc_tangential_kind;

typedef struct pc_tangential {
    pc_tangential_kind kind;
    double mu;
    double ct;    /* dashpot, spring_dashpot: its constant, scaled */
    double kt;    /* spring, spring_dashpot: its stiffness, scaled; rings: stiffness over the root of the indentation */
    double ratio; /* mindlin, secant, coupled: tangential over normal stiffness */
    double cone;  /* secant, coupled, rings: greatest stretch over indentation; infinite: never slips */
    int rings;    /* rings: how many fill the contact circle */
} pc_tangential;

/* True if the force along the surface depends on v_t, and its rate on that of v_t. */
static inline bool pc_tangential_is_damped(const pc_tangential *e)
{
    return e->kind == PC_TANGENTIAL_DASHPOT || e->kind == PC_TANGENTIAL_SPRING_DASHPOT;
}

/* True if the cone bounds the stretch, not the force. */
static inline bool pc_tangential_bounds_stretch(const pc_tangential *e)
{
    return e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED;
}

struct pc_normal;

/* Parameters of laws that let the user choose. */
typedef struct pc_tangential_choice {
    int kind; /* index of the words below */
    double kt, eta, ct, mu, rolling;
} pc_tangential_choice;

extern const char *const pc_tangential_words[];

/* Row of the friction of all laws that are elements. */
#define PC_FRICTION_ROW(type, member)                                                                                  \
    PC_ROW(type, member, "friction", .symbol = "mu", .greek = "μ", .initial = PC_REQUIRED, .allowed = PC_NONNEGATIVE,  \
           .sample = {0, 1}, .doc = "coefficient of friction, the same in stick and slip")

/* Row of their resistance to rolling. */
#define PC_ROLLING_ROW(type, member)                                                                                   \
    PC_ROW(type, member, "rolling", .symbol = "delta", .greek = "δ", .unit = PC_UNIT_M, .initial = 0,                  \
           .allowed = PC_NONNEGATIVE,                                                                                  \
           .doc = "resistance to rolling of round contacts: the couple against it is delta times the normal force, "   \
                  "or what holds them")

/* Rows for a member `tangential` of a parameter struct. */
#define PC_TANGENTIAL_ROWS(type)                                                                                       \
    PC_FRICTION_ROW(type, tangential.mu),                                                                              \
        PC_CHOICE_ROW(                                                                                                 \
            type, tangential.kind, "tangential", pc_tangential_words, .initial = 0,                                    \
            .doc =                                                                                                     \
                "what friction holds: the contact point itself (rigid), a spring of stiffness kt, Mindlin's "          \
                "incremental stiffness, the normal one over eta, which follows the load and may give back more than "  \
                "it took: the flag tangential_gain tells, a dashpot of constant ct, LAMMPS's linear_nohistory and "    \
                "LIGGGHTS's no_history, of which a phase of stick is where it takes all motion, or both side by side " \
                "(spring_dashpot), whose sum friction bounds: in slip the spring has what v_t leaves of that, kt q = " \
                "+-mu F_n - ct v_t, as in LAMMPS's linear_history (Luding, Granular Matter 10, 2008); LIGGGHTS and "   \
                "YADE bound the spring alone and leave the dashpot out in slip"),                                      \
        PC_ROW(type, tangential.kt, "tangential_stiffness", .symbol = "kt", .unit = PC_UNIT_N_PER_M,                   \
               .initial = PC_ABSENT, .allowed = PC_POSITIVE,                                                           \
               .doc = "stiffness of the spring, with tangential = \"spring\" or \"spring_dashpot\""),                  \
        PC_ROW(type, tangential.ct, "tangential_damping", .symbol = "ct", .unit = {.kg = 1, .s = -1},                  \
               .initial = PC_ABSENT, .allowed = PC_POSITIVE,                                                           \
               .doc = "constant of the dashpot, with tangential = \"dashpot\" or \"spring_dashpot\""),                 \
        PC_ROW(type, tangential.eta, "stiffness_ratio", .symbol = "eta", .greek = "η", .initial = PC_ABSENT,           \
               .allowed = PC_POSITIVE,                                                                                 \
               .doc = "normal over tangential stiffness, with tangential = \"mindlin\"; (2 - nu)/(2 (1 - nu)) for "    \
                      "equal materials"),                                                                              \
        PC_ROLLING_ROW(type, tangential.rolling)

/* For `validate`: each kind wants its own constant and no other. */
pc_status pc_tangential_validate(const pc_schema *schema, const pc_tangential_choice *choice, pc_error *err);

/* True if the element keeps no potential: it may give back more than it took. */
static inline bool pc_tangential_may_gain(const pc_tangential *e)
{
    return e->kind == PC_TANGENTIAL_MINDLIN || e->kind == PC_TANGENTIAL_SECANT ||
           e->kind == PC_TANGENTIAL_SPRING_DASHPOT;
}

/* dq/dt over v_t in stick. */
double pc_tangential_gain(const pc_tangential *e, const struct pc_normal *n);

/* The contract of a law written as an element: a normal force with its history and a tangential element on top of it.
 *
 * An element is a page of mechanics. It says what the normal force is at an indentation u and a closing speed
 * w = du/dt, and which tangential element joins it; engine/element_impact.h turns any number of
 * elements and their mobility into impacts, with stick, slip, ends and the ledger of works.
 *
 * The engine works in scaled units: mass 1/w_nn, velocity |v_n| at the start, and a length that the element chooses.
 * `prepare` turns parameters into scaled constants. With one contact the indentation is followed through
 * y = (u + neck)^(1/root) and a clock dt = root y^(root - 1) dtau, so that dy/dtau = w: forces that are powers
 * u^(j/root) are then polynomials in y, and neither the touch nor the parting is singular.
 */

enum { PC_ELEMENT_CONSTANTS = 12 };

/* Variables that an element may remember, zero where a contact begins. */
enum { PC_MEMORY = 4 };

/* Units of the scaled problem. */
typedef struct pc_scales {
    double mass, velocity, length;
} pc_scales;

/* The unit of stiffness, N/m. */
static inline double pc_scales_stiffness(const pc_scales *s)
{
    return s->mass * s->velocity * s->velocity / (s->length * s->length);
}

/* The chosen element, scaled. */
pc_tangential pc_tangential_prepare(const pc_tangential_choice *choice, const pc_scales *scales);

/* An element ready to run: constants of the normal force and the tangential element. */
typedef struct pc_prepared {
    double c[PC_ELEMENT_CONSTANTS];
    pc_tangential tangential;
    int root;           /* forces are smooth functions of u^(1/root) */
    bool linear;        /* between its kinks and branches F is linear in u and w, and k constant */
    bool has_shape;     /* with these constants the element's shape holds */
    bool plastic;       /* unloads on another curve: the engine keeps the greatest indentation and the branch */
    bool pulls;         /* F_n may become negative before the contact ends; friction is 0 there */
    double neck;        /* the contact begins at u = 0 and ends at -neck; that, not u, is what the root is taken of */
    const void *params; /* of an element that asks them for its force; else NULL */
    int memory;         /* variables in use; in units that make them about 1 in an impact */
    double memory_unit[PC_MEMORY];
} pc_prepared;

/* Where a contact stands. branch 0: loaded as never before; 1: unloaded, or loaded again, below the greatest
 * indentation `memory`. */
typedef struct pc_indent {
    double y, u, w;
    int branch;
    double memory;
    bool force_alone;     /* slopes and stiffness are not used */
    const double *recall; /* variables that it remembers, if it has any; NULL: they are 0 */
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
    /* Speed, m/s, with the energy that a neck takes; NULL: there is none. */
    double (*sticking_speed)(const void *params, double mass);
    /* Greatest force, N, with which a contact at rest is held together; NULL: none. */
    double (*pull_off)(const void *params);
    /* mass (kg) and speed (m/s) are those of this contact, which constants may depend on. */
    void (*prepare)(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out);
    /* What else depends on the mobility of an only contact of an impact; NULL: nothing does. */
    pc_status (*suit)(const void *params, const pc_mobility *W, pc_prepared *p, pc_error *err);
    void (*normal)(const pc_prepared *p, const pc_indent *x, pc_normal *out);
    /* Rate of F where w changes at dw, without slopes. NULL: they cost nothing, and it is dFdu w + dFdw dw. */
    double (*rate)(const pc_prepared *p, const pc_indent *x, double dw);
    /* Rates of what it remembers; NULL: nothing. Who has it has `rate`. */
    void (*remember)(const pc_prepared *p, const pc_indent *x, double *rates);
    int (*memory)(const void *params); /* and how many variables these are */
    /* Energy in the normal element that unloading slowly from there would give back. */
    double (*stored)(const pc_prepared *p, const pc_indent *x);
    /* For elements whose force is a sum of powers of y (law/series.h): the shape of the stretch in which a contact
     * is; `beyond`: past the kink. Where k = 1 the motion is then followed by power series, without an integrator.
     * NULL: none. */
    void (*shape)(const pc_prepared *p, const pc_indent *x, bool beyond, struct pc_force *out);
    /* Of a shape that was found by trial: true if the element has the force F there. Each step by such a shape is
     * tried, and integrated where it is wrong. NULL: the shape is known to hold. */
    bool (*agrees)(const pc_prepared *p, const pc_indent *x, double F);
} pc_element;

/* pc_element.length of laws whose parameters begin with the stiffness of a linear spring. */
double pc_spring_length(const void *params, double mass, double speed);

/* Walton and Braun's normal force, of two lines: first loading on one, unloading and loading again on the other. */
enum { PC_LOADING, PC_UNLOADING };
void pc_lines_normal(const pc_prepared *p, const pc_indent *x, pc_normal *out);
double pc_lines_stored(const pc_prepared *p, const pc_indent *x);

/* Closed forms of restitution in a central impact. */

/* Row of laws that may be told the restitution of a central impact instead of what makes them lose energy, another row
 * of the group; after the text the range that is allowed. */
#define PC_RESTITUTION_ROW(type, group_, text, ...)                                                                    \
    PC_ROW(type, restitution, "restitution", .role = PC_RESTITUTION, .symbol = "e", .initial = PC_ABSENT,              \
           .allowed = __VA_ARGS__, .group = group_, .doc = text)

/* Row of damped laws that may pull at the end. */
#define PC_TENSION_ROW(type)                                                                                           \
    PC_ROW(type, tension, "tension", .initial = 0,                                                                     \
           .doc =                                                                                                      \
               "true: the contact lasts until u = 0 and pulls before, as in LAMMPS without limit_damping and in "      \
               "LIGGGHTS with limitForce off, their defaults; false: it ends where the force has fallen to 0, as in "  \
               "YADE's viscoelastic law")

/* Hunt and Crossley: a = zeta v_in at which e is achieved, 0.05 <= e <= 1. */
double pc_hunt_crossley_a(double e);

/* Spring and dashpot: the damping ratio that gives e. Tension: until u = 0; clipped: until F = 0, and e of that. */
double pc_tension_ratio(double e);
double pc_clipped_ratio(double e);
double pc_clipped_e(double z);

/* Power laws with damping in proportion to the elastic force: Hunt and Crossley's, and Lankarani and Nikravesh's. */

typedef struct pc_power {
    double k, p;
} pc_power;

typedef struct pc_hunt_crossley {
    pc_power power;
    double damping, restitution;
    pc_tangential_choice tangential;
    bool near_one; /* zeta by Lankarani and Nikravesh's rule */
} pc_hunt_crossley;

#endif
