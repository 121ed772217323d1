/* The linear stick-slip law: its parameters and its descriptor. See linear.h for the law and linear/kernel.h for the
 * solution. */
#include "law/linear/linear.h"
#include "law/linear/history.h"
#include "law/recorder.h"

#include <math.h>

/* Places in the list of rows. */
enum { STIFFNESS, TANGENTIAL };

static const pc_row rows[] = {
    {.name = "stiffness",
     .symbol = "kn",
     .kind = PC_REAL,
     .offset = offsetof(pc_linear, kn),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_REQUIRED,
     .allowed = PC_POSITIVE,
     .sample = {1e3, 1e8},
     .doc = "Stiffness of the normal spring."},
    {.name = "tangential",
     .symbol = "kt",
     .kind = PC_REAL,
     .offset = offsetof(pc_linear, kt),
     .unit = PC_UNIT_N_PER_M,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {1e3, 1e8},
     .group = 1,
     .doc = "Stiffness of the tangential spring."},
    {.name = "stiffness_ratio",
     .symbol = "eta",
     .greek = "η",
     .kind = PC_REAL,
     .offset = offsetof(pc_linear, eta),
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {0.05, 5},
     .group = 1,
     .doc = "Normal over tangential stiffness; 1.17 to 1.5 for Poisson's ratio 0.25 to 0.5 (Birlik 4.2.1.1.2)."},
    {.name = "friction",
     .symbol = "mu",
     .greek = "μ",
     .kind = PC_REAL,
     .offset = offsetof(pc_linear, mu),
     .initial = PC_REQUIRED,
     .allowed = PC_NONNEGATIVE,
     .sample = {0, 2},
     .doc = "Coefficient of friction of the contact particle, the same in stick and slip."},
    {.name = "restitution",
     .role = PC_RESTITUTION,
     .symbol = "E",
     .kind = PC_REAL,
     .offset = offsetof(pc_linear, restitution),
     .initial = 1,
     .allowed = {0, 1, true, false},
     .sample = {0.3, 1},
     .doc = "Root of the energy that the normal spring returns: it unloads on kn/E^2."},
};

static pc_status validate(void *object, uint64_t given, pc_error *err)
{
    pc_linear *law = object;
    (void)err;
    if (given >> TANGENTIAL & 1)
        law->eta = law->kn / law->kt;
    else
        law->kt = law->kn / law->eta;
    return PC_OK;
}

static pc_linear_given given_of(const pc_linear *law, const pc_mobility *W, const double v0[3])
{
    pc_linear_given given = {W->tt,   W->tn,    W->nn,   v0[PC_T],         v0[PC_N],
                             law->kn, law->eta, law->mu, law->restitution, W->rank};
    return given;
}

static pc_status refuse(const pc_mobility *W, pc_error *err)
{
    return pc_fail(err, PC_E_ARGUMENT,
                   "the linear law needs a positive semi-definite W with w_nn > 0; this one has w_tt = %.10g, "
                   "w_tn = %.10g, w_nn = %.10g 1/kg",
                   W->tt, W->tn, W->nn);
}

static pc_status impact(const void *params, const pc_mobility *W, const double v0[3], pc_impact *out, pc_error *err)
{
    pc_mobility plane = *W;
    pc_status status = pc_impact_begin(out, &plane, 2, v0, err);
    if (status || out->outcome == PC_OUTCOME_NONE) return status;
    pc_linear_given given = given_of(params, &plane, v0);
    double problem[7];
    pc_linear_scale scale;
    if (!pc_linear_scale_problem(&given, problem, &scale)) return refuse(W, err);
    return pc_linear_record(problem, &scale, out, err);
}

static pc_status trace(const void *params, const pc_mobility *W, const pc_impact *from, const double *times, size_t n,
                       pc_state *out, pc_error *err)
{
    pc_linear_given given = given_of(params, W, from->v0);
    double problem[7];
    pc_linear_scale scale;
    if (from->outcome == PC_OUTCOME_NONE)
        return pc_fail(err, PC_E_ARGUMENT, "there was no impact: the bodies did not approach");
    if (!pc_linear_scale_problem(&given, problem, &scale)) return refuse(W, err);
    return pc_linear_trace(problem, &scale, times, n, out, err);
}

static const pc_schema schema = {
    .name = "contact.linear",
    .summary = "Normal and tangential spring with Coulomb friction, solved in closed form.",
    .details = "F_n = kn u_n and F_t = -kt u_t act on a massless contact particle that sticks while |F_t| < mu F_n and "
               "slips with F_t = -mu F_n against its velocity otherwise. An impact is a chain of stick and slip "
               "phases; no step size and no tolerance enter. With restitution E < 1 the normal spring unloads on "
               "kn/E^2 about a residual indentation and is loaded again on that line up to its greatest force. A body "
               "with one degree of freedom may wedge: then it vibrates in contact for ever, and the verdict is exact.",
    .source = "Birlik (2012), sections 3.3.1.1 and 4.2.1; Stronge, Impact Mechanics (2000), chapter 5; "
              "Walton and Braun, J. Rheology 30 (1986)",
    .example = "local spring = percuss.contact.linear{ stiffness = 1.5e7, eta = 1.21, friction = 0.5 }\n"
               "print(string.format('%.4g', spring.kt)) --> 1.24e+07",
    .rows = rows,
    .n_rows = sizeof rows / sizeof rows[0],
    .size = sizeof(pc_linear),
    .groups = {PC_EXACTLY_ONE},
    .validate = validate,
};

PC_ONE_FRICTION(pc_linear, mu)

const pc_law pc_law_linear = {
    .schema = &schema,
    .abilities = PC_LAW_PLANAR | PC_LAW_COMPLIANT | PC_LAW_CLOSED_FORM | PC_LAW_CONSERVATIVE,
    .impact = impact,
    .trace = trace,
    .map = pc_linear_map_columns,
    .element = &pc_linear_element,
    .friction = friction,
};
