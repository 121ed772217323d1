-- The pictures of README.md and of the manual, made by the studies: percuss scripts/gallery.lua [DIRECTORY]
require("percuss.shelf").command("gallery", ... or "scripts/gallery")
