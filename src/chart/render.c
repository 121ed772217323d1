/* PLplot's stream: see render.h.
 *
 * Left to itself PLplot asks on standard input for a device or a file it cannot open, and ends the program on other
 * trouble. So: the device is looked up before it is asked for; files are written into memory, never opened by PLplot;
 * what it would exit on comes back here by a long jump out of its exit handler (the only one in the core, and it
 * crosses PLplot's frames alone but for the work space of one curve); what it would print is kept for the error.
 * The stream is ended after success and failure alike: an unfinished one would stay in PLplot's table of streams.
 */
#include "chart/render.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/outfile.h"
#include "chart/paint.h"

#include <plplot.h>

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

const pc_format pc_formats[] = {
    [PC_FORMAT_PNG] = {"png", "pngcairo", 0},
    /* lengths in points of 1/72 inch; svg writes text as text */
    {"svg", "svg", 0.75},
    {"pdf", "pdfcairo", 0.75},
    {NULL, NULL, 0},
};

static const char PIXEL_DEVICE[] = "memcairo", WINDOW_DEVICE[] = "xcairo";

pc_status pc_format_of_path(const char *path, const pc_format **format, pc_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    for (const pc_format *f = pc_formats; f->ending; f++) {
        if (dot && dot > name && strcmp(dot + 1, f->ending) == 0) {
            *format = f;
            return PC_OK;
        }
    }
    return pc_fail(err, PC_E_ARGUMENT, "the name of a chart's file must end in .png, .svg or .pdf, not \"%s\"", path);
}

/* --- the one stream --- */

typedef struct session {
    jmp_buf out;
    bool inside;       /* the jump may be taken */
    char message[160]; /* PLplot's own words, the first of them */
    PLINT code;
    char last_words[4096];
} session;

static session stream;

static void keep_message(const char *message)
{
    if (stream.message[0] == '\0') snprintf(stream.message, sizeof stream.message, "%s", message);
}

static int on_exit_wanted(const char *message)
{
    keep_message(message);
    if (stream.inside) longjmp(stream.out, 1);
    return 1;
}

/* An operation was given up; PLplot goes on without it, and the picture may lack something: reported as a failure. */
static void on_abort(const char *message)
{
    keep_message(message);
}

static bool device_exists(const char *device)
{
    enum { ROOM = 128 };
    const char *menu[ROOM] = {NULL}, *devices[ROOM] = {NULL};
    const char **menu_list = menu, **device_list = devices;
    int count = ROOM;
    plgDevs(&menu_list, &device_list, &count);
    for (int i = 0; i < count; i++) {
        if (devices[i] && strcmp(devices[i], device) == 0) return true;
    }
    return false;
}

/* What a page is drawn on: a stream of bytes, pixels, or a window, which is told about when it is there. */
typedef struct target {
    const char *device;
    FILE *file;
    char *pixels;
    void (*shown)(void *context);
    void *context;
    pc_page page;
} target;

/* Everything that may leave by the jump. Nothing here holds memory of its own. */
static pc_status draw_page(const pc_figure *figure, const pc_layout *layout, const target *to, pc_error *err)
{
    int width = (int)lround(layout->width * to->page.scale), height = (int)lround(layout->height * to->page.scale);
    if (!device_exists(to->device)) {
        return pc_fail(err, PC_E_SYSTEM, "PLplot has no device \"%s\" here; its package is plplot-driver-cairo",
                       to->device);
    }
    const pc_colour page = figure->theme->page, ink = figure->theme->ink;
    const PLINT red[2] = {page.red, ink.red}, green[2] = {page.green, ink.green}, blue[2] = {page.blue, ink.blue};
    plscmap0(red, green, blue, 2);
    plscmap1(red, green, blue, 2);
    plsdev(to->device);
    plspause(0);
    plspage(0, 0, width, height, 0, 0);
    if (to->pixels)
        plsmem(width, height, to->pixels);
    else if (to->file)
        plsfile(to->file);
    if (to->shown) plsetopt("plwindow", figure->title ? figure->title : "percuss");
    plinit();
    pc_status status = pc_paint_figure(figure, layout, to->page, err);
    if (!status && to->shown) {
        plflush();
        to->shown(to->context);
        plspause(1); /* the end of the page waits for the window to be closed */
    }
    return status;
}

/* Pango draws texts with the help of GLib, which aborts the program where it gets no memory for a thread or a list. So
 * a picture is begun only where there is room for what one took at most when that was measured, in bytes of address
 * space: the first, which starts threads and reads fonts, 150 MB, later ones 20 MB; and for the pixels, twice. */
static pc_status make_sure_of_room(const pc_layout *layout, const target *to, pc_error *err)
{
    static bool begun;
    enum { FIRST = 192 << 20, LATER = 64 << 20, PIXEL = 8 };
    if (!strstr(to->device, "cairo")) return PC_OK;
    double pixels = layout->width * layout->height * to->page.scale * to->page.scale;
    size_t room = (size_t)(begun ? LATER : FIRST) + (size_t)(PIXEL * pixels);
    void *block = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return pc_fail(err, PC_E_MEMORY,
                       "not enough memory for the picture: drawing takes %zu MB (SVG and text take less)", room >> 20);
    munmap(block, room);
    begun = true;
    return PC_OK;
}

