/* A statement at the prompt: read line by line until it compiles, as an expression if that is possible. */
#ifndef PC_REPL_STATEMENT_H
#define PC_REPL_STATEMENT_H

#include "repl/balance.h"
#include "repl/line.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* All zero: nothing read, nothing held. `text` is kept behind the word that makes an expression a statement, so that
 * both readings can be compiled without copying. */
typedef struct pc_statement {
    char *text; /* "return ", the lines with newlines between them, a zero */
    size_t length, capacity;
    int n_lines;
    pc_balance balance;
    bool is_expression; /* the values are those of an expression */
    bool is_silent;     /* it ends with a semicolon: its values are not printed */
    bool is_timed;      /* "time" stands in front of it */
} pc_statement;

/* Read lines until they compile or cannot. With PC_LINE_TEXT, *status tells whether a function or an error text is the
 * only value on the stack. */
pc_line pc_statement_read(lua_State *L, pc_statement *s, int *status);

/* Push what was typed, without `time` in front of it. */
void pc_statement_push_text(lua_State *L, const pc_statement *s);

void pc_statement_free(pc_statement *s);

#endif
