-- percuss new study NAME: a study to begin with, which runs as it stands.
local pc = require "percuss"

local new = {}

local TEMPLATE = [==[
-- @TITLE@
-- What is compared with what, and where the printed values come from.
local pc = require "percuss"
local Study = require "percuss.study"

-- Called as percuss @FILE@ [--out DIR] [--format png|svg|pdf] [--no-figures]
local study = Study.new{
    title = "@TITLE@", source = "Author (year), table or figure", arguments = { ... },
}

local ball = pc.body.sphere{ radius = 5e-3, mass = 0.0041 }
local law = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = 0.5 }
local hit = pc.collide(ball, law, { vt = 1, vn = -1 })

-- A number: the text that the source prints (nil where it prints none), the value computed, its unit.
study:value("tangential velocity afterwards", nil, hit.velocity.t, "m/s")
study:value("lost fraction of the energy", nil, hit.loss_fraction)

-- A statement: what the source says, what is found, and whether they agree.
study:statement("order of phases", nil, hit.regime, #hit.phases > 0)

-- A grid of points, on all cores; store = "NAME.db" keeps them.
local t = pc.sweep{
    over = { { "incidence", pc.linspace(5, 85, 33) * pc.deg, unit = "rad" }, { "mu", { 0.1, 0.3, 0.5 } } },
    run = function(p)
        local trial = pc.contact.linear{ stiffness = 1.5e7, stiffness_ratio = 1.21, friction = p.mu }
        return { loss = pc.collide(ball, trial, { speed = 1, incidence = p.incidence }).loss_fraction }
    end,
    columns = { "loss" },
}

local figure = pc.chart.figure{ title = "Lost fraction of the energy" }
local panel = figure:panel{ xlabel = "incidence", xunit = "deg", ylabel = "lost fraction" }
for _, mu in ipairs{ 0.1, 0.3, 0.5 } do
    local part = t:filter(function(row) return row.mu == mu end)
    panel:line{ part.incidence / pc.deg, part.loss, label = string.format("μ = %g", mu) }
end
study:draw(figure, "loss")

return study:finish()
]==]

local function exists(path)
    local file = io.open(path)
    if file then file:close() end
    return file ~= nil
end

-- What editors and luacheck read in the folder of a study; what is there already stays. The annotations of the library
-- lie where `make install` or `make docs` put them, seen from the program.
local function write_settings(folder, program)
    local json = require "percuss.json"
    local home = program and program:match "^(/.*)/[^/]*$"
    local settings = { ["runtime.version"] = "Lua 5.4" }
    for _, place in ipairs(home and { "/../share/doc/percuss/library", "/../doc/library" } or {}) do
        if exists(home .. place .. "/percuss.lua") then
            settings["workspace.library"] = json.list{ home .. place }
            break
        end
    end
    for name, text in pairs{ [".luarc.json"] = json.encode(settings) .. "\n",
        [".luacheckrc"] = 'std = "lua54"\nmax_line_length = 120\n' } do
        if not exists(folder .. name) then
            local path, problem = pc.file.write(folder .. name, text)
            if not path then return nil, problem end
        end
    end
    return true
end

-- Write the study to NAME.lua, and settings for editors beside it; existing files stay. `program`: the path of this
-- one. Returns the name of the file, or nil and a message.
function new.study(name, program)
    local path = name:match "%.lua$" and name or name .. ".lua"
    local title = path:match "([^/]*)%.lua$"
    if title == "" or path:find "[%c]" then return nil, "'" .. name .. "' is no name for a study" end
    if exists(path) then return nil, path .. " exists already" end
    local folder = path:match "^(.+)/"
    if folder then
        local made, problem = pc.make_directory(folder)
        if not made then return nil, problem end
    end
    local written, failure = write_settings(folder and folder .. "/" or "", program)
    if not written then return nil, failure end
    local words = { TITLE = title:gsub('["\\]', " "), FILE = path }
    return pc.file.write(path, (TEMPLATE:gsub("@(%u+)@", words)))
end

-- percuss new study NAME; true if it was written.
function new.command(program, name, ...)
    if not name or select("#", ...) > 0 then
        io.stderr:write("usage: percuss new study NAME\n")
        return false
    end
    local path, message = new.study(name, program)
    if not path then
        io.stderr:write("percuss: ", message, "\n")
        return false
    end
    print(string.format("%s is a study that runs: percuss %s", path, path))
    return true
end

return new
