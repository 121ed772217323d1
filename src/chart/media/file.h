/* Figures as files. */
#ifndef PC_CHART_FILE_H
#define PC_CHART_FILE_H

#include "chart/figure/figure.h"
#include "chart/figure/label.h"

/* A kind of file, known by the ending of its name. */
typedef struct pc_format {
    const char *ending; /* "png" */
    const char *device; /* PLplot's name; NULL: the file is written here (svg.c) */
    double scale;       /* device units a pixel, where dots an inch have no meaning; 0: dpi / 96 */
} pc_format;

extern const pc_format pc_formats[]; /* ends with a NULL ending */
enum { PC_FORMAT_PNG };              /* its place in the list */

/* The format that a path asks for by its ending, or PC_E_ARGUMENT naming those that exist. */
pc_status pc_format_of_path(const char *path, const pc_format **format, pc_error *err);

/* The bytes of a file. dpi: dots an inch, where the format has dots; 96 draws a figure at its size in pixels. */
pc_status pc_figure_render(const pc_figure *figure, const pc_format *format, double dpi, pc_buffer *bytes,
                           pc_error *err);

/* Pixels of width x height dots, three bytes each, the upper row first. The figure is laid out for this size. */
pc_status pc_figure_pixels(const pc_figure *figure, int width, int height, double dpi, pc_buffer *pixels,
                           pc_error *err);

/* Write a file whole or not at all: the bytes go to a new file beside it, which then takes its name. */
pc_status pc_figure_save(const pc_figure *figure, const char *path, double dpi, pc_error *err);

enum { PC_DPI_MIN = 24, PC_DPI_MAX = 1200 };

#endif
