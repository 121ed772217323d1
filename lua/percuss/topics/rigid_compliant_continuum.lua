return {
    title = "Rigid against compliant against continuum",
    summary = "Three pictures of an impact: what each knows, what it cannot say, and where they become the same.",
    words = "rigid compliant continuum model levels instant spring wave elastic half-space contact time duration force "
        .. "stiffness limit valid difference between hard soft",
    text = [[
| picture | takes | tells | cannot tell |
|---|---|---|---|
| rigid, as `contact.stronge` | restitution, friction | velocities, impulses | forces, durations, sliding turned round |
| compliant, as `contact.linear` | springs, friction | forces, durations, stick and slip | slip in a part of the area |
| continuum, `contact.maw` | elastic constants, radius, friction | the part that slips | waves in the bodies, yield |

In the **rigid** picture the impact is an instant. Positions stay, velocities jump by the impulse, and friction is asked
in each part of it:

    v' = v + W p

In the **compliant** picture the contact is a massless particle on two springs, and the impact lasts. On a linear spring
it takes half a period, on Hertz's spring a time that falls with the speed v:

    T_linear = pi sqrt(m/k_n)
    T_Hertz = 2.8683 (m^2/(R E_c^2 v))^0.2

The **continuum** picture divides the contact area of two elastic bodies into rings, each of which sticks or slips. Its
pressure is Hertz's, so normal motions are those of the compliant law with that spring.

They become the same where what tells them apart vanishes. Along the normal restitution is all that matters, and a
spring may be replaced by a number. Along the tangent the springs remain: the linear law tends to the rigid one with the
same E only where k_n/k_t goes to 0. Elastic bodies have ratios from 1 to 1.5 however hard they are, so that a steel
ball that grips returns with a part of its tangential velocity turned round, which no rigid law with Coulomb's friction
gives. What slides all the time is the same in all three pictures.

All of them take the bodies as rigid beyond the contact. That holds where the contact lasts much longer than a wave
needs to cross the body and come back, 2 d/c for a size d and the speed of sound c: some seven times in the example
below, hardly once for a slender rod that is struck on its end.]],
    example = [[
local ball = percuss.body.sphere{ radius = 0.01, material = percuss.material.steel }
local spring = percuss.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.2, friction = 0.3 }
local T = percuss.collide(ball, spring, { vn = -1 }).duration
print(math.abs(T/(math.pi*math.sqrt(ball.mass/1e7)) - 1) < 1e-12) --> true
local hertz = percuss.contact.hertz_mindlin{ material = percuss.material.steel, radius = 0.01, friction = 0.3 }
T = percuss.collide(ball, hertz, { vn = -1 }).duration
print(math.abs(T/(2.8683*(ball.mass^2/(0.01*hertz.modulus^2))^0.2) - 1) < 1e-4) --> true
print(("%.1f"):format(T/(2*0.02/math.sqrt(208e9/7850)))) --> 6.8
-- a stiff tangential spring is the rigid law
local stiff = percuss.contact.linear{ stiffness = 1e7, stiffness_ratio = 1e-8, friction = 0.3, restitution = 0.7 }
local rigid = percuss.contact.stronge{ E = 0.7, mu = 0.3 }
local a, b = percuss.collide(ball, stiff, { vt = 0.5, vn = -1 }), percuss.collide(ball, rigid, { vt = 0.5, vn = -1 })
print(math.abs(a.velocity.t - b.velocity.t) < 1e-5) --> true
print(math.abs(a.velocity.n - b.velocity.n) < 1e-12) --> true]],
    figure = function(pc)
        local figure = pc.chart.figure{ title = "A steel ball by the three pictures", width = 480, height = 320 }
        local panel = figure:panel{ xlabel = "v_t/|v_n| before", ylabel = "v_t/|v_n| afterwards" }
        local ball = pc.body.sphere{ radius = 0.01, material = pc.material.steel }
        local ratio = pc.linspace(0.02, 5, 100)
        local options = { material = pc.material.steel, radius = 0.01, friction = 0.3 }
        local laws = {
            { "rigid", pc.contact.stronge{ E = 1, mu = 0.3 } },
            { "compliant", pc.contact.linear{ stiffness = 1e7, stiffness_ratio = 1.21, friction = 0.3 } },
            { "continuum", pc.contact.maw(options) },
        }
        for _, law in ipairs(laws) do
            panel:line{ ratio, pc.map(ball, law[2], { vt = ratio, vn = -1 }).vt, label = law[1] }
        end
        return figure
    end,
    see = {
        "waves", "which_law", "phases", "super_ball", "restitutions", "contact.maw", "contact.linear",
        "contact.stronge",
    },
    source = "Stronge, Impact Mechanics (2000), chapters 2, 5, 6; Johnson, Contact Mechanics (1985), section 11.4; "
        .. "Maw, Barber and Fawcett (1976)",
}
