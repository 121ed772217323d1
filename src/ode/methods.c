/* The list of methods and the rows of their settings: see ode.h. */
#include "ode/ode.h"

#include <math.h>
#include <stddef.h>

const pc_row pc_ode_adaptive_rows[PC_ODE_ADAPTIVE_ROWS] = {
    {.name = "rtol",
     PC_MEMBER(pc_ode_settings, rtol),
     .initial = 1e-9,
     .allowed = {1e-15, 1, false, true},
     .sample = {1e-10, 1e-4},
     .doc = "Error of a step allowed relative to the size of each component."},
    {.name = "atol",
     PC_MEMBER(pc_ode_settings, atol),
     .initial = 1e-12,
     .allowed = {0, INFINITY, true, true},
     .sample = {1e-12, 1e-6},
     .doc = "Error of a step allowed whatever the size of a component."},
    {.name = "first_step",
     PC_MEMBER(pc_ode_settings, first_step),
     .initial = 0,
     .allowed = {0, INFINITY, false, true},
     .doc = "First step to try; 0: chosen from the problem."},
    {.name = "max_step",
     PC_MEMBER(pc_ode_settings, max_step),
     .initial = INFINITY,
     .allowed = {0, INFINITY, true, false},
     .doc = "No step is longer than this."},
    {.name = "max_steps",
     PC_MEMBER(pc_ode_settings, max_steps),
     .initial = 1000000,
     .allowed = {1, 2e9, false, false},
     .doc = "Steps, accepted and rejected, after which the run ends with the error `limit`."},
};

const pc_row pc_ode_fixed_rows[PC_ODE_FIXED_ROWS] = {
    {.name = "step",
     PC_MEMBER(pc_ode_settings, step),
     .initial = PC_REQUIRED,
     .allowed = {0, INFINITY, true, true},
     .sample = {1e-3, 1e-1},
     .doc = "Length of every step; the last one may be shorter."},
    {.name = "max_steps",
     PC_MEMBER(pc_ode_settings, max_steps),
     .initial = 10000000,
     .allowed = {1, 2e9, false, false},
     .doc = "Steps after which the run ends with the error `limit`."},
};

const pc_ode_method *const pc_ode_methods[] = {
#define PC_ODE_METHOD(name) &pc_ode_##name,
#include "ode/methods.def"
#undef PC_ODE_METHOD
};

const int pc_n_ode_methods = (int)(sizeof pc_ode_methods / sizeof *pc_ode_methods);
