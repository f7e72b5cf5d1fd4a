# SPDX-License-Identifier: BSD-3-Clause
# The CPython extension _mpipp, for the Python inside gdb (which need not be the one in PATH).

GDB           ?= gdb
GDB_PYTHON    := $(shell $(GDB) -nx -batch -ex 'python import sysconfig as s; print(s.get_config_var("EXT_SUFFIX"), s.get_config_var("INCLUDEPY"))' 2>/dev/null)
EXT_SUFFIX    := $(word 1,$(GDB_PYTHON))
EXT_INCLUDE   := $(word 2,$(GDB_PYTHON))
EXT_MODULE    := $(BUILD)/lib/mpipp/gdb/mpipp/_mpipp$(EXT_SUFFIX)

RENDER_OBJECTS := $(patsubst gdb-plugin/render/%.c,$(BUILD)/obj/render/%.o,$(sort $(wildcard gdb-plugin/render/*.c)))
EXT_OBJECTS    := $(patsubst gdb-plugin/ext/%.c,$(BUILD)/obj/ext/%.o,$(sort $(wildcard gdb-plugin/ext/*.c)))
EXT_OBJECTS    += $(BUILD)/obj/ext/dwarf.o # libdw, loaded as the command does
RENDER_FLAGS   := $(CORE_FLAGS) -Igdb-plugin/render

TREE += $(EXT_MODULE)

$(BUILD)/obj/render/%.o: gdb-plugin/render/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(RENDER_FLAGS) $(WARNINGS) $(CFLAGS) $(PLACES) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(BUILD)/obj/ext/%.o: gdb-plugin/ext/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(RENDER_FLAGS) -isystem $(EXT_INCLUDE) -DMPIPP_VERSION='"$(VERSION)"' $(WARNINGS) \
	    $(CFLAGS) $(PLACES) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(BUILD)/obj/ext/dwarf.o: cmd/dwarf.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CORE_FLAGS) -D_GNU_SOURCE $(WARNINGS) $(CFLAGS) $(PLACES) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(EXT_MODULE): $(EXT_OBJECTS) $(RENDER_OBJECTS) $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared $^ -lm -ldl -o $@

-include $(RENDER_OBJECTS:.o=.d) $(EXT_OBJECTS:.o=.d)
