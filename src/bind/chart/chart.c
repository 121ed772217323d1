/* The module percuss.chart: figures, where they are drawn, and moving pictures of them (chart.gif). What is drawn is in
 * panel.c. */
#include "bind/chart/chart.h"

#include "bind/core/bind.h"
#include "chart/figure/figure.h"
#include "chart/media/media.h"
#include "chart/text/text.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const pc_side_names[] = {"left", "right", NULL};

pc_style pc_chart_style(lua_State *L, const char *name, const pc_pen_options *pen)
{
    pc_style style = {.dash = (pc_dash)pen->dash, .width = pen->width};
    if (!pen->colour || pc_colour_parse(pen->colour, &style.colour)) return style;
    int n = 0;
    while (pc_colour_names[n]) n++;
    const char *near = pc_nearest(pen->colour, pc_colour_names, n);
    pc_refuse(L, "%s: colour = '%s' is neither \"#rrggbb\" nor a known name%s%s%s", name, pen->colour,
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* An element of a pair of limits, on top of the stack; NaN where there is none. */
static double read_limit(lua_State *L, const char *name, const char *key, int element)
{
    int type = lua_rawgeti(L, -1, element);
    if (type != LUA_TNIL && type != LUA_TNUMBER)
        pc_refuse(L, "%s: %s[%d] must be a number, not %s", name, key, element, luaL_typename(L, -1));
    double limit = type == LUA_TNIL ? (double)NAN : lua_tonumber(L, -1);
    lua_pop(L, 1);
    return limit;
}

pc_axis pc_chart_axis(lua_State *L, const pc_schema *schema, const char *name, bool log)
{
    pc_axis axis = {0};
    pc_error err = {0};
    double lo = NAN, hi = NAN;
    char key[16];
    snprintf(key, sizeof key, "%slim", name);
    if (pc_option_push(L, 2, key)) {
        lo = read_limit(L, schema->name, key, 1);
        hi = read_limit(L, schema->name, key, 2);
        lua_pop(L, 1);
    }
    pc_chart_ok(L, pc_axis_set_limits(&axis, name, lo, hi, log, &err), &err);
    return axis;
}

const double *pc_chart_numbers(lua_State *L, const pc_schema *schema, const char *key, size_t *n)
{
    return pc_option_numbers(L, 2, schema, key, n);
}

void pc_chart_ok(lua_State *L, pc_status status, const pc_error *err)
{
    if (status == PC_E_INTERRUPTED) pc_interrupt_raise(L, 0);
    if (status) pc_raise(L, err);
}

static pc_figure *check_figure(lua_State *L, int index)
{
    return ((pc_bound_figure *)pc_type_check(L, index, &pc_type_figure))->figure;
}

typedef struct figure_options {
    const char *title;
    int width, height, columns, theme;
} figure_options;

static const char *const theme_words[] = {"light", "dark", NULL};

static const pc_row figure_rows[] = {
    PC_CHART_TEXT(figure_options, title, "title", "above all panels"),
    PC_ROW(figure_options, width, "width", .written = "pixels", .initial = PC_ABSENT, .otherwise = "from the panels",
           .doc = "width at 96 dots an inch"),
    PC_ROW(figure_options, height, "height", .written = "pixels", .initial = PC_ABSENT, .otherwise = "from the panels",
           .doc = "height at 96 dots an inch"),
    PC_ROW(figure_options, columns, "columns", .initial = 1,
           .doc = "panels beside each other; they fill row after row"),
    PC_CHOICE_ROW(figure_options, theme, "theme", theme_words, .doc = "colours of page and ink"),
};
static const pc_schema figure_schema = {.name = "chart.figure", PC_ROWS(figure_rows), .size = sizeof(figure_options)};

static int figure_new(lua_State *L)
{
    lua_settop(L, 1);
    figure_options o;
    pc_options_take(L, 1, &figure_schema, &o);
    pc_bound_figure *self = pc_type_new(L, &pc_type_figure, sizeof *self, 0);
    pc_error err = {0};
    pc_chart_ok(L, pc_figure_new(&self->figure, &err), &err);
    pc_chart_ok(L, pc_figure_set_title(self->figure, o.title, &err), &err);
    pc_chart_ok(L, pc_figure_set_size(self->figure, o.width, o.height, o.columns, &err), &err);
    for (const pc_theme *theme = pc_themes; theme->name; theme++)
        if (strcmp(theme->name, theme_words[o.theme]) == 0) self->figure->theme = theme;
    return 1;
}

/* --- where it goes --- */

/* Text of a chart on its way to Lua belongs to a userdata: pushing it as a string may raise an error. */
static const char buffer_type[] = "percuss.chart_buffer";

static int buffer_gc(lua_State *L)
{
    pc_buffer_free(luaL_checkudata(L, 1, buffer_type));
    return 0;
}

static pc_buffer *push_buffer(lua_State *L)
{
    pc_buffer *buffer = lua_newuserdatauv(L, sizeof *buffer, 0);
    *buffer = (pc_buffer){0};
    if (luaL_newmetatable(L, buffer_type)) {
        lua_pushcfunction(L, buffer_gc);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return buffer;
}

/* What a file or terminal does wrong is returned, the rest is raised. */
static int deliver_failure(lua_State *L, const pc_error *err)
{
    if (err->code == PC_E_SYSTEM) return pc_push_failure(L, err);
    pc_chart_ok(L, err->code, err);
    return 0;
}

/* Of a PNG. */
typedef struct page_options {
    double dpi;
} page_options;

static const pc_row page_rows[] = {PC_ROW(page_options, dpi, "dpi", .written = "1/inch", .initial = 96,
                                          .allowed = PC_POSITIVE, .doc = "dots an inch of a PNG")};
static const pc_schema save_schema = {.name = "figure:save", PC_ROWS(page_rows), .size = sizeof(page_options)};
static const pc_schema bytes_schema = {.name = "figure:bytes", PC_ROWS(page_rows), .size = sizeof(page_options)};

static const pc_row save_params[] = {
    {.name = "path",
     .kind = PC_STRING,
     .initial = PC_REQUIRED,
     .doc = "name of the file; its ending says the format: .png, .svg or .pdf"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &save_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "how it is drawn"},
    {0},
};

static int figure_save(lua_State *L)
{
    lua_settop(L, 3);
    check_figure(L, 1);
    const char *path = pc_argument_string(L, 2);
    page_options o;
    pc_options_take(L, 3, &save_schema, &o);
    const pc_figure *figure = check_figure(L, 1); /* the options may have called a script */
    pc_error err = {0};
    if (pc_figure_save(figure, path, o.dpi, &err)) return deliver_failure(L, &err);
    lua_pushvalue(L, 2);
    return 1;
}

typedef struct show_options {
    int as;
} show_options;

static const char *const as_words[] = {"auto", "sixel", "kitty", "iterm", "braille", "window", "png", "none", NULL};

static const pc_row show_rows[] = {
    PC_CHOICE_ROW(show_options, as, "as", as_words, .initial = PC_ABSENT,
                  .otherwise = "PERCUSS_CHART, or what the terminal can",
                  .doc = "sixel, kitty and iterm are pixels, braille is text, window (X) stays until it is closed, png "
                         "is a new file here, whose name is printed"),
};
static const pc_schema show_schema = {.name = "figure:show", PC_ROWS(show_rows), .size = sizeof(show_options)};

static pc_status print_buffer(const pc_buffer *out, pc_error *err)
{
    if (fwrite(pc_buffer_text(out), 1, out->size, stdout) == out->size && fflush(stdout) == 0) return PC_OK;
    return pc_fail(err, PC_E_SYSTEM, "cannot write to standard output: %s", strerror(errno));
}

static int figure_show(lua_State *L)
{
    lua_settop(L, 2);
    check_figure(L, 1);
    show_options o;
    const bool given = pc_options_take(L, 2, &show_schema, &o) != 0;
    const pc_figure *figure = check_figure(L, 1); /* the options may have called a script */
    pc_terminal terminal;
    pc_error err = {0};
    pc_chart_ok(L, pc_terminal_detect(STDOUT_FILENO, given ? as_words[o.as] : NULL, &terminal, &err), &err);
    pc_buffer *out = push_buffer(L);
    if (pc_figure_inline(figure, &terminal, out, &err) || print_buffer(out, &err)) return deliver_failure(L, &err);
    pc_buffer_free(out);
    return 0;
}

static const char *const format_words[] = {"png", "svg", "pdf", NULL};

static const pc_row bytes_params[] = {
    {.name = "format", .kind = PC_CHOICE, .choices = format_words, .initial = PC_REQUIRED, .doc = "of the file"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &bytes_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "how it is drawn"},
    {0},
};

static int figure_bytes(lua_State *L)
{
    lua_settop(L, 3);
    check_figure(L, 1);
    const char *ending = pc_argument_string(L, 2);
    page_options o;
    pc_options_take(L, 3, &bytes_schema, &o);
    const pc_figure *figure = check_figure(L, 1); /* the options may have called a script */
    const char *path = lua_pushfstring(L, "figure.%s", ending);
    pc_buffer *out = push_buffer(L);
    const pc_format *format;
    pc_error err = {0};
    pc_chart_ok(L, pc_format_of_path(path, &format, &err), &err);
    if (pc_figure_render(figure, format, o.dpi, out, &err)) return deliver_failure(L, &err);
    lua_pushlstring(L, pc_buffer_text(out), out->size);
    pc_buffer_free(out);
    return 1;
}

/* --- the terminal, and pictures that are no figures --- */

static int chart_terminal(lua_State *L)
{
    pc_terminal terminal;
    pc_error err = {0};
    pc_chart_ok(L, pc_terminal_detect(STDOUT_FILENO, NULL, &terminal, &err), &err);
    bool pixels = terminal.way == PC_WAY_KITTY || terminal.way == PC_WAY_ITERM || terminal.way == PC_WAY_SIXEL;
    lua_createtable(L, 0, 3);
    lua_pushstring(L, pc_way_names[terminal.way]);
    lua_setfield(L, -2, "way");
    lua_pushboolean(L, pixels);
    lua_setfield(L, -2, "pixels");
    lua_pushboolean(L, terminal.is_terminal);
    lua_setfield(L, -2, "interactive");
    return 1;
}

static const pc_row picture_params[] = {
    {.name = "png",
     .kind = PC_STRING,
     .initial = PC_REQUIRED,
     .doc = "contents of a PNG file, as percuss.file.read gives them"},
    {0},
};

static int chart_picture(lua_State *L)
{
    pc_buffer png = {0};
    png.data = (char *)pc_argument_bytes(L, 1, &png.size);
    pc_terminal terminal;
    pc_error err = {0};
    pc_chart_ok(L, pc_terminal_detect(STDOUT_FILENO, NULL, &terminal, &err), &err);
    pc_buffer *out = push_buffer(L);
    pc_status status = pc_png_inline(&png, &terminal, out, &err);
    if (!status) status = print_buffer(out, &err);
    if (status == PC_E_UNSUPPORTED || status == PC_E_SYSTEM) return pc_push_failure(L, &err);
    pc_chart_ok(L, status, &err);
    pc_buffer_free(out);
    lua_pushboolean(L, true);
    return 1;
}

/* --- text --- */

static const pc_row text_rows[] = {
    PC_ROW(pc_text_options, columns, "columns", .initial = 80, .doc = "characters across"),
    PC_ROW(pc_text_options, rows, "rows", .initial = PC_ABSENT, .otherwise = "20 a panel",
           .doc = "lines; panels stand one below the other"),
    PC_ROW(pc_text_options, unicode, "unicode", .initial = true, .doc = "braille dots; false: ASCII alone"),
    PC_ROW(pc_text_options, colour, "colour", .doc = "escape sequences for a terminal of 256 colours"),
    PC_ROW(pc_text_options, true_colour, "true_colour", .doc = "with colour: in 24 bits, for terminals that take them"),
};
static const pc_schema text_schema = {.name = "figure:text", PC_ROWS(text_rows), .size = sizeof(pc_text_options)};

static int figure_text(lua_State *L)
{
    lua_settop(L, 2);
    check_figure(L, 1);
    pc_text_options wanted;
    pc_options_take(L, 2, &text_schema, &wanted);
    const pc_figure *figure = check_figure(L, 1); /* the options may have called a script */
    pc_buffer *out = push_buffer(L);
    pc_error err = {0};
    pc_chart_ok(L, pc_figure_text(figure, wanted, out, &err), &err);
    lua_pushlstring(L, pc_buffer_text(out), out->size);
    pc_buffer_free(out);
    return 1;
}

/* --- types --- */

static void figure_free(void *self)
{
    pc_bound_figure *bound = self;
    pc_figure_free(bound->figure);
    bound->figure = NULL;
}

static int count_series(const pc_figure *figure)
{
    size_t n = 0;
    for (size_t i = 0; i < figure->n_panels; i++) n += figure->panels[i]->n_series;
    return (int)n;
}

static void figure_describe(lua_State *L, void *self)
{
    const pc_figure *figure = ((pc_bound_figure *)self)->figure;
    int panels = (int)figure->n_panels, series = count_series(figure);
    lua_pushfstring(L, "figure%s%s%s: %d panel%s, %d series", figure->title ? " \"" : "",
                    figure->title ? figure->title : "", figure->title ? "\"" : "", panels, panels == 1 ? "" : "s",
                    series);
    int fields = 0;
    for (size_t i = 0; i < figure->n_panels; i++) fields += (int)figure->panels[i]->n_fields;
    if (fields == 0) return;
    lua_pushfstring(L, ", %d field%s", fields, fields == 1 ? "" : "s");
    lua_concat(L, 2);
}

static void push_title(lua_State *L, void *self)
{
    lua_pushstring(L, ((pc_bound_figure *)self)->figure->title);
}

static void push_width(lua_State *L, void *self)
{
    int width, height;
    pc_figure_size(((pc_bound_figure *)self)->figure, &width, &height);
    lua_pushinteger(L, width);
}

static void push_height(lua_State *L, void *self)
{
    int width, height;
    pc_figure_size(((pc_bound_figure *)self)->figure, &width, &height);
    lua_pushinteger(L, height);
}

static void push_panels(lua_State *L, void *self)
{
    lua_pushinteger(L, (lua_Integer)((pc_bound_figure *)self)->figure->n_panels);
}

static void push_series(lua_State *L, void *self)
{
    lua_pushinteger(L, count_series(((pc_bound_figure *)self)->figure));
}

static const pc_property figure_properties[] = {
    {"title", push_title, NULL, "title above all panels, or nil"},
    {"width", push_width, "pixels", "width at 96 dots an inch"},
    {"height", push_height, "pixels", "height at 96 dots an inch"},
    {"panels", push_panels, "", "number of panels"},
    {"series", push_series, "", "number of series on all panels"},
    {0},
};

#define SMALL_FIGURE "local c = pc.chart.figure{ title = \"v\" }\nlocal p = c:panel{ xlabel = \"t\" }\n"

static const pc_function figure_methods[] = {
    {"panel", pc_figure_panel, "A new panel, in the next place of the grid.", PC_TAKES(pc_panel_options), "panel", NULL,
     "local c = pc.chart.figure{ columns = 2 }\n"
     "c:panel{ xlabel = \"ω_0 t\", ylabel = \"F\", yunit = \"N\" }:line{ { 0, 1 }, { 0, 2 } }\n"
     "print(c) --> figure: 1 panel, 1 series"},
    {"save", figure_save, "Write the figure to a file, which appears whole or not at all.", save_params,
     "the path; or nil, message, code", NULL,
     SMALL_FIGURE "p:line{ { 0, 1 }, { 0, 1 } }\nprint(c:save \"line.svg\") --> line.svg"},
    {"show", figure_show,
     "Draw the figure here: pixels on a terminal that has them, otherwise text with braille curves.",
     PC_TAKES(show_schema), "nothing; or nil, message, code", NULL,
     SMALL_FIGURE "p:line{ { 0, 1 }, { 0, 1 } }\nc:show{ as = \"none\" }"},
    {"bytes", figure_bytes, "The figure as the bytes of a file.", bytes_params, "string; or nil, message, code", NULL,
     SMALL_FIGURE "p:line{ { 0, 1 }, { 0, 1 } }\nprint(c:bytes(\"png\"):sub(2, 4)) --> PNG"},
    {"text", figure_text, "The figure as text: curves in braille, everything else in real characters.",
     PC_TAKES(text_schema), "string", NULL,
     SMALL_FIGURE "p:line{ { 0, 1 }, { 0, 1 } }\nlocal text = c:text{ columns = 40, rows = 12 }\n"
                  "print(#text:gsub(\"[^\\n]\", \"\")) --> 12"},
    {0},
};

const pc_type pc_type_figure = {
    .name = "percuss.figure",
    .summary = "A chart: panels in a grid, drawn inline or to a file.",
    .properties = figure_properties,
    .methods = figure_methods,
    .free = figure_free,
    .describe = figure_describe,
};

static const pc_function functions[] = {
    {"figure", figure_new,
     "A new figure without panels. Texts may use Unicode and the marks _ and ^ for sub- and superscripts: F_t, ω_0 t, "
     "m^2, 10^{-3}.",
     PC_TAKES(figure_schema), "figure", NULL,
     "local c = pc.chart.figure{ title = \"One impact\" }\nprint(c, c.width) --> figure \"One impact\": 0 panels, 0 "
     "series\t800"},
    {"terminal", chart_terminal, "What charts drawn inline become here.", NULL,
     "table: way (kitty, iterm, sixel, braille, window, png or none), pixels (boolean), interactive (whether standard "
     "output is a terminal)",
     NULL, "print(type(pc.chart.terminal().pixels)) --> boolean"},
    {"gif", pc_chart_gif, "A moving picture made of figures, which loops.", pc_gif_params, "gif", NULL,
     "print(pc.chart.gif(\"film.gif\", { rate = 10 })) --> GIF of 0 pictures, not finished"},
    {"picture", chart_picture, "Show a PNG file inline, on terminals that take it: kitty's and iTerm2's ways.",
     picture_params, "true; or nil, message, code", NULL,
     SMALL_FIGURE "p:line{ { 0, 1 }, { 0, 1 } }\nlocal png = c:bytes(\"png\")\n"
                  "print(pc.chart.terminal().pixels or not pc.chart.picture(png)) --> true"},
    {0},
};

void pc_open_chart(lua_State *L)
{
    pc_type_open(L, &pc_type_figure);
    pc_type_open(L, &pc_type_panel);
    pc_type_open(L, &pc_type_gif);
    lua_newtable(L);
    pc_functions_open(L, "chart", functions);
    pc_module_strict(L, "chart");
    lua_setfield(L, -2, "chart");
}

/* gif: NULL before the first picture, whose size counts, and after the end. User value 1: the path. */
typedef struct pc_bound_gif {
    pc_gif *gif;
    pc_buffer pixels;
    double rate;
    int width, height, shown;
    bool over;
} pc_bound_gif;

static pc_bound_gif *check_gif(lua_State *L)
{
    pc_bound_gif *self = pc_type_check(L, 1, &pc_type_gif);
    if (self->over) pc_refuse(L, "this GIF is finished");
    return self;
}

static int failure(lua_State *L, pc_bound_gif *self, const pc_error *err)
{
    pc_gif_abandon(self->gif);
    self->gif = NULL;
    self->over = true;
    if (err->code == PC_E_SYSTEM) return pc_push_failure(L, err);
    pc_chart_ok(L, err->code, err);
    return 0;
}

typedef struct gif_options {
    double rate;
} gif_options;

static const pc_row gif_rows[] = {PC_ROW(gif_options, rate, "rate", .unit = PC_UNIT_PER_S, .initial = 25,
                                         .allowed = PC_BETWEEN(0.01, PC_GIF_RATE_MAX), .doc = "pictures a second")};
static const pc_schema gif_schema = {.name = "chart.gif", PC_ROWS(gif_rows), .size = sizeof(gif_options)};

/* chart.gif(path [, { rate = }]) */
int pc_chart_gif(lua_State *L)
{
    pc_argument_string(L, 1);
    lua_settop(L, 2);
    gif_options o;
    pc_options_take(L, 2, &gif_schema, &o);
    pc_bound_gif *self = pc_type_new(L, &pc_type_gif, sizeof *self, 1);
    self->rate = o.rate;
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    return 1;
}

/* gif:add(figure) */
static int gif_add(lua_State *L)
{
    pc_bound_gif *self = check_gif(L);
    const pc_figure *figure = ((pc_bound_figure *)pc_type_check(L, 2, &pc_type_figure))->figure;
    lua_getiuservalue(L, 1, 1);
    const char *path = lua_tostring(L, -1); /* the user value keeps it */
    lua_settop(L, 2);
    int width, height;
    pc_error err = {0};
    pc_figure_size(figure, &width, &height);
    if (!self->gif) {
        if (pc_gif_open(&self->gif, path, width, height, self->rate, &err)) return failure(L, self, &err);
        self->width = width;
        self->height = height;
    }
    if (width != self->width || height != self->height)
        return pc_refuse(L, "gif:add: a figure of %d x %d among those of %d x %d pixels", width, height, self->width,
                         self->height);
    if (pc_figure_pixels(figure, width, height, 96, &self->pixels, &err) ||
        pc_gif_add(self->gif, (const unsigned char *)self->pixels.data, &err))
        return failure(L, self, &err);
    self->shown++;
    lua_settop(L, 1);
    return 1;
}

/* gif:close() */
static int gif_close(lua_State *L)
{
    pc_bound_gif *self = check_gif(L);
    pc_error err = {0};
    if (!self->gif) return pc_refuse(L, "gif:close: a GIF needs a picture");
    pc_gif *gif = self->gif;
    self->gif = NULL;
    self->over = true;
    if (pc_gif_commit(gif, &err)) return failure(L, self, &err);
    lua_getiuservalue(L, 1, 1);
    return 1;
}

static void gif_free(void *self)
{
    pc_bound_gif *gif = self;
    pc_gif_abandon(gif->gif);
    pc_buffer_free(&gif->pixels);
    gif->gif = NULL;
    gif->over = true;
}

static void gif_describe(lua_State *L, void *self)
{
    const pc_bound_gif *gif = self;
    lua_pushfstring(L, "GIF of %d picture%s%s", gif->shown, gif->shown == 1 ? "" : "s",
                    gif->over ? "" : ", not finished");
}

static const pc_row add_params[] = {
    {.name = "figure",
     .kind = PC_OBJECT,
     .object = "figure",
     .initial = PC_REQUIRED,
     .doc = "the next picture; all have the size of the first"},
    {0},
};

#define FILM                                                                                                           \
    "local film = pc.chart.gif(\"two.gif\", { rate = 10 })\n"                                                          \
    "for i = 1, 2 do\n"                                                                                                \
    "    local c = pc.chart.figure{ width = 160, height = 160 }\n"                                                     \
    "    c:panel{}:line{ { 0, 1 }, { 0, i } }\n"                                                                       \
    "    film:add(c)\n"                                                                                                \
    "end\n"

static const pc_function methods[] = {
    {"add", gif_add, "Add a picture.", add_params, "the GIF; or nil, message, code: then it is over", NULL,
     FILM "print(film) --> GIF of 2 pictures, not finished"},
    {"close", gif_close, "Finish the file, which appears now.", NULL, "name of the file; or nil, message, code", NULL,
     FILM "print(film:close()) --> two.gif"},
    {0},
};

const pc_type pc_type_gif = {
    .name = "percuss.gif",
    .summary = "A moving picture being made: add() puts a figure in, close() finishes the file.",
    .methods = methods,
    .free = gif_free,
    .describe = gif_describe,
};

const pc_row pc_gif_params[] = {
    {.name = "path", .kind = PC_STRING, .initial = PC_REQUIRED, .doc = "name of the file"},
    {.name = "options",
     .kind = PC_TABLE,
     .options = &gif_schema,
     .initial = PC_ABSENT,
     .otherwise = "{}",
     .doc = "how it moves"},
    {0},
};
