-- What the shell needs: the man page and the completion of bash, both from the text of percuss --help.
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

function shell.man(usage, version)
    local out = {
        '.TH PERCUSS 1 "" "percuss ' .. version .. '"', ".SH NAME",
        "percuss \\- a scripting laboratory for impact with friction", ".SH SYNOPSIS",
        ".B percuss", "[options] [script [args]]", ".br", ".B percuss new study|assignment", "NAME", ".br",
        ".B percuss assignment start|check|grade", "...", ".br", ".B percuss recipe|tutorial", "[NAME [--source]]",
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
    --progress) mapfile -t COMPREPLY < <(compgen -W "json none" -- "$word"); return ;;
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
