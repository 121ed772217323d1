/* Lines typed by a person, piped in, or pasted: see prompt.h.
 *
 * A paste reaches the editor as one text with newlines in it; it is handed out line by line, so that it means what it
 * would have meant if typed.
 */
#include "repl/prompt.h"

#include "base/status.h"
#include "chart/media/media.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Invariant: `next` points into `text`, at what has not been handed out, or is NULL when nothing is left. */
static struct {
    bool edited;
    char *text;
    char *next;
    size_t capacity; /* of `text`, as getline wants it */
} input;

static bool has_cursor(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

void pc_line_open(lua_State *L)
{
    input.edited = has_cursor() && pc_editor_open(L);
}

/* The signal handler makes getline return; the terminal has dropped its unfinished line by itself. */
static pc_line read_plain(const char *prompt, const char **text, size_t *length)
{
    fputs(prompt, stdout);
    fflush(stdout);
    ssize_t n = pc_interrupted() ? -1 : getline(&input.text, &input.capacity, stdin);
    if (n < 0) {
        clearerr(stdin);
        if (!pc_interrupted()) return PC_LINE_END;
        putchar('\n');
        return PC_LINE_INTERRUPTED;
    }
    if (n > 0 && input.text[n - 1] == '\n') input.text[--n] = '\0';
    *text = input.text;
    *length = (size_t)n;
    return PC_LINE_TEXT;
}

static pc_line read_edited(const char *prompt, const char **text, size_t *length)
{
    if (!input.next) {
        free(input.text);
        input.text = NULL;
        char typed[256];
        pc_editor_type(typed, pc_terminal_typed(typed, sizeof typed));
        pc_line status = pc_editor_read(prompt, &input.text);
        if (status != PC_LINE_TEXT) return status;
        input.next = input.text;
    }
    *text = input.next;
    *length = strcspn(input.next, "\n");
    char *end = input.next + *length;
    input.next = *end ? end + 1 : NULL;
    *end = '\0';
    return PC_LINE_TEXT;
}

pc_line pc_line_read(const char *prompt, const char **text, size_t *length)
{
    return input.edited ? read_edited(prompt, text, length) : read_plain(prompt, text, length);
}

void pc_line_discard(void)
{
    input.next = NULL;
}

void pc_line_remember(const char *statement)
{
    if (input.edited) pc_editor_remember(statement);
}
