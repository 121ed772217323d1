/* Chains, free bodies, obstacles and scenes as userdata. */
#ifndef PC_BIND_SCENE_SCENE_H
#define PC_BIND_SCENE_SCENE_H

#include "bind/core/bind.h"
#include "scene/part.h"

#include <stdalign.h>
#include <stdbool.h>

/* A chain as it was described, with its motion at the start. User value 1: the function of its torques, 2: the function
 * of its pivot; or nil. The last user value of parts and scenes: the options they were made with (scene.h). */
typedef struct pc_bound_chain {
    pc_chain chain;
    double angles[PC_CHAIN_LINKS], rates[PC_CHAIN_LINKS];
    pc_chain_options options;
} pc_bound_chain;

enum { PC_CHAIN_TORQUE = 1, PC_CHAIN_PIVOT, PC_CHAIN_OPTIONS, PC_CHAIN_USERVALUES = 3 };
enum { PC_FREE_OPTIONS = 1, PC_FREE_PIECES, PC_FREE_USERVALUES = 2 };
enum { PC_OBSTACLE_COROUTINE = 1, PC_OBSTACLE_ROOM, PC_OBSTACLE_OPTIONS, PC_OBSTACLE_USERVALUES = 3 };

/* User value 2: the pieces of its outline, if it has some of its own. */
typedef struct pc_bound_free {
    pc_free_shape shape;
} pc_bound_free;

/* An obstacle: its kind and, after it, its parameters. User value 1: the coroutine in which the functions of its motion
 * run, if it has any; 2: the spans of its curve, if it has one of its own. */
typedef struct pc_bound_obstacle {
    const pc_obstacle_kind *kind;
    lua_State *L;
    pc_callback motion, surface;
    alignas(double) unsigned char params[]; /* Lua aligns what it allocates as a double */
} pc_bound_obstacle;

/* A force: its kind and, after it, its parameters. User value 1: the coroutine in which its function runs, if it has
 * one; 3: its breaks. */
typedef struct pc_bound_force {
    const pc_force_kind *kind;
    lua_State *L;
    pc_callback call;
    alignas(double) unsigned char params[]; /* Lua aligns what it allocates as a double */
} pc_bound_force;
enum { PC_FORCE_COROUTINE = 1, PC_FORCE_OPTIONS, PC_FORCE_BREAKS, PC_FORCE_USERVALUES = 3 };

/* The two Lua functions that a chain of a scene may have, while they may be called. */
typedef struct pc_scene_functions {
    pc_callback torque, pivot;
    bool has_torque, has_pivot;
    int n;
    pc_error *err;
    pc_callback **failed;
} pc_scene_functions;

/* User value 1: what it was made of, in order; 2: the laws; 3 to 5 and 7: the blocks that chains, functions, start and
 * the lists of the scene point to, which live as long as any run of the scene, closed or not. The scene's chains are
 * copies, because their functions are called in the Lua state that runs. */
typedef struct pc_bound_scene {
    pc_scene scene;
    pc_chain *chains;
    pc_scene_functions *functions;
    double *start; /* q, u; NULL: it is still being built, and owns its lists */
    int n_chains;
    int in_use; /* how many have its functions open */
} pc_bound_scene;

enum {
    PC_SCENE_PARTS = 1,
    PC_SCENE_LAWS,
    PC_SCENE_CHAINS,
    PC_SCENE_FUNCTIONS,
    PC_SCENE_START,
    PC_SCENE_OPTIONS,
    PC_SCENE_LISTS,
    PC_SCENE_USERVALUES = 7
};

extern const pc_type pc_type_chain, pc_type_free, pc_type_obstacle, pc_type_force, pc_type_mechanism, pc_type_scene;

/* Make the Lua functions of the scene at `index` callable: pushes what they need onto the stack, where it has to stay.
 * What was there before (a simulation within a function of the same scene) goes to `saved`, a userdata on the stack. */
pc_scene_functions *pc_scene_functions_open(lua_State *L, int index, pc_error *err, pc_callback **failed);
void pc_scene_functions_close(pc_bound_scene *scene, const pc_scene_functions *saved);

/* Constructors of the parts: chain{ ... }, free{ ... } and, with the kind as light upvalue 1, obstacles and forces. */
int pc_link_new(lua_State *L);
int pc_chain_new(lua_State *L);
extern const pc_schema pc_chain_options_schema;
int pc_free_new(lua_State *L);
int pc_obstacle_new(lua_State *L);
int pc_force_new(lua_State *L);

/* Systems of the user's own (mechanism.c): the constructor; the mechanism at `index` with its motion at the start, NULL
 * if it is none; and, pushed, what its functions and numbers are, as text, and what it was made of with that. */
int pc_mechanism_new(lua_State *L);
extern const pc_schema pc_mechanism_schema;
const pc_mechanism *pc_bound_mechanism_test(lua_State *L, int index, const double **start);
void pc_mechanism_push_identity(lua_State *L, int index);
void pc_mechanism_push_options(lua_State *L, int index);

/* Append the laws of its gaps to the list at `laws`. */
void pc_mechanism_keep_laws(lua_State *L, int index, int laws);

/* For __index: push the row of the object that is called as the string at index 2. */
int pc_push_parameter(lua_State *L, const pc_schema *schema, const void *object);

/* The n places { x, y } of the list on top of the stack, the row of what the error names; a block of them is pushed. */
const double (*pc_read_places(lua_State *L, const char *what, const char *row, int n))[2];

/* Push a list of n numbers. */
void pc_push_numbers(lua_State *L, const double *v, int n);

/* Recipes: how things are made again, as bytes.
 *
 * A chain, a free body, an obstacle and a scene keep the options with which they were made; a law and a solver are
 * described by their rows. From these a value (a scene, or a table that holds some of these) becomes bytes, and bytes
 * become the value by calling the same constructors. Keys are sorted, so equal things make equal bytes. Functions leave
 * a mark alone: they cannot be made again.
 */

/* Keep the options in the table at `options` for the object at `object`, as its user value `uservalue`: a copy, so that
 * what the caller does to the table afterwards does not matter. */
void pc_recipe_keep(lua_State *L, int options, int object, int uservalue);

/* Push the bytes of the value at `index`, a userdata whose length is *n. Raises an error, which begins with `what`, for
 * values that have no recipe. */
const unsigned char *pc_recipe_push(lua_State *L, int index, const char *what, size_t *n);

/* Push the value of a recipe; false, and nothing is pushed, if the bytes are none. Functions become marks that are no
 * functions. */
bool pc_recipe_make(lua_State *L, const unsigned char *bytes, size_t n);

/* Where the first function is, as "[1].torque", pushed as a string; false, and nothing is pushed, if there is none. */
bool pc_recipe_push_function(lua_State *L, const unsigned char *bytes, size_t n);

/* Where two recipes differ first, pushed as a string; false, and nothing is pushed, where they are equal. */
bool pc_recipe_push_difference(lua_State *L, const unsigned char *a, size_t n, const unsigned char *b, size_t m);

#endif
