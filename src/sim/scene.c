/* Scenes: see scene.h. */
#include "sim/scene.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const rule_words[] = {"sequential", "simultaneous", NULL};
static const char *const configuration_words[] = {"frozen", "moving", NULL};
static const char *const recovery_words[] = {"on_opening", "permanent", NULL};

static const pc_row rows[] = {
    {.name = "gravity",
     .symbol = "g",
     .kind = PC_REAL,
     .offset = offsetof(pc_scene, gravity),
     .unit = PC_UNIT_M_PER_S2,
     .initial = 9.81,
     .allowed = PC_ANY,
     .doc = "acceleration of gravity, downwards"},
    {.name = "v_rest",
     .kind = PC_REAL,
     .offset = offsetof(pc_scene, v_rest),
     .unit = PC_UNIT_M_PER_S,
     .initial = 0,
     .allowed = PC_NONNEGATIVE,
     .doc = "after an impact a normal velocity below this becomes 0; off unless given"},
    {.name = "together",
     .kind = PC_CHOICE,
     .offset = offsetof(pc_scene, rule),
     .initial = PC_RULE_SEQUENTIAL,
     .choices = rule_words,
     .doc =
         "contacts that strike at one instant: \"sequential\", one after the other by their laws, the fastest first; "
         "or \"simultaneous\", one complementarity problem with the restitution (Poisson) and friction of the laws"},
    {.name = "configuration",
     .kind = PC_CHOICE,
     .offset = offsetof(pc_scene, configuration),
     .initial = PC_CONFIGURATION_FROZEN,
     .choices = configuration_words,
     .doc = "while a contact by a compliant law lasts: \"frozen\", an impact at one instant; or \"moving\", its forces "
            "act within the motion, several at once, and contacts may last"},
    {.name = "recovery",
     .kind = PC_CHOICE,
     .offset = offsetof(pc_scene, recovery),
     .initial = PC_RECOVERY_ON_OPENING,
     .choices = recovery_words,
     .doc = "with configuration = \"moving\", where a contact ends indented: \"on_opening\", the gap counts from there "
            "until it has opened by as much; \"permanent\", plastic laws keep their indentation"},
};

const pc_schema pc_scene_schema = {
    .name = "scene",
    .summary = "Chains and free bodies with what stands in their way and the law by which they collide.",
    .rows = rows,
    .n_rows = sizeof rows / sizeof *rows,
    .size = sizeof(pc_scene),
};

static pc_status too_many(const char *what, int most, pc_error *err)
{
    return pc_fail(err, PC_E_LIMIT, "scene: more than %d %s", most, what);
}

static pc_status add_member(pc_scene *scene, pc_member member, const char *name, pc_error *err)
{
    if (scene->n_members == PC_SCENE_MEMBERS) return too_many("members", PC_SCENE_MEMBERS, err);
    member.first = scene->n_dof;
    member.node = scene->n_nodes;
    snprintf(member.name, sizeof member.name, "%s", name);
    scene->members[scene->n_members++] = member;
    scene->n_dof += member.n_dof;
    scene->n_nodes += member.chain ? member.chain->n + 1 : 1;
    return PC_OK;
}

pc_status pc_scene_add_chain(pc_scene *scene, const pc_chain *chain, const char *name, pc_error *err)
{
    return add_member(scene, (pc_member){.chain = chain, .n_dof = chain->n}, name, err);
}

pc_status pc_scene_add_body(pc_scene *scene, const pc_free_body *body, const char *name, pc_error *err)
{
    return add_member(scene, (pc_member){.body = *body, .n_dof = 3}, name, err);
}

pc_status pc_scene_add_site(pc_scene *scene, const pc_site *site, pc_error *err)
{
    if (scene->n_sites == scene->site_room) {
        int room = scene->site_room ? 2 * scene->site_room : 16;
        pc_site *more = pc_realloc(scene->sites, (size_t)room, sizeof *more);
        if (!more) return pc_fail(err, PC_E_MEMORY, "scene: not enough memory for its sites");
        scene->sites = more;
        scene->site_room = room;
    }
    scene->sites[scene->n_sites++] = *site;
    return PC_OK;
}

pc_status pc_scene_add_obstacle(pc_scene *scene, const pc_obstacle *obstacle, pc_error *err)
{
    if (scene->n_obstacles == PC_SCENE_OBSTACLES) return too_many("obstacles", PC_SCENE_OBSTACLES, err);
    scene->obstacles[scene->n_obstacles++] = *obstacle;
    return PC_OK;
}

