/* Obstacles that are smooth curves: arcs of circles, profiles by points or functions, tracks of lines and arcs, cams.
 * See obstacle.h, and shape/plane_curve.h for what a curve is. */
#include "scene/obstacle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROW PC_OBSTACLE_ROW
#define LAST_ROWS PC_OBSTACLE_LAST_ROWS

/* What all have whose spans lie in memory of their own. */
typedef struct traced {
    const pc_curve_span *spans;
    int n;
    bool closed, crosses;
} traced;

static const char *const sides[] = {"left", "right", NULL};

#define SIDE_ROW(type, words, start, text) PC_CHOICE_ROW(type, side, "side", words, .initial = start, .doc = text)

#define THICKNESS_ROW(type)                                                                                            \
    PC_ROW(type, thickness, "thickness", .unit = PC_UNIT_M, .allowed = PC_NONNEGATIVE,                                 \
           .doc = "of the wire that it is, with round ends")

#define DETAILS                                                                                                        \
    "It is a wire: discs and points touch it from both sides, and its ends. For a disc that is too large for a "       \
    "hollow on the side on which things move it falls into parts, each with a contact of its own, \"ball on "          \
    "profile.part1\"; so the disc may touch both sides of the hollow. One that comes to stay on the other side and "   \
    "is too large for that stops the motion. Rods and boxes touch it with their corners, where it does not bend "      \
    "towards them."

static pc_plane_curve curve_of(const traced *t, int side)
{
    return (pc_plane_curve){t->spans, t->n, t->closed, t->crosses, side};
}

static pc_outline outline_of(const char *name, const traced *t, int side, double x, double y, double thickness)
{
    const pc_plane_curve curve = curve_of(t, side);
    return pc_outline_curve(name, &curve, x, y, thickness / 2);
}

/* The middle of the box that holds the nodes of a curve. */
static void find_middle(const traced *t, double middle[2])
{
    for (int k = 0; k < 2; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < t->n; i++)
            for (int j = 0; j < PC_CURVE_NODES; j++) {
                lo = fmin(lo, t->spans[i].node[j][k]);
                hi = fmax(hi, t->spans[i].node[j][k]);
            }
        middle[k] = lo + (hi - lo) / 2;
    }
}

static const double *start_of(const traced *t)
{
    return t->spans[0].node[0];
}

static const double *end_of(const traced *t)
{
    return t->spans[t->n - 1].node[PC_CURVE_NODES - 1];
}

static pc_status fail_memory(const char *name, pc_error *err)
{
    return pc_fail(err, PC_E_MEMORY, "%s: not enough memory for its curve", name);
}

/* Refuse what rounding would take. */
static pc_status check_size(const char *name, const pc_plane_curve *curve, pc_error *err)
{
    int at = pc_curve_vanishes(curve);
    if (at < 0) return PC_OK;
    const pc_curve_span *s = &curve->spans[at];
    return pc_fail(
        err, PC_E_ARGUMENT,
        "%s: its part near (%.6g, %.6g) is %.6g m long; a part has to be longer than 1e-10 of what it is away "
        "from the origin, and all of it less than 1e100 m",
        name, s->node[0][0], s->node[0][1], s->length);
}

/* ---- arc ---- */

/* A circle in spans of no more than PC_CURVE_TURN. */
enum { ARC_SPANS = 4 };

typedef struct arc {
    pc_obstacle_common common;
    double x, y, radius, from, to, thickness;
    int side, n;
    pc_curve_span spans[ARC_SPANS];
} arc;

static const char *const arc_sides[] = {"inside", "outside", NULL};

