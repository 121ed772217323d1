/* Fields of figures as pixels, SVG and text; and what stops or fails while they are drawn. */
#include "chart/figure/figure.h"
#include "chart/media/media.h"
#include "chart/text/text.h"
#include "chart_field_samples.h"
#include "unit.h"

#include "base/alloc.h"
#include "base/status.h"

#include <math.h>
#include <string.h>

/* ---- pages ---- */

START_TEST(pixels_of_a_heatmap_have_the_colours_of_its_values)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", half_known, NULL);
    for (int turned = 0; turned < 2; turned++) {
        if (turned) ck_assert_int_eq(pc_axis_set_limits(&panel->x, "x", 2.05, -2.05, false, NULL), PC_OK);
        pc_layout layout;
        ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
        const pc_panel_layout *p = &layout.panels[0];
        pc_buffer pixels = {0};
        ck_assert_int_eq(pc_figure_pixels(figure, 640, 400, 96, &pixels, NULL), PC_OK);
        for (int i = 0; i < NX; i++) {
            double x = p->frame.x0 + pc_scale_position(&p->x, field->x[i]) * (p->frame.x1 - p->frame.x0);
            for (int j = 1; j < NY - 1; j += 7) {
                double y = p->frame.y0 + pc_scale_position(&p->y, field->y[j]) * (p->frame.y1 - p->frame.y0);
                const unsigned char *rgb =
                    (const unsigned char *)pixels.data + 3 * ((399 - (int)floor(y)) * 640 + (int)floor(x));
                pc_colour wanted = field->x[i] < 0
                                       ? figure->theme->page
                                       : pc_palette_at(field->palette, pc_scale_position(&p->z, field->x[i]));
                /* 128 shades stand for the palette, whose steepest channel changes by 5 from one to the next */
                ck_assert_int_le(abs(rgb[0] - wanted.red), 5);
                ck_assert_int_le(abs(rgb[1] - wanted.green), 5);
                ck_assert_int_le(abs(rgb[2] - wanted.blue), 5);
            }
        }
        /* the bar: least below, greatest above, beside the frame */
        ck_assert(p->bar.x0 > p->frame.x1 && p->bar.x1 < 640);
        for (int end = 0; end < 2; end++) {
            double y = end ? p->bar.y1 - 3 : p->bar.y0 + 3, x = (p->bar.x0 + p->bar.x1) / 2;
            const unsigned char *rgb =
                (const unsigned char *)pixels.data + 3 * ((399 - (int)floor(y)) * 640 + (int)floor(x));
            pc_colour wanted = pc_palette_at(field->palette, end);
            ck_assert_int_le(abs(rgb[0] - wanted.red) + abs(rgb[1] - wanted.green) + abs(rgb[2] - wanted.blue), 20);
        }
        pc_buffer_free(&pixels);
        pc_layout_free(&layout);
    }
    pc_figure_free(figure);
}
END_TEST

START_TEST(values_between_grid_points_are_bilinear_and_bands_lie_between_levels)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "bands", saddle, NULL); /* x y is bilinear itself */
    field->values[0][7 * NY + 7] = NAN;
    ck_assert_int_eq(pc_field_set_levels(field, (const double[]){1, -1, 0}, 3, NULL), PC_OK);
    pc_bands bands;
    pc_bands_make(field, &bands);
    for (int i = 0; i <= 100; i++) {
        double x = -2 + 0.04 * i, y = 1 - 0.02 * (i * i % 101);
        double value = pc_bands_value(&bands, x, y);
        bool beside = fabs(x - field->x[7]) < 0.1 - 1e-9 && fabs(y - field->y[7]) < 2.0 / (NY - 1) - 1e-9;
        if (!beside) ck_assert_double_eq_tol(value, x * y, 1e-15 * 8);
        if (beside) ck_assert(isnan(value));
        int band = (value >= -1) + (value >= 0) + (value >= 1);
        ck_assert_int_eq(pc_bands_find(&bands, value), beside ? -1 : band);
    }
    ck_assert(isnan(pc_bands_value(&bands, 2.01, 0)));
    ck_assert(isnan(pc_bands_value(&bands, 0, -1.01)));
    ck_assert_int_eq(pc_bands_find(&bands, INFINITY), -1);
    /* the scale is -2 to 2: bands of a quarter each */
    for (int band = 0; band < 4; band++)
        ck_assert_double_eq_tol(pc_bands_position(&bands, band), 0.125 + 0.25 * band, 1e-15);
    pc_figure_free(figure);
}
END_TEST

