/* The scratch folder of confined processes: files in memory that behave as files, within their limits. */
#include "sandbox/sandbox.h"

#include "base/alloc.h"
#include "base/files.h"
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(pc_scratch *s, const char *name, const char *mode, const char *text)
{
    FILE *file = pc_scratch_open(s, name, mode);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_ge(fputs(text, file), 0);
    ck_assert_int_eq(fclose(file), 0);
}

static void expect(pc_scratch *s, const char *name, const char *text)
{
    char found[64] = "";
    FILE *file = pc_scratch_open(s, name, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fread(found, 1, sizeof found - 1, file), strlen(text));
    ck_assert_str_eq(found, text);
    fclose(file);
}

static void refused(pc_scratch *s, const char *name, const char *mode, int code)
{
    errno = 0;
    ck_assert_msg(!pc_scratch_open(s, name, mode) && errno == code, "%s %s: %d", name, mode, errno);
}

START_TEST(modes_mean_what_they_mean_for_files)
{
    pc_scratch *s = pc_scratch_new(1 << 20);
    refused(s, "a", "r", ENOENT);
    refused(s, "a", "r+", ENOENT);
    put(s, "a", "w", "one");
    expect(s, "a", "one");
    put(s, "a", "a", " two");
    expect(s, "./a", "one two");
    put(s, "a", "r+", "ONE");
    expect(s, "a", "ONE two");
    put(s, "a", "w", "");
    expect(s, "a", "");
    FILE *file = pc_scratch_open(s, "a", "w+");
    fputs("abc", file);
    ck_assert_int_eq(fseek(file, 1, SEEK_SET), 0);
    ck_assert_int_eq(fgetc(file), 'b');
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    ck_assert_int_eq(ftell(file), 3);
    fclose(file);
    file = pc_scratch_open(s, "a", "a+");
    rewind(file);
    fputs("d", file); /* appending ignores where it stands */
    fclose(file);
    expect(s, "a", "abcd");
    file = pc_scratch_open(s, "a", "r");
    ck_assert_int_eq(fputc('x', file), EOF);
    fclose(file);
    file = pc_scratch_open(s, "a", "w");
    ck_assert_int_eq(fgetc(file), EOF);
    fclose(file);
    pc_scratch_free(s);
    ck_assert_int_eq(pc_alloc_live(), 0);
}
END_TEST

START_TEST(names_that_could_lead_elsewhere_are_refused)
{
    static const char *const names[] = {"",    ".",    "..",   "/",   "/etc/passwd", "../a", "a/b",     "./../a", "./",
                                        ".//", "././", "a\\b", "a b", "a\nb",        "~",    ".hidden", "\xff",   NULL};
    char long_name[PC_SCRATCH_NAME + 2];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    pc_scratch *s = pc_scratch_new(1 << 20);
    for (int i = 0; names[i]; i++) {
        refused(s, names[i], "w", EACCES);
        ck_assert(!pc_scratch_remove(s, names[i]) && errno == EACCES);
    }
    refused(s, long_name, "w", EACCES);
    long_name[PC_SCRATCH_NAME] = '\0';
    put(s, long_name, "w", "x");
    expect(s, long_name, "x");
    static const char *const modes[] = {"", "rbb", "wb+", "br", "w,ccs=UTF-8", "rw", "+", "x", "wx", "re", NULL};
    for (int i = 0; modes[i]; i++) refused(s, "a", modes[i], EINVAL);
    pc_scratch_free(s);
}
END_TEST

