-- percuss.prompt: what the prompt offers besides the library, with its documentation. At the prompt itself the
-- functions are globals.
local pc = require "percuss"
local param = require("percuss.parameter").row
local checked = require("percuss.argument").checked

pc.prompt = {}

local function enter(name, entry)
    local f = checked("prompt." .. name, function(...) return require("percuss.prompt")[name](...) end, entry)
    pc.prompt[name] = f
    pc.document("prompt." .. name, f, entry)
end

enter("show", {
    variadic = true,
    summary = "Print values as the prompt does: tables in full, aligned, with units where they are known.",
    params = { param("value", "any", "one or several values") },
    returns = "the values; the global _ keeps the first",
    example = "percuss.prompt.show{ t = -0.289, n = 1 }",
})

enter("text", {
    summary = "The text that the prompt prints for a value.",
    params = {
        param("value", "any", "anything"),
        param("source", "string", "path of globals it comes from, such as "
            .. "\"hit.velocity\", from which its unit may be known", { otherwise = "none" }),
    },
    returns = "string",
    example = "print(percuss.prompt.text{ n = 1, t = -0.289, list = { 1, 2, 3 } })\n"
        .. "--> { t = -0.289, n = 1, list = { 1, 2, 3 } }",
})

enter("exit", {
    summary = "Leave the prompt; alone, without brackets, it does so too. quit is a second name of it.",
    params = { param("code", "integer", "what the program says to its shell", { default = 0, least = 0, most = 255 }) },
    example = "print(percuss.prompt.quit == percuss.prompt.exit) --> true",
})
pc.prompt.quit = pc.prompt.exit

enter("who", {
    summary = "List what has been given a name at the prompt: name, type, value.",
    details = "The word alone is enough there. Names of Lua and of percuss are left out unless they mean something "
        .. "else.",
    example = "percuss.prompt.who()",
})

enter("traceback", {
    summary = "Print where the last error at the prompt came from.",
    details = "The prompt tells an error in one sentence; which functions called each other is printed on request.",
    example = "percuss.prompt.traceback()",
})

enter("transcript", {
    summary = "Write what was typed at the prompt as a script that runs; statements that failed become comments.",
    params = { param("path", "string", "name of the file") },
    returns = "the path; or nil, message, code",
    example = "print(percuss.prompt.transcript \"session.lua\")\n--> session.lua",
})

enter("environment", {
    summary = "The names that a statement at the prompt sees: the globals, but one that does not exist is an error.",
    details = "local _ENV = percuss.prompt.environment() gives a script the names of the prompt: those of percuss "
        .. "become globals, where these are free. A script that percuss runs, and what follows -e, are strict by "
        .. "themselves: there too a global that does not exist is an error, unless --no-strict is given; rawget(_G, "
        .. "name) asks without one. Modules keep Lua's rule.",
    returns = "table: what a script takes as its _ENV",
    example = "local _ENV = percuss.prompt.environment()\nprint(pcall(function() return undefined_name end))",
})
