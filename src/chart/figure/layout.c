/* Page layout: see figure.h.
 *
 * Margins are found from the texts that go there, the same for all panels of a row or column so that their frames
 * line up. How many ticks an axis gets depends on its length and on the width of their texts.
 */
#include "chart/figure/figure.h"

#include "base/alloc.h"

#include <math.h>
#include <string.h>

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

/* --- legends: what they hold, and where they hide least --- */

void pc_entry_text(const pc_panel *panel, const pc_entry *entry, pc_buffer *text)
{
    pc_buffer_clear(text);
    if (entry->of == PC_ENTRY_SPAN) {
        pc_buffer_print(text, "%s", panel->spans[entry->index].label);
        return;
    }
    if (entry->of == PC_ENTRY_FIELD) {
        const pc_field *field = &panel->fields[entry->index];
        pc_buffer_print(text, "%s%s", field->label, pc_field_has_data(field) ? "" : " (no data)");
        return;
    }
    const pc_series *series = &panel->series[entry->index];
    pc_buffer_print(text, "%s%s", series->label, pc_panel_has_data(panel, series) ? "" : " (no data)");
}

double pc_entry_sample(const pc_type_sizes *type)
{
    return 2.4 * type->tick;
}

static double entry_width(const pc_panel *panel, const pc_type_sizes *type, const pc_entry *entry)
{
    pc_buffer text = {0};
    pc_entry_text(panel, entry, &text);
    double width = pc_entry_sample(type) + type->gap + pc_label_width(pc_buffer_text(&text)) * type->tick;
    pc_buffer_free(&text);
    return width;
}

static void add_entry(pc_panel_layout *layout, pc_entry_of of, size_t index)
{
    if (layout->n_entries == PC_ENTRIES_MAX) return;
    layout->entries[layout->n_entries++] = (pc_entry){.of = of, .index = index};
}

/* A span's label is in the legend if none of the spans that share it has room for it. */
static bool span_needs_entry(const pc_panel *panel, const pc_panel_layout *layout, const pc_type_sizes *type, size_t i)
{
    const char *label = panel->spans[i].label;
    if (!label) return false;
    for (size_t k = 0; k < panel->n_spans; k++) {
        if (!panel->spans[k].label || strcmp(panel->spans[k].label, label) != 0) continue;
        if (k < i || pc_span_has_room(panel, layout, type, k)) return false;
    }
    return true;
}

static void legend_collect(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout)
{
    layout->n_entries = 0;
    if (!panel->legend) return;
    for (size_t i = 0; i < panel->n_series; i++) {
        if (panel->series[i].label) add_entry(layout, PC_ENTRY_SERIES, i);
    }
    for (size_t i = 0; i < panel->n_fields; i++) {
        if (panel->fields[i].label) add_entry(layout, PC_ENTRY_FIELD, i);
    }
    for (size_t i = 0; i < panel->n_spans; i++) {
        if (span_needs_entry(panel, layout, type, i)) add_entry(layout, PC_ENTRY_SPAN, i);
    }
}

/* --- what is where: a coarse grid over the frame --- */

enum { GRID = 96 };

typedef struct occupancy {
    pc_box frame;
    unsigned short used[GRID][GRID]; /* [row][column] */
} occupancy;

static int cell_of(double at, double lo, double hi)
{
    int cell = (int)((at - lo) / (hi - lo) * GRID);
    return cell < 0 ? 0 : cell >= GRID ? GRID - 1 : cell;
}

static void mark(occupancy *o, double x, double y)
{
    unsigned short *cell = &o->used[cell_of(y, o->frame.y0, o->frame.y1)][cell_of(x, o->frame.x0, o->frame.x1)];
    if (*cell < 1000) ++*cell;
}

