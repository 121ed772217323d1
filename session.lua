-- A session at the prompt of percuss 0.1.0.
local pc = require "percuss"
local _ENV = pc.prompt.environment()

