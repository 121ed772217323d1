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
 * are near their mean; the other two are half a cell apart, so that the mean of both is free of it. */
static const double PLACEMENT = 0.4, PLACEMENTS[2] = {0.35, 0.85};

void pc_elastic_body_scales(const pc_elastic_body *body, double approach, pc_elastic_scales *out)
{
    const double R = body->shape.radius, L = body->shape.length, E = body->young / (1 - body->poisson * body->poisson);
    *out = (pc_elastic_scales){.bar_speed = sqrt(body->young / body->density)};
    pc_elastic_shape_matter(&body->shape, body->density, &out->mass, &out->inertia, &out->height);
    pc_elastic_shape_extent(&body->shape, &out->width, &out->top);
    if (body->shape.flat) {
        out->contact_radius = R;
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
        status =
            pc_fail(err, PC_E_NUMERIC,
                    "the contact has grown beyond the fine cells of the mesh, %.3g times Hertz's contact radius", CORE);
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

/* Means of what is not a history, in the first. */
static void take_means(pc_elastic_hit *a, const pc_elastic_hit *b)
{
    pc_elastic_result *x = &a->result;
    const pc_elastic_result *y = &b->result;
#define MEAN(member) x->member = (x->member + y->member) / 2
    MEAN(duration), MEAN(compression_time), MEAN(v_n), MEAN(v_t), MEAN(omega), MEAN(approach_depth);
    MEAN(energy_before), MEAN(energy_after), MEAN(friction_work), MEAN(greatest_slip);
    for (int i = 0; i < 2; i++)
        MEAN(impulse[i]), MEAN(impulse_compression[i]), MEAN(peak[i]), MEAN(peak_time[i]), MEAN(vibration[i]);
    a->mass = (a->mass + b->mass) / 2, a->inertia = (a->inertia + b->inertia) / 2;
    a->height = (a->height + b->height) / 2;
#undef MEAN
    x->energy_error = fmax(x->energy_error, y->energy_error);
    x->momentum_error = fmax(x->momentum_error, y->momentum_error);
    x->cell_steps += y->cell_steps;
}

/* Both placements side by side. */
static pc_status collide_both(const pc_elastic_body *body, const pc_elastic_request *request, int cells,
                              pc_elastic_hit *out, pc_error *err)
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
        *out = both[0].hit;
        take_means(out, &both[1].hit);
        out->meshes = 2;
        pc_elastic_hit_free(&both[1].hit);
    } else
        for (int i = 0; i < 2; i++)
            if (!both[i].status) pc_elastic_hit_free(&both[i].hit);
    return status;
}

pc_status pc_elastic_collide(const pc_elastic_body *body, const pc_elastic_request *request, pc_elastic_hit *out,
                             pc_error *err)
{
    if (isnan(request->tolerance))
        return collide_on(body, &request->motion, request->watch, request->cells, PLACEMENT, out, err);
    /* Each mesh has 1.4 times the cells of the one before. The edge of the stick circle is known to a cell, and makes
     * psi2 converge with the first power of cells: what is left is 1/0.4 times the change. */
    const double left = 2.5;
    static const int ladder[] = {7, 10, 14, 20, 28, PC_ELASTIC_CELLS_MOST};
    const double unit = pc_elastic_unit(body, &request->motion), v = request->motion.approach;
    pc_elastic_hit before, now;
    pc_status status = collide_both(body, request, ladder[0], &before, err);
    for (size_t i = 1; !status && i < sizeof ladder / sizeof *ladder; i++) {
        status = collide_both(body, request, ladder[i], &now, err);
        if (!status) {
            const pc_elastic_result *x = &before.result, *y = &now.result;
            now.meshes = before.meshes + 2;
            now.error_restitution = left * fabs(x->v_n - y->v_n) / v;
            now.error_unit =
                unit > 0 ? left * fabs(x->v_t + x->omega * before.height - y->v_t - y->omega * now.height) / unit : 0;
            now.error_duration = left * fabs(x->duration - y->duration) / now.scales.duration;
            now.error_peak = left * fabs(x->peak[1] - y->peak[1]) / y->peak[1];
        }
        pc_elastic_hit_free(&before);
        if (status) break;
        before = now;
        before.unresolved = fmax(fmax(now.error_restitution, now.error_unit), now.error_duration) > request->tolerance;
        if (!before.unresolved) break;
    }
    if (!status) *out = before;
    return status;
}
