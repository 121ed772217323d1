/* Handles, failures and options of the C interface, and what there is to choose from with the options of each, all of
 * which comes from the rows that the rest of percuss reads: see face.h. */
#include "base/alloc.h"
#include "base/version.h"
#include "face/face.h"
#include "scene/part.h"
#include "scene/obstacle.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- handles ---- */

void *pc_handle_new(pc_handle_type type, size_t size, void (*close)(pc_handle *handle), percuss_error *error)
{
    pc_handle *handle = pc_calloc(1, size);
    if (!handle) {
        pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "not enough memory for a handle of %zu bytes", size);
        return NULL;
    }
    handle->type = type;
    handle->close = close;
    atomic_init(&handle->references, 1);
    return handle;
}

const void *pc_handle_keep(const void *handle)
{
    pc_handle *h = (pc_handle *)(uintptr_t)handle; /* the count is no part of what is constant */
    if (h) atomic_fetch_add_explicit(&h->references, 1, memory_order_relaxed);
    return handle;
}

void pc_handle_drop(const void *handle)
{
    pc_handle *h = (pc_handle *)(uintptr_t)handle;
    if (!h || atomic_fetch_sub_explicit(&h->references, 1, memory_order_acq_rel) > 1) return;
    if (h->close) h->close(h);
    pc_free(h);
}

void *pc_handle_made(void *handle, percuss_code code)
{
    if (code == PERCUSS_OK) return handle;
    pc_handle_drop(handle);
    return NULL;
}

/* All handles are given back alike. */
#define FREE(name)                                                                                                     \
    void percuss_##name##_free(percuss_##name *handle)                                                                 \
    {                                                                                                                  \
        pc_handle_drop(handle);                                                                                        \
    }
FREE(material)
FREE(restitution)
FREE(law)
FREE(body)
FREE(impact)
FREE(solver)
FREE(motion)
FREE(run)
FREE(part)
FREE(scene)

/* ---- failures ---- */

/* The codes are those of the core. */
#define PC_STATUS(name, word, text) _Static_assert((int)PERCUSS_##name == (int)PC_##name, "a code has another number");
#include "base/status.def"
#undef PC_STATUS
_Static_assert((int)PC_N_STATUS == (int)PERCUSS_E_UNSUPPORTED + 1, "a code is not in percuss.h");

const char *percuss_code_word(percuss_code code)
{
    return (int)code >= 0 && (int)code < PC_N_STATUS ? pc_status_word((pc_status)code) : "?";
}

const char *percuss_code_text(percuss_code code)
{
    return (int)code >= 0 && (int)code < PC_N_STATUS ? pc_status_text((pc_status)code) : "?";
}

static void name_parameter(percuss_error *error, const char *parameter, const char *unit)
{
    if (!error) return;
    snprintf(error->parameter, sizeof error->parameter, "%.47s", parameter);
    snprintf(error->unit, sizeof error->unit, "%.47s", unit);
}

percuss_code pc_face_fail(percuss_error *error, percuss_code code, const char *parameter, const char *unit,
                          const char *format, ...)
{
    if (!error) return code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->code = code;
    error->time = NAN;
    error->quantity[0] = '\0';
    name_parameter(error, parameter, unit);
    return code;
}

percuss_code pc_face_put(percuss_error *error, const pc_error *err)
{
    percuss_code code = (percuss_code)err->code;
    pc_face_fail(error, code, "", "", "%s", err->text[0] ? err->text : pc_status_text(err->code));
    if (!error || !err->quantity[0]) return code;
    name_parameter(error, err->quantity, "");
    error->time = err->time;
    snprintf(error->quantity, sizeof error->quantity, "%.31s", err->quantity);
    return code;
}

percuss_code pc_face_null(percuss_error *error, const char *function, const char *argument)
{
    if (error && error->code != PERCUSS_OK) return error->code;
    return pc_face_fail(error, PERCUSS_E_ARGUMENT, argument, "",
                        "%s: %s is NULL; did the call that should have made it fail?", function, argument);
}

percuss_code pc_face_index(const char *function, const char *what, const char *owner, ptrdiff_t i, ptrdiff_t n,
                           percuss_error *error)
{
    if (i >= 0 && i < n) return PERCUSS_OK;
    return pc_face_fail(error, PERCUSS_E_ARGUMENT, "i", "", "%s: there is no %s %td; %s has %td", function, what, i,
                        owner, n);
}

