/* Bodies of every kind in the list, with parameters drawn from its rows. */
#ifndef TESTS_C_BODY_SAMPLE_H
#define TESTS_C_BODY_SAMPLE_H

#include "unit.h"

#include "body/body.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 300 };

/* Set for each sample: it follows the name of the kind. */
static uint64_t seed;

static inline double uniform(double lo, double hi)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static inline int choose(int n)
{
    return (int)uniform(0, n);
}

static inline double draw(pc_interval range)
{
    if (range.lo > 0 && range.hi > 20 * range.lo) return range.lo * pow(range.hi / range.lo, uniform(0, 1));
    return uniform(range.lo, range.hi);
}

/* A random n x n matrix B B^T + I/10: positive definite and not too ill-conditioned. */
static inline pc_matrix draw_definite(int n)
{
    static double b[PC_MATRIX_SIDE][PC_MATRIX_SIDE];
    pc_matrix m = {.rows = n, .cols = n};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) b[i][j] = uniform(-1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 0.1 : 0;
            for (int k = 0; k < n; k++) sum += b[i][k] * b[j][k];
            m.v[i * n + j] = m.v[j * n + i] = sum;
        }
    return m;
}

/* The inertia of some mass distribution: trace(S) 1 - S with S its second moments. */
static inline pc_matrix draw_inertia(void)
{
    pc_matrix s = draw_definite(3);
    double trace = s.v[0] + s.v[4] + s.v[8];
    for (int i = 0; i < 9; i++) s.v[i] = (i % 4 == 0 ? trace : 0) - s.v[i];
    return s;
}

static inline pc_matrix draw_rows(int rows, int cols)
{
    pc_matrix m = {.rows = rows, .cols = cols};
    for (int i = 0; i < rows * cols; i++) m.v[i] = uniform(-1, 1);
    return m;
}

typedef struct sample {
    const pc_body_kind *kind;
    void *params;
    uint64_t given;
    pc_body body;
} sample;

static inline int find(const sample *s, const char *name)
{
    return pc_schema_find(s->kind->schema, name);
}

static inline void set_matrix(sample *s, const char *name, pc_matrix value)
{
    pc_error err = {0};
    ck_assert_msg(!pc_schema_set_matrix(s->kind->schema, find(s, name), s->params, &value, &s->given, &err), "%s",
                  err.text);
}

/* Matrices have no sampling range: what they must be is known here. */
static inline void draw_matrices(sample *s)
{
    if (find(s, "mobility") >= 0) set_matrix(s, "mobility", draw_definite(2 + choose(2)));
    if (find(s, "lengths") >= 0) {
        pc_matrix l = draw_rows(1, 1 + choose(3)), m = l, q = l;
        for (int i = 0; i < l.cols; i++) l.v[i] = uniform(0.5, 1.5), m.v[i] = uniform(0.5, 2), q.v[i] = uniform(-1, 1);
        set_matrix(s, "lengths", l);
        set_matrix(s, "masses", m);
        set_matrix(s, "angles", q);
    }
    if (find(s, "mass_matrix") < 0) return;
    int n = 1 + choose(8);
    set_matrix(s, "mass_matrix", draw_definite(n));
    set_matrix(s, "jacobian", draw_rows(2 + choose(2), n));
}

static inline void draw_row(sample *s, int row)
{
    const pc_schema *schema = s->kind->schema;
    const pc_row *r = &schema->rows[row];
    double list[3];
    pc_error err = {0};
    pc_status status = PC_OK;
    switch (r->kind) {
    case PC_REAL:
        if (r->sample.lo < r->sample.hi)
            status = pc_schema_set_number(schema, row, s->params, draw(r->sample), &s->given, &err);
        break;
    case PC_CHOICE: {
        int n = 0;
        while (r->choices[n]) n++;
        status = pc_schema_set_word(schema, row, s->params, r->choices[choose(n)], &s->given, &err);
        break;
    }
    case PC_BOOLEAN: status = pc_schema_set_boolean(schema, row, s->params, choose(2) == 1, &s->given, &err); break;
    case PC_VECTOR:
        ck_assert_uint_le(r->count, 3);
        for (size_t i = 0; i < r->count; i++) list[i] = draw(r->sample);
        status = pc_schema_set_vector(schema, row, s->params, list, r->count, &s->given, &err);
        break;
    default: break;
    }
    ck_assert_msg(!status, "%s", err.text);
}

static inline void make(sample *s)
{
    pc_error err = {0};
    ck_assert_msg(!pc_body_make(s->kind, s->params, &s->body, &err), "%s: %s", s->kind->schema->name, err.text);
}

/* A body of the kind with parameters from its rows; of alternatives the first, but a tensor for every other rigid
 * body. */
static inline sample draw_body(const pc_body_kind *kind)
{
    sample s = {.kind = kind, .params = malloc(kind->schema->size)};
    const pc_schema *schema = kind->schema;
    pc_error err = {0};
    uint64_t groups = 0;
    pc_schema_defaults(schema, s.params);
    if (find(&s, "inertia_tensor") >= 0 && choose(2)) {
        set_matrix(&s, "inertia_tensor", draw_inertia());
        groups |= 1u << schema->rows[find(&s, "inertia_tensor")].group;
        ck_assert(!pc_schema_set_number(schema, find(&s, "arm_t2"), s.params, uniform(-1, 1), &s.given, &err));
    }
    for (int i = 0; i < schema->n_rows; i++) {
        int group = schema->rows[i].group;
        if (group && (groups >> group & 1)) continue;
        draw_row(&s, i);
        if (group) groups |= 1u << group;
    }
    draw_matrices(&s);
    ck_assert_msg(!pc_schema_finish(schema, s.params, s.given, &err), "%s", err.text);
    make(&s);
    return s;
}

static inline void free_body(sample *s)
{
    free(s->params);
}

static inline void draw_vector(double *v, int n)
{
    for (int i = 0; i < n; i++) v[i] = uniform(-1, 1);
}

/* Runs the statements for SAMPLES bodies of every kind as `s`. */
#define FOR_ALL_BODIES(statements)                                                                                     \
    for (int kind_ = 0; kind_ < pc_n_body_kinds; kind_++)                                                              \
        for (int i_ = 0; i_ < SAMPLES; i_++) {                                                                         \
            seed = unit_seed(pc_body_kinds[kind_]->schema->name, (uint64_t)i_);                                        \
            sample s = draw_body(pc_body_kinds[kind_]);                                                                \
            statements free_body(&s);                                                                                  \
        }

#endif
