-- What percuss has to show: recipes and the lessons of the tutorial, which are scripts. Their text is in the program,
-- so that they are at hand wherever it is installed.
--
-- A script begins with a comment: its title, in one or more lines; for the search further words may follow after
-- "Words:".
local shelf = {}

local KINDS = {
    recipe = { folder = "recipes", what = "short answers to \"How do I ...?\"" },
    tutorial = { folder = "tutorial", what = "lessons" },
}

local function read(kind, name)
    local text = require(("percuss.scripts.%s.%s"):format(KINDS[kind].folder, name))
    local head = {}
    for line in text:gmatch "[^\n]+" do
        local comment = line:match "^%-%-%s?(.*)$"
        if not comment then break end
        head[#head + 1] = comment
    end
    local whole = table.concat(head, " ")
    local title, words = whole:match "^(.-)%s*Words: (.*)$"
    title = title or whole
    return { kind = kind, name = name, title = title, words = words or "", text = text }
end

-- All scripts of a kind ("recipe" or "tutorial") in the order of their names: kind, name, title, words, text.
function shelf.all(kind)
    local pattern = "^percuss%.scripts%." .. KINDS[kind].folder .. "%.(.*)$"
    local list = {}
    for module in pairs(package.preload) do
        local name = module:match(pattern)
        if name then list[#list + 1] = read(kind, name) end
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

-- The command percuss recipe|tutorial [NAME [--source | arguments]]: list, run or show. Returns whether all went well.
function shelf.command(kind, name, ...)
    if not name then
        print(("percuss %s NAME runs one of these %s; with --source it prints the script."):format(kind,
            KINDS[kind].what))
        for _, one in ipairs(shelf.all(kind)) do print(("  %-24s %s"):format(one.name, one.title)) end
        return true
    end
    local one = shelf.get(kind, name)
    if not one then
        local names = {}
        for i, other in ipairs(shelf.all(kind)) do names[i] = other.name end
        local near = require("percuss").nearest(name, names)
        io.stderr:write(("percuss: there is no %s '%s'%s; percuss %s lists them\n"):format(
            kind == "tutorial" and "lesson" or kind, name, near and ", but '" .. near .. "'" or "", kind))
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
