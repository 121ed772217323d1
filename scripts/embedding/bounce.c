/* A ball bounces to rest, watched as it comes down through a height: a scene with events and columns.
 *
 * With restitution e it bounces for ever shorter times, T_k = 2 e^k v/g, which end after v/g + 2 e v/(g (1 - e)).
 */
#include <percuss.h>
#include <stdio.h>
#include <stdlib.h>

static int above(double t, const double *y, double *value, void *context)
{
    (void)t;
    *value = y[1] - *(const double *)context; /* y: x, y, angle, then their rates */
    return 0;
}

static void must(percuss_code code, const percuss_error *error)
{
    if (code == PERCUSS_OK) return;
    fprintf(stderr, "bounce: %s\n", error->message);
    exit(1);
}

static percuss_scene *make_scene(percuss_error *error)
{
    const percuss_option disc[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                   PERCUSS_NUMBER("mass", 1), PERCUSS_NUMBER("y", 1.1), PERCUSS_END};
    const percuss_option ground[] = {PERCUSS_NUMBER("height", 0), PERCUSS_END};
    const percuss_option half[] = {PERCUSS_NUMBER("restitution", 0.5), PERCUSS_NUMBER("friction", 0), PERCUSS_END};
    percuss_law *law = percuss_law_new("newton", half, error);
    const percuss_part *parts[2];
    percuss_part *ball = percuss_part_new("free", disc, error), *floor = percuss_part_new("floor", ground, error);
    percuss_scene *scene;
    parts[0] = ball;
    parts[1] = floor;
    scene = percuss_scene_new(parts, 2, law, NULL, 0, NULL, error);
    percuss_part_free(ball); /* the scene keeps what it needs */
    percuss_part_free(floor);
    percuss_law_free(law);
    return scene;
}

int main(void)
{
    const percuss_option two_seconds[] = {PERCUSS_NUMBER("duration", 2), PERCUSS_END};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_scene *scene = make_scene(&error);
    double height = 0.6, values[32];
    const percuss_event events[] = {{"half way", -1, 0, above, NULL, NULL}};
    percuss_event watched = events[0];
    percuss_setup setup = {NULL, NULL, NULL, NULL, NULL, 0, NULL, 0, 0, NULL, NULL};
    percuss_run *run;
    percuss_run_record record;
    size_t i;
    int n = 0;
    watched.context = &height;
    setup.events = &watched;
    setup.n_events = 1;
    must(percuss_simulate(scene, two_seconds, &setup, &run, &error), &error);
    must(percuss_run_read(run, &record, &error), &error);
    for (i = 0; i < record.n_events; i++) {
        percuss_run_event event;
        must(percuss_run_event_read(run, i, &event, &error), &error);
        if (i < 4 || event.impact < 0) printf("%s %.17g s\n", event.kind, event.t);
    }
    while (percuss_scene_column(scene, n)) n++;
    must(percuss_run_at(run, 0.2, 1, values, n, &error), &error);
    printf("%s at 0.2 s: %.15g %s\n", percuss_scene_column(scene, 1), values[1], percuss_scene_column_unit(scene, 1));
    percuss_run_free(run);
    percuss_scene_free(scene);
    return 0;
}
