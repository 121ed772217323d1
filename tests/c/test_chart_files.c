/* Figures through PLplot: what was drawn, and the traps that PLplot sets for its callers. */
#include "chart/label.h"
#include "chart/layout.h"
#include "chart/render.h"
#include "scratch.h"
#include "unit.h"

#include "base/alloc.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WIDTH = 640, HEIGHT = 400, N = 101 };

static pc_figure *new_figure(pc_panel **panel)
{
    pc_figure *figure;
    ck_assert_int_eq(pc_figure_new(&figure, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_set_size(figure, WIDTH, HEIGHT, 1, NULL), PC_OK);
    ck_assert_int_eq(pc_figure_add_panel(figure, panel, NULL), PC_OK);
    return figure;
}

static void add(pc_panel *panel, const char *kind, const double *x, const double *y, size_t n, const char *label,
                const char *colour)
{
    pc_style style = {.dash = PC_DASH_SOLID};
    if (colour) ck_assert(pc_colour_parse(colour, &style.colour));
    ck_assert_int_eq(pc_panel_add_series(panel, pc_series_kind_find(kind), x, y, n, label, style, NULL), PC_OK);
}

/* One and a half waves; the same in all tests that look at what was drawn. */
static pc_figure *wave_figure(pc_panel **panel)
{
    double x[N], y[N];
    for (int i = 0; i < N; i++) {
        x[i] = 3.0 * i / (N - 1);
        y[i] = sin(3 * x[i]);
    }
    pc_figure *figure = new_figure(panel);
    add(*panel, "line", x, y, N, "F_t/μ", "#ff0000");
    return figure;
}

static void render(const pc_figure *figure, const char *path, pc_buffer *bytes)
{
    const pc_format *format;
    pc_error err = {0};
    ck_assert_int_eq(pc_format_of_path(path, &format, NULL), PC_OK);
    pc_status status = pc_figure_render(figure, format, 96, bytes, &err);
    ck_assert_msg(status == PC_OK, "%s", err.text);
}

/* ---- SVG ---- */

/* The letters between <text ...> and </text>, without the marks inside. Advances *at; false after the last. */
static bool next_text(const char **at, char *text, size_t size)
{
    const char *s = strstr(*at, "<text");
    if (!s) return false;
    const char *end = strstr(s, "</text>");
    ck_assert_ptr_nonnull(end);
    size_t n = 0;
    bool inside = false;
    for (s = strchr(s, '>'); s < end; s++) {
        if (*s == '>')
            inside = true;
        else if (*s == '<')
            inside = false;
        else if (inside && n + 1 < size)
            text[n++] = *s;
    }
    text[n] = '\0';
    *at = end;
    return true;
}

/* PLplot writes what is not ASCII as numeric references. */
static void decode(char *text)
{
    pc_buffer plain = {0};
    for (const char *s = text; *s;) {
        unsigned code;
        int used = 0;
        if (sscanf(s, "&#x%x;%n", &code, &used) == 1 && used)
            pc_buffer_put(&plain, code);
        else if (sscanf(s, "&#%u;%n", &code, &used) == 1 && used)
            pc_buffer_put(&plain, code);
        else
            pc_buffer_append(&plain, s, (size_t)(used = 1));
        s += used;
    }
    ck_assert_uint_lt(plain.size, 256);
    strcpy(text, pc_buffer_text(&plain));
    pc_buffer_free(&plain);
}

static bool has_text(const pc_buffer *svg, const char *wanted)
{
    char text[1024];
    for (const char *at = svg->data; next_text(&at, text, sizeof text);) {
        decode(text);
        if (strcmp(text, wanted) == 0) return true;
    }
    return false;
}

START_TEST(svg_holds_titles_labels_ticks_and_legend_as_text)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_figure_set_title(figure, "Sphere, μ = 0.5 & e < 1", NULL);
    pc_panel_set_text(&panel->x.label, "ω_0 t", NULL);
    pc_panel_set_text(&panel->y.label, "F", NULL);
    pc_panel_set_text(&panel->y.unit, "N/m^2", NULL);
    pc_panel_add_note(panel, 1, 0, "a #1 note", NULL);
    pc_buffer svg = {0};
    render(figure, "x.svg", &svg);
    static const char *const texts[] = {
        "Sphere, μ = 0.5 & e < 1", "ω0 t", "F [N/m2]", "Ft/μ", "a #1 note", "0.5", "3.0"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ck_assert_msg(has_text(&svg, texts[i]), "no text \"%s\"", texts[i]);
    }
    pc_buffer_free(&svg);
    pc_figure_free(figure);
}
END_TEST

