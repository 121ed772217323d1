/* Checked allocation. All heap memory of the core comes from here, so that tests can make the n-th request fail.
 *
 * Requests return NULL on failure; the caller turns that into PC_E_MEMORY. Sizes are checked for overflow.
 */
#ifndef PC_BASE_ALLOC_H
#define PC_BASE_ALLOC_H

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

/* For tests: after `n` more successful requests the next one fails, once; n < 0 turns this off. */
void pc_alloc_fail_after(long n);

/* For tests: requests left before that failure; negative once it has happened, and when it is turned off. */
long pc_alloc_fail_left(void);

/* For tests: blocks taken and not yet given back. */
long pc_alloc_live(void);

#endif
