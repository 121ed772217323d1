# percuss. `make help` lists what can be made. Everything is built out of tree, in build/MODE/.
#
# Settings: V=1 shows the commands; MODE=release|debug|asan|tsan|strict|bare|posix, of which bare needs Lua and libm
# alone, and posix nothing of Linux's own; CC, CFLAGS, LDFLAGS; BUILD=DIR; T=NAME picks one test; SUNDIALS=1 gives
# percuss itself CVODE as a solver (tests and benchmarks use it wherever it is installed).

MODE  ?= release
BUILD ?= build
PREFIX ?= /usr/local
B     := $(BUILD)/$(MODE)
Q     := $(if $(V),,@)
CORE  ?= base math ode event law engine shape body scene motion face sweep chart sandbox elastic

# Results must not depend on the optimiser: no contraction to fused operations, never -ffast-math.
STD      := -std=c11 -ffp-contract=off -fPIC
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes
# clang's wider rules would ask for casts of every enumeration, and for members that initializers leave zero on purpose.
CLANG := $(findstring clang,$(shell $(CC) --version 2>/dev/null))
WARNINGS += $(if $(CLANG),-Wno-sign-conversion -Wno-missing-field-initializers)
OPT_release := -O2 -g -DNDEBUG
OPT_debug   := -O0 -g3
OPT_asan    := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
OPT_tsan    := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
OPT_strict  := -O2 -DNDEBUG -Werror
OPT_bare    := -O2 -g -DNDEBUG
OPT_posix   := -O2 -g -DNDEBUG -U__linux__
$(if $(OPT_$(MODE)),,$(error MODE is $(MODE); it must be release, debug, asan, tsan, strict, bare or posix))

# Parts that a build may lack: each stands behind one file of ours, which asks for PC_HAVE_PART and refuses without it.
PARTS    := PLPLOT CHAFA GIFLIB SQLITE CMINPACK READLINE PROCESSES THREADS
ALL_PARTS := $(PARTS) SECCOMP ZMQ
found     = $(if $(shell pkg-config --exists $(1) 2>/dev/null && echo yes),$(2))
PARTS    += $(if $(filter posix,$(MODE)),,$(call found,libseccomp,SECCOMP)) $(call found,libzmq,ZMQ)
PARTS    := $(if $(filter bare,$(MODE)),,$(PARTS))
part      = $(if $(filter $(1),$(PARTS)),$(2))
STD      += $(PARTS:%=-DPC_HAVE_%) $(call part,THREADS,-pthread)
ABSENT    = $(filter-out $(PARTS) $(if $(SUNDIALS),SUNDIALS),$(ALL_PARTS) SUNDIALS)

# Libraries. Their headers are system headers to us: warnings are for our own code.
CORE_NEEDS := $(call part,PLPLOT,plplot) $(call part,CHAFA,chafa glib-2.0) $(call part,SQLITE,sqlite3) \
    $(call part,CMINPACK,cminpack) $(call part,SECCOMP,libseccomp) $(call part,GIFLIB,libgif)
LIBRARIES := lua5.4 $(CORE_NEEDS) $(call part,READLINE,readline) $(call part,ZMQ,libzmq)
PKG       := pkg-config
includes   = $(patsubst -I%,-isystem %,$(filter -I%,$(shell $(PKG) --cflags $(1) 2>/dev/null)))
libs       = $(shell $(PKG) --libs $(1) 2>/dev/null)
CORE_LIBS := -Wl,--as-needed $(if $(strip $(CORE_NEEDS)),$(call libs,$(CORE_NEEDS))) -lm
LUA_LIBS  := $(call libs,lua5.4)
REPL_LIBS := $(call part,READLINE,$(call libs,readline))
CHECK_LIBS = $(call libs,check)
HAVE_SUNDIALS := $(if $(PARTS),$(wildcard /usr/include/cvode/cvode.h))
CVODE_LIBS := $(if $(HAVE_SUNDIALS),-lsundials_cvode -lsundials_nvecserial)
CVODE_FLAG := $(if $(HAVE_SUNDIALS),-DPC_HAVE_SUNDIALS)

CPPFLAGS := -Isrc -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=700 $(call includes,$(LIBRARIES))
FLAGS    := $(STD) $(WARNINGS) $(OPT_$(MODE)) $(CFLAGS)

