/* The frame of a C test program: one Check suite with one case.
 *
 *     START_TEST(area_of_unit_circle_is_pi) { ... } END_TEST
 *     UNIT_MAIN("circle", 10, area_of_unit_circle_is_pi, ...)
 *
 * The second argument is the time-out of one test in seconds. Under sanitizers everything takes longer, so the
 * time-out is the place to be generous; tolerances are not.
 */
#ifndef TESTS_C_UNIT_H
#define TESTS_C_UNIT_H

#include <check.h>
#include <stdint.h>
#include <stdlib.h>

/* Seed of random trials of a kind: FNV-1a of its name and the number of the trial, so that a row added to a list leaves
 * the trials of all others as they were. */
static inline uint64_t unit_seed(const char *name, uint64_t number)
{
    uint64_t digest = 0xcbf29ce484222325 ^ number;
    for (; *name; name++) digest = (digest ^ (unsigned char)*name) * 0x100000001b3;
    return digest;
}

#define UNIT_MAIN(name, seconds, ...)                                                                                  \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const tests[] = {__VA_ARGS__};                                                                    \
        Suite *suite = suite_create(name);                                                                             \
        TCase *tcase = tcase_create(name);                                                                             \
        tcase_set_timeout(tcase, seconds);                                                                             \
        for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) tcase_add_test(tcase, tests[i]);                     \
        suite_add_tcase(suite, tcase);                                                                                 \
        SRunner *runner = srunner_create(suite);                                                                       \
        srunner_run_all(runner, CK_NORMAL);                                                                            \
        int failed = srunner_ntests_failed(runner);                                                                    \
        srunner_free(runner);                                                                                          \
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;                                                                   \
    }

#endif
