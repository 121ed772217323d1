/* Userdata from type records, and functions that cannot exist without their documentation.
 *
 * Two forms of payload. Inline: the C struct lives inside the userdata (impacts, laws, bodies, arrays). Owner: the
 * userdata holds a struct whose pointers are freed by `free`. Always create the userdata first, in an empty state
 * with its metatable, and fill it afterwards: an error in between leaves nothing behind.
 *
 * No luaL_Buffer, string building or table access while heap memory is held that no userdata owns.
 */
#ifndef PC_BIND_CORE_BIND_H
#define PC_BIND_CORE_BIND_H

#include "base/row.h"
#include "base/status.h"
#include "math/array.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function with its documentation; it cannot be registered without a summary, and `example` runs as a test (its
 * printed output is compared with the lines after "-->"). The list of its arguments ends with a NULL name; they have no
 * members. */
typedef struct pc_function {
    const char *name;
    lua_CFunction call;
    const char *summary;
    const pc_row *params; /* NULL: none */
    const char *returns;  /* "number (J)", or NULL */
    const char *source;   /* literature, or NULL */
    const char *example;
} pc_function;

/* The list of arguments of a function that takes one table, with the parameters of a schema. */
#define PC_TAKES(schema)                                                                                               \
    ((const pc_row[]){{.name = "options", .kind = PC_TABLE, .initial = PC_REQUIRED, .options = &(schema)}, {0}})

/* A value computed from an object and read as a field: pushes exactly one value. */
typedef struct pc_property {
    const char *name;
    void (*push)(lua_State *L, void *self); /* the userdata is at index 1 of the stack */
    const char *unit;                       /* "" for pure numbers, NULL where it has no meaning */
    const char *doc;
} pc_property;

typedef struct pc_type {
    const char *name;              /* "percuss.impact": also the key of the metatable */
    const char *summary;           /* one sentence */
    const pc_property *properties; /* ends with a NULL name; may be NULL */
    const pc_function *methods;    /* ends with a NULL name; may be NULL */
    const luaL_Reg *metamethods;   /* __add, __len, ...; may be NULL. __index given here is asked last, for names
                                       and keys that are neither property nor method */
    void (*free)(void *self);      /* frees what the payload owns; called once, by __close or the collector: any later
                                      use of the object is the error "the figure was closed" */
    bool (*in_use)(const void *self); /* a function of it is running, which may call a script; NULL: none does */
    void (*describe)(lua_State *L, void *self); /* pushes the text of tostring */
} pc_type;

/* Make the metatable of a type (once a state) and enter the type in the register. Leaves the stack as it was. */
void pc_type_open(lua_State *L, const pc_type *type);

/* A new zeroed userdata of `size` bytes, with metatable and `uservalues` user values, on top of the stack. */
void *pc_type_new(lua_State *L, const pc_type *type, size_t size, int uservalues);

/* Payload at `index`; raises an argument error that names both types, or returns NULL for pc_type_test. */
void *pc_type_check(lua_State *L, int index, const pc_type *type);
void *pc_type_test(lua_State *L, int index, const pc_type *type);

/* Register functions into the table on top of the stack; `path` is the table's name in scripts ("array", "contact";
 * "" for percuss itself). */
void pc_functions_open(lua_State *L, const char *path, const pc_function *functions);

/* Set a documented constant in the table on top of the stack. */
void pc_constant_open(lua_State *L, const char *path, const char *name, double value, const char *unit,
                      const char *doc);

/* Register a constructor: a closure of `call` with the light userdata `context` as upvalue 1, described by a
 * schema, in the table on top of the stack under the last part of schema->name. */
void pc_constructor_open(lua_State *L, const pc_schema *schema, lua_CFunction call, const void *context);

/* Read the options table at `index` into `object` (schema->size bytes, which Lua must own). Unknown names, wrong
 * types and values outside their range raise an error that says what is allowed. The table is not changed. Rows of
 * kind PC_OBJECT accept a userdata of the type "percuss." followed by row->object, whose payload is copied. Returns
 * which rows were given, bit i for row i. */
