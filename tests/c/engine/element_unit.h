/* Laws by name, filled by the names of their rows: for tests of elements. */
#ifndef TESTS_C_ELEMENT_UNIT_H
#define TESTS_C_ELEMENT_UNIT_H

#include "engine/collide.h"
#include "law/law.h"

#include <check.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* A law with its parameters. */
typedef struct filled {
    const pc_law *law;
    union {
        double align;
        unsigned char bytes[512];
    } params;
} filled;

/* Words and numbers in turn, NULL at the end: fill("tsuji", "modulus", 1.0, ..., NULL). Choices
 * take a word: "tangential", "spring". */
static filled fill(const char *name, ...)
{
    filled f = {0};
    for (int i = 0; i < pc_n_laws; i++)
        if (strcmp(pc_laws[i]->schema->name + sizeof "contact." - 1, name) == 0) f.law = pc_laws[i];
    ck_assert_msg(f.law && f.law->schema->size <= sizeof f.params, "%s", name);
    const pc_schema *schema = f.law->schema;
    pc_schema_defaults(schema, &f.params);
    uint64_t given = 0;
    pc_error err = {0};
    va_list list;
    va_start(list, name);
    for (const char *word; (word = va_arg(list, const char *));) {
        int row = pc_schema_find(schema, word);
        ck_assert_msg(row >= 0, "%s has no %s", name, word);
        pc_status status;
        if (schema->rows[row].kind == PC_CHOICE)
            status = pc_schema_set_word(schema, row, &f.params, va_arg(list, const char *), &given, &err);
        else if (schema->rows[row].kind == PC_BOOLEAN)
            status = pc_schema_set_boolean(schema, row, &f.params, va_arg(list, double) != 0, &given, &err);
        else
            status = pc_schema_set_number(schema, row, &f.params, va_arg(list, double), &given, &err);
        ck_assert_msg(status == PC_OK, "%s", err.text);
    }
    va_end(list);
    ck_assert_msg(pc_schema_finish(schema, &f.params, given, &err) == PC_OK, "%s: %s", name, err.text);
    return f;
}

static inline void strike(const filled *f, const pc_mobility *W, double v_t, double v_n, pc_impact *hit)
{
    pc_error err = {0};
    double v0[3] = {v_t, v_n, 0};
    pc_impact_init(hit);
    ck_assert_msg(pc_law_impact(f->law, &f->params, W, v0, hit, &err) == PC_OK, "%s: %s", f->law->schema->name,
                  err.text);
}

/* Restitution of a central impact of `mass` at `speed`. */
static inline double central(const filled *f, double mass, double speed)
{
    pc_mobility W = {.nn = 1 / mass, .rank = 1};
    pc_impact hit;
    strike(f, &W, 0, -speed, &hit);
    double e = pc_impact_restitution(&hit).kinematic;
    pc_impact_free(&hit);
    return e;
}

#endif
