/* Painting figures: see paint.h.
 *
 * Coordinates are the layout's pixels over the whole page, so that everything stands where the layout says. Curves
 * arrive clipped from the walk and are dashed here, which keeps dashes even at every resolution.
 */
#include "chart/paint/paint.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>

typedef struct placed {
    double x, y;
} placed;

enum { LABELS = 256 }; /* of contours, in a panel */

typedef struct painter {
    pc_pen pen;
    pc_ink *ink;
    const pc_theme *theme;
    const pc_type_sizes *type;
    /* of the lines of equal value that are being drawn: their field, where its labels stand, the level, its colour */
    const pc_field *field;
    placed labels[LABELS];
    int n_labels;
    double level;
    pc_colour level_colour;
} painter;

static painter *painter_of(pc_pen *pen)
{
    return (painter *)pen;
}

/* --- strokes, areas, type --- */

static unsigned char mix(unsigned char a, unsigned char b, double part)
{
    return (unsigned char)(part * a + (1 - part) * b + 0.5);
}

/* `part` of a colour over another one. */
static pc_colour blend(pc_colour colour, pc_colour ground, double part)
{
    return (pc_colour){mix(colour.red, ground.red, part), mix(colour.green, ground.green, part),
                       mix(colour.blue, ground.blue, part), true};
}

static void line(const painter *p, pc_colour colour, double width, double x0, double y0, double x1, double y1)
{
    const double x[2] = {x0, x1}, y[2] = {y0, y1};
    p->ink->line(p->ink, colour, width, x, y, 2);
}

static void fill_box(const painter *p, pc_colour colour, pc_box b)
{
    const double x[4] = {b.x0, b.x1, b.x1, b.x0}, y[4] = {b.y0, b.y0, b.y1, b.y1};
    p->ink->area(p->ink, colour, x, y, 4);
}

static void outline(const painter *p, pc_colour colour, double width, pc_box b)
{
    const double x[5] = {b.x0, b.x1, b.x1, b.x0, b.x0}, y[5] = {b.y0, b.y0, b.y1, b.y1, b.y0};
    p->ink->line(p->ink, colour, width, x, y, 5);
}

static void write_text(const painter *p, double x, double y, const char *label, pc_type_style style)
{
    if (!label || !*label) return;
    double width = pc_label_width(label) * style.height * (style.bold ? 1.1 : 1);
    if (style.room > 0 && width > style.room) style.height *= fmax(0.6, style.room / width);
    p->ink->text(p->ink, x, y, label, &style);
}

/* Width of a pen in pixels. */
static double pen_width(const painter *p, const pc_style *style)
{
    return p->type->pen * (style->width > 0 ? style->width : 1);
}

/* Corners of a marker of radius 1: equal steps from an angle in eighths of a turn. */
typedef struct shape {
    int corners;
    double start, radius;
} shape;

static const shape shapes[] = {{14, 0, 1}, {4, 1, 1.2}, {3, 2, 1.3}, {4, 0, 1.25}};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static void fill_shape(const painter *p, pc_colour colour, const shape *s, double radius, double x, double y)
{
    double px[16], py[16];
    for (int k = 0; k < s->corners; k++) {
        double angle = 6.283185307179586 * (s->start / 8 + (double)k / s->corners);
        px[k] = x + radius * s->radius * cos(angle);
        py[k] = y + radius * s->radius * sin(angle);
    }
    p->ink->area(p->ink, colour, px, py, s->corners);
}

typedef struct stroke {
    const painter *p;
    pc_colour colour;
    double width;
    pc_dash dash;
} stroke;

static void draw_dash(void *context, const double *x, const double *y, int n)
{
    const stroke *s = context;
    if (n > 1) s->p->ink->line(s->p->ink, s->colour, s->width, x, y, n);
}

static void draw_run(stroke s, const double *x, const double *y, int n)
{
    /* a point between two gaps: a line has no length to draw, a dot shows it */
    if (n == 1)
        fill_shape(s.p, s.colour, &shapes[0], 1.4 * s.width, x[0], y[0]);
    else
        pc_dash_run(s.dash, s.width, x, y, n, draw_dash, &s);
}

