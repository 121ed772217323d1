/* Steps, or beginnings of steps, in which the gap of an open pair cannot close: see places.h.
 *
 * A coordinate lies between the least and the greatest of its Bernstein coefficients, on the whole step and on any part
 * of it. Above a plane that is fixed or swings the height of a site is a sum of sines of these, and of the time, so
 * that its least value, and between what its rate lies, on a part are known; of other pairs it is known how far they
 * can have moved.
 */
#include "scene/places.h"

#include "math/twin.h"

#include <math.h>
#include <string.h>

/* Parts of a step that are not worth halving: what is left then is for the search for zeros. */
static const double FINEST = 1.0 / 16;

/* An interval of angles, with the sines and cosines of its ends. */
typedef struct angles {
    double lo, hi, sine[2], cosine[2];
} angles;

/* Least value of a sin q + b cos q there. */
static double least_wave(double a, double b, const angles *q)
{
    if (!(q->hi - q->lo < M_PI)) return -hypot(a, b);
    bool falls = a * q->cosine[0] - b * q->sine[0]<0, rises = a * q->cosine[1] - b * q->sine[1]> 0;
    if (falls && rises) return -hypot(a, b); /* the trough lies between */
    return fmin(a * q->sine[0] + b * q->cosine[0], a * q->sine[1] + b * q->cosine[1]);
}

/* The height of a site above a plane is a constant and such terms: a sin q + b cos q or, where the site does not turn
 * with the coordinate, a q; of a plane that swings, q = frequency t + phase. */
typedef struct term {
    int coordinate;
    bool turns;
    double a, b;
    const pc_drive *drive; /* of the plane; NULL: q is a coordinate */
} term;
enum { TERMS = PC_CHAIN_LINKS + 6 };

/* One more, unless it is always zero (a disc that turns, what moves along the plane). */
static void add_term(term *terms, int *n, term more)
{
    if (more.a != 0 || more.b != 0) terms[(*n)++] = more;
}

/* How many; 0 for what is not a site before an endless plane that rests or swings without turning. */
static int terms_of(const pc_scene *scene, int pair, term out[TERMS], double *constant)
{
    const pc_site *site = &scene->sites[scene->pairs[pair].site];
    const pc_outline *outline = &scene->outlines[scene->pairs[pair].outline];
    const pc_side *side = &outline->sides[0];
    if (outline->member >= 0 || !pc_outline_is_plane(outline)) return 0;
    const pc_drive *drive = pc_scene_drive(scene, outline->member, outline->link);
    if (drive && (drive->motion || drive->amplitude_angle != 0 || drive->rate != 0)) return 0;
    const pc_member *member = &scene->members[site->member];
    if (member->chain && pc_pivot_moves(&member->chain->pivot)) return 0;
    double nx = side->ey, ny = -side->ex, state[6] = {0};
    int n = 0, own = member->first; /* the coordinate by which the site turns */
    if (member->chain) {            /* the directions of links are (sin, -cos) */
        const int base = own + member->chain->n;
        if (member->chain->pivot.floats) {
            add_term(out, &n, (term){base, false, nx, 0, NULL});
            add_term(out, &n, (term){base + 1, false, ny, 0, NULL});
        } else {
            pc_pivot_state(&member->chain->pivot, 0, state);
        }
        for (int i = 0; i < site->link; i++, own++) {
            double l = member->chain->links[i].length;
            add_term(out, &n, (term){own, true, l * nx, -l * ny, NULL});
        }
    } else {
        add_term(out, &n, (term){own++, false, nx, 0, NULL});
        add_term(out, &n, (term){own++, false, ny, 0, NULL});
    }
    add_term(out, &n,
             (term){own, true, site->along * nx + site->across * ny, site->across * nx - site->along * ny, NULL});
    if (drive) add_term(out, &n, (term){-1, true, -(drive->amplitude_x * nx + drive->amplitude_y * ny), 0, drive});
    *constant = pc_side_height(side, state[0], state[1]) - site->radius - outline->radius;
    return n;
}

