/* Limits, ticks and bands: see figure.h. */
#include "chart/figure/figure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- limits --- */

typedef struct extent {
    double lo, hi; /* lo > hi: nothing seen */
} extent;

static void extend(extent *e, double value)
{
    if (value < e->lo) e->lo = value;
    if (value > e->hi) e->hi = value;
}

/* A point and what it reaches. */
static void extend_reach(extent *e, const double *lo, const double *hi, size_t i, double value, bool log)
{
    const double *const ends[2] = {lo, hi};
    extend(e, value);
    for (int k = 0; k < 2; k++) {
        if (ends[k] && isfinite(ends[k][i]) && (!log || ends[k][i] > 0)) extend(e, ends[k][i]);
    }
}

/* A text never narrows or widens the limits; spans widen x only up to finite ends. */
static void data_extent(const pc_panel *panel, extent *x, extent *y, extent *right)
{
    *x = *y = *right = (extent){INFINITY, -INFINITY};
    for (size_t k = 0; k < panel->n_series; k++) {
        const pc_series *series = &panel->series[k];
        for (size_t i = 0; i < series->n; i++) {
            if (!pc_panel_shows(panel, series, series->x[i], series->y[i])) continue;
            extend_reach(x, series->reach.x_lo, series->reach.x_hi, i, series->x[i], panel->x.log);
            /* a limit given for x restricts what y has to hold */
            bool inside =
                !(series->x[i] < fmin(panel->x.lo, panel->x.hi)) && !(series->x[i] > fmax(panel->x.lo, panel->x.hi));
            if (!inside) continue;
            bool log = pc_panel_axis_of(panel, series)->log;
            extend_reach(series->right ? right : y, series->reach.y_lo, series->reach.y_hi, i, series->y[i], log);
        }
    }
    for (size_t i = 0; i < panel->n_fields; i++) {
        for (int k = 0; k < 2; k++) {
            double first, last;
            bool log = k ? panel->y.log : panel->x.log;
            pc_field_reach(&panel->fields[i], k, log, &first, &last);
            if (!log || first > 0) extend(k ? y : x, first);
            if (!log || last > 0) extend(k ? y : x, last);
        }
    }
    for (size_t i = 0; i < panel->n_guides; i++) {
        const pc_guide *guide = &panel->guides[i];
        bool log = guide->vertical ? panel->x.log : panel->y.log;
        if (!log || guide->at > 0) extend(guide->vertical ? x : y, guide->at);
    }
    for (size_t i = 0; i < panel->n_spans; i++) {
        const double ends[2] = {panel->spans[i].lo, panel->spans[i].hi};
        for (int k = 0; k < 2; k++) {
            if (isfinite(ends[k]) && (!panel->x.log || ends[k] > 0)) extend(x, ends[k]);
        }
    }
}

/* Room around a single value, relative to its size. Below this relative width doubles hold too few values for an
 * axis, and the data counts as constant. */
static const double CONSTANT_MARGIN = 0.5;
static const double LEAST_RELATIVE_WIDTH = 1e-12;

