-- Full-text search over what help knows: entries of the register, topics, recipes, lessons, studies, guides and the
-- misprints of the sources. help and apropos ask it, and so does the box of the manual, which gets the synonyms from
-- here.
--
-- What is found is ranked by words that are rare, by where they stand (a name says more than an example) and by how
-- many of the words asked for there are.
local pc = require "percuss"
local misprints = require "percuss.misprints"
local shelf = require "percuss.shelf"
local topics = require "percuss.topics"

local search = {}

-- Words of one line mean the same to who asks. A word may stand in one line only.
search.synonyms = {
    "bounce rebound", "restitution cor", "superball bouncy", "stiction stick adhere", "slide slip skid",
    "zeno chatter accumulate accumulation", "impact collision collide collides hit strike",
    "shake vibrate drive shaker", "table floor ground", "wedge lock stuck jammed", "jam painleve",
    "chart plot figure graph draw picture diagram", "cluster slurm mpi array-job node shard",
    "parallel process worker thread", "velocity speed", "gain create", "energy joule", "friction coulomb mu",
    "damp dashpot dissipate viscous", "spring stiffness elastic", "rotate spin angular", "pendulum swing",
    "fit estimate regression calibrate identify", "data measure csv experiment",
    "uncertainty error confidence interval", "paper publication journal pdf svg", "column width",
    "animation gif movie video", "save store file write", "resume restart continue", "chaos chaotic lyapunov",
    "bifurcation poincare section", "tolerance accuracy accurate precision exact", "law model",
    "several multiple simultaneous", "cradle newtons beads", "billiard pool break",
    "assignment exercise homework course student grade teacher", "hertz sphere ball", "steel glass metal material",
    "roll rolling", "event crossing zero", "ode integrate solver integrator", "array vector", "sweep scan batch grid",
    "help manual documentation", "unit si dimension", "convention axis",
}

-- Words that ask and say nothing.
search.stop = [[
a an and are as at be by can come comes do does for from get gets give has have how i if in into is it its
me mine my of off on one onto or our run runs she so than that the their then there these they this to us want was we
what when where which who why will with you your become becomes back make made should would could not]]

local STOP = {}
for word in search.stop:gmatch "%S+" do STOP[word] = true end

-- Endings go, so that `bounces` and `bouncing` are `bounc`, in what is asked as in what is read.
local function stem(word)
    if #word < 4 then return word end
    local out = word:gsub("ies$", "y"):gsub("([^s])s$", "%1")
    if #out > 5 then out = out:gsub("ing$", ""):gsub("ed$", "") end
    if #out > 3 then out = out:gsub("e$", "") end
    return out
end
search.stem = stem

-- The stems of a text with what each counts; a name with a low line counts as a whole and in its parts.
local function count(text, weight, into)
    for word in text:lower():gmatch "[%w_\128-\255]+" do
        local seen = {}
        local function add(part)
            local key = stem(part)
            if #key == 0 or STOP[part] or seen[key] then return end
            seen[key] = true
            into[key] = (into[key] or 0) + weight
        end
        add(word)
        if word:find "_" then for part in word:gmatch "[^_]+" do add(part) end end
    end
    return into
end

