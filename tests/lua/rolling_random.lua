-- A random impact that resists rolling and twisting: any body and law that has the lengths. Returns false where it does
-- not approach, or how far the ledger is open, as a share of the energy before, by how much a couple is beyond its
-- cone, as a share of that, and what was tried.
local pc = require "percuss"

local RIGID = { "newton", "poisson", "stronge" }
local COMPLIANT = {
    { "hunt_crossley", { stiffness = 1e6, damping = 0.2 } }, { "kelvin_voigt", { stiffness = 1e5, damping = 50 } },
    { "hertz_mindlin", { young = 1e8, poisson = 0.3, radius = 0.1 } },
    { "tsuji", { young = 1e8, poisson = 0.3, radius = 0.1, restitution = 0.7 } },
    { "walton_braun", { stiffness = 1e6, restitution = 0.6 } },
}

return function(seed)
    local state = seed*7919 % 2147483646 + 1
    local function unit()
        state = state*48271 % 2147483647
        return state/2147483647
    end
    for _ = 1, 5 do unit() end
    local function random(lo, hi) return lo + (hi - lo)*unit() end
    local function one_of(list) return list[math.min(1 + math.floor(#list*unit()), #list)] end

    local compliant, spatial = unit() < 0.4, false
    local body, motion
    local turning = one_of{ 0, random(-30, 30), random(-30, 30) }
    local kind = one_of(compliant and { "sphere", "capsule", "disc" } or
        { "sphere", "capsule", "disc", "linkage", "pendulum", "spherical_pendulum" })
    if kind == "sphere" or kind == "capsule" then spatial = not compliant and unit() < 0.7 end
    if kind == "sphere" or kind == "disc" then
        body = pc.body[kind]{ radius = random(0.02, 0.5), mass = random(0.1, 3), spatial = spatial }
    elseif kind == "capsule" then
        body = pc.body.capsule{
            length = random(0.1, 1), radius = random(0.02, 0.3), mass = random(0.1, 3), angle = random(-1.4, 1.4),
            spatial = spatial,
        }
    elseif kind == "linkage" then
        body = pc.body.linkage{
            lengths = { random(0.3, 1), random(0.3, 1) }, masses = { random(0.3, 1), random(0.3, 1) },
            angles = { random(-1.2, -0.2), random(0.2, 1.2) }, radius = random(0.02, 0.1),
        }
    else
        body = pc.body[kind]{
            length = random(0.3, 1), mass = 1, angle = random(-1.3, 1.3), radius = random(0.02, 0.1),
                contact = "surface",
            joint = kind == "spherical_pendulum" and one_of{ "suppressed", "universal" } or nil,
        }
    end
    if kind == "linkage" then
        motion = { rates = { random(-3, 3), random(-3, 3) } }
    elseif kind == "pendulum" or kind == "spherical_pendulum" then
        motion = { rate = random(-3, 3), turn = kind == "spherical_pendulum" and random(-3, 3) or nil }
    elseif spatial then
        motion = {
            v = { random(-3, 3), random(-3, 0), random(-3, 3) },
            omega = turning == 0 and { 0, 0, 0 } or { turning, random(-30, 30), random(-30, 30) },
        }
    else
        motion = { v = { random(-3, 3), random(-3, 0) }, omega = turning }
    end
    if body:contact_velocity(motion).vn >= 0 then return false end

    local friction = one_of{ 0, random(0, 1.4), random(0, 1.4) }
    local rolling, twisting = one_of{ 0, 10^random(-5, 0), 10^random(-5, 2) }, one_of{ 0, 10^random(-5, 1) }
    local law
    if compliant then
        local which = one_of(COMPLIANT)
        local options = { friction = friction, rolling = math.min(rolling, 1) }
        for k, v in pairs(which[2]) do options[k] = v end
        twisting, rolling = 0, options.rolling
        law = pc.contact[which[1]](options)
    else
        law = pc.contact[one_of(RIGID)]{
            restitution = one_of{ 0, 1, random(0, 1) }, friction = friction,
            static_friction = friction*one_of{ 1, random(1, 1.5) }, rolling = rolling, twisting = twisting,
        }
    end
    local hit = pc.collide(body, law, motion)
    local what = ("%s of %s, %s"):format(tostring(law):match "^[%w_.]+", kind, hit.regime)
    local open = math.abs(hit.energy.before - hit.energy.after - hit.loss)
    local roll, twist = math.sqrt((hit.couple.t or 0)^2 + hit.couple.t2^2), math.abs(hit.couple.n or 0)
    local p = hit.impulse.n
    local beyond = math.max(rolling > 0 and roll/(rolling*p) - 1 or roll, twisting > 0 and twist/(twisting*p) - 1
        or twist)
    assert(hit.work.friction <= 1e-9*hit.energy.before, what .. ": friction gives")
    return open/hit.energy.before, beyond, what
end
