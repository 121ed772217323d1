/* PLplot's stream: see paint.h.
 *
 * Left to itself PLplot asks on standard input for a device or a file it cannot open, and ends the program on other
 * trouble. So: the device is looked up before it is asked for; files are written into memory, never opened by PLplot;
 * what it would exit on comes back here by a long jump out of its exit handler (the only one in the core, and it
 * crosses PLplot's frames alone but for the work space of one curve); what it would print is kept for the error.
 * The stream is ended after success and failure alike: an unfinished one would stay in PLplot's table of streams.
 */
#include "chart/paint/paint.h"

#ifdef PC_HAVE_PLPLOT

#include "base/alloc.h"
#include "base/files.h"
#include "base/status.h"

#include <plplot.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PIXEL_DEVICE[] = "memcairo", WINDOW_DEVICE[] = "xcairo";

/* --- ink --- */

typedef struct plplot_ink {
    pc_ink ink;
    bool set; /* colour and width are those of PLplot's pen */
    pc_colour colour;
    double width;
    pc_buffer text; /* work space */
} plplot_ink;

/* Colours go through one entry of PLplot's map: devices take the colour at the time of drawing. */
static void set_pen(plplot_ink *p, pc_colour colour, double width)
{
    const pc_colour c = p->colour;
    if (p->set && width == p->width && c.red == colour.red && c.green == colour.green && c.blue == colour.blue) return;
    plscol0(1, colour.red, colour.green, colour.blue);
    plcol0(1);
    plwidth(width * p->ink.scale);
    p->colour = colour;
    p->width = width;
    p->set = true;
}

static void ink_line(pc_ink *ink, pc_colour colour, double width, const double *x, const double *y, int n)
{
    set_pen((plplot_ink *)ink, colour, width);
    plline(n, x, y);
}

static void ink_area(pc_ink *ink, pc_colour colour, const double *x, const double *y, int n)
{
    /* devices outline an area with the pen: make that invisible */
    set_pen((plplot_ink *)ink, colour, 0.02);
    plfill(n, x, y);
}

/* A label in PLplot's escapes. */
static void put_escapes(const char *label, pc_buffer *out)
{
    pc_label_reader r = {label, 0};
    for (pc_label_piece p; pc_label_read(&r, &p);) {
        if (p.height) pc_buffer_append(out, p.height > 0 ? "#u" : "#d", 2);
        for (size_t i = 0; i < p.size; i++) {
            if (p.start[i] == '#') pc_buffer_put(out, '#');
            pc_buffer_append(out, p.start + i, 1);
        }
        if (p.height) pc_buffer_append(out, p.height > 0 ? "#d" : "#u", 2);
    }
}

/* Devices take 72 units an inch and set type for 96 dots an inch; PLplot wants millimetres. */
static void ink_text(pc_ink *ink, double x, double y, const char *label, const pc_type_style *style)
{
    plplot_ink *p = (plplot_ink *)ink;
    pc_buffer_clear(&p->text);
    put_escapes(label, &p->text);
    set_pen(p, style->colour, p->width);
    plsfont(PL_FCI_SANS, PL_FCI_UPRIGHT, style->bold ? PL_FCI_BOLD : PL_FCI_MEDIUM);
    plschr(style->height * ink->scale * 0.75 * 25.4 / 72, 1);
    plptex(x, y, cos(style->turn), sin(style->turn), style->just, pc_buffer_text(&p->text));
}

static pc_status paint(const pc_figure *figure, const pc_layout *layout, double scale, pc_error *err)
{
    plplot_ink p = {.ink = {scale, ink_line, ink_area, ink_text}};
    pladv(0);
    plvpor(0, 1, 0, 1);
    plwind(0, layout->width, 0, layout->height);
    pc_status status = pc_paint_figure(figure, layout, &p.ink, err);
    if (!status) status = pc_buffer_status(&p.text, err);
    pc_buffer_free(&p.text);
    return status;
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
    double scale; /* dots a pixel */
} target;

/* Everything that may leave by the jump: what the ink holds for a text is lost then, and no more. */
static pc_status draw_page(const pc_figure *figure, const pc_layout *layout, const target *to, pc_error *err)
{
    int width = (int)lround(layout->width * to->scale), height = (int)lround(layout->height * to->scale);
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
    pc_status status = paint(figure, layout, to->scale, err);
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
    double pixels = layout->width * layout->height * to->scale * to->scale;
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
                    "only SVG files are drawn here: return the figure itself, which is then shown, or use figure:text");
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

/* --- pictures --- */

pc_status pc_plplot_render(const pc_figure *figure, const pc_layout *layout, const char *device, double scale,
                           pc_buffer *bytes, pc_error *err)
{
    char *data = NULL;
    size_t size = 0;
    target to = {.device = device, .scale = scale, .file = open_memstream(&data, &size)};
    if (!to.file) return pc_fail(err, PC_E_MEMORY, "not enough memory for the picture");
    pc_status status = run_session(figure, layout, &to, err);
    if (!status && size == 0) status = pc_fail(err, PC_E_SYSTEM, "PLplot wrote an empty picture");
    if (!status) {
        pc_buffer_append(bytes, data, size);
        status = pc_buffer_status(bytes, err);
    }
    free(data);
    return status;
}

