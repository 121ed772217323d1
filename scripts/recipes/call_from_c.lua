-- How do I call percuss from C or C++?
-- Words: C++ program library header embed embedding link compile shared object pkg-config libpercuss.
--
--   cc ball.c $(pkg-config --cflags --libs percuss) && ./a.out
--
-- after make install; the same program as a script is below. scripts/embedding has a scene with events and a pendulum.
local pc = require "percuss"

local source = [[
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
    if (hit)
        printf("%s, v_n = %g m/s\n", percuss_impact_regime(hit), percuss_impact_values(hit)->velocity[PERCUSS_N]);
    else
        fprintf(stderr, "%s\n", error.message);
    percuss_impact_free(hit);
    percuss_law_free(law);
    percuss_body_free(ball);
    return hit ? 0 : 1;
}
]]
print(pc.file.write("ball.c", source)) --> ball.c

local ball = pc.body.sphere{ radius = 0.02, mass = 0.05 }
local hit = pc.collide(ball, pc.contact.newton{ restitution = 0.8, friction = 0.05 }, { vt = 1, vn = -2 })
print(("%s, v_n = %g m/s"):format(hit.regime, hit.velocity.n)) --> gross slip, v_n = 1.6 m/s
