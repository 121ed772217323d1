/* The part of percuss written in Lua, kept inside the program: lua/percuss/plot.lua is the module "percuss.plot".
 * The build generates the definition from the files. */
#ifndef PC_BIND_CORE_EMBEDDED_H
#define PC_BIND_CORE_EMBEDDED_H

#include <stddef.h>

struct pc_embedded {
    const char *name; /* of the module */
    const unsigned char *data;
    size_t size;
};

/* Ends with a NULL name. */
extern const struct pc_embedded pc_embedded[];

#endif
