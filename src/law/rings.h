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
#ifndef PC_LAW_RINGS_H
#define PC_LAW_RINGS_H

#include "base/status.h"

#include <stddef.h>

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

#endif
