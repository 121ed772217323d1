/* Painting figures: see paint.h.
 *
 * World coordinates are the layout's pixels over the whole page, so that everything stands where the layout says;
 * PLplot turns them into strokes and type for the device. Curves arrive clipped and dashed by curve.h, which keeps
 * dashes even at every resolution.
 *
 * Order: tints, grid, reference lines, curves, frame, texts, legend: what is read last is drawn last.
 */
#include "chart/paint.h"

#include "chart/label.h"

#include <plplot.h>

#include <math.h>

typedef struct painter {
    const pc_figure *figure;
    const pc_theme *theme;
    const pc_type_sizes *type;
    pc_page page;
    pc_buffer text; /* work space */
} painter;

/* --- strokes, areas, type --- */

/* Colours go through one entry of PLplot's map: devices take the colour at the time of drawing. */
static void set_colour(pc_colour colour)
{
    plscol0(1, colour.red, colour.green, colour.blue);
    plcol0(1);
}

static void set_pen(const painter *p, pc_colour colour, double width)
{
    set_colour(colour);
    plwidth(width * p->page.scale);
}

static void stroke_line(double x0, double y0, double x1, double y1)
{
    const double x[2] = {x0, x1}, y[2] = {y0, y1};
    plline(2, x, y);
}

static void fill_shape(const painter *p, pc_colour colour, const double *x, const double *y, int n)
{
    /* devices outline an area with the pen: make that invisible */
    set_pen(p, colour, 0.02);
    plfill(n, x, y);
}

static void fill_box(const painter *p, pc_colour colour, pc_box b)
{
    const double x[4] = {b.x0, b.x1, b.x1, b.x0}, y[4] = {b.y0, b.y0, b.y1, b.y1};
    fill_shape(p, colour, x, y, 4);
}

static void stroke_box(const painter *p, pc_colour colour, double width, pc_box b)
{
    const double x[5] = {b.x0, b.x1, b.x1, b.x0, b.x0}, y[5] = {b.y0, b.y0, b.y1, b.y1, b.y0};
    set_pen(p, colour, width);
    plline(5, x, y);
}

/* Millimetres of PLplot's character height for type of `height` device units: devices take 72 units an inch and set
 * type for 96 dots an inch. */
static double character_height(const painter *p, double height)
{
    double units = height * p->page.scale;
    if (p->page.whole_font_size) units = floor(units + 0.5) + 0.1;
    return units * 0.75 * 25.4 / 72;
}

typedef struct type_style {
    double height;
    pc_colour colour;
    double just;  /* 0 begins, 0.5 is centred, 1 ends at the point */
    bool upright; /* runs upwards */
    bool bold;
    double room; /* type shrinks to fit into this width; 0: as wide as it is */
} type_style;

static void draw_text(painter *p, double x, double y, const char *label, type_style style)
{
    if (!label || !*label) return;
    double height = style.height, width = pc_label_width(label) * height * (style.bold ? 1.1 : 1);
    if (style.room > 0 && width > style.room) height *= fmax(0.6, style.room / width);
    pc_buffer_clear(&p->text);
    pc_label_plplot(label, &p->text);
    set_colour(style.colour);
    plsfont(PL_FCI_SANS, PL_FCI_UPRIGHT, style.bold ? PL_FCI_BOLD : PL_FCI_MEDIUM);
    plschr(character_height(p, height), 1);
    plptex(x, y, style.upright ? 0 : 1, style.upright ? 1 : 0, style.just, pc_buffer_text(&p->text));
}

/* --- curves --- */

static void stroke_run(void *context, const double *x, const double *y, int n)
{
    (void)context;
    if (n > 1) plline(n, x, y);
}

typedef struct curve_pen {
    const painter *painter;
    pc_dash dash;
    double width;
    pc_colour colour;
} curve_pen;

/* Corners of a marker of radius 1: n equal steps from an angle in eighths of a turn. Different series get different
 * shapes for copies without colour. */
typedef struct shape {
    int corners;
    double start, radius;
} shape;

static const shape shapes[] = {{14, 0, 1}, {4, 1, 1.2}, {3, 2, 1.3}, {4, 0, 1.25}};

typedef struct marker_pen {
    const painter *painter;
    const shape *shape;
    double radius;
    pc_colour colour;
} marker_pen;

