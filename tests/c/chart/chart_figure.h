/* The figure that tests of charts draw in: one panel, 640 x 400 pixels. */
#ifndef TESTS_C_CHART_FIGURE_H
#define TESTS_C_CHART_FIGURE_H

#include "chart/media/media.h"

#include "unit.h"

enum { WIDTH = 640, HEIGHT = 400 };

static pc_figure *new_figure(pc_panel **panel)
{
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_set_size(figure, WIDTH, HEIGHT, 1, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(figure, panel, NULL), PC_OK);
    return figure;
}

#endif
