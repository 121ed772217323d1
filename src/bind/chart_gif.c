/* Moving pictures of figures: chart.gif. */
#include "bind/argument.h"
#include "bind/chart_parts.h"
#include "bind/register.h"
#include "chart/gif.h"
#include "chart/render.h"

#include "chart/buffer.h"

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

/* chart.gif(path [, { rate = }]) */
int pc_chart_gif(lua_State *L)
{
    pc_argument_string(L, 1);
    lua_settop(L, 2);
    pc_chart_options o = pc_chart_options_open(L, 2, "chart.gif", pc_gif_params + 2, 0);
    double rate = pc_chart_option_number(o, "rate", 25);
    if (!(rate >= 0.01 && rate <= PC_GIF_RATE_MAX))
        return pc_refuse(L, "chart.gif: rate = %f is not allowed; it must be from 0.01 to %d 1/s", rate,
                         PC_GIF_RATE_MAX);
    pc_bound_gif *self = pc_type_new(L, &pc_type_gif, sizeof *self, 1);
    self->rate = rate;
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

static const pc_param add_params[] = {
    {"figure", "figure", NULL, NULL, "the next picture; all have the size of the first"},
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

const pc_param pc_gif_params[] = {
    {"path", "string", NULL, NULL, "name of the file"},
    {"options", "table", NULL, "{}", "how it moves"},
    {".rate", "number", "1/s", "25", "pictures a second, at most 50"},
    {0},
};