static void draw_marker(void *context, const double *x, const double *y, int n)
{
    const marker_pen *pen = context;
    double px[16], py[16];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < pen->shape->corners; k++) {
            double angle = 6.283185307179586 * (pen->shape->start / 8 + (double)k / pen->shape->corners);
            px[k] = x[i] + pen->radius * pen->shape->radius * cos(angle);
            py[k] = y[i] + pen->radius * pen->shape->radius * sin(angle);
        }
        plfill(pen->shape->corners, px, py);
    }
}

static void stroke_dashed(void *context, const double *x, const double *y, int n)
{
    const curve_pen *pen = context;
    if (n == 1) {
        /* a point between two gaps: a line has no length to draw, a dot shows it */
        marker_pen dot = {pen->painter, &shapes[0], 1.4 * pen->width, pen->colour};
        set_pen(pen->painter, pen->colour, 0.02);
        draw_marker(&dot, x, y, 1);
        set_pen(pen->painter, pen->colour, pen->width);
        return;
    }
    pc_dash_run(pen->dash, pen->width, x, y, n, stroke_run, NULL);
}

static double pen_width(const painter *p, const pc_style *style)
{
    return p->type->pen * (style->width > 0 ? style->width : 1);
}

static marker_pen marker_of(const painter *p, const pc_panel *panel, size_t i)
{
    const pc_series *series = &panel->series[i];
    return (marker_pen){p, &shapes[i % (sizeof shapes / sizeof *shapes)], 1.7 * pen_width(p, &series->style),
                        pc_panel_series_colour(panel, i, p->theme)};
}

static pc_status draw_series(painter *p, const pc_panel *panel, const pc_panel_layout *l, size_t i, pc_error *err)
{
    const pc_series *series = &panel->series[i];
    curve_pen pen = {p, pc_panel_series_dash(panel, i), pen_width(p, &series->style),
                     pc_panel_series_colour(panel, i, p->theme)};
    pc_status status = PC_OK;
    if (series->kind->joined) {
        set_pen(p, pen.colour, pen.width);
        double column = 1 / fmax(1, p->page.scale);
        status = pc_curve_runs(series, &l->x, &l->y, l->frame, l->frame, column, stroke_dashed, &pen, err);
    }
    if (!status && series->kind->marked) {
        marker_pen marker = marker_of(p, panel, i);
        set_pen(p, pen.colour, 0.02);
        status = pc_curve_points(series, &l->x, &l->y, l->frame, 1, draw_marker, &marker, err);
    }
    return status;
}

/* --- what surrounds them --- */

static void draw_spans(const painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    for (size_t i = 0; i < panel->n_spans; i++) {
        double left, right;
        if (!pc_span_ends(l, &panel->spans[i], &left, &right) || right <= left) continue;
        fill_box(p, p->theme->tint[pc_panel_span_tint(panel, i)], (pc_box){left, l->frame.y0, right, l->frame.y1});
    }
}

static double tick_place(const pc_scale *scale, double value, double from, double to)
{
    return from + pc_scale_position(scale, value) * (to - from);
}

static void draw_grid(const painter *p, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    set_pen(p, p->theme->grid, 1);
    for (int i = 0; i < l->x.n_ticks; i++) {
        double x = tick_place(&l->x, l->x.ticks[i].value, f.x0, f.x1);
        if (l->x.ticks[i].text[0] && x > f.x0 + 1 && x < f.x1 - 1) stroke_line(x, f.y0, x, f.y1);
    }
    for (int i = 0; i < l->y.n_ticks; i++) {
        double y = tick_place(&l->y, l->y.ticks[i].value, f.y0, f.y1);
        if (l->y.ticks[i].text[0] && y > f.y0 + 1 && y < f.y1 - 1) stroke_line(f.x0, y, f.x1, y);
    }
}

