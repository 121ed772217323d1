-- What the prompt offers to students: check().
local pc = require "percuss"

pc.check = function(...) return require("percuss.assignment_student").check_here(...) end

pc.document("check", pc.check, {
    summary = "Check your answers to an assignment: right, wrong, wrong unit, too few digits, and hints.",
    params = {
        { name = "work", type = "string", default = "the only work file here", doc = "name of your work file" },
        { name = "part", type = "string", default = "all", doc = "name of one part" },
    },
    returns = "nothing; or nil, message, code",
    example = 'print((select(2, percuss.check("none.lua"))))\n--> cannot read none.lua: No such file or directory',
})
