-- What tostring of an impact says: phases, impulses, velocities, restitution and the energy ledger.
local report = {}

local function number(x)
    if not x then return "-" end
    if x == math.huge then return "infinite" end
    if x == 0 then return "0" end -- also for -0
    return string.format("%.6g", x)
end

-- Lines of aligned columns: the first row holds the headings.
local function aligned(rows, indent)
    local width = {}
    for _, row in ipairs(rows) do
        for c, cell in ipairs(row) do width[c] = math.max(width[c] or 0, #cell) end
    end
    local lines = {}
    for _, row in ipairs(rows) do
        local cells = {}
        for c, cell in ipairs(row) do
            local pad = string.rep(" ", width[c] - #cell)
            cells[c] = c == 1 and cell .. pad or pad .. cell
        end
        -- a pattern that ends in "%s+$" would try every blank of a wide column
        lines[#lines + 1] = (indent .. table.concat(cells, "  ")):match "^.*%S" or ""
    end
    return table.concat(lines, "\n")
end

local function phase_name(phase)
    if phase.kind == "stick" then return "stick" end
    return phase.sign > 0 and "slip +" or phase.sign < 0 and "slip -" or "slip"
end

-- Many phases: the first and the last few tell the story.
local function phase_rows(phases)
    local rows = {
        { "phase", "start [s]", "stop [s]", "v_t [m/s]", "v_n [m/s]", "F_t [N]", "F_n [N]", "friction [J]" },
    }
    local skip_from, skip_to = 9, #phases - 3
    for i, phase in ipairs(phases) do
        if #phases <= 14 or i < skip_from or i > skip_to then
            local s = phase.at_stop
            rows[#rows + 1] = {
                phase_name(phase), number(phase.start), number(phase.stop), number(s.v_t), number(s.v_n), number(s.F_t),
                number(s.F_n), number(phase.work.friction),
            }
        elseif i == skip_from then
            rows[#rows + 1] = { string.format("(%d more)", skip_to - skip_from + 1), "", "", "", "", "", "", "" }
        end
    end
    return rows
end

-- Phases of a rigid impact, which run in normal impulse.
local function impulse_rows(phases)
    local rows = { { "phase", "from p_n [N s]", "to [N s]", "v_t [m/s]", "v_n [m/s]", "friction [J]" } }
    for _, phase in ipairs(phases) do
        local a, b = phase.at_start, phase.at_stop
        rows[#rows + 1] = {
            phase_name(phase), number(a.p_n), number(b.p_n), number(b.v_t), number(b.v_n), number(phase.work.friction),
        }
    end
    return rows
end

local function sorted_keys(t)
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys)
    return keys
end

local function body_line(hit)
    local words = {}
    for _, key in ipairs(sorted_keys(hit.body)) do
        local value = hit.body[key]
        if type(value) == "table" then
            local list = {}
            for i, x in ipairs(value) do list[i] = number(x) end
            words[#words + 1] = string.format("%s = { %s }", key, table.concat(list, ", "))
        else
            words[#words + 1] = string.format("%s = %s", key, number(value))
        end
    end
    return #words > 0 and "  body after     " .. table.concat(words, ", ") .. "  (SI)" or nil
end

-- "slip-stick-slip": the kinds of the phases in their order.
local function order(phases)
    local kinds = {}
    for i, phase in ipairs(phases) do kinds[i] = phase.kind end
    return table.concat(kinds, "-")
end

-- The text of tostring(impact).
function report.impact(hit)
    local r, i, v, w, e = hit.restitution, hit.impulse, hit.velocity, hit.work, hit.energy
    local before = hit.velocity_before
    local lines = {
        string.format("impact: %s, %s", hit.outcome, hit.wedged and order(hit.phases) or hit.regime),
        string.format("  %s", tostring(hit.law)),
    }
    local phases = hit.phases
    if hit.law.abilities.compliant then
        lines[#lines + 1] = string.format(
            "  duration       %s s, compression %s s, peak force %s N normal, %s N tangential", number(hit.duration),
            number(hit.compression_time), number(hit.peak.n), number(hit.peak.t))
        if #phases > 0 then lines[#lines + 1] = aligned(phase_rows(phases), "  ") end
    else
        lines[#lines + 1] = aligned(impulse_rows(phases), "  ")
    end
    lines[#lines + 1] = string.format("  contact point  v_t %s -> %s m/s, v_n %s -> %s m/s",
        number(before.t), number(v.t), number(before.n), number(v.n))
    if v.t2 and (v.t2 ~= 0 or before.t2 ~= 0) then
        lines[#lines] = lines[#lines] .. string.format(", v_t2 %s -> %s m/s", number(before.t2), number(v.t2))
    end
    lines[#lines + 1] = body_line(hit)
    local across = i.t2 and i.t2 ~= 0 and string.format(", p_t2 = %s", number(i.t2)) or ""
    lines[#lines + 1] = string.format("  impulse        p_t = %s, p_n = %s%s N s, ratio %s", number(i.t), number(i.n),
        across, number(hit.impulse_ratio.total))
    lines[#lines + 1] = string.format("  restitution    kinematic e = %s, kinetic R = %s, energetic E = %s%s",
        number(r.kinematic), number(r.kinetic), number(r.energetic),
        r.asked and hit.law.abilities.compliant and string.format(", asked for %s", number(r.asked)) or "")
    lines[#lines + 1] = string.format("  energy         before %s J, after %s J, lost %s J (%.4g %%)", number(e.before),
        number(e.after), number(hit.loss), 100 * hit.loss_fraction)
    lines[#lines + 1] = string.format("  work           normal %s J, tangential %s J, of which friction %s J",
        number(w.normal), number(w.tangential), number(w.friction))
    local flags = sorted_keys(hit.flags)
    if #flags > 0 then lines[#lines + 1] = "  flags          " .. table.concat(flags, ", ") end
    return table.concat(lines, "\n")
end

report.aligned = aligned

return report
