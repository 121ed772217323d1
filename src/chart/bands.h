/* Areas between the levels of a field, each of one colour. */
#ifndef PC_CHART_BANDS_H
#define PC_CHART_BANDS_H

#include "chart/field.h"

/* Band i lies between level i - 1 and level i; the first and the last have no end. */
typedef struct pc_bands {
    const pc_field *field;
    pc_scale z;
    int n_levels;
    double levels[PC_LEVELS_MAX];
} pc_bands;

void pc_bands_make(const pc_field *field, pc_bands *bands);

/* The band of a value, or -1 where it is not finite or not on the scale. */
int pc_bands_find(const pc_bands *bands, double value);

/* Where the colour of a band stands on the palette, from 0 to 1: at the middle of its part of the scale. */
double pc_bands_position(const pc_bands *bands, int band);

/* Value at a point of the axes, linear in x and in y between grid points; NaN outside of the grid and in a cell that
 * has a corner without value. */
double pc_bands_value(const pc_bands *bands, double x, double y);

#endif
