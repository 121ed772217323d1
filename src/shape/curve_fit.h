/* Discs beside curves: whether one touches a curve in one place at a time, and into what parts the curve falls where it
 * does not.
 *
 * The middle of a disc that moves along a curve is on the parallel curve of it, by the radius. Where a hollow is
 * narrower than the disc that crosses itself, and what lies behind the crossing no disc of this radius reaches: the
 * disc touches the curve on both sides of it. There the curve is cut. Where the two places are ends of one part
 * nevertheless, as those in the only dent of a cam, that is cut once more, where the disc does come along.
 */
#ifndef PC_SHAPE_CURVE_FIT_H
#define PC_SHAPE_CURVE_FIT_H

#include "shape/plane_curve.h"

/* Whether a disc touches the curve on its open side in one place at a time, wherever it is; else why not, and where. */
typedef enum pc_curve_fit { PC_CURVE_FITS, PC_CURVE_TIGHT, PC_CURVE_NARROW, PC_CURVE_OPENING } pc_curve_fit;
pc_curve_fit pc_curve_takes(const pc_plane_curve *curve, double radius, double where[2], double *limit);

/* Where it bends outwards on its open side, as a hill does. False: nowhere. */
bool pc_curve_bulges(const pc_plane_curve *curve, double where[2]);

/* A place of a curve, in spans from its beginning, at which it is cut. passes: a disc on the open side comes along
 * there. */
typedef struct pc_curve_cut {
    double at;
    bool passes;
} pc_curve_cut;

/* Where a curve, which does not cross itself, is cut so that a disc touches each part in one place at a time on the
 * open side; in the order of the curve, two at least of a closed one. They are for the caller to free. *n = 0: there is
 * no telling, as where the disc lies in a hollow of its own radius. */
pc_status pc_curve_find_cuts(const pc_plane_curve *curve, double radius, pc_curve_cut **cuts, int *n, pc_error *err);

/* The part of a curve between two places, in spans as those of cuts; of a closed one the second may lie beyond its end,
 * as if it began anew there. Returns its spans; out: NULL, or where they go. */
int pc_curve_part(const pc_plane_curve *curve, double from, double to, pc_curve_span *out);

#endif
