/* What scenes are made of: every kind of obstacle, and every kind of body that has an outline, with parameters drawn
 * from their rows. A new kind is tested the moment its row exists. */
#include "body_sample.h"
#include "motion_scenes.h"

#include "base/alloc.h"
#include "engine/collide.h"
#include "scene/part.h"

enum { THROWS = 40 };

/* A ball that flies on its own is followed to rounding; one impact is a closed form. */
#define EXACT 1e-9

/* The first impact without gravity, from q and u: velocities right after it go to u. Its time is returned, NAN: there
 * was none. */
static double strike(pc_scene *scene, const pc_law *law, const pc_rigid *params, const double q[3], double u[3])
{
    pc_error err = {0};
    double y[6], time = NAN;
    memcpy(y, q, 3 * sizeof *y);
    memcpy(y + 3, u, 3 * sizeof *y);
    must(pc_scene_join(scene, law, params, &err), &err);
    pc_run run;
    must(pc_run_open(&run, scene, 0, y, &err), &err);
    pc_run_options options = run_options(&pc_ode_dop853, 1e-11);
    must(pc_run_advance(&run, &options, 0.8, &err), &err);
    const pc_event_record *events = run.history.events.data;
    if (run.history.events.used > 0) time = events[0].t;
    pc_look look;
    must(pc_run_look(&run, isnan(time) ? run.state.t : time, 1, &look, &err), &err);
    memcpy(u, look.y + 3, 3 * sizeof *u);
    pc_run_close(&run);
    pc_scene_free(scene);
    return time;
}

/* ---- bodies ---- */

/* Thrown onto a floor as it stands, a body moves on as if it had been given to collide. */
static void check_body(const sample *s)
{
    const pc_plane_body *p = &s->body.planar;
    if (p->n == 0 || s->body.spatial) return;
    const pc_rigid law = rigid(0.4, 0.3);
    pc_error err = {0};
    uint64_t given = 0;
    pc_free_shape shape;
    pc_schema_defaults(&pc_free_schema, &shape);
    int row = pc_schema_find(&pc_free_schema, "body");
    must(pc_schema_set_object(&pc_free_schema, row, &shape, &s->body, &given, &err), &err);
    must(pc_schema_finish(&pc_free_schema, &shape, given, &err), &err);
    ck_assert(shape.mass == p->mass && shape.inertia == p->inertia && shape.angle == p->angle);
    pc_scene scene = {0};
    pc_part parts[2] = {{.body = &shape}};
    must(pc_scene_assemble(&scene, parts, 1, &err), &err);
    add_hull(&scene, pc_outline_plane("floor", 0, 0, 0, 1));
    double arm = -s->body.J[2], q[3] = {0, 0.5 - arm, p->angle}, u[3] = {uniform(-1, 1), -1, 0}, v[3], want[3];
    pc_body_contact_velocity(&s->body, u, v);
    pc_impact hit;
    pc_impact_init(&hit);
    must(pc_law_impact(&pc_law_poisson, &law, &s->body.W, v, &hit, &err), &err);
    pc_body_after(&s->body, u, hit.impulse, want);
    pc_impact_free(&hit);
    double time = strike(&scene, &pc_law_poisson, &law, q, u), size = 0;
    ck_assert_msg(fabs(time - 0.5) <= EXACT, "%s: strikes at %.17g", s->kind->schema->name, time);
    for (int i = 0; i < 3; i++) size = fmax(size, fabs(want[i]));
    for (int i = 0; i < 3; i++)
        ck_assert_msg(fabs(u[i] - want[i]) <= EXACT * size, "%s: velocity %d is %.17g, not %.17g",
                      s->kind->schema->name, i, u[i], want[i]);
}

START_TEST(a_body_in_a_scene_is_the_body_that_collides)
{
    for (int k = 0; k < pc_n_body_kinds; k++)
        for (int i = 0; i < THROWS; i++) {
            seed = unit_seed(pc_body_kinds[k]->schema->name, (uint64_t)i);
            sample s = draw_body(pc_body_kinds[k]);
            check_body(&s);
            free_body(&s);
        }
}
END_TEST

/* ---- obstacles ---- */

static union {
    max_align_t align;
    unsigned char bytes[8192];
} params;

/* Memory of curves: of the last piece that was asked for, and of the one before it. */
static void *rooms[2];

static void *give_room(size_t size, void *context)
{
    (void)context;
    pc_free(rooms[1]);
    rooms[1] = rooms[0];
    return rooms[0] = pc_calloc(size, 1);
}

