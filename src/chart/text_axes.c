/* Axes of charts as text: see text_parts.h. */
#include "chart/label.h"
#include "chart/text_parts.h"

#include <math.h>

/* --- what goes where --- */

static int widest_tick(pc_text_chart *t, const pc_scale *scale)
{
    int widest = 0;
    for (int i = 0; i < scale->n_ticks; i++) {
        int columns = pc_text_columns(t, scale->ticks[i].text);
        if (columns > widest) widest = columns;
    }
    return widest;
}

/* Ticks of x: fewer until their texts keep two blanks between them. */
static void set_x_ticks(pc_text_chart *t)
{
    for (int wanted = t->columns / 8 > 1 ? t->columns / 8 : 1; wanted >= 1; wanted--) {
        pc_scale_set_ticks(&t->x, wanted);
        int labelled = 0;
        for (int i = 0; i < t->x.n_ticks; i++) labelled += t->x.ticks[i].text[0] != '\0';
        if (labelled * (widest_tick(t, &t->x) + 2) <= t->columns + 2) return;
    }
}

void pc_text_frame(pc_text_chart *t, int rows)
{
    const pc_panel *panel = t->panel;
    int wanted = rows / 5 > 2 ? rows / 5 : 2;
    pc_panel_limits(panel, &t->x, &t->y);
    pc_scale_set_ticks(&t->y, wanted);
    t->right.n_ticks = 0;
    t->left = panel->polar ? 6 : widest_tick(t, &t->y) + 2;
    t->columns = t->canvas->columns - t->left - 1;
    if (panel->polar) t->columns -= 4;
    if (pc_panel_has_right(panel)) {
        pc_panel_right_limits(panel, &t->right);
        pc_scale_set_ticks(&t->right, wanted);
        t->columns -= widest_tick(t, &t->right) + 2;
    }
    set_x_ticks(t);
}

void pc_text_equalize(pc_text_chart *t)
{
    double across = fabs(t->x.hi - t->x.lo), up = fabs(t->y.hi - t->y.lo);
    int columns = (int)lround(PC_DOTS_Y * t->rows * across / (PC_DOTS_X * up));
    if (columns < t->columns) {
        t->left += (t->columns - columns) / 2;
        t->columns = columns > 4 ? columns : 4;
    } else {
        int rows = (int)lround(PC_DOTS_X * t->columns * up / (PC_DOTS_Y * across));
        t->rows = rows < t->rows ? (rows > 2 ? rows : 2) : t->rows;
    }
    set_x_ticks(t);
}

/* --- drawing --- */

/* The circle, its upright and level diameter, and angles and radii along them. */
static void draw_polar(pc_text_chart *t)
{
    enum { CORNERS = 90 };
    const double radius = t->frame.x1 / 2, x = radius, y = t->frame.y1 / 2;
    pc_dot_pen pen = {t, PC_DASH_SOLID, 1, PC_TEXT_GUIDE};
    double px[CORNERS + 1], py[CORNERS + 1];
    for (int i = 0; i <= CORNERS; i++) {
        double angle = 6.283185307179586 * i / CORNERS;
        px[i] = x + radius * cos(angle);
        py[i] = fmin(fmax(y + radius * sin(angle), 0), t->frame.y1);
    }
    pc_text_stroke(&pen, px, py, CORNERS + 1);
    const int middle_row = pc_text_row(t, y), middle_column = pc_text_column(t, x), end = t->left + t->columns;
    for (int c = 0; c < t->columns; c++) {
        pc_canvas_put_behind(t->canvas, t->left + c, middle_row, t->strokes->guide_level, PC_TEXT_GUIDE);
    }
    for (int r = 0; r < t->rows; r++) {
        pc_canvas_put_behind(t->canvas, middle_column, t->top + r, t->strokes->guide_up, PC_TEXT_GUIDE);
    }
    pc_canvas_write(t->canvas, end + 1, middle_row, pc_text_plain(t, "0°"), PC_TEXT_PLAIN);
    pc_canvas_write(t->canvas, middle_column + 2, t->top, pc_text_plain(t, "90°"), PC_TEXT_PLAIN);
    const char *half = pc_text_plain(t, "180°");
    pc_canvas_write(t->canvas, t->left - 1 - pc_label_columns(half), middle_row, half, PC_TEXT_PLAIN);
    pc_scale scale = {.lo = 0, .hi = t->x.hi};
    pc_scale_set_ticks(&scale, 2);
    for (int i = 0; i < scale.n_ticks; i++) {
        double at = pc_scale_position(&scale, scale.ticks[i].value);
        const char *text = pc_text_plain(t, scale.ticks[i].text);
        int column = middle_column + (int)(at * t->columns / 2) - pc_label_columns(text);
        if (at > 0.01) pc_canvas_write(t->canvas, column, middle_row + 1, text, PC_TEXT_GUIDE);
    }
}