START_TEST(the_folder_has_a_size_to_the_byte)
{
    pc_scratch *s = pc_scratch_new(10000);
    FILE *file = pc_scratch_open(s, "a", "w");
    setvbuf(file, NULL, _IONBF, 0);
    int n = 0;
    while (fputc('x', file) != EOF) n++;
    ck_assert_int_eq(n, 10000);
    ck_assert_int_eq(errno, ENOSPC);
    FILE *other = pc_scratch_open(s, "b", "w");
    setvbuf(other, NULL, _IONBF, 0);
    ck_assert_int_eq(fputc('x', other), EOF);
    /* a file that is removed keeps its bytes until it is closed */
    ck_assert(pc_scratch_remove(s, "a"));
    clearerr(other);
    ck_assert_int_eq(fputc('x', other), EOF);
    fclose(file);
    clearerr(other);
    ck_assert_int_eq(fputc('x', other), 'x');
    fclose(other);
    put(s, "b", "w", "");
    file = pc_scratch_open(s, "c", "w");
    ck_assert_int_eq(fseek(file, 9999, SEEK_SET), 0);
    ck_assert_int_eq(fputc('x', file), 'x');
    ck_assert_int_eq(fflush(file), 0);
    ck_assert_int_eq(fputc('x', file), 'x');
    ck_assert_int_ne(fflush(file), 0);
    fclose(file);
    file = pc_scratch_open(s, "c", "r");
    for (int i = 0; i < 9999; i++) ck_assert_int_eq(fgetc(file), 0); /* the gap reads as zeros */
    ck_assert_int_eq(fgetc(file), 'x');
    ck_assert_int_eq(fgetc(file), EOF);
    ck_assert_int_ne(fseek(file, -1, SEEK_SET), 0);
    fclose(file);
    pc_scratch_free(s);
    ck_assert_int_eq(pc_alloc_live(), 0);
}
END_TEST

START_TEST(files_and_open_files_are_counted)
{
    pc_scratch *s = pc_scratch_new(1 << 20);
    char name[16];
    for (int i = 0; i < PC_SCRATCH_FILES; i++) {
        snprintf(name, sizeof name, "f%d", i);
        put(s, name, "w", "x");
    }
    refused(s, "more", "w", ENOSPC);
    ck_assert(pc_scratch_remove(s, "f3"));
    ck_assert(!pc_scratch_remove(s, "f3") && errno == ENOENT);
    put(s, "more", "w", "x");
    FILE *open[PC_SCRATCH_OPEN];
    for (int i = 0; i < PC_SCRATCH_OPEN; i++) ck_assert_ptr_nonnull(open[i] = pc_scratch_open(s, "f1", "r"));
    refused(s, "f1", "r", EMFILE);
    for (int i = 0; i < PC_SCRATCH_OPEN; i++) fclose(open[i]);
    expect(s, "f1", "x");
    pc_scratch_free(s);
    ck_assert_int_eq(pc_alloc_live(), 0);
}
END_TEST

START_TEST(two_readers_and_a_writer_share_a_file)
{
    pc_scratch *s = pc_scratch_new(1 << 20);
    FILE *writer = pc_scratch_open(s, "a", "w"), *reader = pc_scratch_open(s, "a", "r");
    fputs("12", writer);
    fflush(writer);
    ck_assert_int_eq(fgetc(reader), '1');
    put(s, "a", "w", ""); /* emptied by a third */
    clearerr(reader);
    ck_assert_int_eq(fseek(reader, 0, SEEK_CUR), 0);
    ck_assert_int_eq(fgetc(reader), EOF);
    fputs("3", writer); /* goes on at its place */
    fclose(writer);
    fclose(reader);
    reader = pc_scratch_open(s, "a", "r");
    char found[8] = "";
    ck_assert_uint_eq(fread(found, 1, sizeof found, reader), 3);
    ck_assert_int_eq(memcmp(found, "\0\0003", 3), 0);
    fclose(reader);
    pc_scratch_free(s);
}
END_TEST

START_TEST(a_renamed_file_takes_the_place_of_another)
{
    pc_scratch *s = pc_scratch_new(1 << 20);
    put(s, "new.part", "wb", "new");
    put(s, "old", "w", "old");
    FILE *reader = pc_scratch_open(s, "old", "rb");
    ck_assert_ptr_nonnull(reader);
    ck_assert(pc_scratch_rename(s, "./new.part", "old"));
    refused(s, "new.part", "r", ENOENT);
    expect(s, "old", "new");
    /* who had the old one open reads it to its end */
    ck_assert_int_eq(fgetc(reader), 'o');
    fclose(reader);
    ck_assert(pc_scratch_rename(s, "old", "old"));
    expect(s, "old", "new");
    errno = 0;
    ck_assert(!pc_scratch_rename(s, "absent", "old") && errno == ENOENT);
    ck_assert(!pc_scratch_rename(s, "old", "../old") && errno == EACCES);
    ck_assert(!pc_scratch_rename(s, "/etc/passwd", "old") && errno == EACCES);
    expect(s, "old", "new");
    pc_scratch_free(s);
    ck_assert_int_eq(pc_alloc_live(), 0);
}
END_TEST

