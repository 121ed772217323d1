/* Panels with data to test. */
#ifndef TESTS_C_CHART_PANELS_H
#define TESTS_C_CHART_PANELS_H

#include "chart/figure/figure.h"

#include "unit.h"

#include <stdbool.h>
#include <stdint.h>

/* A small generator of our own keeps the cases the same everywhere (Marsaglia's xorshift). */
static uint64_t state = 88172645463325252u;

static double uniform(double lo, double hi)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return lo + (hi - lo) * (double)(state >> 11) / 9007199254740992.0;
}

static pc_panel *new_panel(pc_figure **figure)
{
    pc_panel *panel;
    ck_assert_int_eq(pc_figure_new(figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(*figure, &panel, NULL), PC_OK);
    return panel;
}

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n)
{
    pc_status status = pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, n, "s", (pc_style){0}, NULL);
    ck_assert_int_eq(status, PC_OK);
}

static bool within(pc_box inner, pc_box outer)
{
    return inner.x0 >= outer.x0 && inner.x1 <= outer.x1 && inner.y0 >= outer.y0 && inner.y1 <= outer.y1;
}

#endif
