# SPDX-License-Identifier: BSD-3-Clause
# Unit tests of the core and of the plugin's renderer (tests/unit/core), the fuzzer (tests/fuzz), and
# both once more with the address and undefined-behaviour sanitizers, the extension included.
# Programs under build/tests/unit and build/tests/unit-asan are run by tests/unit/run.sh.

UNIT_DIR     := tests/unit/core
UNIT_SHARED  := image oracle expanded fixture zoo hand draw bytes scene rendering forge grow heap waiting
UNIT_TESTS   := $(basename $(notdir $(wildcard $(UNIT_DIR)/*_test.c)))
UNIT_FLAGS   := $(RENDER_FLAGS) -I$(UNIT_DIR) $(WARNINGS)
ASAN_FLAGS   := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined \
                -fno-sanitize-recover=undefined
# heap.h: counts allocations.
HEAP_FLAGS   := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
RENDER_SOURCES := $(wildcard gdb-plugin/render/*.c)
EXT_SOURCES    := $(wildcard gdb-plugin/ext/*.c) cmd/dwarf.c

UNIT_PROGRAMS := $(UNIT_TESTS:%=$(BUILD)/tests/unit/core/%)
ASAN_PROGRAMS := $(UNIT_TESTS:%=$(BUILD)/tests/unit-asan/core/%)
ASAN_OBJ      := $(BUILD)/obj/unit-asan
ASAN_MODULE   := $(BUILD)/tests/unit-asan/ext/_mpipp$(EXT_SUFFIX)
ASAN_LIBRARY  := $(patsubst %.c,$(ASAN_OBJ)/%.o,$(CORE_SOURCES) $(RENDER_SOURCES))
ASAN_EXT      := $(patsubst %.c,$(ASAN_OBJ)/%.o,$(EXT_SOURCES))

FUZZERS       := decode_fuzz element_fuzz match_fuzz layout_fuzz

TESTS += $(UNIT_PROGRAMS) $(ASAN_PROGRAMS) $(FUZZERS:%=$(BUILD)/tests/unit-asan/%) \
         $(BUILD)/tests/unit-asan/dump_image $(ASAN_MODULE)

# Compiled as in the product.
$(BUILD)/obj/unit/%.o: $(UNIT_DIR)/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(UNIT_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(UNIT_PROGRAMS): $(BUILD)/tests/unit/core/%: $(BUILD)/obj/unit/%.o \
    $(UNIT_SHARED:%=$(BUILD)/obj/unit/%.o) $(RENDER_OBJECTS) $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(HEAP_FLAGS) $^ -lcmocka -lm -lpthread -o $@

# The same two builds for libshadowtype/report, the command's part that collects findings, and the links
# between nodes.
REPORT_TESTS   := $(basename $(notdir $(wildcard tests/unit/report/*_test.c)))
REPORT_SOURCES := $(wildcard libshadowtype/report/*.c) cmd/clock.c cmd/detach.c cmd/dwarf.c cmd/proc.c cmd/say.c cmd/words.c \
    cmd/watch/processor.c \
    $(addprefix cmd/nodes/,image.c job_key.c link.c zmq_library.c) \
    $(filter-out %/watch.c %/overdue.c %/choices.c %/files.c %/gather.c %/html.c %/html_head.c %/picture.c %/meeting.c %/hang_html.c \
        %/sarif.c %/junit.c,$(wildcard cmd/findings/*.c))
REPORT_FLAGS   := -D_GNU_SOURCE -DMPIPP_VERSION='"$(VERSION)"' -Ilibshadowtype $(WARNINGS)
REPORT_LIBS    := -lcmocka -ljansson -lpthread -ldl
REPORT_UNIT    := $(REPORT_SOURCES:%.c=$(BUILD)/obj/report/%.o)
REPORT_ASAN    := $(REPORT_SOURCES:%.c=$(BUILD)/obj/report-asan/%.o)
TESTS += $(REPORT_TESTS:%=$(BUILD)/tests/unit/report/%) \
         $(REPORT_TESTS:%=$(BUILD)/tests/unit-asan/report/%)

$(BUILD)/obj/report/%.o: %.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(REPORT_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/report-asan/%.o: %.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(REPORT_FLAGS) $(ASAN_FLAGS) -MMD -MP -c $< -o $@

# Their tests stand in for what blocks.c and disagree.c ask.
$(BUILD)/tests/unit/report/blocks_test: $(BUILD)/obj/report/cmd/nodes/blocks.o $(BUILD)/obj/report/cmd/nodes/packed.o
$(BUILD)/tests/unit-asan/report/blocks_test: $(BUILD)/obj/report-asan/cmd/nodes/blocks.o $(BUILD)/obj/report-asan/cmd/nodes/packed.o
$(BUILD)/tests/unit/report/disagree_test: $(BUILD)/obj/report/cmd/nodes/disagree.o
$(BUILD)/tests/unit-asan/report/disagree_test: $(BUILD)/obj/report-asan/cmd/nodes/disagree.o

$(BUILD)/tests/unit/report/way_test: $(BUILD)/obj/report/cmd/nodes/way.o
$(BUILD)/tests/unit-asan/report/way_test: $(BUILD)/obj/report-asan/cmd/nodes/way.o

BRANCH := $(addprefix cmd/nodes/,branch.o packed.o)
$(BUILD)/tests/unit/report/branch_test: $(BRANCH:%=$(BUILD)/obj/report/%) $(CORE_LIBRARY)
$(BUILD)/tests/unit-asan/report/branch_test: $(BRANCH:%=$(BUILD)/obj/report-asan/%) \
    $(patsubst %.c,$(ASAN_OBJ)/%.o,$(CORE_SOURCES))

DIFFERING := $(addprefix cmd/watch/,differing.o differing_pairs.o)
$(BUILD)/tests/unit/report/differing_pairs_test: $(DIFFERING:%=$(BUILD)/obj/report/%) $(CORE_LIBRARY)
$(BUILD)/tests/unit-asan/report/differing_pairs_test: $(DIFFERING:%=$(BUILD)/obj/report-asan/%) \
    $(patsubst %.c,$(ASAN_OBJ)/%.o,$(CORE_SOURCES))

# With the core, which judges what was told.
STATES := $(addprefix cmd/nodes/,states_read.o states_write.o groups.o stream.o)
$(BUILD)/tests/unit/report/states_test: $(STATES:%=$(BUILD)/obj/report/%) $(CORE_LIBRARY)
$(BUILD)/tests/unit-asan/report/states_test: $(STATES:%=$(BUILD)/obj/report-asan/%) \
    $(patsubst %.c,$(ASAN_OBJ)/%.o,$(CORE_SOURCES))

$(REPORT_TESTS:%=$(BUILD)/tests/unit/report/%): $(BUILD)/tests/unit/report/%: \
    $(BUILD)/obj/report/tests/unit/report/%.o $(REPORT_UNIT)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(REPORT_LIBS) -o $@

$(REPORT_TESTS:%=$(BUILD)/tests/unit-asan/report/%): $(BUILD)/tests/unit-asan/report/%: \
    $(BUILD)/obj/report-asan/tests/unit/report/%.o $(REPORT_ASAN)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(ASAN_FLAGS) $^ $(REPORT_LIBS) -o $@

-include $(REPORT_UNIT:.o=.d) $(REPORT_ASAN:.o=.d)
-include $(DIFFERING:%.o=$(BUILD)/obj/report/%.d) $(DIFFERING:%.o=$(BUILD)/obj/report-asan/%.d)
-include $(foreach one,blocks.d disagree.d packed.d branch.d way.d $(notdir $(STATES:.o=.d)),$(BUILD)/obj/report/cmd/nodes/$(one) \
    $(BUILD)/obj/report-asan/cmd/nodes/$(one))
-include $(foreach test,$(REPORT_TESTS),$(BUILD)/obj/report/tests/unit/report/$(test).d \
    $(BUILD)/obj/report-asan/tests/unit/report/$(test).d)

# Every object again with sanitizers.
$(ASAN_OBJ)/gdb-plugin/ext/%.o: gdb-plugin/ext/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(RENDER_FLAGS) -isystem $(EXT_INCLUDE) -DMPIPP_VERSION='"$(VERSION)"' $(WARNINGS) \
	    $(ASAN_FLAGS) -fPIC -MMD -MP -c $< -o $@

$(ASAN_OBJ)/cmd/%.o: UNIT_FLAGS += -D_GNU_SOURCE
$(ASAN_OBJ)/%.o: %.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(UNIT_FLAGS) $(ASAN_FLAGS) -fPIC -MMD -MP -c $< -o $@

$(ASAN_PROGRAMS): $(BUILD)/tests/unit-asan/core/%: $(ASAN_OBJ)/$(UNIT_DIR)/%.o \
    $(UNIT_SHARED:%=$(ASAN_OBJ)/$(UNIT_DIR)/%.o) $(ASAN_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(ASAN_FLAGS) $(HEAP_FLAGS) $^ -lcmocka -lm -lpthread -o $@

FUZZ_SHARED := image zoo forge hand heap

$(FUZZERS:%=$(BUILD)/tests/unit-asan/%): $(BUILD)/tests/unit-asan/%: $(ASAN_OBJ)/tests/fuzz/%.o \
    $(ASAN_OBJ)/tests/fuzz/driver.o $(ASAN_OBJ)/tests/fuzz/change.o \
    $(FUZZ_SHARED:%=$(ASAN_OBJ)/$(UNIT_DIR)/%.o) $(ASAN_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(ASAN_FLAGS) $(HEAP_FLAGS) $^ -lm -o $@

$(BUILD)/tests/unit-asan/dump_image: $(ASAN_OBJ)/$(UNIT_DIR)/dump_image.o \
    $(ASAN_OBJ)/$(UNIT_DIR)/image.o $(ASAN_OBJ)/$(UNIT_DIR)/zoo.o \
    $(ASAN_OBJ)/$(UNIT_DIR)/heap.o $(ASAN_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(ASAN_FLAGS) $(HEAP_FLAGS) $^ -lm -o $@

$(ASAN_MODULE): $(ASAN_EXT) $(ASAN_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(ASAN_FLAGS) -shared $^ -lm -o $@

# clang's fuzzer: 'make fuzz', stopped with Ctrl-C or after FUZZ_SECONDS.
FUZZ_SECONDS := 60
FUZZ_FLAGS   := -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
FUZZ_SOURCES := tests/fuzz/change.c $(FUZZ_SHARED:%=$(UNIT_DIR)/%.c) $(CORE_SOURCES) $(RENDER_SOURCES)

$(FUZZERS:%=$(BUILD)/tests/fuzz/%): $(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(FUZZ_SOURCES) \
    $(wildcard libshadowtype/core/*/*.h $(UNIT_DIR)/*.h tests/fuzz/*.h)
	@mkdir -p $(@D)
	@command -v clang >/dev/null || \
	    { echo "make fuzz needs clang with its runtime (Debian: clang, libclang-rt-dev)" >&2; exit 1; }
	$(call step,CC,$@)
	$(Q)clang $(UNIT_FLAGS) $(FUZZ_FLAGS) $(HEAP_FLAGS) $(filter %.c,$^) -lm -o $@

.PHONY: fuzz fuzz-ext $(FUZZERS:%=fuzz-%)
fuzz: $(FUZZERS:%=fuzz-%) fuzz-ext ## hostile registries, types and addresses, made by clang's libFuzzer

# Calls the extension as gdb's Python does, on random cases; prints the seeds.
fuzz-ext: $(ASAN_MODULE) $(BUILD)/tests/unit-asan/dump_image
	BUILD=$(BUILD) ST_SECONDS=$(FUZZ_SECONDS) ST_SEED=$${ST_SEED:-$$(date +%s)} tests/unit/ext.sh hostile_test.py

$(FUZZERS:%=fuzz-%): fuzz-%: $(BUILD)/tests/fuzz/%
	@mkdir -p $(BUILD)/tests/fuzz/corpus-$*
	cd $(BUILD)/tests/fuzz && ./$* -max_total_time=$(FUZZ_SECONDS) -timeout=20 -len_control=0 -max_len=192 \
	    -rss_limit_mb=4096 -malloc_limit_mb=8192 corpus-$*

-include $(wildcard $(BUILD)/obj/unit/*.d $(ASAN_OBJ)/*/*/*.d $(ASAN_OBJ)/*/*/*/*.d)