START_TEST(pixels_of_bands_have_one_colour_up_to_the_level)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "bands", slope, NULL);
    ck_assert_int_eq(pc_field_set_levels(field, (const double[]){-1.03, 0.51}, 2, NULL), PC_OK);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *p = &layout.panels[0];
    /* unlike the cells of a heatmap, bands end at the outer grid lines */
    ck_assert_double_eq(p->x.lo, -2);
    ck_assert_double_eq(p->x.hi, 2);
    pc_bands bands;
    pc_bands_make(field, &bands);
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, 640, 400, 96, &pixels, NULL), PC_OK);
    int row = 399 - (int)(0.5 * (p->frame.y0 + p->frame.y1)), seen[3] = {0};
    for (int column = (int)p->frame.x0 + 3; column < (int)p->frame.x1 - 3; column++) {
        double x = pc_scale_value(&p->x, (column + 0.5 - p->frame.x0) / (p->frame.x1 - p->frame.x0));
        /* two pixels at a level may be of either side */
        double pixel = 4 / (p->frame.x1 - p->frame.x0);
        if (fabs(x + 1.03) < 2 * pixel || fabs(x - 0.51) < 2 * pixel) continue;
        int band = pc_bands_find(&bands, x);
        pc_colour wanted = pc_palette_at(field->palette, pc_bands_position(&bands, band));
        const unsigned char *rgb = (const unsigned char *)pixels.data + 3 * (row * 640 + column);
        ck_assert_int_le(abs(rgb[0] - wanted.red) + abs(rgb[1] - wanted.green) + abs(rgb[2] - wanted.blue), 3);
        seen[band]++;
    }
    ck_assert(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_heatmap_has_no_seams)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", one, NULL);
    field->z.lo = 0;
    field->z.hi = 2;
    /* alternate two close shades, so that every edge of a cell is painted */
    for (int k = 0; k < NX * NY; k++) field->values[0][k] = 1 + 0.01 * (k % 2);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    for (int size = 1; size <= 2; size++) {
        pc_buffer pixels = {0};
        ck_assert_int_eq(pc_figure_pixels(figure, 640 * size, 400 * size, 96 * size, &pixels, NULL), PC_OK);
        pc_colour wanted = pc_palette_at(field->palette, 0.5);
        for (int row = (int)f.y0 + 2; row < f.y1 - 2; row++) {
            for (int c = (int)f.x0 + 2; c < f.x1 - 2; c++) {
                const unsigned char *rgb =
                    (const unsigned char *)pixels.data + 3 * ((400 * size - 1 - size * row) * 640 * size + size * c);
                ck_assert_msg(abs(rgb[0] - wanted.red) + abs(rgb[1] - wanted.green) + abs(rgb[2] - wanted.blue) < 30,
                              "at %d, %d: %d %d %d", c, row, rgb[0], rgb[1], rgb[2]);
            }
        }
        pc_buffer_free(&pixels);
    }
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* Degenerate fields draw on every device and as text, whatever the kind. */
START_TEST(degenerate_fields_draw_everywhere)
{
    static const function fields[] = {nothing, one, zero, half_known, bowl};
    for (int i = 0; i < 5; i++) {
        for (int k = 0; pc_field_kinds[k].name; k++) {
            for (int log = 0; log < 2; log++) {
                pc_panel *panel;
                pc_figure *figure = new_figure(&panel);
                panel->x.log = log;
                pc_field *field = add_field(panel, pc_field_kinds[k].name, fields[i], fields[4 - i]);
                if (log) field->z.log = true;
                pc_panel_set_text(&field->label, "field", NULL);
                pc_error err = {0};
                for (int f = 0; pc_formats[f].ending; f++) {
                    pc_buffer bytes = {0};
                    pc_status status = pc_figure_render(figure, &pc_formats[f], 96, &bytes, &err);
                    ck_assert_msg(status == PC_OK, "%s of field %d: %s", pc_field_kinds[k].name, i, err.text);
                    pc_buffer_free(&bytes);
                }
                for (int unicode = 0; unicode < 2; unicode++) {
                    pc_buffer text = {0};
                    pc_status status =
                        pc_figure_text(figure, (pc_text_options){70, 24, unicode, false, false}, &text, &err);
                    ck_assert_msg(status == PC_OK, "%s", err.text);
                    if (fields[i] == nothing) ck_assert_ptr_nonnull(strstr(text.data, "no data"));
                    for (size_t b = 0; !unicode && b < text.size; b++) ck_assert_int_gt(text.data[b], 0);
                    pc_buffer_free(&text);
                }
                pc_figure_free(figure);
            }
        }
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(text_shades_grow_with_the_value)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "heatmap", slope, NULL);
    pc_panel_set_text(&field->z.label, "loss", NULL);
    pc_panel_set_text(&field->z.unit, "J", NULL);
    pc_buffer text = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){70, 20, false, false, false}, &text, NULL), PC_OK);
    ck_assert_ptr_nonnull(strstr(text.data, "loss [J] -2 "));
    /* a row of the map: the ramp in its order, each shade once in a run */
    static const char ramp[] = ".:-=+*#%@";
    const char *row = strstr(text.data, " 0 +");
    ck_assert_ptr_nonnull(row);
    int at = 0, seen = 1;
    for (row += 4; *row != '\n'; row++) {
        const char *shade = strchr(ramp, *row);
        ck_assert_msg(shade != NULL, "'%c' in a row", *row);
        ck_assert_int_ge((int)(shade - ramp), at);
        ck_assert_int_le((int)(shade - ramp), at + 1);
        seen += shade - ramp > at;
        at = (int)(shade - ramp);
    }
    ck_assert_int_eq(seen, 9);
    pc_buffer_free(&text);
    pc_figure_free(figure);
}
END_TEST

