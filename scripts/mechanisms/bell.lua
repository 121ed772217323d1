-- Bell and clapper: when a bell rings, and when it swings in silence as the Emperor's Bell of Cologne did.
local pc = require "percuss"
local study = require("percuss.study").new{
    title = "Bell and clapper",
    source = "Veltmann, Dinglers Polytechnisches Journal 220 (1876): a clapper hangs still in a bell whose equivalent "
        .. "length is that of the clapper and the distance of the two axes together; with the clapper's weight, exact",
    arguments = { ... },
}

-- The bell turns about a fixed axis, the clapper about one at the distance d below it.
local g, sin, cos = 9.81, math.sin, math.cos
local bell = { mass = 500, centre = 0.45, inertia = 80 } -- about its centre
local clapper = { mass = 18, centre = 0.45, inertia = 0.3, reach = 0.55, play = 0.42 } -- play: the angle to the rim

-- Lengths of the pendulums of a point that swing alike. If bell and clapper turn together by phi, the clapper moves
-- by (l_clapper + d) phi'' = -g sin phi, and the bell with the clapper in it by the same if d is where they hang still.
local l_clapper = (clapper.inertia + clapper.mass*clapper.centre^2)/(clapper.mass*clapper.centre)
local moment, J_bell = bell.mass*bell.centre, bell.inertia + bell.mass*bell.centre^2
local l_bell = J_bell/moment
local d = (J_bell - moment*l_clapper)/(moment + clapper.mass*(l_clapper - clapper.centre))

local function world(hinge, start, law)
    local m1, s1, J1 = bell.mass, bell.centre, bell.inertia
    local m2, s2, J2, r = clapper.mass, clapper.centre, clapper.inertia, clapper.reach
    local function side(sign, name)
        return { function(_, q) return r*(clapper.play - sign*(q.c - q.b)) end, jacobian = { sign*r, -sign*r },
            name = name, contact = law }
    end
    return pc.scene{ pc.mechanism{
        coordinates = { { "b", unit = "rad" }, { "c", unit = "rad" } }, start = { start, start },
        mass = function(q)
            local mixed = m2*hinge*s2*cos(q.b - q.c)
            return { { J1 + m1*s1^2 + m2*hinge^2, mixed }, { mixed, J2 + m2*s2^2 } }
        end,
        force = function(_, q) return -(m1*s1 + m2*hinge)*g*sin(q.b), -m2*s2*g*sin(q.c) end,
        gaps = law and { side(1, "right"), side(-1, "left") },
        picture = function(q)
            local ux, uy = sin(q[1]), -cos(q[1])
            local function at(along, across) return along*ux - across*uy, along*uy + across*ux end
            local xs, ys = {}, {}
            for i, p in ipairs{ { 0, -0.1 }, { 0.2, -0.25 }, { 0.7, -0.32 }, { 0.85, -0.45 }, { 0.85, 0.45 },
                { 0.7, 0.32 }, { 0.2, 0.25 }, { 0, 0.1 } } do xs[i], ys[i] = at(p[1], p[2]) end
            local x, y = at(hinge, 0)
            return { { xs, ys }, { { x, x + r*sin(q[2]) }, { y, y - r*cos(q[2]) } } }
        end,
    } }
end
local tight = pc.solver.dop853{ rtol = 1e-12 }

-- ---- the silent bell ----

study:value("equivalent length of the bell", nil, l_bell, "m")
study:value("equivalent length of the clapper", nil, l_clapper, "m")
study:value("their difference, Veltmann's place of the clapper's axis below the bell's", nil, l_bell - l_clapper, "m")
study:value("the same with the weight of the clapper", nil, d, "m")
local law = pc.contact.newton{ restitution = 0.35, friction = 0 }
local silent = pc.simulate(world(d, 1.2, law), { duration = 20, solver = tight })
local apart = 0
for k = 0, 400 do
    local s = silent:at(k/20)
    apart = math.max(apart, math.abs(s.b - s.c))
