-- percuss.fit: parameters of a model from a table of measurements, with their covariance; and what follows from it.
local pc = require "percuss"
local refuse = require "percuss.refuse"
local record = require "percuss.record"
local report = require "percuss.report"

local M = {}

local function fail(format, ...)
    refuse("fit: " .. string.format(format, ...))
end

-- Parameters { name, start, lo =, hi =, unit = } as lists.
local function read_parameters(parameters)
    if type(parameters) ~= "table" or #parameters == 0 then
        fail("parameters must be a list such as { { \"mu\", 0.3, lo = 0, hi = 2 } }")
    end
    local names, units, start, lo, hi = {}, {}, {}, {}, {}
    for i, entry in ipairs(parameters) do
        local name = type(entry) == "table" and entry[1]
        if type(name) ~= "string" then fail("parameter %d must be { name, start, lo =, hi = }", i) end
        if type(entry[2]) ~= "number" then fail("parameter '%s' needs a number to start from", name) end
        names[i], start[i], units[i] = name, entry[2], entry.unit or ""
        for _, bound in ipairs{ "lo", "hi" } do
            if type(entry[bound] or 0) ~= "number" then fail("%s of parameter '%s' must be a number", bound, name) end
        end
        lo[i], hi[i] = entry.lo or -math.huge, entry.hi or math.huge
        if not (start[i] > lo[i] and start[i] < hi[i]) then
            fail("parameter '%s' starts at %g, which is not inside its bounds %g and %g", name, start[i], lo[i], hi[i])
        end
    end
    return { names = names, units = units, start = start, lo = lo, hi = hi }
end

-- The columns that are compared, with the standard deviation of each measurement.
local function read_columns(data, options)
    local columns = type(options.columns) == "string" and { options.columns } or options.columns
    if type(columns) ~= "table" or #columns == 0 then
        fail("columns must name what the model predicts, such as columns = \"loss\"")
    end
    local list = {}
    for c, name in ipairs(columns) do
        local sigma = options.sigma
        if type(sigma) == "table" then sigma = sigma[name] end
        if type(sigma) == "string" then sigma = data:column(sigma) end
        local n = type(sigma) == "number" and #data or pc.type(sigma) == "array" and #sigma
        if sigma ~= nil and n ~= #data then
            fail("sigma of '%s' must be a number, the name of a column or an array of %d numbers, not %s", name, #data,
                n and ("one of %d"):format(n) or "a " .. pc.type(sigma))
        end
        list[c] = { name = name, values = data:column(name), sigma = sigma, unit = data.units[name] }
    end
    return list
end

local function sigma_at(column, i)
    local sigma = column.sigma
    if not sigma then return 1 end
    return type(sigma) == "number" and sigma or sigma[i]
end

-- What the model says of column `name`: it returns a number where there is one column, else a table.
local function predicted(result, name)
    if type(result) == "number" then return result end
    if type(result) == "table" and type(result[name]) == "number" then return result[name] end
    fail("the model returned no number for '%s'", name)
end

local function point_of(names, ...)
    local p = {}
    for k, name in ipairs(names) do p[name] = (select(k, ...)) end
    return p
end

local function check_data(data)
    if pc.type(data) ~= "table" or type(data) == "table" then fail("the data must be a percuss table") end
end

