/* A spring that hardens: F_n = k u + h u^3. */
#include "law/element.h"
#include "law/law.h"

#include <math.h>

typedef struct hardening {
    double stiffness, cubic;
    pc_tangential_choice tangential;
} hardening;

enum { LINEAR, CUBIC };

static const pc_row rows[] = {
    PC_ROW(hardening, stiffness, "stiffness", .symbol = "k", .unit = PC_UNIT_N_PER_M, .initial = PC_REQUIRED,
           .allowed = PC_POSITIVE, .sample = {1e3, 1e8}, .doc = "stiffness at small indentations"),
    PC_ROW(hardening, cubic, "hardening", .symbol = "h", .unit = {.kg = 1, .m = -2, .s = -2}, .initial = PC_REQUIRED,
           .allowed = PC_NONNEGATIVE, .sample = {1e8, 1e12}, .doc = "constant of the cubic part"),
    PC_TANGENTIAL_ROWS(hardening),
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    (void)given;
    return pc_tangential_validate(schema, &((hardening *)object)->tangential, err);
}

static void prepare(const void *params, const pc_scales *scales, double mass, double speed, pc_prepared *out)
{
    const hardening *law = params;
    (void)mass, (void)speed;
    double stiffness = pc_scales_stiffness(scales);
    out->c[LINEAR] = law->stiffness / stiffness;
    out->c[CUBIC] = law->cubic * scales->length * scales->length / stiffness;
    out->root = 1;
    out->tangential = pc_tangential_prepare(&law->tangential, scales);
}

static void normal(const pc_prepared *p, const pc_indent *x, pc_normal *out)
{
    double k = p->c[LINEAR], h = p->c[CUBIC], u = x->u;
    out->F = u * (k + h * u * u);
    out->dFdu = out->k = k + 3 * h * u * u;
    out->dFdw = 0;
    out->dk = 6 * h * u;
    out->ddk = 6 * h;
    out->release = u;
    out->kink = 1;
}

static double stored(const pc_prepared *p, const pc_indent *x)
{
    double square = x->u * x->u;
    return square * (p->c[LINEAR] / 2 + p->c[CUBIC] * square / 4);
}

static const pc_element element = {.length = pc_spring_length, .prepare = prepare, .normal = normal, .stored = stored};

PC_ELEMENT_LAW(hardening, hardening, rows, element, 0,
               .summary = "A spring that hardens with the cube of the indentation, with friction.",
               .equations = "F_n = k u + h u^3: at the indentation u\n"
                            "|F_t| <= mu F_n: always",
               .source = "Duffing (1918)",
               .example = "local law = percuss.contact.hardening{ stiffness = 1e6, hardening = 1e12, friction = 0 }\n"
                          "print(law.k) --> 1000000.0",
               .validate = validate)