static void draw_guides(painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    /* labels of spans stand along the upper edge: those of upright lines begin below them */
    double top = f.y1 - p->type->gap;
    for (size_t i = 0; i < panel->n_spans; i++) {
        if (pc_span_has_room(panel, l, p->type, i)) top = f.y1 - 2 * p->type->tick;
    }
    for (size_t i = 0; i < panel->n_guides; i++) {
        const pc_guide *guide = &panel->guides[i];
        pc_colour colour = guide->style.colour.given ? guide->style.colour : p->theme->muted;
        pc_dash dash = guide->style.dash == PC_DASH_AUTO ? PC_DASH_DASHED : guide->style.dash;
        curve_pen pen = {p, dash, 0.65 * pen_width(p, &guide->style), colour};
        double at = pc_scale_position(guide->vertical ? &l->x : &l->y, guide->at);
        if (!(at >= 0 && at <= 1)) continue;
        double x[2] = {f.x0, f.x1}, y[2] = {f.y0, f.y1};
        if (guide->vertical)
            x[0] = x[1] = f.x0 + at * (f.x1 - f.x0);
        else
            y[0] = y[1] = f.y0 + at * (f.y1 - f.y0);
        set_pen(p, colour, pen.width);
        stroke_dashed(&pen, x, y, 2);
        /* the label beside the line: above a level one, along an upright one */
        double away = 0.75 * p->type->tick;
        type_style style = {.height = p->type->tick, .colour = colour, .just = 1, .upright = guide->vertical};
        if (guide->vertical) {
            bool right_side = x[0] - f.x0 < 2 * away;
            draw_text(p, x[0] + (right_side ? away : -away), top, guide->label, style);
        } else {
            bool below = f.y1 - y[0] < 2 * away;
            draw_text(p, f.x1 - p->type->gap, y[0] + (below ? -away : away), guide->label, style);
        }
    }
}

static void draw_axes(painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    const pc_type_sizes *t = p->type;
    double length = 0.7 * t->gap;
    stroke_box(p, p->theme->ink, 1, f);
    for (int i = 0; i < l->x.n_ticks; i++) {
        double x = tick_place(&l->x, l->x.ticks[i].value, f.x0, f.x1);
        stroke_line(x, f.y0, x, f.y0 - (l->x.ticks[i].text[0] ? length : 0.6 * length));
    }
    for (int i = 0; i < l->y.n_ticks; i++) {
        double y = tick_place(&l->y, l->y.ticks[i].value, f.y0, f.y1);
        stroke_line(f.x0, y, f.x0 - (l->y.ticks[i].text[0] ? length : 0.6 * length), y);
    }

    type_style style = {.height = t->tick, .colour = p->theme->ink, .just = 0.5};
    double text_y = f.y0 - t->gap - 0.6 * t->tick;
    for (int i = 0; i < l->x.n_ticks; i++) {
        draw_text(p, tick_place(&l->x, l->x.ticks[i].value, f.x0, f.x1), text_y, l->x.ticks[i].text, style);
    }
    style.just = 1;
    for (int i = 0; i < l->y.n_ticks; i++) {
        draw_text(p, f.x0 - 1.3 * t->gap, tick_place(&l->y, l->y.ticks[i].value, f.y0, f.y1), l->y.ticks[i].text,
                  style);
    }
    style.colour = p->theme->muted;
    draw_text(p, fmax(f.x0 - t->gap, pc_label_width(l->y.common) * t->tick), f.y1 + t->tick, l->y.common, style);

    pc_buffer label = {0};
    pc_axis_text(&panel->x, &label);
    if (l->x.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "   " : "", l->x.common);
    style = (type_style){.height = t->label, .colour = p->theme->ink, .just = 0.5, .room = f.x1 - f.x0};
    draw_text(p, (f.x0 + f.x1) / 2, f.y0 - l->x_label, pc_buffer_text(&label), style);
    pc_axis_text(&panel->y, &label);
    style.upright = true;
    style.room = 1.1 * (f.y1 - f.y0);
    draw_text(p, f.x0 - l->y_label, (f.y0 + f.y1) / 2, pc_buffer_text(&label), style);
    pc_buffer_free(&label);
    style = (type_style){.height = t->label, .colour = p->theme->ink, .just = 0.5, .bold = true, .room = f.x1 - f.x0};
    draw_text(p, (f.x0 + f.x1) / 2, f.y1 + l->title, panel->title, style);
}

