/* Parts and scenes: see percuss.h. */
#include "face/face.h"

#include "base/alloc.h"
#include "scene/part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a part is: index of its kind in the group "part", behind these that of a force, or a chain. */
enum { PART_CHAIN = -1, PART_FREE = 0, PART_FORCE = 1 + PC_OBSTACLE_KINDS };

struct percuss_part {
    pc_handle handle;
    int kind;
    void *room;                      /* of outlines with places of their own, and of breaks */
    percuss_force_function function; /* of a force */
    union {
        pc_free_shape shape;
        max_align_t params; /* where those of obstacles and forces begin: room for them is behind it */
        struct {
            pc_chain chain;
            pc_chain_options options;
            double angles[PC_CHAIN_LINKS], rates[PC_CHAIN_LINKS];
        } chain;
    } of;
};

/* ---- parts ---- */

static void close_part(pc_handle *handle)
{
    pc_free(((percuss_part *)handle)->room);
}

static percuss_part *part_new(int kind, const pc_schema *schema, percuss_error *error)
{
    percuss_part *self = pc_handle_new(PC_HANDLE_PART, sizeof *self + schema->size, close_part, error);
    if (self) self->kind = kind;
    return self;
}

/* Memory that lasts as long as the part; the last piece alone. */
static void *give_room(size_t size, void *context)
{
    percuss_part *self = context;
    pc_free(self->room);
    self->room = pc_calloc(1, size);
    return self->room;
}

/* The outline that goes round places. */
static percuss_code take_places(percuss_part *self, const percuss_option *places, percuss_error *error)
{
    const double(*at)[2] = (const double(*)[2])places->values;
    pc_error err = {0};
    pc_status status;
    if (self->kind == PART_FREE) {
        pc_free_piece *piece = give_room(sizeof *piece, self);
        if (!piece) return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "part_new: not enough memory");
        status = pc_free_take_corners(&self->of.shape, at, places->rows, piece, &err);
    } else {
        const pc_obstacle_source source = {
            .row = places->name, .n = places->rows, .places = at, .room = give_room, .context = self};
        status = pc_obstacle_kinds[self->kind - 1]->take(&self->of, &source, &err);
    }
    return status == PC_OK ? PERCUSS_OK : pc_face_put(error, &err);
}

percuss_part *percuss_part_new(const char *kind, const percuss_option *options, percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("part", kind, &index, error);
    percuss_part *self = schema ? part_new(index, schema, error) : NULL;
    if (!self) return NULL;
    const percuss_option *places;
    percuss_code code = pc_face_read_places(schema, options, &self->of, &places, error);
    if (code == PERCUSS_OK && places) code = take_places(self, places, error);
    return pc_handle_made(self, code);
}

/* ---- forces ---- */

/* As percuss.h has it: of a motor the angle and rate are those against what it stands on. */
static int call_force(void *context, pc_force_arguments kind, double t, const pc_force_end *end, double out[3])
{
    const percuss_part *self = context;
    percuss_force_state at = {end->x, end->y, end->vx, end->vy, end->angle, end->rate, end->mass};
    if (kind == PC_FORCE_OF_ANGLE) {
        at.angle -= end[1].angle;
        at.rate -= end[1].rate;
    }
    return self->function.call(t, &at, out, self->function.context);
}

static percuss_code take_function(percuss_part *self, const pc_force_kind *kind, const percuss_force_function *in,
                                  percuss_error *error)
{
    enum { MOST = 1000000 };
    pc_force_common *common = (void *)&self->of;
    const char *name = kind->schema->name;
    if (!in || (!in->call && in->n_breaks == 0)) return PERCUSS_OK;
    if (!kind->function)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "function", "",
                            "force_new: %s takes no function; force, field and motor do", name);
    if (!in->call) return pc_face_null(error, "force_new", "call");
    if (in->n_breaks < 0 || in->n_breaks > MOST || (in->n_breaks > 0 && !in->breaks))
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "n_breaks", "",
                            "force_new: %d breaks%s are not allowed; there may be from 0 to %d", in->n_breaks,
                            in->n_breaks > 0 && !in->breaks ? " without their times" : "", MOST);
    const size_t n = (size_t)in->n_breaks;
    if (!pc_face_finite(in->breaks, n, "force_new", "breaks", "s", error)) return PERCUSS_E_ARGUMENT;
    double *times = n > 0 ? give_room(n * sizeof *times, self) : NULL;
    if (n > 0 && !times) return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "force_new: not enough memory");
    pc_face_copy_times(in->breaks, n, times);
    self->function = *in;
    common->function = (pc_force_function){call_force, self};
    common->breaks = times;
    common->n_breaks = in->n_breaks;
    return PERCUSS_OK;
}

