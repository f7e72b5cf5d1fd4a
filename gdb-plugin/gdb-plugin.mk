# SPDX-License-Identifier: BSD-3-Clause
# The files that gdb loads: the Python package, its entry point, and the object file with its types.

PLUGIN        := $(BUILD)/lib/mpipp/gdb
PLUGIN_PYTHON := gdb-plugin/mpipp-gdb.py $(wildcard gdb-plugin/mpipp/*.py gdb-plugin/mpipp/*/*.py)
PLUGIN_FILES  := $(PLUGIN_PYTHON:gdb-plugin/%=$(PLUGIN)/%)

TREE += $(PLUGIN_FILES) $(PLUGIN)/mpipp-types.o

$(PLUGIN_FILES): $(PLUGIN)/%: gdb-plugin/%
	@mkdir -p $(@D)
	$(call step,COPY,$@)
	$(Q)cp $< $@

# Compiled in advance for gdb's Python, which may not write to the installed tree: this saves a third
# of gdb's start time. Validated by the source's hash, not by its time: the tree may be copied.
TREE += $(BUILD)/obj/plugin-compiled

$(BUILD)/obj/plugin-compiled: $(PLUGIN_FILES)
	$(call step,COMPILE,$(PLUGIN))
	$(Q)$(GDB) -nx -batch -ex 'python import compileall, py_compile; assert compileall.compile_dir("$(PLUGIN)", \
	    stripdir="$(PLUGIN)", quiet=1, force=True, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)'
	@mkdir -p $(@D) && touch $@

# Only debug information, independent of CFLAGS, and without paths of this machine.
$(PLUGIN)/mpipp-types.o: gdb-plugin/types/types.h libshadowtype/core/model/combiners.h
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) -g -gdwarf-4 -O0 -fno-eliminate-unused-debug-types $(PLACES) \
	    -Ilibshadowtype -x c -c $< -o $@