static void draw_notes(painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    const pc_type_sizes *t = p->type;
    type_style style = {.height = t->tick, .colour = p->theme->muted, .just = 0.5};
    for (size_t i = 0; i < panel->n_spans; i++) {
        double left, right;
        if (!pc_span_has_room(panel, l, t, i) || !pc_span_ends(l, &panel->spans[i], &left, &right)) continue;
        /* centred, unless an upright line would run through it */
        double middle = (left + right) / 2, half = 0.5 * pc_label_width(panel->spans[i].label) * t->tick;
        for (size_t k = 0; k < panel->n_guides; k++) {
            if (!panel->guides[k].vertical) continue;
            double x = f.x0 + pc_scale_position(&l->x, panel->guides[k].at) * (f.x1 - f.x0);
            if (fabs(x - middle) < half + 2) middle = left + half + t->gap;
        }
        draw_text(p, middle, f.y1 - t->tick, panel->spans[i].label, style);
    }
    size_t masked = pc_panel_count_masked(panel);
    if (pc_panel_is_empty(panel)) draw_text(p, (f.x0 + f.x1) / 2, (f.y0 + f.y1) / 2, "no data", style);
    style.just = 1;
    if (masked > 0) {
        char text[64];
        snprintf(text, sizeof text, "%zu value%s \u2264 0 not shown", masked, masked == 1 ? "" : "s");
        draw_text(p, f.x1 - t->gap, f.y0 + t->tick, text, style);
    }
    style = (type_style){.height = t->tick, .colour = p->theme->ink};
    for (size_t i = 0; i < panel->n_notes; i++) {
        double u = pc_scale_position(&l->x, panel->notes[i].x), v = pc_scale_position(&l->y, panel->notes[i].y);
        if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
        double x = f.x0 + u * (f.x1 - f.x0), width = pc_label_width(panel->notes[i].text) * t->tick;
        /* a text that would leave the frame ends at its point instead */
        style.just = x + width > f.x1 && x - width >= f.x0 ? 1 : 0;
        draw_text(p, x, f.y0 + v * (f.y1 - f.y0), panel->notes[i].text, style);
    }
}

static void draw_legend(painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_type_sizes *t = p->type;
    double sample = pc_entry_sample(t);
    if (l->legend_inside && l->n_entries > 0) {
        fill_box(p, p->theme->page, l->legend);
        stroke_box(p, p->theme->grid, 1, l->legend);
    }
    pc_buffer text = {0};
    for (int i = 0; i < l->n_entries; i++) {
        const pc_entry *e = &l->entries[i];
        if (e->is_span) {
            pc_box swatch = {e->x, e->y - 0.4 * t->tick, e->x + sample, e->y + 0.4 * t->tick};
            fill_box(p, p->theme->tint[pc_panel_span_tint(panel, e->index)], swatch);
            stroke_box(p, p->theme->grid, 1, swatch);
        } else {
            const pc_series *series = &panel->series[e->index];
            curve_pen pen = {p, pc_panel_series_dash(panel, e->index), pen_width(p, &series->style),
                             pc_panel_series_colour(panel, e->index, p->theme)};
            const double x[2] = {e->x, e->x + sample}, y[2] = {e->y, e->y}, middle = e->x + sample / 2;
            if (series->kind->joined) {
                set_pen(p, pen.colour, pen.width);
                stroke_dashed(&pen, x, y, 2);
            }
            if (series->kind->marked) {
                marker_pen marker = marker_of(p, panel, e->index);
                set_pen(p, pen.colour, 0.02);
                draw_marker(&marker, &middle, y, 1);
            }
        }
        pc_entry_text(panel, e, &text);
        draw_text(p, e->x + sample + t->gap, e->y, pc_buffer_text(&text),
                  (type_style){.height = t->tick, .colour = p->theme->ink});
    }
    pc_buffer_free(&text);
}

pc_status pc_paint_figure(const pc_figure *figure, const pc_layout *layout, pc_page page, pc_error *err)
{
    painter p = {.figure = figure, .theme = figure->theme, .type = &layout->type, .page = page};
    pladv(0);
    plvpor(0, 1, 0, 1);
    plwind(0, layout->width, 0, layout->height);
    fill_box(&p, p.theme->page, (pc_box){0, 0, layout->width, layout->height});
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < figure->n_panels; i++) {
        const pc_panel *panel = figure->panels[i];
        const pc_panel_layout *l = &layout->panels[i];
        draw_spans(&p, panel, l);
        draw_grid(&p, l);
        draw_guides(&p, panel, l);
        for (size_t k = 0; !status && k < panel->n_series; k++) status = draw_series(&p, panel, l, k, err);
        draw_axes(&p, panel, l);
        draw_notes(&p, panel, l);
        draw_legend(&p, panel, l);
    }
    double room = layout->width - 4 * layout->type.gap;
    draw_text(
        &p, layout->width / 2, layout->title, figure->title,
        (type_style){.height = layout->type.title, .colour = p.theme->ink, .just = 0.5, .bold = true, .room = room});
    if (!status) status = pc_buffer_status(&p.text, err);
    pc_buffer_free(&p.text);
    return status;
}