percuss_part *percuss_force_new(const char *kind, const percuss_option *options, const percuss_force_function *function,
                                percuss_error *error)
{
    int index;
    const pc_schema *schema = pc_face_kind("force", kind, &index, error);
    percuss_part *self = schema ? part_new(PART_FORCE + index, schema, error) : NULL;
    if (!self) return NULL;
    const pc_force_kind *of = pc_force_kinds[index];
    const pc_force_common *common = (const void *)&self->of;
    percuss_code code = pc_face_read(schema, options, &self->of, NULL, error);
    if (code == PERCUSS_OK && of->ends > 0 && !common->place[0].body[0])
        code = pc_face_fail(error, PERCUSS_E_ARGUMENT, schema->rows[0].name, "",
                            "%s: %s is needed: the body that it acts on", schema->name, schema->rows[0].name);
    if (code == PERCUSS_OK) code = take_function(self, of, function, error);
    return pc_handle_made(self, code);
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
    percuss_part *self = part_new(PART_CHAIN, &(pc_schema){0}, error);
    if (!self) return NULL;
    return pc_handle_made(self, read_chain(self, chain, error));
}

/* What all obstacles have. */
static pc_obstacle_common *common_of(percuss_part *part)
{
    return (void *)&part->of;
}

percuss_code percuss_part_move(percuss_part *part, const percuss_drive *in, percuss_error *error)
{
    if (!part || !in) return pc_face_null(error, "part_move", part ? "drive" : "part");
    if (part->kind == PART_CHAIN || part->kind == PART_FREE || part->kind >= PART_FORCE)
        return pc_face_fail(error, PERCUSS_E_ARGUMENT, "part", "",
                            "part_move: obstacles move by themselves, and a chain by its pivot; this is %s",
                            part->kind == PART_CHAIN  ? "a chain"
                            : part->kind == PART_FREE ? "a free body"
                                                      : "a force");
    pc_drive drive;
    percuss_code code = pc_face_read(&pc_drive_schema, in->options, &drive, NULL, error);
    if (code != PERCUSS_OK) return code;
    if (!pc_face_finite(&in->surface_speed, 1, "part_move", "surface_speed", "m/s", error)) return PERCUSS_E_ARGUMENT;
    drive.surface_speed = in->surface_speed;
    drive.motion = in->motion;
    drive.surface = in->surface;
    drive.context = in->context;
    common_of(part)->drive = drive;
    return PERCUSS_OK;
}

/* ---- making a scene ---- */

static percuss_code fail_memory(percuss_error *error)
{
    return pc_face_fail(error, PERCUSS_E_MEMORY, "", "", "scene: not enough memory for its members");
}

