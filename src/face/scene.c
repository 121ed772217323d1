/* Parts and scenes: see percuss.h. */
#include "face/face.h"

#include "base/alloc.h"
#include "scene/free.h"
#include "scene/obstacle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What a part is: index of its kind in the group "part", or a chain. */
enum { PART_CHAIN = -1, PART_FREE = 0 };

struct percuss_part {
    pc_handle handle;
    int kind;
    union {
        pc_free_shape shape;
        pc_obstacle_shape obstacle;
        struct {
            pc_chain chain;
            pc_chain_options options;
            double angles[PC_CHAIN_LINKS], rates[PC_CHAIN_LINKS];
        } chain;
    } of;
};

/* ---- parts ---- */

percuss_part *percuss_part_new(const char *kind, const percuss_option *options, percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("part", kind, &index, error);
    if (!schema) return NULL;
    percuss_part *self = pc_handle_new(PC_HANDLE_PART, sizeof *self, NULL, error);
    if (!self) return NULL;
    self->kind = index;
    if (pc_face_read(schema, options, &self->of, NULL, error) == PERCUSS_OK) return self;
    pc_handle_drop(self);
    return NULL;
}

/* n numbers of the start, or zeros. */
static percuss_code read_start(const double *v, int n, const char *name, const char *unit, double *out,
                               percuss_error *error)
{
    if (!v) return PERCUSS_OK;
    if (!pc_face_finite(v, (size_t)n, "chain_new", name, unit, error)) return PERCUSS_E_ARGUMENT;
    memcpy(out, v, (size_t)n * sizeof *v);
    return PERCUSS_OK;
}

static percuss_code read_chain(percuss_part *self, const percuss_chain *in, percuss_error *error)
{
    pc_chain *chain = &self->of.chain.chain;
    chain->n = in->n;
    percuss_code code = PERCUSS_OK;
    for (int i = 0; i < in->n && code == PERCUSS_OK; i++)
        code = pc_face_read(&pc_link_schema, in->links[i], &chain->links[i], NULL, error);
    if (code == PERCUSS_OK) code = read_start(in->angles, in->n, "angles", "rad", self->of.chain.angles, error);
    if (code == PERCUSS_OK) code = read_start(in->rates, in->n, "rates", "rad/s", self->of.chain.rates, error);
    if (code == PERCUSS_OK) code = pc_face_read(&pc_pivot_schema, in->pivot, &chain->pivot, NULL, error);
    if (code == PERCUSS_OK) code = pc_face_read(&pc_chain_schema, in->options, &self->of.chain.options, NULL, error);
    if (code != PERCUSS_OK) return code;
    chain->torque = in->torque;
    chain->torque_context = in->torque_context;
    chain->pivot.motion = in->motion;
    chain->pivot.context = in->motion_context;
    pc_error err = {0};
    if (pc_chain_check(chain, &self->of.chain.options, &err) == PC_OK) return PERCUSS_OK;
    pc_face_put(error, &err);
    return PERCUSS_E_ARGUMENT;
}

percuss_part *percuss_chain_new(const percuss_chain *chain, percuss_error *error)
{
    if (!chain || !chain->links) return pc_face_null(error, "chain_new", chain ? "links" : "chain"), NULL;
    if (chain->n < 1 || chain->n > PC_CHAIN_LINKS) {
        pc_face_fail(error, PERCUSS_E_ARGUMENT, "n", "", "chain_new: n = %d is not allowed; it has from 1 to %d links",
                     chain->n, PC_CHAIN_LINKS);
        return NULL;
    }
    percuss_part *self = pc_handle_new(PC_HANDLE_PART, sizeof *self, NULL, error);
    if (!self) return NULL;
    self->kind = PART_CHAIN;
    if (read_chain(self, chain, error) == PERCUSS_OK) return self;
    pc_handle_drop(self);
    return NULL;
}

void percuss_part_free(percuss_part *part)
{
    pc_handle_drop(part);
}

/* The name that a part was given, or ""; and what it is called without. */
static const char *given_name(const percuss_part *part)
{
    switch (part->kind) {
    case PART_CHAIN: return part->of.chain.options.name;
    case PART_FREE: return part->of.shape.name;
    default: return part->of.obstacle.name;
    }
}

static const char *initial_name(const percuss_part *part)
{
    switch (part->kind) {
    case PART_CHAIN: return "chain";
    case PART_FREE: return "body";
    default: return pc_obstacle_kinds[part->kind - 1]->schema->name;
    }
}

/* ---- making a scene ---- */

/* What is being put together. count: how many parts of each kind have had names made for them, chains first. */
typedef struct assembly {
    percuss_scene *self;
    const percuss_part *const *parts;
    int n, count[2 + PC_OBSTACLE_KINDS];
} assembly;