# Sources by wildcard: a new file needs no line here. CVODE is a peer of the tests, and not part of percuss unless asked
# for.
CORE_SRC := $(wildcard $(CORE:%=src/%/*.c) $(CORE:%=src/%/*/*.c))
CVODE_SRC := $(if $(HAVE_SUNDIALS),tests/c/cvode.c)
ifdef SUNDIALS
CPPFLAGS  += -DPC_HAVE_SUNDIALS
CORE_LIBS += $(CVODE_LIBS)
CORE_SRC  += $(CVODE_SRC)
CVODE_SRC :=
endif
ifeq (,$(filter x86_64-%,$(shell $(CC) -dumpmachine)))
CORE_SRC := $(filter-out %_avx2.c %_avx512.c,$(CORE_SRC))
CPPFLAGS += -DPC_NO_X86
endif

# Studies that read nothing but themselves are in the program, as recipes, lessons and guides are.
STUDIES  := birlik2012 brach1993 driven events forces kecskemethy1999 lai1999 laws mechanisms motion sweeps \
                sypniewska2017 waves
LUA_SRC  := $(sort $(wildcard lua/percuss/*.lua lua/percuss/topics/*.lua scripts/recipes/*.lua scripts/tutorial/*.lua \
                scripts/guides/*.md scripts/assignments/README.md \
                $(STUDIES:%=scripts/%/*.lua)))
EMBEDDED := $(B)/gen/embedded.o
objects   = $(patsubst %.c,$(B)/%.o,$(1))
CORE_OBJ := $(call objects,$(CORE_SRC))
FACE_OBJ := $(filter $(B)/src/face/%,$(CORE_OBJ))
BIND_OBJ := $(call objects,$(wildcard src/bind/*/*.c)) $(EMBEDDED)
REPL_OBJ := $(call objects,$(wildcard src/repl/*.c src/main.c))
programs  = $(patsubst %.c,$(B)/%,$(wildcard $(foreach room,$(1) $(1)/*,tests/$(room)/$(2)_$(or $(T),*).c)))
VERSION  := $(shell sed -n 's/.*PC_VERSION "\(.*\)".*/\1/p' src/base/version.h)
SONAME   := libpercuss.so.0
SHARED   := libpercuss.so.$(VERSION)
TESTS    := $(call programs,c,test)
LONG     := $(call programs,c,long)
BENCHES  := $(call programs,bench,bench)
MEMFAIL  := $(B)/tests/memory/memfail

.PHONY: all core everything demo test run-tests test-c test-lua test-long run-long test-bare run-bare test-posix \
    run-posix test-arm64 memfail golden golden-renew golden-hash check asan tsan bench run-benches bench-against docs \
    install uninstall deb packages packages-test packages-long clean help FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/percuss $(B)/percuss.so  ## the program percuss and percuss.so for stock lua5.4
core: $(B)/libpercuss.a $(B)/$(SHARED)  ## the core as a static library, and libpercuss.so with percuss.h alone

$(B)/libpercuss.a: $(CORE_OBJ) $(B)/sources
	@rm -f $@
	@echo '  AR    $@'
	$(Q)$(AR) rcs $@ $(CORE_OBJ)

# The interface for C takes along what it needs of the core, and shows the names of percuss.h alone.
$(B)/$(SHARED): $(FACE_OBJ) $(B)/libpercuss.a src/face/exports.map
	@echo '  LINK  $@'
	$(Q)$(CC) $(FLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/face/exports.map -o $@ \
	    $(FACE_OBJ) $(B)/libpercuss.a $(CORE_LIBS)

$(B)/percuss: $(CORE_OBJ) $(BIND_OBJ) $(REPL_OBJ) $(B)/sources
	@echo '  LINK  $@'
	$(Q)$(CC) $(FLAGS) $(LDFLAGS) -o $@ $(CORE_OBJ) $(BIND_OBJ) $(REPL_OBJ) $(CORE_LIBS) $(LUA_LIBS) $(REPL_LIBS)

# The host of the module brings Lua; readline stays out for its licence.
$(B)/percuss.so: $(CORE_OBJ) $(BIND_OBJ) $(B)/sources
	@echo '  LINK  $@'
	$(Q)$(CC) $(FLAGS) $(LDFLAGS) -shared -o $@ $(CORE_OBJ) $(BIND_OBJ) $(CORE_LIBS)

# Nobody reads errno or the floating-point flags of laws and elements: without them a square root is one instruction,
# and both sides of a choice may be computed. Values stay as they are.
$(B)/src/law/%.o $(B)/src/engine/element_%.o: QUIET := -fno-math-errno -fno-trapping-math

# Rows of Lemke's tableau are worth vectors, which -O2 leaves out (short rows of linsolve.c are not); each element is
# computed as without.
VECTORS := $(if $(CLANG),,-ftree-vectorize -fvect-cost-model=dynamic)
$(call objects,src/math/lcp.c): QUIET := $(VECTORS)

# So are the rows of an elastic body's matrices, and the positions of a layer of its mesh.
$(B)/src/elastic/%.o: QUIET := $(VECTORS)

# Wide kernels: one object per instruction set. AVX-512 brings fused operations, which -ffp-contract=off keeps out.
$(B)/%_avx2.o: EXTRA := -mavx2
$(B)/%_avx512.o: EXTRA := -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512

# What percuss --version --verbose tells of this build.
$(B)/src/main.o: EXTRA := -DPC_BUILD='"$(MODE)\nwith $(PARTS) $(if $(SUNDIALS),SUNDIALS)\nwithout $(ABSENT)"'

$(B)/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	@echo '  CC    $<'
	$(Q)$(CC) $(CPPFLAGS) $(FLAGS) $(QUIET) $(EXTRA) -MMD -MP -c -o $@ $<

$(B)/gen/embedded.c: tests/tools/embed $(LUA_SRC) $(B)/sources
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	$(Q)sh tests/tools/embed $(LUA_SRC) >$@
$(EMBEDDED): $(B)/gen/embedded.c $(B)/flags
	@echo '  CC    $<'
	$(Q)$(CC) $(CPPFLAGS) $(FLAGS) -c -o $@ $<

# C tests and benchmarks: one program per file, linked with the core alone, and with CVODE where it is installed.
# Helpers stand beside the tests of their room.
$(B)/tests/%.o: EXTRA := $(CVODE_FLAG) -Itests/c $(patsubst %/,-I%,$(sort $(wildcard tests/c/*/)))
$(TESTS) $(LONG) $(BENCHES): %: %.o $(call objects,$(CVODE_SRC)) $(B)/libpercuss.a
	@echo '  LINK  $@'
	$(Q)$(CC) $(FLAGS) $(LDFLAGS) -o $@ $^ $(CHECK_LIBS) $(CORE_LIBS) $(CVODE_LIBS)

# The one test program that has Lua in it: a script in which every allocation fails once.
$(MEMFAIL): $(MEMFAIL).o $(CORE_OBJ) $(BIND_OBJ) $(B)/sources
	@echo '  LINK  $@'
	$(Q)$(CC) $(FLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(CORE_LIBS) $(LUA_LIBS)

# Stamps: changed flags rebuild everything, a source that came or went relinks.
ALL_FLAGS = $(CC) $(CPPFLAGS) $(CVODE_FLAG) $(FLAGS) $(LDFLAGS)
ALL_SOURCES = $(CORE_OBJ) $(BIND_OBJ) $(REPL_OBJ) $(LUA_SRC)
$(B)/flags: FORCE
	@$(PKG) --exists $(LIBRARIES) || { echo 'libraries are missing: make packages installs them' >&2; exit 1; }
	@mkdir -p $(@D)
	@echo '$(ALL_FLAGS)' | cmp -s - $@ || echo '$(ALL_FLAGS)' >$@
$(B)/sources: FORCE
	@mkdir -p $(@D)
	@echo '$(ALL_SOURCES)' | cmp -s - $@ || echo '$(ALL_SOURCES)' >$@

# Packages may bring pkg-config itself, so what needs them runs in a second make; on all cores unless -j says otherwise.
ALL_CORES = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))
demo: packages  ## install what is missing, build, run the first study
	@$(MAKE) $(ALL_CORES) all
	$(B)/percuss scripts/demo.lua
test: packages-test  ## install what is missing, build, run every test; last line "N passed, N failed"
	@$(MAKE) $(ALL_CORES) run-tests
run-tests: all core $(TESTS) $(MEMFAIL)
	@T=$(T) sh tests/tools/run_tests $(B) memory c lua golden repl sweep assignments hostile docs tools
memfail: $(MEMFAIL)  ## a script in which every allocation fails once (make test: every fifth)
	@T=memory sh tests/tools/run_tests $(B) long
test-c: $(TESTS)  ## C tests (T=array: that one)
	@T=$(T) sh tests/tools/run_tests $(B) c
test-lua: all  ## Lua tests (T=array: that one)
	@T=$(T) sh tests/tools/run_tests $(B) lua
test-long: packages-long  ## random and hostile suites that take minutes (T=piles: that one); other builds
	@code=0; $(MAKE) $(ALL_CORES) run-long || code=1; \
	    $(if $(T),,$(MAKE) $(ALL_CORES) -k test-bare test-posix test-arm64 || code=1;) exit $$code
run-long: all core $(LONG) $(MEMFAIL)
	@T=$(T) sh tests/tools/run_tests $(B) long
test-bare:  ## build with Lua and libm alone (MODE=bare; it lacks every other part), and the tests that need no more
	@$(MAKE) $(ALL_CORES) MODE=bare run-bare
BARE_TESTS := $(filter-out %/test_gif %/test_sandbox %/test_scratch,$(TESTS))
run-bare: all $(BARE_TESTS)
	@T=$(T) sh tests/tools/run_tests $(B) $(or $(KINDS),bare c lua golden)
test-posix:  ## build without libseccomp and Linux's own calls (MODE=posix), and the tests that need no sandbox
	@$(MAKE) $(ALL_CORES) MODE=posix run-posix
run-posix: all core $(filter-out %/test_sandbox %/test_scratch,$(TESTS))
	@T=$(T) sh tests/tools/run_tests $(B) posix c lua golden sweep
test-arm64: packages-long  ## the core's tests on an emulated arm64 (installs a cross compiler)
	@sh tests/tools/arm64 $(BUILD)
golden: all  ## 200 scenes against their stored results (SCENES="chain ball/rests": those)
	$(Q)$(B)/percuss tests/golden/run.lua check $(SCENES)
golden-renew: all  ## store results that were meant to change, and say how (SCENES="ball/rests" or all)
	$(Q)$(B)/percuss tests/golden/run.lua renew $(SCENES)
golden-hash: all  ## a number of all bits of the golden scenes: the same before and after what keeps bits
	$(Q)$(B)/percuss tests/golden/run.lua hash $(SCENES)
asan: packages-test  ## every test under the address and undefined-behaviour sanitizers
	@$(MAKE) $(ALL_CORES) MODE=asan run-tests
tsan: packages-test  ## C tests under the thread sanitizer
	@$(MAKE) $(ALL_CORES) MODE=tsan test-c
check: packages-test  ## warnings as errors, layers, symbols, style, static analysis
	@code=0; $(MAKE) $(ALL_CORES) -k MODE=strict everything || code=1; \
	    sh tests/tools/check_all $(BUILD)/strict || code=1; exit $$code
everything: all core $(TESTS) $(LONG) $(BENCHES) $(MEMFAIL) $(call objects,$(wildcard tests/additions/*.c))
bench: packages-test  ## benchmarks: ratios and times (T=linear: that one)
	@$(MAKE) $(ALL_CORES) run-benches
run-benches: all $(BENCHES)
	@T=$(T) sh tests/tools/run_benches $(B)
bench-against: all $(BENCHES)  ## benchmarks in turns with those of another build (OLD=elsewhere/build/release)
	@$(B)/percuss tests/tools/bench_against.lua "$(OLD)" $(B) $(T)
docs: $(B)/percuss  ## manual, editor annotations, man page and completion, in build/doc
	$(Q)$(B)/percuss tests/tools/docgen.lua $(BUILD)/doc $(B)/percuss
install: all core docs  ## program, module, library with percuss.h, man page (PREFIX=/usr/local, DESTDIR=)
	$(Q)sh tests/tools/install install $(B) $(BUILD)/doc $(PREFIX) $(DESTDIR)
uninstall:  ## take it away again
	$(Q)sh tests/tools/install uninstall $(B) $(BUILD)/doc $(PREFIX) $(DESTDIR)
deb:  ## Debian packages of what is committed, in build/deb (needs dpkg-dev, debhelper and what the demo needs)
	@sh .packaging/deb $(BUILD)
packages:  ## install what the demo needs
	@sh tests/tools/packages demo
packages-test:  ## install what the tests need
	@sh tests/tools/packages test
packages-long:  ## install what test-long needs beside: a browser, a cross compiler, front ends of notebooks
	@sh tests/tools/packages long
clean:  ## remove what was built
	rm -rf $(BUILD)
help:  ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1%\2/p' Makefile | awk -F% '{ printf "  make %-14s %s\n", $$1, $$2 }'

-include $(wildcard $(B)/src/*.d $(B)/src/*/*.d $(B)/src/*/*/*.d $(B)/tests/*/*.d $(B)/tests/*/*/*.d)
