/* Painting figures: see paint.h.
 *
 * World coordinates are the layout's pixels over the whole page, so that everything stands where the layout says;
 * PLplot turns them into strokes and type for the device. Curves arrive clipped and dashed by curve.h, which keeps
 * dashes even at every resolution.
 *
 * Order: tints, fields, grid, reference lines, curves, frame, texts, legend: what is read last is drawn last.
 */
#include "chart/paint_parts.h"

#include "chart/field.h"
#include "chart/label.h"
#include "chart/reach.h"

#include <plplot.h>

#include <math.h>

/* --- bars and whiskers --- */

typedef struct reach_pen {
    const pc_painter *painter;
    pc_colour colour, fill;
    double width;
} reach_pen;

/* Bars of different series differ in lightness too, for copies without colour. */
static pc_colour bar_fill(const pc_painter *p, pc_colour colour, size_t series)
{
    static const double strength[] = {0.85, 0.15, 0.5};
    return pc_paint_blend(colour, p->theme->page, strength[series % 3]);
}

static void draw_bar(void *context, double x, double y, pc_box b)
{
    const reach_pen *pen = context;
    (void)x;
    (void)y;
    if (b.x1 - b.x0 > 0 && b.y1 - b.y0 > 0) pc_paint_box(pen->painter, pen->fill, b);
    pc_paint_outline(pen->painter, pen->colour, fmin(1, pen->width), b);
}

/* A line along each side that reaches further than the point, with a bar across its ends. */
static void draw_whiskers(void *context, double x, double y, pc_box b)
{
    const reach_pen *pen = context;
    const double cap = 2.2 * pen->width;
    pc_paint_pen(pen->painter, pen->colour, 0.7 * pen->width);
    if (b.y1 > b.y0) {
        pc_paint_line(x, b.y0, x, b.y1);
        pc_paint_line(x - cap, b.y0, x + cap, b.y0);
        pc_paint_line(x - cap, b.y1, x + cap, b.y1);
    }
    if (b.x1 > b.x0) {
        pc_paint_line(b.x0, y, b.x1, y);
        pc_paint_line(b.x0, y - cap, b.x0, y + cap);
        pc_paint_line(b.x1, y - cap, b.x1, y + cap);
    }
}

/* --- series --- */

static pc_status draw_series(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l, size_t i, pc_error *err)
{
    const pc_series *series = &panel->series[i];
    pc_curve_pen pen = {p, pc_panel_series_dash(panel, i), pc_paint_width(p, &series->style),
                        pc_panel_series_colour(panel, i, p->theme)};
    pc_status status = PC_OK;
    const pc_scale *y = pc_layout_scale_of(l, series);
    if (series->kind->filled || series->kind->whiskered) {
        reach_pen reach = {p, pen.colour, bar_fill(p, pen.colour, i), pen.width};
        status =
            pc_reach_each(series, &l->x, y, l->frame, series->kind->filled ? draw_bar : draw_whiskers, &reach, err);
    }
    if (!status && series->kind->joined) {
        pc_paint_pen(p, pen.colour, pen.width);
        double column = 1 / fmax(1, p->page.scale);
        status = pc_curve_runs(series, &l->x, y, l->frame, l->frame, column, pc_paint_run, &pen, err);
    }
    if (!status && series->kind->marked) {
        pc_marker_pen marker = pc_paint_marker_of(p, panel, i);
        pc_paint_pen(p, pen.colour, 0.02);
        status = pc_curve_points(series, &l->x, y, l->frame, 1, pc_paint_marker, &marker, err);
    }
    return status;
}

/* --- what surrounds them --- */

static void draw_spans(const pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    for (size_t i = 0; i < panel->n_spans; i++) {
        double left, right;
        if (!pc_span_ends(l, &panel->spans[i], &left, &right) || right <= left) continue;
        pc_paint_box(p, p->theme->tint[pc_panel_span_tint(panel, i)], (pc_box){left, l->frame.y0, right, l->frame.y1});
    }
}

