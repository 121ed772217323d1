/* A field that acts on every body of a scene at its mass centre: an acceleration, or a force on each body; constant, or
 * a function of place and time. */
#include "scene/force/force.h"

typedef struct field {
    pc_force_common common;
    double x, y;
    int per;
} field;

enum { PER_MASS, PER_BODY };
static const char *const per_words[] = {"mass", "body", NULL};

static const pc_row rows[] = {
    PC_ROW(field, x, "x", .unit = PC_UNIT_M_PER_S2, .initial = 0, .allowed = PC_ANY,
           .doc = "along x: an acceleration, or with per = \"body\" a force in N"),
    PC_ROW(field, y, "y", .unit = PC_UNIT_M_PER_S2, .initial = 0, .allowed = PC_ANY,
           .doc = "along y, upwards, likewise"),
    PC_CHOICE_ROW(field, per, "per", per_words, .initial = PER_MASS,
                  .doc = "mass: it accelerates all alike; body: the same force on each"),
    PC_FORCE_NAME_ROW(field),
    PC_FORCE_BREAKS_ROW,
};

static const pc_schema schema = {
    .name = "field",
    .summary = "A field on every body and link of a scene, per mass or per body, constant or a function.",
    .details = "f = function(x, y, t) returns both components, m/s^2 or N, at the mass centre of each body.",
    .example = "local ball = percuss.free{ shape = \"disc\", radius = 0.1, mass = 3 }\n"
               "local tide = percuss.field{ f = function(x, y, t) return 2, 0 end }\n"
               "local run = percuss.simulate(percuss.scene{ ball, tide, gravity = 0 }, { duration = 1 })\n"
               "print(string.format(\"%.6f\", run:at(1).q[1])) --> 1.000000",
    PC_ROWS(rows),
    .size = sizeof(field),
};

static int act(const void *params, double t, const pc_force_end *end, pc_wrench *out)
{
    const field *f = params;
    const pc_force_function *function = &f->common.function;
    double at[3] = {f->x, f->y}, scale = f->per == PER_MASS ? end->mass : 1;
    int got = function->call ? function->call(function->context, PC_FORCE_OF_PLACE, t, end, at) : 0;
    *out = (pc_wrench){scale * at[0], scale * at[1], 0};
    return got;
}

static bool driven(const void *params)
{
    return ((const field *)params)->common.function.call != NULL;
}

const pc_force_kind pc_force_field = {
    .schema = &schema, .ends = 0, .function = PC_FORCE_OF_PLACE, .act = act, .driven = driven};