static void resolve(const pc_axis *axis, extent data, double below, double above, pc_scale *scale)
{
    *scale = (pc_scale){.log = axis->log};
    if (data.lo > data.hi) data = axis->log ? (extent){1, 10} : (extent){0, 1};
    /* a single given limit beyond all data: the other follows it */
    if (!isnan(axis->lo) && isnan(axis->hi) && data.hi <= axis->lo) data.hi = axis->lo;
    if (!isnan(axis->hi) && isnan(axis->lo) && data.lo >= axis->hi) data.lo = axis->hi;
    double lo = isnan(axis->lo) ? data.lo : axis->lo, hi = isnan(axis->hi) ? data.hi : axis->hi;
    if (axis->log) {
        lo = log10(lo);
        hi = log10(hi);
    }
    double size = fmax(fabs(lo), fabs(hi));
    bool constant = fabs(hi - lo) <= LEAST_RELATIVE_WIDTH * size;
    double room = axis->log || size == 0 ? 0.5 : CONSTANT_MARGIN * size, width = hi - lo;
    if (isnan(axis->lo)) lo -= constant ? room : below * width;
    if (isnan(axis->hi)) hi += constant ? room : above * width;
    if (axis->log) {
        scale->lo = fmax(pow(10, lo), DBL_TRUE_MIN);
        scale->hi = fmin(pow(10, hi), DBL_MAX);
        return;
    }
    /* the largest doubles: keep the width finite */
    lo = fmax(lo, -DBL_MAX);
    hi = fmin(hi, DBL_MAX);
    if (!isfinite(hi - lo)) {
        lo = fmax(lo, -0.4 * DBL_MAX);
        hi = fmin(hi, 0.4 * DBL_MAX);
    }
    scale->lo = lo;
    scale->hi = hi;
}

void pc_scale_resolve(const pc_axis *axis, double lo, double hi, pc_scale *scale)
{
    resolve(axis, (extent){lo, hi}, 0, 0, scale);
}

/* The roundest step that gives at most `wanted` intervals: 1, 2, 2.5 or 5 times a power of ten. */
static double round_step(double width, int wanted)
{
    double raw = width / wanted, power = pow(10, floor(log10(raw)));
    static const double round[] = {1, 2, 2.5, 5, 10};
    for (size_t i = 0; i < sizeof round / sizeof *round; i++) {
        if (round[i] * power >= raw * (1 - 1e-9)) return round[i] * power;
    }
    return 10 * power;
}

/* A limit that nearly falls on a round value moves out to it: 0.001 to 0, 4.98 to 5. */
static void round_limits(const pc_axis *axis, pc_scale *scale)
{
    static const double near = 0.025; /* of the width */
    if (scale->log) return;
    double width = scale->hi - scale->lo, step = round_step(width, 5);
    double lo = floor(scale->lo / step) * step, hi = ceil(scale->hi / step) * step;
    if (isnan(axis->lo) && scale->lo - lo < near * width) scale->lo = lo;
    if (isnan(axis->hi) && hi - scale->hi < near * width) scale->hi = hi;
}

/* A circle around the origin that holds all points, of a round radius unless one is given. */
static void polar_limits(const pc_panel *panel, pc_scale *x, pc_scale *y)
{
    double radius = 0;
    for (size_t k = 0; k < panel->n_series; k++) {
        const pc_series *series = &panel->series[k];
        for (size_t i = 0; i < series->n; i++) {
            double r = hypot(series->x[i], series->y[i]);
            if (isfinite(r)) radius = fmax(radius, r);
        }
    }
    if (radius > 0.25 * DBL_MAX || radius == 0) radius = radius == 0 ? 1 : 0.25 * DBL_MAX;
    double step = round_step(radius, 4);
    radius = step * ceil(radius / step * (1 - 1e-9));
    if (panel->y.hi > 0) radius = panel->y.hi;
    *x = *y = (pc_scale){.lo = -radius, .hi = radius};
}

/* What stands on the axis: bars stand on it without a gap; labels of spans need room along the upper edge. */
static void y_limits(const pc_panel *panel, bool right, extent data, pc_scale *y)
{
    double below = 0.06, above = 0.06;
    for (size_t i = 0; i < panel->n_series; i++) {
        const pc_series *series = &panel->series[i];
        if (!series->kind->filled || series->right != right) continue;
        if (data.lo == 0) below = 0;
        if (data.hi == 0) above = 0;
    }
    for (size_t i = 0; i < panel->n_spans; i++) {
        if (panel->spans[i].label) above = 0.13;
    }
    /* a field reaches the frame */
    if (panel->n_fields > 0 && !right) below = above = 0;
    resolve(right ? &panel->right : &panel->y, data, below, above, y);
}

