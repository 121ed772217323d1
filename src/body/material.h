/* Materials: elastic and plastic constants by name. */
#ifndef PC_BODY_MATERIAL_H
#define PC_BODY_MATERIAL_H

#include "base/row.h"

/* NaN where a constant is unknown. Plain data, may be copied. */
typedef struct pc_material {
    char name[32];      /* "" where nothing is known */
    const char *source; /* static text, or NULL */
    double density;     /* kg/m^3 */
    double young;       /* Pa */
    double poisson;     /* - */
    double yield;       /* Pa */
} pc_material;

/* The parameters of a material given by constants. */
extern const pc_schema pc_material_schema;

/* Named materials in the order of materials.def. */
extern const pc_material pc_materials[];
extern const int pc_n_materials;

/* The material of which nothing is known. */
extern const pc_material pc_material_unknown;

/* True if name and constants agree; unknown constants agree with each other. */
bool pc_material_same(const pc_material *a, const pc_material *b);

#endif
