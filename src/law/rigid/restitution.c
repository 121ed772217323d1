/* Restitution by the speed of approach: kinds of a pc_curve. */
#include "law/rigid/rigid.h"
#include "math/roots.h"

#include <math.h>

#define SCHEMA(name_, ...)                                                                                             \
    static const pc_schema name_##_schema = {                                                                          \
        .name = "restitution." #name_, PC_ROWS(name_##_rows), .size = sizeof(pc_restitution_##name_), __VA_ARGS__};

/* ---- a power of the speed ---- */

static const pc_row power_rows[] = {
    PC_ROW(pc_restitution_power, at, "at", .unit = PC_UNIT_M_PER_S, .initial = 1, .allowed = PC_POSITIVE,
           .sample = {0.01, 10}, .doc = "speed of approach at which the restitution is known"),
    PC_ROW(pc_restitution_power, value, "value", .initial = PC_REQUIRED, .allowed = PC_BETWEEN(0, 1),
           .sample = {0.05, 1}, .doc = "restitution at that speed"),
    PC_ROW(pc_restitution_power, exponent, "exponent", .initial = 0.25, .allowed = PC_NONNEGATIVE, .sample = {0, 0.5},
           .doc = "it falls with this power of the speed; 1/4 where a full plastic indentation grows"),
    PC_ROW(pc_restitution_power, greatest, "greatest", .initial = 1, .allowed = PC_BETWEEN(0, 1), .sample = {0.5, 1},
           .doc = "restitution at low speeds, which it does not exceed"),
};

SCHEMA(power, .summary = "Restitution that falls with a power of the speed of approach.",
       .details =
           "What is measured of metals above the speed of yield, with an exponent of about 1/4. Where greatest is "
           "1, an approach so slow that the power would give more loses nothing: bounces end there, and go on for "
           "ever. With less they die out, and accumulate.",
       .equations = "e = value (at/v)^exponent: at the speed of approach v, but not above greatest",
       .source = "Johnson, Contact Mechanics (1985), section 11.5; Kuwabara and Kono (1987), who measured it",
       .example = "local e = percuss.restitution.power{ at = 1, value = 0.8, exponent = 0.25 }\n"
                  "print(e(16), e(0.01)) --> 0.4\t1.0")

static double power_at(const void *params, double speed)
{
    const pc_restitution_power *p = params;
    if (p->exponent == 0) return fmin(p->value, p->greatest);
    if (speed == 0) return p->value > 0 ? p->greatest : 0;
    return fmin(p->value * pow(speed / p->at, -p->exponent), p->greatest);
}

/* ---- the viscoelastic sphere ---- */

static const pc_row viscoelastic_rows[] = {
    PC_ROW(pc_restitution_viscoelastic, at, "at", .unit = PC_UNIT_M_PER_S, .initial = 1, .allowed = PC_POSITIVE,
           .sample = {0.01, 10}, .doc = "speed of approach at which `value` is meant"),
    PC_ROW(pc_restitution_viscoelastic, value, "value", .initial = PC_ABSENT, .allowed = {0, 1, true, false},
           .sample = {0.05, 1}, .group = 1, .doc = "restitution at that speed, from which beta follows"),
    PC_ROW(pc_restitution_viscoelastic, beta, "beta", .greek = "β", .unit = {.m = -0.2f, .s = 0.2f},
           .initial = PC_ABSENT, .allowed = PC_NONNEGATIVE, .sample = {0, 1}, .group = 1,
           .doc = "3/2 A (rho/m)^(2/5) of a sphere with the force rho (u^1.5 + 3/2 A u^0.5 u') on the mass m"),
};

/* Mueller and Poeschel (2011), equations 16-18: over x = sqrt(beta) v^(1/10). */
static double pade(double x)
{
    double above = 1 + 0.501086 * x;
    return above / (above + x * x * (1.15345 + x * (0.577977 + x * 0.532178)));
}

static double pade_lack(double x, void *context)
{
    return pade(x) - *(const double *)context;
}

static pc_status viscoelastic_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_restitution_viscoelastic *p = object;
    (void)err;
    if (pc_schema_given(schema, given, "beta")) {
        p->value = pade(sqrt(p->beta) * pow(p->at, 0.1));
        return PC_OK;
    }
    /* e falls with x, and below 3/x^3 where x > 1 */
    double e = p->value, most = cbrt(3 / e);
    double x = e == 1 ? 0 : pc_root_between(pade_lack, &e, 0, 1 - e, most, pade(most) - e, 0);
    p->beta = x * x / pow(p->at, 0.2);
    return PC_OK;
}