uint64_t pc_options_read(lua_State *L, int index, const pc_schema *schema, void *object);

/* The same for an object like another of the schema, of which the rows in `given` were given: those in the table take
 * the place of theirs and of their alternatives. */
uint64_t pc_options_change(lua_State *L, int index, const pc_schema *schema, const void *from, uint64_t given,
                           void *object);

/* The same where values of the script are among the rows, or places of the table's list: a plain copy takes its place
 * at `index`, an empty one where nothing is given, with everything under its word. What a metatable gives is asked
 * once. From the copy the caller fetches what the object does not hold; its types are right. `object` may be NULL
 * where no row has a member. */
uint64_t pc_options_take(lua_State *L, int index, const pc_schema *schema, void *object);

/* Push the value of the word in a table of pc_options_take, if it is there. */
bool pc_option_push(lua_State *L, int index, const char *name);

/* The numbers of a list or array in such a table, and their count; NULL: it is not there. Each is within the range of
 * its row, if that has one. What is returned stays on the stack, with what it lies in. */
const double *pc_option_numbers(lua_State *L, int index, const pc_schema *schema, const char *name, size_t *n);

/* Those of the list or array on top of the stack, which belong to the row called `name`. */
const double *pc_list_numbers(lua_State *L, const pc_schema *schema, const char *name, size_t *n);

/* For the part of the library written in Lua, as require "percuss.row_core": its reader (percuss.argument) asks there
 * what is wrong with a value by a row, so that both readers say the same. */
int pc_row_core_open(lua_State *L);

/* Push the value of one row of an object; numbers that are absent (NaN) as nil. */
void pc_row_push(lua_State *L, const pc_row *row, const void *object);

/* Push the one-line form of an object: "contact.linear{ friction = 0.5, ... }". */
void pc_schema_push_text(lua_State *L, const pc_schema *schema, const void *object);

/* Make the table on top of the stack a record: reading a name that it has not is an error with the nearest one, unless
 * it is one of the words "a b c" that may be absent. Pairs, new fields and other keys are as in any table. `optional`
 * must be a constant; its address is a key in the registry. */
void pc_record_seal(lua_State *L, const char *optional);

/* A type of records: tables with the fields that its properties name (push is NULL), under which help, completion and
 * the annotations for editors know them. A field that a record has not is nil, any other name an error. */
void pc_record_open(lua_State *L, const pc_type *type);

/* Make the table on top of the stack a record of the type. */
void pc_record_make(lua_State *L, const pc_type *type);

/* For the part of the library written in Lua, as require "percuss.record_type": (name, list of { name =, unit = })
 * makes such a type and returns its metatable; (name) returns that of a type there is. */
int pc_record_define(lua_State *L);

/* For an __index of one's own: the record at index 1 has no name as at index 2. Raises, or returns 0 if it may be
 * absent. */
int pc_record_missing(lua_State *L, const char *optional);

/* Let the metatable on top of the stack make text of a record as the prompt shows it. */
void pc_record_say(lua_State *L);

/* As luaL_error, but told of the line of the script that called the library, however deep in the part of the library
 * that is written in Lua the mistake was found. In Lua: require "percuss.refuse"(text). */
__attribute__((noreturn)) int pc_refuse(lua_State *L, const char *format, ...);

/* Push the place in the script that called the library, as "file:line: ". */
void pc_push_where(lua_State *L);
int pc_refuse_text(lua_State *L);

/* Raise the error in the record: argument errors with the position in the script; others as an error object
 * (table with fields code, message, time, quantity and a __tostring). Never returns; int for `return pc_raise()`. */
int pc_raise(lua_State *L, const pc_error *err);

/* The error object alone, on top of the stack: { code, message, time, quantity }, printed as its message. */
void pc_error_push(lua_State *L, const pc_error *err);