/* A filled triangle of length `size` with its tip at (x, y), pointing along (u, v). */
static void draw_head(const painter *p, pc_colour colour, double x, double y, double u, double v, double size)
{
    double length = hypot(u, v);
    if (!(length > 0)) return;
    u *= size / length;
    v *= size / length;
    const double px[3] = {x, x - u - 0.38 * v, x - u + 0.38 * v}, py[3] = {y, y - v + 0.38 * u, y - v - 0.38 * u};
    p->ink->area(p->ink, colour, px, py, 3);
}

/* --- spans --- */

static void draw_span(pc_pen *pen, size_t span, double left, double right)
{
    const painter *p = painter_of(pen);
    const pc_box f = pen->layout->frame;
    if (right <= left) return;
    fill_box(p, p->theme->tint[pc_panel_span_tint(pen->panel, span)], (pc_box){left, f.y0, right, f.y1});
}

static void draw_span_label(pc_pen *pen, size_t span, double left, double right)
{
    const painter *p = painter_of(pen);
    const pc_panel_layout *l = pen->layout;
    const pc_type_sizes *t = p->type;
    const pc_box f = l->frame;
    const char *label = pen->panel->spans[span].label;
    if (!pc_span_has_room(pen->panel, l, t, span)) return;
    /* centred, unless an upright line would run through it */
    double middle = (left + right) / 2, half = 0.5 * pc_label_width(label) * t->tick;
    for (size_t k = 0; k < pen->panel->n_guides; k++) {
        if (!pen->panel->guides[k].vertical) continue;
        double x = f.x0 + pc_scale_position(&l->x, pen->panel->guides[k].at) * (f.x1 - f.x0);
        if (fabs(x - middle) < half + 2) middle = left + half + t->gap;
    }
    write_text(p, middle, f.y1 - t->tick, label,
               (pc_type_style){.height = t->tick, .colour = p->theme->muted, .just = 0.5});
}

/* --- fields --- */

/* Areas that only touch leave seams where devices smooth their edges. So each reaches a little under those that follow:
 * over all of the device's dot that holds the edge. */
static void draw_area(pc_pen *pen, const pc_palette *palette, double at, pc_box b)
{
    const painter *p = painter_of(pen);
    const pc_box f = pen->layout->frame;
    const double under = 1.2 * fmax(1, 1 / p->ink->scale);
    b.x1 = fmin(b.x1 + under, f.x1);
    b.y1 = fmin(b.y1 + under, f.y1);
    fill_box(p, pc_palette_at(palette, at), b);
}

/* Ink on light and page on dark colours, by the colour that the level has in the heatmap below. */
static pc_colour level_colour(const painter *p, const pc_field *field, double level)
{
    const pc_field *ground = pc_panel_bar(p->pen.panel);
    if (field->style.colour.given || !ground) return pc_field_colour(p->pen.panel, field, p->theme);
    pc_scale z;
    pc_field_scale(ground, &z);
    pc_colour under = pc_palette_at(ground->palette, pc_scale_position(&z, level));
    return pc_colour_lightness(under) > 50 ? (pc_colour){0x14, 0x14, 0x14, true} : (pc_colour){0xF8, 0xF8, 0xF8, true};
}

static bool crowded(const painter *p, double width, double x, double y)
{
    const pc_box f = p->pen.layout->frame;
    double half = 0.6 * width;
    if (x - half < f.x0 || x + half > f.x1 || y - half < f.y0 || y + half > f.y1) return true;
    for (int i = 0; i < p->n_labels; i++) {
        if (hypot(p->labels[i].x - x, p->labels[i].y - y) < 1.6 * width) return true;
    }
    return false;
}

/* A run with the length from its first point to each. */
typedef struct measured {
    const double *x, *y;
    double *at;
    int n;
} measured;

static placed point_at(const measured *m, double s)
{
    int i = 1;
    while (i < m->n - 1 && m->at[i] < s) i++;
    double part = m->at[i] > m->at[i - 1] ? (s - m->at[i - 1]) / (m->at[i] - m->at[i - 1]) : 0;
    return (placed){m->x[i - 1] + part * (m->x[i] - m->x[i - 1]), m->y[i - 1] + part * (m->y[i] - m->y[i - 1])};
}

