/* Parts of curves: see curve_parts.h. */
#include "scene/curve_parts.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static pc_status fail_memory(pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "scene: not enough memory for the parts of a curve");
}

void pc_scene_place_parts(pc_scene *scene)
{
    const pc_curve_span *spans = scene->spans;
    for (int i = scene->n_outlines; i < scene->n_outlines + scene->n_parts; i++) {
        scene->outlines[i].curve.spans = spans;
        spans += scene->outlines[i].curve.n;
    }
}

/* The part between two cuts; ends[k]: NULL where the curve itself ends. */
static pc_status add_part(pc_scene *scene, int whole, double radius, int number, const pc_curve_cut *const ends[2],
                          pc_error *err)
{
    const pc_plane_curve *curve = &scene->outlines[whole].curve;
    double from = ends[0] ? ends[0]->at : 0, to = ends[1] ? ends[1]->at : curve->n;
    if (to <= from) to += curve->n;
    const int n = pc_curve_part(curve, from, to, NULL), at = scene->n_outlines + scene->n_parts;
    if (!PC_GROW(scene->spans, scene->span_room, scene->n_spans + n) ||
        !PC_GROW(scene->outlines, scene->outline_room, at + 1))
        return fail_memory(err);
    const pc_outline *all = &scene->outlines[whole];
    const pc_plane_curve part = {.n = pc_curve_part(&all->curve, from, to, scene->spans + scene->n_spans),
                                 .side = all->curve.side};
    char name[PC_NAME];
    snprintf(name, sizeof name, "%.20s.part%u", all->name, (unsigned)number % 1000000);
    pc_outline *outline = &scene->outlines[at];
    *outline = pc_outline_curve(name, &part, all->x, all->y, all->radius);
    outline->member = all->member;
    outline->link = all->link;
    outline->part = (pc_outline_part){.whole = whole + 1, .radius = radius};
    for (int k = 0; k < 2; k++) {
        outline->part.cut[k] = ends[k] != NULL;
        outline->part.passes[k] = ends[k] && ends[k]->passes;
    }
    scene->n_spans += n;
    scene->n_parts++;
    pc_scene_place_parts(scene);
    return PC_OK;
}

static pc_status add_parts(pc_scene *scene, int whole, double radius, const pc_curve_cut *cuts, int n_cuts,
                           pc_error *err)
{
    const bool closed = scene->outlines[whole].curve.closed;
    const int n = closed ? n_cuts : n_cuts + 1;
    pc_status status = PC_OK;
    for (int i = 0; i < n && status == PC_OK; i++) { /* the first of a closed one begins at the first cut */
        const int before = closed ? i : i - 1, after = closed ? (i + 1) % n : i;
        const pc_curve_cut *const ends[2] = {before < 0 ? NULL : &cuts[before], after < n_cuts ? &cuts[after] : NULL};
        status = add_part(scene, whole, radius, i + 1, ends, err);
    }
    return status;
}

pc_status pc_scene_part_curve(pc_scene *scene, int outline, double radius, int *first, int *n, pc_curve_fit *fit,
                              pc_error *err)
{
    const pc_plane_curve *curve = &scene->outlines[outline].curve;
    double where[2], limit;
    *first = outline;
    *n = 0;
    *fit = radius > 0 ? pc_curve_takes(curve, radius, where, &limit) : PC_CURVE_FITS;
    if (*fit == PC_CURVE_FITS || curve->crosses) return PC_OK;
    for (int i = scene->n_outlines; i < scene->n_outlines + scene->n_parts; i++) { /* another one of that radius? */
        const pc_outline_part *part = &scene->outlines[i].part;
        if (part->whole != outline + 1 || part->radius != radius) continue;
        if (*n == 0) *first = i;
        ++*n;
    }
    if (*n > 0) return PC_OK;
    pc_curve_cut *cuts;
    int n_cuts, before = scene->n_parts;
    pc_status status = pc_curve_find_cuts(curve, radius, &cuts, &n_cuts, err);
    if (status == PC_OK && n_cuts > 0) status = add_parts(scene, outline, radius, cuts, n_cuts, err);
    pc_free(cuts);
    *first = scene->n_outlines + before;
    *n = scene->n_parts - before;
    return status;
}

int pc_pair_beyond_part(const pc_scene *scene, int pair, int end, double x, double y)
{
    const pc_pair *p = &scene->pairs[pair];
    const pc_outline *outline = &scene->outlines[p->outline];
    double point[2], tangent[2];
    if (!outline->part.cut[end]) return -1;
    if (!outline->part.passes[end]) { /* but on the other side */
        pc_curve_end(&outline->curve, end, point, tangent);
        double height = tangent[0] * (y - point[1]) - tangent[1] * (x - point[0]);
        if (height * outline->curve.side >= 0) return -1;
    }
    return p->beyond[end];
}
