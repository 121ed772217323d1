return {
    title = "From C, C++ and Python",
    summary = "percuss.h and libpercuss.so: bodies, laws, impacts, scenes and equations without Lua.",
    words = "C API embed embedding library header shared object libpercuss percuss.h pkg-config ctypes Python C++ "
        .. "Fortran Julia foreign function interface FFI link compile",
    text = [[
`make install` puts one header, `percuss.h`, and a shared library that needs nothing but the C library. A program says
`#include <percuss.h>` and is compiled with what `pkg-config --cflags --libs percuss` prints, as C99 or later, or as
C++; whatever calls C functions needs no compiler.

- Names and options are those of Lua: `percuss_law_new("newton", options, &error)` with a list such as
  `PERCUSS_NUMBER("restitution", 0.8)`, ended by `PERCUSS_END`. What is misspelt or out of range is refused in the same
  words; `percuss_kind_option` lists options with unit, range and default.
- `percuss_collide` gives an impact, `percuss_impact_values` its record, `percuss_impact_trace` its history;
  `percuss_map` does many at once.
- `percuss_scene_new` takes parts and laws; `percuss_part_new` makes bodies and obstacles, also polygons by their
  corners, `percuss_force_new` springs, drag, fields, motors, joints and forces by a function of the caller,
  `percuss_restitution_new` a restitution that depends on the speed of approach. `percuss_simulate` sets the scene in
  motion; events, impacts and all columns are read from the run, which can be continued, saved and loaded.
- `percuss_ode_solve` solves differential equations whose functions are the caller's, with events.

What a C program gets is what a script gets: of a motion columns such as y and energy, of an impact velocities, works
and the impulse p, which balance with the mobility W of the body:

    v' = v + W p

Functions that can fail fill a record with code, parameter, unit and a sentence. Nothing is printed, no call ends the
program, and there is no state but in handles: threads may share all but runs and motions. Numbers are those of Lua to
the last bit.

Every function is explained in the header. `scripts/embedding` has four programs in C and one in Python.]],
    example = [[
-- what scripts/embedding/ball.c prints
local ball = percuss.body.sphere{ radius = 0.02, mass = 0.05 }
local law = percuss.contact.newton{ restitution = 0.8, friction = 0.05 }
print(percuss.collide(ball, law, { vt = 1, vn = -2 }).velocity.n) --> 1.6]],
    figure = function(pc)
        -- the motion of scripts/embedding/bounce.c
        local ball = pc.free{ shape = "disc", radius = 0.1, mass = 1, y = 1.1 }
        local world = pc.scene{ ball, pc.floor{ height = 0 }, contact = pc.contact.newton{ restitution = 0.5,
            friction = 0 } }
        local c = pc.simulate(world, { duration = 2 }):columns(0.01)
        local figure = pc.chart.figure{ title = "What bounce.c computes", width = 480, height = 300 }
        local panel = figure:panel{ xlabel = "t", xunit = "s", ylabel = "y", yunit = "m" }
        panel:line{ c.t, c.y, label = "centre of the ball" }
        return figure
    end,
    source = "percuss.h; scripts/embedding",
    see = { "collide", "scene", "simulate", "ode.solve", "conventions" },
}