static const pc_row arc_rows[] = {
    ROW(arc, x, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(arc, y, PC_UNIT_M, PC_REQUIRED, PC_ANY, "centre"),
    ROW(arc, radius, PC_UNIT_M, PC_REQUIRED, PC_POSITIVE, "of the circle"),
    ROW(arc, from, PC_UNIT_RAD, 0, PC_ANY, "direction from the centre to where it begins, anticlockwise from x"),
    PC_ROW(arc, to, "to", .unit = PC_UNIT_RAD, .initial = PC_ABSENT, .otherwise = "from + 2 pi: a full circle",
           .allowed = PC_ANY, .doc = "direction to where it ends, greater than from by up to 2 pi"),
    SIDE_ROW(arc, arc_sides, 0, "on which things move: \"inside\", as in a bowl, or \"outside\", as on a hill"),
    THICKNESS_ROW(arc),
    LAST_ROWS(arc),
};

/* Angles differ by a full turn that do so but for this. */
static const double FULL = 1e-9;

static pc_status arc_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)schema, (void)given;
    arc *a = object;
    double from = a->from, turn = isnan(a->to) ? 2 * M_PI : a->to - from;
    if (!(turn > 0 && turn <= 2 * M_PI + FULL))
        return pc_fail(
            err, PC_E_ARGUMENT,
            "arc: to = %.10g rad is not allowed with from = %.10g rad; it goes on anticlockwise, by more than "
            "0 and up to 2 pi",
            a->to, from);
    if (fabs(turn - 2 * M_PI) <= FULL) turn = 2 * M_PI;
    if (isnan(a->to)) a->to = from + turn;
    a->n = 1 + (int)(turn / PC_CURVE_TURN);
    for (int i = 0; i < a->n; i++)
        pc_curve_arc(&a->spans[i], (const double[2]){a->x, a->y}, a->radius, from + turn * i / a->n, turn / a->n);
    const pc_plane_curve curve = {.spans = a->spans, .n = a->n, .side = 1};
    return check_size("arc", &curve, err);
}

static const pc_schema arc_schema = {
    .name = "arc",
    .summary = "Part of a circle, for scenes: hollow from inside, a hill from outside.",
    .details = DETAILS,
    .example = "print(percuss.arc{ x = 0, y = 1, radius = 1, from = -2.5, to = -0.6 })\n"
               "--> arc of radius 1 about (0, 1) from -2.5 to -0.6 rad",
    PC_ROWS(arc_rows),
    .size = sizeof(arc),
    .validate = arc_validate,
};

static bool is_circle(const arc *a)
{
    return a->to - a->from >= 2 * M_PI - FULL;
}

static pc_outline build_arc(const void *params)
{
    const arc *a = params;
    const traced t = {a->spans, a->n, is_circle(a), false};
    return outline_of("arc", &t, a->side ? -1 : 1, a->x, a->y, a->thickness);
}

static void describe_arc(const void *params, char *text, size_t size)
{
    const arc *a = params;
    int n = snprintf(text, size, "arc of radius %g about (%g, %g)", a->radius, a->x, a->y);
    if (!is_circle(a)) snprintf(text + n, size - (size_t)n, " from %g to %g rad", a->from, a->to);
}

const pc_obstacle_kind pc_obstacle_arc = {.schema = &arc_schema, .build = build_arc, .describe = describe_arc};

/* ---- curves of functions ---- */

/* Spans of a function are tried in room for so many; what needs more is not smooth. */
enum { MOST_SPANS = 10000 };

/* A derivative that a function gives besides may differ from that of the curve by this share of the greatest. */
static const double SLOPES = 1e-6;

/* A function of one row as places: by where it is asked, and how many numbers a place is. */
typedef struct course {
    const pc_obstacle_source *source;
    int numbers;
    const double *centre; /* of a radius; NULL: none */
    double least;         /* of its radii */
} course;

/* The place of what a function gives, and its derivative if it gives that too; how many numbers it gave. */
static int find_place(course *c, double s, double place[2], double rate[2])
{
    double got[4] = {0};
    int n = c->source->f(s, got, c->source->context);
    if (n < 0) return n;
    if (c->centre) {
        c->least = fmin(c->least, got[0]);
        double x = cos(s), y = sin(s);
        place[0] = c->centre[0] + got[0] * x;
        place[1] = c->centre[1] + got[0] * y;
        rate[0] = got[1] * x - got[0] * y;
        rate[1] = got[1] * y + got[0] * x;
    } else if (c->numbers == 1) {
        place[0] = s;
        place[1] = got[0];
        rate[0] = 1;
        rate[1] = got[1];
    } else {
        memcpy(place, got, 2 * sizeof *got);
        memcpy(rate, got + 2, 2 * sizeof *got);
    }
    return n;
}

