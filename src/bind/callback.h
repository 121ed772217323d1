/* The one place where C calls a Lua function given by the user.
 *
 * The call is protected: an error in the function is kept (with its traceback) in the callback's slot and reported
 * as PC_E_CALLBACK, the solver unwinds by returning statuses, and pc_callback_raise raises the kept value once. A
 * function that yields gets a clear error. After every call the interrupt flag is asked.
 */
#ifndef PC_BIND_CALLBACK_H
#define PC_BIND_CALLBACK_H

#include "base/status.h"

#include <lua.h>

typedef struct pc_callback {
    lua_State *L;
    int function;     /* absolute stack index of the function */
    int error;        /* absolute stack index of the slot that keeps an error value */
    const char *name; /* for messages: "rhs" */
} pc_callback;

/* The function is at `index`; pushes one slot for the error value. */
void pc_callback_open(lua_State *L, int index, const char *name, pc_callback *callback);

/* Call with the `n_args` values on top of the stack (popped); leaves `n_results` values. On failure the stack is as
 * it was before the arguments were pushed. */
pc_status pc_callback_call(pc_callback *callback, int n_args, int n_results, pc_error *err);

/* Raise the error kept by a failed call. Never returns. */
int pc_callback_raise(pc_callback *callback);

#endif
