-- What `make demo` runs: one impact told phase by phase, and the wedging map of a pendulum with its exact boundary.
-- Both are studies of Birlik (2012). Charts are drawn inline where there is a terminal, and always written as PNG.
local pc = require "percuss"

local directory = ... or "build/demo"
local arguments = { "--out", directory, "--show" }

print("percuss " .. pc.version .. ": impact with friction. Two studies of Birlik (2012).\n")
for _, name in ipairs{ "fig4_6", "fig4_14" } do
    assert(loadfile("scripts/birlik2012/" .. name .. ".lua"))(table.unpack(arguments))
    print()
end
print("The impact of the first study, as the prompt shows it:")
local body = pc.body.pendulum{ mass = 0.0041, radius = 5e-3, length = 0.1, angle = 30 * pc.deg }
local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
print(pc.collide(body, law, { rate = -6 }))
