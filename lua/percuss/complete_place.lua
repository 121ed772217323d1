-- Where a cursor stands: in which argument of which call, and whether in a table there. The text is read by the rules
-- of Lua's manual, section 3.1, as far as strings, comments and brackets go.

-- The brackets that are open at the end of the text, outermost first: { at =, commas = (how many follow in it) }.
local function open_brackets(text)
    local stack, at = {}, 1
    while at <= #text do
        local long = text:match("^%-?%-?%[(=*)%[", at)
        local c = text:sub(at, at)
        if long then
            local _, stop = text:find("]" .. long .. "]", at, true)
            at = (stop or #text) + 1
        elseif text:find("^%-%-", at) then
            at = (text:find("\n", at, true) or #text) + 1
        elseif c == '"' or c == "'" then
            at = at + 1
            while at <= #text and text:sub(at, at) ~= c do
                at = at + (text:sub(at, at) == "\\" and 2 or 1)
            end
            at = at + 1
        else
            local top = stack[#stack]
            if c:find "[%[({]" then stack[#stack + 1] = { at = at, commas = 0 } end
            if c:find "[%])}]" then stack[#stack] = nil end
            if c == "," and top then top.commas = top.commas + 1 end
            at = at + 1
        end
    end
    return stack
end

-- The name before a bracket that opens a call: "pc.collide", "run:plot", or ":plot" behind another bracket.
local function called(text)
    return text:match "[%])}]%s*(:[%a_][%w_]*)%s*$" or text:match "([%a_][%w_.:]*)%s*$"
end

-- { path =, argument =, inside = text in the table where the cursor stands in one }; nil where nothing is called.
local function place_of(text)
    local stack = open_brackets(text)
    local top = stack[#stack]
    if not top then
        local path = called(text) -- f "..."
        return path and { path = path, argument = 1 }
    end
    local head, bracket = text:sub(1, top.at - 1), text:sub(top.at, top.at)
    if bracket == "(" then
        local rest = text:sub(top.at + 1)
        local path = called(head)
        return path and rest:match "^%s*$" and { path = path, argument = 1 }
            or path and rest:match ",%s*$" and { path = path, argument = top.commas + 1 }
            or nil
    elseif bracket == "[" then
        return nil
    end
    local inside, path = text:sub(top.at + 1), called(head)
    if path then return { path = path, argument = 1, inside = inside } end
    local outer = stack[#stack - 1]
    if not outer or text:sub(outer.at, outer.at) ~= "(" or not head:match "[(,]%s*$" then return nil end
    path = called(text:sub(1, outer.at - 1))
    return path and { path = path, argument = outer.commas + 1, inside = inside }
end

return place_of
