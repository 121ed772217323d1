/* Windows: see window.h.
 *
 * PLplot has one stream and waits where it shows a window, so a process of its own shows each. It is the child of a
 * child that ends at once: nobody has to wait for it, and it belongs to a session of its own, which Ctrl-C at the
 * terminal does not reach. It leaves by _exit and keeps no file of ours open, so that whoever reads our output through
 * a pipe sees its end. The first byte it sends back says that the window is there; anything else is its error.
 */
#include "chart/window.h"

#include "base/interrupt.h"
#include "chart/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SHOWN = '+';

static void tell_shown(void *context)
{
    const int *out = context;
    /* whoever does not listen any more misses nothing */
    if (write(*out, &SHOWN, 1) == 1) close(*out);
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
    if (pc_figure_present(figure, tell_shown, &out, &err)) {
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

pc_status pc_figure_open_window(const pc_figure *figure, pc_error *err)
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
