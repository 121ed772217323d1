/* Ctrl-C and Lua.
 *
 * The program's signal handler calls pc_interrupt_request, which raises the flag of base/interrupt.h and arms a count
 * hook on the Lua state that is running at that moment. The hook raises an error object with the code "interrupted" at
 * the next instruction, and again at every later one until pc_interrupt_clear: pcall can catch it, but what runs after
 * pcall is hit in turn, so no script goes on with half a result. To know which state runs, coroutine.resume and
 * coroutine.wrap are replaced by versions that say so; they also pass an interruption on to the resumer.
 *
 * A hook that is always there would cost Lua loops most of their speed, hence one armed by the signal.
 *
 * Out of reach: a single long call into the stock libraries (string.rep, a pattern that backtracks), finalizers,
 * message handlers of xpcall, and coroutine.close, because Lua runs no hooks there or tells nobody. percuss.so in a
 * stock lua leaves signals to its host. A hook that a script set by debug.sethook is lost when Ctrl-C comes.
 */
#ifndef PC_BIND_CORE_INTERRUPT_H
#define PC_BIND_CORE_INTERRUPT_H

#include <lua.h>

/* Make `L`, the main state, the running one and wrap the coroutine library, which must be open. */
void pc_interrupt_open(lua_State *L);

/* Before the main state is closed: requests no longer touch it. */
void pc_interrupt_close(void);

/* `L` runs from now on, until this is called again with what it returns: the state that ran before. NULL where nobody
 * is told, which stays so. */
lua_State *pc_interrupt_enter(lua_State *L);

/* Interrupt whatever runs. Safe in a signal handler; threads other than Lua's must block the signal. */
void pc_interrupt_request(void);

/* Raise the error object of the present interruption: { code = "interrupted", message, partial }. There is one object
 * an interruption, so that a partial result stays on it while it is caught and raised again. `partial` is the stack
 * index of what has been computed so far, 0 for nothing. Never returns. */
int pc_interrupt_raise(lua_State *L, int partial);

/* The interruption has been shown: lower the flag, disarm. Pushes the partial result, or nil. */
void pc_interrupt_clear(lua_State *L);

#endif
