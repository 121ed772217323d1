/* A body given by Lai's three parameters (1999, 3.34): W = (1/m) [1 + l cos 2 theta, l sin 2 theta; ., 1 - l cos 2
 * theta]. The text at his (3.33) measures theta from n; the equations, and percuss, from t to the axis of the greater
 * mobility. */
#include "body/kind.h"

#include <math.h>

typedef struct lai {
    pc_surface surface;
    double mass, lambda, theta;
} lai;

static const pc_row rows[] = {
    {.name = "mass",
     .symbol = "m",
     PC_MEMBER(lai, mass),
     .unit = PC_UNIT_KG,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e-3, 10},
     .doc = "Lai's effective mass, 2/(w_tt + w_nn)"},
    {.name = "lambda",
     .greek = "λ",
     PC_MEMBER(lai, lambda),
     .initial = PC_REQUIRED,
     .allowed = {-1, 1, true, false},
     .sample = {0, 0.99},
     .doc = "(N1 - N2)/(N1 + N2) of the principal mobilities; a negative value exchanges the two axes"},
    {.name = "theta",
     .greek = "θ",
     PC_MEMBER(lai, theta),
     .unit = PC_UNIT_RAD,
     .initial = 0,
     .allowed = {-M_PI, M_PI, false, false},
     .sample = {-1.5, 1.5},
     .doc = "angle from t to the axis of the greater mobility"},
    PC_SURFACE_ROWS(lai),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)err;
    lai *p = object;
    pc_surface_settle(&p->surface, schema, given, PC_ABSENT);
    return PC_OK;
}

static const pc_schema schema = {
    .name = "body.lai",
    .summary = "A body given by Lai's effective mass, lambda and theta.",
    .details = "lambda at theta = 0: solid sphere 5/9, disc 1/2, thin shell 3/7, hoop 1/3; slender rod 3/5 at any "
               "theta. It has no velocities of its own.",
    .equations =
        "w_tt = (1 + lambda cos(2 theta))/m: theta is the angle from t to the direction of the greater mobility\n"
        "w_tn = lambda sin(2 theta)/m: which couples the two\n"
        "w_nn = (1 - lambda cos(2 theta))/m: so that w_tt + w_nn = 2/m",
    .source = "Lai (1999), equations 3.33-3.36",
    .example = "print(percuss.body.lai{ mass = 2, lambda = 0.5 }.w_tt) --> 0.75",
    PC_ROWS(rows),
    .size = sizeof(lai),
    .validate = validate,
};

static pc_status build(const void *params, pc_body *body, pc_error *err)
{
    (void)err;
    const lai *p = params;
    double c = p->lambda * cos(2 * p->theta), s = p->lambda * sin(2 * p->theta);
    body->form = PC_BODY_DATA;
    body->mass = p->mass;
    body->W = (pc_mobility){.tt = (1 + c) / p->mass, .tn = s / p->mass, .nn = (1 - c) / p->mass};
    pc_surface_put(&p->surface, body);
    return PC_OK;
}

const pc_body_kind pc_body_kind_lai = {.schema = &schema, .build = build};