void pc_text_axes(pc_text_chart *t)
{
    if (t->panel->polar) {
        draw_polar(t);
        return;
    }
    const pc_strokes *s = t->strokes;
    int bottom = t->top + t->rows;
    for (int r = 0; r < t->rows; r++) pc_canvas_put(t->canvas, t->left - 1, t->top + r, s->vertical, PC_TEXT_PLAIN);
    for (int c = 0; c < t->columns; c++) pc_canvas_put(t->canvas, t->left + c, bottom, s->horizontal, PC_TEXT_PLAIN);
    pc_canvas_put(t->canvas, t->left - 1, bottom, s->corner, PC_TEXT_PLAIN);
    for (int i = 0; i < t->y.n_ticks; i++) {
        double dot;
        if (!t->y.ticks[i].text[0] || !pc_text_dot(&t->y, t->y.ticks[i].value, t->frame.y1 + 1, &dot)) continue;
        const char *text = pc_text_plain(t, t->y.ticks[i].text);
        pc_canvas_put(t->canvas, t->left - 1, pc_text_row(t, dot), s->tick_left, PC_TEXT_PLAIN);
        pc_canvas_write(t->canvas, t->left - 2 - pc_label_columns(text), pc_text_row(t, dot), text, PC_TEXT_PLAIN);
    }
    for (int r = 0; pc_panel_has_right(t->panel) && r < t->rows; r++) {
        pc_canvas_put(t->canvas, t->left + t->columns, t->top + r, s->vertical, PC_TEXT_PLAIN);
    }
    for (int i = 0; i < t->right.n_ticks; i++) {
        double dot;
        if (!t->right.ticks[i].text[0]) continue;
        if (!pc_text_dot(&t->right, t->right.ticks[i].value, t->frame.y1 + 1, &dot)) continue;
        const char *text = pc_text_plain(t, t->right.ticks[i].text);
        pc_canvas_put(t->canvas, t->left + t->columns, pc_text_row(t, dot), s->tick_right, PC_TEXT_PLAIN);
        pc_canvas_write(t->canvas, t->left + t->columns + 2, pc_text_row(t, dot), text, PC_TEXT_PLAIN);
    }
    int end = 0; /* of the last text written */
    for (int i = 0; i < t->x.n_ticks; i++) {
        double dot;
        if (!t->x.ticks[i].text[0] || !pc_text_dot(&t->x, t->x.ticks[i].value, t->frame.x1 + 1, &dot)) continue;
        const char *text = pc_text_plain(t, t->x.ticks[i].text);
        int column = pc_text_column(t, dot), width = pc_label_columns(text), start = column - width / 2;
        pc_canvas_put(t->canvas, column, bottom, s->tick_below, PC_TEXT_PLAIN);
        if (start + width > t->canvas->columns) start = t->canvas->columns - width;
        if (start < end) continue;
        pc_canvas_write(t->canvas, start, bottom + 1, text, PC_TEXT_PLAIN);
        end = start + width + 1;
    }
}
