/* A ball thrown into air that resists, towards a hip roof: a force by a function of this program, an obstacle by its
 * corners, and a restitution that falls with the speed of approach.
 *
 * The drag is F = -c |v| v; in the air the ball loses what the run says the function has taken.
 */
#include <percuss.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int drag(double t, const percuss_force_state *at, double out[3], void *context)
{
    const double c = *(const double *)context, speed = sqrt(at->vx * at->vx + at->vy * at->vy);
    (void)t;
    out[0] = -c * speed * at->vx;
    out[1] = -c * speed * at->vy;
    return 0;
}

static void must(percuss_code code, const percuss_error *error)
{
    if (code == PERCUSS_OK) return;
    fprintf(stderr, "throw: %s\n", error->message);
    exit(1);
}

static percuss_scene *make_scene(double *c, percuss_error *error)
{
    static const double corners[4][2] = {{6, 0}, {14, 0}, {12, 2}, {8, 2}};
    const percuss_option ball[] = {PERCUSS_WORD("shape", "disc"), PERCUSS_NUMBER("radius", 0.1),
                                   PERCUSS_NUMBER("mass", 0.4),   PERCUSS_NUMBER("y", 1),
                                   PERCUSS_NUMBER("vx", 9),       PERCUSS_NUMBER("vy", 9),
                                   PERCUSS_WORD("name", "ball"),  PERCUSS_END};
    const percuss_option roof[] = {PERCUSS_MATRIX("corners", &corners[0][0], 4, 2), PERCUSS_END};
    const percuss_option on_ball[] = {PERCUSS_WORD("on", "ball"), PERCUSS_END};
    const percuss_option power[] = {PERCUSS_NUMBER("value", 0.8), PERCUSS_NUMBER("exponent", 0.25), PERCUSS_END};
    percuss_force_function air = {NULL, NULL, NULL, 0};
    percuss_restitution *restitution = percuss_restitution_new("power", power, error);
    percuss_option of_law[3] = {PERCUSS_NUMBER("friction", 0.3), PERCUSS_END, PERCUSS_END};
    percuss_option given = PERCUSS_OBJECT("restitution", NULL);
    percuss_part *parts[3];
    percuss_law *law;
    percuss_scene *scene;
    int i;
    given.object = restitution;
    of_law[1] = given;
    law = percuss_law_new("newton", of_law, error);
    air.call = drag;
    air.context = c;
    parts[0] = percuss_part_new("free", ball, error);
    parts[1] = percuss_part_new("polygon", roof, error);
    parts[2] = percuss_force_new("force", on_ball, &air, error);
    scene = percuss_scene_new((const percuss_part *const *)parts, 3, law, NULL, 0, NULL, error);
    for (i = 0; i < 3; i++) percuss_part_free(parts[i]); /* the scene keeps what it needs */
    percuss_law_free(law);
    percuss_restitution_free(restitution);
    return scene;
}

int main(void)
{
    const percuss_option options[] = {PERCUSS_NUMBER("duration", 2), PERCUSS_END};
    percuss_error error = PERCUSS_NO_ERROR;
    double c = 0.01, given;
    percuss_scene *scene = make_scene(&c, &error);
    percuss_run *run;
    percuss_run_impact hit;
    must(percuss_simulate(scene, options, NULL, &run, &error), &error);
    must(percuss_run_impact_read(run, 0, &hit, NULL, NULL, NULL, 0, &error), &error);
    must(percuss_run_work(run, "force", hit.t, &given, NULL, &error), &error);
    printf("strikes the roof at %.6f s with %.6f m/s, and leaves with %.6f m/s\n", hit.t, -hit.velocity_before[1],
           hit.velocity[1]);
    printf("the air has taken %.6f J until then\n", -given);
    percuss_run_free(run);
    percuss_scene_free(scene);
    return 0;
}