static void mark_run(void *context, const double *x, const double *y, int n)
{
    occupancy *o = context;
    double grain = fmin(o->frame.x1 - o->frame.x0, o->frame.y1 - o->frame.y0) / GRID;
    mark(o, x[0], y[0]);
    for (int i = 1; i < n; i++) {
        int steps = 1 + (int)(hypot(x[i] - x[i - 1], y[i] - y[i - 1]) / grain);
        for (int k = 1; k <= steps; k++) {
            double at = (double)k / steps;
            mark(o, x[i - 1] + at * (x[i] - x[i - 1]), y[i - 1] + at * (y[i] - y[i - 1]));
        }
    }
}

/* Both diagonals of what a point reaches over. */
static void mark_reach(void *context, double x, double y, pc_box b)
{
    const double px[5] = {b.x0, b.x1, x, b.x0, b.x1}, py[5] = {b.y0, b.y1, y, b.y1, b.y0};
    mark_run(context, px, py, 5);
}

static pc_status fill_occupancy(const pc_panel *panel, const pc_type_sizes *type, const pc_panel_layout *layout,
                                occupancy *o, pc_error *err)
{
    o->frame = layout->frame;
    for (size_t i = 0; i < panel->n_series; i++) {
        const pc_series *series = &panel->series[i];
        const pc_scale *x = &layout->x, *y = pc_layout_scale_of(layout, series);
        const pc_box f = layout->frame;
        pc_status status = series->kind->joined ? pc_curve_runs(series, x, y, f, f, 2, mark_run, o, err)
                                                : pc_curve_points(series, x, y, f, 2, mark_run, o, err);
        if (!status && (series->kind->filled || series->kind->whiskered)) {
            status = pc_reach_each(series, x, y, f, mark_reach, o, err);
        }
        if (status) return status;
    }
    for (size_t i = 0; i < panel->n_guides; i++) {
        const pc_guide *guide = &panel->guides[i];
        double at = pc_scale_position(guide->vertical ? &layout->x : &layout->y, guide->at);
        if (!(at >= 0 && at <= 1)) continue;
        const pc_box f = layout->frame;
        double x[2] = {f.x0, f.x1}, y[2] = {f.y0, f.y1};
        if (guide->vertical)
            x[0] = x[1] = f.x0 + at * (f.x1 - f.x0);
        else
            y[0] = y[1] = f.y0 + at * (f.y1 - f.y0);
        mark_run(o, x, y, 2);
    }
    for (size_t i = 0; i < panel->n_notes; i++) {
        const pc_box f = layout->frame;
        double u = pc_scale_position(&layout->x, panel->notes[i].x),
               v = pc_scale_position(&layout->y, panel->notes[i].y);
        if (!(u >= 0 && u <= 1 && v >= 0 && v <= 1)) continue;
        double left = f.x0 + u * (f.x1 - f.x0), middle = f.y0 + v * (f.y1 - f.y0);
        double x[2] = {left, fmin(f.x1, left + pc_label_width(panel->notes[i].text) * type->tick)};
        double y[2] = {middle, middle};
        mark_run(o, x, y, 2);
    }
    /* labels of spans stand along the upper edge */
    for (size_t i = 0; i < panel->n_spans; i++) {
        double left, right;
        if (!pc_span_has_room(panel, layout, type, i) || !pc_span_ends(layout, &panel->spans[i], &left, &right))
            continue;
        double x[2] = {left, right}, y[2] = {layout->frame.y1 - type->tick, layout->frame.y1 - type->tick};
        mark_run(o, x, y, 2);
    }
    return PC_OK;
}

static long hidden_by(const occupancy *o, pc_box box)
{
    long hidden = 0;
    for (int row = cell_of(box.y0, o->frame.y0, o->frame.y1); row <= cell_of(box.y1, o->frame.y0, o->frame.y1); row++) {
        for (int c = cell_of(box.x0, o->frame.x0, o->frame.x1); c <= cell_of(box.x1, o->frame.x0, o->frame.x1); c++) {
            hidden += o->used[row][c];
        }
    }
    return hidden;
}

/* --- places --- */

/* Of the type; a text with indices hangs lower. */
static const double ROW_HEIGHT = 1.5, SCRIPT_ROW_HEIGHT = 1.85;

