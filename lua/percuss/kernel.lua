-- What the kernel of notebooks says: requests of Jupyter's protocol (version 5.3) and their answers, values as bundles
-- of MIME types. src/repl/kernel.c brings the messages, runs cells as the prompt does, and sends what is said here.
local pc = require "percuss"
local json = require "percuss.json"
local prompt = require "percuss.prompt"
local pretty = require "percuss.pretty"

local kernel = {}

-- Set by kernel.c: send(channel, ids, header, parent, metadata, content), execute(code) -> "ok" | "error" |
-- "interrupted", complete(code) -> "complete" | "incomplete" | "invalid", parent(header).
kernel.core = nil

local session, count, sent = "", 0, 0
local request -- the message that is answered: ids, header (its text), channel
local history = {} -- of cells: { count, code }
local leaving

local function header_of(kind)
    sent = sent + 1
    return json.encode{ msg_id = ("%s_%d"):format(session, sent), session = session, username = "percuss",
        date = os.date "!%Y-%m-%dT%H:%M:%SZ", msg_type = kind, version = "5.3" }
end

local function send(channel, ids, kind, content, metadata)
    kernel.core.send(channel, ids, header_of(kind), request and request.header or "{}", metadata or "{}",
        json.encode(content))
end

local function publish(kind, content) send("publish", { kind }, kind, content) end

local function reply(kind, content) send(request.channel, request.ids, kind, content) end

