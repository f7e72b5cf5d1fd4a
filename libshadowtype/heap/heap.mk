# SPDX-License-Identifier: BSD-3-Clause
# $(BUILD)/lib/libshadowtype-heap.so: the sizes of the program's blocks, for --check=size. Uses no MPI.

heap_sources := $(sort $(wildcard libshadowtype/heap/*.c))
HEAP_LIBRARY := $(BUILD)/lib/libshadowtype-heap.so
TREE += $(HEAP_LIBRARY)

libshadowtype: $(HEAP_LIBRARY)

# gcc knows what malloc and free do, and would replace their own code by calls of them.
$(BUILD)/obj/heap/%.o: libshadowtype/heap/%.c $(wildcard libshadowtype/heap/*.h)
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -O2 -g -fPIC -fvisibility=hidden -fno-builtin $(runtime_warnings) \
	    $(debug_paths) -Ilibshadowtype \
	    $(RUNTIME_CFLAGS) -c $< -o $@

# The same limit as for the recorder.
$(BUILD)/obj/heap/unwind.o: libshadowtype/stack/unwind.c libshadowtype/stack/unwind.h
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -O2 -g -fPIC -fvisibility=hidden $(runtime_warnings) \
	    $(debug_paths) -Ilibshadowtype \
	    $(RUNTIME_CFLAGS) -c $< -o $@

$(HEAP_LIBRARY): $(heap_sources:libshadowtype/heap/%.c=$(BUILD)/obj/heap/%.o) $(BUILD)/obj/heap/unwind.o $(plain_debug)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -Wl,-z,defs -Wl,--as-needed -Wl,--hash-style=gnu \
	    -static-libgcc $(RUNTIME_CFLAGS) $(filter %.o,$^) -ldl -pthread -o $@.new
	$(if $(without_lines),$(Q)objcopy $(without_lines) $@.new && $(PYTHON) $(plain_debug) $@.new)
	$(Q)mv -f $@.new $@
