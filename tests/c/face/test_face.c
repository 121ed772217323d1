/* The interface for C: values are those of the core to the bit, every wrong call is told, nothing is left behind. */
#include "face_tools.h"

#include "base/alloc.h"
#include "base/version.h"
#include "engine/collide.h"
#include "motion/collision.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

static const percuss_option sphere[] = {PERCUSS_NUMBER("radius", 5e-3), PERCUSS_NUMBER("mass", 0.0041), PERCUSS_END};
static const percuss_option newton[] = {PERCUSS_NUMBER("restitution", 0.8), PERCUSS_NUMBER("mu", 0.2), PERCUSS_END};
static const percuss_option spring[] = {PERCUSS_NUMBER("stiffness", 1.5e7), PERCUSS_NUMBER("stiffness_ratio", 1.21),
                                        PERCUSS_NUMBER("friction", 0.5), PERCUSS_END};
static const double oblique[3] = {1, -1, 0};

static percuss_body *body_of(const char *kind, const percuss_option *options)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *body = percuss_body_new(kind, options, &error);
    ck_assert_msg(body != NULL, "%s", error.message);
    return body;
}

/* ---- versions, codes, kinds ---- */

START_TEST(versions_of_header_library_and_core_agree)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", PERCUSS_VERSION_MAJOR, PERCUSS_VERSION_MINOR, PERCUSS_VERSION_PATCH);
    ck_assert_str_eq(text, PERCUSS_VERSION);
    ck_assert_str_eq(percuss_version(), PERCUSS_VERSION);
    ck_assert_str_eq(PC_VERSION, PERCUSS_VERSION);
}
END_TEST

START_TEST(codes_have_words)
{
    ck_assert_str_eq(percuss_code_word(PERCUSS_OK), "ok");
    ck_assert_str_eq(percuss_code_word(PERCUSS_E_UNSUPPORTED), "unsupported");
    ck_assert_str_eq(percuss_code_text(PERCUSS_E_MEMORY), "not enough memory");
    ck_assert_str_eq(percuss_code_word((percuss_code)99), "?");
    ck_assert_str_eq(percuss_code_text((percuss_code)-1), "?");
}
END_TEST

START_TEST(every_kind_lists_its_options)
{
    int kinds = 0;
    percuss_error error = PERCUSS_NO_ERROR;
    for (int g = 0; percuss_group(g); g++) {
        const char *group = percuss_group(g);
        ck_assert_int_gt(percuss_kind_count(group), 0);
        for (int i = 0; i < percuss_kind_count(group); i++, kinds++) {
            percuss_kind kind;
            ck_assert_int_eq(percuss_kind_read(group, i, &kind, &error), PERCUSS_OK);
            ck_assert_str_eq(kind.group, group);
            ck_assert(kind.summary && kind.summary[0]);
            for (int k = 0; k < kind.n_options; k++) {
                percuss_option_info o;
                ck_assert_int_eq(percuss_kind_option(group, kind.name, k, &o, &error), PERCUSS_OK);
                ck_assert_msg(o.doc && o.doc[0], "%s.%s.%s has no doc", group, kind.name, o.name);
                ck_assert(o.lo <= o.hi && (o.type != PERCUSS_CHOICE || o.choices));
                ck_assert(!o.required || isnan(o.initial));
                /* a default lies within what is allowed */
                if (o.type == PERCUSS_REAL && !isnan(o.initial)) ck_assert(o.initial >= o.lo && o.initial <= o.hi);
            }
            percuss_option_info none;
            ck_assert_int_eq(percuss_kind_option(group, kind.name, kind.n_options, &none, &error), PERCUSS_E_ARGUMENT);
        }
        percuss_kind none;
        ck_assert_int_eq(percuss_kind_read(group, percuss_kind_count(group), &none, &error), PERCUSS_E_ARGUMENT);
        ck_assert_int_eq(percuss_kind_read(group, -1, &none, &error), PERCUSS_E_ARGUMENT);
    }
    ck_assert_int_ge(kinds, pc_n_laws + pc_n_body_kinds);
    ck_assert_ptr_null(percuss_group(-1));
}
END_TEST

