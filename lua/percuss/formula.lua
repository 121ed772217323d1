-- Formulas as the register and the topics write them, in plain characters: F_n = K u^1.5 (1 + zeta w).
--
--   formula.parse(text)              a tree, or nil and what is wrong with the text
--   formula.unicode(text)            for a terminal: F_n = K u^1.5 (1 + ζ w)
--   formula.mathml(text)             for a page: <math> elements in a <div>
--   formula.value(text, values)      a number, from values by name; of `a = b` that of b
--   formula.sides(text, values)      the numbers on all sides of `a = b`, and the signs between them
--   formula.names(text)              a set of the names in it
--   formula.equations(text)          what the register says of a law or body, as a list of { formula, words }
--   formula.symbols(entry)           what stands in its equations and is none of its parameters, as a list of { name,
--                                    unit, words }, and the names of which nothing is known
--
-- Factors stand beside each other with a blank; a slash divides what stands just before it by what stands just behind
-- it, so that a/b c is (a/b) c. x_n has an index, x^n a power, x' is a rate or the value afterwards, |x| a size.
local formula = {}

formula.greek = {
    alpha = "α", beta = "β", gamma = "γ", delta = "δ", epsilon = "ε", zeta = "ζ", eta = "η", theta = "θ", kappa = "κ",
    lambda = "λ", mu = "μ", nu = "ν", xi = "ξ", pi = "π", rho = "ρ", sigma = "σ", tau = "τ", phi = "φ", chi = "χ",
    psi = "ψ", omega = "ω", Delta = "Δ", Omega = "Ω",
}

local GREEK = formula.greek

-- Functions of one number and their values; a name of these, with brackets behind it, is no factor.
local function sign(x) return x > 0 and 1 or x < 0 and -1 or 0 end
local FUNCTIONS = {
    sqrt = math.sqrt, sin = math.sin, cos = math.cos, tan = math.tan, asin = math.asin, acos = math.acos,
    atan = math.atan, ln = math.log, exp = math.exp, sign = sign,
}

local RELATIONS = { ["="] = "=", ["<"] = "&lt;", [">"] = "&gt;", ["<="] = "≤", [">="] = "≥", ["->"] = "→" }

-- ---- reading ----

local Reader = {}
Reader.__index = Reader

