/* Impacts of elastic bodies as they are asked for: see elastic.h. */
#include "elastic/elastic.h"

#include "base/alloc.h"
#include "base/thread.h"

#include <math.h>
#include <string.h>

/* Side of the core over Hertz's contact radius, at least: contact of a finite body grows a hundredth or two larger. */
static const double CORE = 1.25;

/* What is static is crossed by waves within this share of the contact's duration. At 0.003 psi2 moves by 6e-5 and 1 - e
 * by a tenth of itself (sphere, v/c = 1e-4), less than any mesh that is offered resolves. */
static const double STATIC = 0.003;

/* Results vary with where the edge of contact lies within a cell, with the period of one cell. In the first place they
 * are near their mean: with 10 cells within 1.4e-3 of it in psi2 (spheres, v/c = 1e-4, psi1 from 0.2 to 4); the other
 * two are half a cell apart, so that the mean of both is free of it. */
static const double PLACEMENT = 0.55, PLACEMENTS[2] = {0.35, 0.85};

/* Of the rod's radius, to which Hertz's contact may grow on a cap: cells that are squares at the pole are wider by up
 * to a third at its edge then, as they turn towards the rim. */
static const double RIM = 0.3;

/* Some 100 steps each. */
static const double PASSES = 1e4;

void pc_elastic_body_scales(const pc_elastic_body *body, double approach, pc_elastic_scales *out)
{
    const double R = pc_elastic_shape_curvature(&body->shape), L = body->shape.length,
                 E = body->young / (1 - body->poisson * body->poisson);
    *out = (pc_elastic_scales){.bar_speed = sqrt(body->young / body->density)};
    pc_elastic_shape_matter(&body->shape, body->density, &out->mass, &out->inertia, &out->height);
    pc_elastic_shape_extent(&body->shape, &out->width, &out->top);
    if (body->shape.flat) {
        out->contact_radius = body->shape.radius;
        out->depth = out->force = NAN;
        out->duration = 2 * L / out->bar_speed;
        return;
    }
    out->depth = pow(15 * out->mass * approach * approach / (16 * E * sqrt(R)), 0.4);
    out->contact_radius = sqrt(R * out->depth);
    out->force = 4 * E * sqrt(R) * pow(out->depth, 1.5) / 3;
    /* the integral of du/sqrt(1 - u^2.5) from 0 to 1, twice */
    out->duration = 2 * sqrt(M_PI) * tgamma(1.4) / tgamma(0.9) * out->depth / approach;
}

double pc_elastic_unit(const pc_elastic_body *body, const pc_elastic_motion *motion)
{
    return motion->friction * (2 - body->poisson) / (2 * (1 - body->poisson)) * motion->approach;
}

static pc_status make_model(const pc_elastic_body *body, double approach, int cells, double placement,
                            pc_elastic_model *model, pc_error *err)
{
    pc_elastic_scales scales;
    pc_elastic_body_scales(body, approach, &scales);
    double h = scales.contact_radius / (floor(cells / CORE - placement) + placement);
    return pc_elastic_model_make(&body->shape, body->young, body->poisson, body->density, cells, h,
                                 STATIC * scales.bar_speed * scales.duration, model, err);
}

/* One mesh. */
static pc_status collide_on(const pc_elastic_body *body, const pc_elastic_motion *motion, pc_elastic_watch *watch,
                            int cells, double placement, pc_elastic_hit *out, pc_error *err)
{
    *out = (pc_elastic_hit){.cells = cells, .placement = placement, .meshes = 1};
    out->error_restitution = out->error_unit = out->error_duration = out->error_peak = NAN;
    pc_elastic_body_scales(body, motion->approach, &out->scales);
    /* slow impacts last longer, by the power -1/5 of their speed, while waves cross the body as fast as ever */
    double passes = out->scales.duration * out->scales.bar_speed / out->scales.top;
    if (out->scales.depth == 0) passes = INFINITY; /* less than the least number */
    if (!(passes < PASSES))
        return pc_fail(
            err, PC_E_UNSUPPORTED,
            "the impact is too slow: at %g m/s it lasts for %.3g passes of a wave through the body, of which "
            "%g can be followed; laws such as contact.maw hold to all digits there",
            motion->approach, passes, PASSES);
    if (pc_elastic_shape_curvature(&body->shape) > body->shape.radius &&
        !(out->scales.contact_radius <= RIM * body->shape.radius))
        return pc_fail(
            err, PC_E_UNSUPPORTED,
            "at %g m/s the contact on a nose of %g m grows to %.3g m by Hertz, %.3g of the rod's radius; the "
            "mesh serves up to %g of it, beyond which the rim counts: strike more slowly, or with a smaller "
            "nose",
            motion->approach, body->shape.nose, out->scales.contact_radius,
            out->scales.contact_radius / body->shape.radius, RIM);
    pc_elastic_model model;
    pc_status status = make_model(body, motion->approach, cells, placement, &model, err);
    if (status) return status;
    /* a body that is long sends waves back that may strike again: they have gone up and down by then */
    double pass = 2.2 * out->scales.top / out->scales.bar_speed;
    bool slim = out->scales.top > 2.2 * out->scales.width;
    double quiet = fmin(slim ? pass : 0, 3 * out->scales.duration);
    status = pc_elastic_strike(&model, motion, out->scales.duration, quiet, watch, &out->result, err);
    out->mass = model.total, out->inertia = model.inertia, out->height = model.mesh.height;
    size_t n = (size_t)(out->n_rings = model.mesh.n_rings);
    if (!status && !(out->radius = pc_calloc(2 * n, sizeof *out->radius)))
        status = pc_fail(err, PC_E_MEMORY, "not enough memory for %zu rings", n);
    if (!status) {
        out->area = out->radius + n;
        memcpy(out->radius, model.mesh.inner_r, n * sizeof *out->radius);
        memcpy(out->area, model.area, n * sizeof *out->area);
    }
    pc_elastic_model_free(&model);
    if (!status && !body->shape.flat && out->result.greatest_contact == out->n_rings)
        status = pc_fail(
            err, PC_E_NUMERIC,
            "the contact has grown beyond the fine cells of the mesh, %.3g times Hertz's contact radius, %.3g of "
            "the radius at the pole: at %g m/s, %.2g of the speed of waves, displacements are not small",
            CORE, out->scales.contact_radius / pc_elastic_shape_curvature(&body->shape), motion->approach,
            motion->approach / out->scales.bar_speed);
    if (status) pc_elastic_hit_free(out);
    return status;
}