/* The straightest place for a label, as the length from the start of the run to the label's middle; negative if there
 * is none. */
static double find_place(const painter *p, const measured *m, double width)
{
    enum { TRIES = 24 };
    double best = -1, straightest = 0.9, whole = m->at[m->n - 1]; /* chord over arc */
    for (int k = 1; k < TRIES; k++) {
        double s = whole * k / TRIES;
        if (s < 0.8 * width || s > whole - 0.8 * width) continue;
        placed a = point_at(m, s - width / 2), b = point_at(m, s + width / 2);
        /* of equally straight places the one nearest to the middle of the line */
        double straight = hypot(b.x - a.x, b.y - a.y) / width - 0.02 * fabs(2.0 * k / TRIES - 1);
        if (straight <= straightest || crowded(p, width, (a.x + b.x) / 2, (a.y + b.y) / 2)) continue;
        straightest = straight;
        best = s;
    }
    return best;
}

/* Draws the part of a run between two lengths along it. */
static void draw_part(painter *p, stroke s, const measured *m, double from, double to)
{
    pc_points part = {0};
    placed a = point_at(m, from), b = point_at(m, to);
    pc_points_add(&part, a.x, a.y);
    for (int i = 0; i < m->n; i++) {
        if (m->at[i] > from && m->at[i] < to) pc_points_add(&part, m->x[i], m->y[i]);
    }
    pc_points_add(&part, b.x, b.y);
    if (!part.failed)
        draw_run(s, part.x, part.y, part.n);
    else if (!p->pen.status)
        p->pen.status = pc_fail(p->pen.err, PC_E_MEMORY, "not enough memory to draw contours");
    pc_points_free(&part);
}

/* A line of equal value: with its label, and a gap in the line there, where the label finds room. */
static void draw_level(pc_pen *pen, const pc_field *field, double level, const double *x, const double *y, int n)
{
    painter *p = painter_of(pen);
    if (p->field != field) p->n_labels = 0;
    if (p->field != field || p->level != level) p->level_colour = level_colour(p, field, level);
    p->field = field;
    p->level = level;
    const stroke s = {p, p->level_colour, 0.75 * pen_width(p, &field->style),
                      field->style.dash == PC_DASH_AUTO ? PC_DASH_SOLID : field->style.dash};
    char text[32];
    pc_field_level_text(level, text, sizeof text);
    const double width = field->labelled ? 0.85 * p->type->tick * (pc_label_width(text) + 0.5) : 0;
    measured m = {x, y, n > 1 && width > 0 && p->n_labels < LABELS ? pc_calloc((size_t)n, sizeof *x) : NULL, n};
    double place = -1;
    if (m.at) {
        m.at[0] = 0;
        for (int i = 1; i < n; i++) m.at[i] = m.at[i - 1] + hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
        place = find_place(p, &m, width);
    }
    if (place < 0) {
        draw_run(s, x, y, n);
    } else {
        placed a = point_at(&m, place - width / 2), b = point_at(&m, place + width / 2);
        placed middle = {(a.x + b.x) / 2, (a.y + b.y) / 2};
        draw_part(p, s, &m, 0, place - width / 2);
        draw_part(p, s, &m, place + width / 2, m.at[n - 1]);
        /* the text reads from left to right */
        double turn = b.x >= a.x ? atan2(b.y - a.y, b.x - a.x) : atan2(a.y - b.y, a.x - b.x);
        write_text(p, middle.x, middle.y, text,
                   (pc_type_style){.height = 0.85 * p->type->tick, .colour = s.colour, .just = 0.5, .turn = turn});
        p->labels[p->n_labels++] = middle;
    }
    pc_free(m.at);
}

static stroke flow_stroke(const painter *p, const pc_field *field)
{
    return (stroke){p, pc_field_colour(p->pen.panel, field, p->theme), 0.6 * pen_width(p, &field->style),
                    field->style.dash == PC_DASH_AUTO ? PC_DASH_SOLID : field->style.dash};
}

/* Length of an arrow's head, in heights of type. */
static const double HEAD = 0.62;

