-- What the prompt offers to students: check().
local pc = require "percuss"
local param = require("percuss.parameter").row

pc.check = function(...) return require("percuss.assignment_student").check_here(...) end

pc.document("check", pc.check, {
    summary = "Check your answers to an assignment: right, wrong, wrong unit, too few digits, and hints.",
    params = {
        param("work", "string", "name of your work file", { otherwise = "the only work file here" }),
        param("part", "string", "name of one part", { otherwise = "all" }),
    },
    returns = "nothing; or nil, message, code",
    example = 'print((select(2, percuss.check("none.lua"))))\n--> cannot read none.lua: No such file or directory',
})