START_TEST(svg_curve_lies_on_the_function)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *p = &layout.panels[0];
    const double scale = 0.75; /* points a pixel */
    pc_buffer svg = {0};
    render(figure, "x.svg", &svg);
    int points = 0;
    double first = INFINITY, last = -INFINITY;
    for (const char *at = svg.data; (at = strstr(at, "stroke=\"#FF0000\"")) != NULL;) {
        at = strstr(at, "points=\"");
        ck_assert_ptr_nonnull(at);
        at += strlen("points=\"");
        double x, y;
        for (int used; sscanf(at, " %lf,%lf%n", &x, &y, &used) == 2; at += used) {
            double u = (x / scale - p->frame.x0) / (p->frame.x1 - p->frame.x0);
            double v = (y / scale - p->frame.y0) / (p->frame.y1 - p->frame.y0);
            double t = p->x.lo + u * (p->x.hi - p->x.lo), f = p->y.lo + v * (p->y.hi - p->y.lo);
            /* the sample of the legend has the same colour and lies elsewhere */
            bool legend = x / scale >= p->entries[0].x - 1 &&
                          x / scale <= p->entries[0].x + pc_entry_sample(&layout.type) + 1 &&
                          fabs(y / scale - p->entries[0].y) < 1;
            if (legend) continue;
            /* coordinates have two decimals: 0.01 points of 300 are 1e-4 of the axis; chords of 100 pieces add
             * (3 * 0.03)^2 / 8 = 1e-3 at most between the points, and thinning keeps points of the data */
            ck_assert_double_eq_tol(f, sin(3 * t), 2e-3);
            points++;
            first = fmin(first, t);
            last = fmax(last, t);
        }
    }
    ck_assert_int_ge(points, N - 1);
    ck_assert_double_eq_tol(first, 0, 1e-3);
    ck_assert_double_eq_tol(last, 3, 1e-3);
    pc_buffer_free(&svg);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* ---- pixels ---- */

static const unsigned char *pixel(const pc_buffer *pixels, int width, double x, double y, int height)
{
    int column = (int)floor(x), row = height - 1 - (int)floor(y);
    return (const unsigned char *)pixels->data + 3 * (row * width + column);
}

static bool is_red(const unsigned char *rgb)
{
    return rgb[0] > 200 && rgb[1] < 120 && rgb[2] < 120;
}

START_TEST(pixels_of_the_curve_are_where_the_function_is)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_panel_layout *p = &layout.panels[0];
    for (int dense = 1; dense <= 2; dense++) {
        pc_buffer pixels = {0};
        ck_assert_int_eq(pc_figure_pixels(figure, dense * WIDTH, dense * HEIGHT, dense * 96, &pixels, NULL), PC_OK);
        ck_assert_uint_eq(pixels.size, (size_t)(3 * dense * WIDTH * dense * HEIGHT));
        for (int i = 1; i < 60; i++) {
            double t = 3.0 * i / 60, x = p->frame.x0 + pc_scale_position(&p->x, t) * (p->frame.x1 - p->frame.x0);
            double y = p->frame.y0 + pc_scale_position(&p->y, sin(3 * t)) * (p->frame.y1 - p->frame.y0);
            ck_assert_msg(is_red(pixel(&pixels, dense * WIDTH, dense * x, dense * y, dense * HEIGHT)), "at t = %g", t);
        }
        /* corners of the page are the page's colour, in every theme */
        ck_assert_int_eq(pixel(&pixels, dense * WIDTH, 0, 0, dense * HEIGHT)[1], 255);
        pc_buffer_free(&pixels);
    }
    figure->theme = pc_theme_find("dark");
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    ck_assert_int_eq(pixel(&pixels, WIDTH, 0, 0, HEIGHT)[1], figure->theme->page.green);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_gap_in_the_data_is_a_gap_in_the_curve)
{
    const double x[] = {0, 1, 2, 3, 4, 5}, y[] = {1, 1, NAN, NAN, 1, 1};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 6, NULL, "#ff0000");
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    double middle = (f.y0 + f.y1) / 2;
    for (int i = 1; i < 50; i++) {
        double at = i / 50.0;
        if (fabs(at - 0.2) < 0.02 || fabs(at - 0.8) < 0.02) continue;
        bool drawn = is_red(pixel(&pixels, WIDTH, f.x0 + at * (f.x1 - f.x0), middle, HEIGHT));
        ck_assert_msg(drawn == (at < 0.2 || at > 0.8), "at %g of the axis", at);
    }
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

