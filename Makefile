# SPDX-License-Identifier: BSD-3-Clause
# 'make help' lists the goals. 'make install' copies the tree under build/, which can also be used
# in place, or moved.

VERSION := 0.1.0
BUILD   := build
# The canonical name of the folder, however it was given: the dependency files contain it, too.
override BUILD := $(patsubst $(CURDIR)/%,%,$(abspath $(BUILD)))
PREFIX  := /usr/local
LIBDIR  := $(PREFIX)/lib
MPI     :=
CFLAGS  := -O2 -g

WARNINGS := -std=c11 -Wall -Wextra -Wconversion -Werror

# Keeps the folder of the build out of what is built: two builds in different folders are equal (tests/systems/twice.sh).
PLACES := -ffile-prefix-map=$(BUILD)/=build/ -ffile-prefix-map=$(abspath $(BUILD))=build \
    -ffile-prefix-map=$(CURDIR)=.

# A step of the build prints one short line, 'make V=1' its commands, and 'make -s' nothing.
V :=
ifeq ($(V),1)
Q    :=
step :=
else
Q    := @
step  = $(if $(findstring s,$(firstword -$(MAKEFLAGS))),,@printf '%-8s %s\n' '$(1)' \
    '$(patsubst libshadowtype/%,%,$(2:$(BUILD)/%=%))')
endif

# 'make SETUP=no' installs no packages: for a machine whose MPI or gdb does not come from packages.
SETUP := yes

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: help setup setup-build setup-checker all checker demo check bench asan ubsan tsan lint hdr-check docs install uninstall clean

# The MPI libraries to build for, by their compiler wrappers: 'make MPICC=/opt/mpi/bin/mpicc', or MPICCS for
# one of each kind. Without it, those that cmd/setup/mpis.sh finds. What is named need not be installed.
MPICCS := $(MPICC)
export MPICCS

# Targets of 'all', and additional targets for the tests: the fragments below add to these.
TREE  :=
TESTS :=

# These goals first install missing packages, and then run make again for the rest, so that the
# fragments find the right compilers and the right Python.
first_step := help setup setup-build setup-checker clean ready demo check check-% bench asan ubsan tsan
goals      := $(or $(MAKECMDGOALS),all)

ifneq ($(filter-out $(first_step),$(goals)),)
ifeq ($(SETUP),yes)
# One MPI is enough for a build, as for the demo; 'make setup' installs both.
kind    := $(if $(filter-out checker,$(goals)),demo,checker)
# GNU make before 4.4 exports nothing to $(shell).
missing := $(shell MPICCS='$(MPICCS)' cmd/setup/setup.sh --missing $(kind))
ifneq ($(missing),)
$(error run 'make setup': these packages are missing: $(strip $(missing)))
endif
endif
include libshadowtype/core/core.mk
-include libshadowtype/libshadowtype.mk
include gdb-plugin/ext/ext.mk
-include gdb-plugin/gdb-plugin.mk
-include cmd/cmd.mk
-include tests/tests.mk
LIBRARIES := $(MPIS:%=$(BUILD)/lib/libshadowtype-%.so)
CHECKER = $(filter-out $(BUILD)/lib/mpipp/gdb/% $(BUILD)/obj/plugin-compiled $(BUILD)/bin/mpipp-gdb,$(TREE))
TREE += $(LIBRARIES)
endif

