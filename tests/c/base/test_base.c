/* Statuses, units, allocation and parameter rows. */
#include "base/alloc.h"
#include "base/row.h"
#include "base/status.h"
#include "base/system.h"
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- status ---- */

START_TEST(failure_fills_the_record_and_returns_its_code)
{
    pc_error err = {0};
    ck_assert_int_eq(pc_fail(&err, PC_E_ARGUMENT, "mass = %g kg", -1.0), PC_E_ARGUMENT);
    ck_assert_int_eq(err.code, PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "mass = -1 kg");
    ck_assert(isnan(err.time));
    ck_assert_int_eq(pc_fail_at(&err, PC_E_NUMERIC, 2.5, "u_n", "stop"), PC_E_NUMERIC);
    ck_assert(err.time == 2.5);
    ck_assert_str_eq(err.quantity, "u_n");
    ck_assert_int_eq(pc_fail(NULL, PC_E_MEMORY, "no record"), PC_E_MEMORY);
}
END_TEST

START_TEST(what_a_function_of_the_caller_left_is_the_failure)
{
    pc_error err = {0};
    pc_fail(&err, PC_E_LIMIT, "told by the function");
    ck_assert_int_eq(pc_fail_stopped(&err, 2, "rhs", "it stopped"), PC_E_LIMIT);
    ck_assert_str_eq(err.text, "told by the function");
    pc_error_clear(&err);
    ck_assert_int_eq(pc_fail_stopped(&err, 2, "rhs", "it stopped at %g", 2.0), PC_E_CALLBACK);
    ck_assert_int_eq(err.code, PC_E_CALLBACK);
    ck_assert_str_eq(err.text, "it stopped at 2");
    ck_assert(err.time == 2);
    pc_error_clear(NULL);
    ck_assert_int_eq(pc_fail_stopped(NULL, 2, "rhs", "it stopped"), PC_E_CALLBACK);
}
END_TEST

START_TEST(text_that_does_not_fit_is_cut_and_terminated)
{
    pc_error err;
    char longer[2 * PC_ERROR_TEXT];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    pc_fail(&err, PC_E_SYSTEM, "%s", longer);
    ck_assert_uint_eq(strlen(err.text), PC_ERROR_TEXT - 1);
}
END_TEST

START_TEST(every_status_has_a_word_and_a_text)
{
    for (int code = 0; code < PC_N_STATUS; code++) {
        ck_assert(pc_status_word((pc_status)code)[0] != '\0');
        ck_assert(pc_status_text((pc_status)code)[0] != '\0');
        for (int other = 0; other < code; other++)
            ck_assert_str_ne(pc_status_word((pc_status)code), pc_status_word((pc_status)other));
    }
}
END_TEST

/* ---- units ---- */