START_TEST(curves_do_not_leave_their_frame)
{
    const double x[] = {0, 1, 2, 3}, y[] = {-50, 50, -50, 50};
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", x, y, 4, NULL, "#ff0000");
    add(panel, "scatter", x, y, 4, NULL, "#ff0000");
    ck_assert_int_eq(pc_axis_set_limits(&panel->y, "y", -1, 1, false, NULL), PC_OK);
    ck_assert_int_eq(pc_axis_set_limits(&panel->x, "x", 0.5, 2.5, false, NULL), PC_OK);
    pc_layout layout;
    ck_assert_int_eq(pc_layout_make(figure, &layout, NULL), PC_OK);
    const pc_box f = layout.panels[0].frame;
    pc_buffer pixels = {0};
    ck_assert_int_eq(pc_figure_pixels(figure, WIDTH, HEIGHT, 96, &pixels, NULL), PC_OK);
    int inside = 0;
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            if (!is_red(pixel(&pixels, WIDTH, column, row, HEIGHT))) continue;
            /* half the pen's width may lie over the edge */
            ck_assert(column >= f.x0 - 2 && column <= f.x1 + 2 && row >= f.y0 - 2 && row <= f.y1 + 2);
            inside++;
        }
    }
    ck_assert_int_gt(inside, 200);
    pc_buffer_free(&pixels);
    pc_layout_free(&layout);
    pc_figure_free(figure);
}
END_TEST

/* P4 of the cases known from other tools. */
START_TEST(degenerate_data_draws_on_every_device)
{
    static const double x[] = {1, 2, 3};
    static const double cases[][3] = {
        {1, 1, 1}, {NAN, 2, NAN}, {NAN, NAN, NAN}, {INFINITY, 1, -INFINITY}, {0, 1e300, -1e300}};
    static const char *const paths[] = {"a.png", "a.svg", "a.pdf"};
    for (int i = 0; i < 5; i++) {
        for (int log = 0; log < 2; log++) {
            pc_panel *panel;
            pc_figure *figure = new_figure(&panel);
            panel->y.log = log;
            add(panel, "line", x, cases[i], 3, "line", NULL);
            add(panel, "step", x, cases[i], 0, "empty", NULL);
            add(panel, "scatter", x, cases[i], 1, "one", NULL);
            for (int k = 0; k < 3; k++) {
                pc_buffer bytes = {0};
                render(figure, paths[k], &bytes);
                ck_assert_uint_gt(bytes.size, 1000);
                pc_buffer_free(&bytes);
            }
            pc_figure_free(figure);
        }
    }
}
END_TEST

START_TEST(empty_series_and_panels_say_that_they_are)
{
    pc_panel *panel;
    pc_figure *figure = new_figure(&panel);
    add(panel, "line", NULL, NULL, 0, "F_n", NULL);
    pc_buffer svg = {0};
    render(figure, "x.svg", &svg);
    ck_assert(has_text(&svg, "no data"));
    ck_assert(has_text(&svg, "Fn (no data)"));
    pc_buffer_free(&svg);
    pc_figure_free(figure);
}
END_TEST

/* ---- files ---- */

static char folder[SCRATCH_SIZE];

