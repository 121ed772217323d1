return {
    title = "From measured rebounds to parameters",
    summary = "How to get restitution and friction with their errors from rebound speeds, angles or a CSV file.",
    words = "data measured experiment CSV fit friction from rebound angles restitution estimate error bar "
        .. "confidence identify parameter residual least squares calibrate",
    text = [[
Read the file, write the model as a function of the parameters and a row, and fit:

- `pc.csv.read` gives the columns as arrays, with units where the head has them; `pc.table` makes a table of them.
- The model calls collide with the body, a law of the parameters and the motion of the row, and returns what was
  measured: a number or a table of columns.
- `pc.fit(data, model, { { "mu", 0.2, lo = 0 } }, { columns = "v_t" })` returns values, standard errors, covariance and
  residuals. Print it; `f:band(rows)` draws a line with its band.

For a ball that slips all the way friction follows from one rebound, since p_t = -mu p_n:

    mu = (v_t - v_t')/(3.5 (v_n' - v_n))

with 3.5 = w_tt/w_nn of a solid sphere. Rebounds at small angles stick and tell nothing of mu; they tell the stiffness
ratio. So take angles on both sides of the change, which the picture of v_t' over the angle shows as a corner.

A parameter that ends at a bound, or that the data do not determine, is reported as such and has no error.]],
    example = [[
local ball = percuss.body.sphere{ radius = 0.01, mass = 0.03 }
local angles = { 40, 50, 60, 70, 80 }
local measured = {}
for i, angle in ipairs(angles) do
    local law = percuss.contact.stronge{ E = 0.9, mu = 0.12 }
    measured[i] = percuss.collide(ball, law, { speed = 1, incidence = angle*percuss.deg }).velocity.t
end
local data = percuss.table{ { "angle", angles }, { "v_t", measured, unit = "m/s" } }
local f = percuss.fit(data, function(p, row)
    local law = percuss.contact.stronge{ E = 0.9, mu = p.mu }
    return percuss.collide(ball, law, { speed = 1, incidence = row.angle*percuss.deg }).velocity.t
end, { { "mu", 0.3, lo = 0 } }, { columns = "v_t" })
print(("%.6f"):format(f.values.mu)) --> 0.120000]],
    figure = function(pc)
        local ball = pc.body.sphere{ radius = 0.01, mass = 0.03 }
        local law = pc.contact.linear{ stiffness = 1e6, stiffness_ratio = 1.21, friction = 0.12 }
        local angle = pc.linspace(1, 89, 120)
        local m = pc.map(ball, law, { speed = 1, incidence = angle*pc.deg })
        local figure = pc.chart.figure{ title = "Friction shows right of the corner", width = 480, height = 300 }
        local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "v_t afterwards", yunit = "m/s" }
        panel:line{ angle, m.vt }
        return figure
    end,
    see = { "fit", "csv.read", "table", "calibrate", "sensitivity" },
    source = "More (1978); Kharaz, Gorham and Salman (2001)",
}
