-- percuss.contact.define: a contact law whose force or impulse is a function. What is said of it is checked here, in
-- words, and becomes a descriptor like those of the laws in C (percuss.law_core).
local pc = require "percuss"
local core = require "percuss.law_core"
local formula = require "percuss.formula"
local refuse = require "percuss.refuse"

local definition = {}

local KEYS = {
    "name", "doc", "details", "source", "equations", "example", "parameters", "force", "impulse", "energy",
    "states", "rates",
    "tangential", "tension", "may_gain", "friction",
}
local ROW_KEYS = { "symbol", "greek", "unit", "doc", "default", "above", "least", "below", "most", "from", "to" }
local TANGENTIAL = { rigid = 0, spring = 1, mindlin = 2, dashpot = 3, spring_dashpot = 4 }

local function say(name, text, ...)
    refuse(("contact.define: " .. (name and name .. ": " or "") .. text):format(...))
end

local function check_names(what, given, known)
    local set = {}
    for _, key in ipairs(known) do set[key] = true end
    for key in pairs(given) do
        if type(key) ~= "number" and not set[key] then
            local near = pc.nearest(tostring(key), known)
            say(nil, "%s has no entry '%s'%s", what, tostring(key), near and "; did you mean '" .. near .. "'?" or "")
        end
    end
end

local function is_name(text)
    return type(text) == "string" and text:find "^[%a_][%w_]*$" ~= nil and #text <= 40
end

local function typed(name, given, key, kind, otherwise)
    local value = given[key]
    if value == nil then return otherwise end
    if type(value) ~= kind then say(name, "%s must be a %s, not a %s", key, kind, type(value)) end
    return value
end

-- Lines that help, the manual and the tests can read.
local function equations_of(name, given)
    local text = typed(name, given, "equations", "string")
    for _, equation in ipairs(formula.equations(text)) do
        local tree, fault = formula.parse(equation[1])
        if not tree then say(name, "equation '%s' cannot be read: %s", equation[1], fault) end
    end
    return text
end

-- One row: { "stiffness", symbol = "k", unit = "N/m", above = 0 }.
local function row(law, i, given, taken)
    if type(given) ~= "table" then
        say(law, "parameter %d must be a table such as { \"stiffness\", symbol = \"k\", unit = \"N/m\", above = 0 }", i)
    end
    local name = given[1]
    if not is_name(name) then
        say(law, "parameter %d begins with its name, a word of letters, digits and _; not with %s", i, tostring(name))
    end
    local what = "parameter " .. name .. " of " .. law
    check_names(what, given, ROW_KEYS)
    local out = { name = name }
    for _, key in ipairs(ROW_KEYS) do
        local kind = (key == "symbol" or key == "greek" or key == "unit" or key == "doc") and "string" or "number"
        out[key] = typed(what, given, key, kind)
        if out[key] ~= out[key] then say(what, "%s is not a number", key) end
    end
    if out.symbol and not is_name(out.symbol) then say(what, "symbol '%s' is no word", out.symbol) end
    for _, word in ipairs{ name, out.symbol } do
        if taken[word] then say(law, "two parameters are called '%s'", word) end
        taken[word] = true
    end
    if out.symbol == name then out.symbol = nil end
    local low, high = math.max(out.above or -math.huge, out.least or -math.huge), math.min(out.below or math.huge,
        out.most or math.huge)
    if low > high then say(what, "nothing lies between %g and %g", low, high) end
    local default = out.default
    if default and (default < low or default > high or default == out.above or default == out.below) then
        say(what, "the default %g is not allowed", default)
    end
    if (out.from == nil) ~= (out.to == nil) then say(what, "from and to are given together: where tests draw it") end
    out.doc = out.doc or name:gsub("_", " ")
    return out
end

local function parameters(law, given)
    local rows, taken = {}, {}
    for i, one in ipairs(given) do rows[i] = row(law, i, one, taken) end
    for key in pairs(given) do
        if math.type(key) ~= "integer" or key < 1 or key > #rows then
            say(law, "parameters is a list of rows; it has an entry [%s]", tostring(key))
        end
    end
    return rows
end

local MOST_STATES = 4

local function names_of_states(law, given)
    for key, word in pairs(given) do
        if math.type(key) ~= "integer" or key < 1 or key > #given or not is_name(word) then
            say(law, "states is a list of names, such as { \"x\" }")
        end
    end
    if #given > MOST_STATES then say(law, "%d states; at most %d", #given, MOST_STATES) end
    return given
end

function definition.define(given)
    if type(given) ~= "table" then
        say(nil, "takes a table such as { name = \"my_law\", force = function(p, u, w) ... end }")
    end
    check_names("it", given, KEYS)
    local name = given.name
    if not is_name(name) then
        say(nil, "name must be a word of letters, digits and _, at most 40; not %s", tostring(name))
    end
    local old = rawget(pc.contact, name)
    if old and not core.is_kind(old) then say(nil, "name: contact.%s exists already; take another one", name) end
    local rigid = typed(name, given, "impulse", "function")
    local force = typed(name, given, "force", "function")
    if (rigid == nil) == (force == nil) then
        say(name, "give either force = function(p, u, w), for a compliant law, or impulse = function(p, W, v), for a "
            .. "rigid one")
    end
    local kind = rigid and "rigid" or "compliant"
    for _, key in ipairs(rigid and { "energy", "tangential", "tension", "states", "rates" } or { "friction" }) do
        if given[key] ~= nil then say(name, "%s is not for %s laws", key, kind) end
    end
    local states = #names_of_states(name, typed(name, given, "states", "table", {}))
    local rates = typed(name, given, "rates", "function")
    if (states > 0) ~= (rates ~= nil) then
        say(name, "states and rates are given together, as states = { \"x\" }, rates = function(p, u, w, x)")
    end
    local word = typed(name, given, "tangential", "string", "rigid")
    if not TANGENTIAL[word] then
        local near = pc.nearest(word, { "rigid", "spring", "mindlin", "dashpot", "spring_dashpot" })
        say(name, "tangential is \"rigid\", \"spring\", \"mindlin\", \"dashpot\" or \"spring_dashpot\", not \"%s\"%s",
            word, near and "; did you mean '" .. near .. "'?" or "")
    end
    local maker = core.define{
        path = "contact." .. name,
        doc = typed(name, given, "doc", "string", "A " .. kind .. " law that a script defined."),
        details = typed(name, given, "details", "string"),
        source = typed(name, given, "source", "string"),
        equations = equations_of(name, given),
        example = typed(name, given, "example", "string"),
        parameters = parameters(name, typed(name, given, "parameters", "table", {})),
        rigid = rigid ~= nil, force = force, impulse = rigid, states = states, rates = rates,
        energy = typed(name, given, "energy", "function"),
        tangential = TANGENTIAL[word],
        tension = typed(name, given, "tension", "boolean"),
        may_gain = typed(name, given, "may_gain", "boolean"),
        friction = typed(name, given, "friction", "boolean", true),
    }
    rawset(pc.contact, name, maker)
    return maker
end

return definition
