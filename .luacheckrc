-- luacheck: scripts are plain Lua 5.4 that require "percuss"; tests know busted's words.
std = "lua54"
max_line_length = 120
files["tests/lua"] = { std = "lua54+busted" }
