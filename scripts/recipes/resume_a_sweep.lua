-- How do I resume a sweep that was interrupted?
-- Words: store continue restart crash kill power failure checkpoint.
local pc = require "percuss"

os.remove "study.db"
local function study(n)
    return pc.sweep{
        over = { { "mu", pc.linspace(0, 1, 5) }, { "e", { 0.5, 1 } } },
        run = function(p)
            if p.mu > n then error("no time left", 0) end -- as if it were stopped here
            return { product = p.mu*p.e }
        end,
        columns = { "product" }, store = "study.db", retry = "failed", changed = "keep",
    }
end
print(#study(0.5):failures()) --> 4
-- the same call goes on: what is in the store is not computed again
print(#study(1):failures())   --> 0