static void draw_arrow(pc_pen *pen, const pc_field *field, const double x[2], const double y[2])
{
    const painter *p = painter_of(pen);
    const stroke s = flow_stroke(p, field);
    double u = x[1] - x[0], v = y[1] - y[0], length = hypot(u, v), head = fmin(HEAD * p->type->tick, 0.6 * length);
    /* the shaft ends inside the head */
    double neck = 1 - 0.7 * head / length;
    line(p, s.colour, s.width, x[0], y[0], x[0] + neck * u, y[0] + neck * v);
    draw_head(p, s.colour, x[1], y[1], u, v, head);
}

static void draw_stream(pc_pen *pen, const pc_field *field, const double *x, const double *y, int n)
{
    const painter *p = painter_of(pen);
    const stroke s = flow_stroke(p, field);
    const double each = 14 * p->type->tick; /* length of line between heads */
    draw_run(s, x, y, n);
    double length = 0, whole = 0;
    for (int i = 1; i < n; i++) whole += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    int heads = 1 + (int)(whole / each), drawn = 0;
    for (int i = 1; i < n && drawn < heads; i++) {
        length += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
        if (length < whole * (drawn + 0.5) / heads) continue;
        draw_head(p, s.colour, x[i], y[i], x[i] - x[i - 1], y[i] - y[i - 1], HEAD * p->type->tick);
        drawn++;
    }
}

/* The palette from its least to its greatest value. */
static void draw_colours(pc_pen *pen, const pc_bands *bands)
{
    enum { STEPS = 256 };
    const painter *p = painter_of(pen);
    const pc_box b = pen->layout->bar;
    for (int i = 0; i < STEPS; i++) {
        /* each step reaches under all that follow: no seam shows the page */
        pc_box step = {b.x0, b.y0 + (b.y1 - b.y0) * i / STEPS, b.x1, b.y1};
        fill_box(p, pc_bands_colour(bands, (i + 0.5) / STEPS), step);
    }
    outline(p, p->theme->ink, 1, b);
}

/* --- reference lines --- */

static stroke guide_stroke(const painter *p, const pc_guide *guide)
{
    return (stroke){p, guide->style.colour.given ? guide->style.colour : p->theme->muted,
                    0.65 * pen_width(p, &guide->style),
                    guide->style.dash == PC_DASH_AUTO ? PC_DASH_DASHED : guide->style.dash};
}

static void draw_guide(pc_pen *pen, size_t guide, const double x[2], const double y[2])
{
    draw_run(guide_stroke(painter_of(pen), &pen->panel->guides[guide]), x, y, 2);
}

/* Beside the line: above a level one, along an upright one. */
static void draw_guide_label(pc_pen *pen, size_t i, double x, double y)
{
    const painter *p = painter_of(pen);
    const pc_guide *guide = &pen->panel->guides[i];
    const pc_type_sizes *t = p->type;
    const pc_box f = pen->layout->frame;
    const double away = 0.75 * t->tick;
    pc_type_style style = {.height = t->tick, .colour = guide_stroke(p, guide).colour, .just = 1};
    if (!guide->vertical) {
        bool below = f.y1 - y < 2 * away;
        write_text(p, f.x1 - t->gap, y + (below ? -away : away), guide->label, style);
        return;
    }
    /* labels of spans stand along the upper edge: those of upright lines begin below them */
    double top = f.y1 - t->gap;
    for (size_t k = 0; k < pen->panel->n_spans; k++) {
        if (pc_span_has_room(pen->panel, pen->layout, t, k)) top = f.y1 - 2 * t->tick;
    }
    style.turn = PC_UPRIGHT;
    write_text(p, x - f.x0 < 2 * away ? x + away : x - away, top, guide->label, style);
}

/* --- series --- */

static void draw_series_run(pc_pen *pen, size_t i, const double *x, const double *y, int n)
{
    const painter *p = painter_of(pen);
    draw_run((stroke){p, pc_panel_series_colour(pen->panel, i, p->theme), pen_width(p, &pen->panel->series[i].style),
                      pc_panel_series_dash(pen->panel, i)},
             x, y, n);
}