/* Least and greatest product of numbers in two intervals, added. */
static void add_product(double a, double b, double c, double d, double sum[2])
{
    sum[0] += fmin(fmin(a * c, a * d), fmin(b * c, b * d));
    sum[1] += fmax(fmax(a * c, a * d), fmax(b * c, b * d));
}

/* A part of a step, the least height of a site above a plane, and its least and greatest rate there. */
typedef struct part {
    const pc_dense *dense;
    double lo, hi;
    bool rates; /* these are wanted too */
    double height, rate[2];
} part;

static void add(part *p, const term *wave)
{
    int degree = wave->drive ? 1 : p->dense->degree;
    double a = wave->a, b = wave->b;
    double own[PC_DENSE_DEGREE + 1], lo, hi, slowest = INFINITY, fastest = -INFINITY;
    const double *c = own;
    if (wave->drive) {
        own[0] = wave->drive->frequency * (p->dense->t + p->lo * p->dense->h) + wave->drive->phase;
        own[1] = own[0] + wave->drive->frequency * (p->hi - p->lo) * p->dense->h;
    } else {
        c = p->dense->c + wave->coordinate * (degree + 1);
        if (p->lo > 0 || p->hi < 1) {
            pc_poly_part(c, degree, p->lo, p->hi, own);
            c = own;
        }
    }
    lo = hi = c[0];
    for (int j = 1; j <= degree; j++) {
        if (c[j] < lo) lo = c[j];
        if (c[j] > hi) hi = c[j];
    }
    angles q = {.lo = lo, .hi = hi};
    if (wave->turns && hi - lo < M_PI) pc_sincos_pair((const double[2]){lo, hi}, q.sine, q.cosine);
    p->height += wave->turns ? least_wave(a, b, &q) : fmin(a * lo, a * hi);
    if (!p->rates) return;
    for (int j = 0; j < degree; j++) {
        double rise = c[j + 1] - c[j];
        if (rise < slowest) slowest = rise;
        if (rise > fastest) fastest = rise;
    }
    double least = wave->turns ? least_wave(-b, a, &q) : a, most = wave->turns ? -least_wave(b, -a, &q) : a;
    add_product(least, most, degree * slowest, degree * fastest, p->rate);
}

bool pc_clearance_gap(const pc_scene *scene, int pair, double time, const double *q, double *gap)
{
    term terms[TERMS];
    int n = terms_of(scene, pair, terms, gap);
    for (int i = 0; i < n; i++) {
        const term *t = &terms[i];
        double sine[2], cosine[2], at = t->drive ? t->drive->frequency * time + t->drive->phase : q[t->coordinate];
        if (t->turns) pc_sincos_pair((const double[2]){at, 0}, sine, cosine);
        *gap += t->turns ? t->a * sine[0] + t->b * cosine[0] : t->a * at;
    }
    return n > 0;
}

bool pc_clearance_linear(const pc_scene *scene, int pair, double *c)
{
    term terms[TERMS];
    double constant = 0;
    int n = terms_of(scene, pair, terms, &constant);
    for (int i = 0; i < n; i++)
        if (terms[i].turns) return false;
    for (int i = 0; i < n && c; i++) c[2 + terms[i].coordinate] += terms[i].a;
    if (c) c[0] += constant;
    return n > 0;
}

/* Add `sign` times where a point of a free body or of an obstacle is, at (along, across) as of a site, while what flies
 * has the accelerations a. */
