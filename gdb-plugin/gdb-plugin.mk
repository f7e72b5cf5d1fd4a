# What gdb loads: the Python package, its entry point, and the object file with its types.

PLUGIN        := $(BUILD)/lib/mpipp/gdb
PLUGIN_PYTHON := gdb-plugin/mpipp-gdb.py $(wildcard gdb-plugin/mpipp/*.py gdb-plugin/mpipp/*/*.py)
PLUGIN_FILES  := $(PLUGIN_PYTHON:gdb-plugin/%=$(PLUGIN)/%)

TREE += $(PLUGIN_FILES) $(PLUGIN)/mpipp-types.o

$(PLUGIN_FILES): $(PLUGIN)/%: gdb-plugin/%
	@mkdir -p $(@D)
	cp $< $@

# Debug information only, and the same whatever CFLAGS says; no path of this machine in it.
$(PLUGIN)/mpipp-types.o: gdb-plugin/types/types.h
	@mkdir -p $(@D)
	$(CC) -g -gdwarf-4 -O0 -fno-eliminate-unused-debug-types -ffile-prefix-map=$(CURDIR)=. \
	    -x c -c $< -o $@
