-- The same impact by several laws: one table and one impulse plane.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local record = require "percuss.record"
local report = require "percuss.report"

local Comparison = {}

local function slips(hit)
    local words = {}
    for i, phase in ipairs(hit.phases) do
        -- "slip" alone: across the plane of t and n
        local sense = phase.sign > 0 and "slip +" or phase.sign < 0 and "slip -" or "slip"
        words[i] = phase.kind == "stick" and "stick" or sense
    end
    return hit.wedged and table.concat(words, ", ") .. ", " .. hit.outcome or table.concat(words, ", ")
end

local function notes(hit)
    local words, flags = {}, hit.flags
    if flags.gained_energy then words[#words + 1] = "gains energy" end
    if flags.e_above_one then words[#words + 1] = "E > 1" end
    if flags.jam then words[#words + 1] = "jam" end
    if flags.recompression then words[#words + 1] = "recompression" end
    return table.concat(words, ", ")
end

-- The impact of an elastic body in the motion of a rigid one, with the friction of the laws beside it.
local function referee(body, elastic, motion, laws)
    local friction, first
    for _, law in ipairs(laws) do
        if pc.type(law) == "law" then
            first = first or law
            local ok, own = pcall(function() return law.friction end)
            if ok and own and friction and own ~= friction then
                refuse(("compare: an elastic body takes the friction of the laws, which have %g and %g"):format(
                    friction, own))
            end
            friction = friction or ok and own or nil
        end
    end
    if not first then refuse "compare: beside an elastic body there must be a law, whose friction it takes" end
    -- both are the same body, upright: so are their W
    local w_tt = 1 / elastic.mass + elastic.height ^ 2 / elastic.inertia
    if math.abs(body.w_nn * elastic.mass - 1) + math.abs(body.w_tt / w_tt - 1) + math.abs(body.w_tn / w_tt) > 1e-6 then
        refuse(("compare: the elastic body has w_tt = %g, w_nn = %g and no w_tn; the body %g, %g and %g"):format(w_tt,
            1 / elastic.mass, body.w_tt, body.w_nn, body.w_tn))
    end
    local v = body:contact_velocity(motion)
    return pc.elastic.collide(elastic, { vt = v.vt, vn = v.vn, omega = motion.omega or 0,
        friction = friction or 0 })
end

-- compare(body, laws, motion): laws by which the impact has no solution keep their message in place of a result.
function Comparison.new(body, laws, motion)
    if type(laws) ~= "table" or #laws == 0 then
        refuse "compare: the second argument must be a list of laws, { percuss.contact.newton{ ... }, ... }"
    end
    for i = 1, #laws do
        local law = laws[i]
        local kind = pc.type(law)
        if kind ~= "law" and kind ~= "elastic_body" then
            refuse(("compare: entry %d of the laws is no contact law, nor an elastic body"):format(i))
        end
    end
    local self = record.make("comparison", { body = body, laws = laws, hits = {}, rows = {} })
    for _, law in ipairs(laws) do
        local elastic = pc.type(law) == "elastic_body"
        local ok, hit = pcall(elastic and referee or pc.collide, body, law, motion, elastic and laws or nil)
        local row = record.make("compared_law", { law = law, name = elastic and "elastodynamics" or law.name })
        if ok then
            local r = hit.restitution
            row.hit = hit
            row.impulse, row.velocity, row.history, row.flags = hit.impulse, hit.velocity, slips(hit), hit.flags
            row.kinematic, row.kinetic, row.energetic = r.kinematic, r.kinetic, r.energetic
            row.loss, row.loss_fraction, row.gained = hit.loss, hit.loss_fraction, hit.flags.gained_energy or false
            row.note = notes(hit)
            self.hits[#self.hits + 1] = hit
        else
            local code = type(hit) == "table" and hit.code
            if code == "memory" or code == "interrupted" then error(hit, 0) end
            row.note = type(hit) == "table" and hit.message or tostring(hit)
        end
        self.rows[#self.rows + 1] = row
    end
    if #self.hits == 0 then refuse("compare: no law has a result: " .. self.rows[1].note) end
    return record.keep(self)
end

local function number(x)
    if x == nil then return "-" end
    return string.format("%.6g", x == 0 and 0 or x)
end

-- The text of tostring.
function Comparison.text(self)
    local spatial = self.hits[1].velocity.t2 ~= nil
    local head = { "law", "p_t [N s]", "p_n [N s]", "v_t [m/s]", "v_n [m/s]", "e", "R", "E", "loss [J]", "loss [%]" }
    if spatial then
        table.insert(head, 4, "p_t2 [N s]")
        table.insert(head, 7, "v_t2 [m/s]")
    end
    local rows, histories = { head }, {}
    for _, row in ipairs(self.rows) do
        if row.hit then
            local cells = {
                row.name, number(row.impulse.t), number(row.impulse.n), number(row.velocity.t), number(row.velocity.n),
                number(row.kinematic), number(row.kinetic), number(row.energetic), number(row.loss),
                string.format("%.2f", 100 * row.loss_fraction),
            }
            if spatial then
                table.insert(cells, 4, number(row.impulse.t2))
                table.insert(cells, 7, number(row.velocity.t2))
            end
            rows[#rows + 1] = cells
            histories[#histories + 1] = { "  " .. row.name, row.history, row.note }
        else
            histories[#histories + 1] = { "  " .. row.name, "no result: " .. row.note, "" }
        end
    end
    local v = self.hits[1].velocity_before
    -- the text of a body from data is its matrices: too long for a heading
    local body = tostring(self.body)
    local motion = string.format("impact of %s at v_t = %s, v_n = %s m/s", #body < 80 and body or body:match "^[%w_.]+",
        number(v.t), number(v.n))
    for i, h in ipairs(histories) do
        histories[i] = h[1] .. ": " .. h[2] .. (h[3] ~= "" and " (" .. h[3] .. ")" or "")
    end
    return motion .. "\n" .. report.aligned(rows, "  ") .. "\n" .. table.concat(histories, "\n")
end

-- The impulse plane with the path of every law that has one.
function Comparison.figure(self, request)
    local plane = require "percuss.impulse_plane"
    local hits, names, seen = {}, {}, {}
    for _, row in ipairs(self.rows) do
        if row.hit and pc.type(row.law) == "law" and not row.law.abilities.compliant then
            hits[#hits + 1] = row.hit
            -- laws of one kind are told apart by their restitution
            seen[row.name] = (seen[row.name] or 0) + 1
            names[#names + 1] = row.name
        end
    end
    for i, hit in ipairs(hits) do
        if seen[names[i]] > 1 then
            local e = hit.law.restitution
            names[i] = string.format("%s, %g", names[i], type(e) == "number" and e or hit.restitution.asked)
        end
    end
    if #hits == 0 then refuse "compare: none of these laws follows its impact through impulse space" end
    request = request or {}
    return plane.draw(hits, {
        title = request.title or "Impulse plane", width = request.width, height = request.height, names = names,
        termination = request.termination,
    })
end

function Comparison.plot(self, request)
    return require("percuss.plot").deliver(Comparison.figure(self, request), request)
end

return Comparison