START_TEST(an_option_is_told_with_unit_range_default_and_doc)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_option_info o;
    int i = 0;
    while (percuss_kind_option("law", "linear", i, &o, &error) == PERCUSS_OK && strcmp(o.name, "stiffness") != 0) i++;
    ck_assert_str_eq(o.name, "stiffness");
    ck_assert_str_eq(o.unit, "N/m");
    ck_assert_int_eq(o.type, PERCUSS_REAL);
    ck_assert(o.lo == 0 && o.lo_open && isinf(o.hi));
    ck_assert_int_eq(percuss_kind_option("collide", "collide", 0, &o, &error), PERCUSS_OK);
    ck_assert_str_eq(o.name, "configuration");
    ck_assert_str_eq(o.choices[1], "moving");
    ck_assert(o.initial == 0);
    ck_assert_int_eq(percuss_kind_count("lwa"), 0);
    percuss_kind kind;
    ck_assert_int_eq(percuss_kind_read("lwa", 0, &kind, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "group", "", "did you mean 'law'?");
    ck_assert_int_eq(percuss_kind_option("law", "newtn", 0, &o, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "kind", "", "did you mean 'newton'?");
    ck_assert_int_eq(percuss_kind_read("law", 0, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_kind_option("law", "newton", 0, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_kind_option("law", NULL, 0, &o, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_kind_read(NULL, 0, &kind, NULL), PERCUSS_E_ARGUMENT);
}
END_TEST

/* ---- options ---- */

static void refuses_law(const percuss_option *options, const char *parameter, const char *unit, const char *part)
{
    percuss_error error = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_law_new("newton", options, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, parameter, unit, part);
}

START_TEST(wrong_options_are_refused)
{
    const percuss_option *none = NULL;
    const percuss_option unknown[] = {PERCUSS_NUMBER("restitutoin", 1), PERCUSS_END};
    const percuss_option beyond[] = {PERCUSS_NUMBER("friction", -1), PERCUSS_END};
    const percuss_option no_number[] = {PERCUSS_NUMBER("friction", NAN), PERCUSS_END};
    const percuss_option infinite[] = {PERCUSS_NUMBER("friction", INFINITY), PERCUSS_END};
    const percuss_option twice[] = {PERCUSS_NUMBER("friction", 1), PERCUSS_NUMBER("mu", 1), PERCUSS_END};
    const percuss_option word[] = {PERCUSS_WORD("friction", "much"), PERCUSS_END};
    const percuss_option null_word[] = {PERCUSS_WORD("friction", NULL), PERCUSS_END};
    const double two[2] = {1, 2};
    const percuss_option list[] = {PERCUSS_LIST("friction", two, 2), PERCUSS_END};
    const percuss_option matrix[] = {PERCUSS_MATRIX("friction", two, 2, 1), PERCUSS_END};
    const percuss_option object[] = {PERCUSS_OBJECT("friction", NULL), PERCUSS_END};
    refuses_law(none, "restitution", "", "is needed");
    refuses_law(unknown, "restitutoin", "", "did you mean 'restitution'?");
    refuses_law(beyond, "friction", "", "friction (μ) = -1 is not allowed");
    refuses_law(no_number, "friction", "", "nan is not allowed");
    refuses_law(infinite, "friction", "", "inf is not allowed");
    refuses_law(twice, "friction", "", "are the same parameter");
    refuses_law(word, "friction", "", "must be a number, not a string");
    refuses_law(null_word, "friction", "", "not NULL");
    refuses_law(list, "friction", "", "must be a number, not a list");
    refuses_law(matrix, "friction", "", "must be a number, not a matrix");
    refuses_law(object, "friction", "", "must be a number, not an object");
    percuss_error error = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_law_new("netwon", newton, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "kind", "", "did you mean 'newton'?");
    ck_assert_ptr_null(percuss_law_new(NULL, newton, NULL));
    const percuss_option negative[] = {PERCUSS_NUMBER("radius", -1), PERCUSS_NUMBER("mass", 1), PERCUSS_END};
    ck_assert_ptr_null(percuss_body_new("sphere", negative, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "radius", "m", "radius (R) = -1 m is not allowed; it must be > 0 m");
    /* what no single option is to blame for */
    const percuss_option weightless[] = {PERCUSS_NUMBER("radius", 1), PERCUSS_END};
    ck_assert_ptr_null(percuss_body_new("sphere", weightless, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "mass");
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(booleans_lists_matrices_and_words_are_read)
{
    const percuss_option yes[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 1),
                                  PERCUSS_NUMBER("spatial", 1), PERCUSS_END};
    const percuss_option maybe[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 1),
                                    PERCUSS_NUMBER("spatial", 0.5), PERCUSS_END};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *ball = body_of("sphere", yes);
    double spatial;
    ck_assert_int_eq(percuss_body_read(ball)->spatial, 1);
    ck_assert_int_eq(percuss_body_read(ball)->dof, 6);
    ck_assert_int_eq(percuss_body_get(ball, "spatial", &spatial, &error), PERCUSS_OK);
    ck_assert(spatial == 1);
    ck_assert_ptr_null(percuss_body_new("sphere", maybe, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "spatial", "", "must be 0 or 1");
    const double w[4] = {2, 0.5, 0.5, 1};
    const percuss_option mobility[] = {PERCUSS_MATRIX("mobility", w, 2, 2), PERCUSS_END};
    percuss_body *data = body_of("matrix", mobility);
    ck_assert_int_eq(percuss_body_read(data)->dof, 0);
    ck_assert(percuss_body_read(data)->W[PERCUSS_T][PERCUSS_N] == 0.5 && percuss_body_read(data)->W[0][0] == 2);
    const percuss_option tall[] = {PERCUSS_MATRIX("mobility", w, 99, 2), PERCUSS_END};
    ck_assert_ptr_null(percuss_body_new("matrix", tall, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "mobility", "1/kg", "99 by 2");
    double value;
    ck_assert_int_eq(percuss_body_get(data, "mobility", &value, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "mobility", "", "is no number");
    percuss_body_free(data);
    percuss_body_free(ball);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(materials_are_given_by_name_and_by_constants)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option by_name[] = {PERCUSS_NUMBER("radius", 0.01), PERCUSS_WORD("material", "steel"), PERCUSS_END};
    const percuss_option mistyped[] = {PERCUSS_NUMBER("radius", 0.01), PERCUSS_WORD("material", "stel"), PERCUSS_END};
    percuss_body *ball = body_of("sphere", by_name);
    ck_assert_ptr_null(percuss_body_new("sphere", mistyped, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "material", "", "did you mean \"steel\"?");
    const percuss_option constants[] = {PERCUSS_NUMBER("density", 1000), PERCUSS_NUMBER("young", 1e9),
                                        PERCUSS_NUMBER("poisson", 0.3), PERCUSS_END};
    percuss_material *plastic = percuss_material_new(constants, &error);
    ck_assert_msg(plastic != NULL, "%s", error.message);
    const percuss_option by_handle[] = {PERCUSS_NUMBER("radius", 0.01), PERCUSS_OBJECT("material", plastic),
                                        PERCUSS_END};
    const percuss_option wrong_handle[] = {PERCUSS_NUMBER("radius", 0.01), PERCUSS_OBJECT("material", ball),
                                           PERCUSS_END};
    percuss_body *light = body_of("sphere", by_handle);
    const double volume = 4 / 3.0 * 3.14159265358979323846 * 1e-6;
    ck_assert_double_eq_tol(percuss_body_read(light)->mass, 1000 * volume, 1e-15 * 1000 * volume + 1e-18);
    ck_assert_ptr_null(percuss_body_new("sphere", wrong_handle, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "material", "", "must be a material, not another handle");
    /* a law takes the constants of body and counterpart, but what is given by itself stands */
    const percuss_option of_body[] = {PERCUSS_OBJECT("body", ball), PERCUSS_OBJECT("counter_material", plastic),
                                      PERCUSS_NUMBER("friction", 0.3), PERCUSS_NUMBER("poisson", 0.25), PERCUSS_END};
    percuss_law *law = law_of("coupled", of_body);
    double young, radius, poisson, counter;
    ck_assert_int_eq(percuss_law_get(law, "young", &young, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_law_get(law, "radius", &radius, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_law_get(law, "poisson", &poisson, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_law_get(law, "counter_young", &counter, &error), PERCUSS_OK);
    ck_assert(young > 1.9e11 && fabs(radius - 0.01) < 1e-17 && poisson == 0.25 && counter == 1e9);
    percuss_law_free(law);
    const percuss_option no_body[] = {PERCUSS_OBJECT("body", NULL), PERCUSS_END};
    const percuss_option word_body[] = {PERCUSS_WORD("body", "steel"), PERCUSS_END};
    percuss_error fresh = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_law_new("coupled", no_body, &fresh));
    failed_with(&fresh, PERCUSS_E_ARGUMENT, "body", "", "is NULL");
    ck_assert_ptr_null(percuss_law_new("coupled", word_body, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "body", "", "must be the handle of a body, not a word");
    const percuss_option bad[] = {PERCUSS_NUMBER("poisson", 0.9), PERCUSS_END};
    ck_assert_ptr_null(percuss_material_new(bad, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "poisson", "", "poisson");
    percuss_material_free(plastic);
    percuss_body_free(light);
    percuss_body_free(ball);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(options_are_read_back_with_what_follows_from_them)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_law *law = law_of("linear", spring);
    double k, kt;
    ck_assert_int_eq(percuss_law_get(law, "stiffness", &k, &error), PERCUSS_OK);
    ck_assert_int_eq(percuss_law_get(law, "tangential", &kt, &error), PERCUSS_OK);
    ck_assert(k == 1.5e7);
    ck_assert_double_eq_tol(k / kt, 1.21, 1e-15);
    ck_assert_int_eq(percuss_law_get(law, "stifness", &k, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "stifness", "", "did you mean 'stiffness'?");
    ck_assert_int_eq(percuss_law_get(law, NULL, &k, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_law_get(law, "stiffness", NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_law_get(NULL, "stiffness", &k, NULL), PERCUSS_E_ARGUMENT);
    percuss_law_free(law);
}
END_TEST

/* ---- bodies ---- */

START_TEST(a_body_turns_velocities_and_impulses_into_one_another)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *ball = body_of("sphere", sphere);
    const percuss_body_values *b = percuss_body_read(ball);
    ck_assert_int_eq(b->dof, 3);
    ck_assert(b->mass == 0.0041);
    ck_assert_str_eq(percuss_body_velocity_name(ball, 2), "omega");
    ck_assert_str_eq(percuss_body_velocity_unit(ball, 2), "rad/s");
    ck_assert_str_eq(percuss_body_velocity_unit(ball, 0), "m/s");
    ck_assert_ptr_null(percuss_body_velocity_name(ball, 3));
    ck_assert_ptr_null(percuss_body_velocity_unit(ball, -1));
    /* a rolling sphere: v_t at the contact is v + r omega */
    const double u[3] = {1, -2, 100};
    double v[3], back[3], after[3], energy;
    ck_assert_int_eq(percuss_body_contact_velocity(ball, u, 3, v, &error), PERCUSS_OK);
    ck_assert(fabs(v[0] - 1.5) < 1e-15 && v[1] == -2 && v[2] == 0);
    ck_assert_int_eq(percuss_body_velocities(ball, v, back, 3, &error), PERCUSS_OK);
    ck_assert(back[0] == v[0] && back[1] == -2 && back[2] == 0);
    const double p[3] = {0, 0.0041, 0};
    ck_assert_int_eq(percuss_body_after(ball, u, 3, p, after, &error), PERCUSS_OK);
    ck_assert_double_eq_tol(after[1], -1, 1e-15);
    ck_assert_int_eq(percuss_body_energy(ball, u, 3, &energy, &error), PERCUSS_OK);
    const double wanted = 0.5 * 0.0041 * (5 + 0.4 * 25e-6 * 1e4);
    ck_assert_double_eq_tol(energy, wanted, 1e-15 * wanted * 4);
    ck_assert_int_eq(percuss_body_energy(ball, u, 2, &energy, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "n = 2, but the body has 3");
    const double wild[3] = {1, NAN, 0}, out[3] = {0, -1, 1};
    ck_assert_int_eq(percuss_body_energy(ball, wild, 3, &energy, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "u", "", "u[1] = nan");
    ck_assert_int_eq(percuss_body_velocities(ball, out, back, 3, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "v", "m/s", "needs a body in space");
    ck_assert_int_eq(percuss_body_contact_velocity(NULL, u, 3, v, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_contact_velocity(ball, NULL, 3, v, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_contact_velocity(ball, u, 3, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_velocities(ball, NULL, back, 3, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_after(ball, u, 3, p, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_after(ball, u, 3, NULL, after, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_energy(ball, u, 3, NULL, NULL), PERCUSS_E_ARGUMENT);
    percuss_body *pair = percuss_body_pair(ball, ball, &error);
    ck_assert_double_eq_tol(percuss_body_read(pair)->W[1][1], 2 / 0.0041, 1e-12);
    ck_assert_int_eq(percuss_body_energy(pair, u, 3, &energy, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "u", "", "mobility alone");
    ck_assert_int_eq(percuss_body_get(pair, "radius", &energy, &error), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_body_get(NULL, "radius", &energy, NULL), PERCUSS_E_ARGUMENT);
    percuss_error fresh = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_body_pair(ball, NULL, &fresh));
    failed_with(&fresh, PERCUSS_E_ARGUMENT, "b", "", "is NULL");
    ck_assert_ptr_null(percuss_body_read(NULL));
    percuss_body_free(pair);
    percuss_body_free(ball);
    percuss_body_free(NULL);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(the_joint_of_a_pendulum_blocks_directions)
{
    percuss_error error = PERCUSS_NO_ERROR;
    const percuss_option rod[] = {PERCUSS_NUMBER("length", 1), PERCUSS_NUMBER("mass", 1), PERCUSS_NUMBER("angle", 0.5),
                                  PERCUSS_END};
    percuss_body *pendulum = body_of("pendulum", rod);
    double u;
    ck_assert_int_eq(percuss_body_velocities(pendulum, (const double[3]){1, 0, 0}, &u, 1, &error), PERCUSS_E_ARGUMENT);
    percuss_law *law = law_of("newton", newton);
    ck_assert_ptr_null(percuss_collide(pendulum, law, (const double[3]){1, -1, 0}, NULL, &error));
    ck_assert_int_eq(error.code, PERCUSS_E_ARGUMENT);
    percuss_law_free(law);
    percuss_body_free(pendulum);
}
END_TEST

/* ---- impacts ---- */

/* The same body and law made in the core by hand. */
typedef struct twin {
    pc_body body;
    const pc_law *law;
    _Alignas(16) unsigned char body_params[16384], law_params[4096];
    pc_colliding who;
} twin;

static void set_all(const pc_schema *schema, const percuss_option *options, void *object)
{
    uint64_t given = 0;
    pc_error err = {0};
    pc_schema_defaults(schema, object);
    for (const percuss_option *o = options; o->name; o++) {
        int row = pc_schema_find(schema, o->name);
        bool boolean = schema->rows[row].kind == PC_BOOLEAN;
        pc_status status = boolean ? pc_schema_set_boolean(schema, row, object, o->number != 0, &given, &err)
                                   : pc_schema_set_number(schema, row, object, o->number, &given, &err);
        ck_assert_msg(status == PC_OK, "%s", err.text);
    }
    ck_assert_msg(pc_schema_finish(schema, object, given, &err) == PC_OK, "%s", err.text);
}

static void make_twin(twin *t, const char *body, const percuss_option *body_options, const char *law,
                      const percuss_option *law_options)
{
    pc_error err = {0};
    for (int i = 0; i < pc_n_laws; i++)
        if (strcmp(strchr(pc_laws[i]->schema->name, '.') + 1, law) == 0) t->law = pc_laws[i];
    set_all(t->law->schema, law_options, t->law_params);
    for (int i = 0; i < pc_n_body_kinds; i++) {
        if (strcmp(strchr(pc_body_kinds[i]->schema->name, '.') + 1, body) != 0) continue;
        ck_assert_uint_le(pc_body_kinds[i]->schema->size, sizeof t->body_params);
        set_all(pc_body_kinds[i]->schema, body_options, t->body_params);
        ck_assert_int_eq(pc_body_make(pc_body_kinds[i], t->body_params, &t->body, &err), PC_OK);
    }
    t->who = (pc_colliding){&t->body, t->body_params, t->law, t->law_params};
}

static void equal_state(const percuss_contact_state *a, const pc_state *b, double energy0)
{
    ck_assert(equal(a->t, b->t) && same(a->u, b->u, sizeof b->u) && same(a->v, b->v, sizeof b->v));
    ck_assert(same(a->F, b->F, sizeof b->F) && same(a->p, b->p, sizeof b->p) && same(a->slip, b->s, sizeof b->s));
    ck_assert(equal(a->work_normal, b->work_n) && equal(a->work_friction, b->work_f));
    ck_assert(equal(a->work_tangential, b->work_t + b->work_f));
    ck_assert(equal(a->energy, energy0 + (b->work_n + b->work_t + b->work_f)));
}

/* Everything of an impact against the core's own. */
static void equal_impact(const percuss_impact *hit, const pc_collision *c)
{
    const percuss_impact_record *r = percuss_impact_values(hit);
    const pc_impact *i = &c->impact;
    pc_restitution3 e = pc_impact_restitution(i);
    percuss_error error = PERCUSS_NO_ERROR;
    ck_assert_int_eq((int)r->outcome, (int)i->outcome);
    ck_assert_uint_eq(r->flags, i->flags);
    ck_assert(same(r->velocity_before, i->v0, sizeof i->v0) && same(r->velocity, i->v1, sizeof i->v1));
    ck_assert(same(r->impulse, i->impulse, sizeof i->impulse));
    ck_assert(same(r->impulse_compression, i->impulse_compression, sizeof r->impulse));
    ck_assert(same(r->impulse_restitution, i->impulse_restitution, sizeof r->impulse));
    ck_assert(equal(r->kinematic, e.kinematic) && equal(r->kinetic, e.kinetic) && equal(r->energetic, e.energetic));
    ck_assert(equal(r->energy_before, c->energy0) && equal(r->energy, c->energy1));
    ck_assert(c->moving ? isnan(r->contact_energy) : equal(r->contact_energy, i->energy1));
    ck_assert(c->moving ? isnan(r->contact_energy_before) : equal(r->contact_energy_before, i->energy0));
    ck_assert(equal(r->loss, pc_impact_loss(i)) && equal(r->loss_max, c->loss_max));
    ck_assert(equal(r->work_normal, i->work_n) && equal(r->work_tangential, i->work_t + i->work_f));
    ck_assert(equal(r->work_friction, i->work_f) && equal(r->work_normal_compression, i->work_n_compression));
    ck_assert(equal(r->work_normal_restitution, i->work_n_restitution) && equal(r->duration, i->duration));
    ck_assert(equal(r->compression_time, i->compression_time) && same(r->peak, i->peak, sizeof i->peak));
    ck_assert(same(r->peak_time, i->peak_time, sizeof i->peak_time) && equal(r->arrest_time, i->arrest_time));
    ck_assert(equal(r->lock_frequency, i->lock_frequency) && same(r->lock_mean, i->lock_mean, sizeof i->lock_mean));
    ck_assert(same(r->lock_amplitude, i->lock_amplitude, sizeof i->lock_amplitude));
    ck_assert(equal(r->rotation, c->rotation));
    ck_assert_str_eq(percuss_impact_regime(hit), pc_impact_regime(i));
    ck_assert_int_eq(r->n_phases, i->n_phases);
    for (int k = 0; k < r->n_phases; k++) {
        percuss_phase phase;
        ck_assert_int_eq(percuss_impact_phase(hit, k, &phase, &error), PERCUSS_OK);
        ck_assert_int_eq(phase.slips, i->phases[k].kind == PC_PHASE_SLIP);
        ck_assert_int_eq(phase.sign, i->phases[k].sign);
        equal_state(&phase.start, &i->phases[k].start, c->energy0);
        equal_state(&phase.stop, &i->phases[k].stop, c->energy0);
    }
    ck_assert_int_eq(r->n_reversals, i->n_reversals);
    for (int k = 0; k < r->n_reversals; k++) {
        double t;
        ck_assert_int_eq(percuss_impact_reversal(hit, k, &t, &error), PERCUSS_OK);
        ck_assert(equal(t, i->reversals[k]));
    }
}

static const percuss_option moving[] = {PERCUSS_WORD("configuration", "moving"), PERCUSS_END};

/* Collide by own velocities here and in the core, and look at both in the same way. */
static void compare(const char *body, const percuss_option *body_options, const char *law,
                    const percuss_option *law_options, const double *u, const percuss_option *how)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *b = body_of(body, body_options);
    percuss_law *l = law_of(law, law_options);
    int n = percuss_body_read(b)->dof;
    percuss_impact *hit = percuss_collide_own(b, l, u, n, how, &error);
    ck_assert_msg(hit != NULL, "%s", error.message);
    percuss_body_free(b); /* the impact keeps what it needs */
    percuss_law_free(l);

    static twin t;
    make_twin(&t, body, body_options, law, law_options);
    pc_collide_options options = {.configuration = how != NULL};
    pc_collision c;
    pc_error err = {0};
    double v[3];
    pc_body_contact_velocity(&t.body, u, v);
    ck_assert_int_eq(pc_collide(&t.who, &options, u, v, &c, &err), PC_OK);
    equal_impact(hit, &c);
    double before[PC_BODY_DOF], after[PC_BODY_DOF];
    ck_assert_int_eq(percuss_impact_body(hit, before, after, n, &error), PERCUSS_OK);
    ck_assert(same(before, c.u0, (size_t)n * sizeof *before) && same(after, c.u1, (size_t)n * sizeof *after));
    if (t.law->abilities & PC_LAW_COMPLIANT) {
        double end = isfinite(c.impact.duration) ? c.impact.duration : 2 * c.impact.phases[0].stop.t;
        const double times[3] = {0, 0.3 * end, end};
        percuss_contact_state states[3];
        pc_state own[3];
        ck_assert_int_eq(percuss_impact_trace(hit, times, 3, states, &error), PERCUSS_OK);
        ck_assert_int_eq(pc_collision_trace(&t.who, &c, times, 3, own, &err), PC_OK);
        for (int k = 0; k < 3; k++) equal_state(&states[k], &own[k], c.energy0);
    } else {
        const double p[2] = {0.1 * c.impact.impulse[PC_N], c.impact.impulse[PC_N]};
        percuss_contact_state states[2];
        pc_state own[2];
        ck_assert_int_eq(percuss_impact_path(hit, p, 2, states, &error), PERCUSS_OK);
        ck_assert_int_eq(t.law->path(t.law_params, &c.W, &c.impact, p, 2, own, &err), PC_OK);
        for (int k = 0; k < 2; k++) equal_state(&states[k], &own[k], c.energy0);
    }
    pc_impact_free(&c.impact);
    percuss_impact_free(hit);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}

START_TEST(impacts_are_those_of_the_core)
{
    const double u[3] = {1, -1, 3}, in_space[6] = {1, -1, 0.3, 4, 5, 6}, turning[1] = {-2};
    const percuss_option rod[] = {PERCUSS_NUMBER("length", 1), PERCUSS_NUMBER("mass", 1), PERCUSS_NUMBER("angle", 0.5),
                                  PERCUSS_END};
    const percuss_option spatial[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 1),
                                      PERCUSS_NUMBER("spatial", 1), PERCUSS_END};
    const percuss_option hunt[] = {PERCUSS_NUMBER("stiffness", 1e9), PERCUSS_NUMBER("restitution", 0.7),
                                   PERCUSS_NUMBER("friction", 0.2), PERCUSS_END};
    const percuss_option rough[] = {PERCUSS_NUMBER("stiffness", 1e6), PERCUSS_NUMBER("stiffness_ratio", 1.5),
                                    PERCUSS_NUMBER("friction", 5), PERCUSS_END};
    compare("sphere", sphere, "newton", newton, u, NULL);
    compare("sphere", sphere, "poisson", newton, u, NULL);
    compare("sphere", sphere, "stronge", newton, u, NULL);
    compare("sphere", sphere, "linear", spring, u, NULL);
    compare("sphere", sphere, "hunt_crossley", hunt, u, NULL);
    compare("sphere", spatial, "poisson", newton, in_space, NULL);
    compare("rod", rod, "linear", spring, u, moving);
    compare("pendulum", rod, "linear", rough, turning, NULL);
    compare("pendulum", rod, "linear", spring, turning, moving);
}
END_TEST

START_TEST(the_velocity_of_the_contact_point_is_enough)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *ball = body_of("sphere", sphere);
    percuss_law *law = law_of("newton", newton);
    percuss_impact *hit = percuss_collide(ball, law, oblique, NULL, &error);
    percuss_impact *own = percuss_collide_own(ball, law, oblique, 3, NULL, &error); /* without spin they are the same */
    ck_assert(same(percuss_impact_values(hit), percuss_impact_values(own), sizeof(percuss_impact_record)));
    /* by Newton v_n+ = -e v_n-; friction holds the contact point, whose mobility is 7/2 of that of the centre */
    const percuss_impact_record *r = percuss_impact_values(hit);
    ck_assert_double_eq_tol(r->velocity[PERCUSS_N], 0.8, 1e-15);
    ck_assert_double_eq_tol(r->impulse[PERCUSS_N], 1.8 * 0.0041, 1e-17);
    ck_assert_double_eq_tol(r->impulse[PERCUSS_T], -2 / 7.0 * 0.0041, 1e-17);
    /* a body known by its mobility has no velocities of its own */
    percuss_body *pair = percuss_body_pair(ball, ball, &error);
    percuss_impact *both = percuss_collide(pair, law, oblique, NULL, &error);
    ck_assert_double_eq_tol(percuss_impact_values(both)->velocity[PERCUSS_N], 0.8, 1e-15);
    ck_assert_int_eq(percuss_impact_body(both, NULL, NULL, 0, &error), PERCUSS_OK);
    percuss_impact_free(both);
    percuss_impact_free(hit);
    percuss_impact_free(own);
    percuss_body_free(pair);
    percuss_body_free(ball);
    percuss_law_free(law);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

START_TEST(wrong_impacts_are_refused)
{
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *ball = body_of("sphere", sphere);
    percuss_law *rigid = law_of("newton", newton), *elastic = law_of("linear", spring);
    const double away[3] = {1, 1, 0}, wild[3] = {1, NAN, 0}, out[3] = {0, -1, 1};
    ck_assert_ptr_null(percuss_collide(ball, rigid, away, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "do not approach: vn = 1 m/s");
    ck_assert_ptr_null(percuss_collide(ball, rigid, wild, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "velocity", "m/s", "velocity[1] = nan");
    ck_assert_ptr_null(percuss_collide(ball, rigid, out, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "velocity", "m/s", "needs a body in space");
    ck_assert_ptr_null(percuss_collide_own(ball, rigid, oblique, 2, NULL, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "has 3 own velocities");
    ck_assert_ptr_null(percuss_collide(ball, rigid, oblique, moving, &error));
    failed_with(&error, PERCUSS_E_UNSUPPORTED, "", "", "needs a compliant law");
    const percuss_option still[] = {PERCUSS_WORD("configuration", "still"), PERCUSS_END};
    ck_assert_ptr_null(percuss_collide(ball, rigid, oblique, still, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "configuration", "", "must be \"frozen\" or \"moving\"");
    const percuss_option persistent[] = {PERCUSS_WORD("stick", "persistent"), PERCUSS_END};
    ck_assert_ptr_null(percuss_collide(ball, elastic, oblique, persistent, &error));
    failed_with(&error, PERCUSS_E_ARGUMENT, "", "", "belongs to configuration");
    const percuss_option spatial[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 1),
                                      PERCUSS_NUMBER("spatial", 1), PERCUSS_END};
    percuss_body *free_ball = body_of("sphere", spatial);
    ck_assert_ptr_null(percuss_collide(free_ball, elastic, out, NULL, &error));
    failed_with(&error, PERCUSS_E_UNSUPPORTED, "", "", "use a spatial law");
    percuss_body_free(free_ball);

    /* NULL is told, but hides no failure that is in the record */
    ck_assert_ptr_null(percuss_collide(NULL, rigid, oblique, NULL, &error));
    failed_with(&error, PERCUSS_E_UNSUPPORTED, "", "", "use a spatial law");
    percuss_error fresh = PERCUSS_NO_ERROR;
    ck_assert_ptr_null(percuss_collide(NULL, rigid, oblique, NULL, &fresh));
    failed_with(&fresh, PERCUSS_E_ARGUMENT, "body", "", "collide: body is NULL");
    ck_assert_ptr_null(percuss_collide(ball, NULL, oblique, NULL, NULL));
    ck_assert_ptr_null(percuss_collide(ball, rigid, NULL, NULL, NULL));
    ck_assert_ptr_null(percuss_collide_own(NULL, rigid, oblique, 3, NULL, NULL));
    ck_assert_ptr_null(percuss_collide_own(ball, NULL, oblique, 3, NULL, NULL));
    ck_assert_ptr_null(percuss_collide_own(ball, rigid, NULL, 3, NULL, NULL));

    percuss_impact *hit = percuss_collide(ball, rigid, oblique, NULL, &error);
    percuss_contact_state state;
    percuss_phase phase;
    double t, p = 1;
    ck_assert_int_eq(percuss_impact_phase(hit, 7, &phase, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "i", "", "there is no phase 7; the impact has 2");
    ck_assert_int_eq(percuss_impact_reversal(hit, -1, &t, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "i", "", "there is no reversal -1");
    ck_assert_int_eq(percuss_impact_body(hit, NULL, NULL, 2, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "n", "", "has 3 own velocities");
    ck_assert_int_eq(percuss_impact_trace(hit, &p, 1, &state, &error), PERCUSS_E_UNSUPPORTED);
    failed_with(&error, PERCUSS_E_UNSUPPORTED, "impact", "", "has no history in time");
    ck_assert_int_eq(percuss_impact_path(hit, &p, 1, &state, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "impulses", "N s", "is beyond that of the impact");
    ck_assert_int_eq(percuss_impact_phase(hit, 0, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_phase(NULL, 0, &phase, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_reversal(NULL, 0, &t, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_body(NULL, NULL, NULL, 3, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_path(NULL, &p, 1, &state, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_path(hit, NULL, 1, &state, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_path(hit, NULL, 0, NULL, NULL), PERCUSS_OK);
    ck_assert_ptr_null(percuss_impact_values(NULL));
    ck_assert_ptr_null(percuss_impact_regime(NULL));
    percuss_impact_free(hit);
    hit = percuss_collide(ball, elastic, oblique, NULL, &error);
    const double backwards[2] = {1e-6, 0}, before[1] = {-1};
    percuss_contact_state two[2];
    ck_assert_int_eq(percuss_impact_trace(hit, backwards, 2, two, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "times", "s", "and ascend");
    ck_assert_int_eq(percuss_impact_trace(hit, before, 1, two, &error), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_path(hit, &p, 1, &state, &error), PERCUSS_E_UNSUPPORTED);
    ck_assert_int_eq(percuss_impact_trace(NULL, backwards, 2, two, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_trace(hit, NULL, 2, two, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_impact_trace(hit, backwards, 2, NULL, NULL), PERCUSS_E_ARGUMENT);
    percuss_impact_free(hit);
    double e;
    ck_assert_int_eq(percuss_law_restitution(rigid, ball, 2, &e, &error), PERCUSS_OK);
    ck_assert_double_eq_tol(e, 0.8, 1e-15);
    ck_assert_int_eq(percuss_law_restitution(rigid, ball, -2, &e, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "speed", "m/s", "must be finite and > 0");
    ck_assert_int_eq(percuss_law_restitution(rigid, NULL, 2, &e, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_law_restitution(NULL, ball, 2, &e, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_law_restitution(rigid, ball, 2, NULL, NULL), PERCUSS_E_ARGUMENT);
    percuss_law_free(rigid);
    percuss_law_free(elastic);
    percuss_body_free(ball);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- maps ---- */

START_TEST(a_map_is_many_impacts)
{
    enum { N = 200 };
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *ball = body_of("sphere", sphere);
    double vt[N], vn[N], out_t[N], out_n[N], duration[N];
    for (int i = 0; i < N; i++) vt[i] = -3 + 0.05 * i, vn[i] = i == 7 ? 1 : -1 - 0.01 * i;
    const char *const names[] = {"vt", "vn", "duration"};
    double *const columns[] = {out_t, out_n, duration};
    percuss_law *laws[2] = {law_of("stronge", newton), law_of("linear", spring)};
    for (int k = 0; k < 2; k++) {
        size_t failed = 9;
        ck_assert_int_eq(percuss_map(ball, laws[k], N, vt, vn, names, columns, 3, 2, &failed, &error), PERCUSS_OK);
        ck_assert_uint_eq(failed, 0);
        for (int i = 0; i < N; i++) {
            const double v[3] = {vt[i], vn[i], 0};
            if (i == 7) ck_assert(out_t[i] == vt[i] && out_n[i] == vn[i]);
            if (i == 7) continue;
            percuss_impact *hit = percuss_collide(ball, laws[k], v, NULL, &error);
            const percuss_impact_record *r = percuss_impact_values(hit);
            /* a batch kernel computes the same formulas in another order: rounding of some steps */
            ck_assert_double_eq_tol(out_t[i], r->velocity[0], 1e-13 * 5);
            ck_assert_double_eq_tol(out_n[i], r->velocity[1], 1e-13 * 5);
            ck_assert(fabs(duration[i] - r->duration) <= 1e-13 * r->duration);
            percuss_impact_free(hit);
        }
    }
    const char *const wrong[] = {"vt", "vz", "duration"}, *const twice[] = {"vt", "vt", "duration"};
    double *const none[] = {out_t, NULL, duration};
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, vn, wrong, columns, 3, 1, NULL, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "vz", "", "column 'vz' does not exist");
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, vn, twice, columns, 3, 1, NULL, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "vt", "", "is named twice");
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, vn, names, columns, 3, 65, NULL, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "threads", "", "must be from 1 to 64");
    vt[3] = INFINITY;
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, vn, names, columns, 3, 1, NULL, &error), PERCUSS_E_ARGUMENT);
    failed_with(&error, PERCUSS_E_ARGUMENT, "v_t", "m/s", "v_t[3] = inf");
    vt[3] = 0;
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, vn, names, none, 3, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, vn, NULL, NULL, 1, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_map(ball, laws[0], N, NULL, vn, names, columns, 3, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_map(ball, laws[0], N, vt, NULL, names, columns, 3, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_map(NULL, laws[0], N, vt, vn, names, columns, 3, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    ck_assert_int_eq(percuss_map(ball, NULL, N, vt, vn, names, columns, 3, 1, NULL, NULL), PERCUSS_E_ARGUMENT);
    const percuss_option spatial[] = {PERCUSS_NUMBER("radius", 0.1), PERCUSS_NUMBER("mass", 1),
                                      PERCUSS_NUMBER("spatial", 1), PERCUSS_END};
    percuss_body *free_ball = body_of("sphere", spatial);
    ck_assert_int_eq(percuss_map(free_ball, laws[0], N, vt, vn, names, columns, 3, 1, NULL, &error),
                     PERCUSS_E_UNSUPPORTED);
    failed_with(&error, PERCUSS_E_UNSUPPORTED, "body", "", "planar laws on planar bodies");
    const char *name, *unit, *doc;
    int n = 0;
    while (percuss_map_column(n, &name, &unit, &doc)) ck_assert(name[0] && doc[0] && ++n);
    ck_assert_int_eq(n, PC_N_MAP_OUTPUTS);
    ck_assert_int_eq(percuss_map_column(-1, NULL, NULL, NULL), 0);
    ck_assert_int_eq(percuss_map_column(0, NULL, NULL, NULL), 1);
    for (int k = 0; k < 2; k++) percuss_law_free(laws[k]);
    percuss_body_free(free_ball);
    percuss_body_free(ball);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

/* ---- memory and threads ---- */

/* A little of everything, in one go; what fails is seen at the end. Nothing may be left, whatever failed. */
static percuss_code everything(percuss_error *error)
{
    const double times[2] = {0, 1e-5}, vt[2] = {0, 1}, vn[2] = {-1, -1};
    double out[2];
    const char *const names[] = {"vt"};
    double *const columns[] = {out};
    percuss_contact_state states[2];
    percuss_body *ball = percuss_body_new("sphere", sphere, error), *pair = percuss_body_pair(ball, ball, error);
    percuss_law *law = percuss_law_new("linear", spring, error);
    percuss_impact *hit = percuss_collide(ball, law, oblique, NULL, error);
    percuss_impact *slow = percuss_collide(ball, law, oblique, moving, error);
    percuss_code code = percuss_impact_trace(hit, times, 2, states, error);
    if (code == PERCUSS_OK) code = percuss_impact_trace(slow, times, 2, states, error);
    if (code == PERCUSS_OK) code = percuss_map(pair, law, 2, vt, vn, names, columns, 1, 2, NULL, error);
    percuss_impact_free(slow);
    percuss_impact_free(hit);
    percuss_law_free(law);
    percuss_body_free(pair);
    percuss_body_free(ball);
    return code;
}

START_TEST(each_failure_of_memory_is_told_and_leaves_nothing)
{
    long n = 0;
    for (bool met = true; met; n++) {
        percuss_error error = PERCUSS_NO_ERROR;
        pc_alloc_fail_after(n);
        percuss_code code = everything(&error);
        met = pc_alloc_fail_left() < 0;
        pc_alloc_fail_after(-1);
        ck_assert_int_eq((int)pc_alloc_live(), 0);
        if (met) ck_assert_msg(code == PERCUSS_E_MEMORY, "%ld: %s", n, error.message);
        if (!met) ck_assert_msg(code == PERCUSS_OK, "%s", error.message);
    }
    ck_assert_int_gt((int)n, 5);
}
END_TEST

typedef struct worker {
    const percuss_body *ball;
    const percuss_law *law;
    double sum;
} worker;

static void *work(void *context)
{
    worker *w = context;
    for (int i = 0; i < 200; i++) {
        percuss_error error = PERCUSS_NO_ERROR;
        const double v[3] = {0.01 * i, -1, 0};
        percuss_impact *hit = percuss_collide(w->ball, w->law, v, NULL, &error);
        w->sum += percuss_impact_values(hit)->velocity[PERCUSS_T];
        percuss_impact_free(hit);
        ck_assert_ptr_null(percuss_law_new("nowton", NULL, &error));
    }
    return NULL;
}

START_TEST(threads_share_bodies_and_laws)
{
    percuss_body *ball = body_of("sphere", sphere);
    percuss_law *law = law_of("linear", spring);
    pthread_t threads[2];
    worker workers[2] = {{ball, law, 0}, {ball, law, 0}};
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    ck_assert(workers[0].sum == workers[1].sum && workers[0].sum != 0);
    percuss_law_free(law);
    percuss_body_free(ball);
    ck_assert_int_eq((int)pc_alloc_live(), 0);
}
END_TEST

UNIT_MAIN("face", 20, versions_of_header_library_and_core_agree, codes_have_words, every_kind_lists_its_options,
          an_option_is_told_with_unit_range_default_and_doc, wrong_options_are_refused,
          booleans_lists_matrices_and_words_are_read, materials_are_given_by_name_and_by_constants,
          options_are_read_back_with_what_follows_from_them, a_body_turns_velocities_and_impulses_into_one_another,
          the_joint_of_a_pendulum_blocks_directions, impacts_are_those_of_the_core,
          the_velocity_of_the_contact_point_is_enough, wrong_impacts_are_refused, a_map_is_many_impacts,
          each_failure_of_memory_is_told_and_leaves_nothing, threads_share_bodies_and_laws)
