/* Page layout: see layout.h.
 *
 * Margins are found from the texts that go there, the same for all panels of a row or column so that their frames
 * line up. How many ticks an axis gets depends on its length and on the width of their texts.
 */
#include "chart/layout.h"

#include "base/alloc.h"
#include "chart/field.h"
#include "chart/label.h"
#include "chart/legend.h"

#include <math.h>

void pc_axis_text(const pc_axis *axis, pc_buffer *text)
{
    pc_buffer_clear(text);
    if (axis->label) pc_buffer_print(text, "%s", axis->label);
    if (axis->unit) pc_buffer_print(text, "%s[%s]", axis->label ? " " : "", axis->unit);
}

bool pc_span_ends(const pc_panel_layout *layout, const pc_span *span, double *left, double *right)
{
    const pc_box f = layout->frame;
    double lo = span->lo, hi = span->hi;
    if (layout->x.log) {
        lo = fmax(lo, fmin(layout->x.lo, layout->x.hi));
        if (hi <= 0) return false;
    }
    double a = pc_scale_position(&layout->x, lo), b = pc_scale_position(&layout->x, hi);
    double from = fmax(0, fmin(a, b)), to = fmin(1, fmax(a, b));
    if (!(from <= to)) return false;
    *left = f.x0 + from * (f.x1 - f.x0);
    *right = f.x0 + to * (f.x1 - f.x0);
    return true;
}

bool pc_span_has_room(const pc_panel *panel, const pc_panel_layout *layout, const pc_type_sizes *type, size_t span)
{
    double left, right;
    const char *label = panel->spans[span].label;
    if (!label || !pc_span_ends(layout, &panel->spans[span], &left, &right)) return false;
    return pc_label_width(label) * type->tick + type->gap < right - left;
}

const pc_scale *pc_layout_scale_of(const pc_panel_layout *layout, const pc_series *series)
{
    return series->right ? &layout->right : &layout->y;
}

/* --- sizes --- */

/* Type grows and shrinks less than the panels do: a small chart stays readable, a large one does not shout. */
static pc_type_sizes choose_type(double panel_width, double panel_height)
{
    double scale = sqrt(fmin(panel_width / 720, panel_height / 430));
    scale = fmin(fmax(scale, 0.78), 1.5);
    return (pc_type_sizes){
        .tick = 13 * scale, .label = 14.5 * scale, .title = 16.5 * scale, .pen = 1.9 * scale, .gap = 7 * scale};
}

static double widest_tick(const pc_scale *scale)
{
    double widest = 0;
    for (int i = 0; i < scale->n_ticks; i++) widest = fmax(widest, pc_label_width(scale->ticks[i].text));
    return widest;
}

/* Ticks along x: fewer until their texts have room. */
static void set_x_ticks(pc_scale *scale, double length, const pc_type_sizes *type)
{
    for (int wanted = (int)fmax(2, length / (5 * type->tick)); wanted >= 1; wanted--) {
        pc_scale_set_ticks(scale, wanted);
        int labelled = 0;
        for (int i = 0; i < scale->n_ticks; i++) labelled += scale->ticks[i].text[0] != '\0';
        if (labelled * (widest_tick(scale) + 1.2) * type->tick <= 1.15 * length) return;
    }
}

/* Ticks of everything but x, for frames of this height. */
static void set_y_ticks(pc_scale *scale, double length, const pc_type_sizes *type)
{
    pc_scale_set_ticks(scale, (int)fmax(3, length / (3.2 * type->tick)));
}

/* --- margins --- */

typedef struct margins {
    double left, right, bottom, top;
} margins;

static bool has_text(const pc_axis *axis)
{
    return axis->label || axis->unit;
}

/* What surrounds a frame, from inside to outside: tick texts, label of the axis; on top the common factor of y or the
 * legend, then the title. */
