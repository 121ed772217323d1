/* Hertz and Mindlin without slip at the edge: the law of most particle codes.
 *
 * F_n = K u^1.5, and a tangential stiffness 8 G* sqrt(R u) with Coulomb's limit on the whole force. `incremental`:
 * dF_t = -8 G* sqrt(R u) ds. `secant`: F_t = -8 G* sqrt(R u) s, slip at |s|/u = kappa mu (Lai 1999, eqs 5.11, 5.12).
 * The normal force does not know of the tangential stretch, so neither form has a potential: a stretch stored at one
 * indentation is returned at another, and the works in the result show what that creates or destroys.
 *
 * Sources: Mindlin, J. Appl. Mech. 16 (1949); Lai (1999), section 5.1; Di Renzo and Di Maio, Chem. Eng. Sci. 59 (2004).
 */
#include "law/law.h"
#include "law/hertz.h"

typedef struct hertz_mindlin {
    pc_hertz hertz;
    double friction, rolling;
    int form;
} hertz_mindlin;

enum { INCREMENTAL, SECANT };

static const char *const forms[] = {"incremental", "secant", NULL};

static const pc_row rows[] = {
    PC_HERTZ_ROWS(hertz_mindlin),
    PC_FRICTION_ROW(hertz_mindlin, friction),
    PC_CHOICE_ROW(hertz_mindlin, form, "form", forms, .initial = INCREMENTAL,
                  .doc = "incremental: dF_t = -8 G* sqrt(R u) ds; secant: F_t = -8 G* sqrt(R u) s"),
    PC_ROLLING_ROW(hertz_mindlin, rolling),
};

static const pc_schema schema = {
    .name = "contact.hertz_mindlin",
    .summary = "Hertz contact with Mindlin's no-slip stiffness, as particle codes have it; not conservative.",
    .details =
        "F_n = K u^1.5; the tangential stiffness is 8 G* sqrt(R u), applied to increments or to the whole stretch, "
        "with |F_t| <= mu F_n. Both forms create or destroy a little energy: work.tangential less work.friction "
        "is what the tangential element has not given back.",
    .equations = "K = 4/3 E_c sqrt(R): E_c is the contact modulus, R the relative radius\n"
                 "F_n = K u^1.5: by Hertz, u being the indentation\n"
                 "k_t = K sqrt(u)/kappa: tangential stiffness, equal to 8 G_c sqrt(R u)\n"
                 "|F_t| <= mu F_n: always\n"
                 "F_t = -mu s F_n: in slip, s = 1 or -1 being its direction",
    .source = "Mindlin, J. Appl. Mech. 16 (1949); Lai (1999), equations 5.11 and 5.12",
    .example = "local law = percuss.contact.hertz_mindlin{ modulus = 1, kappa = 0.8, radius = 1, friction = 0.5 }\n"
               "print(law.form) --> incremental",
    PC_ROWS(rows),
    .size = sizeof(hertz_mindlin),
    .groups = {PC_EXACTLY_ONE, PC_EXACTLY_ONE},
    .validate = pc_hertz_validate,
};

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const hertz_mindlin *law = params;
    (void)mass, (void)speed;
    double kappa = law->hertz.kappa;
    out->c[0] = pc_hertz_scaled(&law->hertz, scales);
    out->root = 2;
    out->has_shape = true;
    out->tangential = (pc_tangential){.kind = law->form == SECANT ? PC_TANGENTIAL_SECANT : PC_TANGENTIAL_MINDLIN,
                                      .mu = law->friction,
                                      .ratio = 2 / (3 * kappa),
                                      .cone = kappa * law->friction};
}

static const pc_element element = {.length = pc_hertz_length,
                                   .prepare = prepare,
                                   .normal = pc_hertz_normal,
                                   .stored = pc_hertz_stored,
                                   .shape = pc_hertz_shape};

PC_ELEMENT_LAW(hertz_mindlin, hertz_mindlin, friction, rolling, PC_LAW_MAY_GAIN)
