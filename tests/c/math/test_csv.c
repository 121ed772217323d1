/* Comma-separated values and files that appear whole or not at all. Every test works in a directory of its own. */
#include "math/csv.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/files.h"
#include "scratch.h"
#include "unit.h"

#include <dirent.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static char directory[SCRATCH_SIZE];

/* Tests run in processes of their own, so each has its own directory as the current one. */
static void enter_directory(void)
{
    scratch_pattern(directory);
    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(chdir(directory), 0);
}

static int count_files(void)
{
    int n = 0;
    DIR *d = opendir(".");
    for (struct dirent *entry; (entry = readdir(d));) n += entry->d_name[0] != '.';
    closedir(d);
    return n;
}

static void leave_directory(void)
{
    DIR *d = opendir(".");
    for (struct dirent *entry; (entry = readdir(d));)
        if (entry->d_name[0] != '.') unlink(entry->d_name);
    closedir(d);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(directory), 0);
}

static pc_status read_text(pc_csv *table, const char *text, pc_error *err)
{
    FILE *stream = tmpfile();
    ck_assert_ptr_nonnull(stream);
    fputs(text, stream);
    rewind(stream);
    *table = (pc_csv){0};
    pc_status status = pc_csv_read_stream(table, stream, "text", NULL, err);
    fclose(stream);
    return status;
}

static void assert_text(const char *path, const char *expected)
{
    char text[512] = "";
    FILE *f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    ck_assert_str_eq(text, expected);
}

START_TEST(what_is_written_reads_back_bit_by_bit)
{
    enter_directory();
    const double x[] = {0.1, 1.0 / 3, -0.0, 5e-324, DBL_MAX, 1e22, INFINITY, -INFINITY, NAN, 123456789.123456789};
    double y[COUNT(x)];
    for (size_t i = 0; i < COUNT(x); i++) y[i] = (double)i * M_PI;
    const pc_csv_column columns[] = {{"t, \"quoted\"", "s", x}, {"# y", NULL, y}};
    pc_error err;
    ck_assert_int_eq(pc_csv_write("a.csv", columns, 2, COUNT(x), &err), PC_OK);
    pc_csv table = {0};
    ck_assert_int_eq(pc_csv_read(&table, "a.csv", NULL, &err), PC_OK);
    ck_assert_uint_eq(table.n_columns, 2);
    ck_assert_uint_eq(table.n_rows, COUNT(x));
    ck_assert_str_eq(table.headers[0].name, "t, \"quoted\"");
    ck_assert_str_eq(table.headers[0].unit, "s");
    ck_assert_str_eq(table.headers[1].name, "# y");
    ck_assert_str_eq(table.headers[1].unit, "");
    for (size_t i = 0; i < COUNT(x); i++) {
        if (isnan(x[i]))
            ck_assert_double_nan(table.values[2 * i]);
        else
            ck_assert_mem_eq(&table.values[2 * i], &x[i], sizeof(double));
        ck_assert_mem_eq(&table.values[2 * i + 1], &y[i], sizeof(double));
    }
    pc_csv_free(&table);
    leave_directory();
}
END_TEST

START_TEST(numbers_are_written_as_short_as_they_read_back)
{
    enter_directory();
    const double x[] = {0.1, 1.0 / 3, 2};
    const pc_csv_column column = {"F_t", "N", x};
    ck_assert_int_eq(pc_csv_write("a.csv", &column, 1, 3, NULL), PC_OK);
    assert_text("a.csv", "F_t [N]\n0.1\n0.33333333333333331\n2\n");
    leave_directory();
}
END_TEST

START_TEST(headers_comments_blanks_and_line_ends_are_understood)
{
    pc_csv t;
    pc_error err;
    ck_assert_int_eq(
        read_text(&t, "\xEF\xBB\xBF# made by hand\r\n\r\n time [s] ,\"F, [N]\",mu\r\n 1 ,\t2,\"3\"\r\n\r\n4,5,6", &err),
        PC_OK);
    ck_assert_uint_eq(t.n_columns, 3);
    ck_assert_uint_eq(t.n_rows, 2);
    ck_assert_str_eq(t.headers[0].name, "time");
    ck_assert_str_eq(t.headers[0].unit, "s");
    ck_assert_str_eq(t.headers[1].name, "F,");
    ck_assert_str_eq(t.headers[1].unit, "N");
    ck_assert_str_eq(t.headers[2].name, "mu");
    for (int i = 0; i < 6; i++) ck_assert_double_eq(t.values[i], i + 1);
    pc_csv_free(&t);
}
END_TEST