static int follow_course(double s, double place[2], void *context)
{
    double rate[2];
    return find_place(context, s, place, rate);
}

/* Compare what a function says of its derivative with the direction of the curve, in the middle of each span. */
static pc_status check_rates(const char *name, course *c, const traced *t, double from, double to, pc_error *err)
{
    double done = 0, all = 0;
    for (int i = 0; i < t->n; i++) all += t->spans[i].turn; /* here: what of the parameter it takes */
    for (int i = 0; i < t->n; i++) {
        double s = from + (to - from) * (done + t->spans[i].turn / 2) / all, place[2], rate[2], at[2], way[2], k;
        int n = find_place(c, s, place, rate);
        if (n < 0) return PC_E_CALLBACK;
        done += t->spans[i].turn;
        if (n == c->numbers) continue;
        pc_curve_at(&t->spans[i], 0, at, way, &k);
        double speed = hypot(rate[0], rate[1]), across = rate[0] * way[1] - rate[1] * way[0];
        if (fabs(across) <= SLOPES * speed && rate[0] * way[0] + rate[1] * way[1] > 0) continue;
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: what %s returns besides at %.10g is not its derivative there: by that the curve would run "
                       "along (%.6g, %.6g), and it runs along (%.6g, %.6g)",
                       name, c->source->row, s, rate[0] / speed, rate[1] / speed, way[0], way[1]);
    }
    return PC_OK;
}

static pc_status follow(const char *name, course *c, double from, double to, traced *t, pc_error *err)
{
    const pc_obstacle_source *source = c->source;
    double where = from;
    pc_curve_span *tried = source->room(MOST_SPANS * sizeof *tried, source->context);
    if (!tried) return fail_memory(name, err);
    t->n = pc_curve_follow(tried, MOST_SPANS, follow_course, c, from, to, &where);
    if (t->n < 0) return PC_E_CALLBACK;
    if (t->n == 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: %s is not smooth near %.6g: it jumps, has a corner or stands still there", name,
                       source->row, where);
    pc_curve_span *spans = source->room((size_t)t->n * sizeof *spans, source->context);
    if (!spans) return fail_memory(name, err);
    memcpy(spans, tried, (size_t)t->n * sizeof *spans);
    t->spans = spans;
    return check_rates(name, c, t, from, to, err);
}

/* The curve is whole: it goes on where a span begins, and at its end if it is closed. */
static pc_status finish(const char *name, const char *row, traced *t, pc_error *err)
{
    const pc_plane_curve curve = curve_of(t, 1);
    pc_status status = check_size(name, &curve, err);
    if (status != PC_OK) return status;
    int at = pc_curve_breaks(&curve);
    if (at == 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: it is not closed smoothly: it ends at (%.10g, %.10g) and begins at (%.10g, %.10g), each in "
                       "its direction",
                       name, end_of(t)[0], end_of(t)[1], start_of(t)[0], start_of(t)[1]);
    if (at > 0)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s has a corner or a jump near (%.6g, %.6g)", name, row,
                       t->spans[at].node[0][0], t->spans[at].node[0][1]);
    t->crosses = pc_curve_meets_itself(&curve);
    return PC_OK;
}

/* ---- profile ---- */

typedef struct profile {
    pc_obstacle_common common;
    double from, to, thickness;
    bool closed;
    int side;
    traced course;
} profile;

static const pc_row profile_rows[] = {
    PC_STAYS_ROW("points", PC_LIST, .group = 1,
                 .doc =
                     "2 places { x, y } (m) or more, through which a cubic spline goes: its curvature is continuous "
                     "(C2), and where the places follow a smooth curve it errs by the fourth power of their distances"),
    PC_STAYS_ROW("y", PC_FUNCTION, .group = 1,
                 .doc = "height y(x) (m); if it returns the slope as well, that is compared. It is asked while the "
                        "profile is made, and followed to 4e-14 of its size by polynomials of degree 16"),
    PC_STAYS_ROW("curve", PC_FUNCTION, .group = 1,
                 .doc = "a function of one number, from `from` to `to`, that returns x and y (m) and, if it likes, "
                        "their derivatives"),
    PC_ROW(profile, from, "from", .written = "m, or what curve takes", .initial = PC_ABSENT, .allowed = PC_ANY,
           .doc = "where a function begins"),
    PC_ROW(profile, to, "to", .written = "m, or what curve takes", .initial = PC_ABSENT, .allowed = PC_ANY,
           .doc = "where a function ends, greater than from"),
    PC_ROW(profile, closed, "closed", .doc = "it goes on from its end at its beginning"),
    SIDE_ROW(profile, sides, 0,
             "on which things move, as seen along it: \"left\", which is above where x grows, or \"right\""),
    THICKNESS_ROW(profile),
    LAST_ROWS(profile),
};

