-- What the studies of Lai (1999) share: his bodies and laws in his units (m = v = E* = R = 1), and his scaled angles.
local pc = require "percuss"

local lai = {}

-- Scaled angle of incidence or reflection: psi = tan(angle)/unit (his eq 5.63).
function lai.unit(nu, mu)
    return mu * (2 - nu) / (2 * (1 - nu))
end

function lai.body(lambda, theta)
    return pc.body.lai{ mass = 1, lambda = lambda, theta = theta or 0 }
end

-- chi = (1 - nu) (1 + lambda)/((2 - nu) (1 - lambda)), theta = 0 (his eq 5.67).
function lai.chi(lambda, nu)
    return (1 - nu) / (2 - nu) * (1 + lambda) / (1 - lambda)
end

-- lambda of a body of revolution that rolls: k3^2 = shape b^2 (Table 5.1).
lai.shapes = {
    { name = "solid sphere", shape = 2 / 5, printed = "0.556" },
    { name = "solid disc", shape = 1 / 2, printed = "0.500" },
    { name = "shell", shape = 2 / 3, printed = "0.429" }, { name = "hoop", shape = 1, printed = "0.333" },
}

function lai.lambda(shape)
    return 1 / (1 + 2 * shape)
end

-- The laws side by side, all with kappa of equal materials; the linear one has k_t/k_n = 2 (1 - nu)/(2 - nu).
function lai.coupled(nu, mu)
    return pc.contact.coupled{ modulus = 1, poisson = nu, radius = 1, friction = mu }
end

function lai.maw(nu, mu, rings)
    return pc.contact.maw{ modulus = 1, poisson = nu, radius = 1, friction = mu, rings = rings or 200 }
end

function lai.mindlin(nu, mu, form)
    return pc.contact.hertz_mindlin{ modulus = 1, poisson = nu, radius = 1, friction = mu, form = form }
end

function lai.linear(nu, mu)
    return pc.contact.linear{ stiffness = 1, stiffness_ratio = (2 - nu) / (2 * (1 - nu)), friction = mu }
end

function lai.rigid(mu)
    return pc.contact.stronge{ restitution = 1, friction = mu }
end

-- An impact at v = 1 and the tangent of the angle of incidence.
function lai.strike(body, law, slope)
    local v = math.sqrt(1 + slope * slope)
    return pc.collide(body, law, { vt = slope / v, vn = -1 / v })
end

-- psi2 = (w_t/w_n)/unit (his eq 5.64).
function lai.reflection(hit, unit)
    return hit.velocity.t / hit.velocity.n / unit
end

-- Curve psi2(psi1): arrays of both.
function lai.curve(body, law, unit, psi1)
    local psi2 = pc.array(#psi1)
    for i = 1, #psi1 do psi2[i] = lai.reflection(lai.strike(body, law, psi1[i] * unit), unit) end
    return psi2
end

-- A figure with columns of the history of one impact, panel by panel: { { x, y, xlabel, ylabel }, ... }.
function lai.histories(title, hit, panels)
    local h = hit:trace(800)
    local figure = pc.chart.figure{ title = title, columns = 2, width = 1200, height = 420 * ((#panels + 1) // 2) }
    for _, p in ipairs(panels) do
        figure:panel{ xlabel = p[3], ylabel = p[4] }:line{ h[p[1]], h[p[2]] }
    end
    return figure
end

return lai