static double row_height(const pc_panel *panel, const pc_panel_layout *layout)
{
    bool scripts = false;
    for (int i = 0; i < layout->n_entries && !scripts; i++) {
        size_t k = layout->entries[i].index;
        const char *label = layout->entries[i].of == PC_ENTRY_SPAN    ? panel->spans[k].label
                            : layout->entries[i].of == PC_ENTRY_FIELD ? panel->fields[k].label
                                                                      : panel->series[k].label;
        scripts = strchr(label, '_') != NULL;
    }
    return scripts ? SCRIPT_ROW_HEIGHT : ROW_HEIGHT;
}

static pc_status legend_place_inside(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout,
                                     bool *placed, pc_error *err)
{
    *placed = false;
    legend_collect(panel, type, layout);
    /* a field leaves no place free, a circle little */
    if (panel->n_fields > 0 || panel->polar) return PC_OK;
    double width = 0, row = row_height(panel, layout) * type->tick, pad = type->gap;
    for (int i = 0; i < layout->n_entries; i++) width = fmax(width, entry_width(panel, type, &layout->entries[i]));
    width += 2 * pad;
    double height = row * layout->n_entries + pad;
    pc_box f = layout->frame;
    double inset = 1.2 * type->gap;
    if (width > 0.6 * (f.x1 - f.x0) || height > 0.6 * (f.y1 - f.y0)) return PC_OK;

    occupancy *o = pc_calloc(1, sizeof *o);
    if (!o) return pc_fail(err, PC_E_MEMORY, "not enough memory to place the legend");
    pc_status status = fill_occupancy(panel, type, layout, o, err);
    /* the corners first, then along the edges */
    static const double places[][2] = {{1, 1}, {0, 1}, {1, 0}, {0, 0}, {0.5, 1}, {0.5, 0}, {1, 0.5}, {0, 0.5}};
    for (size_t i = 0; !status && i < sizeof places / sizeof *places && !*placed; i++) {
        double x0 = f.x0 + inset + places[i][0] * (f.x1 - f.x0 - 2 * inset - width);
        double y0 = f.y0 + inset + places[i][1] * (f.y1 - f.y0 - 2 * inset - height);
        pc_box box = {x0, y0, x0 + width, y0 + height};
        if (hidden_by(o, box) > 0) continue;
        *placed = layout->legend_inside = true;
        layout->legend = box;
        for (int k = 0; k < layout->n_entries; k++) {
            layout->entries[k].x = x0 + pad;
            layout->entries[k].y = y0 + height - pad / 2 - row * (k + 0.5);
        }
    }
    pc_free(o);
    return status;
}

/* Lets the entries flow in rows, numbered from the top: the row of each is left in its y. Returns how many rows. */
static int flow(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout)
{
    double left = layout->frame.x0, x = left;
    int row = 0;
    for (int i = 0; i < layout->n_entries; i++) {
        double width = entry_width(panel, type, &layout->entries[i]);
        if (x > left && x + width > layout->frame.x1) {
            x = left;
            row++;
        }
        layout->entries[i].x = x;
        layout->entries[i].y = row;
        x += width + 2.5 * type->gap;
    }
    return layout->n_entries ? row + 1 : 0;
}

static int legend_rows(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout)
{
    return flow(panel, type, layout);
}

static void legend_place_above(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout, double y)
{
    layout->legend_inside = false;
    int rows = flow(panel, type, layout);
    for (int i = 0; i < layout->n_entries; i++) {
        layout->entries[i].y = y + (rows - 1 - layout->entries[i].y) * ROW_HEIGHT * type->tick;
    }
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
        pc_status status = legend_place_inside(panel, type, p, &placed, err);
        if (status || placed || p->n_entries == 0) return status;
        *moved = true;
    }
    *rows = legend_rows(panel, type, p);
    double above = panel->polar ? 2.2 * type->tick : 0; /* the angles */
    legend_place_above(panel, type, p, p->frame.y1 + above + type->gap + 0.55 * type->tick);
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
