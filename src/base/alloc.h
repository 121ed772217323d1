/* Checked allocation. All heap memory of the core comes from here, so that tests can make the n-th request fail.
 *
 * Requests return NULL on failure; the caller turns that into PC_E_MEMORY. Sizes are checked for overflow.
 */
#ifndef PC_BASE_ALLOC_H
#define PC_BASE_ALLOC_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* `count` zeroed elements of `size` bytes. A request for zero elements returns a pointer that may be freed. */
void *pc_calloc(size_t count, size_t size);

/* Resize to `count` elements; on failure the old block stays valid and NULL is returned. */
void *pc_realloc(void *block, size_t count, size_t size);

/* free(NULL) is fine. */
void pc_free(void *block);

/* A copy of a string, or NULL. */
char *pc_strdup(const char *text);

/* A block of any origin is about to be written from end to end: where it is large, large pages spare the kernel most of
 * the faults. Advice alone; nothing changes but speed. */
void pc_expect_writes(void *block, size_t bytes);

/* For programs: a few megabytes that are given back stay with the process, for what is asked for next. Fresh memory
 * comes from the kernel page by page, each by an interrupt that may take longer than what is computed meanwhile. */
void pc_alloc_keep(void);

/* For tests: after `n` more successful requests the next one fails, once; n < 0 turns this off. */
void pc_alloc_fail_after(long n);

/* For tests: requests left before that failure; negative once it has happened, and when it is turned off. */
long pc_alloc_fail_left(void);

/* For tests: blocks taken and not yet given back. */
long pc_alloc_live(void);

/* Blocks that grow as things are added. Their room at least doubles, so each element is copied once or twice in all.
 *
 * A block is a typed pointer and its room, PC_GROW; or a pool, where one piece of code deals with lists of many kinds.
 */

/* Room for `wanted` elements in a block; false if there is no memory, and then block and room are as before.
 *
 *     if (!PC_GROW(run->phases, run->room, run->n_phases + 1)) return pc_fail(err, PC_E_MEMORY, ...);
 */
#define PC_GROW(block, room, wanted) pc_grow(&(block), &(room), (size_t)(wanted), sizeof *(block))

/* For the macro. block: the address of the pointer, of whatever type. */
bool pc_grow(void *block, size_t *room, size_t wanted, size_t size);

/* One of several lists of the same length that share a block: where its pointer is, and the size of an element, which
 * may be some of what it points to. */
typedef struct pc_column {
    void *list;
    size_t size;
} pc_column;
#define PC_COLUMNS(list, each)                                                                                         \
    {                                                                                                                  \
        &(list), (each) * sizeof *(list)                                                                               \
    }
#define PC_COLUMN(list) PC_COLUMNS(list, 1)

/* Room for exactly `wanted` elements in each of n lists, which keep what they hold; no less than there is. Types of
 * greater alignment come first. The block begins with the first list, whose pointer is to be given to pc_free. False if
 * there is no memory, and then all is as before. */
bool pc_columns_reserve(const pc_column *columns, int n, size_t *room, size_t wanted);

/* `used` elements of one size, which its owner knows. */
typedef struct pc_pool {
    void *data;
    size_t used, room;
} pc_pool;

/* Room for `count` more elements, where there is none. */
pc_status pc_pool_enlarge(pc_pool *pool, size_t count, size_t size, pc_error *err);

static inline pc_status pc_pool_grow(pc_pool *pool, size_t count, size_t size, pc_error *err)
{
    return pool->used + count <= pool->room ? PC_OK : pc_pool_enlarge(pool, count, size, err);
}

/* Copies of `count` elements at the end; on failure the pool is as before. */
pc_status pc_pool_append(pc_pool *pool, const void *elements, size_t count, size_t size, pc_error *err);

void pc_pool_free(pc_pool *pool);

#endif
