-- What the shell needs: the man page and the completion of bash, both from the text of percuss --help; the man page has
-- the equations of laws and bodies too.
local pc = require "percuss"
local formula = require "percuss.formula"

local shell = {}

-- Options of the help text: list of { words, text }, "-e stat" with its explanation, which may stand on the next line.
function shell.options(usage)
    local list = {}
    for line in usage:gmatch "[^\n]+" do
        local words, text = line:match "^  (%-.-)%s%s+(%S.*)$"
        if not words then words = line:match "^  (%-.*)$" end
        if words then
            list[#list + 1] = { words = words, text = text or "" }
        elseif #list > 0 and line:match "^%s+%S" then
            local last = list[#list]
            last.text = (last.text .. " " .. line:gsub("^%s+", "")):gsub("^ ", "")
        end
    end
    return list
end

local function roff(text)
    return (text:gsub("\\", "\\e"):gsub("%-", "\\-"):gsub("^([.'])", "\\&%1"))
end

-- "stiffness (kn) [N/m], friction (μ)"
local function parameters_text(entry)
    local words = {}
    for i, row in ipairs(entry.rows) do
        local symbol = row.greek or row.symbol
        words[i] = row.name .. (symbol and " (" .. symbol .. ")" or "")
            .. (row.unit and row.unit ~= "" and " [" .. row.unit .. "]" or "")
    end
    return table.concat(words, ", ") .. "."
end

-- Laws or bodies with their equations, and the symbols that stand in them.
local function equations_section(out, title, group)
    local symbols, names = {}, {}
    out[#out + 1] = ".SH " .. title
    for _, entry in ipairs(pc.register()) do
        if entry.kind == "constructor" and entry.path:match("^" .. group .. "%.") and entry.equations then
            out[#out + 1] = ".TP"
            out[#out + 1] = ".B " .. roff(entry.path)
            out[#out + 1] = roff(entry.summary)
            for _, equation in ipairs(formula.equations(entry.equations)) do
                out[#out + 1] = ".br"
                local words = equation[2] ~= "" and " (" .. equation[2] .. ")" or ""
                out[#out + 1] = roff(formula.unicode(equation[1] .. words))
            end
            out[#out + 1] = ".br"
            out[#out + 1] = roff("Parameters: " .. parameters_text(entry))
            for _, symbol in ipairs(formula.symbols(entry)) do
                if not symbols[symbol[1]] then names[#names + 1] = symbol[1] end
                symbols[symbol[1]] = symbol
            end
        end
    end
    table.sort(names)
    for i, name in ipairs(names) do
        local symbol = symbols[name]
        names[i] = ("%s [%s] %s"):format(symbol[1], symbol[2], symbol[3])
    end
    out[#out + 1] = ".PP"
    out[#out + 1] = roff(formula.unicode("Here " .. table.concat(names, "; ") .. "."))
end

function shell.man(usage, version)
    local out = {
        '.TH PERCUSS 1 "" "percuss ' .. version .. '"', ".SH NAME",
        "percuss \\- a scripting laboratory for impact with friction", ".SH SYNOPSIS",
        ".B percuss", "[options] [script [args]]", ".br", ".B percuss new study|assignment", "NAME", ".br",
        ".B percuss assignment start|check|grade", "\\&...", ".br", ".B percuss recipe|tutorial|examples",
        "[NAME [--source]]", ".br", ".B percuss gallery", "[DIRECTORY]", ".br",
        ".B percuss kernel install", "[--user | --prefix DIR]",
        ".SH DESCRIPTION",
        "percuss is Lua 5.4 with bodies, contact laws, solvers, sweeps and charts for impact with friction.",
        "Without a script it is a prompt at which the names of the library are global;",
        ".B help()", "explains what there is.", "Scripts say", ".BR \"local pc = require \\(dqpercuss\\(dq\" .",
        ".SH OPTIONS",
    }
    for _, option in ipairs(shell.options(usage)) do
        out[#out + 1] = ".TP"
        out[#out + 1] = ".B " .. roff(option.words)
        out[#out + 1] = roff(option.text)
    end
    equations_section(out, "CONTACT LAWS", "contact")
    equations_section(out, "BODIES", "body")
    for _, line in ipairs{
        ".SH ENVIRONMENT", ".TP", ".B LUA_INIT, LUA_PATH, LUA_CPATH", "as for lua(1)", ".TP",
        ".B PERCUSS_JOBS, PERCUSS_SHARD, PERCUSS_PROGRESS", "what the options of these names say", ".TP",
        ".B NO_COLOR", "if not empty: no colour at the prompt", ".SH FILES", ".TP",
        ".I $XDG_STATE_HOME/percuss/history", "what was typed; by default in ~/.local/state", ".SH EXIT STATUS",
        "0 on success, 1 on an error, 130 after Ctrl\\-C.", ".SH SEE ALSO", ".BR lua (1)",
    } do
        out[#out + 1] = line
    end
    return table.concat(out, "\n") .. "\n"
end

function shell.bash(usage)
    local words = {}
    for _, option in ipairs(shell.options(usage)) do
        local word = option.words:match "^%-%-?[%w-]*"
        if #word > 1 then words[#words + 1] = word end
    end
    return ([[
# Completion of percuss for bash: options, then scripts.
_percuss()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
    --progress) mapfile -t COMPREPLY < <(compgen -W "line json none" -- "$word"); return ;;
    -e | -l | --jobs | --shard) return ;;
    esac
    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "@OPTIONS@" -- "$word") ;;
    *) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -X '!*.@(lua|db)' -- "$word"; compgen -d -- "$word") ;;
    esac
}
complete -F _percuss percuss
]]):gsub("@OPTIONS@", table.concat(words, " "))
end

return shell
