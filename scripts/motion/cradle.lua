-- Newton's cradle by several laws and rules: what the answer owes to the rule for impacts at one instant.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Newton's cradle", source = "Pfeiffer and Glocker (1996), chapter 8; Stronge (2000)", arguments = { ... },
}

local function cradle(law, rule, raised)
    local parts = { contact = law, together = rule }
    for i = 1, 5 do
        parts[i] = pc.chain{
            links = { { mass = 1, length = 1, center = 1, inertia = 0.004, radius = 0.1 } },
            pivot = { x = 0.2 * (i - 1) }, angles = { i <= raised and -0.4 or 0 }, name = "ball" .. i,
        }
    end
    return pc.simulate(pc.scene(parts), { duration = 0.7, solver = pc.solver.dop853{ rtol = 1e-11, atol = 1e-12 } })
end

local function rates(run)
    local last = run.impacts[#run.impacts]
    local words = {}
    for i = 1, 5 do
        local v = last.u_after[i]
        words[i] = math.abs(v) < 1e-9 and "0" or string.format("%.3f", v)
    end
    return table.concat(words, " ")
end

local laws = {
    { "Newton, e = 1", pc.contact.newton{ restitution = 1, friction = 0 } },
    { "Poisson, R = 1, mu = 0.1", pc.contact.poisson{ restitution = 1, friction = 0.1 } },
    { "Stronge, E = 0.9", pc.contact.stronge{ restitution = 0.9, friction = 0 } },
    { "linear springs", pc.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.2, friction = 0 } },
}
for _, entry in ipairs(laws) do
    local run = cradle(entry[2], "sequential", 1)
    study:statement(entry[1] .. ", one after the other: rates", nil, rates(run) .. " rad/s", "not printed")
end
local default = cradle(laws[1][2], nil, 1)
study:statement("Newton, e = 1, by default (what ties as one): rates", "as in sequence", rates(default),
    rates(default) == rates(cradle(laws[1][2], "sequential", 1)))
local together = cradle(laws[1][2], "simultaneous", 1)
study:statement("Newton, e = 1, all at once: rates", nil, rates(together) .. " rad/s", "not printed")
local one = cradle(laws[1][2], "sequential", 1)
study:statement("one ball sequentially", "hands its motion to the last", rates(one),
    math.abs(one.impacts[#one.impacts].u_after[1]) < 1e-9)
study:value("energy lost, Stronge E = 0.9, sequential", nil, cradle(laws[3][2], "sequential", 1):at(0.7).lost, "J")
study:note("Rigid laws do not say what several contacts do at one instant: the rule does. Sequential impacts are the")
study:note("limit of contacts that are over before the next begins; the complementarity problem takes all of them as")
study:note("lasting equally long.")
study:draw(require("percuss.run").figure(one, { "rates" }), "cradle")
return study:finish()
