/* The interactive prompt.
 *
 * A line that is an expression prints its values, with or without a leading `=`, unless it ends with a semicolon; of
 * several between semicolons each is shown; what is not complete is continued; `_` is the last value, or the partial
 * result of what Ctrl-C stopped. `time` in front of a statement tells how long it took. Errors are one sentence;
 * traceback() prints where the last one came from.
 */
#ifndef PC_REPL_PROMPT_H
#define PC_REPL_PROMPT_H

#include "base/status.h"

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Lines typed by a person, piped in, or pasted. */

typedef enum pc_line {
    PC_LINE_TEXT,        /* a line was read */
    PC_LINE_INTERRUPTED, /* Ctrl-C: what was typed so far is gone */
    PC_LINE_END,         /* end of input */
} pc_line;

/* Use the editor (history, completion over the globals of `L`) where both ends are a terminal that can move its
 * cursor; otherwise lines are read as they come, without echo or escape bytes. */
void pc_line_open(lua_State *L);

/* Read a line without its newline. `text` stays valid until the next call; it may contain any byte. */
pc_line pc_line_read(const char *prompt, const char **text, size_t *length);

/* Forget lines of a paste that have not been handed out. */
void pc_line_discard(void);

/* Enter a whole statement into the history. */
void pc_line_remember(const char *statement);

/* A statement at the prompt: read line by line until it compiles, as an expression if that is possible. */

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
    size_t begin; /* where in it the statement begins: behind "return " or, once it is compiled, behind "time" */
    int n_lines;
    pc_balance balance;
    bool is_expression; /* the values are those of an expression */
    bool is_silent;     /* it ends with a semicolon: its values are not printed */
    bool is_timed;      /* "time" stands in front of it */
    bool is_sequence;   /* see above */
    size_t head;        /* bytes of a cell's lines that stand before its sequence */
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

/* Compile as a cell of a notebook, whose lines are one chunk: where lines at its end are expressions by themselves, as
 * in "local x = 2" and then "x; x + 1", these are shown. */
int pc_statement_compile_cell(lua_State *L, pc_statement *s);

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

/* The line editor: readline's callback interface under pselect, so that Ctrl-C is noticed at once and never inside
 * readline.
 *
 * Tab completes names, fields and methods, options inside braces and their choices, names of files in strings, Greek
 * letters by name (\mu). What can stand where is found by the module percuss.complete. Tables are read raw and
 * metamethods are never called, so Tab neither fails nor runs anybody's code.
 *
 * The history is kept in $XDG_STATE_HOME/percuss/history (XDG Base Directory Specification 0.8; by default
 * ~/.local/state/percuss/history). Where the file cannot be written it lasts as long as the program.
 */

/* Set up editing, completion in `L` and the history. Once a process. False: this build has no editor, and nothing below
 * does anything. */
bool pc_editor_open(lua_State *L);

/* Read a line, or a paste of several; the caller frees `text`. */
pc_line pc_editor_read(const char *prompt, char **text);

/* Bytes that were typed while nobody read: they stand in the next line. */
void pc_editor_type(const char *text, size_t size);

/* The earlier lines of the statement that is being typed, for completion; they must stay valid while the next line is
 * read. NULL: there are none. */
void pc_editor_after(const char *lines);

/* Add a statement to the history and append it to the file at once: nothing is lost when the program is killed, and
 * programs running side by side do not overwrite each other's. Blank statements and repetitions are left out. */
void pc_editor_remember(const char *statement);

/* Readline's version; NULL without an editor. */
const char *pc_editor_version(void);

/* Read, run and print until the end of input. What a script that Ctrl-C stopped had computed is in `_`. The names of
 * percuss, and `pc` for percuss itself, become globals where those are free. `strict`: a global that does not exist is
 * an error in what is typed. */
void pc_prompt_run(lua_State *L, bool strict);

/* For other faces of the prompt. The module must be open before: its names become globals, its functions `print` and,
 * where there is one, `report` (text, traceback) are what they say. */
void pc_prompt_open(lua_State *L);

typedef enum pc_outcome { PC_OUTCOME_OK, PC_OUTCOME_ERROR, PC_OUTCOME_INTERRUPTED } pc_outcome;

/* Run a cell of any number of lines, of which the values of the last are shown. Everything on the stack is gone. */
pc_outcome pc_prompt_cell(lua_State *L, const char *code, size_t length, bool strict);

/* The interruption is over; true if there is a partial result, which is in `_` then. */
bool pc_prompt_recover(lua_State *L);

/* "complete", "incomplete" or "invalid". */
const char *pc_prompt_is_complete(lua_State *L, const char *code, size_t length);

/* The kernel of notebooks: another face of the prompt, which gets its cells over the wire and runs them as
 * the prompt does. What it says is in the module percuss.kernel. Serves the client whose connection file is at `path`
 * until it asks for the end, or is gone; a failure to begin is told on standard error. */
bool pc_kernel_run(lua_State *L, const char *path, bool strict);

/* What the program does on Ctrl-C: the first two interrupt what runs, the third kills. */

/* Exit code of a script stopped by Ctrl-C, as shells report it: 128 + SIGINT. */
enum { PC_EXIT_INTERRUPTED = 130 };

/* Install the handler of SIGINT. Without SA_RESTART: a read that waits returns. */
void pc_signals_open(void);

/* Count from one again: the prompt is back. */
void pc_signals_reset(void);

/* The wire to notebooks: signed messages of Jupyter's protocol (version 5.3) over ZeroMQ, and the standard output and
 * error of this process as messages of their own. One a process.
 *
 * A thread of its own answers heartbeats, takes what comes on the channel of control while Lua runs, sends what is
 * published, and reads the two pipes in which standard output and error then end. It interrupts by SIGINT, which it
 * blocks itself; a message that it cannot verify by the key is dropped. What is published after output was written
 * follows it on the wire.
 */

/* As a connection file has them. A port of 0 is chosen by the system. An empty key: nothing is signed. */
typedef struct pc_wire_settings {
    const char *transport, *ip, *key;
    int shell, publish, control, input, heartbeat;
} pc_wire_settings;

/* PC_E_UNSUPPORTED without libzmq. `session` is a text without quotes by which headers name this kernel. */
pc_status pc_wire_open(const pc_wire_settings *settings, const char *session, pc_error *err);

/* Wait for a message and push it as a table: channel ("shell" or "control"), ids (a list), header, parent, metadata and
 * content as they came. False, and nothing is pushed: a signal came, or nothing for a second. */
bool pc_wire_receive(lua_State *L);

/* Send on the channel ("shell", "control" or "publish") the texts header, parent, metadata, content to whom `ids`, a
 * list, tells; for "publish" it holds the topic. The arguments stand at index 1 and follow each other. */
void pc_wire_send(lua_State *L);

/* What is written to standard output and error from now on belongs to the message of this header. */
void pc_wire_set_parent(const char *header, size_t size);

/* True if the channel of control has asked for the end while something ran. */
bool pc_wire_is_ending(void);

/* Send what waits, and give standard output and error back. */
void pc_wire_close(void);

/* "4.3.4"; NULL without libzmq. */
const char *pc_wire_version(void);

#endif