static margins find_margins(const pc_panel *panel, pc_panel_layout *p, const pc_type_sizes *t, int legend_rows)
{
    margins m;
    if (panel->polar) {
        /* angles all round, what the radius is below, legend and title above */
        double round = 2.2 * t->tick + t->gap;
        p->x_label = round + 0.4 * t->label;
        m = (margins){round + 1.5 * t->tick, round + 1.5 * t->tick, round, round};
        if (has_text(&panel->y)) m.bottom = p->x_label + 0.6 * t->label + t->gap;
        if (legend_rows > 0) m.top += 1.5 * t->tick * legend_rows;
        p->title = m.top + 0.35 * t->label;
        if (panel->title) m.top += 1.5 * t->label;
        return m;
    }
    double ticks = widest_tick(&p->y) * t->tick;
    p->y_label = t->gap + ticks + t->gap + 0.75 * t->label;
    m.left = has_text(&panel->y) ? p->y_label + 0.6 * t->label : t->gap + ticks;
    m.left = fmax(m.left, 0.5 * widest_tick(&p->x) * t->tick) + t->gap;
    p->x_label = t->gap + t->tick + 0.7 * t->gap + 0.6 * t->label;
    m.bottom = (has_text(&panel->x) || p->x.common[0] ? p->x_label + 0.6 * t->label : t->gap + t->tick) + t->gap;
    m.right = fmax(0.5 * widest_tick(&p->x) * t->tick, 0) + 1.4 * t->gap;
    if (pc_panel_has_right(panel)) {
        double end = 1.3 * t->gap + widest_tick(&p->right) * t->tick + t->gap;
        p->right_label = end + 0.5 * t->label;
        m.right = has_text(&panel->right) ? p->right_label + 0.6 * t->label + t->gap : end;
    }
    const pc_field *field = pc_panel_bar(panel);
    if (field) {
        /* the bar of colours: from inside to outside bar, texts of its ticks, label */
        double left = (pc_panel_has_right(panel) ? m.right : t->gap) + 1.2 * t->gap, right = left + 1.25 * t->tick;
        p->bar = (pc_box){left, 0, right, 0};
        m.right = right + 1.3 * t->gap + widest_tick(&p->z) * t->tick + t->gap;
        p->z_label = m.right + 0.5 * t->label;
        if (has_text(&field->z) || p->z.common[0]) m.right = p->z_label + 0.6 * t->label + t->gap;
    }
    m.top = t->gap + 0.4 * t->tick;
    if (p->y.common[0] || p->right.common[0] || legend_rows > 0) m.top += 1.2 * t->tick;
    if (legend_rows > 0) m.top += 1.5 * t->tick * legend_rows - 0.45 * t->tick;
    p->title = m.top + 0.35 * t->label;
    if (panel->title) m.top += 1.5 * t->label;
    return m;
}

typedef struct grid {
    int columns, rows;
    double top; /* of the panels */
    double left[PC_FIGURE_COLUMNS_MAX], right[PC_FIGURE_COLUMNS_MAX];
    double above[PC_FIGURE_PANELS_MAX], below[PC_FIGURE_PANELS_MAX];
} grid;

static void gather_margins(const pc_figure *figure, pc_layout *layout, const int *legend_rows, grid *g)
{
    for (int c = 0; c < g->columns; c++) g->left[c] = g->right[c] = 0;
    for (int r = 0; r < g->rows; r++) g->above[r] = g->below[r] = 0;
    for (size_t i = 0; i < layout->n_panels; i++) {
        int c = (int)i % g->columns, r = (int)i / g->columns;
        margins m = find_margins(figure->panels[i], &layout->panels[i], &layout->type, legend_rows[i]);
        g->left[c] = fmax(g->left[c], m.left);
        g->right[c] = fmax(g->right[c], m.right);
        g->above[r] = fmax(g->above[r], m.top);
        g->below[r] = fmax(g->below[r], m.bottom);
    }
}

/* Takes from one side of a frame until units of x and y are equally long. */
static void shrink_frame(pc_panel_layout *p)
{
    pc_box *f = &p->frame;
    double width = f->x1 - f->x0, height = f->y1 - f->y0;
    double unit = fmin(width / fabs(p->x.hi - p->x.lo), height / fabs(p->y.hi - p->y.lo));
    double spare_x = floor(0.5 * (width - unit * fabs(p->x.hi - p->x.lo)));
    double spare_y = floor(0.5 * (height - unit * fabs(p->y.hi - p->y.lo)));
    f->x0 += spare_x;
    f->x1 -= spare_x;
    f->y0 += spare_y;
    f->y1 -= spare_y;
}

/* Frames of equal size: what the margins leave, shared out. False if nothing is left. */
static bool set_frames(const pc_figure *figure, pc_layout *layout, const grid *g)
{
    double width = layout->width, height = g->top;
    for (int c = 0; c < g->columns; c++) width -= g->left[c] + g->right[c];
    for (int r = 0; r < g->rows; r++) height -= g->above[r] + g->below[r];
    width /= g->columns;
    height /= g->rows;
    if (width < 24 || height < 24) return false;
    double y = g->top;
    for (int r = 0; r < g->rows; r++) {
        double x = 0;
        y -= g->above[r] + height;
        for (int c = 0; c < g->columns; c++) {
            x += g->left[c];
            size_t i = (size_t)(r * g->columns + c);
            /* whole pixels, half a pixel in: thin lines of the frame stay crisp */
            if (i < layout->n_panels) {
                pc_panel_layout *p = &layout->panels[i];
                p->frame = (pc_box){floor(x) + 0.5, floor(y) + 0.5, floor(x + width) + 0.5, floor(y + height) + 0.5};
                if (figure->panels[i]->polar || figure->panels[i]->equal) shrink_frame(p);
                p->bar.x0 += p->frame.x1;
                p->bar.x1 += p->frame.x1;
                p->bar.y0 = p->frame.y0;
                p->bar.y1 = p->frame.y1;
            }
            x += width + g->right[c];
        }
        y -= g->below[r];
    }
    return true;
}

