/* Figures with a curve to test. */
#ifndef TESTS_C_CHART_CURVES_H
#define TESTS_C_CHART_CURVES_H

#include "unit.h"

static pc_figure *new_figure(pc_panel **panel)
{
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(figure, panel, NULL), PC_OK);
    return figure;
}

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n, const char *label)
{
    pc_status s = pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, n, label, (pc_style){0}, NULL);
    ck_assert_int_eq(s, PC_OK);
}

#endif