static pc_scratch *folder;

static FILE *open_there(const char *name, const char *mode)
{
    return pc_scratch_open(folder, name, mode);
}

static bool rename_there(const char *from, const char *to)
{
    return pc_scratch_rename(folder, from, to);
}

static bool remove_there(const char *name)
{
    return pc_scratch_remove(folder, name);
}

START_TEST(it_stands_in_the_place_of_the_file_system)
{
    static const pc_files files = {open_there, rename_there, remove_there};
    folder = pc_scratch_new(1 << 10);
    pc_files_replace(&files);
    pc_outfile out;
    pc_error err = {0};
    ck_assert_int_eq(pc_outfile_open(&out, "table", &err), PC_OK);
    fputs("whole", out.stream);
    refused(folder, "table", "r", ENOENT);
    ck_assert_int_eq(pc_outfile_commit(&out, &err), PC_OK);
    expect(folder, "table", "whole");
    /* a full folder leaves the old file, and nothing beside it */
    ck_assert_int_eq(pc_outfile_open(&out, "table", &err), PC_OK);
    for (int i = 0; i < 2000; i++) fputc('x', out.stream);
    ck_assert_int_eq(pc_outfile_commit(&out, &err), PC_E_SYSTEM);
    expect(folder, "table", "whole");
    refused(folder, "table.part", "r", ENOENT);
    ck_assert_int_eq(pc_outfile_open(&out, "table", &err), PC_OK);
    pc_outfile_abandon(&out);
    refused(folder, "table.part", "r", ENOENT);
    ck_assert_int_eq(pc_outfile_open(&out, "/tmp/table", &err), PC_E_SYSTEM);
    size_t size, got;
    char bytes[16];
    ck_assert_int_eq(pc_file_measure("table", &size, &err), PC_OK);
    ck_assert_uint_eq(size, 5);
    ck_assert_int_eq(pc_file_read("table", bytes, sizeof bytes, &got, &err), PC_OK);
    ck_assert_uint_eq(got, 5);
    ck_assert_int_eq(pc_file_measure("/etc/passwd", &size, &err), PC_E_SYSTEM);
    ck_assert_int_eq(pc_file_read("/etc/passwd", bytes, sizeof bytes, &got, &err), PC_E_SYSTEM);
    pc_files_replace(NULL);
    ck_assert_int_eq(pc_file_measure("/", &size, &err), PC_E_SYSTEM);
    pc_scratch_free(folder);
    ck_assert_int_eq(pc_alloc_live(), 0);
}
END_TEST

START_TEST(every_failing_allocation_is_reported)
{
    for (long n = 0;; n++) {
        pc_alloc_fail_after(n);
        pc_scratch *s = pc_scratch_new(1 << 20);
        FILE *file = s ? pc_scratch_open(s, "a", "w") : NULL;
        bool wrote = file && fputs("abc", file) >= 0;
        bool closed = file && fclose(file) == 0;
        bool failed = pc_alloc_fail_left() < 0;
        pc_alloc_fail_after(-1);
        ck_assert(failed != (wrote && closed));
        if (s && file) expect(s, "a", closed ? "abc" : "");
        pc_scratch_free(s);
        ck_assert_int_eq(pc_alloc_live(), 0);
        if (!failed) break;
    }
}
END_TEST

UNIT_MAIN("scratch", 60, modes_mean_what_they_mean_for_files, names_that_could_lead_elsewhere_are_refused,
          the_folder_has_a_size_to_the_byte, files_and_open_files_are_counted, two_readers_and_a_writer_share_a_file,
          a_renamed_file_takes_the_place_of_another, it_stands_in_the_place_of_the_file_system,
          every_failing_allocation_is_reported)
