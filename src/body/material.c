/* Materials: see material.h. */
#include "body/material.h"

#include <string.h>

#define AT(field) offsetof(pc_material, field)

static const pc_row rows[] = {
    {.name = "name",
     .kind = PC_TEXT,
     .offset = AT(name),
     .count = sizeof((pc_material *)0)->name,
     .initial = PC_ABSENT,
     .doc = "what results and errors call it; \"custom\" if left out"},
    {.name = "density",
     .symbol = "rho",
     .greek = "ρ",
     .kind = PC_REAL,
     .offset = AT(density),
     .unit = PC_UNIT_KG_PER_M3,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {1e3, 1e4},
     .doc = "mass per volume"},
    {.name = "young",
     .symbol = "E",
     .kind = PC_REAL,
     .offset = AT(young),
     .unit = PC_UNIT_PA,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {1e9, 4e11},
     .doc = "Young's modulus"},
    {.name = "poisson",
     .symbol = "nu",
     .greek = "ν",
     .kind = PC_REAL,
     .offset = AT(poisson),
     .initial = PC_ABSENT,
     .allowed = {-1, 0.5, true, false},
     .sample = {0, 0.5},
     .doc = "Poisson's ratio"},
    {.name = "yield",
     .symbol = "sigma_y",
     .greek = "σ_y",
     .kind = PC_REAL,
     .offset = AT(yield),
     .unit = PC_UNIT_PA,
     .initial = PC_ABSENT,
     .allowed = PC_POSITIVE,
     .sample = {1e7, 1e9},
     .doc = "yield stress"},
};

static pc_status validate(const pc_schema *schema, void *object, uint64_t given, pc_error *err)
{
    pc_material *material = object;
    (void)err;
    if (!pc_schema_given(schema, given, "name")) strcpy(material->name, "custom");
    return PC_OK;
}

const pc_schema pc_material_schema = {
    .name = "material.custom",
    .summary = "A material given by its constants; those that are left out are unknown.",
    .details = "A law that needs a constant which its body's material lacks refuses the body and names the constant.",
    .example = "print(pc.material.custom{ name = \"epoxy\", young = 3.2e9 }.name) --> epoxy",
    PC_ROWS(rows),
    .size = sizeof(pc_material),
    .validate = validate,
};

const pc_material pc_materials[] = {
#define PC_MATERIAL(word, rho, E, nu, sigma, text)                                                                     \
    {.name = #word, .source = text, .density = rho, .young = E, .poisson = nu, .yield = sigma},
#include "body/materials.def"
#undef PC_MATERIAL
};
const int pc_n_materials = sizeof pc_materials / sizeof *pc_materials;

const pc_material pc_material_unknown = {.density = NAN, .young = NAN, .poisson = NAN, .yield = NAN};

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool pc_material_same(const pc_material *a, const pc_material *b)
{
    return strcmp(a->name, b->name) == 0 && same(a->density, b->density) && same(a->young, b->young) &&
           same(a->poisson, b->poisson) && same(a->yield, b->yield);
}