static void draw_guides(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
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
        pc_curve_pen pen = {p, dash, 0.65 * pc_paint_width(p, &guide->style), colour};
        double at = pc_scale_position(guide->vertical ? &l->x : &l->y, guide->at);
        if (!(at >= 0 && at <= 1)) continue;
        double x[2] = {f.x0, f.x1}, y[2] = {f.y0, f.y1};
        if (guide->vertical)
            x[0] = x[1] = f.x0 + at * (f.x1 - f.x0);
        else
            y[0] = y[1] = f.y0 + at * (f.y1 - f.y0);
        pc_paint_pen(p, colour, pen.width);
        pc_paint_run(&pen, x, y, 2);
        /* the label beside the line: above a level one, along an upright one */
        double away = 0.75 * p->type->tick;
        pc_type_style style = {
            .height = p->type->tick, .colour = colour, .just = 1, .turn = guide->vertical ? PC_UPRIGHT : 0};
        if (guide->vertical) {
            bool right_side = x[0] - f.x0 < 2 * away;
            pc_paint_text(p, x[0] + (right_side ? away : -away), top, guide->label, style);
        } else {
            bool below = f.y1 - y[0] < 2 * away;
            pc_paint_text(p, f.x1 - p->type->gap, y[0] + (below ? -away : away), guide->label, style);
        }
    }
}

static void draw_notes(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    const pc_type_sizes *t = p->type;
    pc_type_style style = {.height = t->tick, .colour = p->theme->muted, .just = 0.5};
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
        pc_paint_text(p, middle, f.y1 - t->tick, panel->spans[i].label, style);
    }
    size_t masked = pc_panel_count_masked(panel);
    if (pc_panel_is_empty(panel)) pc_paint_text(p, (f.x0 + f.x1) / 2, (f.y0 + f.y1) / 2, "no data", style);
    style.just = 1;
    if (masked > 0) {
        char text[64];
        snprintf(text, sizeof text, "%zu value%s \u2264 0 not shown", masked, masked == 1 ? "" : "s");
        pc_paint_text(p, f.x1 - t->gap, f.y0 + t->tick, text, style);
    }
    style = (pc_type_style){.height = t->tick, .colour = p->theme->ink};
    for (size_t i = 0; i < panel->n_notes; i++) {
        double u = pc_scale_position(&l->x, panel->notes[i].x), v = pc_scale_position(&l->y, panel->notes[i].y);
        if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
        double x = f.x0 + u * (f.x1 - f.x0), width = pc_label_width(panel->notes[i].text) * t->tick;
        /* a text that would leave the frame ends at its point instead */
        style.just = x + width > f.x1 && x - width >= f.x0 ? 1 : 0;
        pc_paint_text(p, x, f.y0 + v * (f.y1 - f.y0), panel->notes[i].text, style);
    }
}

