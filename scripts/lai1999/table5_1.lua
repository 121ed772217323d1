-- Lai (1999), Table 5.1: the configuration parameter lambda of four bodies, from the bodies themselves.
local pc = require "percuss"
local lai = require "percuss.lai"
local study = require("percuss.study").new{
    title = "Configuration parameter of four bodies", source = "Lai (1999), Table 5.1; eqs 3.56, 5.67",
    arguments = { ... },
}

local bodies = {
    pc.body.sphere{ radius = 1, mass = 1 }, pc.body.disc{ radius = 1, mass = 1 }, pc.body.shell{ radius = 1, mass = 1 },
    pc.body.hoop{ radius = 1, mass = 1 },
}
for i, shape in ipairs(lai.shapes) do
    local lambda = bodies[i].lai.lambda
    study:value(shape.name, shape.printed, lambda)
    study:identity(shape.name .. ", by k3^2/b^2", lambda, lai.lambda(shape.shape))
    study:value(shape.name .. ", chi at nu = 0.3", nil, lai.chi(lambda, 0.3))
end
return study:finish()
