/* Time to draw a line chart of 10,000 and of a million points, and fields on grids, by device. The first chart of a
 * process also opens PLplot's driver and the fonts; it is told apart. */
#include "chart/figure/figure.h"
#include "chart/media/media.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static pc_figure *make_figure(size_t n)
{
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    pc_figure *figure = NULL;
    pc_panel *panel;
    for (size_t i = 0; x && y && i < n; i++) {
        x[i] = (double)i / (double)n;
        y[i] = sin(20 * x[i]) * exp(-2 * x[i]);
    }
    bool made = x && y && pc_figure_new(&figure, NULL) == PC_OK && pc_figure_add_panel(figure, &panel, NULL) == PC_OK &&
                pc_panel_set_text(&panel->x.label, "ω_0 t", NULL) == PC_OK &&
                pc_panel_set_text(&panel->y.label, "F_n", NULL) == PC_OK &&
                pc_panel_add_series(panel, &pc_series_kinds[0], x, y, n, "F_n", (pc_style){0}, NULL) == PC_OK;
    free(x);
    free(y);
    if (made) return figure;
    pc_figure_free(figure);
    return NULL;
}

static pc_status draw(const pc_figure *figure, int device, pc_buffer *bytes)
{
    pc_buffer_clear(bytes);
    if (device < 3) return pc_figure_render(figure, &pc_formats[device], 96, bytes, NULL);
    static const pc_way ways[] = {PC_WAY_SIXEL, PC_WAY_KITTY, PC_WAY_BRAILLE};
    const pc_terminal terminal = {.is_terminal = true,
                                  .utf8 = true,
                                  .colour = true,
                                  .columns = 100,
                                  .rows = 40,
                                  .cell_width = 9,
                                  .cell_height = 18,
                                  .way = ways[device - 3]};
    return pc_figure_inline(figure, &terminal, bytes, NULL);
}

/* A field of a kind on an n x n grid: a few hills, and their gradient. */
static pc_figure *make_field(const char *kind, size_t n)
{
    double *x = malloc(n * sizeof *x), *values[2] = {malloc(n * n * sizeof *x), malloc(n * n * sizeof *x)};
    pc_figure *figure = NULL;
    pc_panel *panel;
    pc_field *field;
    bool made = x && values[0] && values[1] && pc_figure_new(&figure, NULL) == PC_OK &&
                pc_figure_add_panel(figure, &panel, NULL) == PC_OK;
    for (size_t i = 0; made && i < n; i++) x[i] = 6.0 * (double)i / (double)(n - 1);
    for (size_t i = 0; made && i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            values[0][i * n + j] = sin(x[i]) * cos(x[j]);
            values[1][i * n + j] = cos(x[i]) * sin(x[j]);
        }
    }
    made = made && pc_panel_add_field(panel, pc_field_kind_find(kind), x, n, x, n,
                                      (const double *const[]){values[0], values[1]}, &field, NULL) == PC_OK;
    free(x);
    free(values[0]);
    free(values[1]);
    if (made) return figure;
    pc_figure_free(figure);
    return NULL;
}

static const char *const devices[] = {"png", "svg", "pdf", "sixel", "kitty", "braille"};

/* Times a figure on every device; false if one cannot draw it. */
static bool time_figure(const pc_figure *figure, const char *what, size_t n, pc_buffer *bytes)
{
    bool drawn = true;
    for (int device = 0; device < 6; device++) {
        double best = INFINITY, first = 0;
        for (int repeat = 0; repeat < 12; repeat++) {
            double start = seconds();
            if (draw(figure, device, bytes)) drawn = false;
            double spent = seconds() - start;
            if (repeat == 0) first = spent;
            best = fmin(best, spent);
        }
        printf("%8zu %-12s to %-7s %7.2f ms  (first %7.2f ms)  %8zu bytes\n", n, what, devices[device], 1e3 * best,
               1e3 * first, bytes->size);
    }
    return drawn;
}

int main(void)
{
    pc_buffer bytes = {0};
    int code = EXIT_SUCCESS;
    for (size_t n = 10000; n <= 1000000; n *= 100) {
        pc_figure *figure = make_figure(n);
        if (!figure || !time_figure(figure, "points", n, &bytes)) code = EXIT_FAILURE;
        pc_figure_free(figure);
    }
    for (size_t n = 50; n <= 1000; n = n == 50 ? 200 : 5 * n) {
        for (int k = 0; pc_field_kinds[k].name; k++) {
            pc_figure *figure = make_field(pc_field_kinds[k].name, n);
            if (!figure || !time_figure(figure, pc_field_kinds[k].name, n * n, &bytes)) code = EXIT_FAILURE;
            pc_figure_free(figure);
        }
    }
    pc_buffer_free(&bytes);
    return code;
}