static const pc_schema profile_schema = {
    .name = "profile",
    .summary = "A smooth curve for scenes, through points or by a function.",
    .details = DETAILS,
    .example = "print(percuss.profile{ y = function(x) return x^2 end, from = -1, to = 1 })\n"
               "--> profile from (-1, 1) to (1, 1)",
    PC_ROWS(profile_rows),
    .size = sizeof(profile),
    .groups = {PC_EXACTLY_ONE},
};

static pc_status take_points(profile *p, const pc_obstacle_source *source, pc_error *err)
{
    const double(*points)[2] = source->places;
    int least = p->closed ? 3 : 2, n = source->n, bad = 0;
    if (!isnan(p->from) || !isnan(p->to))
        return pc_fail(err, PC_E_ARGUMENT, "profile: %s is for y and curve; points begin and end by themselves",
                       isnan(p->from) ? "to" : "from");
    if (n < least)
        return pc_fail(err, PC_E_ARGUMENT, "profile: points has %d places; a%s curve needs %d", n,
                       p->closed ? " closed" : "", least);
    p->course.n = p->closed ? n : n - 1;
    pc_curve_span *spans = source->room((size_t)p->course.n * sizeof *spans, source->context);
    if (!spans) return fail_memory("profile", err);
    p->course.spans = spans;
    pc_error why = {0};
    pc_status status = pc_curve_spline(spans, points, n, p->closed, &bad, &why);
    if (status == PC_OK) return PC_OK;
    return pc_fail(err, status, "profile: points[%d] and points[%d]: %s", bad + 1, (bad + 1) % n + 1, why.text);
}

static pc_status take_profile(void *params, const pc_obstacle_source *source, pc_error *err)
{
    profile *p = params;
    course c = {.source = source, .numbers = strcmp(source->row, "curve") == 0 ? 2 : 1};
    p->course = (traced){.closed = p->closed};
    pc_status status = PC_OK;
    if (source->places) {
        status = take_points(p, source, err);
    } else {
        if (isnan(p->from) || isnan(p->to))
            return pc_fail(err, PC_E_ARGUMENT, "profile: %s needs %s: where the function begins and ends", source->row,
                           isnan(p->from) ? "from" : "to");
        if (!(p->to > p->from))
            return pc_fail(err, PC_E_ARGUMENT, "profile: to = %.10g must be greater than from = %.10g", p->to, p->from);
        status = follow("profile", &c, p->from, p->to, &p->course, err);
    }
    return status == PC_OK ? finish("profile", source->row, &p->course, err) : status;
}

static pc_outline build_profile(const void *params)
{
    const profile *p = params;
    double middle[2];
    find_middle(&p->course, middle);
    return outline_of("profile", &p->course, p->side ? -1 : 1, middle[0], middle[1], p->thickness);
}

static void describe_profile(const void *params, char *text, size_t size)
{
    const traced *t = &((const profile *)params)->course;
    if (t->closed)
        snprintf(text, size, "profile through (%g, %g), closed", start_of(t)[0], start_of(t)[1]);
    else
        snprintf(text, size, "profile from (%g, %g) to (%g, %g)", start_of(t)[0], start_of(t)[1], end_of(t)[0],
                 end_of(t)[1]);
}

const pc_obstacle_kind pc_obstacle_profile = {&profile_schema, build_profile, describe_profile, take_profile};

/* ---- track ---- */

typedef struct piece {
    double length, radius, turn;
} piece;