end
study:value("strokes in 20 s", "0", #silent.impacts)
study:value("greatest angle between clapper and bell", "0", apart, "rad")
-- both swing as one pendulum: its period by the arithmetic-geometric mean
local x, y = 1, cos(1.2/2)
for _ = 1, 8 do x, y = (x + y)/2, math.sqrt(x*y) end
local period = 2*math.pi*math.sqrt((l_clapper + d)/g)/x
study:value("angle after a period of that pendulum, less the first", "0", silent:at(period).b - 1.2, "rad")

-- ---- a bell that rings ----

local hung = d - 0.25
local rings = pc.simulate(world(hung, 1.2, law), { duration = 20, solver = tight })
study:value("hung 0.25 m higher: strokes in 20 s", nil, #rings.impacts)
study:value("the first at", nil, rings.impacts[1].time, "s")
-- until then it is a double pendulum
local twin = pc.simulate(pc.scene{ pc.chain{ angles = { 1.2, 1.2 }, links = {
    { mass = bell.mass, length = hung, center = bell.centre, inertia = bell.inertia },
    { mass = clapper.mass, length = clapper.reach, center = clapper.centre, inertia = clapper.inertia } } } },
    { duration = rings.impacts[1].time, solver = tight })
local s, other = rings:at(rings.impacts[1].time), twin:at(rings.impacts[1].time)
study:value("until then as percuss.chain: angle of the clapper less its", "0", s.c - other.angle2, "rad")
-- a stroke is within the two: it changes no momentum that both have together, and turns the relative rate back
local worst_rate, worst_momentum = 0, 0
for _, hit in ipairs(rings.impacts) do
    local relative = (hit.u_after[2] - hit.u_after[1])/(hit.u_before[2] - hit.u_before[1])
    worst_rate = math.max(worst_rate, math.abs(relative + 0.35))
    local mixed = clapper.mass*hung*clapper.centre*cos(hit.q[1] - hit.q[2])
    local about = bell.inertia + bell.mass*bell.centre^2 + clapper.mass*hung^2 + mixed
    local own = clapper.inertia + clapper.mass*clapper.centre^2 + mixed
    local change = about*(hit.u_after[1] - hit.u_before[1]) + own*(hit.u_after[2] - hit.u_before[2])
    worst_momentum = math.max(worst_momentum, math.abs(change)/(about*math.abs(hit.u_before[1]) + 1))
end
study:value("ratio of relative rates in a stroke: greatest error", "0", worst_rate)
study:value("change of the common momentum, as a share", "0", worst_momentum)
local a, b = rings:at(0), rings:at(20)
study:value("energy left over in the ledger, as a share of what strokes took", "0",
    (b.energy + b.lost - b.torque - a.energy)/b.lost)

-- ---- where the axis has to be for the clapper to strike ----

local places, strokes = {}, {}
for k = 0, 24 do
    places[k + 1] = math.max(d - 0.3 + 0.025*k, 0)
    local motion = pc.simulate(world(places[k + 1], 0.8, law), { duration = 20 })
    local loud = 0
    for _, hit in ipairs(motion.impacts) do
        if hit.loss > 0.05 then loud = loud + 1 end
    end
    strokes[k + 1] = loud
end

local figure = pc.chart.figure{ title = "Bell and clapper", columns = 2, width = 1100, height = 440 }
local panel = figure:panel{ title = "it rings: the axis 0.25 m above the silent place", xlabel = "t", xunit = "s",
    ylabel = "angle", yunit = "rad" }
local columns = rings:columns(pc.linspace(0, 6, 1500))
panel:line{ columns.t, columns.b, label = "bell" }
panel:line{ columns.t, columns.c, label = "clapper" }
panel = figure:panel{ title = "strokes of more than 0.05 J in 20 s, from 0.8 rad", xlabel = "the clapper's axis below "
    .. "the bell's", xunit = "m", ylabel = "strokes" }
panel:scatter{ places, strokes, label = "motions" }
panel:line{ { d, d }, { 0, math.max(table.unpack(strokes)) }, label = "Veltmann's place", dash = "dotted" }
study:draw(figure, "bell")
return study:finish()
