/* The line editor: see prompt.h. */
#include "repl/prompt.h"

#ifdef PC_HAVE_READLINE

#include "base/status.h"

#include <lauxlib.h>

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- completion: readline finds the word before the cursor, the module percuss.complete the candidates --- */

static lua_State *completing;
static const char *earlier_lines;

/* Its address is the registry key of the function that finds candidates. */
static const char candidates_key = 0;

/* Words end at these; the backslash belongs to \mu, and a dot or colon to a path. In a string only its quote ends them,
 * so that names of files stay whole. */
static char break_characters[] = " \t\n\"'><=;+-*/%^~#{}()[],&|";
static char string_breaks[] = "\"'";

/* True if the cursor is in a string that began in this line. */
static bool in_string(void)
{
    char quote = 0;
    for (int i = 0; i < rl_point; i++) {
        char c = rl_line_buffer[i];
        if (quote && c == '\\')
            i++;
        else if (quote)
            quote = c == quote ? 0 : quote;
        else if (c == '"' || c == '\'')
            quote = c;
        else if (c == '-' && rl_line_buffer[i + 1] == '-')
            return false;
    }
    return quote != 0;
}

static char *choose_breaks(void)
{
    return in_string() ? string_breaks : break_characters;
}

/* Readline's list of matches: the longest common prefix at 0, the candidates, NULL; all of it from malloc, as readline
 * frees it. NULL if there is no memory. */
static char **make_matches(lua_State *L, int list)
{
    size_t n = (size_t)lua_rawlen(L, list), common = 0;
    char **matches = calloc(n + 2, sizeof *matches);
    for (size_t i = 1; matches && i <= n; i++) {
        lua_rawgeti(L, list, (lua_Integer)i);
        matches[i] = strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
        if (!matches[i]) break;
        size_t same = 0;
        while (i > 1 && same < common && matches[1][same] == matches[i][same]) same++;
        common = i > 1 ? same : strlen(matches[1]);
    }
    if (matches && matches[n]) matches[0] = strndup(matches[1], common);
    if (matches && matches[0]) return matches;
    for (size_t i = 1; matches && i <= n; i++) free(matches[i]);
    free(matches);
    return NULL;
}

/* Push the answer of percuss.complete for the word that begins at `start`: a list, or nil for the name of a file. */
static bool push_candidates(lua_State *L, const char *word, int start, bool string)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &candidates_key) != LUA_TFUNCTION) return false;
    lua_pushstring(L, earlier_lines ? earlier_lines : "");
    lua_pushstring(L, earlier_lines ? "\n" : "");
    lua_pushlstring(L, rl_line_buffer, (size_t)start);
    lua_concat(L, 3);
    lua_pushstring(L, word);
    lua_pushboolean(L, string);
    return lua_pcall(L, 3, 1, 0) == LUA_OK;
}

static char **complete(const char *word, int start, int end)
{
    (void)end;
    lua_State *L = completing;
    bool string = in_string();
    char **matches = NULL;
    rl_completion_append_character = '\0';
    rl_attempted_completion_over = 1;
    if (!lua_checkstack(L, LUA_MINSTACK)) return NULL;
    int top = lua_gettop(L);
    bool found = push_candidates(L, word, start, string);
    if (found && lua_istable(L, -1) && lua_rawlen(L, -1) > 0)
        matches = make_matches(L, lua_gettop(L));
    else if (found && lua_isnil(L, -1) && string)
        rl_attempted_completion_over = 0; /* readline completes names of files */
    lua_settop(L, top);
    return matches;
}

static int load_module(lua_State *L)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "percuss.complete");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "candidates");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &candidates_key);
    return 0;
}

static void open_completion(lua_State *L)
{
    completing = L;
    /* a host without percuss has nothing to complete; the prompt has said so already */
    lua_pushcfunction(L, load_module);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = rl_completer_word_break_characters = break_characters;
    rl_completion_word_break_hook = choose_breaks;
    rl_completer_quote_characters = "";
    rl_basic_quote_characters = ""; /* a string need not end with what Tab wrote */
    rl_ignore_completion_duplicates = 1;
}

void pc_editor_after(const char *lines)
{
    earlier_lines = lines;
}

/* --- history --- */

/* Statements kept. Reading them takes a few milliseconds at the start of the prompt. */
enum { HISTORY_LENGTH = 5000 };

/* Empty where there is no file to write to. */
static char path[4096];

/* Make the directories that lead to `path`, for the user alone as the specification asks. */
static bool make_directories(void)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return true;
}

/* A relative XDG_STATE_HOME is to be ignored, says the specification. */
static bool find_path(void)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    int n = 0;
    if (state && state[0] == '/')
        n = snprintf(path, sizeof path, "%s/percuss/history", state);
    else if (home && home[0] == '/')
        n = snprintf(path, sizeof path, "%s/.local/state/percuss/history", home);
    return n > 0 && (size_t)n < sizeof path;
}

/* append_history wants the file to exist, and readline would wait for whoever writes to a pipe. */
static bool make_file(void)
{
    struct stat found;
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK | O_CLOEXEC, 0600);
    bool plain = file >= 0 && fstat(file, &found) == 0 && S_ISREG(found.st_mode);
    return file >= 0 && close(file) == 0 && plain;
}

static void open_history(void)
{
    using_history();
    stifle_history(HISTORY_LENGTH);
    /* time stamps in the file are what lets a statement of several lines come back as one */
    history_comment_char = '#';
    history_write_timestamps = 1;
    if (!find_path() || !make_directories() || !make_file()) {
        path[0] = '\0';
        return;
    }
    read_history(path);
    if (history_is_stifled() && history_length >= HISTORY_LENGTH) history_truncate_file(path, HISTORY_LENGTH);
}

void pc_editor_remember(const char *statement)
{
    if (statement[strspn(statement, " \t\n")] == '\0') return;
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (last && strcmp(last->line, statement) == 0) return;
    add_history(statement);
    if (path[0]) append_history(1, path);
}

/* --- lines --- */

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

bool pc_editor_open(lua_State *L)
{
    setlocale(LC_CTYPE, "");
    rl_readline_name = "percuss";
    rl_persistent_signal_handlers = 1; /* while we wait too: a kill or a stop must leave the terminal in order */
    rl_initialize();
    rl_bind_key('\t', complete_or_indent);
    open_completion(L);
    open_history();
    return true;
}

static struct {
    char text[256];
    size_t size;
} ahead;

void pc_editor_type(const char *text, size_t size)
{
    ahead.size = size < sizeof ahead.text ? size : sizeof ahead.text;
    memcpy(ahead.text, text, ahead.size);
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
    for (size_t i = 0; i < ahead.size && !answer.done; i++) {
        rl_stuff_char((unsigned char)ahead.text[i]);
        rl_callback_read_char();
    }
    ahead.size = 0;
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

const char *pc_editor_version(void)
{
    return rl_library_version;
}

/* Without readline lines are read as they come (line.c). */
#else

bool pc_editor_open(lua_State *L)
{
    (void)L;
    return false;
}

pc_line pc_editor_read(const char *prompt, char **text)
{
    (void)prompt;
    *text = NULL;
    return PC_LINE_END;
}

void pc_editor_type(const char *text, size_t size)
{
    (void)text, (void)size;
}

void pc_editor_after(const char *lines)
{
    (void)lines;
}

void pc_editor_remember(const char *statement)
{
    (void)statement;
}

const char *pc_editor_version(void)
{
    return NULL;
}

#endif