static const pc_row piece_rows[] = {
    PC_ROW(piece, length, "length", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_POSITIVE, .group = 1,
           .doc = "of a straight piece"),
    PC_ROW(piece, radius, "radius", .unit = PC_UNIT_M, .initial = PC_ABSENT, .allowed = PC_POSITIVE, .group = 1,
           .doc = "of an arc"),
    PC_ROW(piece, turn, "turn", .unit = PC_UNIT_RAD, .initial = PC_ABSENT, .allowed = PC_BETWEEN(-1000, 1000),
           .doc = "by which an arc turns: to the left, or, if negative, to the right"),
};

static pc_status piece_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)schema, (void)given;
    const piece *p = object;
    if (isnan(p->radius) != isnan(p->turn) || p->turn == 0)
        return pc_fail(err, PC_E_ARGUMENT,
                       "piece: it is straight by its length, or an arc by its radius and its turn (not 0)");
    return PC_OK;
}

static const pc_schema piece_schema = {
    .name = "piece",
    .summary = "A piece of a track: straight, or an arc.",
    PC_ROWS(piece_rows),
    .size = sizeof(piece),
    .groups = {PC_EXACTLY_ONE},
    .validate = piece_validate,
};

typedef struct track {
    pc_obstacle_common common;
    double x, y, angle, thickness;
    int side;
    traced course;
} track;

static const pc_row track_rows[] = {
    ROW(track, x, PC_UNIT_M, 0, PC_ANY, "where it begins"),
    ROW(track, y, PC_UNIT_M, 0, PC_ANY, "where it begins"),
    ROW(track, angle, PC_UNIT_RAD, 0, PC_ANY, "direction in which it begins, anticlockwise from x"),
    PC_STAYS_ROW("pieces", PC_LIST, .options = &piece_schema, .group = 1,
                 .doc =
                     "each goes on where and in the direction in which the one before ends: { length = } (m), "
                     "straight, or { radius =, turn = } (m, rad), to the left or, with a negative turn, to the right"),
    SIDE_ROW(track, sides, 0,
             "on which things move, as seen along it: \"left\", which is above where x grows, or \"right\""),
    THICKNESS_ROW(track),
    LAST_ROWS(track),
};

static const pc_schema track_schema = {
    .name = "track",
    .summary = "A chain of straight pieces and arcs for scenes, joined smoothly.",
    .details = DETAILS " Where a track meets itself, as a loop does where it is entered and left, what moves along it "
                       "goes on along it, with rigid laws.",
    .example = "print(percuss.track{ pieces = { { length = 1 }, { radius = 0.5, turn = 2 * math.pi }, { length = 1 } } "
               "})\n--> track of 5.142 m from (0, 0) to (2, 0)",
    PC_ROWS(track_rows),
    .size = sizeof(track),
    .groups = {PC_EXACTLY_ONE},
};

static int spans_of(const piece *p)
{
    return isnan(p->turn) ? 1 : 1 + (int)(fabs(p->turn) / PC_CURVE_TURN);
}

static pc_status take_track(void *params, const pc_obstacle_source *source, pc_error *err)
{
    track *t = params;
    const piece *pieces = source->list;
    double at[2] = {t->x, t->y}, angle = t->angle;
    int n = 0;
    if (source->n < 1) return pc_fail(err, PC_E_ARGUMENT, "track: pieces is empty; a track needs one at least");
    for (int i = 0; i < source->n; i++) n += spans_of(&pieces[i]);
    pc_curve_span *spans = source->room((size_t)n * sizeof *spans, source->context);
    if (!spans) return fail_memory("track", err);
    pc_curve_span *const first = spans;
    t->course = (traced){.spans = spans, .n = n};
    for (int i = 0; i < source->n; i++) {
        const piece *p = &pieces[i];
        if (isnan(p->turn)) {
            const double end[2] = {at[0] + p->length * cos(angle), at[1] + p->length * sin(angle)};
            pc_curve_line(spans++, at, end);
            memcpy(at, end, sizeof at);
            continue;
        }
        double left = p->turn > 0 ? 1 : -1, from = angle - left * M_PI / 2;
        const double centre[2] = {at[0] - p->radius * cos(from), at[1] - p->radius * sin(from)};
        for (int parts = spans_of(p), k = 0; k < parts; k++)
            pc_curve_arc(spans++, centre, p->radius, from + p->turn * k / parts, p->turn / parts);
        at[0] = centre[0] + p->radius * cos(from + p->turn);
        at[1] = centre[1] + p->radius * sin(from + p->turn);
        angle += p->turn;
    }
    pc_curve_gather(first, n);
    traced closed = t->course;
    closed.closed = true;
    const pc_plane_curve curve = curve_of(&closed, 1);
    t->course.closed = pc_curve_breaks(&curve) < 0;
    return finish("track", "pieces", &t->course, err);
}

