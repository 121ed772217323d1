/* Contacts that are closed together as linear equations: W of all of them, and the forces or impulses with which each
 * keeps its mode.
 */
#ifndef PC_ENGINE_BLOCK_H
#define PC_ENGINE_BLOCK_H

#include "base/status.h"
#include "engine/provider.h"
#include "math/friction.h"

#include <stddef.h>

/* What contacts have to keep. The first n keep their normal velocity, and the tangential one as well if they stick;
 * those behind them keep the tangential one alone. */
typedef struct pc_kept_modes {
    int n, *mode; /* 0: stick, else the sign of slip */
    int *apart;   /* 1: its normal force follows from its own row alone, and shares nothing with others */
    double *friction, *static_friction;
} pc_kept_modes;

/* W: what an impulse along column (t, n of each contact) does to the velocities along row, row-major 2n x 2n. */
typedef struct pc_block {
    int n, room; /* contacts, and for how many there is room */
    int n_velocities;
    bool shared;   /* some of the last forces do not follow from the motion alone */
    int unbound;   /* 1 + a place whose normal force follows from a reaction, where none was found; else as it was */
    bool above;    /* what follows from reactions is sought from great forces on when modes are decided on */
    double spread; /* least pivot of their conditions, as a share of the largest */
    double grown;  /* by how much friction has made the forces grow that bound it: so much more they round */
    double *W, *b, *a, *x, *y;
    double *solution, *weights, *bounds, *more, *factors, *scale; /* workspace of pc_block_solve_modes */
    double *p, *friction; /* forces or impulses at the contacts; workspace of math/friction.h */
    pc_rubbing *rubbing;  /* and behind them those of a group */
    pc_kept_modes kept;
    int *index, *row;
    int n_groups, *order, *end; /* contacts sorted by what they are coupled with, and where each group of them ends */
    int *place;                 /* of the contacts that these are of; between their groups W stays zero */
    pc_touch *touch;            /* of the contacts of a group; all numbers lie before it, from W on */
} pc_block;

/* For n velocities and some contacts. */
pc_status pc_block_open(pc_block *block, int n, int contacts, pc_error *err);
void pc_block_close(pc_block *block);

/* Room for more contacts; where it grows what is in the block is lost. On failure it is as before. */
pc_status pc_block_reserve(pc_block *block, int contacts, pc_error *err);

/* W of some contacts. Which of them are coupled is found where their places are not those of before: contacts of bodies
 * that do not touch are systems of their own. */
void pc_block_build(pc_block *block, const pc_mechanics *mechanics, const pc_contact_set *set);

/* Forces that change the accelerations (or velocities) b of the block to what the modes in `kept` allow. `smooth`:
 * friction of slipping contacts acts with their normal forces. True: some do not follow from that alone, and were
 * shared, if forces that press are wanted (`press`). */
bool pc_block_solve_modes(pc_block *block, bool smooth, bool press, double (*force)[2]);

/* Impulses or forces p by pc_friction_solve, for velocities b and what `rubbing` says of each contact. */
bool pc_block_solve_friction(pc_block *block, const double *b, double rounding, double *p);

/* dN_i''/dN_i, the normal acceleration that one newton at a slipping contact makes with its friction: where it is
 * negative, slip jams. */
double pc_block_slip_mobility(const pc_block *block, int i, int mode, double friction);

/* Whether nothing that acts along t at a place that is in the block moves it along t: a joint that others lock, or one
 * at a dead centre. */
bool pc_block_is_locked(const pc_block *block, int place);

#endif
