/* Scaling of the linear law, one impact at a time: see linear/scale.h. */
#define PC_LANES 1
#include "law/linear/scale.h"
#include "law/linear/batch.h"

#include <math.h>

bool pc_linear_scale_problem(const pc_linear_given *given, double problem[7], pc_linear_scale *scale)
{
    linear q;
    linear_units u = {.v_t = given->v_t, .v_n = given->v_n};
    if (!linear_scale_mobility(&q, given->w_tt, given->w_tn, given->w_nn, given->rank)) return false;
    linear_scale_velocity(&q, &u);
    double root = sqrt(given->kn * given->w_nn);
    scale->time = 1 / root;
    scale->velocity = u.speed;
    scale->length = u.speed / root;
    scale->force = given->kn * scale->length;
    scale->impulse = u.speed / given->w_nn;
    scale->work = scale->impulse * u.speed;
    scale->mirror = u.mirror;
    problem[PC_LINEAR_FIELD_a] = q.a;
    problem[PC_LINEAR_FIELD_b] = q.b;
    problem[PC_LINEAR_FIELD_det] = q.det;
    problem[PC_LINEAR_FIELD_mu] = given->mu;
    problem[PC_LINEAR_FIELD_eta] = given->eta;
    problem[PC_LINEAR_FIELD_k2] = 1 / (given->restitution * given->restitution);
    problem[PC_LINEAR_FIELD_vt] = q.vt;
    return true;
}

double pc_linear_growth_time(double rate, double p, double sum, double margin)
{
    double z = rate * p / sum;
    /* artanh z = log((1 + z)/sqrt(1 - z^2)), with 1 - z^2 = 2 margin/sum^2 */
    double half = z < 0.25 ? atanh(z) : log((sum + rate * p) / sqrt(2 * margin));
    return 2 * half / rate;
}