void pc_elastic_hit_free(pc_elastic_hit *hit)
{
    pc_elastic_result_free(&hit->result);
    pc_free(hit->radius);
    hit->radius = NULL;
}

pc_status pc_elastic_collide_again(const pc_elastic_body *body, const pc_elastic_motion *motion,
                                   const pc_elastic_hit *hit, pc_elastic_watch *watch, pc_error *err)
{
    pc_elastic_hit again;
    pc_status status = collide_on(body, motion, watch, hit->cells, hit->placement, &again, err);
    if (!status) pc_elastic_hit_free(&again);
    return status;
}

/* ---- refinement ---- */

typedef struct placed {
    const pc_elastic_body *body;
    const pc_elastic_request *request;
    int cells;
    double placement;
    pc_elastic_watch *watch;
    pc_elastic_hit hit;
    pc_status status;
    pc_error err;
    bool done; /* a thread that cannot be started leaves its work */
} placed;

static void collide_placed(void *context)
{
    placed *p = context;
    p->status = collide_on(p->body, &p->request->motion, p->watch, p->cells, p->placement, &p->hit, &p->err);
    p->done = true;
}

/* What is not a history becomes a sum of that of two meshes. */
static void combine(pc_elastic_hit *a, double share, const pc_elastic_hit *b, double other)
{
    pc_elastic_result *x = &a->result;
    const pc_elastic_result *y = &b->result;
#define SUM(member) x->member = share * x->member + other * y->member
    SUM(duration), SUM(compression_time), SUM(v_n), SUM(v_t), SUM(omega), SUM(approach_depth);
    SUM(energy_before), SUM(energy_after), SUM(friction_work), SUM(greatest_slip);
    for (int i = 0; i < 2; i++)
        SUM(impulse[i]), SUM(impulse_compression[i]), SUM(peak[i]), SUM(peak_time[i]), SUM(vibration[i]);
#undef SUM
    a->mass = share * a->mass + other * b->mass, a->inertia = share * a->inertia + other * b->inertia;
    a->height = share * a->height + other * b->height;
    x->energy_error = fmax(x->energy_error, y->energy_error);
    x->momentum_error = fmax(x->momentum_error, y->momentum_error);
}

/* What is asked to converge: e without what radial friction takes of it, v_t of the contact point by psi's unit,
 * duration and peak by Hertz's, and what radial friction takes, which alone goes as the first power of a cell. */
enum { RESTITUTION, VELOCITY, DURATION, PEAK, RUBBED, QUANTITIES };
typedef struct findings {
    double of[QUANTITIES];
} findings;

static findings find(const pc_elastic_hit *hit, const pc_elastic_motion *motion, double unit)
{
    const pc_elastic_result *r = &hit->result;
    const double rubbed = motion->radial_friction ? -r->friction_work / (2 * r->energy_before) : 0;
    return (findings){{[RESTITUTION] = r->v_n / motion->approach + rubbed,
                       [VELOCITY] = unit > 0 ? (r->v_t + r->omega * hit->height) / unit : 0,
                       [DURATION] = r->duration / hit->scales.duration,
                       [PEAK] = r->peak[1] / r->impulse[1] * hit->scales.duration,
                       [RUBBED] = rubbed}};
}

/* The limit of two means: `gain` times their difference beyond the finer. */
static void extrapolate(pc_elastic_hit *finer, const pc_elastic_hit *coarser, double gain, double first_gain,
                        bool radial)
{
    pc_elastic_result *r = &finer->result;
    const double more = (first_gain - gain) * (r->friction_work - coarser->result.friction_work);
    combine(finer, 1 + gain, coarser, -gain);
    /* what is within its error may come out below 0 */
    for (int m = 0; m < PC_ELASTIC_HARMONICS; m++) r->vibration[m] = fmax(0, r->vibration[m]);
    if (!radial) return;
    r->friction_work += more, r->energy_after += more;
    r->v_n += more / (finer->mass * r->v_n), r->impulse[1] += more / r->v_n;
}

