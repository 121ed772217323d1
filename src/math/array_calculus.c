/* Differences, derivatives and integrals of samples: see array.h. */
#include "math/array.h"
#include "math/array_loop.h"
#include "math/compensated.h"

#include <math.h>

/* x[i + 1] - x[i] */
static inline double step(pc_abscissae x, size_t i)
{
    return x.v ? x.v[i + 1] - x.v[i] : x.x;
}

/* A derivative needs a step that keeps its sign and is never zero. */
static pc_status check_monotonic(size_t n, pc_abscissae x, pc_error *err)
{
    if (!x.v) {
        if (x.x != 0 && isfinite(x.x)) return PC_OK;
        return pc_fail(err, PC_E_ARGUMENT, "the spacing must be finite and not zero, not %g", x.x);
    }
    bool rising = n < 2 || x.v[1] > x.v[0];
    for (size_t i = 0; i + 1 < n; i++) {
        double h = rising ? step(x, i) : -step(x, i);
        if (!(h > 0 && isfinite(h)))
            return pc_fail(err, PC_E_ARGUMENT, "x must rise or fall throughout; x[%zu] is %g and x[%zu] is %g", i + 1,
                           x.v[i], i + 2, x.v[i + 1]);
    }
    return PC_OK;
}

pc_status pc_array_diff(size_t n, const double *y, double *out, pc_error *err)
{
    if (n == 0) return pc_fail(err, PC_E_ARGUMENT, "differences need at least one element");
    PC_CHUNKS(n - 1, start, end, err)
    {
        for (size_t i = start; i < end; i++) out[i] = y[i + 1] - y[i];
    }
    return PC_OK;
}

/* The parabola through three points has the slope of each chord at the chord's middle and is linear in between, so
 * its derivative at the point between steps g and h is the average of the slopes s and t, each weighted with the
 * other's step; at the ends it is extrapolated. */
pc_status pc_array_gradient(size_t n, const double *y, pc_abscissae x, double *out, pc_error *err)
{
    if (n < 2) return pc_fail(err, PC_E_ARGUMENT, "a derivative needs at least 2 elements, not %zu", n);
    pc_status status = check_monotonic(n, x, err);
    if (status != PC_OK) return status;
    double g = step(x, 0), s = (y[1] - y[0]) / g;
    if (n == 2) {
        out[0] = out[1] = s;
        return PC_OK;
    }
    double h = step(x, 1), t = (y[2] - y[1]) / h;
    out[0] = s - (t - s) * (g / (g + h));
    PC_CHUNKS(n - 2, start, end, err)
    {
        for (size_t i = start + 1; i < end + 1; i++) {
            g = step(x, i - 1);
            h = step(x, i);
            s = (y[i] - y[i - 1]) / g;
            t = (y[i + 1] - y[i]) / h;
            out[i] = s + (t - s) * (g / (g + h));
        }
    }
    out[n - 1] = t + (t - s) * (h / (g + h));
    return PC_OK;
}

static inline double area(const double *y, pc_abscissae x, size_t i)
{
    return 0.5 * (y[i] + y[i + 1]) * step(x, i);
}

pc_status pc_array_trapz(size_t n, const double *y, pc_abscissae x, double *integral, pc_error *err)
{
    pc_compensated a = {0, 0};
    PC_CHUNKS(n > 0 ? n - 1 : 0, start, end, err)
    {
        for (size_t i = start; i < end; i++) pc_compensated_add(&a, area(y, x, i));
    }
    *integral = pc_compensated_total(a);
    return PC_OK;
}

pc_status pc_array_cumtrapz(size_t n, const double *y, pc_abscissae x, double *out, pc_error *err)
{
    if (n == 0) return PC_OK;
    pc_compensated a = {0, 0};
    out[0] = 0;
    PC_CHUNKS(n - 1, start, end, err)
    {
        for (size_t i = start; i < end; i++) {
            pc_compensated_add(&a, area(y, x, i));
            out[i + 1] = pc_compensated_total(a);
        }
    }
    return PC_OK;
}