static pc_outline build_track(const void *params)
{
    const track *t = params;
    double middle[2];
    find_middle(&t->course, middle);
    return outline_of("track", &t->course, t->side ? -1 : 1, middle[0], middle[1], t->thickness);
}

/* Without the rounding of angles. */
static double plain(double x, double size)
{
    return fabs(x) < 1e-12 * size ? 0 : x;
}

static void describe_track(const void *params, char *text, size_t size)
{
    const traced *t = &((const track *)params)->course;
    double length = 0;
    for (int i = 0; i < t->n; i++) length += t->spans[i].length;
    const double *a = start_of(t), *b = end_of(t);
    int n = snprintf(text, size, "track of %.4g m from (%g, %g)", length, plain(a[0], length), plain(a[1], length));
    if (t->closed)
        snprintf(text + n, size - (size_t)n, ", closed");
    else
        snprintf(text + n, size - (size_t)n, " to (%g, %g)", plain(b[0], length), plain(b[1], length));
}

const pc_obstacle_kind pc_obstacle_track = {&track_schema, build_track, describe_track, take_track};

/* ---- cam ---- */

typedef struct cam {
    pc_obstacle_common common;
    double x, y;
    traced course;
} cam;

static const pc_row cam_rows[] = {
    ROW(cam, x, PC_UNIT_M, PC_REQUIRED, PC_ANY,
        "of the axis about which it turns, and from which its radius is counted"),
    ROW(cam, y, PC_UNIT_M, PC_REQUIRED, PC_ANY,
        "of the axis about which it turns, and from which its radius is counted"),
    PC_STAYS_ROW("radius", PC_FUNCTION, .group = 1,
                 .doc = "a function of the angle (rad, anticlockwise, from x as the cam is described) that returns the "
                        "distance of its outline from the axis (m, > 0) and, if it likes, the derivative, which is "
                        "compared; after 2 pi it is the same, smoothly"),
    LAST_ROWS(cam),
};

static const pc_schema cam_schema = {
    .name = "cam",
    .summary = "A closed outline by its distance from an axis, for scenes; it turns with motion = { rate = }.",
    .details =
        "Things touch it from outside: discs, such as rollers, and points. Flat followers are for pegs that turn "
        "about an axis beside their middle: their motion is a harmonic one.",
    .example = "local pc = require \"percuss\"\n"
               "print(pc.cam{ x = 0, y = 0, radius = function(a) return 0.1 + 0.02*math.cos(a) end,\n"
               "    motion = { rate = 20 } })\n--> cam about (0, 0)",
    PC_ROWS(cam_rows),
    .size = sizeof(cam),
    .groups = {PC_EXACTLY_ONE},
};

static pc_status take_cam(void *params, const pc_obstacle_source *source, pc_error *err)
{
    cam *c = params;
    const double centre[2] = {c->x, c->y};
    course radius = {.source = source, .numbers = 1, .centre = centre, .least = INFINITY};
    c->course = (traced){.closed = true};
    pc_status status = follow("cam", &radius, 0, 2 * M_PI, &c->course, err);
    if (status == PC_OK) status = finish("cam", "radius", &c->course, err);
    if (status == PC_OK && !(radius.least > 0))
        return pc_fail(err, PC_E_ARGUMENT, "cam: radius = %.10g m is not allowed; it must be > 0 at every angle",
                       radius.least);
    return status;
}

static pc_outline build_cam(const void *params)
{
    const cam *c = params;
    return outline_of("cam", &c->course, -1, c->x, c->y, 0);
}

static void describe_cam(const void *params, char *text, size_t size)
{
    const cam *c = params;
    snprintf(text, size, "cam about (%g, %g)", c->x, c->y);
}

const pc_obstacle_kind pc_obstacle_cam = {&cam_schema, build_cam, describe_cam, take_cam};
