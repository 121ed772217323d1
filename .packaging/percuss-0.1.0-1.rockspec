-- The module for stock Lua 5.4: luarocks --lua-version 5.4 make .packaging/percuss-0.1.0-1.rockspec, in the sources.
rockspec_format = "3.0"
package = "percuss"
version = "0.1.0-1"
source = { url = "." }
description = {
    summary = "Impact with friction: bodies, contact laws, scenes, sweeps, charts",
    detailed = "A scripting laboratory: impacts by rigid, compliant and continuum laws, motions with impacts, sweeps, "
        .. "fits and charts. This rock has the module; the program adds a prompt, notebooks and grading.",
    license = "MIT",
}
supported_platforms = { "unix" }
dependencies = { "lua == 5.4" }
build = {
    type = "command",
    build_command = "make all",
    install_command = 'install -D -m 644 build/release/percuss.so "$(LIBDIR)/percuss.so"',
}
