/* Blocks that grow as things are added. Their room at least doubles, so each element is copied once or twice in all.
 *
 * A block is a typed pointer and its room, PC_GROW; or a pool, where one piece of code deals with lists of many kinds.
 */
#ifndef PC_BASE_GROW_H
#define PC_BASE_GROW_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Room for `wanted` elements in a block; false if there is no memory, and then block and room are as before.
 *
 *     if (!PC_GROW(run->phases, run->room, run->n_phases + 1)) return pc_fail(err, PC_E_MEMORY, ...);
 */
#define PC_GROW(block, room, wanted) pc_grow(&(block), &(room), (size_t)(wanted), sizeof *(block))

/* For the macro. block: the address of the pointer, of whatever type. */
bool pc_grow(void *block, size_t *room, size_t wanted, size_t size);

/* `used` elements of one size, which its owner knows. */
typedef struct pc_pool {
    void *data;
    size_t used, room;
} pc_pool;

/* Room for `count` more elements. */
pc_status pc_pool_grow(pc_pool *pool, size_t count, size_t size, pc_error *err);

/* Copies of `count` elements at the end; on failure the pool is as before. */
pc_status pc_pool_append(pc_pool *pool, const void *elements, size_t count, size_t size, pc_error *err);

void pc_pool_free(pc_pool *pool);

#endif
