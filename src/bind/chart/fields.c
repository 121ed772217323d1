/* Fields on panels: heatmap, bands, contour, vectors, streamlines. */
#include "bind/chart/chart_internal.h"
#include "bind/core/array.h"
#include "chart/figure/axis.h"

#include <math.h>
#include <string.h>

#define GRID_PARAMS                                                                                                    \
    {"x", "array", NULL, NULL, "grid lines of x, ascending or descending; first of the list, or by name"},             \
    {                                                                                                                  \
        "y", "array", NULL, NULL, "grid lines of y; second of the list, or by name"                                    \
    }
#define LINE_PARAMS                                                                                                    \
    {"colour", "string", NULL, "of the theme", "\"#rrggbb\" or a name such as \"blue\""},                              \
        {"dash", PC_DASH_TYPE, NULL, "\"auto\"", "of the line; auto: solid"},                                          \
    {                                                                                                                  \
        "width", "number", "", "1", "multiple of the usual pen"                                                        \
    }
#define COLOUR_PARAMS                                                                                                  \
    {"label", "string", NULL, "none", "what z is, beside the bar of colours"},                                         \
        {"unit", "string", NULL, "none", "unit of z, written after its label in brackets"},                            \
        {"lim", "table", NULL, "from the values", "{ least, greatest } value of the colours; either may be nil"},      \
        {"log", "boolean", NULL, "false", "colours by the logarithm; values that are not positive stay blank"},        \
    {                                                                                                                  \
        "palette", PALETTE_TYPE, NULL, "\"viridis\"", "the colours; diverging: lightest at zero"                       \
    }
#define PALETTE_TYPE "viridis | cividis | grey | diverging"
#define VALUES_DOC "#x * #y numbers, that of x[i] and y[j] at (i - 1) * #y + j; or a table of #x arrays of #y numbers"

const pc_param pc_heatmap_params[] = {
    GRID_PARAMS,
    {"z", "array", NULL, NULL, VALUES_DOC "; NaN stays blank"},
    COLOUR_PARAMS,
    {0},
};

const pc_param pc_bands_params[] = {
    GRID_PARAMS,
    {"z", "array", NULL, NULL, VALUES_DOC "; a cell with a NaN stays blank"},
    {"levels", "array", NULL, "round values", "ends of the bands, in any order, or about how many"},
    COLOUR_PARAMS,
    {0},
};

const pc_param pc_contour_params[] = {
    GRID_PARAMS,
    {"z", "array", NULL, NULL, VALUES_DOC "; no line passes a NaN"},
    {"levels", "array", NULL, "round values", "levels of the lines, in any order, or about how many"},
    {"labels", "boolean", NULL, "true", "write the levels on the lines"},
    {"label", "string", NULL, "none", "name in the legend"},
    LINE_PARAMS,
    {0},
};

const pc_param pc_vectors_params[] = {
    GRID_PARAMS,
    {"u", "array", NULL, NULL, "rates of x: " VALUES_DOC},
    {"v", "array", NULL, NULL, "rates of y, in the same order"},
    {"label", "string", NULL, "none", "name in the legend"},
    {"density", "number", "", "1", "how close arrows or lines stand"},
    LINE_PARAMS,
    {0},
};

