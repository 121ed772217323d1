/* Figures with fields to test, and functions to fill them. */
#ifndef TESTS_C_CHART_FIELD_SAMPLES_H
#define TESTS_C_CHART_FIELD_SAMPLES_H

#include "chart/figure/figure.h"

#include "unit.h"

#include <math.h>

static pc_figure *new_figure(pc_panel **panel)
{
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_set_size(figure, 640, 400, 1, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(figure, panel, NULL), PC_OK);
    return figure;
}

/* A function of x and y on an n x m grid over [-2, 2] x [-1, 1]. */
typedef double (*function)(double x, double y);

enum { NX = 41, NY = 31 };

static pc_field *add_field(pc_panel *panel, const char *kind, function f, function g)
{
    static double x[NX], y[NY], values[2][NX * NY];
    for (int i = 0; i < NX; i++) x[i] = -2 + 4.0 * i / (NX - 1);
    for (int j = 0; j < NY; j++) y[j] = -1 + 2.0 * j / (NY - 1);
    for (int i = 0; i < NX; i++) {
        for (int j = 0; j < NY; j++) {
            values[0][i * NY + j] = f(x[i], y[j]);
            values[1][i * NY + j] = g ? g(x[i], y[j]) : 0;
        }
    }
    pc_field *field;
    pc_error err = {0};
    pc_status status = pc_panel_add_field(panel, pc_field_kind_find(kind), x, NX, y, NY,
                                          (const double *const[]){values[0], values[1]}, &field, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
    return field;
}

static double bowl(double x, double y)
{
    return x * x + 4 * y * y;
}

static double saddle(double x, double y)
{
    return x * y;
}

static double slope(double x, double y)
{
    (void)y;
    return x;
}

static double minus_y(double x, double y)
{
    (void)x;
    return -y;
}

static double one(double x, double y)
{
    (void)x;
    (void)y;
    return 1;
}

static double zero(double x, double y)
{
    (void)x;
    (void)y;
    return 0;
}

static double nothing(double x, double y)
{
    (void)x;
    (void)y;
    return NAN;
}

static double half_known(double x, double y)
{
    (void)y;
    return x < 0 ? (double)NAN : x;
}

#endif