static bool add_point(const pc_scene *scene, int m, int link, double along, double across, int sign, const double *y,
                      const double *a, pc_closed_form *f)
{
    const pc_drive *drive = pc_scene_drive(scene, m, link);
    const double at[2] = {along, across};
    if (drive && (drive->motion || drive->amplitude_angle != 0 || drive->rate != 0)) return false;
    if (m < 0) {
        for (int k = 0; k < 2; k++) f->c[0][k] += sign * at[k];
        if (!drive || !pc_drive_displaces(drive)) return true;
        if (f->n == PC_WAVES) return false;
        f->wave[f->n++] = (pc_wave){.a = {sign * drive->amplitude_x, sign * drive->amplitude_y},
                                    .frequency = drive->frequency,
                                    .phase = drive->phase,
                                    .by_time = true};
        return true;
    }
    if (scene->members[m].chain) return false;
    const double *q = y + scene->members[m].first, *u = q + scene->n_dof, *rate = a + scene->members[m].first;
    for (int k = 0; k < 2; k++) {
        f->c[0][k] += sign * q[k];
        f->c[1][k] += sign * u[k];
        f->c[2][k] += sign * 0.5 * rate[k];
    }
    if (along == 0 && across == 0) return true;
    if (rate[2] != 0 || f->n == PC_WAVES) return false;
    f->wave[f->n++] = (pc_wave){
        .a = {sign * along, sign * across}, .b = {sign * across, -sign * along}, .frequency = u[2], .phase = q[2]};
    return true;
}

/* A part of a vector. */
static double along_normal(const double v[2], const pc_side *side)
{
    return v[0] * side->ey - v[1] * side->ex;
}

bool pc_clearance_closed_form(const pc_scene *scene, int pair, double time, const double *y, const double *a,
                              pc_closed_form *f)
{
    const pc_pair *p = &scene->pairs[pair];
    if (p->kind != PC_PAIR_OUTLINES || p->thin) return false;
    const pc_site *site = &scene->sites[p->site];
    const pc_outline *outline = &scene->outlines[p->outline];
    const pc_side *side = &outline->sides[0];
    bool plane = outline->member < 0 && pc_outline_is_plane(outline),
         inside = outline->n_sides == 0 && outline->radius < 0,
         round = inside || (outline->n_sides == 0 && scene->outlines[site->outline].n_sides == 0);
    f->t = time;
    f->n = 0;
    memset(f->c, 0, sizeof f->c);
    f->radius = inside ? -outline->radius - site->radius : site->radius + outline->radius;
    f->kind = inside ? PC_CLOSED_INSIDE : round ? PC_CLOSED_DISTANCE : PC_CLOSED_HEIGHT;
    if (!plane && !round) return false;
    if (!add_point(scene, site->member, site->link, site->along, site->across, 1, y, a, f)) return false;
    if (round) return add_point(scene, outline->member, outline->link, outline->x, outline->y, -1, y, a, f);
    if (!add_point(scene, -1, outline->link, side->x, side->y, -1, y, a, f)) return false;
    for (int k = 0; k < 3; k++) f->c[k][0] = along_normal(f->c[k], side);
    for (int i = 0; i < f->n; i++) {
        f->wave[i].a[0] = along_normal(f->wave[i].a, side);
        f->wave[i].b[0] = along_normal(f->wave[i].b, side);
    }
    return true;
}

double pc_clearance_until(const pc_scene *scene, int pair, double gap, bool parts, bool *falls, const pc_dense *dense)
{
    term terms[TERMS];
    double constant = 0;
    int n = terms_of(scene, pair, terms, &constant);
    if (falls) *falls = false;
    if (n == 0) return 0;
    double small = PC_TOUCHING * scene->pairs[pair].length, least = parts ? FINEST : 1;
    bool touches = fabs(gap) <= small;
    part p = {.dense = dense, .hi = 1};
    while (p.hi - p.lo >= least) {
        p.rates = (p.lo == 0 && touches) || (p.hi == 1 && falls);
        p.height = constant;
        p.rate[0] = p.rate[1] = 0;
        for (int i = 0; i < n; i++) add(&p, &terms[i]);
        bool rises = p.rates && gap + p.rate[0] * p.hi > small && p.rate[0] > 0;
        if (p.height > small || rises) {
            if (p.hi == 1) return 1;
            double width = p.hi - p.lo;
            p.lo = p.hi;
            p.hi = fmin(1, p.lo + 2 * width);
        } else if (p.hi == 1 && falls && !touches && p.rate[1] < 0) {
            *falls = true;
            return p.lo;
        } else {
            p.hi = p.lo + (p.hi - p.lo) / 2;
        }
    }
    return p.lo;
}

