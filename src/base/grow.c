/* Blocks that grow: see grow.h. Pointers of every type have one form, in which they are copied here. */
#include "base/grow.h"

#include "base/alloc.h"

#include <string.h>

enum { LEAST = 16 }; /* elements of the first block */

bool pc_grow(void *block, size_t *room, size_t wanted, size_t size)
{
    if (wanted <= *room) return true;
    size_t more = 2 * *room;
    if (more < wanted) more = wanted;
    if (more < LEAST) more = LEAST;
    void *old;
    memcpy(&old, block, sizeof old);
    void *fresh = pc_realloc(old, more, size);
    if (!fresh) return false;
    memcpy(block, &fresh, sizeof fresh);
    *room = more;
    return true;
}

bool pc_columns_reserve(const pc_column *columns, int n, size_t *room, size_t wanted)
{
    size_t row = 0;
    void *first;
    if (wanted <= *room) return true;
    for (int i = 0; i < n; i++) row += columns[i].size;
    char *fresh = pc_calloc(wanted, row), *next = fresh;
    if (!fresh) return false;
    memcpy(&first, columns[0].list, sizeof first);
    for (int i = 0; i < n; i++) {
        void *old, *list = next;
        memcpy(&old, columns[i].list, sizeof old);
        if (*room > 0) memcpy(list, old, *room * columns[i].size);
        memcpy(columns[i].list, &list, sizeof list);
        next += wanted * columns[i].size;
    }
    pc_free(first);
    *room = wanted;
    return true;
}

pc_status pc_pool_grow(pc_pool *pool, size_t count, size_t size, pc_error *err)
{
    if (pc_grow(&pool->data, &pool->room, pool->used + count, size)) return PC_OK;
    return pc_fail(err, PC_E_MEMORY, "not enough memory for a list of %zu", pool->used + count);
}

pc_status pc_pool_append(pc_pool *pool, const void *elements, size_t count, size_t size, pc_error *err)
{
    pc_status status = pc_pool_grow(pool, count, size, err);
    if (status != PC_OK || count == 0) return status;
    memcpy((char *)pool->data + pool->used * size, elements, count * size);
    pool->used += count;
    return PC_OK;
}

void pc_pool_free(pc_pool *pool)
{
    pc_free(pool->data);
    *pool = (pc_pool){0};
}
