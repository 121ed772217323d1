/* Modes of a rod that is free at both ends: bending as a Timoshenko beam, stretching as a bar, hemispherical caps
 * rigid.
 *
 * Displacements are sums of Legendre polynomials over the length (Ritz): w across, psi of the cross-sections, u along.
 * Kinetic and elastic energy become matrices M and K, and the modes solve K a = omega^2 M a; those of frequency 0 are
 * the rigid motions. Frequencies come from above; twelve polynomials leave less than 1e-6 of the lowest four.
 *
 * Source: Timoshenko, Phil. Mag. 41 (1921); shear coefficient of a circular section: Cowper, J. Appl. Mech. 33 (1966).
 */
#include "body/body.h"
#include "math/linsolve.h"
#include "math/roots.h"

#include <math.h>
#include <string.h>

enum { TERMS = 12, POINTS = 16, MOST = 2 * TERMS };

typedef struct basis {
    double value[TERMS], slope[TERMS]; /* by the place, from -1 to 1 */
} basis;

static basis legendre(double x)
{
    basis b = {{1, x}, {0, 1}};
    for (int i = 2; i < TERMS; i++) {
        b.value[i] = ((2 * i - 1) * x * b.value[i - 1] - (i - 1) * b.value[i - 2]) / i;
        b.slope[i] = b.slope[i - 2] + (2 * i - 1) * b.value[i - 1];
    }
    return b;
}

/* A += weight v v'. */
static void add(int n, double weight, const double *v, double *A)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] += weight * v[i] * v[j];
}

/* A cap: a hemisphere, whose centre of mass is 3/8 of the radius beyond the end of the beam. */
typedef struct cap {
    double mass, inertia, reach;
} cap;

static cap cap_of(const pc_beam *b)
{
    double m = b->round ? 2 * M_PI / 3 * pow(b->radius, 3) * b->density : 0;
    return (cap){m, 83.0 / 320 * m * b->radius * b->radius, 0.375 * b->radius};
}

static void fill_bending(const pc_beam *b, double M[MOST * MOST], double K[MOST * MOST])
{
    const double r = b->radius, A = M_PI * r * r, I = A * r * r / 4, G = b->young / (2 * (1 + b->poisson));
    const double shear = 6 * (1 + b->poisson) / (7 + 6 * b->poisson) * G * A, half = b->length / 2;
    for (int p = 0; p < POINTS; p++) {
        double weight, w[MOST] = {0}, psi[MOST] = {0}, bend[MOST] = {0}, slide[MOST] = {0};
        basis f = legendre(pc_gauss(POINTS, p, &weight));
        const double ds = weight * half;
        for (int i = 0; i < TERMS; i++) {
            w[i] = f.value[i], psi[TERMS + i] = f.value[i];
            bend[TERMS + i] = f.slope[i] / half;
            slide[i] = f.slope[i] / half, slide[TERMS + i] = -f.value[i];
        }
        add(MOST, b->density * A * ds, w, M);
        add(MOST, b->density * I * ds, psi, M);
        add(MOST, b->young * I * ds, bend, K);
        add(MOST, shear * ds, slide, K);
    }
    cap c = cap_of(b);
    for (int end = -1; end <= 1; end += 2) {
        basis f = legendre(end);
        double w[MOST] = {0}, psi[MOST] = {0};
        for (int i = 0; i < TERMS; i++) {
            w[i] = f.value[i], w[TERMS + i] = end * c.reach * f.value[i];
            psi[TERMS + i] = f.value[i];
        }
        add(MOST, c.mass, w, M);
        add(MOST, c.inertia, psi, M);
    }
}

static void fill_stretching(const pc_beam *b, double M[MOST * MOST], double K[MOST * MOST])
{
    const double A = M_PI * b->radius * b->radius, half = b->length / 2;
    for (int p = 0; p < POINTS; p++) {
        double weight, strain[TERMS];
        basis f = legendre(pc_gauss(POINTS, p, &weight));
        for (int i = 0; i < TERMS; i++) strain[i] = f.slope[i] / half;
        add(TERMS, b->density * A * weight * half, f.value, M);
        add(TERMS, b->young * A * weight * half, strain, K);
    }
    cap c = cap_of(b);
    for (int end = -1; end <= 1; end += 2) {
        basis f = legendre(end);
        add(TERMS, c.mass, f.value, M);
    }
}

pc_status pc_beam_modes(const pc_beam *b, double angle, pc_vibration *out, pc_error *err)
{
    double M[MOST * MOST], K[MOST * MOST], values[MOST], vectors[MOST * MOST];
    basis end = legendre(1);
    const double sine = sin(angle), cosine = cos(angle), arm = b->round ? b->radius : 0;
    *out = (pc_vibration){0};
    for (int stretches = 0; stretches < 2; stretches++) {
        const int n = stretches ? TERMS : MOST, rigid = stretches ? 1 : 2, wanted = stretches ? b->axial : b->bending;
        if (wanted == 0) continue;
        memset(M, 0, sizeof M);
        memset(K, 0, sizeof K);
        if (stretches)
            fill_stretching(b, M, K);
        else
            fill_bending(b, M, K);
        if (!pc_eigen_pencil(n, K, M, values, vectors))
            return pc_fail(err, PC_E_NUMERIC, "the modes of this rod could not be found");
        for (int k = rigid; k < rigid + wanted; k++) {
            double w = 0, psi = 0;
            for (int i = 0; i < TERMS; i++) {
                w += vectors[k * n + i] * end.value[i];
                if (!stretches) psi += vectors[k * n + TERMS + i] * end.value[i];
            }
            /* the axis points to the striking end, (sin, -cos); across it is (cos, sin), to which a positive psi turns
             * it. The contact point lies below the end by the radius, and is carried along by the rotation. */
            out->omega[out->n] = sqrt(values[k]);
            out->t[out->n] = stretches ? w * sine : w * cosine + psi * arm;
            out->along_n[out->n] = stretches ? -w * cosine : w * sine;
            out->n++;
        }
    }
    return PC_OK;
}

pc_status pc_beam_check(const pc_schema *schema, const pc_surface *surface, const pc_beam *beam, bool spatial,
                        pc_error *err)
{
    const pc_material *m = &surface->material;
    if (beam->bending == 0 && beam->axial == 0) return PC_OK;
    if (spatial)
        return pc_fail(err, PC_E_ARGUMENT, "%s: modes are of a body in the plane; leave spatial out", schema->name);
    if (isnan(m->young) || isnan(m->poisson))
        return pc_fail(err, PC_E_ARGUMENT, "%s: modes need a material with young and poisson", schema->name);
    if (!(beam->radius > 0))
        return pc_fail(err, PC_E_ARGUMENT, "%s: modes need the area of the cross-section; give section", schema->name);
    if (!(beam->length >= beam->radius))
        return pc_fail(err, PC_E_ARGUMENT,
                       "%s: length = %g m is too short for modes of a beam; it must be at least the radius, %g m",
                       schema->name, beam->length, beam->radius);
    return PC_OK;
}

pc_status pc_beam_put(const pc_surface *surface, pc_beam beam, double angle, pc_body *body, pc_error *err)
{
    if (beam.bending == 0 && beam.axial == 0) return PC_OK;
    beam.young = surface->material.young, beam.poisson = surface->material.poisson;
    return pc_beam_modes(&beam, angle, &body->vibration, err);
}