local function run(data, model, parameters, options)
    check_data(data)
    if type(model) ~= "function" then fail("the model must be a function of parameters and a row") end
    options = options or {}
    local unknowns = read_parameters(parameters)
    local columns = read_columns(data, options)
    local names, rows, n = unknowns.names, {}, #data
    if n == 0 then fail("the table has no rows") end
    for i = 1, n do rows[i] = data:row(i) end
    local function residuals(...)
        local p, out = point_of(names, ...), (select(#names + 1, ...))
        local at = 0
        for i = 1, n do
            local result = model(p, rows[i])
            for _, column in ipairs(columns) do
                at = at + 1
                out[at] = (column.values[i] - predicted(result, column.name)) / sigma_at(column, i)
            end
        end
    end
    local found = require("percuss.fit_core").least_squares(residuals, unknowns, {
        m = n * #columns, tolerance = options.tolerance or 1e-10, calls = options.calls or 200 * (#names + 1),
    })
    return found, unknowns, columns
end

local function matrix(inverse, n, factor)
    local rows = {}
    for i = 1, n do
        rows[i] = {}
        for j = 1, n do rows[i][j] = inverse[(i - 1) * n + j] * factor end
    end
    return rows
end

-- percuss.fit(data, model, parameters, options)
function M.fit(data, model, parameters, options)
    local found, unknowns, columns = run(data, model, parameters, options)
    local n, m = #unknowns.names, #found.residuals
    local degrees = m - found.n_free
    local absolute = columns[1].sigma ~= nil
    -- without standard deviations of the data, the scatter around the fit stands for them
    local variance = absolute and 1 or (degrees > 0 and found.sum / degrees or 0 / 0)
    local self = record.make("fit", {
        names = unknowns.names, units = unknowns.units, model = model, values = record.seal{}, errors = {},
        at_bound = {},
        covariance = matrix(found.inverse, n, variance), residuals = found.residuals, chi2 = found.sum,
        degrees = degrees, calls = found.calls, converged = found.converged, determined = found.determined,
        columns = columns,
    })
    for k, name in ipairs(self.names) do
        self.values[name] = found.x[k]
        self.at_bound[name] = found.at_bound[k]
        if not found.at_bound[k] and found.determined then self.errors[name] = math.sqrt(self.covariance[k][k]) end
    end
    return record.keep(self)
end

-- Correlation of two parameters; nil where one of them has no error.
function M.correlation(self, one, other)
    local at = {}
    for k, name in ipairs(self.names) do at[name] = k end
    local a, b = self.errors[one], self.errors[other]
    return a and b and self.covariance[at[one]][at[other]] / (a * b) or nil
end

-- The model at the rows of a table, and the standard deviation that the covariance gives it (to first order, the
-- derivatives by central differences over a hundredth of each parameter's error): a table with a column and a column
-- "name_error" for everything that is predicted.
function M.band(self, data)
    check_data(data)
    local list = {}
    for _, column in ipairs(self.columns) do
        local name, unit = column.name, column.unit
        local value, deviation = pc.array.zeros(#data), pc.array.zeros(#data)
        for i = 1, #data do
            local row = data:row(i)
            value[i] = predicted(self.model(self.values, row), name)
            local slope = {}
            for k, parameter in ipairs(self.names) do
                local h = 0.01 * (self.errors[parameter] or 0)
                local p = {}
                for key, x in pairs(self.values) do p[key] = x end
                if h > 0 then
                    p[parameter] = self.values[parameter] + h
                    local up = predicted(self.model(p, row), name)
                    p[parameter] = self.values[parameter] - h
                    slope[k] = (up - predicted(self.model(p, row), name)) / (2 * h)
                else
                    slope[k] = 0
                end
            end
            local sum = 0
            for a = 1, #slope do
                for b = 1, #slope do sum = sum + slope[a] * self.covariance[a][b] * slope[b] end
            end
            deviation[i] = math.sqrt(math.max(sum, 0))
        end
        list[#list + 1] = { name, value, unit = unit }
        list[#list + 1] = { name .. "_error", deviation, unit = unit }
    end
    return pc.table(list)
end

-- The text of tostring.
function M.text(self)
    local rows = { { "", "value", "error", "" } }
    for _, name in ipairs(self.names) do
        local unit = self.units[name]
        local note = self.at_bound[name] and "at its bound" or ""
        rows[#rows + 1] = {
            name .. (unit and unit ~= "" and " [" .. unit .. "]" or ""), string.format("%.8g", self.values[name]),
            self.errors[name] and string.format("%.2g", self.errors[name]) or "-", note,
        }
    end
    local lines = {
        string.format("fit of %d numbers: sum of squares %.6g, %d degrees of freedom, %d calls", #self.residuals,
            self.chi2, self.degrees, self.calls),
        report.aligned(rows, "  "),
    }
    if not self.converged then lines[#lines + 1] = "  not converged: allow more calls" end
    if not self.determined then lines[#lines + 1] = "  the data do not determine these parameters together" end
    return table.concat(lines, "\n")
end

return M