/* Appends the numbers of the array or list on top of the stack. */
static void append_numbers(pc_chart_options o, const char *key, size_t expected, double *numbers)
{
    lua_State *L = o.L;
    const pc_array *array = pc_array_test(L, -1);
    if (!array && !lua_istable(L, -1)) pc_chart_option_wrong(o, key, "an array or a list of numbers");
    size_t n = array ? array->n : (size_t)lua_rawlen(L, -1);
    if (n != expected) pc_refuse(L, "%s: %s has %d numbers where %d belong", o.name, key, (int)n, (int)expected);
    if (array) {
        memcpy(numbers, array->v, n * sizeof *numbers);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (lua_rawgeti(L, -1, (lua_Integer)i + 1) != LUA_TNUMBER) {
            pc_refuse(L, "%s: %s[%d] must be a number, not %s", o.name, key, (int)i + 1, luaL_typename(L, -1));
        }
        numbers[i] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
}

/* Values on a grid, copied into a userdata that stays on the stack. */
static const double *read_grid(pc_chart_options o, lua_Integer position, const char *key, size_t nx, size_t ny)
{
    lua_State *L = o.L;
    if (ny > 0 && nx > ((size_t)1 << 40) / ny) pc_refuse(L, "%s: the grid is too large", o.name);
    double *values = lua_newuserdatauv(L, (nx > 0 && ny > 0 ? nx * ny : 1) * sizeof *values, 0);
    if (lua_geti(L, o.table, position) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_getfield(L, o.table, key);
    }
    bool nested = false;
    if (lua_istable(L, -1)) {
        int first = lua_rawgeti(L, -1, 1);
        nested = first == LUA_TTABLE || first == LUA_TUSERDATA;
        lua_pop(L, 1);
    }
    if (!nested) {
        append_numbers(o, key, nx * ny, values);
    } else {
        if ((size_t)lua_rawlen(L, -1) != nx) {
            pc_refuse(L, "%s: %s has %d arrays where %d belong", o.name, key, (int)lua_rawlen(L, -1), (int)nx);
        }
        for (size_t i = 0; i < nx; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            append_numbers(o, key, ny, values + i * ny);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return values;
}

/* --- the methods --- */

/* The field whose options are at index 2, added to the panel at index 1. */
static pc_field *add_field(lua_State *L, pc_chart_options o, const char *const keys[2])
{
    pc_panel *panel = pc_panel_check(L, 1);
    const pc_field_kind *kind = pc_field_kind_find(o.name);
    size_t nx, ny;
    const double *x = pc_chart_option_numbers(o, 1, "x", &nx), *y = pc_chart_option_numbers(o, 2, "y", &ny);
    const double *values[2] = {NULL, NULL};
    for (int k = 0; k < kind->parts; k++) values[k] = read_grid(o, 3 + k, keys[k], nx, ny);
    pc_error err = {0};
    pc_field *field;
    pc_chart_ok(L, pc_panel_add_field(panel, kind, x, nx, y, ny, values, &field, &err), &err);
    return field;
}

/* Sets the field's text, or takes the field away again and raises the error. */
static void set_text(lua_State *L, char **text, const char *to)
{
    pc_error err = {0};
    pc_status status = pc_panel_set_text(text, to, &err);
    if (status) pc_panel_drop_field(pc_panel_check(L, 1));
    pc_chart_ok(L, status, &err);
}

/* The option `levels`: a list, or about how many. Read before the field is there, set on it afterwards. */
typedef struct level_option {
    const double *levels;
    size_t n;
    int about; /* 0: not given */
} level_option;

static level_option read_levels(pc_chart_options o)
{
    level_option got = {0};
    if (lua_getfield(o.L, o.table, "levels") == LUA_TNUMBER) {
        got.about = pc_chart_option_whole(o, "levels", 8);
        if (got.about < 1 || got.about > PC_LEVELS_MAX) {
            pc_refuse(o.L, "%s: levels = %d is not allowed: from 1 to %d", o.name, got.about, PC_LEVELS_MAX);
        }
    } else if (!lua_isnil(o.L, -1)) {
        got.levels = pc_chart_option_numbers(o, 4, "levels", &got.n);
    }
    return got;
}

static void set_levels(lua_State *L, pc_field *field, level_option got)
{
    if (got.about) field->about = got.about;
    pc_error err = {0};
    pc_status status = got.levels ? pc_field_set_levels(field, got.levels, got.n, &err) : PC_OK;
    if (status) pc_panel_drop_field(pc_panel_check(L, 1));
    pc_chart_ok(L, status, &err);
}

static int add_shaded(lua_State *L, const char *kind, const pc_param *params)
{
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, kind, params, 3);
    const char *label = pc_chart_option_text(o, "label"), *unit = pc_chart_option_text(o, "unit");
    const char *names[8] = {NULL};
    for (int i = 0; pc_palettes[i].name; i++) names[i] = pc_palettes[i].name;
    int palette = pc_chart_option_word(o, "palette", names, 0);
    pc_axis z = pc_chart_option_axis(o, "");
    level_option levels = {0};
    if (pc_field_kind_find(kind)->banded) levels = read_levels(o);
    pc_field *field = add_field(L, o, (const char *const[]){"z", NULL});
    field->z = z;
    field->palette = &pc_palettes[palette];
    set_levels(L, field, levels);
    set_text(L, &field->z.label, label);
    set_text(L, &field->z.unit, unit);
    lua_settop(L, 1);
    return 1;
}

int pc_panel_heatmap(lua_State *L)
{
    return add_shaded(L, "heatmap", pc_heatmap_params);
}

int pc_panel_bands(lua_State *L)
{
    return add_shaded(L, "bands", pc_bands_params);
}

int pc_panel_contour(lua_State *L)
{
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, "contour", pc_contour_params, 3);
    const char *label = pc_chart_option_text(o, "label");
    pc_style style = pc_chart_option_style(o);
    bool labelled = pc_chart_option_flag(o, "labels", true);
    level_option levels = read_levels(o);
    pc_field *field = add_field(L, o, (const char *const[]){"z", NULL});
    field->style = style;
    field->labelled = labelled;
    set_levels(L, field, levels);
    set_text(L, &field->label, label);
    lua_settop(L, 1);
    return 1;
}

static int add_vectors(lua_State *L, const char *kind)
{
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, kind, pc_vectors_params, 4);
    const char *label = pc_chart_option_text(o, "label");
    pc_style style = pc_chart_option_style(o);
    double density = pc_chart_option_number(o, "density", 1);
    if (!(density >= 0.1 && density <= 10)) {
        return pc_refuse(L, "%s: density = %f is not allowed: from 0.1 to 10", kind, density);
    }
    pc_field *field = add_field(L, o, (const char *const[]){"u", "v"});
    field->style = style;
    field->density = density;
    set_text(L, &field->label, label);
    lua_settop(L, 1);
    return 1;
}

int pc_panel_vectors(lua_State *L)
{
    return add_vectors(L, "vectors");
}

int pc_panel_streamlines(lua_State *L)
{
    return add_vectors(L, "streamlines");
}
