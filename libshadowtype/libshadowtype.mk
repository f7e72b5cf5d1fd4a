# SPDX-License-Identifier: BSD-3-Clause
# $(BUILD)/lib/libshadowtype-MPI.so.N for each MPI library, from the same sources, and a symbolic link to it without N.
#
# The makefile at the top of the tree includes this file. It defines the target `libshadowtype`, and uses:
#   BUILD       where everything is written (default: build)
#   MPICCS      the compiler wrappers of the MPI libraries to build for (default: those that are found)
#   MPIS        of their kinds, mpich and openmpi, those to build for (default: all)
#   MPICH_CFLAGS, OPENMPI_CFLAGS   where their mpi.h is (default: what their compiler wrapper says)
#   CC, PYTHON, RUNTIME_CFLAGS (sanitizers and the like), RUNTIME_LTO

BUILD ?= build
PYTHON ?= python3

found_mpis := $(shell cmd/setup/mpis.sh $(MPICCS))
ifneq ($(.SHELLSTATUS),0)
$(error name the compiler wrappers of MPI libraries by MPICC= or MPICCS=)
endif
MPIS ?= $(foreach found,$(found_mpis),$(firstword $(subst =, ,$(found))))
ifeq ($(strip $(MPIS)),)
$(error no MPI was found: name its compiler wrapper, as in 'make MPICC=/opt/mpi/bin/mpicc')
endif
MPICC_mpich   := $(patsubst mpich=%,%,$(filter mpich=%,$(found_mpis)))
MPICC_openmpi := $(patsubst openmpi=%,%,$(filter openmpi=%,$(found_mpis)))

# Asked when they are needed, and once.
MPICH_CFLAGS ?= $(eval MPICH_CFLAGS := $$(filter -I%,$$(shell $(MPICC_mpich) -show)))$(MPICH_CFLAGS)
OPENMPI_CFLAGS ?= $(eval OPENMPI_CFLAGS := $$(filter -I%,$$(shell $(MPICC_openmpi) -show)))$(OPENMPI_CFLAGS)

# The number in the sonames. A higher one: programs that are linked with the library have to be linked again.
runtime_number := 0

