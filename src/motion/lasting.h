/* Contacts that last: which pairs are closed, how they move, and with what forces.
 *
 * A closed pair sticks or slips in one direction, and keeps its normal acceleration at zero, if it sticks the
 * tangential one as well; the forces follow from that (mode by mode a linear system). Which modes hold is a linear
 * complementarity problem in the accelerations (Pfeiffer and Glocker 1996, chapter 5).
 */
#ifndef PC_MOTION_LASTING_H
#define PC_MOTION_LASTING_H

#include "engine/block.h"
#include "scene/planar.h"

struct pc_compliant; /* compliant.h; NULL: none */

typedef struct pc_contacts {
    int n;
    int pair[PC_CLOSED];
    int mode[PC_CLOSED]; /* 0: stick, else the sign of slip */
    pc_touch touch[PC_CLOSED];
    double force[PC_CLOSED][2];
    double press[PC_CLOSED]; /* where they were decided on: the normal acceleration that its force makes */
} pc_contacts;

/* Touches of all closed pairs in the placed system. */
void pc_contacts_touch(pc_contacts *contacts, const pc_planar *planar);

/* Accelerations of the placed scene with the forces of its closed pairs and compliant contacts, which are kept. < 0:
 * stop. */
int pc_contacts_accelerate(pc_contacts *contacts, struct pc_compliant *compliant, pc_planar *planar, pc_block *block,
                           double *a);

/* Whether there are forces with which the closed pairs of the placed system go on as they do. < 0: stop. */
int pc_contacts_persist(pc_contacts *contacts, struct pc_compliant *compliant, pc_planar *planar, pc_block *block,
                        bool *hold);

/* What a jam is: dN_i''/dN_i, the normal acceleration that one newton at a slipping pair makes with its friction. */
double pc_contacts_slip_mobility(const pc_contacts *contacts, const pc_scene *scene, const pc_block *block, int i);

/* Remove what the closed pairs must not have: gaps, and velocities that their modes forbid. Changes y, which was
 * placed. rub: the normal impulses bring friction with them, as those of bounces that are left out would; without it
 * this corrects the drift of an integration. */
void pc_contacts_project(pc_contacts *contacts, pc_planar *planar, pc_block *block, bool rub, double *y);

typedef enum pc_verdict { PC_CONSISTENT, PC_INCONSISTENT, PC_STOPPED } pc_verdict;

/* Decide for pairs that touch and do not separate (all of them in `contacts`, the mode of those that slip set, 0 where
 * they are at rest) which stay closed and how; the others leave the list. PC_INCONSISTENT: no forces do (a jam). */
pc_verdict pc_contacts_decide(pc_contacts *contacts, struct pc_compliant *compliant, pc_planar *planar,
                              pc_block *block);

#endif