static void free_rooms(void)
{
    for (int i = 0; i < 2; i++) {
        pc_free(rooms[i]);
        rooms[i] = NULL;
    }
}

static int wave(double s, double out[4], void *context)
{
    const double *phase = context;
    out[0] = 0.9 + 0.05 * sin(2 * s + *phase);
    out[1] = 0.1 * cos(2 * s + *phase);
    return 2;
}

/* Of a kind of curves: corners of a polygon, pieces in turn straight and bent, or a function. */
enum { PLACES = 5 };
static void take_source(const pc_obstacle_kind *kind, const pc_row *row)
{
    static unsigned char pieces[PLACES * 64];
    double places[PLACES][2], phase = uniform(-3, 3);
    pc_obstacle_source source = {.row = row->name, .n = PLACES, .f = wave, .room = give_room, .context = &phase};
    pc_error err = {0};
    for (int i = 0; i < PLACES; i++) {
        double angle = phase + 2 * M_PI * i / PLACES;
        places[i][0] = cos(angle);
        places[i][1] = sin(angle);
    }
    if (row->kind == PC_LIST && !row->options) source.places = (const double(*)[2])places;
    if (row->kind == PC_LIST && row->options) {
        ck_assert_uint_le(PLACES * row->options->size, sizeof pieces);
        source.list = pieces;
        for (int i = 0; i < PLACES; i++) {
            static const char *const names[] = {"length", "radius", "turn"};
            unsigned char *piece = pieces + (size_t)i * row->options->size;
            uint64_t given = 0;
            pc_schema_defaults(row->options, piece);
            for (int k = i % 2; k < 1 + 2 * (i % 2); k++)
                must(pc_schema_set_number(row->options, pc_schema_find(row->options, names[k]), piece, uniform(0.6, 1),
                                          &given, &err),
                     &err);
            must(pc_schema_finish(row->options, piece, given, &err), &err);
        }
    }
    must(kind->take(&params, &source, &err), &err);
}

/* From where numbers are drawn: the allowed range or -1 to 1, but wires thin and circles wide, for a ball to fit. */
static double draw_number(const pc_obstacle_kind *kind, const pc_row *row, double from)
{
    bool bent = pc_schema_find(kind->schema, "thickness") >= 0;
    if (strcmp(row->name, "thickness") == 0) return uniform(0, 0.1);
    if (strcmp(row->name, "to") == 0) return from + uniform(0.5, 1);
    if (bent && strcmp(row->name, "radius") == 0) return uniform(0.6, 1);
    double lo = row->allowed.lo >= 0 ? row->allowed.lo + 0.1 : -1;
    return uniform(lo, fmin(1, row->allowed.hi));
}

/* Every number; one of each group. */
static void draw_obstacle(const pc_obstacle_kind *kind)
{
    const pc_schema *schema = kind->schema;
    uint64_t given = 0, groups = 0;
    pc_error err = {0};
    const pc_row *source = NULL;
    double from = 0;
    ck_assert_uint_le(schema->size, sizeof params);
    pc_schema_defaults(schema, &params);
    for (int i = 0; i < schema->n_rows; i++) { /* lists and functions come first, any of them */
        const pc_row *row = &schema->rows[i];
        bool is = row->group && (row->kind == PC_LIST || row->kind == PC_FUNCTION) && strcmp(row->name, "curve") != 0;
        if (is && (!source || choose(2))) source = row;
        if (is && row == source) given = UINT64_C(1) << i;
    }
    bool bounded = !source || source->kind == PC_FUNCTION;
    for (int i = 0; i < schema->n_rows; i++) {
        const pc_row *row = &schema->rows[i];
        int n = 0;
        if (row->kind == PC_LIST || row->kind == PC_FUNCTION) continue;
        if (!bounded && (strcmp(row->name, "from") == 0 || strcmp(row->name, "to") == 0)) continue;
        if (row->group && groups >> row->group & 1) continue;
        groups |= UINT64_C(1) << row->group;
        while (row->kind == PC_CHOICE && row->choices[n]) n++;
        if (n > 0) {
            must(pc_schema_set_word(schema, i, &params, row->choices[choose(n)], &given, &err), &err);
        } else if (row->kind == PC_REAL) {
            double value = draw_number(kind, row, from);
            if (strcmp(row->name, "from") == 0) from = value;
            must(pc_schema_set_number(schema, i, &params, value, &given, &err), &err);
        }
    }
    must(pc_schema_finish(schema, &params, given, &err), &err);
    if (kind->take) take_source(kind, source);
}

