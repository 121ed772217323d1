/* Sums and what follows from them: see array.h. All sums are compensated. */
#include "math/array.h"
#include "math/array_loop.h"
#include "math/compensated.h"

pc_status pc_array_sum(size_t n, const double *x, double *sum, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) pc_compensated_add(&a, x[i]);
    }
    *sum = pc_compensated_total(a);
    return PC_OK;
}

pc_status pc_array_dot(size_t n, const double *x, const double *y, double *dot, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) pc_compensated_add(&a, x[i] * y[i]);
    }
    *dot = pc_compensated_total(a);
    return PC_OK;
}

pc_status pc_array_product(size_t n, const double *x, double *product, pc_error *err)
{
    double p = 1;
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) p *= x[i];
    }
    *product = p;
    return PC_OK;
}

pc_status pc_array_mean(size_t n, const double *x, double *mean, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "an empty array has no mean");
    pc_status status = pc_array_sum(n, x, mean, err);
    *mean /= (double)n;
    return status;
}

/* Two passes; the second sum corrects the rounding of the mean (Chan, Golub and LeVeque, Amer. Statistician 37,
 * 1983, equation 1.7). */
pc_status pc_array_variance(size_t n, const double *x, size_t lost, double *variance, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "an empty array has no variance");
    if (n <= lost)
        return pc_fail(err, PC_E_ARGUMENT,
                       "a variance with %zu degrees of freedom lost needs more than %zu elements, not %zu", lost, lost,
                       n);
    double mean;
    pc_status status = pc_array_mean(n, x, &mean, err);
    if (status != PC_OK) return status;
    pc_compensated squares = {0, 0}, rest = {0, 0};
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            double d = x[i] - mean;
            pc_compensated_add(&squares, d * d);
            pc_compensated_add(&rest, d);
        }
    }
    double r = pc_compensated_total(rest);
    *variance = (pc_compensated_total(squares) - r * r / (double)n) / (double)(n - lost);
    return PC_OK;
}

/* Greatest magnitude; NaN if any element is. */
static pc_status norm_inf(size_t n, const double *x, double *norm, pc_error *err)
{
    double most = 0;
    bool nan = false;
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            double m = fabs(x[i]);
            most = m > most ? m : most;
            nan |= isnan(m);
        }
    }
    *norm = nan ? NAN : most;
    return PC_OK;
}

static pc_status norm_1(size_t n, const double *x, double *norm, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) pc_compensated_add(&a, fabs(x[i]));
    }
    *norm = pc_compensated_total(a);
    return PC_OK;
}

/* Scaled by a power of two near the greatest element: exact, and no square overflows; what underflows is too small
 * to matter. */
static pc_status norm_2(size_t n, const double *x, double *norm, pc_error *err)
{
    double most = 0;
    pc_status status = norm_inf(n, x, &most, err);
    *norm = most;
    if (status != PC_OK || !isfinite(most) || most == 0) return status;
    int exponent;
    frexp(most, &exponent);
    if (exponent < -1000) exponent = -1000; /* 2^1000 is in range and lifts any subnormal out of danger */
    double scale = ldexp(1, -exponent);
    pc_compensated a = {0, 0};
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            double s = x[i] * scale;
            pc_compensated_add(&a, s * s);
        }
    }
    *norm = ldexp(sqrt(pc_compensated_total(a)), exponent);
    return PC_OK;
}

pc_status pc_array_norm(size_t n, const double *x, double p, double *norm, pc_error *err)
{
    if (p == 1) return norm_1(n, x, norm, err);
    if (p == 2) return norm_2(n, x, norm, err);
    if (p == INFINITY) return norm_inf(n, x, norm, err);
    return pc_fail(err, PC_E_ARGUMENT, "the norm must be 1, 2 or math.huge, not %g", p);
}

pc_status pc_array_cumsum(size_t n, const double *x, double *out, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            pc_compensated_add(&a, x[i]);
            out[i] = pc_compensated_total(a);
        }
    }
    return PC_OK;
}

pc_status pc_array_cumprod(size_t n, const double *x, double *out, pc_error *err)
{
    double p = 1;
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = p *= x[i];
    }
    return PC_OK;
}
