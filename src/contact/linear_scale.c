/* Scaling of the linear law: see linear_scale.h. */
#include "contact/linear_scale.h"

#include <math.h>

/* xy in two parts, high + low exactly (Dekker, Numer. Math. 18, 1971; Veltkamp's split at 27 bits). What fma() does in
 * a call is done here in place. */
static double low_part(double x, double y, double high)
{
    const double split = 0x1p27 + 1;
    double cx = split * x, cy = split * y;
    double x1 = cx - (cx - x), x2 = x - x1, y1 = cy - (cy - y), y2 = y - y1;
    return ((x1 * y1 - high) + x1 * y2 + x2 * y1) + x2 * y2;
}

/* x - y^2 without cancellation (Kahan). */
static double less_square(double x, double y)
{
    double square = y * y;
    return (x - square) - low_part(y, y, square);
}

bool pc_linear_scale_problem(const pc_linear_given *given, double problem[7], pc_linear_scale *scale)
{
    double w = given->w_nn, speed = -given->v_n;
    if (!(w > 0 && given->w_tt >= 0)) return false;
    double a = given->w_tt / w, b = given->w_tn / w;
    double bound = PC_RANK_TOLERANCE * (a + 1) * (a + 1);
    double det = given->rank == 1 ? 0 : less_square(a, b);
    if (!(det >= -bound)) return false;
    if (given->rank != 2 && det <= bound) det = 0;
    if (det < 0) det = 0;

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
