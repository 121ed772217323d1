return {
    title = "Waves in a body that strikes",
    summary = "Elastodynamics as the referee of contact laws: what it covers, what it costs, what it found.",
    words = "elastic wave elastodynamics finite element FEM DYNA3D referee judge vibration bar rod bending compliance "
        .. "stress wave Saint-Venant Sears Pochhammer micro-slip body deforms flexible",
    text = [[
A contact law sees a rigid body and one point. `percuss.elastic` sees the body itself: `elastic.sphere`, or
`elastic.rod` that stands upright, elastic, on a rigid plane with Coulomb's friction. It knows neither Hertz nor Mindlin
nor Maw; where an impact is slow they come out of it. So it can judge them.

What `elastic.collide` returns has the words of any impact, and besides `energy.vibration`, `history`, `pressure(t)`,
`field` and `animate`. Ten cells, the default, take a fraction of a second and are within 2e-3 of the limit in

    psi_2 = 2 (1 - nu)/(mu (2 - nu)) v_t'/|v_n|

With a `tolerance` meshes are refined until their own estimate holds, and `uncertainty` tells it.

What it found, c being the speed of waves in a bar:

- A sphere loses 1 - e = 0.14 v/c to waves up to v/c = 0.01: 1e-5 at half a metre a second. Where the contact lasts two
  and a half periods of the sphere's lowest mode, at v/c = 0.02, it loses a third of that.
- A half-space is not a sphere. Maw's solution is off by 0.1 in psi2 where the contact radius a is 0.03 of the radius R,
  and by less as ln(R/a) a/R. `contact.maw` with `body_compliance = "sphere"` is within 0.003 up to there.
- A rod bends. Upright, ten radii high or less, its bending is a compliance rather than a wave: with `bending_modes = 2`
  and `axial_modes = 1` of `body.capsule` Maw's law closes nine tenths of a gap of 0.5 in psi2. The same goes for tilted
  rods, which the referee does not cover.
- A long rod rings: 2 (1 - e) of its energy stays in it. Flat ends lose contact when the wave returns, after 2 L/c.
  Between both are noses: `nose = 0.05` is a spherical cap of that radius (m) at the end that strikes. Hertz's contact
  on a flatter nose is stiffer, so that the impact is shorter and leaves more waves in the rod.
- On a rough plane a sphere that falls straight loses up to 0.4 % of its energy by radial micro-slip, at mu = 0.1
  (`radial_friction = true`). No law has this.

What it does not cover: tilted bodies, elastic obstacles, yielding, Poisson's ratios near a half, displacements along
the plane comparable to the contact radius (`flags.displaced`), and terms of the order of (a/R)^2 (`flags.steep`).
Pressure and traction are axisymmetric as in Maw's solution. Two equal bodies that meet head-on without friction are one
of them on a rigid plane.]],
    example = [[
local steel = percuss.material.steel
local ball = percuss.body.sphere{ radius = 0.01, material = steel }
local same = percuss.elastic.sphere{ radius = 0.01, material = steel }
local maw = percuss.contact.maw{ material = steel, radius = 0.01, friction = 0.3 }
local c = percuss.compare(ball, { maw, same }, { vt = 0.5, vn = -1 })
print(c.rows[2].name .. (math.abs(c.rows[2].velocity.t - c.rows[1].velocity.t) < 0.05 and " agrees" or ""))
--> elastodynamics agrees]],
    figure = function(pc)
        local material = pc.material.custom{ young = 70e9, poisson = 0.3, density = 2700 }
        local rod = pc.elastic.rod{ radius = 0.01, length = 0.1, material = material }
        local hit = pc.elastic.collide(rod, { vn = -20, cells = 6 })
        local figure = pc.chart.figure{ title = "σ_nn in a rod that strikes", columns = 4, width = 620, height = 400 }
        local times = {}
        for i = 1, 4 do times[i] = i * 0.12 * rod.length * 2 / rod.bar_speed end
        for _, s in ipairs(hit:section{ quantity = "sigma_nn", times = times, points = 101 }) do
            local panel = figure:panel{ title = ("%.0f μs"):format(s.time * 1e6), equal = true }
            panel:bands{ s.x * 1e3, s.z * 1e3, s.values / 1e6, levels = 12, lim = { -120, 120 }, palette = "diverging" }
        end
        return figure
    end,
    see = { "rigid_compliant_continuum", "which_law", "contact.maw", "elastic.collide", "compare" },
    source = "Lai (1999), chapter 6; Maw, Barber and Fawcett (1976); Sears (1908)",
}