static const char *in_folder(const char *name)
{
    static char path[SCRATCH_SIZE + 64];
    if (!folder[0]) {
        scratch_pattern(folder);
        ck_assert_ptr_nonnull(mkdtemp(folder));
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void remove_folder(void)
{
    ck_assert_int_eq(rmdir(folder), 0);
}

static size_t read_file(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    size_t n = fread(bytes, 1, size, file);
    fclose(file);
    return n;
}

START_TEST(files_have_the_format_and_size_that_was_asked_for)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    static unsigned char bytes[400000];
    const char *path = in_folder("a.png");
    ck_assert_int_eq(pc_figure_save(figure, path, 192, NULL), PC_OK);
    size_t n = read_file(path, (char *)bytes, sizeof bytes);
    ck_assert_uint_gt(n, 1000);
    ck_assert_int_eq(memcmp(bytes, "\x89PNG\r\n\x1a\n", 8), 0);
    /* IHDR: width and height, high byte first (PNG specification, 11.2.2) */
    ck_assert_int_eq(bytes[18] << 8 | bytes[19], 2 * WIDTH);
    ck_assert_int_eq(bytes[22] << 8 | bytes[23], 2 * HEIGHT);
    ck_assert_int_eq(memcmp(bytes + n - 8, "IEND", 4), 0);
    unlink(path);
    path = in_folder("a.pdf");
    ck_assert_int_eq(pc_figure_save(figure, path, 96, NULL), PC_OK);
    n = read_file(path, (char *)bytes, sizeof bytes - 1);
    ck_assert_int_eq(memcmp(bytes, "%PDF-", 5), 0);
    ck_assert_int_eq(memcmp(bytes + n - 6, "%%EOF\n", 6), 0);
    unlink(path);
    path = in_folder("a.svg");
    ck_assert_int_eq(pc_figure_save(figure, path, 96, NULL), PC_OK);
    n = read_file(path, (char *)bytes, sizeof bytes - 1);
    bytes[n] = '\0';
    ck_assert_ptr_nonnull(strstr((char *)bytes, "viewBox=\"0 0 480 300\"")); /* points */
    ck_assert_ptr_nonnull(strstr((char *)bytes, "</svg>"));
    unlink(path);
    remove_folder();
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_path_that_cannot_be_written_is_an_error_and_leaves_nothing)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_error err = {0};
    ck_assert_int_eq(pc_figure_save(figure, in_folder("no/such/a.png"), 96, &err), PC_E_SYSTEM);
    ck_assert_ptr_nonnull(strstr(err.text, "no/such/a.png"));
    static const char *const bad[] = {"a", "a.gif", "a.png.txt", ".png", "dir.png/a", ""};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(pc_figure_save(figure, bad[i], 96, &err), PC_E_ARGUMENT);
    }
    ck_assert_int_eq(pc_figure_save(figure, in_folder("a.png"), 3, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_figure_save(figure, in_folder("a.png"), NAN, &err), PC_E_ARGUMENT);
    /* the folder is empty, or rmdir would fail */
    remove_folder();
    pc_figure_free(figure);
}
END_TEST

START_TEST(a_failure_keeps_the_old_file)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    char path[128], text[16];
    strcpy(path, in_folder("a.svg"));
    FILE *file = fopen(path, "w");
    fputs("old", file);
    fclose(file);
    /* a limit on the size of files stands for a full disk */
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000}), 0);
    pc_error err = {0};
    ck_assert_int_eq(pc_figure_save(figure, path, 96, &err), PC_E_SYSTEM);
    ck_assert_uint_eq(read_file(path, text, sizeof text), 3);
    ck_assert_int_eq(memcmp(text, "old", 3), 0);
    unlink(path);
    remove_folder();
    pc_figure_free(figure);
}
END_TEST

/* ---- PLplot's traps (P3) ---- */

START_TEST(two_hundred_failures_then_a_success)
{
    static const pc_format nonsense = {"png", "no-such-device", 0};
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_error err = {0};
    pc_buffer bytes = {0};
    for (int i = 0; i < 200; i++) {
        ck_assert_int_eq(pc_figure_render(figure, &nonsense, 96, &bytes, &err), PC_E_SYSTEM);
        ck_assert_ptr_nonnull(strstr(err.text, "no-such-device"));
        ck_assert_uint_eq(bytes.size, 0);
    }
    render(figure, "a.png", &bytes);
    ck_assert_uint_gt(bytes.size, 1000);
    pc_buffer_free(&bytes);
    pc_figure_free(figure);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(two_hundred_charts_in_a_row_all_succeed)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_buffer bytes = {0};
    for (int i = 0; i < 200; i++) {
        size_t before = bytes.size;
        pc_buffer_clear(&bytes);
        render(figure, i % 2 ? "a.svg" : "a.png", &bytes);
        if (i > 2 && i % 2 == 1) ck_assert_uint_ne(bytes.size, before);
    }
    pc_buffer_free(&bytes);
    pc_figure_free(figure);
}
END_TEST