/* Both placements side by side: their mean, and how far they are apart. */
static pc_status collide_both(const pc_elastic_body *body, const pc_elastic_request *request, int cells,
                              pc_elastic_hit *out, findings *apart, pc_error *err)
{
    placed both[2];
    for (int i = 0; i < 2; i++) {
        pc_elastic_watch *watch = i == 0 ? request->watch : NULL;
        both[i] =
            (placed){.body = body, .request = request, .cells = cells, .placement = PLACEMENTS[i], .watch = watch};
    }
    pc_threads_run(collide_placed, both, sizeof *both, 2);
    if (!both[1].done) collide_placed(&both[1]);
    pc_status status = PC_OK;
    for (int i = 1; i >= 0; i--) {
        if (!both[i].status) continue;
        status = both[i].status;
        if (err) *err = both[i].err;
    }
    if (!status) {
        const double unit = pc_elastic_unit(body, &request->motion);
        findings one = find(&both[0].hit, &request->motion, unit), two = find(&both[1].hit, &request->motion, unit);
        for (int i = 0; i < QUANTITIES; i++) apart->of[i] = fabs(one.of[i] - two.of[i]);
        *out = both[0].hit;
        combine(out, 0.5, &both[1].hit, 0.5);
        out->result.cell_steps += both[1].hit.result.cell_steps;
        out->meshes = 2;
        pc_elastic_hit_free(&both[1].hit);
    } else
        for (int i = 0; i < 2; i++)
            if (!both[i].status) pc_elastic_hit_free(&both[i].hit);
    return status;
}

/* Means of finer and finer meshes, each with 1.4 times the cells of the one before and placed alike. Errors go as the
 * square of a cell, so two means give their limit (Richardson 1911); from the third on that is the result. Its error is
 * estimated by the greatest of what it adds to the finest mean, of what it differs from the limit before, and of an
 * eighth of the distance of the two placements, as a mean of two is not free of shorter periods than a cell. Two meshes
 * so coarse as the first do not give a limit: the second mean is the result itself, and its error 2.5 times its
 * distance from the first, at least a quarter of that of its placements. So it is with flat ends, which meet with a
 * jump, whose errors have no such order. */
pc_status pc_elastic_collide(const pc_elastic_body *body, const pc_elastic_request *request, pc_elastic_hit *out,
                             pc_error *err)
{
    const pc_elastic_motion *motion = &request->motion;
    const bool radial = motion->radial_friction, smooth = !body->shape.flat;
    if (isnan(request->tolerance))
        return collide_on(body, motion, request->watch, request->cells, radial ? PLACEMENTS[0] : PLACEMENT, out, err);
    static const int ladder[] = {7, 10, 14, 20, 28, PC_ELASTIC_CELLS_MOST};
    const double unit = pc_elastic_unit(body, motion);
    pc_elastic_hit before, now;
    findings last, limit = {{0}}, apart;
    pc_status status = collide_both(body, request, ladder[0], &before, &apart, err);
    if (!status) last = find(&before, motion, unit);
    for (size_t i = 1; !status && i < sizeof ladder / sizeof *ladder; i++) {
        status = collide_both(body, request, ladder[i], &now, &apart, err);
        if (status) {
            pc_elastic_hit_free(&before);
            break;
        }
        const double ratio = (double)ladder[i] / ladder[i - 1], first_gain = 1 / (ratio - 1);
        const double gain = 1 / (ratio * ratio - 1);
        const findings mean = find(&now, motion, unit);
        double error[QUANTITIES];
        for (int k = 0; k < QUANTITIES; k++) {
            double step = mean.of[k] - last.of[k], own = k == RUBBED ? first_gain : gain,
                   next = mean.of[k] + own * step;
            error[k] = !smooth  ? 2.5 * fabs(step)
                       : i == 1 ? fmax(2.5 * fabs(step), apart.of[k] / 4)
                                : fmax(fmax(own * fabs(step), fabs(next - limit.of[k])), apart.of[k] / 8);
            limit.of[k] = next;
        }
        now.meshes = before.meshes + 2;
        now.error_restitution = error[RESTITUTION] + error[RUBBED], now.error_unit = error[VELOCITY];
        now.error_duration = error[DURATION], now.error_peak = error[PEAK] / mean.of[PEAK];
        now.unresolved = fmax(fmax(now.error_restitution, now.error_unit), now.error_duration) > request->tolerance;
        const bool enough = !now.unresolved || i + 1 == sizeof ladder / sizeof *ladder;
        if (enough && smooth && i > 1) extrapolate(&now, &before, gain, first_gain, radial);
        pc_elastic_hit_free(&before);
        before = now, last = mean;
        if (enough) break;
    }
    if (!status) *out = before;
    return status;
}