static percuss_code check_parts(const assembly *a, percuss_error *error)
{
    for (int i = 0; i < a->n; i++) {
        if (!a->parts[i]) return pc_face_null(error, "scene_new", "parts");
        for (int k = 0; k < i && given_name(a->parts[i])[0]; k++)
            if (strcmp(given_name(a->parts[k]), given_name(a->parts[i])) == 0)
                return pc_face_fail(error, PERCUSS_E_ARGUMENT, "name", "",
                                    "scene: parts %d and %d are both called '%s'; each needs a name of its own", k + 1,
                                    i + 1, given_name(a->parts[i]));
    }
    return PERCUSS_OK;
}

static bool is_given(const assembly *a, const char *name)
{
    for (int i = 0; i < a->n; i++)
        if (strcmp(given_name(a->parts[i]), name) == 0) return true;
    return false;
}

/* A name that no other part has: the second floor is floor2. */
static void name_part(assembly *a, const percuss_part *part, char name[PC_NAME])
{
    snprintf(name, PC_NAME, "%s", given_name(part));
    while (!name[0] || (!given_name(part)[0] && is_given(a, name))) {
        int k = ++a->count[part->kind + 1];
        if (k == 1)
            snprintf(name, PC_NAME, "%s", initial_name(part));
        else
            snprintf(name, PC_NAME, "%.20s%d", initial_name(part), k % 1000000000);
    }
}

static pc_status add_part(assembly *a, const percuss_part *part, pc_error *err)
{
    percuss_scene *self = a->self;
    pc_scene *scene = &self->scene;
    char name[PC_NAME];
    name_part(a, part, name);
    pc_status status;
    if (part->kind > PART_FREE) {
        pc_outline outline = pc_obstacle_kinds[part->kind - 1]->build(&part->of.obstacle);
        snprintf(outline.name, sizeof outline.name, "%s", name);
        return pc_scene_add_outline(scene, &outline, err);
    }
    if (part->kind == PART_FREE) {
        status = pc_scene_add_free(scene, &part->of.shape, name, err);
    } else {
        pc_chain *chain = &self->chains[self->n_chains++];
        *chain = part->of.chain.chain;
        self->calls = self->calls || chain->torque || chain->pivot.motion;
        status = pc_scene_add_chain(scene, chain, name, err);
        if (status == PC_OK) status = pc_scene_add_links(scene, chain, part->of.chain.options.touch, name, err);
    }
    if (status == PC_OK) scene->members[scene->n_members - 1].named = given_name(part)[0] != '\0';
    return status;
}

/* The state at the start, in the order of the members. */
static void fill_start(const assembly *a)
{
    double *q = a->self->start, *u = q + a->self->scene.n_dof;
    for (int i = 0; i < a->n; i++) {
        const percuss_part *part = a->parts[i];
        if (part->kind == PART_CHAIN) {
            int n = part->of.chain.chain.n;
            memcpy(q, part->of.chain.angles, (size_t)n * sizeof *q);
            memcpy(u, part->of.chain.rates, (size_t)n * sizeof *u);
            q += n, u += n;
        } else if (part->kind == PART_FREE) {
            const pc_free_shape *s = &part->of.shape;
            memcpy(q, (const double[3]){s->x, s->y, s->angle}, 3 * sizeof *q);
            memcpy(u, (const double[3]){s->vx, s->vy, s->rate}, 3 * sizeof *u);
            q += 3, u += 3;
        }
    }
}

static percuss_code check_law(const percuss_law *law, percuss_error *error)
{
    if (law->law->abilities & PC_LAW_PLANAR) return PERCUSS_OK;
    return pc_face_fail(error, PERCUSS_E_UNSUPPORTED, "law", "", "scene: %s is no planar law", law->law->schema->name);
}

/* All contacts with their laws. */
static percuss_code join(percuss_scene *self, const percuss_law *law, const percuss_pair *pairs, int n,
                         percuss_error *error)
{
    pc_scene *scene = &self->scene;
    pc_error err = {0};
    if (law && check_law(law, error) != PERCUSS_OK) return PERCUSS_E_UNSUPPORTED;
    if (law) self->laws[self->n_laws++] = pc_handle_keep(law);
    if (pc_scene_join(scene, law ? law->law : NULL, law ? law->params : NULL, &err) != PC_OK)
        return pc_face_put(error, &err);
    for (int i = 0; i < n; i++) {
        const percuss_pair *p = &pairs[i];
        if (!p->a || !p->b || !p->law) return pc_face_null(error, "scene_new", p->law ? "name of a pair" : "law");
        if (check_law(p->law, error) != PERCUSS_OK) return PERCUSS_E_UNSUPPORTED;
        self->laws[self->n_laws++] = pc_handle_keep(p->law);
        if (pc_scene_set_law(scene, p->a, p->b, p->law->law, p->law->params) == 0)
            return pc_face_fail(error, PERCUSS_E_ARGUMENT, "pairs", "",
                                "scene: pairs[%d]: no contact of '%.60s' with '%.60s' is possible", i, p->a, p->b);
    }
    return pc_scene_check(scene, &err) == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

static percuss_code fail_memory(percuss_error *error)
{
    return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "scene: not enough memory for its members");
}

