/* The one place where C calls a Lua function given by the user.
 *
 * The call is protected: an error in the function is kept (with its traceback) in the callback's slot and reported
 * as PC_E_CALLBACK, the solver unwinds by returning statuses, and pc_callback_raise raises the kept value once, as it
 * was thrown. A function that yields gets a clear error. After every call the interrupt flag is asked.
 */
#ifndef PC_BIND_CORE_CALLBACK_H
#define PC_BIND_CORE_CALLBACK_H

#include "base/status.h"

#include <lua.h>
#include <stdbool.h>

typedef struct pc_callback {
    lua_State *L;
    int function;     /* absolute stack index of the function */
    int error;        /* absolute stack index of the slot that keeps an error value */
    const char *name; /* for messages: "rhs" */
    bool failed;      /* the slot holds an error; no further calls are made */
} pc_callback;

/* The function is at `index`; pushes one slot for the error value. Ensures LUA_MINSTACK free stack slots, for
 * arguments and results. `name` must outlive the callback. */
void pc_callback_open(lua_State *L, int index, const char *name, pc_callback *callback);

/* Call with the `n_args` values on top of the stack (popped); leaves `n_results` values. On failure the stack is as
 * it was before the arguments were pushed, and further calls fail at once. */
pc_status pc_callback_call(pc_callback *callback, int n_args, int n_results, pc_error *err);

/* The same where the function was pushed before its arguments: what is called a thousand times an impact. */
pc_status pc_callback_run(pc_callback *callback, int n_args, int n_results, pc_error *err);

/* Raise the error kept by a failed call; after PC_E_INTERRUPTED, the interruption (use pc_interrupt_raise where there
 * is a partial result). Never returns. */
int pc_callback_raise(pc_callback *callback);

/* Raise the value on top of the stack, which a failed call has thrown; the second as pc_callback_raise_partial. */
int pc_callback_raise_value(lua_State *L);
int pc_callback_raise_value_partial(lua_State *L, int partial);

/* The same where there is a partial result at `partial`, which the error carries in its field `partial`: a table that
 * was thrown as it is, unless it has such a field; anything else within an error object { code = "callback", message,
 * cause, traceback }, where `cause` is what was thrown. */
int pc_callback_raise_partial(pc_callback *callback, int partial);

/* For message handlers: push the traceback of the error value at `index`. It begins inside the callback for an error
 * that pc_callback_raise is raising (then true is returned), else at the function that called the handler. */
bool pc_callback_traceback(lua_State *L, int index);

/* Failures that no solver reports: a law in Lua is called where only a number can be given back. The first since
 * pc_failure_clear is kept for pc_raise: the value that a function threw, or a text about what it returned. */
typedef enum pc_failure { PC_FAILURE_NONE, PC_FAILURE_THROWN, PC_FAILURE_TOLD } pc_failure;
void pc_failure_clear(lua_State *L);
void pc_failure_keep(lua_State *L, int index, pc_failure failure);
bool pc_failure_waits(lua_State *L);

/* Push what was kept, once; nothing where nothing was. */
pc_failure pc_failure_push(lua_State *L);

#endif
