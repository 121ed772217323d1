/* Axes: grid, frame, ticks, labels and the bar of colours. See paint_parts.h. */
#include "chart/bands.h"
#include "chart/field.h"
#include "chart/label.h"
#include "chart/paint_parts.h"

#include <math.h>
#include <stdio.h>

static double tick_place(const pc_scale *scale, double value, double from, double to)
{
    return from + pc_scale_position(scale, value) * (to - from);
}

void pc_paint_grid(const pc_painter *p, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    pc_paint_pen(p, p->theme->grid, 1);
    for (int i = 0; i < l->x.n_ticks; i++) {
        double x = tick_place(&l->x, l->x.ticks[i].value, f.x0, f.x1);
        if (l->x.ticks[i].text[0] && x > f.x0 + 1 && x < f.x1 - 1) pc_paint_line(x, f.y0, x, f.y1);
    }
    for (int i = 0; i < l->y.n_ticks; i++) {
        double y = tick_place(&l->y, l->y.ticks[i].value, f.y0, f.y1);
        if (l->y.ticks[i].text[0] && y > f.y0 + 1 && y < f.y1 - 1) pc_paint_line(f.x0, y, f.x1, y);
    }
}

void pc_paint_axes(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_box f = l->frame;
    const pc_type_sizes *t = p->type;
    double length = 0.7 * t->gap;
    pc_paint_outline(p, p->theme->ink, 1, f);
    for (int i = 0; i < l->x.n_ticks; i++) {
        double x = tick_place(&l->x, l->x.ticks[i].value, f.x0, f.x1);
        pc_paint_line(x, f.y0, x, f.y0 - (l->x.ticks[i].text[0] ? length : 0.6 * length));
    }
    for (int i = 0; i < l->y.n_ticks; i++) {
        double y = tick_place(&l->y, l->y.ticks[i].value, f.y0, f.y1);
        pc_paint_line(f.x0, y, f.x0 - (l->y.ticks[i].text[0] ? length : 0.6 * length), y);
    }

    for (int i = 0; i < l->right.n_ticks; i++) {
        double y = tick_place(&l->right, l->right.ticks[i].value, f.y0, f.y1);
        pc_paint_line(f.x1, y, f.x1 + (l->right.ticks[i].text[0] ? length : 0.6 * length), y);
    }

    pc_type_style style = {.height = t->tick, .colour = p->theme->ink, .just = 0.5};
    double text_y = f.y0 - t->gap - 0.6 * t->tick;
    for (int i = 0; i < l->x.n_ticks; i++) {
        pc_paint_text(p, tick_place(&l->x, l->x.ticks[i].value, f.x0, f.x1), text_y, l->x.ticks[i].text, style);
    }
    style.just = 1;
    for (int i = 0; i < l->y.n_ticks; i++) {
        pc_paint_text(p, f.x0 - 1.3 * t->gap, tick_place(&l->y, l->y.ticks[i].value, f.y0, f.y1), l->y.ticks[i].text,
                      style);
    }
    style.just = 0;
    for (int i = 0; i < l->right.n_ticks; i++) {
        pc_paint_text(p, f.x1 + 1.3 * t->gap, tick_place(&l->right, l->right.ticks[i].value, f.y0, f.y1),
                      l->right.ticks[i].text, style);
    }
    style.colour = p->theme->muted;
    pc_paint_text(p, f.x1, f.y1 + t->tick, l->right.common, style);
    style.just = 1;
    pc_paint_text(p, fmax(f.x0 - t->gap, pc_label_width(l->y.common) * t->tick), f.y1 + t->tick, l->y.common, style);

    pc_buffer label = {0};
    pc_axis_text(&panel->x, &label);
    if (l->x.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "   " : "", l->x.common);
    style = (pc_type_style){.height = t->label, .colour = p->theme->ink, .just = 0.5, .room = f.x1 - f.x0};
    pc_paint_text(p, (f.x0 + f.x1) / 2, f.y0 - l->x_label, pc_buffer_text(&label), style);
    pc_axis_text(&panel->y, &label);
    style.turn = PC_UPRIGHT;
    style.room = 1.1 * (f.y1 - f.y0);
    pc_paint_text(p, f.x0 - l->y_label, (f.y0 + f.y1) / 2, pc_buffer_text(&label), style);
    if (pc_panel_has_right(panel)) {
        pc_axis_text(&panel->right, &label);
        pc_paint_text(p, f.x1 + l->right_label, (f.y0 + f.y1) / 2, pc_buffer_text(&label), style);
    }
    pc_buffer_free(&label);
    style =
        (pc_type_style){.height = t->label, .colour = p->theme->ink, .just = 0.5, .bold = true, .room = f.x1 - f.x0};
    pc_paint_text(p, (f.x0 + f.x1) / 2, f.y1 + l->title, panel->title, style);
}

static void paint_circle(double x, double y, double radius)
{
    enum { CORNERS = 120 };
    double px = x + radius, py = y;
    for (int i = 1; i <= CORNERS; i++) {
        double angle = 6.283185307179586 * i / CORNERS, qx = x + radius * cos(angle), qy = y + radius * sin(angle);
        pc_paint_line(px, py, qx, qy);
        px = qx;
        py = qy;
    }
}