percuss_code pc_face_count(const char *function, const char *owner, const char *what, int n, int has,
                           percuss_error *error)
{
    if (n == has) return PERCUSS_OK;
    return pc_face_fail(error, PERCUSS_E_ARGUMENT, "n", "", "%s: n = %d, but %s has %d %s", function, n, owner, has,
                        what);
}

bool pc_face_finite(const double *v, size_t n, const char *function, const char *argument, const char *unit,
                    percuss_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (isfinite(v[i])) continue;
        pc_face_fail(error, PERCUSS_E_ARGUMENT, argument, unit, "%s: %s[%zu] = %g must be a finite number%s%s",
                     function, argument, i, v[i], unit[0] ? " of " : "", unit);
        return false;
    }
    return true;
}

bool pc_face_ascending(const double *v, size_t n, const char *function, const char *argument, const char *unit,
                       percuss_error *error)
{
    for (size_t i = 0; i < n; i++) {
        if (isfinite(v[i]) && v[i] >= (i ? v[i - 1] : 0)) continue;
        pc_face_fail(error, PERCUSS_E_ARGUMENT, argument, unit,
                     "%s: %s[%zu] = %.10g %s is not allowed; they must be finite, >= 0 %s and ascend", function,
                     argument, i, v[i], unit, unit);
        return false;
    }
    return true;
}

const char *pc_face_hint(const char *word, const char *const *words, int n, char text[PC_FACE_HINT])
{
    const char *near = pc_nearest(word, words, n);
    text[0] = '\0';
    if (near) snprintf(text, PC_FACE_HINT, "; did you mean '%.60s'?", near);
    return text;
}

/* ---- options ---- */

static const char *value_text(percuss_value is)
{
    static const char *const texts[] = {"a number", "a word", "a list", "a matrix", "an object"};
    return (int)is >= 0 && (int)is < 5 ? texts[is] : "something unknown";
}

static pc_status set_number(const pc_schema *schema, int row, const percuss_option *o, void *object, uint64_t *given,
                            pc_error *err)
{
    if (schema->rows[row].kind != PC_BOOLEAN) return pc_schema_set_number(schema, row, object, o->number, given, err);
    if (o->number != 0 && o->number != 1)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s = %.10g is not allowed; it must be 0 or 1", schema->name,
                       schema->rows[row].name, o->number);
    return pc_schema_set_boolean(schema, row, object, o->number != 0, given, err);
}

static pc_status set_matrix(const pc_schema *schema, int row, const percuss_option *o, void *object, uint64_t *given,
                            pc_error *err)
{
    if (o->rows < 1 || o->columns < 1 || o->rows > PC_MATRIX_SIDE || o->columns > PC_MATRIX_SIDE || !o->values)
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s must be a matrix of 1 to %d rows and columns, not %d by %d",
                       schema->name, schema->rows[row].name, PC_MATRIX_SIDE, o->rows, o->columns);
    pc_matrix matrix = {.rows = o->rows, .cols = o->columns};
    memcpy(matrix.v, o->values, (size_t)o->rows * (size_t)o->columns * sizeof *o->values);
    return pc_schema_set_matrix(schema, row, object, &matrix, given, err);
}

static pc_status set_list(const pc_schema *schema, int row, const percuss_option *o, void *object, uint64_t *given,
                          pc_error *err)
{
    size_t n = o->columns > 0 && o->values ? (size_t)o->columns : 0;
    return pc_schema_set_vector(schema, row, object, o->values, n, given, err);
}

/* Materials, bodies and restitutions are the only objects in rows. */
static pc_status set_object(const pc_schema *schema, int row, const percuss_option *o, void *object, uint64_t *given,
                            pc_error *err)
{
    const pc_handle *own = o->object;
    const char *word = schema->rows[row].object;
    const pc_handle_type type = strcmp(word, "material") == 0      ? PC_HANDLE_MATERIAL
                                : strcmp(word, "restitution") == 0 ? PC_HANDLE_RESTITUTION
                                                                   : PC_HANDLE_BODY;
    if (!own || own->type != type) return pc_schema_wrong_type(schema, row, own ? "another handle" : "NULL", err);
    const void *value =
        type == PC_HANDLE_MATERIAL      ? (const void *)&((const percuss_material *)(const void *)own)->material
        : type == PC_HANDLE_RESTITUTION ? (const void *)&((const percuss_restitution *)(const void *)own)->coefficient
                                        : &((const percuss_body *)(const void *)own)->body;
    return pc_schema_set_object(schema, row, object, value, given, err);
}

