/* Discs beside curves: see curve_fit.h. */
#include "shape/curve_fit.h"

#include "base/alloc.h"

#include <math.h>

/* Places of a span at which it is tried. */
enum { TRIALS = 33, FEWER = 5 };

static int trials_of(const pc_plane_curve *curve)
{
    return curve->n > 4 * PC_CURVE_BLOCK ? FEWER : TRIALS; /* many spans are short */
}

/* The i-th of n places of a span, from end to end. */
static double trial_place(int i, int n)
{
    return -1 + 2.0 * i / (n - 1);
}

/* A disc is tight where no more of its radius than this share is left: the nearest place of a series rounds by the
 * inverse of that, in which the events of a motion would drown. An arc has no such rounding. */
static double tight_of(const pc_curve_span *span)
{
    return span->degree == 0 ? 1e-9 : 3e-6;
}

/* Where the curve is nearer than this share of the radius to the middle of a disc that touches it elsewhere, both
 * touch. */
static const double NEARER = 1e-6;

/* Of the size of the curve, as near as two parts of it are told apart. */
static const double APART = 1e-12;

/* What is nearer to the middle of a disc than this is touched besides what the disc touches. */
static double nearer_than(const pc_plane_curve *curve, double radius)
{
    return radius * (1 - NEARER) - APART * pc_curve_reach(curve);
}

/* A disc that touches both ends of an open curve and nothing else. */
static bool fills_opening(const pc_plane_curve *curve, double radius, double where[2], double *limit)
{
    double a[2], b[2], tangent[2];
    pc_curve_foot foot;
    pc_curve_end(curve, 0, a, tangent);
    pc_curve_end(curve, 1, b, tangent);
    double half = hypot(b[0] - a[0], b[1] - a[1]) / 2, up = sqrt(radius * radius - half * half);
    *limit = 2 * half;
    for (int k = 0; k < 2; k++) where[k] = (a[k] + b[k]) / 2;
    for (int side = -1; side < 2 && half > 0 && half < radius; side += 2) {
        double across = side * up / (2 * half);
        pc_curve_nearest(curve, where[0] - across * (b[1] - a[1]), where[1] + across * (b[0] - a[0]), 0, &foot);
        if (foot.distance > nearer_than(curve, radius)) return true;
    }
    return false;
}

pc_curve_fit pc_curve_takes(const pc_plane_curve *curve, double radius, double where[2], double *limit)
{
    double tangent[2], curvature, nearer = nearer_than(curve, radius);
    pc_curve_foot foot;
    for (int i = 0; i < curve->n; i++) {
        for (int k = 0; k < trials_of(curve); k++) {
            pc_curve_at(&curve->spans[i], trial_place(k, trials_of(curve)), where, tangent, &curvature);
            double hollow = -curve->side * curvature;
            *limit = 1 / hollow;
            if (hollow * radius > 1 - tight_of(&curve->spans[i])) return PC_CURVE_TIGHT;
            double up = curve->side * radius;
            if (curve->crosses) continue; /* what meets itself is gone along */
            pc_curve_nearest(curve, where[0] - up * tangent[1], where[1] + up * tangent[0], 0, &foot);
            *limit = foot.distance;
            if (foot.distance < nearer) return PC_CURVE_NARROW;
        }
    }
    if (curve->closed || curve->crosses) return PC_CURVE_FITS;
    return fills_opening(curve, radius, where, limit) ? PC_CURVE_OPENING : PC_CURVE_FITS;
}

bool pc_curve_bulges(const pc_plane_curve *curve, double where[2])
{
    double tangent[2], curvature;
    for (int i = 0; i < curve->n; i++)
        for (int k = 0; k < trials_of(curve); k++) {
            pc_curve_at(&curve->spans[i], trial_place(k, trials_of(curve)), where, tangent, &curvature);
            if (curve->side * curvature * curve->spans[i].length > NEARER) return true;
        }
    return false;
}

/* ---- parts ---- */

/* A disc on the open side at a place of the curve. Its middle is `distance` from the place that is nearest to that. */
typedef struct trial {
    double at, hollow, distance, nearest;
    bool swallowed; /* it does not get there */
    bool lies;      /* in a hollow of its own radius */
} trial;

static trial try_at(const pc_plane_curve *curve, double radius, double at)
{
    const int i = at < curve->n ? (int)at : curve->n - 1;
    double where[2], tangent[2], curvature, up = curve->side * radius, tight = tight_of(&curve->spans[i]);
    pc_curve_foot foot;
    pc_curve_at(&curve->spans[i], 2 * (at - i) - 1, where, tangent, &curvature);
    pc_curve_nearest(curve, where[0] - up * tangent[1], where[1] + up * tangent[0], 0, &foot);
    trial out = {.at = at, .hollow = -curve->side * curvature, .distance = foot.distance};
    out.nearest = foot.span + (1 + foot.place) / 2;
    const bool hidden = foot.distance < nearer_than(curve, radius);
    out.swallowed = hidden || out.hollow * radius > 1 + tight;
    out.lies = !out.swallowed && out.hollow * radius > 1 - tight;
    return out;
}

