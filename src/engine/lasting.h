/* Contacts that last: which pairs are closed, how they move, and with what forces.
 *
 * A closed pair sticks or slips in one direction, and keeps its normal acceleration at zero, if it sticks the
 * tangential one as well; the forces follow from that (mode by mode a linear system). Which modes hold is a linear
 * complementarity problem in the accelerations (Pfeiffer and Glocker 1996, chapter 5).
 *
 * Resistance to rolling is a length delta: where a round contact rolls, its forces act so far ahead of the place where
 * it touches, and the normal force makes a couple against the rate. At rest another contact stands for it at the same
 * place, a couple that keeps the relative rate at zero as long as it is within delta N.
 *
 * Surfaces that adhere are pressed together by a force of their own as long as they touch: the pull-off force. What the
 * conditions are about is the pressure beneath that, which is N and as much: it ends where N is as far below zero, and
 * it bounds friction (Derjaguin, 1934).
 */
#ifndef PC_ENGINE_LASTING_H
#define PC_ENGINE_LASTING_H

#include "engine/block.h"

struct pc_compliant; /* compliant.h; NULL: none */

/* There is always room behind them for the points of compliant contacts that are held. */
typedef struct pc_contacts {
    int n;
    size_t room;
    int *pair, *mode; /* mode: 0 for stick, else the sign of slip */
    int *roll;        /* where rolling is resisted: 0 at rest, else the sign of the rate; else 0 */
    double *hold;     /* what holds one at rest against rolling, N for each m of its resistance */
    pc_touch *touch;
    double (*force)[2]; /* of the pressure */
    double (*cling)[2]; /* of what holds surfaces together, which is against it; where some are */
    double *press;      /* where they were decided on: the normal acceleration that its force makes */
    double *parting; /* where they are candidates for that: the speed of what separates from a bounce which may be its
                        last, else 0 */
    double *load, *reach, *lack, *last; /* a pc_fixed_point: normal forces that follow from reactions */
    double *rubbed;                     /* what friction did on the last arc of which works were asked, J */
} pc_contacts;

/* Room for n contacts, of a list that begins as zeros. */
pc_status pc_contacts_reserve(pc_contacts *contacts, int n, pc_error *err);
void pc_contacts_close(pc_contacts *contacts);

/* The same pairs in the same modes; for as many there is room. */
void pc_contacts_copy(pc_contacts *to, const pc_contacts *from);

/* One more, the i-th of another list, or of this one beyond its n. */
static inline void pc_contacts_add(pc_contacts *to, const pc_contacts *from, int i)
{
    to->pair[to->n] = from->pair[i];
    to->roll[to->n] = from->roll[i];
    to->mode[to->n++] = from->mode[i];
}

/* What contact i does in all, along t or n; clings: some are held together. */
static inline double pc_contacts_force(const pc_contacts *contacts, bool clings, int i, int axis)
{
    return contacts->force[i][axis] + (clings ? contacts->cling[i][axis] : 0);
}

/* Which of them a pair is; -1: none. */
static inline int pc_contacts_find(const pc_contacts *contacts, int pair)
{
    int i = contacts->n - 1;
    while (i >= 0 && contacts->pair[i] != pair) i--;
    return i;
}

/* A pair that is closed no longer; nothing, if it was not. */
void pc_contacts_open(pc_contacts *contacts, int pair);

/* A pair that touches at an instant, closed before or reached now. */
typedef struct pc_touching_pair {
    int pair;
    int slip;       /* sign of a slip that begins now, else 0 */
    bool rest;      /* slip has just come to a stop: v_t is 0, whatever rounding says */
    int roll;       /* the same of rolling against a resistance: its sign where it begins or goes on, else 0 */
    bool halts;     /* it has just come to a stop */
    bool still;     /* v_n counts as 0: impacts have accumulated */
    bool kept;      /* closed until now, and nothing has changed velocities since: it neither approaches nor separates,
                      and slips as `rest` and `slip` say, whatever rounding says */
    pc_touch touch; /* when they were sorted */
} pc_touching_pair;

typedef struct pc_touching {
    int n;
    size_t room;
    pc_touching_pair *at;
} pc_touching;

/* The one of a pair, which is there already or is one more; NULL: there is no memory. */
pc_touching_pair *pc_touching_add(pc_touching *touching, int pair, pc_error *err);

/* Accelerations of everything with the forces of closed pairs and compliant contacts, which are kept, and of `more`.
 * < 0: stop. */
int pc_contacts_accelerate_under(pc_contacts *contacts, struct pc_compliant *compliant, const pc_mechanics *mechanics,
                                 pc_block *block, const pc_acting *more, double *a);

static inline int pc_contacts_accelerate(pc_contacts *contacts, struct pc_compliant *compliant,
                                         const pc_mechanics *mechanics, pc_block *block, double *a)
{
    return pc_contacts_accelerate_under(contacts, compliant, mechanics, block, NULL, a);
}

/* Whether there are forces with which the closed pairs go on as they do. < 0: stop. */
int pc_contacts_persist(pc_contacts *contacts, struct pc_compliant *compliant, const pc_mechanics *mechanics,
                        pc_block *block, bool *hold);

/* Whether forces that friction follows were growing without bound by it, in the last solution; then the block names the
 * place as `unbound`. */
bool pc_contacts_run_away(const pc_block *block);

/* What a jam is: dN_i''/dN_i, the normal acceleration that one newton at a slipping pair makes with its friction. */
double pc_contacts_slip_mobility(const pc_contacts *contacts, const pc_mechanics *mechanics, const pc_block *block,
                                 int i);

/* Work, J, that what moves by itself gives by impulses p, (t, n) of each contact, in the configuration; or power by
 * forces. v: the velocities of the first one, where they are known, or NULL. */
double pc_carried_work(const pc_mechanics *mechanics, const pc_contact_set *set, const double *p, const double v[2]);

/* Remove what the closed pairs must not have: gaps, and velocities that their modes forbid. Changes y = (q, u), which
 * the configuration was made for; that is then to be made anew. rub: the normal impulses bring friction with them, as
 * those of bounces that are left out would; without it this corrects the drift of an integration. Returns the work, J,
 * that what moves by itself gives by these impulses. */
double pc_contacts_project(pc_contacts *contacts, const pc_mechanics *mechanics, pc_block *block, bool rub, double *y);

typedef enum pc_verdict { PC_CONSISTENT, PC_INCONSISTENT, PC_STOPPED } pc_verdict;

/* Decide for pairs that touch and do not separate (all of them in `contacts`, the mode of those that slip set, 0 where
 * they are at rest) which stay closed and how; the others leave the list. Held points of compliant contacts hold if
 * there are forces for that, else some are `loose`. PC_INCONSISTENT: no forces do (a jam). */
pc_verdict pc_contacts_decide(pc_contacts *contacts, struct pc_compliant *compliant, const pc_mechanics *mechanics,
                              pc_block *block);

#endif