void pc_panel_limits(const pc_panel *panel, pc_scale *x, pc_scale *y)
{
    if (panel->polar) {
        polar_limits(panel, x, y);
        return;
    }
    extent data_x, data_y, data_right;
    data_extent(panel, &data_x, &data_y, &data_right);
    /* markers and bars keep off the sides, where no field fills the frame */
    bool wide = false;
    for (size_t i = 0; i < panel->n_series; i++) {
        wide = wide || panel->series[i].kind->marked || panel->series[i].kind->filled;
    }
    double beside = wide && panel->n_fields == 0 ? 0.04 : 0;
    resolve(&panel->x, data_x, beside, beside, x);
    if (panel->n_fields == 0) round_limits(&panel->x, x);
    y_limits(panel, false, data_y, y);
}

void pc_panel_right_limits(const pc_panel *panel, pc_scale *right)
{
    extent data_x, data_y, data_right;
    data_extent(panel, &data_x, &data_y, &data_right);
    y_limits(panel, true, data_right, right);
}

double pc_scale_position(const pc_scale *scale, double value)
{
    if (!scale->log) return (value - scale->lo) / (scale->hi - scale->lo);
    if (!(value > 0)) return NAN;
    return log(value / scale->lo) / log(scale->hi / scale->lo);
}

double pc_scale_value(const pc_scale *scale, double position)
{
    if (scale->log) return scale->lo * pow(scale->hi / scale->lo, position);
    return scale->lo + position * (scale->hi - scale->lo);
}

/* --- ticks --- */

static void add_tick(pc_scale *scale, double value, const char *text)
{
    if (scale->n_ticks == PC_TICKS_MAX) return;
    pc_tick *tick = &scale->ticks[scale->n_ticks++];
    tick->value = value;
    snprintf(tick->text, sizeof tick->text, "%s", text);
}

/* Writes a number with a true minus sign. */
static void number_text(char *text, size_t size, int decimals, double value)
{
    char digits[PC_TICK_TEXT - 4];
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
    bool zero = strspn(digits, "0.") == strlen(digits);
    snprintf(text, size, "%s%s", value < 0 && !zero ? "\u2212" : "", digits);
}

/* Decimals needed to write multiples of `step`. */
static int decimals_for(double step)
{
    int decimals = (int)ceil(-log10(step) - 1e-9);
    if (decimals < 0) return 0;
    /* 2.5, 0.25: one more digit than the power of ten says */
    double scaled = step * pow(10, decimals);
    return fabs(scaled - round(scaled)) > 1e-6 ? decimals + 1 : decimals;
}

/* Texts outside 1e-3..1e5 share a power of ten; where more than five digits of all texts would agree they share an
 * offset as well. */
static void linear_ticks(pc_scale *scale, int wanted)
{
    double lo = fmin(scale->lo, scale->hi), hi = fmax(scale->lo, scale->hi);
    double step = round_step(hi - lo, wanted), size = fmax(fabs(lo), fabs(hi));
    /* one tick does not make a scale */
    while (floor(hi / step) - ceil(lo / step) < 1) step = round_step(hi - lo, ++wanted);
    double offset = 0;
    if ((hi - lo) < 1e-5 * size) {
        double grain = pow(10, ceil(log10(hi - lo)));
        offset = ceil(0.5 * (lo + hi) / grain - 0.5) * grain; /* halves go down: 0 to 1 beside -1 to 0 */
    }
    double largest = offset != 0 ? hi - lo : size;
    int exponent = (int)floor(log10(largest) + 1e-9);
    if (exponent > -4 && exponent < 5) exponent = 0;
    double unit = pow(10, exponent);
    int decimals = decimals_for(step / unit);
    int n = 0;
    for (double k = ceil(lo / step - 1e-6); k * step <= hi + 1e-6 * step && n < PC_TICKS_MAX; k++, n++) {
        char text[PC_TICK_TEXT];
        number_text(text, sizeof text, decimals, (k * step - offset) / unit);
        add_tick(scale, k * step, text);
    }
    size_t used = 0;
    if (exponent) used = (size_t)snprintf(scale->common, sizeof scale->common, "×10^{%d}", exponent);
    if (offset != 0)
        snprintf(scale->common + used, sizeof scale->common - used, "%s%s %.15g", used ? " " : "",
                 offset < 0 ? "−" : "+", fabs(offset));
}