START_TEST(standard_input_is_never_read)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], "1\n2\n3\n", 6), 6);
    ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    static const pc_format nonsense = {"png", "", 0};
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_buffer bytes = {0};
    ck_assert_int_eq(pc_figure_render(figure, &nonsense, 96, &bytes, NULL), PC_E_SYSTEM);
    ck_assert_int_eq(pc_figure_save(figure, "/no/such/a.png", 96, NULL), PC_E_SYSTEM);
    render(figure, "a.pdf", &bytes);
    char kept[8];
    ck_assert_int_eq(read(STDIN_FILENO, kept, sizeof kept), 6);
    pc_buffer_free(&bytes);
    pc_figure_free(figure);
}
END_TEST

/* A child without PLplot's drivers, or without its fonts: draws fail with a status and the process lives. Without
 * drivers it is silent too; without fonts PLplot tells its environment on standard error. */
static void check_child(const char *variable)
{
    bool drivers = strcmp(variable, "PLPLOT_DRV_DIR") == 0;
    FILE *noise = tmpfile();
    ck_assert_ptr_nonnull(noise);
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv(variable, "/no/such/folder", 1);
        dup2(fileno(noise), STDERR_FILENO);
        pc_panel *panel;
        pc_figure *figure = wave_figure(&panel);
        pc_buffer bytes = {0};
        pc_error err = {0};
        int code = 0;
        for (int i = 0; i < 3; i++) {
            pc_status status = pc_figure_render(figure, &pc_formats[0], 96, &bytes, &err);
            if (status != PC_E_SYSTEM && status != PC_OK) code = 2;
            if (drivers && (status != PC_E_SYSTEM || !err.text[0])) code = 3;
        }
        _exit(code);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status), "%s: ended by signal %d", variable, WTERMSIG(status));
    ck_assert_msg(WEXITSTATUS(status) == 0, "%s: exit code %d", variable, WEXITSTATUS(status));
    if (drivers) ck_assert_int_eq((int)lseek(fileno(noise), 0, SEEK_END), 0);
    fclose(noise);
}

START_TEST(missing_drivers_and_fonts_are_errors_and_the_process_lives)
{
    check_child("PLPLOT_DRV_DIR");
    check_child("PLPLOT_LIB");
}
END_TEST

START_TEST(every_failing_allocation_is_reported_and_nothing_leaks)
{
    pc_panel *panel;
    pc_figure *figure = wave_figure(&panel);
    pc_panel_set_text(&panel->x.label, "t", NULL);
    const double x[] = {1}, y[] = {0};
    add(panel, "scatter", x, y, 1, "a", NULL);
    long before = pc_alloc_live();
    int failures = 0, successes = 0;
    for (long n = 0; n < 300 && successes < 3; n++) {
        pc_buffer bytes = {0};
        pc_alloc_fail_after(n);
        pc_status status = pc_figure_render(figure, &pc_formats[1], 96, &bytes, NULL);
        pc_alloc_fail_after(-1);
        ck_assert(status == PC_OK || status == PC_E_MEMORY);
        failures += status == PC_E_MEMORY;
        successes = status == PC_OK ? successes + 1 : 0;
        pc_buffer_free(&bytes);
        ck_assert_int_eq((int)pc_alloc_live(), (int)before);
    }
    ck_assert_int_ge(failures, 5);
    ck_assert_int_eq(successes, 3);
    pc_figure_free(figure);
}
END_TEST

UNIT_MAIN("chart files", 180, svg_holds_titles_labels_ticks_and_legend_as_text, svg_curve_lies_on_the_function,
          pixels_of_the_curve_are_where_the_function_is, a_gap_in_the_data_is_a_gap_in_the_curve,
          curves_do_not_leave_their_frame, degenerate_data_draws_on_every_device,
          empty_series_and_panels_say_that_they_are, files_have_the_format_and_size_that_was_asked_for,
          a_path_that_cannot_be_written_is_an_error_and_leaves_nothing, a_failure_keeps_the_old_file,
          two_hundred_failures_then_a_success, two_hundred_charts_in_a_row_all_succeed, standard_input_is_never_read,
          missing_drivers_and_fonts_are_errors_and_the_process_lives,
          every_failing_allocation_is_reported_and_nothing_leaks)
