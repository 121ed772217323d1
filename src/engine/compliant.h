/* Contacts that act through their laws while everything moves: configuration = "moving".
 *
 * A pair whose law is an element (law/element.h) is closed as long as its law says so. Its forces are functions of
 * the state, which for each closed contact grows by the rows below; the forces join gravity and the others before
 * the contacts that last rigidly (lasting.h) find theirs. Where a tangential element is rigid and its point sticks,
 * the friction follows from the motion, so such a point is *held* by lasting.h, without a normal condition.
 *
 * The state is y = (q, u, rows of each closed contact in turn). Behind the rows below a contact has those for what its
 * element remembers.
 */
#ifndef PC_ENGINE_COMPLIANT_H
#define PC_ENGINE_COMPLIANT_H

#include "engine/lasting.h"
#include "law/contact.h"
#include "ode/ode.h"

/* Variable of the tangential element; impulses; works of the normal element, the tangential one, and friction, the last
 * two as far as pc_compliant_works does not find them in the state. */
enum { PC_ROW_Q, PC_ROW_PT, PC_ROW_PN, PC_ROW_WN, PC_ROW_WT, PC_ROW_WF, PC_ROWS };

/* A closed contact. Its indentation is -(gap + residual); mass, speed and length are those of an impact like this, the
 * size of its errors (law/element.h). */
typedef struct pc_compliant_contact {
    int pair, feature; /* of a sharp corner, the side it holds to; -1: what is nearest */
    pc_contact base;   /* how its law goes on */
    double residual;
    double mass, speed, length;
    size_t impact; /* which of those that are recorded */
} pc_compliant_contact;

typedef struct pc_compliant {
    int n;
    int memory; /* rows of each for what its element remembers, in the units of pc_prepared: the most that any has */
    size_t room;
    unsigned version;     /* counts closings and openings */
    const pc_dense *past; /* an arc on which histories are not at hand: F_t is the slope of its impulse, and
                               the springs hold what was done on them; NULL: none */
    const pc_contact_values
        *given; /* u, w and v_t of each contact where they do not come from the state, for derivatives */
    pc_compliant_contact *contact; /* of each, as what follows */
    pc_touch *touch;
    pc_contact_values *now;
    int *held;   /* see pc_compliant_held */
    int *braced; /* see pc_compliant_braced */
    int *loose;  /* of each: what pc_contacts_decide found of a held point, the sign of a slip that begins; else 0 */
} pc_compliant;

/* Rows of each contact in the state. */
static inline int pc_compliant_rows(const pc_compliant *compliant)
{
    return PC_ROWS + compliant->memory;
}

/* Room for n contacts, of a list that begins as zeros; what histories they have are not its own. */
pc_status pc_compliant_reserve(pc_compliant *compliant, int n, pc_error *err);
void pc_compliant_close(pc_compliant *compliant);

/* True if a pair is closed. */
bool pc_compliant_has(const pc_compliant *compliant, int pair);

/* Touches and forces in a configuration, in `touch` and `now`. */
void pc_compliant_evaluate(pc_compliant *compliant, const pc_mechanics *mechanics);

/* Accelerations of everything under these forces (NULL: none) and `more`; the block lends its workspace. < 0: stop. */
int pc_compliant_accelerations(const pc_compliant *compliant, const pc_mechanics *mechanics, pc_block *block,
                               const pc_acting *more, double *a);

/* Held points: their number, and in `held` their places among the closed contacts. Their F_t is written to and read
 * from `now`. */
int pc_compliant_held(pc_compliant *compliant);

/* Contacts that are held against rolling: their number, and in `braced` their places among the closed contacts. What
 * holds them is written to `now`. */
int pc_compliant_braced(pc_compliant *compliant);

/* Whether any resists rolling. */
bool pc_compliant_rolls(const pc_compliant *compliant);

/* Rates of the rows, after the forces were found, and the other rates in `now`. These, but for those of works, follow
 * from the accelerations a; NULL where nobody needs them. rate: NULL for those in `now` alone. */
void pc_compliant_rates(pc_compliant *compliant, const pc_mechanics *mechanics, const double *a, double *rate);

/* Energy in the springs, J; works of a contact so far, of its normal element, its tangential one, and friction; and of
 * all of them: normal and tangential, then friction. Forces are known. */
double pc_compliant_stored(const pc_compliant *c);
void pc_compliant_works(const pc_contact *contact, const pc_contact_values *m, const double *rows, double work[3]);
void pc_compliant_work(const pc_compliant *c, const double *rows, double *elements, double *friction);

#endif