/* A smaller disc tells which of what the disc does not reach come to be reached first as that is pressed in. */
static const double SMALLER = 0.9;

/* A cut is at an end of a span, or at another cut, if it is that near to one, in spans. */
static const double AT_END = 1e-6;

/* Two places in which a disc touches at once are told apart where they are farther apart than this, in spans. */
static const double SEPARATE = 1e-6;

typedef struct cutter {
    const pc_plane_curve *curve;
    double radius;
    int n; /* of the trials, of the disc and of the smaller one */
    trial *disc, *smaller;
    pc_curve_cut *cuts;
    int n_cuts;
    size_t room;
    double (*pairs)[2]; /* in which a disc touches at once */
    int n_pairs;
    size_t pair_room;
    pc_error *err;
} cutter;

static pc_status fail_memory(const cutter *c)
{
    return pc_fail(c->err, PC_E_MEMORY, "not enough memory for the parts of a curve");
}

/* A place within a closed curve; an open one has no others. */
static double within(const cutter *c, double at)
{
    const double n = c->curve->n;
    return !c->curve->closed ? at : at < 0 ? at + n : at >= n ? at - n : at;
}

static pc_status add_cut(cutter *c, double at, bool passes)
{
    double end = round(at);
    at = within(c, fabs(at - end) < AT_END ? end : at);
    if (!c->curve->closed && (at <= 0 || at >= c->curve->n)) return PC_OK;
    for (int i = 0; i < c->n_cuts; i++)
        if (fabs(c->cuts[i].at - at) < AT_END) return PC_OK;
    if (!PC_GROW(c->cuts, c->room, c->n_cuts + 1)) return fail_memory(c);
    int i = c->n_cuts++;
    for (; i > 0 && c->cuts[i - 1].at > at; i--) c->cuts[i] = c->cuts[i - 1];
    c->cuts[i] = (pc_curve_cut){at, passes};
    return PC_OK;
}

/* Two places between which the curve has to be cut; nothing if they are one. */
static pc_status add_pair(cutter *c, double a, double b)
{
    double apart = fabs(a - b);
    if (c->curve->closed) apart = fmin(apart, c->curve->n - apart);
    if (apart < SEPARATE) return PC_OK;
    if (!PC_GROW(c->pairs, c->pair_room, c->n_pairs + 1)) return fail_memory(c);
    c->pairs[c->n_pairs][0] = a;
    c->pairs[c->n_pairs++][1] = b;
    return PC_OK;
}

/* Where between two trials, the second beyond the first, what is not reached begins or ends; where the disc is there it
 * touches another place, too. */
static pc_status find_edge(cutter *c, double reached, double hidden, double *edge)
{
    enum { HALVINGS = 60 };
    trial last = try_at(c->curve, c->radius, within(c, hidden));
    for (int i = 0; i < HALVINGS; i++) {
        double middle = reached + (hidden - reached) / 2;
        if (middle == reached || middle == hidden) break;
        const trial t = try_at(c->curve, c->radius, within(c, middle));
        if (t.swallowed) {
            hidden = middle;
            last = t;
        } else {
            reached = middle;
        }
    }
    *edge = hidden;
    return add_pair(c, within(c, hidden), last.nearest);
}

/* Of the trials i to j, which all are swallowed, the best to cut at: where the curve is the most hollow, or, if that is
 * not why the disc does not get there, where it would lie deepest in what it touches. */
static const trial *best_of(const trial *trials, int i, int j, int n, double radius)
{
    const trial *hollow = &trials[i % n], *deep = hollow;
    for (int k = i + 1; k <= j; k++) {
        const trial *t = &trials[k % n];
        if (t->hollow > hollow->hollow) hollow = t;
        if (t->distance < deep->distance) deep = t;
    }
    return hollow->hollow * radius > 1 ? hollow : deep;
}

/* Trials of a closed curve go on beyond its end. */
static double place_of(const cutter *c, int i)
{
    return c->disc[i % c->n].at + i / c->n * c->curve->n;
}

/* The trials i to j are all those of a stretch that the disc does not reach: cut it, once, or in each part of it that
 * the smaller disc does not reach either. */
