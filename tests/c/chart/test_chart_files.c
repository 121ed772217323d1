/* Files of figures, and the traps that PLplot sets for its callers. */
#include "chart/media/media.h"
#include "chart_waves.h"
#include "scratch.h"
#include "unit.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

UNIT_MAIN("chart files", 180, files_have_the_format_and_size_that_was_asked_for,
          a_path_that_cannot_be_written_is_an_error_and_leaves_nothing, a_failure_keeps_the_old_file,
          two_hundred_failures_then_a_success, two_hundred_charts_in_a_row_all_succeed, standard_input_is_never_read,
          missing_drivers_and_fonts_are_errors_and_the_process_lives,
          every_failing_allocation_is_reported_and_nothing_leaks)