static bool svg_holds(const pc_buffer *svg, const char *text)
{
    pc_buffer whole = {0};
    pc_buffer_print(&whole, ">%s</text>", text);
    bool found = strstr(svg->data, pc_buffer_text(&whole)) != NULL;
    pc_buffer_free(&whole);
    return found;
}

START_TEST(contours_have_their_levels_as_text)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    pc_field *field = add_field(panel, "contour", bowl, NULL);
    const double levels[] = {0.625, 3.125};
    ck_assert_int_eq(pc_field_set_levels(field, levels, 2, NULL), PC_OK);
    pc_buffer out = {0};
    ck_assert_int_eq(pc_figure_text(figure, (pc_text_options){80, 24, true, false, false}, &out, NULL), PC_OK);
    ck_assert(strstr(out.data, "0.625") && strstr(out.data, "3.125"));
    pc_buffer_clear(&out);
    ck_assert_int_eq(pc_figure_render(figure, &pc_formats[1], 96, &out, NULL), PC_OK);
    ck_assert(svg_holds(&out, "0.625") && svg_holds(&out, "3.125"));
    field->labelled = false;
    pc_buffer_clear(&out);
    ck_assert_int_eq(pc_figure_render(figure, &pc_formats[1], 96, &out, NULL), PC_OK);
    ck_assert(!svg_holds(&out, "0.625"));
    pc_buffer_free(&out);
    pc_figure_free(figure);
}
END_TEST

START_TEST(every_failing_allocation_of_a_field_is_reported)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add_field(panel, "heatmap", bowl, NULL);
    add_field(panel, "contour", bowl, NULL);
    add_field(panel, "streamlines", minus_y, slope);
    add_field(panel, "vectors", minus_y, slope);
    long before = pc_alloc_live();
    for (int way = 0; way < 2; way++) {
        int failures = 0, successes = 0;
        for (long n = 0; n < 2000 && successes < 3; n += 1 + n / 40) {
            pc_buffer out = {0};
            pc_alloc_fail_after(n);
            pc_status status = way ? pc_figure_text(figure, (pc_text_options){60, 20, true, false, false}, &out, NULL)
                                   : pc_figure_render(figure, &pc_formats[1], 96, &out, NULL);
            pc_alloc_fail_after(-1);
            ck_assert(status == PC_OK || status == PC_E_MEMORY);
            failures += status == PC_E_MEMORY;
            successes = status == PC_OK ? successes + 1 : 0;
            pc_buffer_free(&out);
            ck_assert_int_eq((int)pc_alloc_live(), (int)before);
        }
        ck_assert_int_ge(failures, 10);
        ck_assert_int_eq(successes, 3);
    }
    pc_figure_free(figure);
}
END_TEST

START_TEST(an_interrupt_stops_every_kind)
{
    for (int k = 0; pc_field_kinds[k].name; k++) {
        if (pc_field_kinds[k].arrowed) continue; /* a page holds few arrows */
        pc_panel *panel;
        pc_figure *figure = new_figure(&panel);
        add_field(panel, pc_field_kinds[k].name, bowl, slope);
        pc_buffer out = {0};
        pc_interrupt_flag = 1;
        pc_status status = pc_figure_render(figure, &pc_formats[1], 96, &out, NULL);
        pc_interrupt_flag = 0;
        ck_assert_msg(status == PC_E_INTERRUPTED, "%s", pc_field_kinds[k].name);
        pc_buffer_free(&out);
        pc_figure_free(figure);
    }
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

UNIT_MAIN("chart fields drawn", 180, pixels_of_a_heatmap_have_the_colours_of_its_values,
          values_between_grid_points_are_bilinear_and_bands_lie_between_levels,
          pixels_of_bands_have_one_colour_up_to_the_level, a_heatmap_has_no_seams, degenerate_fields_draw_everywhere,
          text_shades_grow_with_the_value, contours_have_their_levels_as_text,
          every_failing_allocation_of_a_field_is_reported, an_interrupt_stops_every_kind)