/* The parts as the core has them; chains are copies of the scene's own. */
static percuss_code read_parts(percuss_scene *self, const percuss_part *const *parts, int n, pc_part *list,
                               percuss_error *error)
{
    size_t n_chains = 0;
    for (int i = 0; i < n; i++) {
        if (!parts[i]) return pc_face_null(error, "scene_new", "parts");
        n_chains += parts[i]->kind == PART_CHAIN;
    }
    self->chains = pc_calloc(n_chains, sizeof *self->chains);
    self->parts = pc_calloc((size_t)n, sizeof *self->parts);
    if (!self->chains || !self->parts) return fail_memory(error);
    for (int i = 0; i < n; i++) {
        const percuss_part *part = self->parts[self->n_parts++] = pc_handle_keep(parts[i]);
        if (part->kind == PART_CHAIN) {
            pc_chain *chain = &self->chains[self->n_chains++];
            *chain = part->of.chain.chain;
            self->calls = self->calls || chain->torque || chain->pivot.motion;
            list[i] = (pc_part){.chain = chain,
                                .options = &part->of.chain.options,
                                .angles = part->of.chain.angles,
                                .rates = part->of.chain.rates};
        } else if (part->kind == PART_FREE) {
            list[i] = (pc_part){.body = &part->of.shape};
        } else if (part->kind >= PART_FORCE) {
            const pc_force_common *common = (const void *)&part->of;
            self->calls = self->calls || (common->function.call && common->n_breaks == 0);
            list[i] = (pc_part){.force = pc_force_kinds[part->kind - PART_FORCE], .params = &part->of};
        } else {
            const pc_drive *drive = &common_of((percuss_part *)(uintptr_t)part)->drive;
            self->calls = self->calls || drive->motion || drive->surface;
            list[i] = (pc_part){.obstacle = pc_obstacle_kinds[part->kind - 1], .params = &part->of};
        }
    }
    return PERCUSS_OK;
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

/* What follows from the parts and the start of the motion. */
static percuss_code finish(percuss_scene *self, const pc_part *list, int n, percuss_error *error)
{
    self->n_columns = pc_run_columns(&self->scene, NULL, 0);
    self->columns = pc_calloc((size_t)self->n_columns, sizeof *self->columns);
    self->start = pc_calloc(2 * (size_t)self->scene.n_dof, sizeof *self->start);
    if (!self->columns || !self->start) return fail_memory(error);
    pc_run_columns(&self->scene, self->columns, self->n_columns);
    pc_parts_start(list, n, self->scene.n_dof, self->start);
    return PERCUSS_OK;
}

/* list: room for n parts. */
static percuss_code make_scene(percuss_scene *self, const percuss_part *const *parts, int n, pc_part *list,
                               const percuss_law *law, const percuss_pair *pairs, int n_pairs, percuss_error *error)
{
    percuss_code code = read_parts(self, parts, n, list, error);
    if (code != PERCUSS_OK) return code;
    pc_error err = {0};
    if (pc_scene_assemble(&self->scene, list, n, &err) != PC_OK) return pc_face_put(error, &err);
    code = join(self, law, pairs, n_pairs, error);
    return code == PERCUSS_OK ? finish(self, list, n, error) : code;
}

static void close_scene(pc_handle *handle)
{
    percuss_scene *self = (percuss_scene *)handle;
    for (int i = 0; i < self->n_laws; i++) pc_handle_drop(self->laws[i]);
    for (int i = 0; i < self->n_parts; i++) pc_handle_drop(self->parts[i]);
    pc_scene_free(&self->scene);
    pc_free(self->parts);
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
    percuss_code code = pc_face_read(&pc_scene_schema, options, &self->scene, NULL, error);
    pc_part *list = pc_calloc((size_t)n, sizeof *list);
    self->laws = pc_calloc((size_t)n_pairs + 1, sizeof *self->laws);
    if (code == PERCUSS_OK && (!list || !self->laws)) code = fail_memory(error);
    if (code == PERCUSS_OK) code = make_scene(self, parts, n, list, law, pairs, n_pairs, error);
    pc_free(list);
    return pc_handle_made(self, code);
}

/* ---- reading a scene ---- */

int percuss_scene_dof(const percuss_scene *scene)
{
    return scene ? scene->scene.n_dof : 0;
}

percuss_code percuss_scene_start(const percuss_scene *scene, double *q, double *u, int n, percuss_error *error)
{
    if (!scene) return pc_face_null(error, "scene_start", "scene");
    percuss_code code = pc_face_count("scene_start", "the scene", "coordinates", n, scene->scene.n_dof, error);
    if (code != PERCUSS_OK) return code;
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
