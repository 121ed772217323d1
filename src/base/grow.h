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

/* One of several lists of the same length that share a block: where its pointer is, and the size of an element. */
typedef struct pc_column {
    void *list;
    size_t size;
} pc_column;
#define PC_COLUMN(list)                                                                                                \
    {                                                                                                                  \
        &(list), sizeof *(list)                                                                                        \
    }

/* Room for exactly `wanted` elements in each of n lists, which keep what they hold; no less than there is. Types of
 * greater alignment come first. The block begins with the first list, whose pointer is to be given to pc_free. False if
 * there is no memory, and then all is as before. */
bool pc_columns_reserve(const pc_column *columns, int n, size_t *room, size_t wanted);

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
