/* Areas between levels: see bands.h. */
#include "chart/bands.h"

#include <math.h>

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
static double place(const pc_bands *bands, int level)
{
    double at = pc_scale_position(&bands->z, bands->levels[level]);
    return isnan(at) ? 0 : fmin(fmax(at, 0), 1);
}

double pc_bands_position(const pc_bands *bands, int band)
{
    double from = band > 0 ? place(bands, band - 1) : 0, to = band < bands->n_levels ? place(bands, band) : 1;
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
