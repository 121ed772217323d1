-- Sypniewska-Kaminska (2017), section 4: tables of all impacts in six seconds, and what follows after the printed time.
local syp = require "percuss.sypniewska"

-- "slip- stick": phases in a few letters.
local function words(hit)
    local list = {}
    for i, phase in ipairs(hit.phases) do
        list[i] = phase.kind .. (phase.sign > 0 and "+" or phase.sign < 0 and "-" or "")
    end
    return table.concat(list, " ")
end

local study = require("percuss.study").new{
    title = "Impacts of the double pendulum", source = syp.source .. ", section 4", arguments = { ... },
}

for _, mu in ipairs{ 0, 0.15 } do
    local run = syp.run(mu, 14)
    study:say(string.format("\n  mu = %g", mu))
    study:say("   i      t [s]   s [m/s]   c [m/s]  T [N s]  F [N s]  phases         P [N s]  R [N s]  V [N s]  H [N s]"
        .. "   E [J]")
    for i, hit in ipairs(run.impacts) do
        if hit.time > 6.1 then break end
        local j, v = hit.joint_impulses, hit.velocity_before
        study:say(string.format("  %2d  %9.6f %9.4f %9.4f %8.4f %8.4f  %-13s %8.4f %8.4f %8.4f %8.4f %8.3f", i,
            hit.time,
            v.t, v.n, hit.impulse.t, hit.impulse.n, words(hit), j[1].y, -j[1].x, -j[2].y, -j[2].x,
            hit.energy.after))
    end
    study:value(string.format("impacts in 6 s, mu = %g", mu), mu == 0 and "6" or "10", syp.count(run, 6))
    for _, event in ipairs(run.events) do
        if event.kind == "accumulation" then
            study:value(string.format("impacts accumulate, mu = %g", mu), nil, event.time, "s")
            study:value(string.format("ratio of the last intervals, mu = %g", mu), nil, event.ratio)
        elseif event.kind == "rest" then
            study:value(string.format("rest, mu = %g", mu), nil, event.time, "s")
        end
    end
    local last = run:at(14)
    study:value(string.format("normal force at 14 s, mu = %g", mu), nil, last.F_n, "N")
end

-- Both counts hold together from the tenth rough impact to the eleventh.
local rough = syp.run(0.15, 6.1)
study:statement("six and ten impacts in one time", "yes",
    string.format("for durations from %.6f to %.6f s", rough.impacts[10].time, rough.impacts[11].time), true)
local stuck = 0
for _, hit in ipairs(rough.impacts) do
    for _, phase in ipairs(hit.phases) do stuck = stuck + (phase.kind == "stick" and 1 or 0) end
end
study:statement("stick in an impact with mu = 0.15", nil, stuck .. " times", "not printed")
study:note("After the printed time the impacts accumulate; then the rough pendulum rests, the smooth one slides.")
return study:finish()
