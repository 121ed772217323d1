/* Scaling of the linear law: see linear_scale.h. */
#include "contact/linear_scale.h"

#include <math.h>

/* xx - yy without cancellation (Kahan). */
static double product_less_square(double x1, double x2, double y)
{
    double square = y * y;
    return fma(x1, x2, -square) - fma(y, y, -square);
}

bool pc_linear_scale_problem(const pc_linear_given *given, double problem[7], pc_linear_scale *scale)
{
    double w = given->w_nn, speed = -given->v_n;
    if (!(w > 0 && given->w_tt >= 0)) return false;
    double a = given->w_tt / w, b = given->w_tn / w;
    double bound = PC_RANK_TOLERANCE * (a + 1) * (a + 1);
    double det = given->rank == 1 ? 0 : product_less_square(given->w_tt / w, 1, b);
    if (!(det >= -bound)) return false;
    if (given->rank != 2 && det <= bound) det = 0;
    det = fmax(det, 0);

    double root = sqrt(given->kn * w);
    scale->time = 1 / root;
    scale->velocity = speed;
    scale->length = speed / root;
    scale->force = given->kn * scale->length;
    scale->impulse = speed / w;
    scale->work = scale->impulse * speed;
    double vt = given->v_t / speed;
    scale->mirror = vt < 0 || (vt == 0 && b < 0) ? -1 : 1;
    problem[PC_LINEAR_FIELD_a] = a;
    problem[PC_LINEAR_FIELD_b] = scale->mirror * b;
    problem[PC_LINEAR_FIELD_det] = det;
    problem[PC_LINEAR_FIELD_mu] = given->mu;
    problem[PC_LINEAR_FIELD_eta] = given->eta;
    problem[PC_LINEAR_FIELD_k2] = 1 / (given->restitution * given->restitution);
    problem[PC_LINEAR_FIELD_vt] = scale->mirror * vt;
    return true;
}

double pc_linear_growth_time(double rate, double p, double sum, double margin)
{
    double z = rate * p / sum;
    /* artanh z = log((1 + z)/sqrt(1 - z^2)), with 1 - z^2 = 2 margin/sum^2 */
    double half = z < 0.25 ? atanh(z) : log((sum + rate * p) / sqrt(2 * margin));
    return 2 * half / rate;
}