help: ## this text
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile $(wildcard tests/*.mk)
	@echo
	@echo "make demo MPI=openmpi            the same under the other MPI"
	@echo "make check-NAME                  one part of the tests: a name in tests/parts"
	@echo "make install PREFIX=/usr/local LIBDIR=/usr/local/lib64 DESTDIR="
	@echo "make MPICC=/opt/mpi/bin/mpicc    for this MPI; MPICCS='A B': one of each kind"
	@echo "make V=1 ...                     show each command"
	@echo "make SETUP=no ...                never look at packages"

setup: ## install the packages that are missing (cmd/setup/packages)
ifeq ($(SETUP),yes)
	@cmd/setup/setup.sh
endif

# What 'make all' and 'make checker' need, without what is for tests alone.
setup-build setup-checker: setup-%:
ifeq ($(SETUP),yes)
	@cmd/setup/setup.sh $*
endif

all: $(TREE) ## build everything into build/ (the default)

# Without gdb, its Python and what tests need.
checker: $(CHECKER) ## build 'mpipp run' and the library alone

# As many compilers as processors, unless -j was given.
jobs = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))

# A single make for all parts, so that 'make -j check-a check-b' builds once.
.PHONY: ready
ready: setup
	@$(MAKE) --no-print-directory $(jobs) SETUP=no all tests

# One MPI is enough. While packages are installed, which hardly uses a second processor, files are compiled that need no
# package but the C library's; those that cannot be are compiled later.
demo: ## a real 2-rank job: a datatype and a buffer through it, in gdb on both ranks
ifeq ($(SETUP),yes)
	@[ -z "$$(MPI='$(MPI)' cmd/setup/setup.sh --missing demo)" ] || { \
	    nice $(MAKE) -s -k $(jobs) SETUP=no MPIS=mpich GDB=: early >/dev/null 2>&1 & early=$$!; \
	    MPI='$(MPI)' cmd/setup/setup.sh demo || { kill $$early 2>/dev/null; wait; exit 1; }; \
	    wait; }
endif
	@echo "building mpipp, about a minute"
	@$(MAKE) -s --no-print-directory $(jobs) SETUP=no demo-job

.PHONY: early
early: $(CORE_OBJECTS) $(runtime_shared) $(RENDER_OBJECTS) $(CMD_OBJECTS) $(CMD_REPORT)

# The demo waits for the library of its own MPI alone: a library is what takes longest to build.
DEMO_MPI = $(or $(MPI),$(firstword $(filter mpich,$(MPIS)) $(MPIS)))
.PHONY: demo-job
demo-job: $(filter-out $(LIBRARIES),$(TREE)) $(filter $(DEMO_MPI:%=$(BUILD)/lib/libshadowtype-%.so),$(TREE))
	@MPIPP=$(BUILD)/bin/mpipp examples/demo/demo.sh $(DEMO_MPI)

check: ready ## run every test
	@BUILD=$(BUILD) tests/check.sh

check-%: ready
	@BUILD=$(BUILD) tests/check.sh $*

.PHONY: tests
tests: $(TESTS)

bench: ready ## measure speed and memory, side by side under both MPIs
	@BUILD=$(BUILD) tests/bench/run.sh

asan: ## the unit tests with gcc's address sanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan \
	    CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address" check-unit

ubsan: ## the unit tests with gcc's undefined-behaviour sanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/ubsan \
	    CFLAGS="-O1 -g -fsanitize=undefined -fno-sanitize-recover=all" check-unit

tsan: ready ## the recorder in threaded ranks with gcc's thread sanitizer, longer than in 'make check'
	@BUILD=$(BUILD) tests/tsan/run.sh long

lint: all ## the same warnings from clang; clang-tidy, clang-format, shellcheck where they are installed
	@tests/lint.sh

hdr-check: ## every header compiles alone
	@tests/headers.sh

docs: $(BUILD)/share/man/man1/mpipp.1 $(BUILD)/bin/mpipp ## the man page, docs/checks.md, and the book in build/book
	$(BUILD)/bin/mpipp explain | awk -f cmd/explain/checks.awk >docs/checks.md
	docs/book/build.sh $(BUILD)/bin/mpipp $(BUILD)/book

# mpipp finds its libraries in these folders, seen from its own.
libdirs := lib lib64 lib/$(shell $(CC) -print-multiarch 2>/dev/null)

# Each file of the tree, also a symbolic link, and where it goes.
installed = cd $(BUILD) && find bin lib share ! -type d -print | while read -r file; do \
    case $$file in lib/*) place="$(DESTDIR)$(LIBDIR)/$${file\#lib/}" ;; *) place="$(DESTDIR)$(PREFIX)/$$file" ;; esac

install: all ## copy the tree to DESTDIR/PREFIX
	$(if $(filter $(libdirs:%=$(PREFIX)/%),$(LIBDIR)),,$(error LIBDIR is one of $(libdirs:%=$(PREFIX)/%)))
	@$(installed); \
	    case $$file in bin/*|*.so|*.so.*) mode=755 ;; *) mode=644 ;; esac; \
	    if [ -h "$$file" ]; then mkdir -p "$${place%/*}" && ln -sf "$$(readlink "$$file")" "$$place"; \
	    else install -D -m $$mode "$$file" "$$place"; fi || exit 1; \
	done

uninstall: all ## remove from DESTDIR/PREFIX what 'make install' of this version has copied there
	@$(installed); rm -f "$$place"; done
	@find "$(DESTDIR)$(LIBDIR)/mpipp" -depth -type d -empty -delete 2>/dev/null || true

clean: ## remove build/
	rm -rf $(BUILD)
