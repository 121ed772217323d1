-- How do I draw a map of an outcome over two parameters?
-- Words: heat map contour sweep grid friction angle loss phase diagram.
local pc = require "percuss"

local t = pc.sweep{
    over = { { "theta", pc.linspace(5, 60, 23)*pc.deg, unit = "rad" }, { "mu", pc.linspace(0, 1.5, 31) } },
    run = function(p)
        local bob = pc.body.pendulum{ radius = 0.02, length = 0.5, mass = 0.1, angle = p.theta }
        local law = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = p.mu }
        local hit = pc.collide(bob, law, { rate = -1 })
        return { loss = hit.loss_fraction, wedged = hit.wedged }
    end,
    columns = { "loss", "wedged" }, progress = "none",
}
print(t:heatmap("mu", "theta", "loss", { file = "loss.png" })) --> loss.png
print(("%d of %d wedge"):format(t.wedged:sum()//1, #t))
