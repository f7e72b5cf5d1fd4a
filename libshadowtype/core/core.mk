# SPDX-License-Identifier: BSD-3-Clause
# The C core: position-independent, linked into the plugin's extension and into the tests.

CORE_SOURCES := $(sort $(wildcard libshadowtype/core/*/*.c))
CORE_OBJECTS := $(CORE_SOURCES:libshadowtype/core/%.c=$(BUILD)/obj/core/%.o)
CORE_LIBRARY := $(BUILD)/obj/core/libcore.a
CORE_FLAGS   := -Ilibshadowtype

$(BUILD)/obj/core/%.o: libshadowtype/core/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(CORE_FLAGS) $(WARNINGS) $(CFLAGS) $(PLACES) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

$(CORE_LIBRARY): $(CORE_OBJECTS)
	@rm -f $@
	$(call step,AR,$@)
	$(Q)$(AR) rcsD $@ $^

-include $(CORE_OBJECTS:.o=.d)