static void draw_legend(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_type_sizes *t = p->type;
    double sample = pc_entry_sample(t);
    if (l->legend_inside && l->n_entries > 0) {
        pc_paint_box(p, p->theme->page, l->legend);
        pc_paint_outline(p, p->theme->grid, 1, l->legend);
    }
    pc_buffer text = {0};
    for (int i = 0; i < l->n_entries; i++) {
        const pc_entry *e = &l->entries[i];
        if (e->of == PC_ENTRY_SPAN) {
            pc_box swatch = {e->x, e->y - 0.4 * t->tick, e->x + sample, e->y + 0.4 * t->tick};
            pc_paint_box(p, p->theme->tint[pc_panel_span_tint(panel, e->index)], swatch);
            pc_paint_outline(p, p->theme->grid, 1, swatch);
        } else if (e->of == PC_ENTRY_FIELD) {
            const pc_field *field = &panel->fields[e->index];
            pc_colour colour = pc_field_colour(panel, field, p->theme);
            pc_dash dash = field->style.dash == PC_DASH_AUTO ? PC_DASH_SOLID : field->style.dash;
            pc_curve_pen pen = {p, dash, 0.75 * pc_paint_width(p, &field->style), colour};
            const double x[2] = {e->x, e->x + 0.9 * sample}, y[2] = {e->y, e->y};
            pc_paint_pen(p, colour, pen.width);
            pc_paint_run(&pen, x, y, 2);
            if (field->kind->parts == 2) pc_paint_head(p, colour, e->x + sample, e->y, 1, 0, 0.6 * t->tick);
        } else {
            const pc_series *series = &panel->series[e->index];
            pc_curve_pen pen = {p, pc_panel_series_dash(panel, e->index), pc_paint_width(p, &series->style),
                                pc_panel_series_colour(panel, e->index, p->theme)};
            const double x[2] = {e->x, e->x + sample}, y[2] = {e->y, e->y}, middle = e->x + sample / 2;
            if (series->kind->filled || series->kind->whiskered) {
                pc_colour fill = bar_fill(p, pen.colour, e->index);
                reach_pen reach = {p, pen.colour, fill, pen.width};
                pc_box box = {middle - 0.4 * sample, e->y - 0.4 * t->tick, middle + 0.4 * sample, e->y + 0.4 * t->tick};
                if (series->kind->whiskered) box.x0 = box.x1 = middle;
                (series->kind->filled ? draw_bar : draw_whiskers)(&reach, middle, e->y, box);
            }
            if (series->kind->joined) {
                pc_paint_pen(p, pen.colour, pen.width);
                pc_paint_run(&pen, x, y, 2);
            }
            if (series->kind->marked) {
                pc_marker_pen marker = pc_paint_marker_of(p, panel, e->index);
                pc_paint_pen(p, pen.colour, 0.02);
                pc_paint_marker(&marker, &middle, y, 1);
            }
        }
        pc_entry_text(panel, e, &text);
        pc_paint_text(p, e->x + sample + t->gap, e->y, pc_buffer_text(&text),
                      (pc_type_style){.height = t->tick, .colour = p->theme->ink});
    }
    pc_buffer_free(&text);
}

pc_status pc_paint_figure(const pc_figure *figure, const pc_layout *layout, pc_page page, pc_error *err)
{
    pc_painter p = {.figure = figure, .theme = figure->theme, .type = &layout->type, .page = page};
    pladv(0);
    plvpor(0, 1, 0, 1);
    plwind(0, layout->width, 0, layout->height);
    pc_paint_box(&p, p.theme->page, (pc_box){0, 0, layout->width, layout->height});
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < figure->n_panels; i++) {
        const pc_panel *panel = figure->panels[i];
        const pc_panel_layout *l = &layout->panels[i];
        draw_spans(&p, panel, l);
        status = pc_paint_fields(&p, panel, l, true, err);
        if (panel->polar)
            pc_paint_polar(&p, panel, l);
        else if (!pc_panel_bar(panel))
            pc_paint_grid(&p, l);
        if (!status) status = pc_paint_fields(&p, panel, l, false, err);
        draw_guides(&p, panel, l);
        for (size_t k = 0; !status && k < panel->n_series; k++) status = draw_series(&p, panel, l, k, err);
        if (!panel->polar) pc_paint_axes(&p, panel, l);
        pc_paint_bar(&p, panel, l);
        draw_notes(&p, panel, l);
        draw_legend(&p, panel, l);
    }
    double room = layout->width - 4 * layout->type.gap;
    pc_paint_text(
        &p, layout->width / 2, layout->title, figure->title,
        (pc_type_style){.height = layout->type.title, .colour = p.theme->ink, .just = 0.5, .bold = true, .room = room});
    if (!status) status = pc_buffer_status(&p.text, err);
    pc_buffer_free(&p.text);
    return status;
}