START_TEST(files_of_others_have_separators_gaps_and_texts)
{
    static const char *const missing[] = {"", "NA"}, *const columns[] = {"v", "angle"};
    const struct {
        const char *text;
        pc_csv_format format;
        size_t n_columns, n_rows;
        double first, last; /* NaN: missing */
    } cases[] = {
        {"angle;v\n1;2\n;NA\n", {.separator = ';', .missing = missing, .n_missing = 2}, 2, 2, 1, NAN},
        {"who\tangle\tv\nA \t1\t\nB\t 3\t4\n",
         {.separator = '\t', .missing = missing, .n_missing = 1, .columns = columns, .n_columns = 2},
         2,
         2,
         NAN,
         3},
        {"who,angle [deg],v\n\"A, B\",1,2\n", {.columns = columns, .n_columns = 1}, 1, 1, 2, 2},
        {"NA,2\n3,\n", {.missing = missing, .n_missing = 2}, 2, 2, NAN, NAN}, /* numbers and gaps: no headers */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        FILE *stream = tmpfile();
        ck_assert_ptr_nonnull(stream);
        fputs(cases[i].text, stream);
        rewind(stream);
        pc_csv t = {0};
        pc_error err;
        ck_assert_int_eq(pc_csv_read_stream(&t, stream, "text", &cases[i].format, &err), PC_OK);
        fclose(stream);
        ck_assert_uint_eq(t.n_columns, cases[i].n_columns);
        ck_assert_uint_eq(t.n_rows, cases[i].n_rows);
        const double got[] = {t.values[0], t.values[t.n_rows * t.n_columns - 1]};
        const double wanted[] = {cases[i].first, cases[i].last};
        for (int k = 0; k < 2; k++)
            if (isnan(wanted[k]))
                ck_assert_double_nan(got[k]);
            else
                ck_assert_double_eq(got[k], wanted[k]);
        pc_csv_free(&t);
    }
}
END_TEST

START_TEST(a_file_without_headers_gets_numbered_columns)
{
    pc_csv t;
    ck_assert_int_eq(read_text(&t, "1,2\n3,nan\n", NULL), PC_OK);
    ck_assert_uint_eq(t.n_rows, 2);
    ck_assert_str_eq(t.headers[1].name, "c2");
    ck_assert_double_eq(t.values[0], 1);
    ck_assert_double_nan(t.values[3]);
    pc_csv_free(&t);
}
END_TEST