static percuss_code make_scene(assembly *a, const percuss_law *law, const percuss_pair *pairs, int n_pairs,
                               percuss_error *error)
{
    percuss_scene *self = a->self;
    percuss_code code = check_parts(a, error);
    if (code != PERCUSS_OK) return code;
    size_t n_chains = 0;
    for (int i = 0; i < a->n; i++) n_chains += a->parts[i]->kind == PART_CHAIN;
    self->chains = pc_calloc(n_chains, sizeof *self->chains);
    self->laws = pc_calloc((size_t)n_pairs + 1, sizeof *self->laws);
    if (!self->chains || !self->laws) return fail_memory(error);
    pc_error err = {0};
    for (int i = 0; i < a->n; i++)
        if (add_part(a, a->parts[i], &err) != PC_OK) return pc_face_put(error, &err);
    if (self->scene.n_dof == 0)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "parts", "",
                            "scene: nothing in it can move; give it a chain or a free body");
    code = join(self, law, pairs, n_pairs, error);
    if (code != PERCUSS_OK) return code;
    self->n_columns = pc_run_columns(&self->scene, NULL, 0);
    self->columns = pc_calloc((size_t)self->n_columns, sizeof *self->columns);
    self->start = pc_calloc(2 * (size_t)self->scene.n_dof, sizeof *self->start);
    if (!self->columns || !self->start) return fail_memory(error);
    pc_run_columns(&self->scene, self->columns, self->n_columns);
    fill_start(a);
    return PERCUSS_OK;
}

static void close_scene(pc_handle *handle)
{
    percuss_scene *self = (percuss_scene *)handle;
    for (int i = 0; i < self->n_laws; i++) pc_handle_drop(self->laws[i]);
    pc_scene_free(&self->scene);
    pc_free(self->laws);
    pc_free(self->chains);
    pc_free(self->columns);
    pc_free(self->start);
}

percuss_scene *percuss_scene_new(const percuss_part *const *parts, int n, const percuss_law *law,
                                 const percuss_pair *pairs, int n_pairs, const percuss_option *options,
                                 percuss_error *error)
{
    if (!parts || (n_pairs > 0 && !pairs)) return pc_face_null(error, "scene_new", parts ? "pairs" : "parts"), NULL;
    if (n < 1 || n_pairs < 0) {
        pc_face_fail(error, PERCUSS_E_ARGUMENT, n < 1 ? "n" : "n_pairs", "",
                     "scene_new: %d parts and %d pairs are not allowed; it has one part at least", n, n_pairs);
        return NULL;
    }
    percuss_scene *self = pc_handle_new(PC_HANDLE_SCENE, sizeof *self, close_scene, error);
    if (!self) return NULL;
    assembly a = {.self = self, .parts = parts, .n = n};
    percuss_code code = pc_face_read(&pc_scene_schema, options, &self->scene, NULL, error);
    if (code == PERCUSS_OK) code = make_scene(&a, law, pairs, n_pairs, error);
    if (code == PERCUSS_OK) return self;
    pc_handle_drop(self);
    return NULL;
}

void percuss_scene_free(percuss_scene *scene)
{
    pc_handle_drop(scene);
}

/* ---- reading a scene ---- */

int percuss_scene_dof(const percuss_scene *scene)
{
    return scene ? scene->scene.n_dof : 0;
}

percuss_code percuss_scene_start(const percuss_scene *scene, double *q, double *u, int n, percuss_error *error)
{
    if (!scene) return pc_face_null(error, "scene_start", "scene");
    int dof = scene->scene.n_dof;
    if (n != dof)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "n", "", "scene_start: n = %d, but the scene has %d coordinates",
                            n, dof);
    if (q) memcpy(q, scene->start, (size_t)n * sizeof *q);
    if (u) memcpy(u, scene->start + n, (size_t)n * sizeof *u);
    return PERCUSS_OK;
}

const char *percuss_scene_contact(const percuss_scene *scene, int i)
{
    return scene && i >= 0 && i < scene->scene.n_pairs ? scene->scene.pairs[i].name : NULL;
}

const char *percuss_scene_column(const percuss_scene *scene, int i)
{
    return scene && i >= 0 && i < scene->n_columns ? scene->columns[i].name : NULL;
}

const char *percuss_scene_column_unit(const percuss_scene *scene, int i)
{
    return scene && i >= 0 && i < scene->n_columns ? scene->columns[i].unit : NULL;
}
