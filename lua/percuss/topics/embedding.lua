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
- `percuss_scene_new` takes parts and laws, `percuss_simulate` sets the scene in motion; events, impacts and all columns
  are read from the run, which can be continued, saved and loaded.
- `percuss_ode_solve` solves differential equations whose functions are the caller's, with events.

Functions that can fail fill a record with code, parameter, unit and a sentence. Nothing is printed, no call ends the
program, and there is no state but in handles: threads may share all but runs and motions. Numbers are those of Lua to
the last bit.

Every function is explained in the header. `scripts/embedding` has three programs in C and one in Python.]],
    example = [[
-- what scripts/embedding/ball.c prints
local ball = percuss.body.sphere{ radius = 0.02, mass = 0.05 }
local law = percuss.contact.newton{ restitution = 0.8, friction = 0.05 }
print(percuss.collide(ball, law, { vt = 1, vn = -2 }).velocity.n) --> 1.6]],
    see = { "collide", "scene", "simulate", "ode.solve", "conventions" },
}
