/* The history of the prompt: see history.h. */
#include "repl/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <readline/history.h>
#include <sys/stat.h>
#include <unistd.h>

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

void pc_history_open(void)
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

void pc_history_add(const char *statement)
{
    if (statement[strspn(statement, " \t\n")] == '\0') return;
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (last && strcmp(last->line, statement) == 0) return;
    add_history(statement);
    if (path[0]) append_history(1, path);
}
