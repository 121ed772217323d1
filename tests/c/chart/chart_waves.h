/* Figures of waves to test. */
#ifndef TESTS_C_CHART_WAVES_H
#define TESTS_C_CHART_WAVES_H

#include "chart_figure.h"

#include <math.h>

enum { N = 101 };

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n, const char *label,
                const char *colour)
{
    pc_style style = {.dash = PC_DASH_SOLID};
    if (colour) ck_assert(pc_colour_parse(colour, &style.colour));
    ck_assert_int_eq(pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, n, label, style, NULL), PC_OK);
}

/* One and a half waves; the same in all tests that look at what was drawn. */
static pc_figure *wave_figure(pc_panel **panel)
{
    double x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = 3.0 * i / (N - 1);
        y[i] = sin(3 * x[i]);
    }
    pc_figure *figure = new_figure(panel);
    add(*panel, "line", x, y, N, "F_t/μ", "#ff0000");
    return figure;
}

static void render(const pc_figure *figure, const char *path, pc_buffer *bytes)
{
    const pc_format *format;
    pc_error err = {0};
    ck_assert_int_eq(pc_format_of_path(path, &format, NULL), PC_OK);
    pc_status status = pc_figure_render(figure, format, 96, bytes, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

#endif
