/* The normal force of one stretch of a contact where it is a sum of powers of a root of the indentation:
 *
 *     u = offset + y^root,  F = base + elastic y^e + damping y^d w,  k = stiffness y^s
 *
 * All that an element has to say for its motion to be followed by power series (law/series.h).
 */
#ifndef PC_LAW_FORCE_H
#define PC_LAW_FORCE_H

#include "law/element.h"

typedef struct pc_force {
    double offset, base, elastic, damping, stiffness;
    int elastic_power, damping_power, stiffness_power;
    bool ends_by_force; /* the contact ends where F over its lowest power of y is 0; else where y is 0 */
    double kink;        /* indentation beyond which the element has another shape; infinite: none */
} pc_force;

/* Without offset, base, damping and kink: elastic y^e, and its slope as the stiffness. */
pc_force pc_force_elastic(double elastic, int power, int root);

/* The force and all that is known with it. y is the root of u - offset, of either sign. */
void pc_force_normal(const pc_force *f, int root, double y, double u, double w, pc_normal *out);

#endif