/* By how much a coordinate can have changed in a step, by its Bernstein coefficients, which enclose it. */
static double change(const pc_dense *dense, int coordinate)
{
    const double *c = dense->c + coordinate * (dense->degree + 1);
    double most = 0;
    for (int j = 1; j <= dense->degree; j++) {
        double away = fabs(c[j] - c[0]);
        if (away > most) most = away;
    }
    return most;
}

/* How far what is fixed to a link, `arm` away from its upper joint, can have moved. */
static double excursion(const pc_scene *scene, int m, int link, double arm, const pc_dense *dense)
{
    const pc_drive *drive = pc_scene_drive(scene, m, link);
    if (drive) return pc_drive_travel(drive, arm + fabs(drive->middle[0]) + fabs(drive->middle[1]), fabs(dense->h));
    if (m < 0) return 0;
    const pc_member *member = &scene->members[m];
    const int first = member->first;
    if (!member->chain) return change(dense, first) + change(dense, first + 1) + arm * change(dense, first + 2);
    if (pc_pivot_moves(&member->chain->pivot)) return INFINITY;
    double sum = 0;
    for (int i = 0; i < link; i++) sum += member->chain->links[i].length * change(dense, first + i);
    sum += arm * change(dense, first + link);
    for (int i = member->chain->n; i < member->n_dof; i++) sum += change(dense, first + i); /* where it floats */
    return sum;
}

/* By how much the angle of a link, or of a free body, can have changed. */
static double turn(const pc_scene *scene, int m, int link, const pc_dense *dense)
{
    return m < 0 ? 0 : change(dense, scene->members[m].first + (scene->members[m].chain ? link : 2));
}

/* The coordinate of a joint turns with both bodies; or changes as its ends move, and as the line turns. */
static double coordinate_travel(const pc_configuration *c, const pc_pair *p, const pc_dense *dense)
{
    const pc_scene_force *at = &c->scene->joints[p->joint].at;
    const double turned = turn(c->scene, at->member[1], at->link[1], dense);
    if (pc_joint_angular(at->kind, at->params)) return turn(c->scene, at->member[0], at->link[0], dense) + turned;
    double moved = 0;
    for (int k = 0; k < 2; k++)
        moved += excursion(c->scene, at->member[k], at->link[k], fabs(at->along[k]) + fabs(at->across[k]), dense);
    pc_force_end end[2];
    for (int k = 0; k < 2; k++) pc_configuration_force_end(c, at, k, &end[k]);
    return moved + (moved + hypot(end[0].x - end[1].x, end[0].y - end[1].y)) * turned;
}

/* A gap is the distance of two outlines, so it cannot change by more than they move. */
bool pc_clearance_lasts(const pc_configuration *c, const pc_places *places, int pair, const pc_dense *dense)
{
    const pc_scene *scene = c->scene;
    const pc_pair *p = &scene->pairs[pair];
    if (p->kind == PC_PAIR_GAP) return false; /* nobody knows how fast a function changes */
    if (p->kind != PC_PAIR_OUTLINES)
        return pc_configuration_gap(c, places, pair) > 1.001 * coordinate_travel(c, p, dense);
    const pc_site *site = &scene->sites[p->site];
    const pc_outline *outline = &scene->outlines[p->outline];
    double reach = excursion(scene, site->member, site->link, fabs(site->along) + fabs(site->across), dense) +
                   excursion(scene, outline->member, outline->link, pc_outline_reach(outline), dense);
    return pc_configuration_gap(c, places, pair) > 1.001 * reach;
}
