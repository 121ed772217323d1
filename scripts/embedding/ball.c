/* A ball strikes a wall: cc ball.c $(pkg-config --cflags --libs percuss) */
#include <percuss.h>
#include <stdio.h>

int main(void)
{
    const percuss_option sphere[] = {PERCUSS_NUMBER("radius", 0.02), PERCUSS_NUMBER("mass", 0.05), PERCUSS_END};
    const percuss_option newton[] = {PERCUSS_NUMBER("restitution", 0.8), PERCUSS_NUMBER("friction", 0.05), PERCUSS_END};
    const double velocity[3] = {1, -2, 0};
    percuss_error error = PERCUSS_NO_ERROR;
    percuss_body *ball = percuss_body_new("sphere", sphere, &error);
    percuss_law *law = percuss_law_new("newton", newton, &error);
    percuss_impact *hit = percuss_collide(ball, law, velocity, NULL, &error);
    if (hit) {
        const percuss_impact_record *r = percuss_impact_values(hit);
        printf("v_t = %.17g m/s, v_n = %.17g m/s, loss = %.17g J, %s\n", r->velocity[PERCUSS_T], r->velocity[PERCUSS_N],
               r->loss, percuss_impact_regime(hit));
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    percuss_impact_free(hit);
    percuss_law_free(law);
    percuss_body_free(ball);
    return hit ? 0 : 1;
}
