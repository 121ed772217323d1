/* Running Lua code for a person: protected calls whose errors are told in words, with a traceback. */
#ifndef PC_REPL_CHUNK_H
#define PC_REPL_CHUNK_H

#include <lua.h>
#include <stdbool.h>

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