void pc_pair_set_law(pc_pair *pair, const pc_law *law, const void *params)
{
    pair->law = law;
    pair->params = params;
    int row = pc_schema_find(law->schema, "friction");
    pair->friction = row < 0 ? 0 : pc_row_number(&law->schema->rows[row], params);
    row = pc_schema_find(law->schema, "static_friction");
    pair->static_friction = row < 0 ? pair->friction : pc_row_number(&law->schema->rows[row], params);
    if (!(pair->static_friction >= pair->friction)) pair->static_friction = pair->friction;
}

/* How far a site gets from where its member hangs, or is large. */
static double reach(const pc_scene *scene, const pc_site *site)
{
    const pc_chain *chain = scene->members[site->member].chain;
    double sum = fabs(site->along) + fabs(site->across) + site->radius;
    if (!chain) return sum;
    for (int i = 0; i < site->link; i++) sum += chain->links[i].length;
    return sum + fabs(chain->pivot.x) + fabs(chain->pivot.y) + fabs(chain->pivot.amplitude_x) +
           fabs(chain->pivot.amplitude_y);
}

static pc_status add_pair(pc_scene *scene, pc_pair pair, const char *other, const pc_law *law, const void *params,
                          pc_error *err)
{
    if (scene->n_pairs == PC_SCENE_PAIRS) return too_many("pairs that can meet", PC_SCENE_PAIRS, err);
    snprintf(pair.name, sizeof pair.name, "%s on %s", scene->sites[pair.site].name, other);
    pc_pair_set_law(&pair, law, params);
    scene->pairs[scene->n_pairs++] = pair;
    return PC_OK;
}

static pc_status refuse_flat(const pc_site *site, const char *other, pc_error *err)
{
    return pc_fail(err, PC_E_UNSUPPORTED,
                   "scene: %s has flat sides, which meet planes by their ends and corners only, not %s", site->name,
                   other);
}

pc_status pc_scene_join(pc_scene *scene, const pc_law *law, const void *params, pc_error *err)
{
    for (int a = 0; a < scene->n_sites; a++) {
        const pc_site *site = &scene->sites[a];
        const pc_member *member = &scene->members[site->member];
        bool flat = !member->chain && member->body.flat;
        for (int o = 0; o < scene->n_obstacles; o++) {
            const pc_obstacle *obstacle = &scene->obstacles[o];
            if (flat && obstacle->disc) return refuse_flat(site, obstacle->name, err);
            double length = reach(scene, site) + fabs(obstacle->x) + fabs(obstacle->y) + obstacle->radius;
            pc_pair pair = {.site = a, .other = o, .fixed = true, .length = length};
            pc_status status = add_pair(scene, pair, obstacle->name, law, params, err);
            if (status != PC_OK) return status;
        }
        for (int b = a + 1; b < scene->n_sites; b++) {
            const pc_site *second = &scene->sites[b];
            if (second->member == site->member) continue;
            if (flat) return refuse_flat(site, second->name, err);
            const pc_member *other = &scene->members[second->member];
            if (!other->chain && other->body.flat) return refuse_flat(second, site->name, err);
            if (site->radius == 0 && second->radius == 0) continue; /* points in the plane do not meet */
            pc_pair pair = {.site = a, .other = b, .length = reach(scene, site) + reach(scene, second)};
            pc_status status = add_pair(scene, pair, second->name, law, params, err);
            if (status != PC_OK) return status;
        }
    }
    return PC_OK;
}

pc_status pc_scene_check(const pc_scene *scene, pc_error *err)
{
    if (scene->configuration == PC_CONFIGURATION_FROZEN) return PC_OK;
    int pressing = 0;
    for (int i = 0; i < scene->n_pairs; i++) {
        const pc_pair *pair = &scene->pairs[i];
        pressing += pair->law->element != NULL;
        if (!pair->law->element && pair->law->abilities & PC_LAW_COMPLIANT)
            return pc_fail(err, PC_E_UNSUPPORTED,
                           "scene: configuration = \"moving\" needs laws whose force follows from the indentation and "
                           "its rate; %s (%s) gives whole impacts only",
                           pair->law->schema->name, pair->name);
    }
    if (pressing > 0) return PC_OK;
    return pc_fail(err, PC_E_UNSUPPORTED,
                   "scene: configuration = \"moving\" needs a compliant law at one contact at least, such as "
                   "contact.linear or contact.hunt_crossley");
}

bool pc_scene_presses(const pc_scene *scene)
{
    for (int i = 0; i < scene->n_pairs; i++)
        if (pc_pair_presses(scene, i)) return true;
    return false;
}

void pc_scene_free(pc_scene *scene)
{
    pc_free(scene->sites);
    scene->sites = NULL;
    scene->n_sites = scene->site_room = 0;
}