START_TEST(what_is_wrong_is_named_with_its_line)
{
    const struct {
        const char *text, *message;
    } cases[] = {
        {"", "'text' holds no table"},
        {"# nothing\n\n", "'text' holds no table"},
        {"a,b\n1,2\n\n3\n", "text, line 4: 1 fields where there are 2 columns"},
        {"a,b\n1,2,3\n", "text, line 2: 3 fields where there are 2 columns"},
        {"a,b\n1,\n", "text, line 2: 'b' is empty; a missing number is written nan, or missing = \"\" "
                      "allows it"},
        {"a,b\n1,2x\n", "text, line 2: 'b' is \"2x\", not a number; missing = and columns = say "
                        "what to do with texts"},
        {"a;b\n1;2\n", "text, line 2: 'a;b' is \"1;2\", not a number; separator = says what stands between fields"},
        {"a,\"b\n1,2\n", "text, line 1: a quote is not closed"},
        {"a,\"b\"c\n1,2\n", "text, line 1: text after a closing quote"},
        {"a,a [m]\n", "text: columns 1 and 2 are both called 'a'"},
        {"a,,c\n", "text: column 2 has no name"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        pc_csv t;
        pc_error err;
        ck_assert_int_eq(read_text(&t, cases[i].text, &err), PC_E_SYSTEM);
        ck_assert_str_eq(err.text, cases[i].message);
        pc_csv_free(&t);
    }
}
END_TEST

START_TEST(files_that_cannot_be_used_are_named)
{
    enter_directory();
    pc_csv t = {0};
    pc_error err;
    ck_assert_int_eq(pc_csv_read(&t, "absent.csv", NULL, &err), PC_E_SYSTEM);
    ck_assert_str_eq(err.text, "cannot read 'absent.csv': No such file or directory");
    ck_assert_int_eq(pc_csv_read(&t, ".", NULL, &err), PC_E_SYSTEM);
    ck_assert_str_eq(err.text, "cannot read '.': Is a directory");
    pc_csv_free(&t);
    const double x[] = {1};
    const pc_csv_column column = {"x", NULL, x};
    ck_assert_int_eq(pc_csv_write("no/such/a.csv", &column, 1, 1, &err), PC_E_SYSTEM);
    ck_assert_str_eq(err.text, "cannot write 'no/such/a.csv': No such file or directory");
    ck_assert_int_eq(count_files(), 0);
    leave_directory();
}
END_TEST

START_TEST(headers_that_could_not_be_read_back_are_refused)
{
    const double x[] = {1};
    const pc_csv_column bad[][2] = {
        {{"", NULL, x}, {"b", NULL, x}},
        {{"a", NULL, x}, {"a", "m", x}},
        {{"a\nb", NULL, x}, {"b", NULL, x}},
        {{"1", NULL, x}, {"2", NULL, x}},
    };
    enter_directory();
    for (size_t i = 0; i < COUNT(bad); i++) ck_assert_int_eq(pc_csv_write("a.csv", bad[i], 2, 1, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_csv_write("a.csv", bad[0], 0, 1, NULL), PC_E_ARGUMENT);
    ck_assert_int_eq(count_files(), 0);
    leave_directory();
}
END_TEST

START_TEST(an_interrupted_write_leaves_the_old_file)
{
    enter_directory();
    enum { N = 5000 };
    double *x = pc_calloc(N, sizeof *x);
    const pc_csv_column column = {"x", NULL, x};
    ck_assert_int_eq(pc_csv_write("a.csv", &column, 1, 1, NULL), PC_OK);
    pc_interrupt_flag = 1;
    ck_assert_int_eq(pc_csv_write("a.csv", &column, 1, N, NULL), PC_E_INTERRUPTED);
    pc_interrupt_flag = 0;
    assert_text("a.csv", "x\n0\n");
    ck_assert_int_eq(count_files(), 1);
    pc_free(x);
    leave_directory();
}
END_TEST

START_TEST(a_full_device_is_reported)
{
    if (access("/dev/full", W_OK) != 0) return; /* other systems have none */
    double x[] = {1};
    const pc_csv_column column = {"x", NULL, x};
    pc_error err;
    ck_assert_int_eq(pc_csv_write("/dev/full", &column, 1, 1, &err), PC_E_SYSTEM);
    ck_assert_str_eq(err.text, "cannot write '/dev/full': No space left on device");
}
END_TEST

START_TEST(links_are_followed_and_permissions_kept)
{
    enter_directory();
    double x[] = {1};
    const pc_csv_column column = {"x", NULL, x};
    ck_assert_int_eq(pc_csv_write("real.csv", &column, 1, 0, NULL), PC_OK);
    ck_assert_int_eq(chmod("real.csv", 0640), 0);
    ck_assert_int_eq(symlink("real.csv", "link.csv"), 0);
    ck_assert_int_eq(pc_csv_write("link.csv", &column, 1, 1, NULL), PC_OK);
    struct stat s;
    ck_assert_int_eq(lstat("link.csv", &s), 0);
    ck_assert(S_ISLNK(s.st_mode));
    ck_assert_int_eq(stat("real.csv", &s), 0);
    ck_assert_int_eq(s.st_mode & 0777, 0640);
    assert_text("real.csv", "x\n1\n");
    ck_assert_int_eq(count_files(), 2);
    leave_directory();
}
END_TEST

START_TEST(an_abandoned_file_leaves_nothing)
{
    enter_directory();
    pc_outfile file;
    ck_assert_int_eq(pc_outfile_open(&file, "a.txt", NULL), PC_OK);
    fputs("half", file.stream);
    pc_outfile_abandon(&file);
    pc_outfile_abandon(&file);
    ck_assert_int_eq(count_files(), 0);
    leave_directory();
}
END_TEST

START_TEST(memory_may_run_out_anywhere)
{
    enter_directory();
    double x[300] = {0};
    const pc_csv_column columns[] = {{"a", "m", x}, {"b", NULL, x}};
    long live = pc_alloc_live();
    long n = 0;
    for (pc_status status = PC_E_MEMORY; status != PC_OK; n++) {
        pc_alloc_fail_after(n);
        status = pc_csv_write("a.csv", columns, 2, 300, NULL);
        ck_assert(status == PC_OK || status == PC_E_MEMORY);
        ck_assert_int_eq(count_files(), status == PC_OK);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert_int_gt(n, 1);
    n = 0;
    for (pc_status status = PC_E_MEMORY; status != PC_OK; n++) {
        pc_csv table = {0};
        pc_alloc_fail_after(n);
        status = pc_csv_read(&table, "a.csv", NULL, NULL);
        ck_assert(status == PC_OK || status == PC_E_MEMORY);
        pc_csv_free(&table);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert_int_gt(n, 5);
    const char *one = columns[1].name;
    n = 0;
    for (pc_status status = PC_E_MEMORY; status != PC_OK; n++) {
        pc_csv table = {0};
        pc_alloc_fail_after(n);
        status = pc_csv_read(&table, "a.csv", &(pc_csv_format){.columns = &one, .n_columns = 1}, NULL);
        ck_assert(status == PC_OK || status == PC_E_MEMORY);
        pc_csv_free(&table);
        ck_assert_int_eq(pc_alloc_live(), live);
    }
    ck_assert_int_gt(n, 8);
    pc_alloc_fail_after(-1);
    leave_directory();
}
END_TEST

UNIT_MAIN("csv", 20, what_is_written_reads_back_bit_by_bit, numbers_are_written_as_short_as_they_read_back,
          headers_comments_blanks_and_line_ends_are_understood, files_of_others_have_separators_gaps_and_texts,
          a_file_without_headers_gets_numbered_columns, what_is_wrong_is_named_with_its_line,
          files_that_cannot_be_used_are_named, headers_that_could_not_be_read_back_are_refused,
          an_interrupted_write_leaves_the_old_file, a_full_device_is_reported, links_are_followed_and_permissions_kept,
          an_abandoned_file_leaves_nothing, memory_may_run_out_anywhere)