/* A material of the table. */
static pc_status set_material(const pc_schema *schema, int row, const percuss_option *o, void *object, uint64_t *given,
                              pc_error *err)
{
    const char *names[64] = {NULL};
    for (int i = 0; i < pc_n_materials; i++) {
        if (strcmp(pc_materials[i].name, o->word) == 0)
            return pc_schema_set_object(schema, row, object, &pc_materials[i], given, err);
        if (i < 64) names[i] = pc_materials[i].name;
    }
    const char *near = pc_nearest(o->word, names, pc_n_materials < 64 ? pc_n_materials : 64);
    return pc_fail(err, PC_E_ARGUMENT, "%s: %s = \"%.60s\" is not known%s%s%s", schema->name, schema->rows[row].name,
                   o->word, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static pc_status set_row(const pc_schema *schema, int row, const percuss_option *o, void *object, uint64_t *given,
                         pc_error *err)
{
    pc_kind kind = schema->rows[row].kind;
    bool material = kind == PC_OBJECT && strcmp(schema->rows[row].object, "material") == 0;
    if (pc_row_stays(&schema->rows[row])) {
        bool moves = pc_schema_find(schema, "surface_speed") >= 0, breaks = pc_schema_find(schema, "breaks") >= 0;
        return pc_fail(err, PC_E_ARGUMENT, "%s: %s is no option in C%s", schema->name, schema->rows[row].name,
                       moves    ? "; percuss_part_move says how a part moves"
                       : breaks ? "; they stand in a percuss_force_function"
                                : "");
    }
    switch (o->is) {
    case PERCUSS_IS_NUMBER: return set_number(schema, row, o, object, given, err);
    case PERCUSS_IS_WORD:
        if (!o->word) return pc_schema_wrong_type(schema, row, "NULL", err);
        return material ? set_material(schema, row, o, object, given, err)
                        : pc_schema_set_word(schema, row, object, o->word, given, err);
    case PERCUSS_IS_LIST: return set_list(schema, row, o, object, given, err);
    case PERCUSS_IS_MATRIX: return set_matrix(schema, row, o, object, given, err);
    case PERCUSS_IS_OBJECT:
        if (kind == PC_OBJECT || (schema->rows[row].object && schema->rows[row].count > 0))
            return set_object(schema, row, o, object, given, err);
        break;
    }
    return pc_schema_wrong_type(schema, row, value_text(o->is), err);
}

/* A failure that belongs to a row. */
static percuss_code put_row(percuss_error *error, const pc_error *err, const pc_row *row)
{
    char unit[PC_UNIT_TEXT];
    percuss_code code = pc_face_put(error, err);
    name_parameter(error, row->name, pc_unit_text(row->unit, NAN, unit));
    return code;
}

percuss_code pc_face_set(const pc_schema *schema, const percuss_option *option, void *object, uint64_t *given,
                         percuss_error *error)
{
    pc_error err = {0};
    int row = pc_schema_find(schema, option->name);
    /* the call that should have made a handle has told why it failed */
    if (option->is == PERCUSS_IS_OBJECT && !option->object && error && error->code != PERCUSS_OK) return error->code;
    if (row < 0) {
        pc_schema_unknown(schema, option->name, &err);
        pc_face_put(error, &err);
        name_parameter(error, option->name, "");
        return PERCUSS_E_ARGUMENT;
    }
    if (set_row(schema, row, option, object, given, &err) == PC_OK) return PERCUSS_OK;
    return put_row(error, &err, &schema->rows[row]);
}

percuss_code pc_face_finish(const pc_schema *schema, void *object, uint64_t given, percuss_error *error)
{
    pc_error err = {0};
    if (pc_schema_finish(schema, object, given, &err) == PC_OK) return PERCUSS_OK;
    for (int i = 0; i < schema->n_rows; i++) /* the first that is missing is what it says; else it is no single one */
        if (!(given >> i & 1) && schema->rows[i].initial == PC_REQUIRED) return put_row(error, &err, &schema->rows[i]);
    return pc_face_put(error, &err);
}

percuss_code pc_face_read(const pc_schema *schema, const percuss_option *options, void *object, uint64_t *given,
                          percuss_error *error)
{
    uint64_t seen = 0;
    percuss_code code = PERCUSS_OK;
    pc_schema_defaults(schema, object);
    for (const percuss_option *o = options; o && o->name && code == PERCUSS_OK; o++)
        code = pc_face_set(schema, o, object, &seen, error);
    if (given) *given = seen;
    return code == PERCUSS_OK ? pc_face_finish(schema, object, seen, error) : code;
}

/* A list of places, which a matrix of two columns holds. */
static bool is_places(const pc_row *row)
{
    return row->kind == PC_LIST && !row->options && strcmp(row->name, "shapes") != 0;
}

static percuss_code take_places(const pc_schema *schema, int row, const percuss_option *o, uint64_t *given,
                                percuss_error *error)
{
    enum { MOST = 1000000 };
    const char *name = schema->rows[row].name;
    if (o->is != PERCUSS_IS_MATRIX || !o->values || o->columns != 2 || o->rows < 1 || o->rows > MOST)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, name, "m",
                            "%s: %s must be a matrix of 1 to %d rows of 2 columns, x and y in m; here it is %s of %d "
                            "by %d",
                            schema->name, name, MOST, value_text(o->is), o->rows, o->columns);
    if (!pc_face_finite(o->values, 2 * (size_t)o->rows, schema->name, name, "m", error)) return PERCUSS_E_ARGUMENT;
    pc_error err = {0};
    return pc_schema_claim(schema, row, given, &err) == PC_OK ? PERCUSS_OK : put_row(error, &err, &schema->rows[row]);
}

percuss_code pc_face_read_places(const pc_schema *schema, const percuss_option *options, void *object,
                                 const percuss_option **places, percuss_error *error)
{
    uint64_t given = 0;
    percuss_code code = PERCUSS_OK;
    *places = NULL;
    pc_schema_defaults(schema, object);
    for (const percuss_option *o = options; o && o->name && code == PERCUSS_OK; o++) {
        const int row = pc_schema_find(schema, o->name);
        if (row < 0 || !is_places(&schema->rows[row])) {
            code = pc_face_set(schema, o, object, &given, error);
            continue;
        }
        code = take_places(schema, row, o, &given, error);
        *places = o;
    }
    return code == PERCUSS_OK ? pc_face_finish(schema, object, given, error) : code;
}

const void *pc_face_object(const char *where, const percuss_option *option, pc_handle_type type, percuss_error *error)
{
    static const char *const names[] = {"material", "law",   "body", "impact", "solver",
                                        "part",     "scene", "run",  "motion", "restitution"};
    const pc_handle *handle = option->is == PERCUSS_IS_OBJECT ? option->object : NULL;
    if (handle && handle->type == type) return handle;
    if (option->is == PERCUSS_IS_OBJECT && !handle)
        pc_face_null(error, where, option->name);
    else
        pc_face_fail(error, PERCUSS_E_ARGUMENT, option->name, "", "%s: %s must be the handle of a %s, not %s", where,
                     option->name, names[type], handle ? "another handle" : value_text(option->is));
    return NULL;
}

percuss_code pc_face_get(const pc_schema *schema, const void *object, const char *name, double *value,
                         percuss_error *error)
{
    if (!name || !value) return pc_face_null(error, schema->name, name ? "value" : "name");
    int row = pc_schema_find(schema, name);
    if (row < 0) {
        pc_error err = {0};
        pc_schema_unknown(schema, name, &err);
        pc_face_put(error, &err);
        name_parameter(error, name, "");
        return PERCUSS_E_ARGUMENT;
    }
    if (schema->rows[row].kind > PC_CHOICE || pc_row_stays(&schema->rows[row]))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, name, "", "%s: %s is no number that can be read", schema->name,
                            name);
    *value = pc_row_number(&schema->rows[row], object);
    return PERCUSS_OK;
}

