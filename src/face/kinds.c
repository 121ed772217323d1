/* What there is to choose from, with the options of each: all of it comes from the rows that the rest of percuss reads.
 */
#include "face/face.h"

#include "base/version.h"
#include "scene/free.h"
#include "scene/obstacle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *percuss_version(void)
{
    return PC_VERSION;
}

/* ---- groups ---- */

static const pc_schema *law_schema(int i)
{
    return pc_laws[i]->schema;
}

static const pc_schema *body_schema(int i)
{
    return pc_body_kinds[i]->schema;
}

static const pc_schema *solver_schema(int i)
{
    return pc_ode_methods[i]->schema;
}

/* Free bodies, then obstacles. */
static const pc_schema *part_schema(int i)
{
    return i == 0 ? &pc_free_schema : pc_obstacle_kinds[i - 1]->schema;
}

/* The one kind of a group. */
#define ONE(name, of)                                                                                                  \
    static const pc_schema *name(int i)                                                                                \
    {                                                                                                                  \
        (void)i;                                                                                                       \
        return &(of);                                                                                                  \
    }
ONE(material_schema, pc_material_schema)
ONE(collide_schema, pc_collide_schema)
ONE(link_schema, pc_link_schema)
ONE(chain_schema, pc_chain_schema)
ONE(pivot_schema, pc_pivot_schema)
ONE(drive_schema, pc_drive_schema)
ONE(scene_schema, pc_scene_schema)
ONE(run_schema, pc_run_schema)

static const int one = 1, n_parts = 1 + PC_OBSTACLE_KINDS;

static const struct group {
    const char *name;
    const pc_schema *(*schema)(int i);
    const int *n;
} groups[] = {
    {"law", law_schema, &pc_n_laws},     {"body", body_schema, &pc_n_body_kinds},
    {"material", material_schema, &one}, {"collide", collide_schema, &one},
    {"part", part_schema, &n_parts},     {"link", link_schema, &one},
    {"chain", chain_schema, &one},       {"pivot", pivot_schema, &one},
    {"motion", drive_schema, &one},      {"scene", scene_schema, &one},
    {"simulate", run_schema, &one},      {"solver", solver_schema, &pc_n_ode_methods},
};
enum { N_GROUPS = sizeof groups / sizeof *groups };

/* A kind is called by what follows the last dot of its path. */
static const char *kind_name(const pc_schema *schema)
{
    const char *dot = strrchr(schema->name, '.');
    return dot ? dot + 1 : schema->name;
}

static const struct group *find_group(const char *name, percuss_error *error)
{
    const char *names[N_GROUPS];
    for (int i = 0; name && i < N_GROUPS; i++) {
        if (strcmp(groups[i].name, name) == 0) return &groups[i];
        names[i] = groups[i].name;
    }
    if (!name) {
        pc_face_null(error, "kinds", "group");
        return NULL;
    }
    const char *near = pc_nearest(name, names, N_GROUPS);
    pc_face_fail(error, PERCUSS_E_ARGUMENT, "group", "", "there is no group '%.60s' of kinds%s%s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

const pc_schema *pc_face_kind(const char *group, const char *kind, int *index, percuss_error *error)
{
    const struct group *g = find_group(group, error);
    if (!g) return NULL;
    if (!kind) {
        pc_face_null(error, group, "kind");
        return NULL;
    }
    enum { MOST = 64 };
    const char *names[MOST];
    int n = *g->n < MOST ? *g->n : MOST;
    for (int i = 0; i < n; i++) {
        const pc_schema *schema = g->schema(i);
        names[i] = kind_name(schema);
        if (strcmp(names[i], kind) != 0) continue;
        if (index) *index = i;
        return schema;
    }
    const char *near = pc_nearest(kind, names, n);
    pc_face_fail(error, PERCUSS_E_ARGUMENT, "kind", "", "there is no %s '%.60s'%s%s%s", group, kind,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

const char *percuss_group(int i)
{
    return i >= 0 && i < N_GROUPS ? groups[i].name : NULL;
}

int percuss_kind_count(const char *group)
{
    const struct group *g = find_group(group, NULL);
    return g ? *g->n : 0;
}

/* ---- kinds ---- */

/* Rows that stay with a script are the last of their schema; they have functions of their own here. */
static int options_of(const pc_schema *schema)
{
    int n = schema->n_rows;
    while (n > 0 && pc_row_stays(&schema->rows[n - 1])) n--;
    return n;
}

percuss_code percuss_kind_read(const char *group, int i, percuss_kind *out, percuss_error *error)
{
    const struct group *g = find_group(group, error);
    if (!g) return PERCUSS_E_ARGUMENT;
    if (!out) return pc_face_null(error, "kind_read", "out");
    if (i < 0 || i >= *g->n)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "i", "", "kind_read: there is no kind %d of '%s', which has %d",
                            i, group, *g->n);
    const pc_schema *schema = g->schema(i);
    *out = (percuss_kind){.group = g->name,
                          .name = kind_name(schema),
                          .summary = schema->summary,
                          .details = schema->details,
                          .source = schema->source,
                          .n_options = options_of(schema)};
    return PERCUSS_OK;
}

/* The types are the kinds of rows. */
#define SAME(public, core) _Static_assert((int)PERCUSS_##public == (int)PC_##core, "a type has another number")
SAME(REAL, REAL);
SAME(INTEGER, INTEGER);
SAME(BOOLEAN, BOOLEAN);
SAME(CHOICE, CHOICE);
SAME(VECTOR, VECTOR);
SAME(TABLE, MATRIX);
SAME(HANDLE, OBJECT);
SAME(TEXT, TEXT);

percuss_code percuss_kind_option(const char *group, const char *kind, int i, percuss_option_info *out,
                                 percuss_error *error)
{
    const pc_schema *schema = pc_face_kind(group, kind, NULL, error);
    if (!schema) return PERCUSS_E_ARGUMENT;
    if (!out) return pc_face_null(error, "kind_option", "out");
    if (i < 0 || i >= options_of(schema))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "i", "",
                            "kind_option: there is no option %d of %s, which has %d", i, schema->name,
                            options_of(schema));
    const pc_row *row = &schema->rows[i];
    bool ranged = row->kind == PC_REAL || row->kind == PC_INTEGER || row->kind == PC_VECTOR || row->kind == PC_MATRIX;
    bool required = row->initial == PC_REQUIRED, open = required || row->kind > PC_VECTOR;
    *out = (percuss_option_info){.name = row->name,
                                 .symbol = row->symbol,
                                 .type = (percuss_type)row->kind,
                                 .required = required,
                                 .initial = open ? NAN : row->initial,
                                 .lo = ranged ? row->allowed.lo : -INFINITY,
                                 .hi = ranged ? row->allowed.hi : INFINITY,
                                 .lo_open = row->allowed.lo_open,
                                 .hi_open = row->allowed.hi_open,
                                 .count = row->kind == PC_VECTOR || row->kind == PC_TEXT ? (int)row->count : 0,
                                 .choices = row->choices,
                                 .object = row->object,
                                 .alternative = row->group,
                                 .doc = row->doc};
    char unit[PC_UNIT_TEXT];
    snprintf(out->unit, sizeof out->unit, "%s", pc_unit_text(row->unit, NAN, unit));
    return PERCUSS_OK;
}