-- ---- bundles ----

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- Base64 (RFC 4648).
local function base64(bytes)
    local out, pad = {}, -#bytes % 3
    for a, b, c in (bytes .. ("\0"):rep(pad)):gmatch "(.)(.)(.)" do
        local n = a:byte() << 16 | b:byte() << 8 | c:byte()
        local i, j, k, l = (n >> 18) + 1, (n >> 12 & 63) + 1, (n >> 6 & 63) + 1, (n & 63) + 1
        out[#out + 1] = DIGITS:sub(i, i) .. DIGITS:sub(j, j) .. DIGITS:sub(k, k) .. DIGITS:sub(l, l)
    end
    local text = table.concat(out)
    return pad > 0 and text:sub(1, -pad - 1) .. ("="):rep(pad) or text
end

local function escaped(text)
    return (text:gsub('[&<>"]', { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- So many rows of a table are shown, half of them from its end.
local ROWS = 20

local function cell_of(x)
    if math.type(x) == "float" then return x ~= x and "" or ("%.6g"):format(x) end
    return escaped(tostring(x))
end

local function table_html(t)
    local names, out, n = t.names, { '<table style="white-space:nowrap"><thead><tr><th></th>' }, #t
    local columns = {}
    for c, name in ipairs(names) do
        columns[c] = t:column(name)
        out[#out + 1] = "<th>" .. escaped(name) .. "</th>"
    end
    out[#out + 1] = "</tr></thead><tbody>"
    for i = 1, n do
        if n <= ROWS or i <= ROWS / 2 or i > n - ROWS / 2 then
            out[#out + 1] = ("<tr><th>%d</th>"):format(i)
            for c in ipairs(names) do out[#out + 1] = "<td>" .. cell_of(columns[c][i]) .. "</td>" end
            out[#out + 1] = "</tr>"
        elseif i == ROWS / 2 + 1 then
            out[#out + 1] = ('<tr><th>...</th><td colspan="%d"></td></tr>'):format(math.max(#names, 1))
        end
    end
    out[#out + 1] = ("</tbody></table><p>%d rows</p>"):format(n)
    return table.concat(out)
end

-- SVG as a part of another document: without what declares a document.
local function inner_svg(text)
    return text and text:gsub("^%s*<%?xml.-%?>%s*", ""):gsub("^<!DOCTYPE[^>]*>%s*", "")
end

-- Pictures that a call wrote into a file whose name it returned; larger ones are not sent. Animations are HTML, since
-- not all front ends know their type.
local PICTURES = { png = "image/png", gif = "image/gif", svg = "image/svg+xml", jpg = "image/jpeg" }
local PICTURE_BYTES = 30 * 1024 * 1024

local function picture_of(name)
    local kind = #name < 4096 and not name:find "[%c]" and PICTURES[name:match "%.(%w+)$" or ""]
    local file = kind and io.open(name, "rb")
    if not file then return nil end
    local bytes = (file:seek "end" or 0) <= PICTURE_BYTES and file:seek "set" and file:read "a"
    file:close()
    if not bytes then return nil end
    if kind == "image/svg+xml" then return kind, inner_svg(bytes) end
    if kind == "image/gif" then return "text/html", '<img src="data:image/gif;base64,' .. base64(bytes) .. '">' end
    return kind, base64(bytes)
end

-- A picture, and how large it is shown: it has more pixels than that, for dense displays. SVG would go before it where
-- both are given, and what cleans pages from it leaves it blank; it is shown where a file of it is written.
local DENSITY = 1.5

local function figure_bundle(figure)
    local bundle, png = { ["text/plain"] = tostring(figure) }, figure:bytes("png", { dpi = 96 * DENSITY })
    if not png then
        bundle["image/svg+xml"] = inner_svg(figure:bytes "svg")
        return bundle
    end
    bundle["image/png"] = base64(png)
    local width, height = (">I4I4"):unpack(png, 17) -- of its first chunk
    return bundle, { ["image/png"] = { width = width // DENSITY, height = height // DENSITY } }
end

local function bundle_of(value, source)
    local kind = pc.type(value)
    if kind == "figure" then return figure_bundle(value) end
    local bundle = { ["text/plain"] = prompt.text(value, source) }
    if kind == "table" then
        -- one of columns; of a plain one, or a record, nothing but its text is known
        local has_columns, html = pcall(table_html, value)
        if has_columns then bundle["text/html"] = html end
    elseif type(value) == "string" then
        local mime, data = picture_of(value)
        if mime then bundle[mime] = data end
    end
    return bundle
end

-- What the prompt calls for the values of an expression.
local function show_values(source, ...)
    local words = table.pack(...)
    local word = prompt.word_of(source)
    if word then return words[1]() end
    local bundle, metadata
    if words.n == 3 and words[1] == nil and type(words[2]) == "string" and type(words[3]) == "string" then
        return io.stderr:write(words[2], "\n") -- what a file or a display refused
    elseif words.n == 1 then
        bundle, metadata = bundle_of(words[1], source)
    else
        local texts = {}
        for i = 1, words.n do texts[i] = prompt.text(words[i]) end
        bundle = { ["text/plain"] = table.concat(texts, "\t") }
    end
    publish("execute_result", { execution_count = count, data = bundle, metadata = metadata or {} })
end

local function display(bundle, metadata)
    publish("display_data", { data = bundle, metadata = metadata or {}, transient = {} })
end

-- Help as a block of text that keeps its columns.
local function show_help(text)
    display{ ["text/plain"] = text, ["text/html"] = "<pre>" .. escaped(text) .. "</pre>" }
end

local function show_page(page)
    display{ ["text/plain"] = "a page that plays a motion",
        ["text/html"] = ('<iframe srcdoc="%s" sandbox="allow-scripts" style="width:100%%;height:780px;border:0">'
            .. "</iframe>"):format(escaped(page)) }
end

-- ---- requests ----

local handlers = {}

local problem -- of the cell that runs: { text, trace }

local function lines_of(text)
    local list = json.list{}
    for line in (text .. "\n"):gmatch "(.-)\n" do list[#list + 1] = line end
    return list
end

local function failure(kind, text, trace)
    return { status = "error", ename = kind, evalue = text, execution_count = count,
        traceback = lines_of(text .. (trace and "\n" .. trace or "")), payload = json.list{}, user_expressions = {} }
end

function handlers.execute_request(content)
    local code = type(content.code) == "string" and content.code or ""
    local silent = content.silent == true
    if not silent then
        count = count + 1
        publish("execute_input", { code = code, execution_count = count })
        if content.store_history ~= false then history[#history + 1] = { count, code } end
    end
    problem = nil
    local status, partial = kernel.core.execute(code)
    if status == "ok" then
        local payload = json.list{}
        if leaving then payload[1] = { source = "ask_exit", keepkernel = false } end
        return { status = "ok", execution_count = count, payload = payload, user_expressions = {} }
    end
    local answer = status == "interrupted" and failure("interrupted", partial
        and "interrupted: what there is so far is in _" or "interrupted")
        or failure("error", problem and problem.text or "error", problem and problem.trace)
    publish("error", { ename = answer.ename, evalue = answer.evalue, traceback = answer.traceback })
    return answer
end

-- Cursors count characters; strings of Lua bytes.
local function byte_offset(code, position)
    local n = utf8.len(code)
    if not n then return #code + 1 end
    position = math.tointeger(position) or n
    return utf8.offset(code, math.max(0, math.min(position, n)) + 1)
end

local function characters(code, bytes) return utf8.len(code:sub(1, bytes)) or bytes end

function handlers.complete_request(content)
    local code = type(content.code) == "string" and content.code or ""
    local stop = byte_offset(code, content.cursor_pos)
    local text = code:sub(1, stop - 1)
    -- in a string its quote begins the word, elsewhere what no name has
    local line, quote = text:match "[^\n]*$", nil
    for c in line:gsub("\\.", ""):gmatch "[\"']" do quote = not quote and c or quote ~= c and quote or nil end
    local word = quote and text:match("[^" .. quote .. "]*$") or text:match "[%w_.:\\]*$"
    local found = require("percuss.complete").candidates(text:sub(1, #text - #word), word, quote ~= nil) or {}
    table.sort(found)
    return { status = "ok", matches = json.list(found), cursor_start = characters(code, #text - #word),
        cursor_end = characters(code, #text), metadata = {} }
end

function handlers.inspect_request(content)
    local code = type(content.code) == "string" and content.code or ""
    local stop = byte_offset(code, content.cursor_pos)
    local before, after = code:sub(1, stop - 1):match "[%w_.:]*$", code:sub(stop):match "^[%w_]*"
    local path = before .. after
    -- inside a call: what is called
    if path == "" then path = code:sub(1, stop - 1):match "([%a_][%w_.:]*)%s*[({][^(){}]*$" or "" end
    local value = path ~= "" and require("percuss.complete").resolve(path) or nil
    if value == nil then return { status = "ok", found = false, data = {}, metadata = {} } end
    local ok, text = pcall(require("percuss.help").text, value)
    if not ok then text = prompt.text(value, path) end
    return { status = "ok", found = true, metadata = {},
        data = { ["text/plain"] = text, ["text/html"] = "<pre>" .. escaped(text) .. "</pre>" } }
end

function handlers.is_complete_request(content)
    local status = kernel.core.complete(type(content.code) == "string" and content.code or "")
    return { status = status, indent = status == "incomplete" and "    " or nil }
end

function handlers.history_request(content)
    local first, last, list = 1, #history, json.list{}
    local n = math.tointeger(content.n)
    if content.hist_access_type == "range" and (content.session or 0) == 0 then
        first = math.tointeger(content.start) or 1
        last = (math.tointeger(content.stop) or #history + 1) - 1
    end
    local pattern = content.hist_access_type == "search" and type(content.pattern) == "string"
        and "^" .. content.pattern:gsub("[%^%$%(%)%%%.%[%]%+%-]", "%%%0"):gsub("%*", ".*"):gsub("%?", ".") .. "$"
    for _, entry in ipairs(history) do
        local is_inside = pattern and entry[2]:find(pattern) or not pattern and entry[1] >= first and entry[1] <= last
        if is_inside then list[#list + 1] = json.list{ 0, entry[1], entry[2] } end
    end
    if content.hist_access_type ~= "range" and n and n < #list then
        list = json.list(table.move(list, #list - math.max(n, 0) + 1, #list, 1, {}))
    end
    return { status = "ok", history = list }
end

function handlers.kernel_info_request()
    return {
        status = "ok", protocol_version = "5.3", implementation = "percuss", implementation_version = pc.version,
        banner = "percuss " .. pc.version .. ": help() explains what there is",
        language_info = { name = "lua", version = _VERSION:match "%d+%.%d+", mimetype = "text/x-lua",
            file_extension = ".lua", pygments_lexer = "lua", codemirror_mode = "lua" },
        help_links = json.list{},
    }
end

function handlers.comm_info_request() return { status = "ok", comms = {} } end

function handlers.shutdown_request(content)
    leaving = true
    return { status = "ok", restart = content.restart == true }
end

-- ---- messages ----

-- Answer a message as wire.h pushes it; false: the kernel ends.
function kernel.answer(message)
    local header = json.decode(message.header)
    local content = json.decode(message.content)
    local kind = type(header) == "table" and header.msg_type
    if type(kind) ~= "string" or type(content) ~= "table" then return true end
    request = message
    kernel.core.parent(message.header)
    publish("status", { execution_state = "busy" })
    local name, handler = kind:match "^([%w_]+)_request$", handlers[kind]
    if handler then
        local ok, answer = pcall(handler, content)
        if not ok then answer = failure("error", "the kernel failed: " .. tostring(answer)) end
        reply(name .. "_reply", answer)
    end
    publish("status", { execution_state = "idle" })
    return not leaving
end

-- A cell was stopped, or told of an error; what it says comes from the prompt.
local function report(text, trace)
    -- without the frames of the kernel itself
    local lines, stop = lines_of(trace or ""), nil
    for i, line in ipairs(lines) do
        if line:find "^%s*percuss%.kernel:" then
            stop = i - 2
            break
        end
    end
    problem = { text = text, trace = trace and table.concat(lines, "\n", 1, stop or #lines) or nil }
end

-- Begin: names as at the prompt, and pictures, help and pages that go into the notebook.
function kernel.start(core)
    kernel.core = core
    session = core.session
    prompt.import()
    pretty.width = 100
    prompt.print, prompt.report, prompt.screen = show_values, report, function() end
    prompt.leave = function() leaving = true end
    require("percuss.help").write = show_help
    require("percuss.view").show = show_page
    local names = debug.getregistry()["percuss.figure"].__names
    names.show = function(figure) display(figure_bundle(figure)) end
end

-- What a connection file says, with a name for this session; an error says what is wrong with it.
function kernel.settings(path)
    local file, message = io.open(path, "rb")
    if not file then error("kernel: cannot read the connection file: " .. message, 0) end
    local text = file:read "a"
    file:close()
    local settings, wrong = json.decode(text or "")
    if type(settings) ~= "table" then error(("kernel: %s is no connection file: %s"):format(path, wrong), 0) end
    local wanted = { transport = "string", ip = "string", key = "string", shell_port = "integer",
        iopub_port = "integer", control_port = "integer", stdin_port = "integer", hb_port = "integer" }
    for name, kind in pairs(wanted) do
        local value = settings[name]
        if (math.type(value) or type(value)) ~= kind or kind == "integer" and (value < 0 or value > 65535)
            or kind == "string" and value:find "\0" then
            error(("kernel: %s in the connection file must be %s"):format(name, kind == "integer"
                and "a port from 0 to 65535" or "a string"), 0)
        end
    end
    if settings.key ~= "" and (settings.signature_scheme or "hmac-sha256") ~= "hmac-sha256" then
        error(("kernel: the signature scheme %s is not known; it must be hmac-sha256"):format(
            tostring(settings.signature_scheme)), 0)
    end
    local source = io.open("/dev/urandom", "rb")
    local bytes = source and source:read(16)
    if source then source:close() end
    settings.session = (bytes or tostring(settings) .. os.time()):gsub(".", function(c)
        return ("%02x"):format(c:byte())
    end):sub(1, 48)
    return settings
end

-- ---- installation ----

-- The folders of Jupyter (its documentation, "Data files"): one's own, or that of a prefix.
local function folder_of(option, prefix)
    if option == "--prefix" then return prefix .. "/share/jupyter" end
    local own = os.getenv "JUPYTER_DATA_DIR"
    if own and own ~= "" then return own end
    local data = os.getenv "XDG_DATA_HOME"
    if data and data ~= "" then return data .. "/jupyter" end
    local home = os.getenv "HOME"
    return home and home ~= "" and home .. "/.local/share/jupyter" or nil
end

-- percuss kernel install [--user | --prefix DIR]; true if it was written. `program`: the path of this one.
function kernel.install(program, ...)
    local option, prefix = ...
    local good = select("#", ...) == 0 or option == "--user" and select("#", ...) == 1
        or option == "--prefix" and select("#", ...) == 2 and prefix ~= ""
    if not good then
        io.stderr:write "usage: percuss kernel install [--user | --prefix DIR]\n"
        return false
    end
    local folder = folder_of(option, prefix)
    if not folder then
        io.stderr:write "percuss: HOME is not set; give --prefix DIR\n"
        return false
    end
    folder = folder .. "/kernels/percuss"
    local made, message = pc.make_directory(folder)
    local text = json.encode{ argv = json.list{ program, "kernel", "{connection_file}" }, display_name = "percuss",
        language = "lua", interrupt_mode = "signal", metadata = { debugger = false } }
    local path
    if made then path, message = pc.file.write(folder .. "/kernel.json", text .. "\n") end
    if not path then
        io.stderr:write("percuss: ", message, "\n")
        return false
    end
    print(path)
    return true
end

return kernel