-- The text as a list of { kind, word, spaced }: spaced where a blank stands before it.
local function tokens(text)
    local list, at = {}, 1
    local patterns = {
        { "number", "^%d+%.?%d*" }, { "name", "^%a+_?%w*'*" }, { "sign", "^[<>]=" }, { "sign", "^%->" },
        { "sign", "^[-+/^()|=<>]" },
    }
    while at <= #text do
        local blank = select(2, text:find("^%s+", at))
        if blank then at = blank + 1 end
        if at > #text then break end
        local taken
        for _, row in ipairs(patterns) do
            local first, last = text:find(row[2], at)
            if first then
                taken = { kind = row[1], word = text:sub(first, last), spaced = blank ~= nil }
                at = last + 1
                break
            end
        end
        if not taken then return nil, ("'%s' is no part of a formula"):format(text:match("^%S+", at)) end
        list[#list + 1] = taken
    end
    return list
end

function Reader:peek(word)
    local token = self[self.at]
    if word == nil then return token end
    return token ~= nil and token.kind == "sign" and token.word == word
end

function Reader:take(word)
    if not self:peek(word) then return false end
    self.at = self.at + 1
    return true
end

function Reader:need(word)
    if not self:take(word) then
        local token = self:peek()
        error({ ("'%s' is needed before %s"):format(word, token and "'" .. token.word .. "'" or "the end") })
    end
end

function Reader:atom()
    local token = self:peek()
    if not token then error({ "something is missing at the end" }) end
    if token.kind == "number" then
        self.at = self.at + 1
        return { kind = "number", text = token.word }
    elseif token.kind == "name" then
        self.at = self.at + 1
        local next_one = self:peek()
        if FUNCTIONS[token.word] and self:peek "(" and not next_one.spaced then
            self:take "("
            local inner = self:sum()
            self:need ")"
            return { kind = "function", name = token.word, inner }
        end
        return { kind = "name", text = token.word }
    elseif self:take "(" then
        local inner = self:sum()
        self:need ")"
        return { kind = "brackets", inner }
    elseif self:take "|" then
        local inner = self:sum()
        self:need "|"
        return { kind = "size", inner }
    end
    error({ ("'%s' is not expected"):format(token.word) })
end

function Reader:power()
    local base = self:atom()
    if not self:take "^" then return base end
    local minus = self:take "-"
    local exponent = self:atom()
    return { kind = "power", base, minus and { kind = "minus", exponent } or exponent }
end

function Reader:ratio()
    local value = self:power()
    while self:take "/" do value = { kind = "ratio", value, self:power() } end
    return value
end

-- A bar without a blank before it closes a size.
function Reader:starts_factor()
    local token = self:peek()
    if not token then return false end
    return token.kind ~= "sign" or token.word == "(" or token.word == "|" and token.spaced
end

function Reader:product()
    local list = { kind = "product", self:ratio() }
    while self:starts_factor() do list[#list + 1] = self:ratio() end
    return #list == 1 and list[1] or list
end

function Reader:sum()
    local list = { kind = "sum" }
    local minus = self:take "-"
    repeat
        local term = self:product()
        list[#list + 1] = minus and { kind = "minus", term } or term
        minus = self:take "-"
    until not minus and not self:take "+"
    return #list == 1 and list[1] or list
end

function formula.parse(text)
    local list, fault = tokens(text)
    if not list then return nil, fault end
    local reader = setmetatable(list, Reader)
    reader.at = 1
    local ok, result = pcall(function()
        local tree = { kind = "relation", reader:sum() }
        while reader:peek() and RELATIONS[reader:peek().word] do
            tree[#tree + 1] = reader:peek().word
            reader.at = reader.at + 1
            tree[#tree + 1] = reader:sum()
        end
        local rest = reader:peek()
        if rest then error({ ("'%s' is not expected"):format(rest.word) }) end
        return #tree == 1 and tree[1] or tree
    end)
    if ok then return result end
    if type(result) == "table" then return nil, result[1] end
    error(result, 0)
end

-- ---- writing ----

local RAISED = {
    ["0"] = "⁰", ["1"] = "¹", ["2"] = "²", ["3"] = "³", ["4"] = "⁴", ["5"] = "⁵", ["6"] = "⁶", ["7"] = "⁷", ["8"] = "⁸",
    ["9"] = "⁹", ["-"] = "⁻",
}

-- Letters by their names, powers that are whole numbers raised; everything else as it stands.
function formula.unicode(text)
    local out = text:gsub("%a+", GREEK):gsub("%^(%-?%d+)(%.?%d*)", function(whole, rest)
        if rest:match "%d" then return nil end
        return whole:gsub(".", RAISED) .. rest
    end)
    return (out:gsub("<=", "≤"):gsub(">=", "≥"):gsub("%->", "→"):gsub("sqrt%f[(]", "√"))
end

local write = {}

local function row(...)
    return "<mrow>" .. table.concat({ ... }) .. "</mrow>"
end

local function markup(tree)
    return write[tree.kind](tree)
end

local function operator(text)
    return "<mo>" .. text .. "</mo>"
end

function write.number(tree)
    return "<mn>" .. tree.text .. "</mn>"
end

function write.name(tree)
    local base, index, primes = tree.text:match "^(%a+)_?(%w*)('*)$"
    local letter = GREEK[base] or base
    local out = ("<mi>%s</mi>"):format(letter)
    if index ~= "" then out = ("<msub>%s<mi>%s</mi></msub>"):format(out, GREEK[index] or index) end
    if primes ~= "" then out = ("<msup>%s<mo>%s</mo></msup>"):format(out, (primes:gsub("'", "′"))) end
    return out
end

write["function"] = function(tree)
    if tree.name == "sqrt" then return "<msqrt>" .. markup(tree[1]) .. "</msqrt>" end
    return row("<mi>" .. tree.name .. "</mi>", operator "(", markup(tree[1]), operator ")")
end

function write.brackets(tree)
    return row(operator "(", markup(tree[1]), operator ")")
end

function write.size(tree)
    return row(operator "|", markup(tree[1]), operator "|")
end

function write.minus(tree)
    return row(operator "−", markup(tree[1]))
end

function write.power(tree)
    return "<msup>" .. markup(tree[1]) .. markup(tree[2]) .. "</msup>"
end

-- What a fraction bar groups needs no brackets.
local function bare(tree)
    return markup(tree.kind == "brackets" and tree[1] or tree)
end

function write.ratio(tree)
    return "<mfrac>" .. bare(tree[1]) .. bare(tree[2]) .. "</mfrac>"
end

function write.product(tree)
    local out = {}
    for i, factor in ipairs(tree) do out[i] = markup(factor) end
    return "<mrow>" .. table.concat(out, '<mspace width="0.2em"></mspace>') .. "</mrow>"
end

function write.sum(tree)
    local out = {}
    for i, term in ipairs(tree) do
        if i > 1 then out[#out + 1] = operator(term.kind == "minus" and "−" or "+") end
        out[#out + 1] = markup(i > 1 and term.kind == "minus" and term[1] or term)
    end
    return row(table.unpack(out))
end

-- An operator that stands first in its element, but has something before it.
local function infix(text)
    return '<mo form="infix">' .. text .. "</mo>"
end

local LONG = 3 -- terms that a fraction shows above or below its bar; with more of them it is written with a stroke

local function terms_of(tree)
    local inner = tree.kind == "brackets" and tree[1] or tree
    return inner.kind == "sum" and #inner or 1
end

-- Browsers do not break a formula into lines. So each side and each of its terms is an element of its own, with the
-- sign before it, and a narrow page breaks between them.
function formula.mathml(text)
    local tree, out = assert(formula.parse(text)), {}
    local function add(before, part, after)
        out[#out + 1] = '<math displaystyle="true">' .. row(before, part, after or "") .. "</math>"
    end
    -- the terms of one side, between what stands before the first and behind the last
    local function add_terms(side, before, after)
        if side.kind == "sum" then
            for k, term in ipairs(side) do
                local minus = k > 1 and term.kind == "minus"
                local between = k > 1 and infix(minus and "−" or "+") or before
                add(between, markup(minus and term[1] or term), k == #side and after)
            end
        elseif side.kind == "ratio" and (terms_of(side[1]) > LONG or terms_of(side[2]) > LONG) then
            local first, second = side[1], side[2]
            if first.kind == "brackets" then
                add_terms(first[1], before .. operator "(", operator ")")
            else
                add_terms(first, before)
            end
            add_terms(second.kind == "brackets" and second[1] or second, infix "/" .. operator "(",
                operator ")" .. (after or ""))
        else
            add(before, markup(side), after)
        end
    end
    for i, side in ipairs(tree.kind == "relation" and tree or { tree }) do
        if i % 2 == 1 then add_terms(side, i > 1 and infix(RELATIONS[tree[i - 1]]) or "") end
    end
    return '<div class="math">' .. table.concat(out, " ") .. "</div>"
end

-- ---- values ----

local evaluate = {}

local function number_of(tree, values)
    return evaluate[tree.kind](tree, values)
end

function evaluate.number(tree)
    return tonumber(tree.text)
end

function evaluate.name(tree, values)
    local value = values[tree.text]
    if value == nil and tree.text == "pi" then return math.pi end
    return value or error(("formula: '%s' has no value"):format(tree.text), 0)
end

evaluate["function"] = function(tree, values)
    return FUNCTIONS[tree.name](number_of(tree[1], values))
end

function evaluate.brackets(tree, values)
    return number_of(tree[1], values)
end

function evaluate.size(tree, values)
    return math.abs(number_of(tree[1], values))
end

function evaluate.minus(tree, values)
    return -number_of(tree[1], values)
end

function evaluate.power(tree, values)
    return number_of(tree[1], values) ^ number_of(tree[2], values)
end

function evaluate.ratio(tree, values)
    return number_of(tree[1], values) / number_of(tree[2], values)
end

function evaluate.product(tree, values)
    local out = 1
    for _, factor in ipairs(tree) do out = out * number_of(factor, values) end
    return out
end

function evaluate.sum(tree, values)
    local out = 0
    for _, term in ipairs(tree) do out = out + number_of(term, values) end
    return out
end

function formula.sides(text, values)
    local tree = assert(formula.parse(text))
    if tree.kind ~= "relation" then return { number_of(tree, values) }, {} end
    local numbers, signs = {}, {}
    for i, part in ipairs(tree) do
        if i % 2 == 0 then
            signs[#signs + 1] = part
        else
            numbers[#numbers + 1] = number_of(part, values)
        end
    end
    return numbers, signs
end

function formula.value(text, values)
    local tree = assert(formula.parse(text))
    if tree.kind == "relation" then tree = tree[#tree] end
    return number_of(tree, values)
end

local function collect(tree, into)
    if tree.kind == "name" then into[tree.text] = true end
    for _, part in ipairs(tree) do
        if type(part) == "table" then collect(part, into) end
    end
    return into
end

function formula.names(text)
    return collect(assert(formula.parse(text)), {})
end

-- Lines "formula: words", or formulas alone, of the register as a list of { formula, words }.
function formula.equations(text)
    local list = {}
    for line in (text or ""):gmatch "[^\n]+" do
        local what, words = line:match "^(.-): (.*)$"
        list[#list + 1] = { what or line, words or "" }
    end
    return list
end

-- What a symbol means wherever it is no parameter; each law, body and force that has it in an equation means that. A
-- contact point that strikes has the normal n, the tangent t and, in space, t2.
local MEANINGS = {}
for line in ([[
A: kg, kg m^2: mass matrix of the generalized velocities
C: -, m: Jacobian, the velocity of the contact point by each generalized velocity
C': -, m: its transpose
E_c: Pa: contact modulus, 1/E_c = (1 - nu^2)/E of the body and of the obstacle
F: N: force
F_m: N: greatest normal force
F_n: N: normal force, positive where it presses
F_t: N: tangential force on the body
F_x: N: force along x
F_y: N: force along y
J: kg m^2: moment of inertia about the second tangent
J_p: kg m^2: moment of inertia about the pivot
K: N/m^1.5: stiffness of Hertz's law
M: N m: moment
R_p: m: radius of the surface after it has yielded
T: -: tangent of the angle
V: m/s: speed below which bodies stick together
W: 1/kg: inverse effective mass of the contact point
W_c: J: work of the normal force in compression
W_r: J: work of the normal force in restitution
a: -: number on which restitution depends
angle: rad: of the link from the normal
b: -: number on which restitution depends
chi: -: ratio of the mobilities
dp_n: N s: a small part of the normal impulse
dp_t: N s: the part of the tangential impulse beside it
e: -: coefficient of restitution
g: m/s^2: gravity of the scene
h: -: stiffness ratio that counts
k_t: N/m: tangential stiffness
l: m: length
l': m/s: rate of the length
l_0: m: length without a force
loss: -: lost part of the kinetic energy
m_c: kg: mass of the cylinder between the caps
m_n: kg: mass that the contact sees along the normal, 1/w_nn
mu: -: coefficient of friction
omega: rad/s: rate of spin, anticlockwise
p: N s: impulse on the body
p_c: N s: normal impulse of compression
p_n: N s: normal impulse
p_r: N s: normal impulse of restitution
p_t: N s: tangential impulse
phi: rad: angle of a body, or of one against the other
phi': rad/s: rate of that angle
phi'': rad/s^2: its acceleration
phi_0: rad: angle without a moment
psi_1: -: incidence in units of the angle of full slip
psi_2: -: the same afterwards
r: -: speed afterwards over speed before
r_c: m: radius of the contact circle
r_n: m: arm from the mass centre to the contact point, along n
r_t: m: the same along t
s: -: direction of slip, 1 or -1, or a share from 0 to 1
t: s: time
u: m: indentation
u_m: m: greatest indentation
u_r: m: indentation that is left
u_y: m: indentation at which it yields
v: m/s: velocity of the contact point, speed of approach, or speed through the fluid
v': m/s: velocity of the contact point afterwards
v_n: m/s: normal velocity before, negative where it approaches
v_n': m/s: normal velocity afterwards
v_t: m/s: tangential velocity before
v_t': m/s: tangential velocity afterwards
v_x: m/s: velocity along x
v_y: m/s: velocity along y
w: m/s: rate of the indentation
w_nn: 1/kg: normal velocity by a normal impulse
w_tn: 1/kg: normal velocity by a tangential impulse
w_tt: 1/kg: tangential velocity by a tangential impulse
x'': m/s^2: acceleration of the mass centre along x
x: m: stretch of the tangential spring; of a body the place of the contact along t
y'': m/s^2: acceleration of the mass centre along y
z: m: place of the contact along n
zeta: s/m: damping over stiffness
]]):gmatch "[^\n]+" do
    local name, unit, words = line:match "^(%S+): (.-): (.*)$"
    MEANINGS[name] = { name, unit, words }
end

function formula.symbols(entry)
    local own, seen, list, unknown = { pi = true }, {}, {}, {}
    for _, group in ipairs{ entry.rows or {}, entry.params or {} } do
        for _, parameter in ipairs(group) do
            own[parameter.name] = true
            if parameter.symbol then own[parameter.symbol] = true end
            for _, option in ipairs(parameter.options or {}) do own[option.name] = true end
        end
    end
    for _, equation in ipairs(formula.equations(entry.equations)) do
        for name in pairs(formula.names(equation[1])) do
            if not own[name] and not seen[name] then
                seen[name] = true
                local known = MEANINGS[name]
                table.insert(known and list or unknown, known or name)
            end
        end
    end
    table.sort(list, function(a, b) return a[1] < b[1] end)
    return list, unknown
end

return formula
