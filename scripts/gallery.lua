-- The pictures of README.md, made by the studies: percuss scripts/gallery.lua [DIRECTORY]
local directory = ... or "scripts/gallery"

local pictures = {
    "birlik2012/fig4_6", "birlik2012/fig4_14", "birlik2012/fig4_13", "birlik2012/fig4_2", "lai1999/fig5_14",
    "sweeps/loss_maps", "motion/landing_flat",
}
for _, script in ipairs(pictures) do
    local study = assert(loadfile("scripts/" .. script .. ".lua"))("--quiet", "--out", directory)
    for _, file in ipairs(study.files) do print(file) end
end