/* Different series get different shapes, for copies without colour. */
static void draw_marker(pc_pen *pen, size_t i, double x, double y)
{
    const painter *p = painter_of(pen);
    fill_shape(p, pc_panel_series_colour(pen->panel, i, p->theme), &shapes[i % N_SHAPES],
               1.7 * pen_width(p, &pen->panel->series[i].style), x, y);
}

/* Bars of different series differ in lightness too, for copies without colour. */
static void draw_bar(pc_pen *pen, size_t i, pc_box b)
{
    static const double strength[] = {0.85, 0.15, 0.5};
    const painter *p = painter_of(pen);
    const pc_colour colour = pc_panel_series_colour(pen->panel, i, p->theme);
    if (b.x1 - b.x0 > 0 && b.y1 - b.y0 > 0) fill_box(p, blend(colour, p->theme->page, strength[i % 3]), b);
    outline(p, colour, fmin(1, pen_width(p, &pen->panel->series[i].style)), b);
}

/* A line along each side that reaches further than the point, with a bar across its ends. */
static void draw_whiskers(pc_pen *pen, size_t i, double x, double y, pc_box b)
{
    const painter *p = painter_of(pen);
    const pc_colour colour = pc_panel_series_colour(pen->panel, i, p->theme);
    const double width = pen_width(p, &pen->panel->series[i].style), thin = 0.7 * width, cap = 2.2 * width;
    if (b.y1 > b.y0) {
        line(p, colour, thin, x, b.y0, x, b.y1);
        line(p, colour, thin, x - cap, b.y0, x + cap, b.y0);
        line(p, colour, thin, x - cap, b.y1, x + cap, b.y1);
    }
    if (b.x1 > b.x0) {
        line(p, colour, thin, b.x0, y, b.x1, y);
        line(p, colour, thin, b.x0, y - cap, b.x0, y + cap);
        line(p, colour, thin, b.x1, y - cap, b.x1, y + cap);
    }
}

/* --- axes --- */

static void draw_grid(pc_pen *pen, bool vertical, double at)
{
    const painter *p = painter_of(pen);
    const pc_box f = pen->layout->frame;
    if (vertical)
        line(p, p->theme->grid, 1, at, f.y0, at, f.y1);
    else
        line(p, p->theme->grid, 1, f.x0, at, f.x1, at);
}

static void draw_frame(pc_pen *pen)
{
    const painter *p = painter_of(pen);
    outline(p, p->theme->ink, 1, pen->layout->frame);
}

static void draw_tick(pc_pen *pen, pc_side side, double at, const char *text)
{
    const painter *p = painter_of(pen);
    const pc_type_sizes *t = p->type;
    const pc_box f = pen->layout->frame, b = pen->layout->bar;
    const pc_colour ink = p->theme->ink;
    const double length = (text[0] ? 0.7 : side == PC_SIDE_BAR ? 0.4 : 0.42) * t->gap;
    pc_type_style style = {.height = t->tick, .colour = ink};
    switch (side) {
    case PC_SIDE_BELOW:
        line(p, ink, 1, at, f.y0, at, f.y0 - length);
        style.just = 0.5;
        write_text(p, at, f.y0 - t->gap - 0.6 * t->tick, text, style);
        break;
    case PC_SIDE_LEFT:
        line(p, ink, 1, f.x0, at, f.x0 - length, at);
        style.just = 1;
        write_text(p, f.x0 - 1.3 * t->gap, at, text, style);
        break;
    default: {
        double from = side == PC_SIDE_BAR ? b.x1 : f.x1;
        line(p, ink, 1, from, at, from + length, at);
        write_text(p, from + 1.3 * t->gap, at, text, style);
    }
    }
}

/* A label with what the ticks of its axis share behind it. */
static void write_with_common(const painter *p, double x, double y, const char *label, const char *common,
                              pc_type_style style)
{
    pc_buffer text = {0};
    pc_buffer_print(&text, "%s%s%s", label, *label && *common ? "   " : "", common);
    write_text(p, x, y, pc_buffer_text(&text), style);
    pc_buffer_free(&text);
}

