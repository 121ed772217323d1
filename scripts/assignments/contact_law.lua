-- Write your own contact law: a normal force with damping that obeys what every such law has to.
local pc = require "percuss"
local A = require "percuss.assignment"

-- Impact of a mass on the student's force by small steps of the explicit midpoint rule: the velocity afterwards.
local function strike(f, mass, speed, steps, duration)
    local x, v, h = 0, speed, duration / steps
    for _ = 1, steps do
        local xm, vm = x + h / 2 * v, v - h / 2 * f(x, v) / mass
        x, v = x + h * vm, v - h * f(xm, vm) / mass
        if x < 0 then break end
    end
    return v
end

return A.new{
    name = "contact_law",
    title = "Write your own contact law",
    text = [[
Two bodies press on each other with a normal force that depends on their overlap u (m) and its rate w (m/s, positive
while they approach). Write the law of Hunt and Crossley (1975), F = k u^(3/2) (1 + c w), with your numbers k and c;
there is no force without overlap, and bodies never pull: where the formula is negative the force is zero.]],
    data = function(random)
        return {
            stiffness = random:number(1e8, 5e8),
            damping = random:number(0.1, 0.4),
            mass = random:number(0.01, 0.1),
        }
    end,
    units = { stiffness = "N/m^1.5", damping = "s/m", mass = "kg" },
    parts = {
        A.law{
            name = "force", points = 5, text = "Write work.force(u, w), in N.", relative = 1e-9, absolute = 1e-9,
            inputs = function(random)
                local list = { { 0.0, 1.0 }, { -1e-4, 1.0 }, { 1e-4, -100.0 } }
                for _ = 1, 12 do list[#list + 1] = { random:number(0, 1e-3), random:number(-2, 2) } end
                return list
            end,
            answer = function(d, u, w)
                if u <= 0 then return 0 end
                return math.max(0, d.stiffness * u ^ 1.5 * (1 + d.damping * w))
            end,
            properties = {
                { name = "no force without overlap", test = function(f) return f(0, 3) == 0 and f(-1e-3, -3) == 0 end },
                { name = "bodies never pull", test = function(f) return f(1e-3, -1e3) >= 0 end },
                { name = "energy is never created", test = function(f, d)
                    -- a sphere of k u^1.5 rebounds after 3.2 (m/k)^0.4 v^-0.2 seconds (Hertz); twice that is ample
                    local duration = 6.4 * (d.mass / d.stiffness) ^ 0.4
                    -- the rule's own error is below 1e-4 of the speed with so many steps
                    return math.abs(strike(f, d.mass, 1, 400, duration)) <= 1 + 1e-3
                end },
            },
            hints = { { 2, "a negative number has no power of 3/2: look at u first" } },
        },
        A.chart{
            name = "loop", points = 3, text = "Draw the force over the overlap during an impact with 1 m/s.",
            x = { unit = "m" }, y = { unit = "N" },
            test = function(panel)
                local force = pc.array(panel.series[1].y)
                return force:min() >= 0 and force:max() > 0, "the force is positive"
            end,
        },
        A.words{
            name = "why", points = 2, least = 20,
            text = "Why does the damping term stand together with u^(3/2), and not alone as in a linear dashpot?",
        },
    },
}