/* For the environment (files, displays): pushes nil, message, code and returns 3. */
int pc_push_failure(lua_State *L, const pc_error *err);

/* Modules: each opens itself into the table percuss, which is on top of the stack, and leaves the stack balanced.
 * The list is modules.def; open.c runs it. */
#define PC_MODULE(name) void pc_open_##name(lua_State *L);
#include "bind/core/modules.def"
#undef PC_MODULE

/* require "percuss" */
int luaopen_percuss(lua_State *L);

/* Make `require "percuss"` and `require "percuss.study"` work in a host that has percuss linked in. */
void pc_percuss_preload(lua_State *L);

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

/* Arguments of the functions written in C: a wrong one is told with the function, the argument by the name that its
 * documentation gives it, and what it must be. Functions that are not in the register keep Lua's words.
 */

/* As luaL_argerror: raises; int for `return`. `must` completes "restitution: argument 3, speed = -1, ". */
int pc_argument_error(lua_State *L, int index, const char *must);

/* As luaL_typeerror: `expected` is a word of Lua ("number") or the name of a type ("percuss.body"). */
int pc_argument_type_error(lua_State *L, int index, const char *expected);

/* The payload of what stands at `index`, part of an argument; raises "<what> must be a body, not a number". */
void *pc_argument_part(lua_State *L, int index, const pc_type *type, const char *what);

/* As the functions luaL_check*, luaL_opt* and luaL_argcheck. Texts are not numbers and numbers no texts here. */
void pc_argument_check(lua_State *L, bool holds, int index, const char *must);
void pc_argument_any(lua_State *L, int index);
void pc_argument_type(lua_State *L, int index, int type);
double pc_argument_number(lua_State *L, int index);
double pc_argument_number_or(lua_State *L, int index, double otherwise);
lua_Integer pc_argument_integer(lua_State *L, int index);
lua_Integer pc_argument_integer_or(lua_State *L, int index, lua_Integer otherwise);

/* Refuses zero bytes, at which C would cut a name: another file would be written than the one that was meant. */
const char *pc_argument_string(lua_State *L, int index);
const char *pc_argument_string_or(lua_State *L, int index, const char *otherwise);
const char *pc_argument_bytes(lua_State *L, int index, size_t *n);

/* As luaL_checkoption without a default: the place of a word in `words`, which end with NULL. */
int pc_argument_word(lua_State *L, int index, const char *const words[]);

/* The one place where C calls a Lua function given by the user.
 *
 * The call is protected: an error in the function is kept (with its traceback) in the callback's slot and reported
 * as PC_E_CALLBACK, the solver unwinds by returning statuses, and pc_callback_raise raises the kept value once, as it
 * was thrown. A function that yields gets a clear error. After every call the interrupt flag is asked.
 */

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

/* Arrays as other bindings see them: the payload of math/array.h inside a userdata. */

extern const pc_type pc_type_array; /* in the room array, with its methods */

/* A new array of n zeros on top of the stack. */
pc_array *pc_array_new(lua_State *L, size_t n);

/* The array at `index`; an argument error, or NULL for pc_array_test, if it is something else. */
pc_array *pc_array_check(lua_State *L, int index);
pc_array *pc_array_test(lua_State *L, int index);

/* Whether a list of numbers may stand at `index`: a table or an array. */
bool pc_array_or_table(lua_State *L, int index);

/* The array at argument `index`, where a list of numbers is welcome too: it is replaced on the stack by an array. */
pc_array *pc_array_take(lua_State *L, int index);

/* A new array whose elements have no value yet: for results that are written completely, or not handed out. Clearing
 * them first would cost as much as an addition. */
pc_array *pc_array_push_unset(lua_State *L, size_t n);

/* A new array with the elements of a on top of the stack. */
pc_array *pc_array_push_copy(lua_State *L, const pc_array *a);

