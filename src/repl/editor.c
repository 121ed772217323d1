/* The line editor: see editor.h. */
#include "repl/editor.h"

#include "base/interrupt.h"
#include "repl/complete.h"
#include "repl/history.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <readline/readline.h>
#include <sys/select.h>

static struct {
    bool done;
    char *text; /* NULL at the end of input */
} answer;

/* Readline has a line. Taking the handler off gives the terminal back before anything runs. */
static void take_line(char *text)
{
    answer.text = text;
    answer.done = true;
    rl_callback_handler_remove();
}

/* At the start of a line Tab indents: code pasted into a terminal without bracketed paste must not complete. Readline
 * lists the candidates when it sees rl_complete called twice in a row, so it is told that we are that. */
static int complete_or_indent(int count, int key)
{
    if (rl_last_func == complete_or_indent) rl_last_func = rl_complete;
    for (int i = 0; i < rl_point; i++)
        if (rl_line_buffer[i] != ' ' && rl_line_buffer[i] != '\t') return rl_complete(count, key);
    return rl_insert(count, key);
}

void pc_editor_open(lua_State *L)
{
    setlocale(LC_CTYPE, "");
    rl_readline_name = "percuss";
    rl_persistent_signal_handlers = 1; /* while we wait too: a kill or a stop must leave the terminal in order */
    rl_initialize();
    rl_bind_key('\t', complete_or_indent);
    pc_complete_open(L);
    pc_history_open();
}

/* SIGINT is blocked except while pselect waits, so it cannot fall between the question and the wait. Readline's own
 * handler then puts the terminal in order and passes the signal on to ours, which raises the flag. */
pc_line pc_editor_read(const char *prompt, char **text)
{
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);

    int input = fileno(rl_instream ? rl_instream : stdin);
    answer.done = false;
    answer.text = NULL;
    rl_callback_handler_install(prompt, take_line);
    while (!answer.done && !pc_interrupted()) {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(input, &readable);
        if (pselect(input + 1, &readable, NULL, NULL, NULL, &before) > 0)
            rl_callback_read_char();
        else if (errno == EINTR)
            rl_check_signals();
        else
            break;
    }
    pc_line status = answer.done && answer.text ? PC_LINE_TEXT : PC_LINE_END;
    if (!answer.done) {
        rl_callback_handler_remove();
        fputc('\n', rl_outstream ? rl_outstream : stdout);
        if (pc_interrupted()) status = PC_LINE_INTERRUPTED;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    *text = answer.text;
    return status;
}

void pc_editor_remember(const char *statement)
{
    pc_history_add(statement);
}