/* ---- what there is to choose from ---- */

const char *percuss_version(void)
{
    return PC_VERSION;
}

/* ---- groups ---- */

/* The i-th kind of a group. */
#define KINDS(name, of)                                                                                                \
    static const pc_schema *name##_schema(int i)                                                                       \
    {                                                                                                                  \
        (void)i;                                                                                                       \
        return of;                                                                                                     \
    }
KINDS(law, pc_laws[i]->schema)
KINDS(body, pc_body_kinds[i]->schema)
KINDS(restitution, pc_restitution_kinds[i].schema)
KINDS(force, pc_force_kinds[i]->schema)
KINDS(solver, pc_ode_methods[i]->schema)
KINDS(part, i == 0 ? &pc_free_schema : pc_obstacle_kinds[i - 1]->schema) /* free bodies, then obstacles */
KINDS(material, &pc_material_schema)
KINDS(collide, &pc_collide_schema)
KINDS(link, &pc_link_schema)
KINDS(chain, &pc_chain_schema)
KINDS(pivot, &pc_pivot_schema)
KINDS(drive, &pc_drive_schema)
KINDS(scene, &pc_scene_schema)
KINDS(run, &pc_run_schema)

static const int one = 1, n_parts = 1 + PC_OBSTACLE_KINDS, n_forces = PC_FORCE_KINDS;

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
    {"force", force_schema, &n_forces},  {"restitution", restitution_schema, &pc_n_restitution_kinds},
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
    char hint[PC_FACE_HINT];
    pc_face_fail(error, PERCUSS_E_ARGUMENT, "group", "", "there is no group '%.60s' of kinds%s", name,
                 pc_face_hint(name, names, N_GROUPS, hint));
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
    char hint[PC_FACE_HINT];
    pc_face_fail(error, PERCUSS_E_ARGUMENT, "kind", "", "there is no %s '%.60s'%s", group, kind,
                 pc_face_hint(kind, names, n, hint));
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