static pc_status run_session(const pc_figure *figure, const pc_layout *layout, const target *to, pc_error *err)
{
    volatile pc_status status = PC_OK;
    if (pc_files_replaced()) /* PLplot needs files of its own, which a confined process cannot have */
        status =
            pc_fail(err, PC_E_SYSTEM,
                    "pictures are not drawn here: return the figure itself, which is then shown, or use figure:text");
    else
        status = make_sure_of_room(layout, to, err);
    if (status) {
        if (to->file) fclose(to->file);
        return status;
    }
    status = PC_E_SYSTEM;
    volatile PLINT level = 0;
    stream.message[0] = '\0';
    plsexit(on_exit_wanted);
    plsabort(on_abort);
    plsError(&stream.code, stream.last_words); /* instead of printing them */
    stream.inside = true;
    if (setjmp(stream.out) == 0) {
        status = draw_page(figure, layout, to, err);
    } else {
        pc_fail(err, PC_E_SYSTEM, "PLplot cannot draw: %s", stream.message);
    }
    if (setjmp(stream.out) == 0) {
        PLINT reached;
        plglevel(&reached);
        level = reached;
        plend1();
    } else {
        status = pc_fail(err, PC_E_SYSTEM, "PLplot cannot finish its page: %s", stream.message);
    }
    stream.inside = false;
    /* an initialized stream closes its file when it ends, another one leaves that to us */
    if (to->file && level == 0) fclose(to->file);
    if (status == PC_OK && stream.message[0]) {
        status = pc_fail(err, PC_E_SYSTEM, "PLplot could not draw everything: %s", stream.message);
    }
    return status;
}

/* --- pictures in memory --- */

pc_status pc_figure_render(const pc_figure *figure, const pc_format *format, double dpi, pc_buffer *bytes,
                           pc_error *err)
{
    if (!(dpi >= PC_DPI_MIN && dpi <= PC_DPI_MAX)) {
        return pc_fail(err, PC_E_ARGUMENT, "dpi = %g is not allowed: from %d to %d dots an inch", dpi, PC_DPI_MIN,
                       PC_DPI_MAX);
    }
    pc_layout layout;
    pc_status status = pc_layout_make(figure, &layout, err);
    if (status) return status;
    target to = {.device = format->device};
    to.page.scale = format->scale > 0 ? format->scale : dpi / 96;
    to.page.whole_font_size = strcmp(format->ending, "svg") == 0;
    double side = fmax(layout.width, layout.height) * to.page.scale;
    char *data = NULL;
    size_t size = 0;
    if (side > 2 * PC_FIGURE_SIDE_MAX) {
        status = pc_fail(err, PC_E_ARGUMENT, "%.0f dots a side are too many: at most %d", side, 2 * PC_FIGURE_SIDE_MAX);
    } else if (!(to.file = open_memstream(&data, &size))) {
        status = pc_fail(err, PC_E_MEMORY, "not enough memory for the picture");
    }
    if (!status) {
        status = run_session(figure, &layout, &to, err);
        if (!status && size == 0) status = pc_fail(err, PC_E_SYSTEM, "PLplot wrote an empty picture");
        if (!status) {
            pc_buffer_append(bytes, data, size);
            status = pc_buffer_status(bytes, err);
        }
    }
    free(data);
    pc_layout_free(&layout);
    return status;
}

pc_status pc_figure_pixels(const pc_figure *figure, int width, int height, double dpi, pc_buffer *pixels, pc_error *err)
{
    if (width < 16 || height < 16 || width > 2 * PC_FIGURE_SIDE_MAX || height > 2 * PC_FIGURE_SIDE_MAX) {
        return pc_fail(err, PC_E_ARGUMENT, "%d x %d dots is not a size for a picture", width, height);
    }
    pc_figure sized = *figure;
    double scale = dpi / 96;
    sized.width = (int)lround(width / scale);
    sized.height = (int)lround(height / scale);
    pc_layout layout;
    pc_status status = pc_layout_make(&sized, &layout, err);
    if (status) return status;
    /* the device draws exactly what the layout rounds to */
    layout.width = width / scale;
    layout.height = height / scale;
    size_t size = 3 * (size_t)width * (size_t)height;
    target to = {.device = PIXEL_DEVICE, .pixels = pc_calloc(size, 1), .page = {.scale = scale}};
    if (!to.pixels)
        status = pc_fail(err, PC_E_MEMORY, "not enough memory for the picture");
    else
        status = run_session(&sized, &layout, &to, err);
    if (!status) {
        pc_buffer_clear(pixels);
        pc_buffer_append(pixels, to.pixels, size);
        status = pc_buffer_status(pixels, err);
    }
    pc_free(to.pixels);
    pc_layout_free(&layout);
    return status;
}

/* --- windows --- */

pc_status pc_figure_present(const pc_figure *figure, void (*shown)(void *context), void *context, pc_error *err)
{
    pc_layout layout;
    pc_status status = pc_layout_make(figure, &layout, err);
    if (status) return status;
    const target to = {.device = WINDOW_DEVICE, .shown = shown, .context = context, .page = {.scale = 1}};
    status = run_session(figure, &layout, &to, err);
    pc_layout_free(&layout);
    return status;
}

/* --- files --- */

pc_status pc_figure_save(const pc_figure *figure, const char *path, double dpi, pc_error *err)
{
    const pc_format *format;
    pc_status status = pc_format_of_path(path, &format, err);
    if (status) return status;
    pc_buffer bytes = {0};
    pc_outfile file = {0};
    status = pc_figure_render(figure, format, dpi, &bytes, err);
    if (!status) status = pc_outfile_open(&file, path, err);
    if (!status) {
        /* a short write shows when the file is committed */
        fwrite(bytes.data, 1, bytes.size, file.stream);
        status = pc_outfile_commit(&file, err);
    }
    pc_buffer_free(&bytes);
    return status;
}
