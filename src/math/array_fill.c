/* Regular sequences: see array.h. */
#include "math/array.h"
#include "math/array_loop.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

size_t pc_array_bytes(size_t n)
{
    if (n > (PTRDIFF_MAX - sizeof(pc_array)) / sizeof(double)) return 0;
    return sizeof(pc_array) + n * sizeof(double);
}

static pc_status check_ends(double a, double b, size_t n, pc_error *err)
{
    if (!isfinite(a) || !isfinite(b)) return pc_fail(err, PC_E_ARGUMENT, "the ends %g and %g must be finite", a, b);
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "the number of values must be at least 1, not 0");
    if (n == 1 && a != b) return pc_fail(err, PC_E_ARGUMENT, "one value cannot be both %g and %g", a, b);
    return PC_OK;
}

/* a + (b - a) i / (n - 1): the product comes first, so that from 0 to 1 in tenths the values are the decimals. */
pc_status pc_array_linspace(double a, double b, size_t n, double *out, pc_error *err)
{
    pc_status status = check_ends(a, b, n, err);
    if (status != PC_OK) return status;
    double width = b - a, last = (double)(n - 1);
    if (!isfinite(width * last))
        return pc_fail(err, PC_E_ARGUMENT, "the ends %g and %g are too far apart for %zu values", a, b, n);
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = a + width * (double)i / last;
    }
    out[0] = a;
    out[n - 1] = b;
    return PC_OK;
}

/* a 10^(d i / (n - 1)), d the number of decades: the decimal logarithm keeps whole decades exact. */
pc_status pc_array_logspace(double a, double b, size_t n, double *out, pc_error *err)
{
    pc_status status = check_ends(a, b, n, err);
    if (status != PC_OK) return status;
    if (!(a > 0 && b > 0) && !(a < 0 && b < 0))
        return pc_fail(err, PC_E_ARGUMENT,
                       "logspace needs two ends of the same sign, not zero; it got %g and %g (they are values, not "
                       "exponents)",
                       a, b);
    double decades = log10(fabs(b)) - log10(fabs(a)), last = (double)(n - 1);
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = a * pow(10, decades * (double)i / last);
    }
    out[0] = a;
    out[n - 1] = b;
    return PC_OK;
}

/* Uncertainty of the number of steps from a to b: a, b and step carry half a unit in the last place each from their
 * decimal form, and the difference and the quotient add theirs; together below 2 eps (|a| + |b|) / |step|, doubled
 * for safety. */
static double slack(double a, double b, double step)
{
    return 4 * DBL_EPSILON * (fabs(a) + fabs(b)) / fabs(step);
}

/* b is `count` steps from a, up to rounding. */
static bool meets(double a, double b, double step, size_t count)
{
    return fabs((b - a) / step - (double)count) <= slack(a, b, step);
}

pc_status pc_array_range_count(double a, double b, double step, size_t *n, pc_error *err)
{
    if (!isfinite(a) || !isfinite(b) || !isfinite(step))
        return pc_fail(err, PC_E_ARGUMENT, "range needs finite numbers, not %g, %g, %g", a, b, step);
    if (step == 0) return pc_fail(err, PC_E_ARGUMENT, "the step of a range must not be 0");
    double steps = (b - a) / step + slack(a, b, step);
    if (!(steps < 0x1p48)) return pc_fail(err, PC_E_ARGUMENT, "a range from %g to %g by %g is too long", a, b, step);
    *n = steps < 0 ? 0 : (size_t)steps + 1;
    return PC_OK;
}

pc_status pc_array_range(double a, double b, double step, size_t n, double *out, pc_error *err)
{
    PC_CHUNKS(n, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = a + step * (double)i;
    }
    if (n > 0 && meets(a, b, step, n - 1)) out[n - 1] = b;
    return PC_OK;
}
