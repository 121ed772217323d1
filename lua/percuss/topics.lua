-- Topics: what no single function can say. Each is a file of its own, percuss/topics/NAME.lua, which returns
--
--   title, summary   a heading; one sentence
--   words            what else people call it, for the search
--   text             paragraphs; a line with four blanks before it is a formula (percuss.formula); lines with "- " are
--                    a list, lines with "|" a table whose second line separates the head
--   example          a script that runs, as those of the register: what it prints stands behind -->
--   figure           a function of percuss that makes a figure
--   see              names of entries and topics
--   source           papers and equations, or what else the text can be read up in
--
-- Whoever adds one writes its name here; help, the manual, the search and the tests take it from here.
local topics = {}

local NAMES = {
    "conventions", "units", "mobility", "restitutions", "phases", "rolling", "wedging", "which_law",
    "rigid_compliant_continuum", "waves", "adhesion", "super_ball", "several_contacts", "events", "energy", "accuracy",
    "chaos", "shapes", "curves", "vibrating_table", "measured_data", "figures", "own_laws", "forces",
    "mechanisms", "own_systems", "writing_a_study", "sweeps_elsewhere", "assignments", "embedding",
}

function topics.names()
    return table.move(NAMES, 1, #NAMES, 1, {})
end

-- The topic of that name; nil if there is none.
function topics.get(name)
    for _, known in ipairs(NAMES) do
        if known == name then
            local topic = require("percuss.topics." .. name)
            topic.name = name
            return topic
        end
    end
end

function topics.all()
    local all = {}
    for i, name in ipairs(NAMES) do all[i] = topics.get(name) end
    return all
end

return topics
