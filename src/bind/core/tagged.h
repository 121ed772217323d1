/* Values as bytes, each a tag and what follows it: the parts that recipes (recipe.h) and the data of sandboxes
 * (bind/sandbox/data.c) have in common.
 *
 *     N nil, T true, F false, I integer (8 bytes), D double (8), S length (8) and bytes,
 *     L keys and values in turn, up to E
 *
 * Numbers have their least significant byte first. Writing is done twice by the same code, first to count, then into
 * memory of that size, so that no heap memory is held while Lua could raise an error.
 */
#ifndef PC_BIND_CORE_TAGGED_H
#define PC_BIND_CORE_TAGGED_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