static int count_labelled(const pc_scale *scale)
{
    int n = 0;
    for (int i = 0; i < scale->n_ticks; i++) n += scale->ticks[i].text[0] != '\0';
    return n;
}

/* Every `each`-th decade is labelled. Single decades have minor ticks, and where there are few the twos and fives are
 * labelled too. */
static void log_ticks(pc_scale *scale, int first, int last, int each)
{
    double lo = fmin(scale->lo, scale->hi), hi = fmax(scale->lo, scale->hi);
    bool minor = each == 1 && last - first <= 6, plain = first >= -3 && last <= 4;
    scale->n_ticks = 0;
    for (int decade = first - (first % each + each) % each; decade <= last; decade += each) {
        double power = pow(10, decade);
        char text[PC_TICK_TEXT];
        if (plain)
            snprintf(text, sizeof text, "%g", power);
        else
            snprintf(text, sizeof text, "10^{%d}", decade);
        if (power >= lo * (1 - 1e-9) && power <= hi * (1 + 1e-9)) add_tick(scale, power, text);
        for (int k = 2; minor && k < 10; k++) {
            bool labelled = last - first <= 2 && (k == 2 || k == 5);
            if (plain)
                snprintf(text, sizeof text, "%g", k * power);
            else
                snprintf(text, sizeof text, "%d×10^{%d}", k, decade);
            if (k * power >= lo && k * power <= hi) add_tick(scale, k * power, labelled ? text : "");
        }
    }
}

void pc_scale_set_ticks(pc_scale *scale, int wanted)
{
    scale->n_ticks = 0;
    scale->common[0] = '\0';
    if (wanted < 1) wanted = 1;
    if (scale->log) {
        int first = (int)floor(log10(fmin(scale->lo, scale->hi)) + 1e-9);
        int last = (int)ceil(log10(fmax(scale->lo, scale->hi)) - 1e-9);
        int each = (int)ceil((double)(last - first) / wanted);
        do log_ticks(scale, first, last, each > 1 ? each : 1);
        while (count_labelled(scale) < 2 && --each > 0);
        if (count_labelled(scale) >= 2) return;
        /* within half a decade a logarithmic axis looks linear, and round numbers read better */
        scale->n_ticks = 0;
    }
    linear_ticks(scale, wanted);
}

/* --- fields --- */

void pc_field_scale(const pc_field *field, pc_scale *z)
{
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < field->nx * field->ny; i++) {
        double value = field->values[0][i];
        if (!isfinite(value) || (field->z.log && value <= 0)) continue;
        if (value < lo) lo = value;
        if (value > hi) hi = value;
    }
    if (field->palette->diverging && !field->z.log && lo <= hi) {
        hi = fmax(fabs(lo), fabs(hi));
        lo = -hi;
    }
    pc_scale_resolve(&field->z, lo, hi, z);
}

int pc_field_levels(const pc_field *field, double levels[PC_LEVELS_MAX])
{
    int n = 0;
    if (field->levels) {
        for (size_t i = 0; i < field->n_levels; i++) levels[n++] = field->levels[i];
        return n;
    }
    pc_scale z;
    pc_field_scale(field, &z);
    pc_scale_set_ticks(&z, field->about);
    for (int i = 0; i < z.n_ticks; i++) {
        if (z.ticks[i].text[0]) levels[n++] = z.ticks[i].value;
    }
    return n;
}