runtime_dir := libshadowtype/runtime
runtime_makefile := libshadowtype/libshadowtype.mk
runtime_sources := $(sort $(wildcard $(runtime_dir)/*/*.c $(runtime_dir)/*/*/*.c))
# The part of the algebra that the checks use.
runtime_core_folders := model decode layout overlap address signature agree races
runtime_generator := $(wildcard $(runtime_dir)/wrap/generate/*.py) $(runtime_dir)/wrap/calls.table
# Only the debugger needs the text of a signature.
runtime_core := $(filter-out %/signature_text.c,\
    $(foreach folder,$(runtime_core_folders),$(sort $(wildcard libshadowtype/core/$(folder)/*.c))))
# Findings, and their way out of the rank. Uses no MPI, and is also part of the command.
report_sources := $(sort $(wildcard libshadowtype/report/*.c libshadowtype/stack/*.c))
# A thread of the program may have a stack of only 16 KiB. The compiler checks frame sizes when it
# generates code: so only with RUNTIME_LTO= (none). Sanitizers enlarge the frames.
runtime_warnings = -Wall -Wextra -Wconversion -Werror \
    $(if $(findstring -fsanitize,$(RUNTIME_CFLAGS)),,-Wframe-larger-than=2048)
# Lets the optimiser see the small files as one: saves 10 ns a type.
RUNTIME_LTO ?= $(if $(findstring clang,$(CC)),,-flto=auto)
# Keeps paths of this machine out of the debug information.
debug_paths = -ffile-prefix-map=$(BUILD)/=build/ -ffile-prefix-map=$(abspath $(BUILD))=build -ffile-prefix-map=$(CURDIR)=.
runtime_options = -std=c11 -O2 -g -MMD -MP $(RUNTIME_LTO) -fPIC -fvisibility=hidden $(runtime_warnings) \
    $(debug_paths) -Ilibshadowtype
# gdb's `step` enters functions that have lines. So the library in a rank has none. The sanitizers'
# builds have them, for their reports.
plain_debug := libshadowtype/plain_debug.py
without_lines = $(if $(findstring -fsanitize,$(RUNTIME_CFLAGS)),,--remove-section=.debug_line)
# With an index gdb starts a rank in two thirds of the time. Where no gdb is, as with 'make checker', nobody misses it.
add_index = ! command -v gdb-add-index >/dev/null || gdb-add-index

mpich_options = $(MPICH_CFLAGS) -DST_MPI=ST_MPI_MPICH
openmpi_options = $(OPENMPI_CFLAGS) -DST_MPI=ST_MPI_OPENMPI
# For one file: the name of the MPI library, if the compiler wrapper can tell it.
mpi_soname = $(if $(1),$(shell cmd/setup/soname.sh $(1)))
mpi_soname_option = $(addsuffix "',$(addprefix -DST_MPI_SONAME='",$(call mpi_soname,$(1))))

.PHONY: libshadowtype always
libshadowtype: $(MPIS:%=$(BUILD)/lib/libshadowtype-%.so)

# These files do not depend on the MPI library: they are compiled once for both.
runtime_shared := $(patsubst libshadowtype/%.c,$(BUILD)/obj/rank/%.o,$(report_sources) $(runtime_core))

$(BUILD)/obj/rank/core/%.o: libshadowtype/core/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(runtime_options) -include runtime/record/own_heap.h $(RUNTIME_CFLAGS) -c $< -o $@

$(BUILD)/obj/rank/%.o: libshadowtype/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(runtime_options) $(RUNTIME_CFLAGS) -c $< -o $@

-include $(runtime_shared:.o=.d)

# $(1): mpich or openmpi
define runtime_rules
runtime_objects_$(1) := $$(patsubst libshadowtype/%.c,$(BUILD)/obj/rank-$(1)/%.o,$$(runtime_sources)) \
    $(BUILD)/obj/rank-$(1)/wrappers.o $(BUILD)/obj/rank-$(1)/predefined_list.o $$(runtime_shared)

# Written when another compiler wrapper is named: then all is compiled again.
$(BUILD)/obj/rank-$(1)/compiler: always
	@mkdir -p $$(@D)
	@echo '$(MPICC_$(1))' | cmp -s - $$@ || echo '$(MPICC_$(1))' >$$@

$$(filter-out $(runtime_shared),$$(runtime_objects_$(1))) $(BUILD)/obj/rank-$(1)/wrappers.c: $(BUILD)/obj/rank-$(1)/compiler

$(BUILD)/obj/rank-$(1)/wrappers.c: $(runtime_generator)
	@mkdir -p $$(@D)
	$$(call step,GEN,$$@)
	$$(Q)$$(PYTHON) $(runtime_dir)/wrap/generate/generate.py $$(CC) $$($(1)_options) -- $$@ $$(@D)/predefined_list.c

$(BUILD)/obj/rank-$(1)/predefined_list.c: $(BUILD)/obj/rank-$(1)/wrappers.c

$(BUILD)/obj/rank-$(1)/%.o: $(BUILD)/obj/rank-$(1)/%.c
	$$(call step,CC,$$<)
	$$(Q)$$(CC) $(runtime_options) $$(RUNTIME_CFLAGS) $$($(1)_options) -c $$< -o $$@

$(BUILD)/obj/rank-$(1)/%.o: libshadowtype/%.c
	@mkdir -p $$(@D)
	$$(call step,CC,$$<)
	$$(Q)$$(CC) $(runtime_options) $$(RUNTIME_CFLAGS) $$($(1)_options) $$(own_unit) $$(mpi_named) -c $$< -o $$@

# What gdb looks up at each start is in a unit of its own in the debug information: of the others it would read all.
$(BUILD)/obj/rank-$(1)/runtime/attach/held.o: own_unit = -fno-lto

$(BUILD)/obj/rank-$(1)/runtime/report/built_for.o: mpi_named = $$(call mpi_soname_option,$$(MPICC_$(1)))

# The library with lines, for its developers.
$(BUILD)/lib/mpipp/debug/libshadowtype-$(1).so: $$(runtime_objects_$(1)) $(runtime_dir)/exports.map
	@mkdir -p $$(@D)
	$$(call step,LINK,$$@)
	$$(Q)$$(CC) -shared -Wl,-soname,$$(@F).$(runtime_number) -Wl,--version-script=$(runtime_dir)/exports.map \
	    -Wl,-z,defs -Wl,--as-needed -Wl,--hash-style=gnu -static-libgcc -O2 $(RUNTIME_LTO) \
	    -g $(debug_paths) $$(RUNTIME_CFLAGS) \
	    $$(runtime_objects_$(1)) -ldl -pthread -o $$@.new
	$$(Q)mv -f $$@.new $$@

$(BUILD)/lib/libshadowtype-$(1).so.$(runtime_number): $(BUILD)/lib/mpipp/debug/libshadowtype-$(1).so $(runtime_dir)/wrap/entry_names.py $(plain_debug)
	$$(call step,GEN,$$@)
	$$(Q)$$(PYTHON) $(runtime_dir)/wrap/entry_names.py $$< >$(BUILD)/obj/rank-$(1)/entry_names
	$$(Q)objcopy $(without_lines) @$(BUILD)/obj/rank-$(1)/entry_names $$< $$@.new
	$(if $(without_lines),$$(Q)$$(PYTHON) $(plain_debug) $$@.new)
	$(if $(without_lines),$$(Q)$(add_index) $$@.new)
	$$(Q)mv -f $$@.new $$@

$(BUILD)/lib/libshadowtype-$(1).so: $(BUILD)/lib/libshadowtype-$(1).so.$(runtime_number)
	$$(Q)ln -sf $$(<F) $$@

-include $$(filter-out $(runtime_shared:.o=.d),$$(runtime_objects_$(1):.o=.d))
endef
$(foreach mpi,$(MPIS),$(eval $(call runtime_rules,$(mpi))))

# For programs that are linked with the library: `pkg-config --libs shadowtype-mpich`; shadowtype is
# for the MPI of plain mpicc. No folder is named in these files, so that the tree can be moved.
shadowtype_pc := $(MPIS:%=$(BUILD)/lib/pkgconfig/shadowtype-%.pc) $(BUILD)/lib/pkgconfig/shadowtype.pc
libshadowtype: $(shadowtype_pc)
TREE += $(shadowtype_pc)

# The same for CMake.
shadowtype_cmake := $(BUILD)/lib/cmake/shadowtype/shadowtype-config.cmake
libshadowtype: $(shadowtype_cmake) $(shadowtype_cmake:.cmake=-version.cmake)
TREE += $(shadowtype_cmake) $(shadowtype_cmake:.cmake=-version.cmake)

$(shadowtype_cmake): libshadowtype/shadowtype-config.cmake
	@mkdir -p $(@D)
	$(call step,COPY,$@)
	$(Q)cp $< $@

$(shadowtype_cmake:.cmake=-version.cmake): Makefile
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)printf '%s\n' 'set(PACKAGE_VERSION $(or $(VERSION),0))' \
	    'string(COMPARE EQUAL "$${PACKAGE_FIND_VERSION}" "$${PACKAGE_VERSION}" PACKAGE_VERSION_EXACT)' \
	    'if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)' '    set(PACKAGE_VERSION_COMPATIBLE TRUE)' 'endif()' >$@

bare_mpi = $(filter $(MPIS),$(shell mpicc -showme:version >/dev/null 2>&1 && echo openmpi || echo mpich))

# The library for -lshadowtype: that for the MPI of plain mpicc.
libshadowtype: $(BUILD)/lib/libshadowtype.so
TREE += $(BUILD)/lib/libshadowtype.so

$(BUILD)/lib/libshadowtype.so: $(runtime_makefile)
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)echo '/* GNU ld script */ INPUT(-lshadowtype-$(or $(bare_mpi),$(firstword $(MPIS))))' >$@.new
	$(Q)mv -f $@.new $@

include libshadowtype/heap/heap.mk

$(shadowtype_pc): libshadowtype/shadowtype.pc.in
	@mkdir -p $(@D)
	$(call step,GEN,$@)
	$(Q)sed -e 's/@MPI@/$(or $(patsubst shadowtype-%,%,$(filter-out shadowtype,$(basename $(@F)))),$(bare_mpi),$(firstword $(MPIS)))/' \
	    -e 's/@MPI_LIBRARY@/$(if $(findstring mpich,$(or $(patsubst shadowtype-%,%,$(filter-out shadowtype,$(basename $(@F)))),$(bare_mpi),$(firstword $(MPIS)))),-lmpich,-lmpi)/' \
	    -e 's/@NAME@/$(basename $(@F))/' -e 's/@VERSION@/$(or $(VERSION),0)/' $< >$@.new
	$(Q)mv -f $@.new $@