START_TEST(units_print_as_people_write_them)
{
    static const struct {
        pc_unit unit;
        const char *text;
    } rows[] = {
        {PC_UNIT_NONE, ""},
        {PC_UNIT_N_PER_M, "N/m"},
        {PC_UNIT_N_S, "N s"},
        {PC_UNIT_KG_M2, "kg m^2"},
        {PC_UNIT_RAD_PER_S, "rad/s"},
        {PC_UNIT_PA, "Pa"},
        {{.kg = 1, .m = -0.5f, .s = -2}, "N/m^1.5"},
        {{.m = 3}, "m^3"},
        {{.kg = 2, .s = 1}, "kg^2 s"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[PC_UNIT_TEXT];
        ck_assert_str_eq(pc_unit_text(rows[i].unit, NAN, text), rows[i].text);
    }
}
END_TEST

START_TEST(units_are_read_as_people_write_them)
{
    static const struct {
        const char *text, *same;
    } rows[] = {
        {"N/m^1.5", "N/m^1.5"}, {"kg m^2", "kg m^2"},   {"s/m", "s/m"}, {"1/s", "1/s"}, {"", ""},
        {"kg*m/s^2", "N"},      {"N s/m", "N s/m"},     {"Pa", "Pa"},   {"Hz", "1/s"},  {"m/s^2", "m/s^2"},
        {"J/m", "N"},           {"kg m^-1 s^-2", "Pa"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pc_unit unit;
        char text[PC_UNIT_TEXT];
        ck_assert_msg(pc_unit_parse(rows[i].text, &unit), "%s", rows[i].text);
        ck_assert_str_eq(pc_unit_text(unit, NAN, text), rows[i].same);
    }
    static const char *const wrong[] = {"N/mm", "m^", "/s", "N/", "kg  m", "m^x", "furlong", "m^1e300", "N m "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pc_unit unit;
        ck_assert_msg(!pc_unit_parse(wrong[i], &unit), "'%s'", wrong[i]);
    }
}
END_TEST

START_TEST(unit_may_depend_on_another_parameter)
{
    pc_unit stiffness = PC_UNIT_N;
    stiffness.m_minus = "p";
    char text[PC_UNIT_TEXT];
    ck_assert_str_eq(pc_unit_text(stiffness, NAN, text), "N/m^p");
    ck_assert_str_eq(pc_unit_text(stiffness, 1.5, text), "N/m^1.5");
    ck_assert_str_eq(pc_unit_text(stiffness, 1, text), "N/m");
}
END_TEST

/* ---- allocation ---- */

START_TEST(allocation_fails_when_told_to_once)
{
    long live = pc_alloc_live();
    pc_alloc_fail_after(1);
    void *first = pc_calloc(4, 8), *second = pc_calloc(4, 8), *third = pc_calloc(4, 8);
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_null(second);
    ck_assert_ptr_nonnull(third);
    ck_assert_int_eq(pc_alloc_live(), live + 2);
    pc_free(first);
    pc_free(third);
    pc_free(NULL);
    ck_assert_int_eq(pc_alloc_live(), live);
}
END_TEST

START_TEST(allocation_refuses_sizes_that_overflow)
{
    ck_assert_ptr_null(pc_calloc(SIZE_MAX / 4, 8));
    ck_assert_ptr_null(pc_realloc(NULL, SIZE_MAX / 4, 8));
}
END_TEST

START_TEST(failed_growth_keeps_the_old_block)
{
    char *block = pc_realloc(NULL, 8, 1);
    memcpy(block, "percuss", 8);
    pc_alloc_fail_after(0);
    ck_assert_ptr_null(pc_realloc(block, 800, 1));
    ck_assert_str_eq(block, "percuss");
    pc_free(block);
}
END_TEST

START_TEST(lists_of_one_block_keep_what_they_hold)
{
    struct {
        double (*force)[2];
        int *pair;
        bool *still;
    } l = {0};
    const pc_column columns[] = {PC_COLUMN(l.force), PC_COLUMN(l.pair), PC_COLUMN(l.still)};
    size_t room = 0;
    for (int wanted = 1; wanted < 40; wanted += 3) {
        ck_assert(pc_columns_reserve(columns, 3, &room, (size_t)wanted));
        ck_assert_uint_eq(room, (size_t)wanted);
        for (int i = 0; i < wanted; i++) {
            if (i + 3 < wanted) { /* was there before */
                ck_assert(l.force[i][1] == i && l.pair[i] == -i && l.still[i] == (i % 3 == 0));
                continue;
            }
            l.force[i][0] = l.force[i][1] = i;
            l.pair[i] = -i;
            l.still[i] = i % 3 == 0;
        }
    }
    double(*before)[2] = l.force;
    pc_alloc_fail_after(0);
    ck_assert(!pc_columns_reserve(columns, 3, &room, 100));
    pc_alloc_fail_after(-1);
    ck_assert(pc_columns_reserve(columns, 3, &room, 5)); /* no less than there is */
    ck_assert(l.force == before && room == 37 && l.pair[36] == -36);
    pc_free(l.force);
}
END_TEST

START_TEST(blocks_grow_to_what_is_wanted_and_at_least_double)
{
    double *block = NULL;
    size_t room = 0, before = 0;
    for (size_t n = 0; n < 1000; n++) {
        ck_assert(PC_GROW(block, room, n + 1) && room > n);
        if (room != before) ck_assert(room >= 2 * before);
        before = room;
        block[n] = (double)n;
    }
    for (size_t n = 0; n < 1000; n++) ck_assert(block[n] == (double)n);
    double *same = block;
    ck_assert(PC_GROW(block, room, 1) && room == before && block == same);
    pc_alloc_fail_after(0);
    ck_assert(!PC_GROW(block, room, 5000) && room == before && block == same);
    ck_assert(PC_GROW(block, room, 5000) && room == 5000 && block[999] == 999);
    ck_assert(!PC_GROW(block, room, SIZE_MAX / 4) && room == 5000);
    pc_free(block);
}
END_TEST

START_TEST(pools_keep_what_they_have_where_no_more_can_be_added)
{
    pc_pool pool = {0};
    pc_error err = {0};
    const int some[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    ck_assert_int_eq(pc_pool_append(&pool, NULL, 0, sizeof *some, &err), PC_OK);
    ck_assert_int_eq(pc_pool_append(&pool, some, 10, sizeof *some, &err), PC_OK);
    pc_alloc_fail_after(0);
    ck_assert_int_eq(pc_pool_append(&pool, some, 10, sizeof *some, &err), PC_E_MEMORY);
    ck_assert_uint_eq(pool.used, 10);
    ck_assert_int_eq(pc_pool_append(&pool, some, 10, sizeof *some, &err), PC_OK);
    ck_assert_uint_eq(pool.used, 20);
    for (int i = 0; i < 20; i++) ck_assert_int_eq(((int *)pool.data)[i], some[i % 10]);
    pc_pool_free(&pool);
    ck_assert(!pool.data && pool.used == 0 && pool.room == 0);
}
END_TEST

/* ---- rows ---- */

typedef struct spring {
    double stiffness, tangential, ratio, friction;
    int steps, kind;
    bool damped;
    double axis[3];
    pc_matrix table;
} spring;

static const char *const spring_kinds[] = {"linear", "hertz", NULL};

static const pc_row spring_rows[] = {
    PC_ROW(spring, stiffness, "stiffness", .symbol = "kn", .unit = {.kg = 1, .s = -2}, .initial = PC_REQUIRED,
           .allowed = {0, INFINITY, true, true}, .doc = "normal stiffness"),
    PC_ROW(spring, tangential, "tangential", .symbol = "kt", .unit = {.kg = 1, .s = -2}, .initial = PC_ABSENT,
           .allowed = {0, INFINITY, true, true}, .group = 1, .doc = "k_t"),
    PC_ROW(spring, ratio, "stiffness_ratio", .symbol = "eta", .initial = PC_ABSENT,
           .allowed = {0, INFINITY, true, true}, .group = 1, .doc = "ratio"),
    PC_ROW(spring, friction, "friction", .symbol = "mu", .greek = "μ", .initial = 0.5, .allowed = {0, 10, false, false},
           .doc = "friction"),
    PC_ROW(spring, steps, "steps", .initial = 7, .allowed = {1, 100, false, false}, .doc = "steps"),
    PC_CHOICE_ROW(spring, kind, "kind", spring_kinds, .initial = 1, .doc = "kind"),
    PC_ROW(spring, damped, "damped", .initial = 0, .doc = "damped"),
    {.name = "axis",
     .kind = PC_VECTOR,
     .offset = offsetof(spring, axis),
     .count = 3,
     .initial = PC_ABSENT,
     .allowed = {-INFINITY, INFINITY, true, true},
     .doc = "axis"},
    {.name = "table",
     .kind = PC_MATRIX,
     .offset = offsetof(spring, table),
     .initial = PC_ABSENT,
     .allowed = {-INFINITY, INFINITY, true, true},
     .doc = "table"},
};

static pc_status spring_validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)err;
    (void)schema, (void)given;
    spring *self = object;
    if (isnan(self->tangential))
        self->tangential = self->stiffness / self->ratio;
    else
        self->ratio = self->stiffness / self->tangential;
    return PC_OK;
}

static const pc_schema spring_schema = {
    .name = "contact.spring",
    .summary = "A spring.",
    PC_ROWS(spring_rows),
    .size = sizeof(spring),
    .groups = {PC_EXACTLY_ONE},
    .validate = spring_validate,
};

static spring self;
static uint64_t given;
static pc_error err;

static void reset(void)
{
    given = 0;
    err = (pc_error){0};
    pc_schema_defaults(&spring_schema, &self);
}

static pc_status set(const char *name, double value)
{
    return pc_schema_set_number(&spring_schema, pc_schema_find(&spring_schema, name), &self, value, &given, &err);
}

START_TEST(defaults_are_filled_in_and_absent_numbers_are_nan)
{
    reset();
    ck_assert(self.friction == 0.5 && self.steps == 7 && self.kind == 1 && !self.damped);
    ck_assert(isnan(self.tangential) && isnan(self.axis[2]));
    ck_assert_int_eq(self.table.rows, 0);
}
END_TEST

START_TEST(word_and_alias_are_one_parameter)
{
    reset();
    ck_assert_int_eq(pc_schema_find(&spring_schema, "mu"), pc_schema_find(&spring_schema, "friction"));
    ck_assert_int_eq(set("mu", 0.3), PC_OK);
    ck_assert_int_eq(set("friction", 0.3), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: 'friction' and 'mu' are the same parameter; give one of them");
}
END_TEST

START_TEST(alternatives_derive_each_other_and_exclude_each_other)
{
    reset();
    set("kn", 100);
    set("eta", 4);
    ck_assert_int_eq(pc_schema_finish(&spring_schema, &self, given, &err), PC_OK);
    ck_assert(self.tangential == 25);
    set("kt", 3);
    ck_assert_int_eq(pc_schema_finish(&spring_schema, &self, given, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text,
                     "contact.spring: 'tangential' or 'stiffness_ratio' say the same thing; give one of them");
    reset();
    set("kn", 100);
    ck_assert_int_eq(pc_schema_finish(&spring_schema, &self, given, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: one of 'tangential' or 'stiffness_ratio' is needed");
}
END_TEST

START_TEST(what_is_missing_is_named_with_unit_and_range)
{
    reset();
    set("eta", 1);
    ck_assert_int_eq(pc_schema_finish(&spring_schema, &self, given, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: stiffness (kn) is needed (> 0 N/m)");
}
END_TEST

START_TEST(values_outside_their_range_are_refused_with_name_value_unit_and_range)
{
    reset();
    ck_assert_int_eq(set("kn", -3), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: stiffness (kn) = -3 N/m is not allowed; it must be > 0 N/m");
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1e-300, 10.0000001};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) ck_assert_int_eq(set("mu", bad[i]), PC_E_ARGUMENT);
    ck_assert_int_eq(set("mu", 10), PC_OK);
    ck_assert_int_eq(set("steps", 2.5), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: steps = 2.5 must be a whole number");
    ck_assert(self.steps == 7);
}
END_TEST

START_TEST(unknown_names_bring_the_nearest_one)
{
    pc_schema_unknown(&spring_schema, "frction", &err);
    ck_assert_str_eq(err.text, "contact.spring has no parameter 'frction'; did you mean 'friction'?");
    pc_schema_unknown(&spring_schema, "stiff", &err);
    ck_assert_str_eq(err.text, "contact.spring has no parameter 'stiff'; did you mean 'stiffness'?");
    pc_schema_unknown(&spring_schema, "zebra", &err);
    ck_assert_ptr_nonnull(strstr(err.text, "it has: stiffness, tangential"));
}
END_TEST

START_TEST(words_and_booleans_and_vectors_are_checked)
{
    reset();
    int kind = pc_schema_find(&spring_schema, "kind"), damped = pc_schema_find(&spring_schema, "damped");
    int axis = pc_schema_find(&spring_schema, "axis");
    ck_assert_int_eq(pc_schema_set_word(&spring_schema, kind, &self, "hetrz", &given, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: kind = \"hetrz\" is not known; it must be \"linear\" or \"hertz\" (did "
                               "you mean \"hertz\"?)");
    ck_assert_int_eq(pc_schema_set_word(&spring_schema, kind, &self, "linear", &given, &err), PC_OK);
    ck_assert_int_eq(self.kind, 0);
    ck_assert_int_eq(pc_schema_set_boolean(&spring_schema, damped, &self, true, &given, &err), PC_OK);
    ck_assert(self.damped);
    double v[3] = {1, 2, NAN};
    ck_assert_int_eq(pc_schema_set_vector(&spring_schema, axis, &self, v, 3, &given, &err), PC_E_ARGUMENT);
    ck_assert_int_eq(pc_schema_set_vector(&spring_schema, axis, &self, v, 2, &given, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: axis must be a list of 3 numbers, not 2");
    v[2] = 3;
    ck_assert_int_eq(pc_schema_set_vector(&spring_schema, axis, &self, v, 3, &given, &err), PC_OK);
    ck_assert(self.axis[2] == 3);
    ck_assert_int_eq(pc_schema_set_number(&spring_schema, kind, &self, 1, &given, &err), PC_E_ARGUMENT);
    ck_assert_str_eq(err.text, "contact.spring: kind must be a string, not a number");
}
END_TEST

START_TEST(nearest_word_counts_transpositions_and_gives_up_far_away)
{
    static const char *const words[] = {"friction", "stiffness", "restitution", "mu", NULL};
    ck_assert_str_eq(pc_nearest("firction", words, 4), "friction");
    ck_assert_str_eq(pc_nearest("restituion", words, 4), "restitution");
    ck_assert_ptr_null(pc_nearest("banana", words, 4));
    ck_assert_ptr_null(pc_nearest("x", words, 4));
    char longest[200];
    memset(longest, 'a', 199);
    longest[199] = '\0';
    ck_assert_ptr_null(pc_nearest(longest, words, 4));
}
END_TEST

START_TEST(network_file_systems_are_known)
{
    ck_assert(pc_system_is_network_kind(0x6969));                         /* NFS */
    ck_assert(pc_system_is_network_kind((unsigned long)(int)0xff534d42)); /* CIFS, its number taken as a negative int */
    ck_assert(!pc_system_is_network_kind(0xef53));                        /* ext4 */
    ck_assert(!pc_system_is_network_kind(0x01021994));                    /* tmpfs */
}
END_TEST

UNIT_MAIN("base", 10, failure_fills_the_record_and_returns_its_code, what_a_function_of_the_caller_left_is_the_failure,
          text_that_does_not_fit_is_cut_and_terminated, every_status_has_a_word_and_a_text,
          units_print_as_people_write_them, units_are_read_as_people_write_them, unit_may_depend_on_another_parameter,
          allocation_fails_when_told_to_once, allocation_refuses_sizes_that_overflow, failed_growth_keeps_the_old_block,
          lists_of_one_block_keep_what_they_hold, blocks_grow_to_what_is_wanted_and_at_least_double,
          pools_keep_what_they_have_where_no_more_can_be_added, defaults_are_filled_in_and_absent_numbers_are_nan,
          word_and_alias_are_one_parameter, alternatives_derive_each_other_and_exclude_each_other,
          what_is_missing_is_named_with_unit_and_range,
          values_outside_their_range_are_refused_with_name_value_unit_and_range, unknown_names_bring_the_nearest_one,
          words_and_booleans_and_vectors_are_checked, nearest_word_counts_transpositions_and_gives_up_far_away,
          network_file_systems_are_known)