static void draw_axis(pc_pen *pen, pc_side side, const char *label, const char *common)
{
    const painter *p = painter_of(pen);
    const pc_type_sizes *t = p->type;
    const pc_panel_layout *l = pen->layout;
    const pc_box f = l->frame;
    const double x = (f.x0 + f.x1) / 2, y = (f.y0 + f.y1) / 2, height = f.y1 - f.y0;
    pc_type_style style = {.height = t->label, .colour = p->theme->ink, .just = 0.5, .room = f.x1 - f.x0};
    pc_type_style factor = {.height = t->tick, .colour = p->theme->muted};
    if (pen->panel->polar) {
        /* what the radius is stands below the circle */
        style.room = 0;
        if (side == PC_SIDE_LEFT) write_with_common(p, x, f.y0 - l->x_label, label, common, style);
        return;
    }
    if (side == PC_SIDE_BELOW) {
        write_with_common(p, x, f.y0 - l->x_label, label, common, style);
        return;
    }
    style.turn = PC_UPRIGHT;
    style.room = 1.1 * height;
    switch (side) {
    case PC_SIDE_LEFT:
        factor.just = 1;
        write_text(p, fmax(f.x0 - t->gap, pc_label_width(common) * t->tick), f.y1 + t->tick, common, factor);
        write_text(p, f.x0 - l->y_label, y, label, style);
        break;
    case PC_SIDE_RIGHT:
        write_text(p, f.x1, f.y1 + t->tick, common, factor);
        write_text(p, f.x1 + l->right_label, y, label, style);
        break;
    default: write_with_common(p, f.x1 + l->z_label, y, label, common, style);
    }
}

static void draw_title(pc_pen *pen, const char *text)
{
    const painter *p = painter_of(pen);
    const pc_box f = pen->layout->frame;
    pc_type_style style = {.height = p->type->label, .colour = p->theme->ink, .just = 0.5, .bold = true};
    if (!pen->panel->polar) style.room = f.x1 - f.x0;
    write_text(p, (f.x0 + f.x1) / 2, f.y1 + pen->layout->title, text, style);
}

/* Radii are written along a direction between two spokes, where curves cross them least. */
static void draw_circle(pc_pen *pen, double x, double y, double radius, const char *text)
{
    enum { CORNERS = 120 };
    const painter *p = painter_of(pen);
    const double edge = (pen->layout->frame.x1 - pen->layout->frame.x0) / 2;
    double px[CORNERS + 1], py[CORNERS + 1];
    for (int i = 0; i <= CORNERS; i++) {
        double angle = 6.283185307179586 * i / CORNERS;
        px[i] = x + radius * cos(angle);
        py[i] = y + radius * sin(angle);
    }
    if (!text || radius < 0.99 * edge)
        p->ink->line(p->ink, text ? p->theme->grid : p->theme->ink, 1, px, py, CORNERS + 1);
    write_text(p, x + radius * 0.2588, y + radius * 0.9659, text,
               (pc_type_style){.height = 0.9 * p->type->tick, .colour = p->theme->muted, .just = 0.5});
}

static void draw_spoke(pc_pen *pen, double x, double y, double radius, int degrees)
{
    const painter *p = painter_of(pen);
    const pc_type_sizes *t = p->type;
    const double u = cos(degrees * PC_UPRIGHT / 90), v = sin(degrees * PC_UPRIGHT / 90);
    char text[16];
    snprintf(text, sizeof text, "%d°", degrees);
    line(p, p->theme->grid, 1, x, y, x + radius * u, y + radius * v);
    write_text(p, x + (radius + t->gap) * u, y + (radius + t->gap + 0.3 * t->tick) * v, text,
               (pc_type_style){.height = t->tick, .colour = p->theme->ink, .just = 0.5 - 0.5 * u});
}

/* --- notes and legend --- */

static void draw_note(pc_pen *pen, pc_note_kind kind, double x, double y, const char *text)
{
    const painter *p = painter_of(pen);
    const pc_type_sizes *t = p->type;
    const pc_box f = pen->layout->frame;
    pc_type_style style = {.height = t->tick, .colour = kind == PC_NOTE_OWN ? p->theme->ink : p->theme->muted};
    if (kind == PC_NOTE_EMPTY) style.just = 0.5;
    if (kind == PC_NOTE_MASKED) {
        style.just = 1;
        x -= t->gap;
        y += t->tick;
    }
    /* a text that would leave the frame ends at its point instead */
    double width = pc_label_width(text) * t->tick;
    if (kind == PC_NOTE_OWN && x + width > f.x1 && x - width >= f.x0) style.just = 1;
    write_text(p, x, y, text, style);
}

