-- What percuss has to show: recipes, the lessons of the tutorial and studies, which are scripts. Their text is in the
-- program, so that they are at hand wherever it is installed.
--
-- A script begins with a comment: its title, in one or more lines; for the search further words may follow after
-- "Words:".
local shelf = {}

local KINDS = {
    recipe = { folder = "recipes", what = "short answers to \"How do I ...?\"" },
    tutorial = { folder = "tutorial", what = "lessons" },
    examples = { what = "studies, in folders by source and theme" },
}

-- The pictures that README and the manual show: studies.
shelf.gallery = {
    "birlik2012/fig4_6", "birlik2012/fig4_14", "birlik2012/fig4_13", "birlik2012/fig4_2", "lai1999/fig5_14",
    "sweeps/loss_maps", "motion/landing_flat", "forces/table_tennis", "driven/ball_on_table",
    "lai1999/chapter6", "waves/flat_rod", "mechanisms/loop_the_loop", "laws/rolling_resistance",
    "mechanisms/woodpecker", "mechanisms/stops_and_dry_joints", "mechanisms/planar_skater",
}

-- Whether a folder of scripts holds scripts of the kind.
local NO_STUDIES = { recipes = true, tutorial = true, guides = true, assignments = true }
local function holds(kind, folder)
    local own = KINDS[kind].folder
    return own == folder or not own and not NO_STUDIES[folder]
end

local function read(kind, name, module)
    local text = require(module)
    local head = {}
    for line in text:gmatch "[^\n]+" do
        local comment = line:match "^%-%-%s?(.*)$"
        if not comment then break end
        head[#head + 1] = comment
    end
    if kind == "tutorial" then head[1] = head[1] .. ":" end
    local whole = table.concat(head, " ")
    local title, words = whole:match "^(.-)%s*Words: (.*)$"
    title = title or whole
    return { kind = kind, name = name, title = title, words = words or "", text = text }
end

-- Guides are texts: their sections, of all guides in the order of their names, as { name ("prompt"), title (of the
-- guide), heading, text }.
function shelf.guides()
    local names, list = { "assignments" }, {}
    for module in pairs(package.preload) do names[#names + 1] = module:match "^percuss%.scripts%.guides%.(.*)$" end
    table.sort(names)
    for _, name in ipairs(names) do
        local module = name == "assignments" and "assignments.README" or "guides." .. name
        local title, section
        for line in require("percuss.scripts." .. module):gmatch "[^\n]*" do
            local heading = line:match "^##? (.*)$"
            if heading then
                title = title or heading
                section = { name = name, title = title, heading = heading, text = "" }
                list[#list + 1] = section
            elseif section then
                section.text = section.text .. line .. "\n"
            end
        end
    end
    return list
end

-- Of a long title the first sentence; the number of a lesson is none.
function shelf.first_sentence(title)
    local number, text = title:match "^(%d*%.? ?)(.*)$"
    return number .. (text:match "^(.-%.)%s" or text)
end

-- All scripts of a kind ("recipe", "tutorial" or "examples") in the order of their names: kind, name, title, words,
-- text.
function shelf.all(kind)
    local list = {}
    for module in pairs(package.preload) do
        local folder, name = module:match "^percuss%.scripts%.([^.]*)%.(.*)$"
        if folder and holds(kind, folder) then
            list[#list + 1] = read(kind, KINDS[kind].folder and name or folder .. "/" .. name, module)
        end
    end
    table.sort(list, function(a, b) return a.name < b.name end)
    return list
end

-- The script of that name, of a lesson by its number as well; nil if there is none.
function shelf.get(kind, name)
    for _, one in ipairs(shelf.all(kind)) do
        if one.name == name or one.name:match "^0*(%d+)_" == name then return one end
    end
end

-- The command percuss gallery [DIRECTORY]: the pictures, made anew. Returns true.
local function make_gallery(directory)
    for _, name in ipairs(shelf.gallery) do
        local script = assert(load(shelf.get("examples", name).text, "=" .. name .. ".lua"))
        local study = script("--quiet", "--out", directory)
        for _, file in ipairs(study.files) do print(file) end
    end
    return true
end

-- The command percuss recipe|tutorial|examples [NAME [--source | arguments]]: list, run or show. Returns whether all
-- went well.
function shelf.command(kind, name, ...)
    if kind == "gallery" and (name or ""):find "^%-" then
        print "percuss gallery [DIRECTORY] draws the pictures of the gallery there; without one, in gallery."
        return name == "--help"
    elseif kind == "gallery" then
        return make_gallery(name or "gallery")
    end
    if name == "--help" then name = nil end
    if not name then
        print(("percuss %s NAME runs one of these %s; with --source it prints the script."):format(kind,
            KINDS[kind].what))
        for _, one in ipairs(shelf.all(kind)) do
            print(("  %-24s %s"):format(one.name, shelf.first_sentence(one.title)))
        end
        return true
    end
    local one = shelf.get(kind, name)
    if not one then
        local names = {}
        for i, other in ipairs(shelf.all(kind)) do names[i] = other.name end
        local near = require("percuss").nearest(name, names)
        io.stderr:write(("percuss: there is no %s '%s'%s; percuss %s lists them\n"):format(
            kind == "tutorial" and "lesson" or kind == "examples" and "study" or kind, name,
            near and ", but '" .. near .. "'" or "", kind))
        return false
    end
    if (...) == "--source" then
        io.write(one.text)
        return true
    end
    assert(load(one.text, "=" .. one.name .. ".lua"))(...)
    return true
end

return shelf