void pc_field_level_text(double level, char *text, size_t size)
{
    /* six digits: what rounding left in 3 * 0.1 does not show */
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", fabs(level));
    char *exponent = strchr(digits, 'e');
    const char *sign = level < 0 ? "\u2212" : "";
    if (exponent) {
        *exponent = '\0';
        snprintf(text, size, "%s%s×10^{%d}", sign, digits, atoi(exponent + 1));
    } else {
        snprintf(text, size, "%s%s", sign, digits);
    }
}

void pc_field_edges(const double *lines, size_t n, bool log, double *edges)
{
    for (size_t i = 1; i < n; i++) {
        edges[i] = log && lines[i - 1] > 0 ? sqrt(lines[i - 1]) * sqrt(lines[i]) : 0.5 * lines[i - 1] + 0.5 * lines[i];
    }
    if (log && lines[0] > 0) {
        edges[0] = lines[0] * (lines[0] / edges[1]);
        edges[n] = lines[n - 1] * (lines[n - 1] / edges[n - 1]);
    } else {
        edges[0] = lines[0] - (edges[1] - lines[0]);
        edges[n] = lines[n - 1] + (lines[n - 1] - edges[n - 1]);
    }
}

void pc_field_reach(const pc_field *field, bool along_y, bool log, double *first, double *last)
{
    const double *lines = along_y ? field->y : field->x;
    size_t n = along_y ? field->ny : field->nx;
    *first = lines[0];
    *last = lines[n - 1];
    if (!field->kind->shaded || field->kind->banded) return;
    double edges[3];
    pc_field_edges(lines, 2, log, edges);
    *first = edges[0];
    pc_field_edges(lines + n - 2, 2, log, edges);
    *last = edges[2];
}

/* --- bands --- */

void pc_bands_make(const pc_field *field, pc_bands *bands)
{
    bands->field = field;
    pc_field_scale(field, &bands->z);
    bands->n_levels = pc_field_levels(field, bands->levels);
}

int pc_bands_find(const pc_bands *bands, double value)
{
    if (!isfinite(value) || isnan(pc_scale_position(&bands->z, value))) return -1;
    int lo = 0, hi = bands->n_levels;
    while (lo < hi) {
        int middle = (lo + hi) / 2;
        if (value >= bands->levels[middle])
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* A level on the palette; NaN, below a logarithmic scale, counts as its beginning. */
static double level_place(const pc_bands *bands, int level)
{
    double at = pc_scale_position(&bands->z, bands->levels[level]);
    return isnan(at) ? 0 : fmin(fmax(at, 0), 1);
}

double pc_bands_position(const pc_bands *bands, int band)
{
    double from = band > 0 ? level_place(bands, band - 1) : 0,
           to = band < bands->n_levels ? level_place(bands, band) : 1;
    return 0.5 * (from + to);
}

/* The last grid line at or below a value, n - 2 at most, or -1 outside of the grid. */
static int line_below(const double *lines, size_t n, double value)
{
    if (!(value >= lines[0] && value <= lines[n - 1])) return -1;
    size_t lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        size_t middle = (lo + hi) / 2;
        if (value >= lines[middle])
            lo = middle;
        else
            hi = middle;
    }
    return (int)lo;
}

double pc_bands_value(const pc_bands *bands, double x, double y)
{
    const pc_field *f = bands->field;
    int i = line_below(f->x, f->nx, x), j = line_below(f->y, f->ny, y);
    if (i < 0 || j < 0) return (double)NAN;
    const double *near = f->values[0] + (size_t)i * f->ny + (size_t)j, *far = near + f->ny;
    double u = (x - f->x[i]) / (f->x[i + 1] - f->x[i]), v = (y - f->y[j]) / (f->y[j + 1] - f->y[j]);
    return (1 - u) * ((1 - v) * near[0] + v * near[1]) + u * ((1 - v) * far[0] + v * far[1]);
}
