/* Parts of curves: what a disc that is too large for a hollow of a curve meets is not the curve but each of its parts,
 * in one place at a time (shape/curve_fit.h). They are outlines behind those of the scene, "profile.part1", and the
 * pairs of a site with all of them follow each other.
 */
#ifndef PC_SCENE_CURVE_PARTS_H
#define PC_SCENE_CURVE_PARTS_H

#include "scene/scene.h"
#include "shape/curve_fit.h"

/* The parts of a curve for a site of this radius: the first one, and how many; 0: it touches the curve itself in one
 * place at a time, or, if *fit says why not, it is not known where to cut it. */
pc_status pc_scene_part_curve(pc_scene *scene, int outline, double radius, int *first, int *n, pc_curve_fit *fit,
                              pc_error *err);

/* After the spans of the parts have moved. */
void pc_scene_place_parts(pc_scene *scene);

/* The pair that goes on where one comes to an end (0, 1) of a part of a curve, on the side on which the site is at
 * (x, y) in the frame of the outline; -1: none does, and there that touches the end. */
int pc_pair_beyond_part(const pc_scene *scene, int pair, int end, double x, double y);

#endif
