/* What the tests of the interface for C share. */
#ifndef TESTS_C_FACE_TOOLS_H
#define TESTS_C_FACE_TOOLS_H

#include "unit.h"

#include "percuss.h"

#include <stdbool.h>
#include <string.h>

/* Bits, so that NaN equals itself. */
static inline bool same(const void *a, const void *b, size_t bytes)
{
    return memcmp(a, b, bytes) == 0;
}

static inline bool equal(double a, double b)
{
    return same(&a, &b, sizeof a);
}

/* The failure that a call left, and that it names what was wrong. */
static inline void failed_with(const percuss_error *error, percuss_code code, const char *parameter, const char *unit,
                               const char *part)
{
    ck_assert_msg(error->code == code, "%s: %s", percuss_code_word(error->code), error->message);
    ck_assert_msg(strcmp(error->parameter, parameter) == 0, "'%s', not '%s': %s", error->parameter, parameter,
                  error->message);
    ck_assert_str_eq(error->unit, unit);
    ck_assert_msg(strstr(error->message, part) != NULL, "'%s' is not in: %s", part, error->message);
}

static inline percuss_law *law_of(const char *kind, const percuss_option *options)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_law *law = percuss_law_new(kind, options, &error);
    ck_assert_msg(law != NULL, "%s", error.message);
    return law;
}

#endif
