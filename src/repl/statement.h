/* A statement at the prompt: read line by line until it compiles, as an expression if that is possible. */
#ifndef PC_REPL_STATEMENT_H
#define PC_REPL_STATEMENT_H

#include "repl/line.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Whether Lua text, read line by line, may be complete.
 *
 * Only the compiler can say that a statement is complete, but asking it after every line of a long one makes a paste of
 * ten thousand lines take a minute. Counting open blocks, brackets and long strings costs next to nothing and rules
 * out most of those questions.
 */

/* All zero: nothing read. */
typedef struct pc_balance {
    int depth;      /* blocks and brackets opened and not closed */
    int long_level; /* inside [==[ with n - 1 equal signs: n; else 0 */
    char quote;     /* the string that goes on in the next line, after \ or \z; else 0 */
} pc_balance;

/* Read one more line (without its newline). */
void pc_balance_add(pc_balance *balance, const char *line, size_t length);

/* False if the text read so far is certainly incomplete. */
bool pc_balance_closed(const pc_balance *balance);

/* All zero: nothing read, nothing held. `text` is kept behind the word that makes an expression a statement, so that
 * both readings can be compiled without copying.
 *
 * Where expressions stand between semicolons, as in "x = 3; x + 1; f(x)", it is a sequence: its function takes another,
 * to which it gives each of these expressions as offset and length in the text and the values; a length below zero
 * marks one that a semicolon at the end silences. */
typedef struct pc_statement {
    char *text; /* "return ", the lines with newlines between them, a zero */
    size_t length, capacity;
    int n_lines;
    pc_balance balance;
    bool is_expression; /* the values are those of an expression */
    bool is_silent;     /* it ends with a semicolon: its values are not printed */
    bool is_timed;      /* "time" stands in front of it */
    bool is_sequence;   /* see above */
} pc_statement;

/* Begin a statement, and add a line to it (without its newline). */
void pc_statement_clear(pc_statement *s);
void pc_statement_add(lua_State *L, pc_statement *s, const char *line, size_t length);

/* Compile what has been added; leaves a function or an error text. Returns the status; sets whether more lines may
 * help. */
int pc_statement_compile(lua_State *L, pc_statement *s, bool *incomplete);

/* Read lines until they compile or cannot. With PC_LINE_TEXT, *status tells whether a function or an error text is the
 * only value on the stack. */
pc_line pc_statement_read(lua_State *L, pc_statement *s, int *status);

/* Push what was typed, without `time` in front of it. */
void pc_statement_push_text(lua_State *L, const pc_statement *s);

/* Push a sequence as a script has it: show(...) around its expressions. */
void pc_statement_push_script(lua_State *L, const pc_statement *s);

void pc_statement_free(pc_statement *s);

/* Running Lua code for a person: protected calls whose errors are told in words, with a traceback. */

/* What becomes of an error's traceback: it follows the text (scripts), or is kept for whoever asks for it (the prompt),
 * if the error happened inside some function: the frames of the line itself tell nothing. */
typedef enum pc_trace { PC_TRACE_ALWAYS, PC_TRACE_KEEP } pc_trace;

/* lua_pcall of the function below its `n_args` arguments; on error the text is left on the stack. */
int pc_chunk_call(lua_State *L, int n_args, int n_results, pc_trace trace);

/* Push the traceback kept by PC_TRACE_KEEP and return true, or push false. */
bool pc_chunk_push_traceback(lua_State *L);

void pc_chunk_forget_traceback(lua_State *L);

/* Print "program: text" to standard error; without a program, the text alone. */
void pc_chunk_print(const char *program, const char *text);

/* If `status` is an error, print and pop the text on top of the stack. Returns `status`. */
int pc_chunk_report(lua_State *L, int status, const char *program);

#endif
