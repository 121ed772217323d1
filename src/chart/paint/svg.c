/* Figures as SVG 1.1: see paint.h. Type is text, in the reader's sans-serif face. */
#include "chart/paint/paint.h"

#include <math.h>

static const double POINTS = 0.75; /* of 1/72 inch a pixel */

typedef struct svg_ink {
    pc_ink ink;
    pc_buffer *out;
} svg_ink;

static void put_points(pc_buffer *out, const double *x, const double *y, int n)
{
    pc_buffer_print(out, " points=\"");
    for (int i = 0; i < n; i++) pc_buffer_print(out, "%s%.2f,%.2f", i ? " " : "", POINTS * x[i], POINTS * y[i]);
    pc_buffer_print(out, "\"/>\n");
}

static void ink_line(pc_ink *ink, pc_colour c, double width, const double *x, const double *y, int n)
{
    pc_buffer *out = ((svg_ink *)ink)->out;
    pc_buffer_print(out, "<polyline stroke=\"#%02X%02X%02X\" stroke-width=\"%.3g\"", c.red, c.green, c.blue,
                    POINTS * width);
    put_points(out, x, y, n);
}

static void ink_area(pc_ink *ink, pc_colour c, const double *x, const double *y, int n)
{
    pc_buffer *out = ((svg_ink *)ink)->out;
    pc_buffer_print(out, "<polygon fill=\"#%02X%02X%02X\"", c.red, c.green, c.blue);
    put_points(out, x, y, n);
}

/* Letters, with what XML would take for marks as numbers. */
static void put_letters(pc_buffer *out, const char *letters, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (letters[i] == '<' || letters[i] == '&')
            pc_buffer_print(out, "&#%d;", letters[i]);
        else
            pc_buffer_append(out, &letters[i], 1);
    }
}

/* The page's y runs up, that of letters down; half the height of a capital centres a text. */
static void ink_text(pc_ink *ink, double x, double y, const char *label, const pc_type_style *style)
{
    static const double capital = 0.36, up = 0.38, down = -0.22, script = 0.75; /* of the height of type */
    pc_buffer *out = ((svg_ink *)ink)->out;
    const double size = POINTS * style->height, u = cos(style->turn), v = sin(style->turn);
    const char *anchor = style->just < 0.25 ? "start" : style->just <= 0.75 ? "middle" : "end";
    const pc_colour c = style->colour;
    pc_buffer_print(out, "<text fill=\"#%02X%02X%02X\" font-size=\"%.2f\"%s text-anchor=\"%s\" y=\"%.2f\"", c.red,
                    c.green, c.blue, size, style->bold ? " font-weight=\"bold\"" : "", anchor, capital * size);
    pc_buffer_print(out, " transform=\"matrix(%.4f %.4f %.4f %.4f %.2f %.2f)\">", u, v, v, -u, POINTS * x, POINTS * y);
    pc_label_reader r = {label, 0};
    double raised = 0;
    for (pc_label_piece p; pc_label_read(&r, &p);) {
        double wanted = p.height > 0 ? up : p.height < 0 ? down : 0;
        bool span = wanted != raised || p.height;
        if (span) {
            pc_buffer_print(out, "<tspan dy=\"%.2f\"", (raised - wanted) * size);
            if (p.height) pc_buffer_print(out, " font-size=\"%.2f\"", script * size);
            pc_buffer_put(out, '>');
        }
        put_letters(out, p.start, p.size);
        if (span) pc_buffer_print(out, "</tspan>");
        raised = wanted;
    }
    pc_buffer_print(out, "</text>\n");
}

pc_status pc_svg_render(const pc_figure *figure, const pc_layout *layout, pc_buffer *bytes, pc_error *err)
{
    svg_ink svg = {{POINTS, ink_line, ink_area, ink_text}, bytes};
    const double width = POINTS * layout->width, height = POINTS * layout->height;
    pc_buffer_print(
        bytes,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
        "width=\"%gpt\" height=\"%gpt\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" "
        "xml:space=\"preserve\">\n<g transform=\"matrix(1 0 0 -1 0 %g)\" fill=\"none\">\n",
        width, height, width, height, height);
    pc_status status = pc_paint_figure(figure, layout, &svg.ink, err);
    pc_buffer_print(bytes, "</g>\n</svg>\n");
    return status ? status : pc_buffer_status(bytes, err);
}