pc_status pc_plplot_pixels(const pc_figure *figure, const pc_layout *layout, double scale, pc_buffer *pixels,
                           pc_error *err)
{
    size_t size = 3 * (size_t)lround(layout->width * scale) * (size_t)lround(layout->height * scale);
    target to = {.device = PIXEL_DEVICE, .pixels = pc_calloc(size, 1), .scale = scale};
    if (!to.pixels) return pc_fail(err, PC_E_MEMORY, "not enough memory for the picture");
    pc_status status = run_session(figure, layout, &to, err);
    if (!status) {
        pc_buffer_clear(pixels);
        pc_buffer_append(pixels, to.pixels, size);
        status = pc_buffer_status(pixels, err);
    }
    pc_free(to.pixels);
    return status;
}

/* --- windows ---
 *
 * PLplot has one stream and waits where it shows a window, so a process of its own shows each. It is the child of a
 * child that ends at once: nobody has to wait for it, and it belongs to a session of its own, which Ctrl-C at the
 * terminal does not reach. It leaves by _exit and keeps no file of ours open, so that whoever reads our output through
 * a pipe sees its end. The first byte it sends back says that the window is there; anything else is its error.
 */

static const char SHOWN = '+';

static void tell_shown(void *context)
{
    const int *out = context;
    /* whoever does not listen any more misses nothing */
    if (write(*out, &SHOWN, 1) == 1) close(*out);
}

/* Shows the window until it is closed. */
static pc_status present(const pc_figure *figure, int *out, pc_error *err)
{
    pc_layout layout;
    pc_status status = pc_layout_make(figure, &layout, err);
    if (status) return status;
    const target to = {.device = WINDOW_DEVICE, .shown = tell_shown, .context = out, .scale = 1};
    status = run_session(figure, &layout, &to, err);
    pc_layout_free(&layout);
    return status;
}

/* The process that shows the window. Never returns. */
static void live(const pc_figure *figure, int out)
{
    int nowhere = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3 && nowhere >= 0; i++) dup2(nowhere, i);
    long most = sysconf(_SC_OPEN_MAX);
    for (int i = 3; i < (most > 0 && most < 4096 ? most : 4096); i++) {
        if (i != out) close(i);
    }
    pc_error err = {0};
    if (present(figure, &out, &err)) {
        size_t size = strlen(err.text);
        _exit(write(out, err.text, size) == (ssize_t)size ? 1 : 2);
    }
    _exit(0);
}

/* Waits for the window's first words. */
static pc_status hear(int in, pc_error *err)
{
    char text[PC_ERROR_TEXT];
    size_t size = 0;
    while (size + 1 < sizeof text) {
        ssize_t got = read(in, text + size, sizeof text - 1 - size);
        if (got < 0 && errno == EINTR && !pc_interrupted()) continue;
        if (got < 0 && errno == EINTR) return pc_fail(err, PC_E_INTERRUPTED, "interrupted while a window opens");
        if (got <= 0) break;
        size += (size_t)got;
        if (text[0] == SHOWN) return PC_OK;
    }
    text[size] = '\0';
    while (size > 0 && text[size - 1] == '\n') text[--size] = '\0';
    return pc_fail(err, PC_E_SYSTEM, "no window: %s", size ? text : "the process that shows it ended");
}

pc_status pc_plplot_window(const pc_figure *figure, pc_error *err)
{
    const char *display = getenv("DISPLAY");
    if (!display || !*display) {
        return pc_fail(err, PC_E_SYSTEM, "no window: there is no X display here (DISPLAY is not set)");
    }
    int ends[2];
    if (pipe(ends) != 0) return pc_fail(err, PC_E_SYSTEM, "no window: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        pid_t window = setsid() < 0 ? -1 : fork();
        if (window == 0) live(figure, ends[1]);
        _exit(window < 0);
    }
    pc_status status = PC_OK;
    if (child < 0) status = pc_fail(err, PC_E_SYSTEM, "no window: %s", strerror(errno));
    close(ends[1]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    if (!status) status = hear(ends[0], err);
    close(ends[0]);
    return status;
}

char *pc_plplot_version(char text[PC_PLPLOT_VERSION])
{
    plgver(text);
    return text;
}

#else

static const char NEED[] = "PNG and PDF files, pixels and windows";

pc_status pc_plplot_render(const pc_figure *figure, const pc_layout *layout, const char *device, double scale,
                           pc_buffer *bytes, pc_error *err)
{
    (void)figure, (void)layout, (void)device, (void)scale, (void)bytes;
    return pc_fail_missing(err, "PLplot", NEED);
}

pc_status pc_plplot_pixels(const pc_figure *figure, const pc_layout *layout, double scale, pc_buffer *pixels,
                           pc_error *err)
{
    (void)figure, (void)layout, (void)scale, (void)pixels;
    return pc_fail_missing(err, "PLplot", NEED);
}

pc_status pc_plplot_window(const pc_figure *figure, pc_error *err)
{
    (void)figure;
    return pc_fail_missing(err, "PLplot", NEED);
}

char *pc_plplot_version(char text[PC_PLPLOT_VERSION])
{
    (void)text;
    return NULL;
}

#endif
