-- When does a pendulum wedge: a link that strikes a plane obliquely on elastic contacts with friction.
local pc = require "percuss"
local A = require "percuss.assignment"

return A.new{
    name = "wedge",
    title = "When does a pendulum wedge?",
    text = [[
A bob on a rigid link swings about a fixed pivot and strikes a level plane below it. The contact is a pair of linear
springs, normal and tangential, with Coulomb friction (pc.contact.linear); stiffness_ratio is k_n/k_t. The angle is
that of the link from the normal of the plane. Below a critical angle the bob does not come off again: it wedges.
Birlik (2012), section 4.2, studies this case; in closed form the critical angle obeys mu eta T^2 + (1 + 3 mu^2 eta) T
- mu = 0 with T = tan(angle).

Work with pc.collide(pc.body.pendulum{ mass = 0.0041, length = 0.1, angle = ... }, law, { rate = -6 }): its result has
outcome, wedged, loss_fraction. The stiffness is 1.5e7 N/m.]],
    data = function(random)
        return {
            friction = random:number(0.3, 1.2, 2),
            ratio = random:number(0.5, 2, 2),
            angle = random:number(40, 60, 2),
        }
    end,
    units = { angle = "deg" },
    parts = {
        A.number{
            name = "critical", points = 2, text = "What is the critical angle for your friction and ratio?",
            unit = "deg", digits = 4, answer = function(d) return pc.critical_angle(d.friction, d.ratio) / pc.deg end,
            mistakes = { {
                answer = function(d) return math.atan(d.friction) / pc.deg end, credit = 0.25,
                message = "that is the angle of the friction cone; the tangential spring matters as well",
            } },
            hints = { { 2, "only the positive root of the quadratic equation for T is an angle below 90 degrees" } },
        },
        A.number{
            name = "loss", points = 2, text = "What fraction of its energy does the pendulum lose at your angle?",
            unit = "", digits = 3,
            answer = function(d) return pc.pendulum_loss(d.angle * pc.deg, d.friction, d.ratio) end,
            hints = { { 2, "pc.collide needs the angle in radians: d.angle*pc.deg" } },
        },
        A.law{
            name = "wedges", points = 3,
            text = "Write work.wedges(angle, friction, ratio), angle in rad: 1 if the pendulum wedges, 0 if not.",
            inputs = function(random)
                local list = {}
                for i = 1, 12 do
                    local mu, eta = random:number(0.1, 1.5), random:number(0.3, 3)
                    -- five per cent on either side of the boundary
                    list[i] = { pc.critical_angle(mu, eta) * (i % 2 == 0 and 0.95 or 1.05), mu, eta }
                end
                return list
            end,
            answer = function(_, angle, mu, eta) return angle < pc.critical_angle(mu, eta) and 1 or 0 end,
            relative = 0, absolute = 1e-9,
            properties = { {
                name = "without friction nothing wedges", test = function(f) return f(0.3, 0, 1) == 0 end,
            } },
        },
        A.chart{
            name = "boundary", points = 2,
            text = "Draw the critical angle (in deg) over the friction from 0.05 to 2 for your ratio.",
            x = { unit = "" }, y = { unit = "deg" },
            test = function(panel, d)
                local mu, theta = panel.series[1].x, panel.series[1].y
                for i = 1, #mu do
                    local right = mu[i] > 0 and pc.critical_angle(mu[i], d.ratio) / pc.deg or 0
                    if math.abs(theta[i] - right) > 0.2 then return false, "the curve is wrong" end
                end
                return pc.array(mu):max() >= 1.9 and pc.array(mu):min() <= 0.1, "it must reach from 0.05 to 2"
            end,
        },
        A.words{
            name = "why", points = 1, least = 20,
            text = "Why does the answer not depend on the speed, the mass and the length of the pendulum?",
        },
    },
}