void pc_paint_polar(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_type_sizes *t = p->type;
    const pc_box f = l->frame;
    const double x = (f.x0 + f.x1) / 2, y = (f.y0 + f.y1) / 2, radius = (f.x1 - f.x0) / 2;
    pc_type_style style = {.height = t->tick, .colour = p->theme->ink, .just = 0.5};
    pc_paint_pen(p, p->theme->grid, 1);
    for (int i = 0; i < l->radius.n_ticks; i++) {
        double at = pc_scale_position(&l->radius, l->radius.ticks[i].value);
        if (at > 0.01 && at < 0.99) paint_circle(x, y, at * radius);
    }
    for (int degrees = 0; degrees < 360; degrees += 30) {
        double u = cos(degrees * PC_UPRIGHT / 90), v = sin(degrees * PC_UPRIGHT / 90);
        pc_paint_line(x, y, x + radius * u, y + radius * v);
    }
    pc_paint_pen(p, p->theme->ink, 1);
    paint_circle(x, y, radius);
    for (int degrees = 0; degrees < 360; degrees += 30) {
        double u = cos(degrees * PC_UPRIGHT / 90), v = sin(degrees * PC_UPRIGHT / 90);
        char text[16];
        snprintf(text, sizeof text, "%d°", degrees);
        style.just = 0.5 - 0.5 * u;
        pc_paint_text(p, x + (radius + t->gap) * u, y + (radius + t->gap + 0.3 * t->tick) * v, text, style);
    }
    /* radii along a direction between two spokes, where curves cross them least */
    style = (pc_type_style){.height = 0.9 * t->tick, .colour = p->theme->muted, .just = 0.5};
    for (int i = 0; i < l->radius.n_ticks; i++) {
        double at = pc_scale_position(&l->radius, l->radius.ticks[i].value);
        if (at > 0.01)
            pc_paint_text(p, x + at * radius * 0.2588, y + at * radius * 0.9659, l->radius.ticks[i].text, style);
    }
    pc_buffer label = {0};
    pc_axis_text(&panel->y, &label);
    if (l->radius.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "   " : "", l->radius.common);
    style = (pc_type_style){.height = t->label, .colour = p->theme->ink, .just = 0.5};
    pc_paint_text(p, x, f.y0 - l->x_label, pc_buffer_text(&label), style);
    style.bold = true;
    pc_paint_text(p, x, f.y1 + l->title, panel->title, style);
    pc_buffer_free(&label);
}

/* The colour at 0 to 1 of the bar: of a banded field that of the band there. */
static pc_colour bar_colour(const pc_bands *bands, double at)
{
    const pc_field *field = bands->field;
    if (!field->kind->banded) return pc_palette_at(field->palette, at);
    int band = pc_bands_find(bands, pc_scale_value(&bands->z, at));
    return pc_palette_at(field->palette, band < 0 ? at : pc_bands_position(bands, band));
}

/* The palette from its least to its greatest value, with ticks on the right. */
void pc_paint_bar(pc_painter *p, const pc_panel *panel, const pc_panel_layout *l)
{
    const pc_field *field = pc_panel_bar(panel);
    if (!field) return;
    const pc_type_sizes *t = p->type;
    const pc_box b = l->bar;
    pc_bands bands;
    pc_bands_make(field, &bands);
    enum { STEPS = 256 };
    for (int i = 0; i < STEPS; i++) {
        /* each step reaches under all that follow: no seam shows the page */
        pc_box step = {b.x0, b.y0 + (b.y1 - b.y0) * i / STEPS, b.x1, b.y1};
        pc_paint_box(p, bar_colour(&bands, (i + 0.5) / STEPS), step);
    }
    pc_paint_outline(p, p->theme->ink, 1, b);
    pc_type_style style = {.height = t->tick, .colour = p->theme->ink};
    for (int i = 0; i < l->z.n_ticks; i++) {
        double y = tick_place(&l->z, l->z.ticks[i].value, b.y0, b.y1);
        pc_paint_line(b.x1, y, b.x1 + (l->z.ticks[i].text[0] ? 0.7 : 0.4) * t->gap, y);
    }
    for (int i = 0; i < l->z.n_ticks; i++) {
        double y = tick_place(&l->z, l->z.ticks[i].value, b.y0, b.y1);
        pc_paint_text(p, b.x1 + 1.3 * t->gap, y, l->z.ticks[i].text, style);
    }
    pc_buffer label = {0};
    pc_axis_text(&field->z, &label);
    if (l->z.common[0]) pc_buffer_print(&label, "%s%s", label.size ? "   " : "", l->z.common);
    style = (pc_type_style){
        .height = t->label, .colour = p->theme->ink, .just = 0.5, .turn = PC_UPRIGHT, .room = 1.1 * (b.y1 - b.y0)};
    pc_paint_text(p, l->frame.x1 + l->z_label, (b.y0 + b.y1) / 2, pc_buffer_text(&label), style);
    pc_buffer_free(&label);
}
