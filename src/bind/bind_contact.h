/* Contact laws as userdata. */
#ifndef PC_BIND_BIND_CONTACT_H
#define PC_BIND_BIND_CONTACT_H

#include "bind/bind.h"
#include "law/law.h"

#include <stdalign.h>
#include <stdint.h>

/* Payload of a law: its descriptor and the parameters it was made with. */
typedef struct pc_bound_law {
    const pc_law *law;
    uint64_t given; /* which rows the caller set */
    alignas(16) unsigned char params[];
} pc_bound_law;

extern const pc_type pc_type_law;

/* Push a law of the kind of that at `index`, whose parameters are yet to be filled. */
pc_bound_law *pc_law_push_like(lua_State *L, int index);

#endif