/* For loops that cost much an element: look at the interrupt flag now and then. */
static inline void pc_array_poll(lua_State *L, size_t i)
{
    if ((i & 0xffff) == 0xffff && pc_interrupted()) pc_interrupt_raise(L, 0);
}

/* Values as bytes, each a tag and what follows it: the parts that recipes (scene.h) and the data of sandboxes
 * (bind/sandbox/data.c) have in common.
 *
 *     N nil, T true, F false, I integer (8 bytes), D double (8), S length (8) and bytes,
 *     L keys and values in turn, up to E
 *
 * Numbers have their least significant byte first. Writing is done twice by the same code, first to count, then into
 * memory of that size, so that no heap memory is held while Lua could raise an error.
 */

typedef struct pc_tagged_out {
    unsigned char *bytes; /* NULL: count alone */
    size_t n;
} pc_tagged_out;

void pc_tagged_put(pc_tagged_out *out, const void *bytes, size_t n);
void pc_tagged_put_tag(pc_tagged_out *out, char tag);
void pc_tagged_put_bits(pc_tagged_out *out, char tag, uint64_t bits);
void pc_tagged_put_string(pc_tagged_out *out, const char *text, size_t n);

/* A nil, boolean, number or string at `index`; false, and nothing is written, for what it is otherwise. */
bool pc_tagged_put_plain(pc_tagged_out *out, lua_State *L, int index);

typedef struct pc_tagged_in {
    const unsigned char *at, *end;
} pc_tagged_in;

/* False where the bytes end too early. */
bool pc_tagged_get_tag(pc_tagged_in *in, char *tag);
bool pc_tagged_get_bits(pc_tagged_in *in, uint64_t *bits);

/* A length of things of `size` bytes, all of which are there; and, for text, where they are. */
bool pc_tagged_get_length(pc_tagged_in *in, size_t size, size_t *n);
bool pc_tagged_get_string(pc_tagged_in *in, const char **text, size_t *n);

/* Push what follows the tag of a nil, boolean, number or string. False if it is cut short. */
bool pc_tagged_push_plain(pc_tagged_in *in, lua_State *L, char tag);

/* The register of everything public: what help, the manual, completion and the documentation tests read.
 *
 * Entries are made when types, functions, constructors and constants are opened; they hold pointers to the const
 * records and are expanded into Lua tables only when somebody asks (`percuss.register()`), so that they cost
 * nothing at start.
 */

/* The function value is on top of the stack and stays there. Its path is owner, separator, name; an empty owner is
 * percuss itself. */
void pc_register_function(lua_State *L, const char *owner, const char *separator, const pc_function *function);

/* Let the table on top of the stack be called as the function, and register both. */
void pc_register_callable(lua_State *L, const char *owner, const pc_function *function);

/* The constructor is on top of the stack and stays there. */
void pc_register_schema(lua_State *L, const pc_schema *schema);

/* What the function of that path computes, as lines "formula: words" (see pc_schema.equations). */
void pc_register_equations(lua_State *L, const char *path, const char *equations);

/* What was registered under a path is something else from now on. */
void pc_register_forget(lua_State *L, const char *path);

void pc_register_type(lua_State *L, const pc_type *type);

void pc_register_constant(lua_State *L, const char *owner, const char *name, double value, const char *unit,
                          const char *doc);

/* The record of the C function that runs, its path ("impact:trace") and whether it is a method; NULL if it is described
 * by a schema, and without a path if it is not in the register. The path lives as long as the register. */
const pc_function *pc_register_running(lua_State *L, const char **path, bool *method);

/* Lua: percuss.register() -> list of entries, percuss.document(path, value, entry), percuss.lookup(value). */
int pc_register_list(lua_State *L);
int pc_register_document(lua_State *L);
int pc_register_lookup(lua_State *L);

/* Lua: percuss.extend(type, name, function); see type.c. */
int pc_type_extend(lua_State *L);

/* Give the module table on top of the stack an __index that names the nearest function. */
void pc_module_strict(lua_State *L, const char *name);

#endif