static void draw_legend(pc_pen *pen)
{
    const painter *p = painter_of(pen);
    if (!pen->layout->legend_inside) return;
    fill_box(p, p->theme->page, pen->layout->legend);
    outline(p, p->theme->grid, 1, pen->layout->legend);
}

static void draw_span_sample(pc_pen *pen, size_t span, double x, double y)
{
    const painter *p = painter_of(pen);
    pc_box swatch = {x, y - pen->sample_half, x + pen->sample, y + pen->sample_half};
    fill_box(p, p->theme->tint[pc_panel_span_tint(pen->panel, span)], swatch);
    outline(p, p->theme->grid, 1, swatch);
}

static void draw_field_sample(pc_pen *pen, const pc_field *field, double x, double y)
{
    const painter *p = painter_of(pen);
    stroke s = flow_stroke(p, field);
    s.width *= 1.25;
    const double px[2] = {x, x + 0.9 * pen->sample}, py[2] = {y, y};
    draw_run(s, px, py, 2);
    if (field->kind->parts == 2) draw_head(p, s.colour, x + pen->sample, y, 1, 0, 0.6 * p->type->tick);
}

static void draw_entry(pc_pen *pen, double x, double y, const char *text)
{
    const painter *p = painter_of(pen);
    write_text(p, x + p->type->gap, y, text, (pc_type_style){.height = p->type->tick, .colour = p->theme->ink});
}

static const pc_pen_kind kind = {
    .span = draw_span,
    .span_label = draw_span_label,
    .area = draw_area,
    .level = draw_level,
    .arrow = draw_arrow,
    .stream = draw_stream,
    .guide = draw_guide,
    .guide_label = draw_guide_label,
    .run = draw_series_run,
    .marker = draw_marker,
    .bar = draw_bar,
    .whiskers = draw_whiskers,
    .grid = draw_grid,
    .frame = draw_frame,
    .tick = draw_tick,
    .axis = draw_axis,
    .title = draw_title,
    .circle = draw_circle,
    .spoke = draw_spoke,
    .colours = draw_colours,
    .note = draw_note,
    .legend = draw_legend,
    .span_sample = draw_span_sample,
    .field_sample = draw_field_sample,
    .entry = draw_entry,
};

pc_status pc_paint_figure(const pc_figure *figure, const pc_layout *layout, pc_ink *ink, pc_error *err)
{
    const pc_type_sizes *t = &layout->type;
    const double dot = fmin(1, 1 / ink->scale), gap = 2.1 * t->tick;
    painter p = {.ink = ink, .theme = figure->theme, .type = t};
    fill_box(&p, p.theme->page, (pc_box){0, 0, layout->width, layout->height});
    pc_status status = PC_OK;
    for (size_t i = 0; !status && i < figure->n_panels; i++) {
        const pc_panel_layout *l = &layout->panels[i];
        p.pen = (pc_pen){.kind = &kind, .panel = figure->panels[i], .layout = l, .column = dot, .err = err};
        p.pen.columns = (int)ceil((l->frame.x1 - l->frame.x0) / dot);
        p.pen.rows = (int)ceil((l->frame.y1 - l->frame.y0) / dot);
        p.pen.spacing = gap;
        p.pen.arrow_spacing = 1.1 * gap;
        p.pen.arrow_least = 0.35 * t->tick;
        p.pen.sample = pc_entry_sample(t);
        p.pen.sample_half = 0.4 * t->tick;
        p.field = NULL;
        status = pc_panel_draw(&p.pen);
    }
    write_text(
        &p, layout->width / 2, layout->title, figure->title,
        (pc_type_style){
            .height = t->title, .colour = p.theme->ink, .just = 0.5, .bold = true, .room = layout->width - 4 * t->gap});
    return status;
}
