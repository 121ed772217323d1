/* Heun's method of order 3: the rows of a table, as rk.h has them; the functions are those of all such tables. */
#include "ode/rk.h"

static const double c[] = {0, 1.0 / 3, 2.0 / 3, 1};
static const pc_rk_entry a[] = {{0, 1.0 / 3}, {1, 2.0 / 3}, {0, 1.0 / 4}, {2, 3.0 / 4}};
static const unsigned char lengths[] = {1, 1, 2};
static const pc_rk_table table = {.stages = 3, .c = c, .a = a, .lengths = lengths};

static const pc_schema schema = {
    .name = "solver.heun",
    .summary = "Heun's method of order 3 with fixed steps and cubic dense output.",
    .source = "Heun (1900)",
    .example = "print(percuss.solver.heun{ step = 1e-3 })",
    .rows = pc_ode_fixed_rows,
    .n_rows = PC_ODE_FIXED_ROWS,
    .size = sizeof(pc_ode_settings),
};

const pc_ode_method pc_ode_heun = {
    .schema = &schema,
    .order = 3,
    .dense_order = 3,
    .dense_degree = 3,
    .stages = 3,
    .table = &table,
    PC_RK_FUNCTIONS,
};
