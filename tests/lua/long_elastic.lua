-- Every case of the reference solution on meshes as fine as most of its own.
local cases = require "elastic_cases"

describe("elastic bodies", function()
    for _, case in ipairs(cases.all()) do
        it("strike as in " .. case.id, function()
            cases.check(case, case.inputs.shape == "capsule" and 12 or 14)
        end)
    end
end)
