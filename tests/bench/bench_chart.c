/* Time to draw a line chart of 10,000 and of a million points, by device. The first chart of a process also opens
 * PLplot's driver and the fonts; it is told apart. */
#include "chart/render.h"
#include "chart/terminal.h"

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
    const pc_terminal terminal = {true, true, true, 100, 40, 9, 18, ways[device - 3]};
    return pc_figure_inline(figure, &terminal, bytes, NULL);
}

int main(void)
{
    static const char *const devices[] = {"png", "svg", "pdf", "sixel", "kitty", "braille"};
    pc_buffer bytes = {0};
    int code = EXIT_SUCCESS;
    for (size_t n = 10000; n <= 1000000; n *= 100) {
        pc_figure *figure = make_figure(n);
        if (!figure) return EXIT_FAILURE;
        for (int device = 0; device < 6; device++) {
            double best = INFINITY, first = 0;
            for (int repeat = 0; repeat < 12; repeat++) {
                double start = seconds();
                if (draw(figure, device, &bytes)) code = EXIT_FAILURE;
                double spent = seconds() - start;
                if (repeat == 0) first = spent;
                best = fmin(best, spent);
            }
            printf("%8zu points to %-7s %7.2f ms  (first %7.2f ms)  %8zu bytes\n", n, devices[device], 1e3 * best,
                   1e3 * first, bytes.size);
        }
        pc_figure_free(figure);
    }
    pc_buffer_free(&bytes);
    return code;
}