/* A point of an outline, not near a corner, and the normal there. */
static void choose_place(const pc_outline *outline, double at[2], double normal[2])
{
    double angle = uniform(-M_PI, M_PI);
    at[0] = outline->x, at[1] = outline->y;
    normal[0] = cos(angle), normal[1] = sin(angle);
    if (outline->n_sides == 0) return;
    if (pc_outline_is_curve(outline)) {
        const pc_plane_curve *curve = &outline->curve;
        double way[2], bend;
        pc_curve_at(&curve->spans[choose(curve->n)], uniform(-0.9, 0.9), at, way, &bend);
        normal[0] = -curve->side * way[1], normal[1] = curve->side * way[0];
        return;
    }
    const pc_side *side = &outline->sides[choose(outline->n_sides)];
    double lo = fmax(side->lo, -2), hi = fmin(side->hi, 2), place = lo + (hi - lo) * uniform(0.1, 0.9);
    ck_assert_double_eq_tol(hypot(side->ex, side->ey), 1, 1e-14);
    at[0] = side->x + place * side->ex, at[1] = side->y + place * side->ey;
    normal[0] = side->ey, normal[1] = -side->ex;
}

/* A smooth elastic ball that flies straight at a side comes back as it went, at the time that the gap takes. */
static void check_obstacle(const pc_obstacle_kind *kind)
{
    const pc_rigid law = rigid(1, 0);
    const double radius = 0.05;
    pc_free_shape ball = {.shape = PC_SHAPE_DISC, .mass = 1, .inertia = 0.5 * radius * radius, .radius = radius};
    pc_part parts[2] = {{.body = &ball}, {.obstacle = kind, .params = &params}};
    pc_scene scene = {0};
    pc_error err = {0};
    char text[160] = "";
    draw_obstacle(kind);
    kind->describe(&params, text, sizeof text);
    ck_assert_msg(strncmp(text, kind->schema->name, strlen(kind->schema->name)) == 0, "%s", text);
    must(pc_scene_assemble(&scene, parts, 2, &err), &err);
    pc_outline outline = kind->build(&params);
    /* within a circle, whose radius is negative, it flies across: there is room for twice what is left of that */
    double away = pc_outline_is_curve(&outline) ? 0.2
                  : outline.radius < 0          ? fmin(0.5, 1.5 * (-outline.radius - radius))
                                                : 0.5;
    double at[2], n[2], start = away + radius + outline.radius;
    choose_place(&outline, at, n);
    double q[3] = {at[0] + start * n[0], at[1] + start * n[1], 0}, u[3] = {-n[0], -n[1], 0};
    double time = strike(&scene, &pc_law_newton, &law, q, u);
    ck_assert_msg(fabs(time - away) <= EXACT, "%s: struck at %.17g", text, time);
    for (int i = 0; i < 2; i++) ck_assert_msg(fabs(u[i] - n[i]) <= EXACT, "%s: leaves with %g", text, u[i]);
    free_rooms();
}

START_TEST(every_obstacle_throws_a_smooth_ball_back)
{
    for (int k = 0; k < PC_OBSTACLE_KINDS; k++)
        for (int i = 0; i < THROWS; i++) {
            seed = unit_seed(pc_obstacle_kinds[k]->schema->name, (uint64_t)i);
            check_obstacle(pc_obstacle_kinds[k]);
        }
}
END_TEST

START_TEST(obstacles_describe_every_parameter_and_have_names)
{
    for (int k = 0; k < PC_OBSTACLE_KINDS; k++) {
        const pc_schema *schema = pc_obstacle_kinds[k]->schema;
        const pc_row *name = &schema->rows[pc_schema_find(schema, "name")];
        ck_assert_msg(schema->summary && schema->example, "%s", schema->name);
        ck_assert_msg(name->kind == PC_TEXT && name->offset == 0, "%s", schema->name);
        for (int i = 0; i < schema->n_rows; i++)
            ck_assert_msg(schema->rows[i].doc && schema->rows[i].doc[0], "%s.%s", schema->name, schema->rows[i].name);
    }
}
END_TEST

UNIT_MAIN("part_properties", 60, a_body_in_a_scene_is_the_body_that_collides, every_obstacle_throws_a_smooth_ball_back,
          obstacles_describe_every_parameter_and_have_names)