/* Lists of numbers, of the table of restitution alone. */
static bool is_numbers(const pc_schema *schema, const pc_row *row)
{
    return row->kind == PC_NUMBERS && schema == pc_restitution_kinds[pc_n_restitution_kinds - 1].schema;
}

/* Option i: rows that stay with a script have functions of their own here. NULL beyond the last. */
static const pc_row *option_of(const pc_schema *schema, int i)
{
    for (int k = 0; k < schema->n_rows; k++) {
        const pc_row *row = &schema->rows[k];
        if (pc_row_stays(row) && !is_places(row) && !is_numbers(schema, row)) continue;
        if (i-- == 0) return row;
    }
    return NULL;
}

static int options_of(const pc_schema *schema)
{
    int n = 0;
    while (option_of(schema, n)) n++;
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
#define SAME_TYPE(public, core) _Static_assert((int)PERCUSS_##public == (int)PC_##core, "a type has another number")
SAME_TYPE(REAL, REAL);
SAME_TYPE(INTEGER, INTEGER);
SAME_TYPE(BOOLEAN, BOOLEAN);
SAME_TYPE(CHOICE, CHOICE);
SAME_TYPE(VECTOR, VECTOR);
SAME_TYPE(TABLE, MATRIX);
SAME_TYPE(HANDLE, OBJECT);
SAME_TYPE(TEXT, TEXT);

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
    const pc_row *row = option_of(schema, i);
    const bool places = is_places(row), numbers = is_numbers(schema, row);
    bool ranged =
        row->kind == PC_REAL || row->kind == PC_INTEGER || row->kind == PC_VECTOR || row->kind == PC_MATRIX || numbers;
    bool required = row->initial == PC_REQUIRED, open = required || row->kind > PC_VECTOR;
    *out = (percuss_option_info){.name = row->name,
                                 .symbol = row->symbol,
                                 .type = places    ? PERCUSS_TABLE
                                         : numbers ? PERCUSS_VECTOR
                                                   : (percuss_type)row->kind,
                                 .required = required,
                                 .initial = open ? NAN : row->initial,
                                 .lo = ranged ? row->allowed.lo : -INFINITY,
                                 .hi = ranged ? row->allowed.hi : INFINITY,
                                 .lo_open = row->allowed.lo_open,
                                 .hi_open = row->allowed.hi_open,
                                 .count = places                                           ? 2
                                          : row->kind == PC_VECTOR || row->kind == PC_TEXT ? (int)row->count
                                                                                           : 0,
                                 .choices = row->choices,
                                 .object = row->object,
                                 .alternative = row->group,
                                 .doc = row->doc};
    char unit[PC_UNIT_TEXT];
    snprintf(out->unit, sizeof out->unit, "%s", pc_unit_text(row->unit, NAN, unit));
    return PERCUSS_OK;
}