/* Ticks for frames, margins for ticks, frames for margins: twice round settles all three. */
static bool settle(const pc_figure *figure, pc_layout *layout, const int *legend_rows, grid *g)
{
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < layout->n_panels; i++) {
            pc_panel_layout *p = &layout->panels[i];
            set_x_ticks(&p->x, p->frame.x1 - p->frame.x0, &layout->type);
            set_y_ticks(&p->y, p->frame.y1 - p->frame.y0, &layout->type);
            double height = p->frame.y1 - p->frame.y0;
            if (pc_panel_bar(figure->panels[i])) set_y_ticks(&p->z, height, &layout->type);
            if (pc_panel_has_right(figure->panels[i])) set_y_ticks(&p->right, height, &layout->type);
            if (figure->panels[i]->polar) pc_scale_set_ticks(&p->radius, height < 200 ? 2 : 4);
        }
        gather_margins(figure, layout, legend_rows, g);
        if (!set_frames(figure, layout, g)) return false;
    }
    return true;
}

static pc_status place_legend(const pc_panel *panel, const pc_layout *layout, pc_panel_layout *p, int *rows,
                              bool *moved, pc_error *err)
{
    const pc_type_sizes *type = &layout->type;
    if (*rows == 0) {
        bool placed;
        pc_status status = pc_legend_place_inside(panel, type, p, &placed, err);
        if (status || placed || p->n_entries == 0) return status;
        *moved = true;
    }
    *rows = pc_legend_rows(panel, type, p);
    double above = panel->polar ? 2.2 * type->tick : 0; /* the angles */
    pc_legend_place_above(panel, type, p, p->frame.y1 + above + type->gap + 0.55 * type->tick);
    return PC_OK;
}

pc_status pc_layout_make(const pc_figure *figure, pc_layout *layout, pc_error *err)
{
    if (figure->n_panels == 0) return pc_fail(err, PC_E_ARGUMENT, "the figure has no panel to draw");
    int width, height;
    pc_figure_size(figure, &width, &height);
    grid g = {.columns = figure->columns < (int)figure->n_panels ? figure->columns : (int)figure->n_panels};
    g.rows = ((int)figure->n_panels + g.columns - 1) / g.columns;
    *layout = (pc_layout){.width = width, .height = height, .n_panels = figure->n_panels};
    layout->panels = pc_calloc(figure->n_panels, sizeof *layout->panels);
    if (!layout->panels) return pc_fail(err, PC_E_MEMORY, "not enough memory to lay out the figure");
    layout->type = choose_type(layout->width / g.columns, layout->height / g.rows);
    g.top = layout->height;
    if (figure->title) {
        layout->title = layout->height - 0.5 * layout->type.gap - layout->type.title;
        g.top = layout->height - 0.5 * layout->type.gap - 1.75 * layout->type.title;
    }
    for (size_t i = 0; i < figure->n_panels; i++) {
        pc_panel_layout *p = &layout->panels[i];
        pc_panel_limits(figure->panels[i], &p->x, &p->y);
        if (pc_panel_bar(figure->panels[i])) pc_field_scale(pc_panel_bar(figure->panels[i]), &p->z);
        if (pc_panel_has_right(figure->panels[i])) pc_panel_right_limits(figure->panels[i], &p->right);
        p->radius = (pc_scale){.lo = 0, .hi = p->x.hi};
        p->frame = (pc_box){0, 0, 0.8 * layout->width / g.columns, 0.7 * g.top / g.rows};
    }

    /* A legend that finds no room inside goes above its frame, which moves every frame: then all are placed again.
     * A legend once above stays there, so this ends. */
    int legend_rows[PC_FIGURE_PANELS_MAX] = {0};
    pc_status status = PC_OK;
    bool room = true, moved = true;
    while (moved && (room = settle(figure, layout, legend_rows, &g)) && !status) {
        moved = false;
        for (size_t i = 0; !status && i < figure->n_panels; i++) {
            status = place_legend(figure->panels[i], layout, &layout->panels[i], &legend_rows[i], &moved, err);
        }
    }
    if (!room)
        status = pc_fail(err, PC_E_ARGUMENT, "%d x %d pixels are too few for %d panels", width, height,
                         (int)figure->n_panels);
    if (status) pc_layout_free(layout);
    return status;
}

void pc_layout_free(pc_layout *layout)
{
    pc_free(layout->panels);
    *layout = (pc_layout){0};
}
