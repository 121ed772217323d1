/* Legends: see legend.h. */
#include "chart/legend.h"

#include "base/alloc.h"
#include "chart/field.h"
#include "chart/label.h"
#include "chart/reach.h"

#include <math.h>
#include <string.h>

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

void pc_legend_collect(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout)
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

pc_status pc_legend_place_inside(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout,
                                 bool *placed, pc_error *err)
{
    *placed = false;
    pc_legend_collect(panel, type, layout);
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

int pc_legend_rows(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout)
{
    return flow(panel, type, layout);
}

void pc_legend_place_above(const pc_panel *panel, const pc_type_sizes *type, pc_panel_layout *layout, double y)
{
    layout->legend_inside = false;
    int rows = flow(panel, type, layout);
    for (int i = 0; i < layout->n_entries; i++) {
        layout->entries[i].y = y + (rows - 1 - layout->entries[i].y) * ROW_HEIGHT * type->tick;
    }
}
