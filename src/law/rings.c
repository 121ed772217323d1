/* Maw's rings within a motion: see rings.h. */
#include "law/rings.h"

#include "base/alloc.h"
#include "base/grow.h"

#include <math.h>
#include <string.h>

/* An impact lasts about three times as long as its speed needs for its depth (Hertz: 2.943), and takes two steps for
 * each ring, one on the way in and one on the way out. */
static const double STEPS = 1.5;

/* A ring is added when the contact has grown by nearly its width. */
static const double NEARLY = 0.8;

/* Where a contact grows beyond what was expected, so many times the wanted number fill the circle at least: rings
 * become wider in the same measure, and their number grows with the logarithm of the load. */
static const double FINEST = 2;

/* ---- life ---- */

static double width_at(const pc_rings *r, double x)
{
    return fmax(r->width, x / (FINEST * r->wanted));
}

/* One more ring outside the others, reaching to `edge`. */
static pc_status add(pc_rings *r, double depth, double edge, pc_error *err)
{
    if (!PC_GROW(r->ring, r->room, r->n > 0 ? r->n + 1 : r->wanted + 2))
        return pc_fail(err, PC_E_MEMORY, "not enough memory for %d rings", r->n + 1);
    const pc_ring *last = r->n > 0 ? &r->ring[r->n - 1] : &(pc_ring){0};
    double width = edge - last->edge;
    r->ring[r->n++] = (pc_ring){depth, width, 0, edge, last->moment + width * depth};
    return PC_OK;
}

/* How long the next step may be, for chords and for the next ring to be as wide as the others. */
static double next_step(const pc_rings *r, double w)
{
    if (!(w > 0)) return r->time;
    double edge = r->ring[r->n - 1].edge, x = edge + width_at(r, edge) / 2, left = x * x - r->u;
    return left > 0 ? fmin(r->time, left / w) : r->time;
}

pc_status pc_rings_open(pc_rings **out, double mu, double stiffness, int wanted, double depth, double speed, double u,
                        double w, pc_error *err)
{
    pc_rings *r = pc_calloc(1, sizeof *r);
    *out = NULL;
    if (!r) return pc_fail(err, PC_E_MEMORY, "not enough memory for the rings of a contact");
    *r = (pc_rings){.mu = mu, .stiffness = stiffness, .wanted = wanted, .u = u};
    r->width = sqrt(depth) / wanted;
    r->time = STEPS * depth / (speed * wanted);
    double reach = sqrt(fmax(u, 0));
    pc_status status = add(r, 0, r->width / 2, err);
    for (double x = r->width; x <= reach && status == PC_OK; x = r->ring[r->n - 1].edge + width_at(r, x) / 2) {
        double edge = r->ring[r->n - 1].edge;
        status = add(r, x * x, 2 * x - edge, err);
    }
    if (status != PC_OK) {
        pc_rings_close(r);
        return status;
    }
    r->step = next_step(r, w);
    *out = r;
    return PC_OK;
}

pc_rings *pc_rings_new(size_t n)
{
    pc_rings *r = pc_calloc(1, sizeof *r);
    if (!r || !PC_GROW(r->ring, r->room, n)) {
        pc_free(r);
        return NULL;
    }
    memset(r->ring, 0, n * sizeof *r->ring);
    r->n = (int)n;
    return r;
}

void pc_rings_close(pc_rings *r)
{
    if (!r) return;
    pc_free(r->ring);
    pc_free(r);
}

/* ---- within a step ---- */

/* How many rings touch at u. */
static int touching(const pc_rings *r, double u)
{
    int n = r->n;
    while (n > 0 && !(r->ring[n - 1].depth < u)) n--;
    return n;
}

/* B of the rings that touch, and its rate. */
static double bound_of(const pc_rings *r, int n, double u, double w, double Fn, double dFn, double *rate)
{
    const pc_ring *last = &r->ring[n - 1];
    double sum = r->stiffness * (last->edge * u - last->moment), B = r->mu * Fn / sum;
    *rate = (r->mu * dFn - B * r->stiffness * last->edge * w) / sum;
    return B;
}

static double cut(double stretch, double bound)
{
    return stretch > bound ? bound : stretch < -bound ? -bound : stretch;
}

void pc_rings_press(const pc_rings *r, double u, double z, double w, double v_t, double Fn, double dFn,
                    pc_rings_force *out)
{
    int n = touching(r, u), up = 0, down = 0;
    *out = (pc_rings_force){0};
    if (n == 0 || !(Fn > 0)) return;
    double dB, B = bound_of(r, n, u, w, Fn, dFn, &dB), dz = z - r->z;
    double force = 0, rate = 0, power = 0, stored = 0;
    for (int i = 0; i < n; i++) {
        const pc_ring *ring = &r->ring[i];
        double above = u - ring->depth, bound = above * B, trial = ring->stretch + dz;
        double stretch = cut(trial, bound), growth = w * B + above * dB;
        double creep = trial >= bound ? growth : trial <= -bound ? -growth : v_t;
        up += trial >= bound;
        down += trial <= -bound;
        force += ring->width * stretch;
        rate += ring->width * creep;
        power += ring->width * stretch * creep;
        stored += ring->width * stretch * stretch;
    }
    out->Ft = -r->stiffness * force;
    out->dFt = -r->stiffness * rate;
    out->power = -r->stiffness * power;
    out->stored = r->stiffness * stored / 2;
    out->slip = up == n ? 1 : down == n ? -1 : 0;
}

/* ---- between steps ---- */

pc_status pc_rings_carry(pc_rings *r, double u, double z, double w, double Fn, pc_error *err)
{
    int n = touching(r, u);
    double dz = z - r->z, none, B = n > 0 && Fn > 0 ? bound_of(r, n, u, 0, Fn, 0, &none) : 0;
    for (int i = 0; i < n; i++) {
        pc_ring *ring = &r->ring[i];
        ring->stretch = cut(ring->stretch + dz, (u - ring->depth) * B);
    }
    /* the one in the middle stays for as long as the contact does */
    if (n == 0) r->ring[0].stretch = 0;
    r->n = n > 0 ? n : 1;
    r->u = u;
    r->z = z;
    double x = sqrt(fmax(u, 0)), edge = r->ring[r->n - 1].edge;
    pc_status status = PC_OK;
    if (2 * (x - edge) >= NEARLY * width_at(r, x)) status = add(r, u, 2 * x - edge, err);
    r->step = next_step(r, w);
    return status;
}