static pc_status cut_stretch(cutter *c, int i, int j)
{
    const bool closed = c->curve->closed;
    double from = place_of(c, i), to = place_of(c, j);
    const double ends[2] = {closed ? -(double)INFINITY : 0, closed ? (double)INFINITY : c->curve->n};
    const int before = c->n_cuts;
    pc_status status = PC_OK;
    if (closed || i > 0) status = find_edge(c, place_of(c, i - 1), from, &from);
    if (status == PC_OK && (closed || j < c->n - 1)) status = find_edge(c, place_of(c, j + 1), to, &to);
    for (int k = i; k <= j && status == PC_OK; k++) {
        int last = k;
        if (!c->smaller[k % c->n].swallowed) continue;
        while (last < j && c->smaller[(last + 1) % c->n].swallowed) last++;
        const double at = best_of(c->smaller, k, last, c->n, SMALLER * c->radius)->at;
        if (at > ends[0] && at < ends[1]) status = add_cut(c, at, false);
        k = last;
    }
    if (status != PC_OK || c->n_cuts > before) return status;
    const double at = best_of(c->disc, i, j, c->n, c->radius)->at;
    return add_cut(c, at > ends[0] && at < ends[1] ? at : from + (to - from) / 2, false);
}

static pc_status cut_stretches(cutter *c)
{
    const bool closed = c->curve->closed;
    int first = 0;
    pc_status status = PC_OK;
    while (closed && first < c->n && c->disc[first].swallowed) first++;
    if (first == c->n) return PC_OK; /* it gets nowhere */
    for (int i = first; i < first + c->n && status == PC_OK; i++) {
        int j = i;
        if (!c->disc[i % c->n].swallowed) continue;
        while (j + 1 < first + c->n && c->disc[(j + 1) % c->n].swallowed) j++;
        status = cut_stretch(c, i, j);
        i = j;
    }
    return status;
}

/* Where a disc comes along, it is cut not in the middle: nothing else is to be just there. */
static const double SHARE = 0.382;

static pc_status cut_passage(cutter *c, double at)
{
    const double place = within(c, at);
    return add_cut(c, place, !try_at(c->curve, c->radius, place).swallowed);
}

/* The last cut before a place; -1: there is none, unless the curve is closed. */
static int cut_before(const cutter *c, double at)
{
    int i = c->n_cuts - 1;
    while (i >= 0 && c->cuts[i].at > at) i--;
    return i < 0 && c->curve->closed ? c->n_cuts - 1 : i;
}

/* What is touched at once belongs to two parts. */
static pc_status separate(cutter *c, const double pair[2])
{
    const int i = cut_before(c, pair[0]);
    if (i != cut_before(c, pair[1])) return PC_OK;
    const double begins = i < 0 ? 0 : c->cuts[i].at;
    const double a = within(c, pair[0] - begins), b = within(c, pair[1] - begins);
    return cut_passage(c, begins + fmin(a, b) + SHARE * fabs(b - a));
}

static pc_status find_trials(cutter *c)
{
    const int each = trials_of(c->curve) - 1;
    c->n = c->curve->n * each + (c->curve->closed ? 0 : 1);
    c->disc = pc_calloc(2 * (size_t)c->n, sizeof *c->disc);
    if (!c->disc) return fail_memory(c);
    c->smaller = c->disc + c->n;
    for (int i = 0; i < c->n; i++) {
        c->disc[i] = try_at(c->curve, c->radius, (double)i / each);
        c->smaller[i] = try_at(c->curve, SMALLER * c->radius, (double)i / each);
    }
    return PC_OK;
}

static pc_status find_cuts(cutter *c)
{
    double where[2], limit;
    pc_status status = find_trials(c);
    for (int i = 0; i < c->n && status == PC_OK; i++)
        if (c->disc[i].lies) return PC_OK;
    if (status == PC_OK) status = cut_stretches(c);
    if (status == PC_OK && !c->curve->closed && fills_opening(c->curve, c->radius, where, &limit))
        status = add_pair(c, 0, c->curve->n);
    for (int i = 0; i < c->n_pairs && status == PC_OK; i++) status = separate(c, c->pairs[i]);
    /* no part goes on as itself */
    if (status == PC_OK && c->curve->closed && c->n_cuts == 1)
        status = cut_passage(c, c->cuts[0].at + SHARE * c->curve->n);
    return status;
}

pc_status pc_curve_find_cuts(const pc_plane_curve *curve, double radius, pc_curve_cut **cuts, int *n, pc_error *err)
{
    cutter c = {.curve = curve, .radius = radius, .err = err};
    pc_status status = find_cuts(&c);
    pc_free(c.disc);
    pc_free(c.pairs);
    *cuts = c.cuts;
    *n = c.n_cuts;
    return status;
}

int pc_curve_part(const pc_plane_curve *curve, double from, double to, pc_curve_span *out)
{
    int n = 0;
    for (int i = (int)from; i < to; i++, n++) {
        if (!out) continue;
        const pc_curve_span *span = &curve->spans[i % curve->n];
        const double a = i < from ? 2 * (from - i) - 1 : -1, b = i + 1 > to ? 2 * (to - i) - 1 : 1;
        if (a > -1 || b < 1)
            pc_curve_stretch(&out[n], span, a, b);
        else
            out[n] = *span;
    }
    if (out) pc_curve_gather(out, n);
    return n;
}
