/* Recipes: how things are made again, as bytes.
 *
 * A chain, a free body, an obstacle and a scene keep the options with which they were made; a law and a solver are
 * described by their rows. From these a value (a scene, or a table that holds some of these) becomes bytes, and bytes
 * become the value by calling the same constructors. Keys are sorted, so equal things make equal bytes. Functions leave
 * a mark alone: they cannot be made again.
 */
#ifndef PC_BIND_SCENE_RECIPE_H
#define PC_BIND_SCENE_RECIPE_H

#include "bind/core/bind.h"

#include <stdbool.h>

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
