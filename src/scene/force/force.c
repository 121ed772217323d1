/* Forces of a scene: see force.h. */
#include "scene/force/force.h"

#include <math.h>

const pc_force_kind *const pc_force_kinds[PC_FORCE_KINDS] = {
#define PC_FORCE(name) &pc_force_##name,
#include "scene/force/forces.def"
#undef PC_FORCE
};

double pc_force_swing(double frequency, double phase, double t)
{
    return frequency == 0 && phase == 0 ? 1 : cos(frequency * t + phase);
}
