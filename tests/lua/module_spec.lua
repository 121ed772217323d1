-- percuss.so beside the program: the same library for stock lua5.4, without the prompt and its licence.

local folder = arg[-1]:match "^(.*)/[^/]*$" or "."

-- Under a sanitizer the runtime has to be there before the program that does not know of it.
local preload = folder:match "asan$" and "LD_PRELOAD=$(cc -print-file-name=libasan.so) "
    or folder:match "tsan$" and "LD_PRELOAD=$(cc -print-file-name=libtsan.so) " or ""

local function output(command)
    local pipe <close> = assert(io.popen(command .. " 2>&1", "r"))
    return pipe:read "a"
end

local function stock(chunk)
    return output(("%slua5.4 -e 'package.cpath = \"%s/?.so\" %s'"):format(preload, folder, chunk))
end

describe("percuss.so", function()
    it("is a module of stock lua5.4, with the part written in Lua", function()
        assert.equal("true\tnil\n", stock [[
            local pc = require "percuss"
            print(pc.register()[1] ~= nil and pc.collide ~= nil, percuss)]])
    end)

    it("offers what the program offers", function()
        local paths = {}
        for _, entry in ipairs(require "percuss".register()) do paths[#paths + 1] = entry.path end
        local names = stock [[for _, entry in ipairs(require "percuss".register()) do print(entry.path) end]]
        assert.equal(table.concat(paths, "\n") .. "\n", names)
    end)

    it("is linked with neither liblua nor readline", function()
        local needed = output("objdump -p " .. folder .. "/percuss.so")
        assert.truthy(needed:find("NEEDED", 1, true))
        assert.falsy(needed:find("liblua", 1, true))
        assert.falsy(needed:find("readline", 1, true))
    end)
end)
