-- The pictures of README.md, made by the studies: percuss scripts/gallery.lua [DIRECTORY]
local directory = ... or "scripts/gallery"

local pictures = {
    "scripts/birlik2012/fig4_6.lua", "scripts/birlik2012/fig4_14.lua", "scripts/birlik2012/fig3_6.lua",
    "scripts/birlik2012/fig4_13.lua",
}
for _, script in ipairs(pictures) do
    local study = assert(loadfile(script))("--quiet", "--out", directory)
    for _, file in ipairs(study.files) do print(file) end
end
