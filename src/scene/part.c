/* Free planar bodies, and a scene from its parts: see part.h. */
#include "scene/part.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const touch_words[] = {"outline", "none", NULL};
static const char *const shape_words[] = {"disc", "rod", "box", "capsule", "sphere", NULL};

#define ROW(member, dimension, start, range, text)                                                                     \
    PC_ROW(pc_free_shape, member, #member, .unit = dimension, .initial = start, .allowed = range, .doc = text)

static const pc_row rows[] = {
    PC_CHOICE_ROW(
        pc_free_shape, shape, "shape", shape_words, .initial = PC_ABSENT, .group = 1,
        .doc =
            "\"disc\" (radius), \"rod\" (length), \"box\" (width, height), \"capsule\" (length between the centres of "
            "its round ends, radius) or \"sphere\" (radius): a disc with the inertia 2/5 m r^2 in place of 1/2 m r^2"),
    {.name = "body",
     .kind = PC_OBJECT,
     .offset = offsetof(pc_free_shape, body),
     .count = sizeof(pc_plane_body),
     .initial = PC_ABSENT,
     .object = "body",
     .group = 1,
     .doc = "one of percuss.body that moves freely and has an outline, such as a sphere or a box, in place of a shape, "
            "a mass and an inertia"},
    PC_ROW(pc_free_shape, mass, "mass", .symbol = "m", .unit = PC_UNIT_KG, .initial = PC_ABSENT,
           .otherwise = "that of the body; a shape needs one", .allowed = PC_POSITIVE, .doc = "mass"),
    PC_ROW(pc_free_shape, inertia, "inertia", .symbol = "J", .unit = PC_UNIT_KG_M2, .initial = PC_ABSENT,
           .allowed = PC_POSITIVE,
           .doc = "about the mass centre; that of the uniform shape, or of the body, if not given"),
    ROW(radius, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a disc, of a sphere or of a capsule's ends"),
    ROW(length, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a rod, or between the centres of a capsule's ends"),
    ROW(width, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a box"),
    ROW(height, PC_UNIT_M, PC_ABSENT, PC_POSITIVE, "of a box"),
    ROW(x, PC_UNIT_M, 0, PC_ANY, "mass centre at the start"),
    ROW(y, PC_UNIT_M, 0, PC_ANY, "mass centre at the start, upwards"),
    PC_ROW(pc_free_shape, angle, "angle", .unit = PC_UNIT_RAD, .initial = PC_ABSENT,
           .otherwise = "0, or that of the body", .allowed = PC_ANY,
           .doc = "at the start, anticlockwise; at 0 rods and capsules stand upright"),
    ROW(vx, PC_UNIT_M_PER_S, 0, PC_ANY, "velocity of the mass centre at the start"),
    ROW(vy, PC_UNIT_M_PER_S, 0, PC_ANY, "velocity of the mass centre at the start, upwards"),
    ROW(rate, PC_UNIT_RAD_PER_S, 0, PC_ANY, "of rotation at the start"),
    PC_CHOICE_ROW(
        pc_free_shape, touch, "touch", touch_words, .initial = PC_FREE_OUTLINE,
        .doc = "what of it may touch: its outline, or nothing, as of a bar of a linkage that is drawn over others"),
    PC_ROW(pc_free_shape, name, "name", .initial = PC_ABSENT,
           .doc = "for pairs, events and columns, which then begin with it: \"b.y\"; \"body\" if not given"),
    PC_STAYS_ROW("corners", PC_LIST, .group = 1,
                 .doc = "of a convex polygon: a list of 3 to 16 places { x, y } (m) in a frame of its own, in which "
                        "angle is 0; its mass is spread evenly"),
    PC_STAYS_ROW(
        "shapes", PC_LIST, .group = 1,
        .doc =
            "a body put together from several: a list of tables as this one takes, or of free bodies, each where its "
            "x, y and angle say in a frame of its own; masses and inertias add up. The whole need not be convex"),
};

/* Rows that a shape is asked for; of these the lengths are the last. */
static const char *const asked[] = {"mass", "inertia", "radius", "length", "width", "height"};
enum { LENGTHS = 2, ASKED = 6 };

/* The first of them that was given, from one on; NULL: none was. */
static const char *find_given(const pc_schema *schema, uint64_t given, int from)
{
    for (int i = from; i < ASKED; i++)
        if (pc_schema_given(schema, given, asked[i])) return asked[i];
    return NULL;
}

/* A body brings all of them. */
static pc_status take_body(const pc_schema *schema, pc_free_shape *s, uint64_t given, pc_error *err)
{
    const char *own = find_given(schema, given, 0);
    if (own) return pc_fail(err, PC_E_ARGUMENT, "free: a body has its own %s; give a shape, or change the body", own);
    if (s->body.n == 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "free: this body has no outline in the plane, it is known at its contact alone; a sphere, a rod "
                       "or a box has one");
    s->shape = PC_SHAPE_OF_BODY;
    s->mass = s->body.mass;
    s->inertia = s->body.inertia;
    if (isnan(s->angle)) s->angle = s->body.angle;
    return PC_OK;
}

/* A body put together is known when its shapes are. */
static pc_status begin_pieces(const pc_schema *schema, pc_free_shape *s, uint64_t given, const char *what,
                              pc_error *err)
{
    const char *length = find_given(schema, given, LENGTHS);
    s->shape = PC_SHAPE_OF_PIECES;
    if (isnan(s->angle)) s->angle = 0;
    return length ? pc_fail(err, PC_E_ARGUMENT, "free: a body by its %s has no %s", what, length) : PC_OK;
}

/* Each shape needs its own lengths and no others. */
static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    static const char needs[5][5] = {"1000", "0100", "0011", "1100", "1000"};
    pc_free_shape *s = object;
    if (pc_schema_given(schema, given, "body")) return take_body(schema, s, given, err);
    if (pc_schema_given(schema, given, "shapes")) {
        if (!isnan(s->mass) || !isnan(s->inertia))
            return pc_fail(err, PC_E_ARGUMENT, "free: the %s of a body put together is that of its shapes",
                           isnan(s->mass) ? "inertia" : "mass");
        return begin_pieces(schema, s, given, "shapes", err);
    }
    if (isnan(s->mass)) return pc_fail(err, PC_E_ARGUMENT, "free: mass (m) is needed (> 0 kg)");
    if (pc_schema_given(schema, given, "corners")) return begin_pieces(schema, s, given, "corners", err);
    if (isnan(s->angle)) s->angle = 0;
    for (int i = 0; i < 4; i++) {
        bool needed = needs[s->shape][i] == '1', is = pc_schema_given(schema, given, asked[LENGTHS + i]);
        if (needed != is)
            return pc_fail(err, PC_E_ARGUMENT, "free: a %s %s %s", shape_words[s->shape],
                           needed ? "needs its" : "has no", asked[LENGTHS + i]);
    }
    if (!isnan(s->inertia)) return PC_OK;
    double l = s->length, r = s->radius, m = s->mass;
    switch ((pc_shape)s->shape) {
    case PC_SHAPE_OF_PIECES:
    case PC_SHAPE_OF_BODY: break;
    case PC_SHAPE_DISC: s->inertia = m * r * r / 2; break;
    case PC_SHAPE_SPHERE: s->inertia = 0.4 * m * r * r; break;
    case PC_SHAPE_ROD: s->inertia = m * l * l / 12; break;
    case PC_SHAPE_BOX: s->inertia = m * (s->width * s->width + s->height * s->height) / 12; break;
    case PC_SHAPE_CAPSULE: {
        /* a rectangle and two half discs, whose mass centres lie 4 r/(3 pi) beyond its ends */
        double strip = 2 * r * l, caps = M_PI * r * r, own = 4 * r / (3 * M_PI);
        double rectangle = strip * (l * l + 4 * r * r) / 12;
        double ends = caps * (r * r / 2 - own * own + (l / 2 + own) * (l / 2 + own));
        s->inertia = m * (rectangle + ends) / (strip + caps);
        break;
    }
    }
    if (isfinite(s->inertia) && s->inertia > 0) return PC_OK;
    return pc_fail(err, PC_E_ARGUMENT, "free: this %s has an inertia of %g kg m^2, which must be > 0 and finite",
                   shape_words[s->shape], s->inertia);
}

const pc_schema pc_free_schema = {
    .name = "free",
    .summary = "A free planar body for scenes, with its motion at the start.",
    .details =
        "Bodies touch with corners, ends and flat sides. Pieces of one body do not touch each other; what slides "
        "over the seam of two that are flush meets an edge of both. Only points do not meet points: two rods without "
        "thickness that slide end to end in one line. A body made for `collide` keeps its mass and its inertia "
        "here: of a cylinder, not of a disc.",
    .equations = "m x'' = F_x: of all forces on it, those of contacts among them\n"
                 "m y'' = F_y - m g: of all but the weight\n"
                 "J phi'' = M: of their moments about the mass centre, phi being its angle",
    .example = "local rod = percuss.free{ shape = \"rod\", mass = 1, length = 2 }\n"
               "print(string.format(\"%.6f\", rod.inertia)) --> 0.333333",
    PC_ROWS(rows),
    .size = sizeof(pc_free_shape),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

/* ---- outlines ---- */

int pc_free_pieces(const pc_free_shape *s)
{
    return s->shape == PC_SHAPE_OF_PIECES ? s->n_pieces : 1;
}

void pc_free_find_piece(const pc_free_shape *s, int i, pc_free_piece *piece)
{
    pc_plane_body own = s->body;
    double radius = isnan(s->radius) ? 0 : s->radius;
    switch ((pc_shape)s->shape) {
    case PC_SHAPE_OF_PIECES: *piece = s->pieces[i]; return;
    case PC_SHAPE_OF_BODY: break;
    case PC_SHAPE_DISC:
    case PC_SHAPE_SPHERE: pc_plane_body_rectangle(&own, 0, 0, radius); break;
    case PC_SHAPE_BOX: pc_plane_body_rectangle(&own, s->width, s->height, radius); break;
    case PC_SHAPE_ROD:
    case PC_SHAPE_CAPSULE: pc_plane_body_rectangle(&own, 0, s->length, radius); break;
    }
    for (int k = 0; k < own.n; k++) { /* at angle 0 e points up and f to the left */
        piece->points[k][0] = own.corners[k][1];
        piece->points[k][1] = 0 - own.corners[k][0];
    }
    piece->round = own.radius;
    piece->n = own.n;
}

/* Of a polygon, by Green's theorem from its first corner: area, centroid and second moment of area about that. */
static double measure(const double (*corners)[2], int n, double centroid[2], double *second)
{
    double area = 0, first[2] = {0, 0};
    *second = 0;
    for (int i = 1; i + 1 < n; i++) {
        double a[2], b[2];
        for (int k = 0; k < 2; k++) {
            a[k] = corners[i][k] - corners[0][k];
            b[k] = corners[i + 1][k] - corners[0][k];
        }
        double twice = a[0] * b[1] - a[1] * b[0];
        area += twice / 2;
        for (int k = 0; k < 2; k++) {
            first[k] += twice * (a[k] + b[k]) / 6;
            *second += twice * (a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) / 12;
        }
    }
    for (int k = 0; k < 2; k++) {
        double away = first[k] / area;
        *second -= area * away * away;
        centroid[k] = corners[0][k] + away;
    }
    return area;
}

pc_status pc_free_take_corners(pc_free_shape *s, const double (*corners)[2], int n, pc_free_piece *piece, pc_error *err)
{
    double centroid[2], second;
    bool left;
    pc_status status = pc_outline_check_corners("free", corners, n, &left, err);
    if (status != PC_OK) return status;
    double area = measure(corners, n, centroid, &second);
    if (isnan(s->inertia)) s->inertia = s->mass * (second / area);
    *piece = (pc_free_piece){.n = n};
    for (int i = 0; i < n; i++) {
        const double *corner = corners[left ? i : n - 1 - i];
        piece->points[i][0] = centroid[1] - corner[1];
        piece->points[i][1] = corner[0] - centroid[0];
    }
    s->n_pieces = 1;
    s->pieces = piece;
    return PC_OK;
}

pc_status pc_free_take_shapes(pc_free_shape *s, const pc_free_shape *shapes, int n, pc_free_piece *pieces,
                              pc_error *err)
{
    double x = 0, y = 0;
    if (n < 1) return pc_fail(err, PC_E_ARGUMENT, "free: shapes is empty; a body needs one at least");
    s->mass = s->inertia = 0;
    for (int i = 0; i < n; i++) {
        s->mass += shapes[i].mass;
        x += shapes[i].mass * shapes[i].x;
        y += shapes[i].mass * shapes[i].y;
    }
    x /= s->mass;
    y /= s->mass;
    s->n_pieces = 0;
    for (int i = 0; i < n; i++) {
        const pc_free_shape *one = &shapes[i];
        double dx = one->x - x, dy = one->y - y, c = cos(one->angle), d = sin(one->angle);
        s->inertia += one->inertia + one->mass * (dx * dx + dy * dy);
        for (int k = 0; k < pc_free_pieces(one); k++) {
            pc_free_piece *piece = &pieces[s->n_pieces++];
            pc_free_find_piece(one, k, piece);
            for (int j = 0; j < piece->n; j++) { /* e points down at angle 0: x is across, y against along */
                double px = piece->points[j][1], py = -piece->points[j][0];
                piece->points[j][0] = -(dy + d * px + c * py);
                piece->points[j][1] = dx + c * px - d * py;
            }
        }
    }
    s->pieces = pieces;
    return PC_OK;
}

pc_status pc_scene_add_free(pc_scene *scene, const pc_free_shape *shape, const char *name, pc_error *err)
{
    pc_free_body body = {shape->mass, shape->inertia};
    pc_status status = pc_scene_add_body(scene, &body, name, err);
    int n = shape->touch == PC_FREE_OUTLINE ? pc_free_pieces(shape) : 0;
    for (int i = 0; i < n && status == PC_OK; i++) {
        char part[PC_NAME];
        pc_free_piece piece;
        pc_free_find_piece(shape, i, &piece);
        snprintf(part, sizeof part, n > 1 ? "%.14s.part%d" : "%s", name, i + 1);
        pc_outline outline = piece.n == 1 ? pc_outline_point(part, piece.points[0][0], piece.points[0][1], piece.round)
                                          : pc_outline_polygon(part, piece.points[0], piece.n, piece.round);
        outline.member = scene->n_members - 1;
        status = pc_scene_add_outline(scene, &outline, err);
    }
    return status;
}

const char *pc_part_given_name(const pc_part *part)
{
    if (part->force) return ((const pc_force_common *)part->params)->name;
    if (part->mechanism) return part->mechanism->name;
    return part->chain  ? part->options->name
           : part->body ? part->body->name
                        : ((const pc_obstacle_common *)part->params)->name;
}

const char *pc_part_kind_name(const pc_part *part)
{
    if (part->force) return part->force->schema->name;
    if (part->mechanism) return "mechanism";
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

static int by_word(const void *name, const void *given)
{
    return strcmp(name, ((const given_name *)given)->name);
}

static bool is_given(const namer *names, const char *name)
{
    return bsearch(name, names->given, (size_t)names->n_given, sizeof *names->given, by_word) != NULL;
}

/* The next of floor, floor2, floor3, ... that no part has. */
static void make_name(namer *names, const char *kind, char name[PC_NAME])
{
    int k = 0;
    while (k < names->n_counts && strcmp(names->counts[k].name, kind) != 0) k++;
    if (k == names->n_counts) names->counts[names->n_counts++].name = kind;
    do {
        const int number = ++names->counts[k].n;
        snprintf(name, PC_NAME, number == 1 ? "%s" : "%.20s%d", kind, number);
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
    } else if (part->mechanism) {
        status = pc_scene_add_mechanism(scene, part->mechanism, name, err);
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
    return pc_fail(err, PC_E_ARGUMENT, "scene: nothing in it can move; give it a chain, a free body or a mechanism");
}

void pc_parts_start(const pc_part *parts, int n, int n_dof, double *start)
{
    double *q = start, *u = start + n_dof;
    for (int i = 0; i < n; i++) {
        const pc_free_shape *s = parts[i].body;
        if (parts[i].chain || parts[i].mechanism) {
            int links = parts[i].chain ? parts[i].chain->n : parts[i].mechanism->n;
            memcpy(q, parts[i].angles, (size_t)links * sizeof *q);
            memcpy(u, parts[i].rates, (size_t)links * sizeof *u);
            q += links, u += links;
            const pc_pivot *pivot = parts[i].chain ? &parts[i].chain->pivot : NULL;
            if (!pivot || !pivot->floats) continue;
            memcpy(q, (const double[2]){pivot->x, pivot->y}, 2 * sizeof *q);
            memcpy(u, (const double[2]){pivot->vx, pivot->vy}, 2 * sizeof *u);
            q += 2, u += 2;
        } else if (s) {
            memcpy(q, (const double[3]){s->x, s->y, s->angle}, 3 * sizeof *q);
            memcpy(u, (const double[3]){s->vx, s->vy, s->rate}, 3 * sizeof *u);
            q += 3, u += 3;
        }
    }
}
