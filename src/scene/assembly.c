/* A scene from its parts: see assembly.h. */
#include "scene/assembly.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *pc_part_given_name(const pc_part *part)
{
    if (part->force) return ((const pc_force_common *)part->params)->name;
    return part->chain  ? part->options->name
           : part->body ? part->body->name
                        : ((const pc_obstacle_common *)part->params)->name;
}

const char *pc_part_kind_name(const pc_part *part)
{
    if (part->force) return part->force->schema->name;
    return part->chain ? "chain" : part->body ? "body" : part->obstacle->schema->name;
}

/* ---- names ---- */

/* A name that was given, and to which part; and how many names have been made of that of a kind. */
typedef struct given_name {
    const char *name;
    int part;
} given_name;

typedef struct kind_count {
    const char *name;
    int n;
} kind_count;

/* given: in order of names. */
typedef struct namer {
    given_name *given;
    kind_count *counts;
    int n_given, n_counts;
} namer;

static int by_name(const void *a, const void *b)
{
    const given_name *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->part > y->part) - (x->part < y->part);
}

/* What is given is used as it is, so it comes first. */
static pc_status open_namer(namer *names, const pc_part *parts, int n, pc_error *err)
{
    *names = (namer){.given = pc_calloc((size_t)n, sizeof *names->given),
                     .counts = pc_calloc((size_t)n, sizeof *names->counts)};
    if (!names->given || !names->counts) return pc_fail(err, PC_E_MEMORY, "scene: not enough memory for its names");
    for (int i = 0; i < n; i++)
        if (pc_part_given_name(&parts[i])[0])
            names->given[names->n_given++] = (given_name){pc_part_given_name(&parts[i]), i};
    qsort(names->given, (size_t)names->n_given, sizeof *names->given, by_name);
    for (int i = 1; i < names->n_given; i++) {
        const given_name *a = &names->given[i - 1], *b = &names->given[i];
        if (strcmp(a->name, b->name) == 0)
            return pc_fail(err, PC_E_ARGUMENT,
                           "scene: parts %d and %d are both called '%s'; each needs a name of its own", a->part + 1,
                           b->part + 1, a->name);
    }
    return PC_OK;
}

static void close_namer(namer *names)
{
    pc_free(names->given);
    pc_free(names->counts);
}

static bool is_given(const namer *names, const char *name)
{
    int low = 0, high = names->n_given;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(name, names->given[middle].name);
        if (order == 0) return true;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return false;
}

/* The next of floor, floor2, floor3, ... that no part has. */
static void make_name(namer *names, const char *kind, char name[PC_NAME])
{
    int k = 0;
    while (k < names->n_counts && strcmp(names->counts[k].name, kind) != 0) k++;
    if (k == names->n_counts) names->counts[names->n_counts++].name = kind;
    do {
        int number = ++names->counts[k].n;
        if (number == 1)
            snprintf(name, PC_NAME, "%s", kind);
        else
            snprintf(name, PC_NAME, "%.20s%d", kind, number);
    } while (is_given(names, name));
}

/* ---- parts ---- */

static pc_status add_part(pc_scene *scene, const pc_part *part, const char *name, const double *q, pc_error *err)
{
    pc_status status;
    if (part->force) return pc_scene_add_force(scene, part->force, part->params, name, q, err);
    if (part->chain) {
        status = pc_scene_add_chain(scene, part->chain, name, err);
        if (status == PC_OK) status = pc_scene_add_links(scene, part->chain, part->options->touch, name, err);
    } else if (part->body) {
        status = pc_scene_add_free(scene, part->body, name, err);
    } else {
        pc_outline outline = part->obstacle->build(part->params);
        snprintf(outline.name, sizeof outline.name, "%s", name);
        return pc_scene_add_obstacle(scene, &outline, &((const pc_obstacle_common *)part->params)->drive, err);
    }
    if (status == PC_OK) scene->members[scene->n_members - 1].named = pc_part_given_name(part)[0] != '\0';
    return status;
}

pc_status pc_scene_assemble(pc_scene *scene, const pc_part *parts, int n, pc_error *err)
{
    namer names;
    double *start = NULL;
    pc_status status = open_namer(&names, parts, n, err);
    for (int i = 0; i < 2 * n && status == PC_OK; i++) { /* forces last: they name the others, where they start */
        const pc_part *part = &parts[i % n];
        char made[PC_NAME];
        const char *given = pc_part_given_name(part);
        if ((part->force != NULL) != (i >= n)) continue;
        if (part->force && !start) {
            start = pc_calloc(2 * (size_t)scene->n_dof + 1, sizeof *start);
            if (!start) status = pc_fail(err, PC_E_MEMORY, "scene: not enough memory for %d parts", n);
            if (start) pc_parts_start(parts, n, scene->n_dof, start);
        }
        if (!given[0]) make_name(&names, pc_part_kind_name(part), made);
        if (status == PC_OK) status = add_part(scene, part, given[0] ? given : made, start, err);
    }
    pc_free(start);
    close_namer(&names);
    if (status != PC_OK || scene->n_dof > 0) return status;
    return pc_fail(err, PC_E_ARGUMENT, "scene: nothing in it can move; give it a chain or a free body");
}

void pc_parts_start(const pc_part *parts, int n, int n_dof, double *start)
{
    double *q = start, *u = start + n_dof;
    for (int i = 0; i < n; i++) {
        const pc_free_shape *s = parts[i].body;
        if (parts[i].chain) {
            int links = parts[i].chain->n;
            memcpy(q, parts[i].angles, (size_t)links * sizeof *q);
            memcpy(u, parts[i].rates, (size_t)links * sizeof *u);
            q += links, u += links;
        } else if (s) {
            memcpy(q, (const double[3]){s->x, s->y, s->angle}, 3 * sizeof *q);
            memcpy(u, (const double[3]){s->vx, s->vy, s->rate}, 3 * sizeof *u);
            q += 3, u += 3;
        }
    }
}