local same -- of each stem that has synonyms the stems of its line
local function meanings(key)
    if not same then
        same = {}
        for _, line in ipairs(search.synonyms) do
            local list = {}
            for word in line:gmatch "%S+" do list[#list + 1] = stem(word) end
            for _, one in ipairs(list) do same[one] = list end
        end
    end
    return same[key]
end

-- ---- what there is ----

-- Where a word stands says how much it counts.
local NAME, SUMMARY, OPTION, TEXT, EXAMPLE = 8, 4, 2, 1, 0.2
local MOST_TEXT = 4 -- that a long text says a word often makes it no better an answer

local function count_texts(texts, into)
    local all = {}
    for _, text in ipairs(texts) do count(text, TEXT, all) end
    for key, weight in pairs(all) do into[key] = (into[key] or 0) + math.min(weight, MOST_TEXT) end
end

local function words_of_rows(rows, into, texts)
    for _, row in ipairs(rows or {}) do
        count(row.name .. " " .. (row.symbol or "") .. " " .. table.concat(row.choices or {}, " "), OPTION, into)
        if row.doc then
            texts[#texts + 1] = row.name .. ": " .. row.doc
        end
        words_of_rows(row.options, into, texts)
    end
end

local function of_entry(entry)
    local into, texts = {}, {}
    count(entry.path:gsub("[.:]", " "), NAME, into)
    count(entry.summary, SUMMARY, into)
    for _, text in ipairs{ entry.details or "", entry.equations or "", entry.returns or "", entry.source or "" } do
        if text ~= "" then texts[#texts + 1] = text end
    end
    for _, part in ipairs{ "rows", "params", "fields" } do words_of_rows(entry[part], into, texts) end
    count_texts(texts, into)
    count(entry.example or "", EXAMPLE, into)
    return { name = entry.path, kind = entry.kind, title = entry.path, summary = entry.summary, words = into,
        text = table.concat(texts, "\n") }
end

local function of_topic(topic)
    local into = {}
    count(topic.name .. " " .. topic.title .. " " .. topic.words, NAME, into)
    count(topic.summary, SUMMARY, into)
    count_texts({ topic.text }, into)
    count(topic.example or "", EXAMPLE, into)
    return { name = topic.name, kind = "topic", title = topic.title, summary = topic.summary, words = into,
        text = topic.text:gsub("\n([^%s|-])", " %1"):gsub("|[ |]*\n", "\n"):gsub("\n| ", "\n"):gsub(" | ", "; ") }
end

-- The prose of a lesson and the code of a recipe are its text. The first comment of a study says what others would tell
-- in their text.
local function of_script(script)
    local into, is_study = {}, script.kind == "examples"
    count(script.name .. " " .. script.words, NAME, into)
    count(script.title, is_study and SUMMARY or NAME, into)
    count(script.text, EXAMPLE, into)
    return { name = (is_study and "study" or script.kind) .. " " .. script.name, kind = is_study and "study"
        or script.kind, title = script.title, summary = script.title, words = into, text = "" }
end

local function of_misprints(source)
    local into, texts = {}, {}
    count("misprint misprints error errata wrong printed " .. source.title, SUMMARY, into)
    for _, row in ipairs(source.rows) do
        texts[#texts + 1] = table.concat(row, "; ")
    end
    count_texts(texts, into)
    return { name = "misprints " .. source.name, kind = "misprints", title = source.title,
        summary = "Where this source prints what does not follow from it: " .. source.title .. ".", words = into,
        text = table.concat(texts, "\n") }
end

-- A section of a guide.
local function of_guide(section)
    local into = {}
    count(section.heading, NAME, into)
    count(section.title, SUMMARY, into)
    count_texts({ section.text }, into)
    local text = section.text:gsub("\n([^%s|`-])", " %1")
    return { name = "guide " .. section.name, kind = "guide", title = section.heading,
        summary = section.heading, words = into, text = text }
end

-- All of it, and in how many of them each stem occurs. It is read once and again when the register has grown.
local documents, occurrences, known
local function read_all()
    local entries = pc.register()
    if known == #entries then return end
    known, documents, occurrences = #entries, {}, {}
    for _, topic in ipairs(topics.all()) do documents[#documents + 1] = of_topic(topic) end
    for _, section in ipairs(shelf.guides()) do
        if section.text:find "%S" then documents[#documents + 1] = of_guide(section) end
    end
    for _, source in ipairs(misprints) do documents[#documents + 1] = of_misprints(source) end
    for _, kind in ipairs{ "recipe", "tutorial", "examples" } do
        for _, script in ipairs(shelf.all(kind)) do documents[#documents + 1] = of_script(script) end
    end
    for _, entry in ipairs(entries) do documents[#documents + 1] = of_entry(entry) end
    for _, document in ipairs(documents) do
        document.called = stem(document.name)
        for key in pairs(document.words) do occurrences[key] = (occurrences[key] or 0) + 1 end
    end
end

-- ---- what is asked ----

-- Meaning the same counts less than the word itself, and so does a word that only begins so. Who writes a whole name
-- wants what is called so, and who writes another word for the name of something probably that.
local SYNONYM, BEGINNING, NAMED, CALLED = 0.6, 0.5, 100, 16

-- How much of the word `key` a document has, each time counting less than the one before.
local function share(document, key)
    local weight = document.words[key] or 0
    for _, other in ipairs(meanings(key) or {}) do
        weight = math.max(weight, other == document.called and CALLED or SYNONYM * (document.words[other] or 0))
    end
    if weight == 0 and #key >= 4 then
        for word, there in pairs(document.words) do
            if word:sub(1, #key) == key then weight = math.max(weight, BEGINNING * there) end
        end
    end
    return weight / (weight + 3)
end

local function rarity(key)
    local n = occurrences[key] or 0
    for _, other in ipairs(meanings(key) or {}) do n = math.max(n, occurrences[other] or 0) end
    return math.log(1 + #documents / (1 + n))
end

local LONGEST = 200 -- bytes of an excerpt

-- A sentence that is too long is cut at blanks around the first of the words that are asked for.
local function shortened(sentence, keys)
    if #sentence <= LONGEST then return sentence end
    local wanted, from = {}, 1
    for _, key in ipairs(keys) do wanted[key] = true end
    for at, word in sentence:gmatch "()([%w_]+)" do
        if wanted[stem(word:lower())] then
            from = math.max(1, at - LONGEST//2)
            break
        end
    end
    if from > 1 then from = sentence:find("%s", from) or 1 end
    local out = sentence:sub(from, from + LONGEST):match "^%s*(.-)%s*$"
    local cut = from + LONGEST < #sentence
    if cut then out = out:match "^(.*)%s%S*$" or out end
    return (from > 1 and "... " or "") .. out .. (cut and " ..." or "")
end

-- The sentence with most of the words.
local function excerpt(document, keys)
    local best, most = document.summary, 0
    for line in (document.summary .. "\n" .. document.text):gmatch "[^\n]+" do
        for sentence in (line .. " "):gsub("([.;?]) +", "%1\n"):gmatch "[^\n]+" do
            local words, n = count(sentence, 1, {}), 0
            for _, key in ipairs(keys) do
                if words[key] then n = n + 1 end
            end
            if n > most then best, most = sentence:match "^%s*(.-)%s*$", n end
        end
    end
    return best
end

-- Words that people may have meant: synonyms, and what topics are called.
function search.vocabulary()
    local seen, list = {}, {}
    local function add(text)
        for word in text:gmatch "%a+" do
            if #word > 3 and not seen[word] then
                seen[word] = true
                list[#list + 1] = word
            end
        end
    end
    for _, line in ipairs(search.synonyms) do add(line) end
    for _, topic in ipairs(topics.all()) do add(topic.words) end
    return list
end

-- Answers that are far behind the best are none.
local LEAST = 0.15

-- { name, kind, title, summary, excerpt, score } of what has the words, the best one first; `most` of them at most.
function search.find(text, most)
    read_all()
    local keys, found, asked = {}, {}, text:lower()
    for key in pairs(count(text, 1, {})) do keys[#keys + 1] = key end
    table.sort(keys)
    for _, document in ipairs(documents) do
        local score, matched = 0, 0
        for _, key in ipairs(keys) do
            local part = share(document, key)
            if part > 0 then matched = matched + 1 end
            score = score + part * rarity(key)
        end
        if document.name:lower() == asked then score = score + NAMED end
        if matched > 0 then
            found[#found + 1] = {
                name = document.name, kind = document.kind, title = document.title, summary = document.summary,
                score = score * (matched / #keys) ^ 2, document = document,
            }
        end
    end
    table.sort(found, function(a, b)
        if a.score ~= b.score then return a.score > b.score end
        return a.name < b.name
    end)
    for i = #found, 1, -1 do
        if most and i > most or found[i].score < LEAST * found[1].score then
            found[i] = nil
        else
            found[i].excerpt = shortened(excerpt(found[i].document, keys), keys)
            found[i].document = nil
        end
    end
    return found
end

return search
