/* Tangential elements: what joins the contact point to the particle that Coulomb friction holds.
 *
 * Every kind has one variable q: stretch or force. It grows in stick; in slip it follows from the normal force. k is
 * the elastic normal stiffness at the moment, `ratio` the tangential stiffness over it, 2(1 - nu)/(2 - nu) for
 * equal materials (Mindlin 1949):
 *
 *     rigid     no element: the contact point itself sticks or slips
 *     spring    F_t = -kt q, q the stretch
 *     mindlin   F_t = -q, dq/dt = ratio k v_t: an incremental stiffness, which is not conservative
 *     secant    F_t = -ratio k q, q the stretch, not conservative either
 *     coupled   the same with its potential complete: F_n gains ratio k' q^2/2, so that nothing is lost or created
 *               (Lai 1999, eqs 5.21-5.24)
 *     rings     a row of springs that stick or slip each by itself (rings.h): q is the displacement of the contact
 *               point, and the force a matter of its history
 */
#ifndef PC_LAW_TANGENTIAL_H
#define PC_LAW_TANGENTIAL_H

#include "base/row.h"

#include <stdbool.h>

typedef enum pc_tangential_kind {
    PC_TANGENTIAL_RIGID,
    PC_TANGENTIAL_SPRING,
    PC_TANGENTIAL_MINDLIN,
    PC_TANGENTIAL_SECANT,
    PC_TANGENTIAL_COUPLED,
    PC_TANGENTIAL_RINGS,
} pc_tangential_kind;

typedef struct pc_tangential {
    pc_tangential_kind kind;
    double mu;
    double kt;    /* spring: its stiffness, scaled; rings: stiffness over the root of the indentation */
    double ratio; /* mindlin, secant, coupled: tangential over normal stiffness */
    double cone;  /* secant, coupled, rings: greatest stretch over indentation; infinite: never slips */
    int rings;    /* rings: how many fill the contact circle */
} pc_tangential;

/* True if the cone bounds the stretch, not the force. */
static inline bool pc_tangential_bounds_stretch(const pc_tangential *e)
{
    return e->kind == PC_TANGENTIAL_SECANT || e->kind == PC_TANGENTIAL_COUPLED;
}

struct pc_normal;

/* Parameters of laws that let the user choose. */
typedef struct pc_tangential_choice {
    int kind; /* index of the words below */
    double kt, eta, mu;
} pc_tangential_choice;

extern const char *const pc_tangential_words[];

/* Row of the friction of all laws that are elements. */
#define PC_FRICTION_ROW(type, member)                                                                                  \
    {                                                                                                                  \
        .name = "friction", .symbol = "mu", .greek = "μ", PC_MEMBER(type, member), .initial = PC_REQUIRED,             \
        .allowed = PC_NONNEGATIVE, .sample = {0, 1}, .doc = "coefficient of friction, the same in stick and slip"      \
    }

/* Rows for a member `tangential` of a parameter struct. */
#define PC_TANGENTIAL_ROWS(type)                                                                                       \
    PC_FRICTION_ROW(type, tangential.mu),                                                                              \
        {.name = "tangential",                                                                                         \
         .kind = PC_CHOICE,                                                                                            \
         .offset = offsetof(type, tangential) + offsetof(pc_tangential_choice, kind),                                  \
         .initial = 0,                                                                                                 \
         .choices = pc_tangential_words,                                                                               \
         .doc = "what friction holds: the contact point itself (rigid), a spring of stiffness kt, or Mindlin's "       \
                "incremental stiffness, the normal one over eta, which follows the load and may give back more than "  \
                "it took: the flag tangential_gain tells"},                                                            \
        {.name = "tangential_stiffness",                                                                               \
         .symbol = "kt",                                                                                               \
         PC_MEMBER(type, tangential.kt),                                                                               \
         .unit = PC_UNIT_N_PER_M,                                                                                      \
         .initial = PC_ABSENT,                                                                                         \
         .allowed = PC_POSITIVE,                                                                                       \
         .doc = "stiffness of the spring, with tangential = \"spring\""},                                              \
    {                                                                                                                  \
        .name = "stiffness_ratio", .symbol = "eta", .greek = "η", PC_MEMBER(type, tangential.eta),                     \
        .initial = PC_ABSENT, .allowed = PC_POSITIVE,                                                                  \
        .doc = "normal over tangential stiffness, with tangential = \"mindlin\"; (2 - nu)/(2 (1 - nu)) for equal "     \
               "materials"                                                                                             \
    }

/* For `validate`: each kind wants its own constant and no other. */
pc_status pc_tangential_validate(const pc_schema *schema, const pc_tangential_choice *choice, pc_error *err);

/* True if the element keeps no potential: it may give back more than it took. */
static inline bool pc_tangential_may_gain(const pc_tangential *e)
{
    return e->kind == PC_TANGENTIAL_MINDLIN || e->kind == PC_TANGENTIAL_SECANT;
}

/* Scaled: `stiffness` is the unit of stiffness, N/m (pc_scales_stiffness). */
pc_tangential pc_tangential_prepare(const pc_tangential_choice *choice, double stiffness);

/* dq/dt over v_t in stick. */
double pc_tangential_gain(const pc_tangential *e, const struct pc_normal *n);

#endif
