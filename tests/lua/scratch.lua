-- Names for what a test writes. Files and folders of these names are removed when the test ends, so none is left behind
-- whatever the test did with them.
--
--   local scratch = require "scratch"
--   figure:save(scratch ".svg")
local busted = require "busted"

local folder = os.getenv "TMPDIR" or "/tmp"
local names = {}

busted.subscribe({ "test", "end" }, function()
    for _, name in ipairs(names) do os.execute(("rm -rf '%s'*"):format(name)) end
    names = {}
end)

-- A name that nothing has; `ending` such as ".svg" is put behind it.
return function(ending)
    local unique = os.tmpname()
    os.remove(unique)
    local name = folder .. "/percuss-test-" .. unique:match "[^/_]*$"
    names[#names + 1] = name
    return name .. (ending or "")
end
