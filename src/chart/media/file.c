/* Files of figures: see media.h. */
#include "chart/media/media.h"

#include "base/files.h"
#include "chart/paint/paint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const pc_format pc_formats[] = {
    [PC_FORMAT_PNG] = {"png", "pngcairo", 0},
    /* lengths in points of 1/72 inch */
    {"svg", NULL, 0.75},
    {"pdf", "pdfcairo", 0.75},
    {NULL, NULL, 0},
};

pc_status pc_format_of_path(const char *path, const pc_format **format, pc_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    for (const pc_format *f = pc_formats; f->ending; f++) {
        if (dot && dot > name && strcmp(dot + 1, f->ending) == 0) {
            *format = f;
            return PC_OK;
        }
    }
    return pc_fail(err, PC_E_ARGUMENT, "the name of a chart's file must end in .png, .svg or .pdf, not \"%s\"", path);
}

pc_status pc_figure_render(const pc_figure *figure, const pc_format *format, double dpi, pc_buffer *bytes,
                           pc_error *err)
{
    if (!(dpi >= PC_DPI_MIN && dpi <= PC_DPI_MAX)) {
        return pc_fail(err, PC_E_ARGUMENT, "dpi = %g is not allowed: from %d to %d dots an inch", dpi, PC_DPI_MIN,
                       PC_DPI_MAX);
    }
    pc_layout layout;
    pc_status status = pc_layout_make(figure, &layout, err);
    if (status) return status;
    const double scale = format->scale > 0 ? format->scale : dpi / 96, side = fmax(layout.width, layout.height) * scale;
    if (side > 2 * PC_FIGURE_SIDE_MAX)
        status = pc_fail(err, PC_E_ARGUMENT, "%.0f dots a side are too many: at most %d", side, 2 * PC_FIGURE_SIDE_MAX);
    else if (format->device)
        status = pc_plplot_render(figure, &layout, format->device, scale, bytes, err);
    else
        status = pc_svg_render(figure, &layout, bytes, err);
    pc_layout_free(&layout);
    return status;
}

pc_status pc_figure_pixels(const pc_figure *figure, int width, int height, double dpi, pc_buffer *pixels, pc_error *err)
{
    if (width < 16 || height < 16 || width > 2 * PC_FIGURE_SIDE_MAX || height > 2 * PC_FIGURE_SIDE_MAX) {
        return pc_fail(err, PC_E_ARGUMENT, "%d x %d dots is not a size for a picture", width, height);
    }
    pc_figure sized = *figure;
    double scale = dpi / 96;
    sized.width = (int)lround(width / scale);
    sized.height = (int)lround(height / scale);
    pc_layout layout;
    pc_status status = pc_layout_make(&sized, &layout, err);
    if (status) return status;
    /* the device draws exactly what the layout rounds to */
    layout.width = width / scale;
    layout.height = height / scale;
    status = pc_plplot_pixels(&sized, &layout, scale, pixels, err);
    pc_layout_free(&layout);
    return status;
}

pc_status pc_figure_save(const pc_figure *figure, const char *path, double dpi, pc_error *err)
{
    const pc_format *format;
    pc_status status = pc_format_of_path(path, &format, err);
    if (status) return status;
    pc_buffer bytes = {0};
    pc_outfile file = {0};
    status = pc_figure_render(figure, format, dpi, &bytes, err);
    if (!status) status = pc_outfile_open(&file, path, err);
    if (!status) {
        /* a short write shows when the file is committed */
        fwrite(bytes.data, 1, bytes.size, file.stream);
        status = pc_outfile_commit(&file, err);
    }
    pc_buffer_free(&bytes);
    return status;
}