SCHEMA(
    viscoelastic, .summary = "Restitution of a viscoelastic sphere, which contact.viscoelastic finds from its force.",
    .details = "In the form of Mueller and Poeschel (2011), which agrees with the series of Schwager and Poeschel "
               "(2008), 1 - 1.15344 b^2 + 0.79827 b^4 ..., for slow approaches, and is of use at any speed: its error "
               "is below 2e-4 where e > 0.85, and below 0.009. It tends to 1 as the speed to zero, but so slowly that "
               "bounces still accumulate: their speeds fall as n^-5.",
    .equations = "b = beta^(1/2) v^(1/10): at the speed of approach v\n"
                 "e = (1 + 0.501086 b)/(1 + 0.501086 b + 1.15345 b^2 + 0.577977 b^3 + 0.532178 b^4): by that number",
    .source = "Brilliantov, Spahn, Hertzsch and Poeschel, Phys. Rev. E 53 (1996); Schwager and Poeschel, Phys. Rev. E "
              "78 (2008); Mueller and Poeschel, Phys. Rev. E 84 (2011)",
    .example = "local e = percuss.restitution.viscoelastic{ at = 1, value = 0.8 }\n"
               "print(string.format('%.4f %.4f', e(0.01), e(10))) --> 0.9128 0.7089",
    .groups = {PC_EXACTLY_ONE}, .validate = viscoelastic_validate)

static double viscoelastic_at(const void *params, double speed)
{
    const pc_restitution_viscoelastic *p = params;
    return pade(sqrt(p->beta) * pow(speed, 0.1));
}

/* ---- a table of speeds and values ---- */

static const pc_row table_rows[] = {
    {.name = "speeds",
     .kind = PC_NUMBERS,
     .unit = PC_UNIT_M_PER_S,
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .doc = "of approach, two or more, ascending"},
    {.name = "values",
     .kind = PC_NUMBERS,
     .initial = PC_REQUIRED,
     .allowed = PC_BETWEEN(0, 1),
     .doc = "restitution at each of them"},
};

SCHEMA(
    table, .summary = "Restitution that was measured at some speeds of approach.",
    .details = "Between them a smooth curve, piecewise cubic, that rises and falls only where the values do; below the "
               "first speed and above the last one the value there.",
    .source = "Fritsch and Carlson, SIAM J. Numer. Anal. 17 (1980); slopes by Fritsch and Butland, SIAM J. Sci. Stat. "
              "Comput. 5 (1984)",
    .example = "local e = percuss.restitution.table{ speeds = { 0.1, 1, 5 }, values = { 0.95, 0.8, 0.6 } }\n"
               "print(e(0), e(1), e(9)) --> 0.95\t0.8\t0.6")

/* The slope at an end: that of the parabola through three points, unless the curve would turn round. */
static double end_slope(double h, double next, double d, double d_next)
{
    double slope = ((2 * h + next) * d - h * d_next) / (h + next);
    if (slope * d <= 0) return 0;
    return d * d_next < 0 && fabs(slope) > 3 * fabs(d) ? 3 * d : slope;
}

pc_status pc_restitution_table_fit(const pc_restitution_table *t, double *slope, pc_error *err)
{
    size_t n = t->n, last = n - 1;
    const double *v = t->speed, *e = t->value;
    if (n < 2) return pc_fail(err, PC_E_ARGUMENT, "restitution.table: speeds must be two or more, not %zu", n);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(v[i]) || !isfinite(e[i]))
            return pc_fail(err, PC_E_ARGUMENT, "restitution.table: row %zu is not finite", i + 1);
        if (i == 0 || v[i] > v[i - 1]) continue;
        return pc_fail(err, PC_E_ARGUMENT,
                       "restitution.table: speeds must ascend, but speeds[%zu] = %.10g m/s comes after %.10g m/s",
                       i + 1, v[i], v[i - 1]);
    }
    for (size_t i = 1; i < last; i++) { /* weighted harmonic mean of the slopes on both sides */
        double h = v[i] - v[i - 1], next = v[i + 1] - v[i], d = (e[i] - e[i - 1]) / h,
               d_next = (e[i + 1] - e[i]) / next;
        double w = 2 * next + h, w_next = next + 2 * h;
        slope[i] = d * d_next > 0 ? (w + w_next) / (w / d + w_next / d_next) : 0;
    }
    double h = v[1] - v[0], d = (e[1] - e[0]) / h, h_last = v[last] - v[last - 1],
           d_last = (e[last] - e[last - 1]) / h_last;
    slope[0] = n > 2 ? end_slope(h, v[2] - v[1], d, (e[2] - e[1]) / (v[2] - v[1])) : d;
    slope[last] = n > 2 ? end_slope(h_last, v[last - 1] - v[last - 2], d_last,
                                    (e[last - 1] - e[last - 2]) / (v[last - 1] - v[last - 2]))
                        : d;
    return PC_OK;
}

static double table_at(const void *params, double speed)
{
    const pc_restitution_table *t = params;
    size_t low = 0, high = t->n - 1;
    if (!(speed > t->speed[0])) return t->value[0];
    if (speed >= t->speed[high]) return t->value[high];
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(t->speed[middle] <= speed ? &low : &high) = middle;
    }
    double h = t->speed[high] - t->speed[low], x = (speed - t->speed[low]) / h, left = 1 - x;
    double e = t->value[low] * left * left * (1 + 2 * x) + t->value[high] * x * x * (1 + 2 * left) +
               h * x * left * (t->slope[low] * left - t->slope[high] * x);
    return fmin(fmax(e, 0), 1); /* by rounding alone it may leave that */
}

const pc_restitution_kind pc_restitution_kinds[] = {
    {&power_schema, power_at}, {&viscoelastic_schema, viscoelastic_at}, {&table_schema, table_at}};
const int pc_n_restitution_kinds = sizeof pc_restitution_kinds / sizeof *pc_restitution_kinds;
