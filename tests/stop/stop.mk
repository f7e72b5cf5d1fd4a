# SPDX-License-Identifier: BSD-3-Clause
# A rank that is stopped at any instruction and read: tests/stop.

STOP_DIR    := tests/stop
STOP_SHARED := rank describe pending stores
STOP_TESTS  := steps threads
STOP_RANKS  := steps threads pending
STOP_FLAGS  := -I$(STOP_DIR) -I$(UNIT_DIR) $(CORE_FLAGS) $(WARNINGS)

TESTS += $(STOP_TESTS:%=$(BUILD)/tests/stop/%)

$(BUILD)/obj/stop/%.o: $(STOP_DIR)/%.c
	@mkdir -p $(@D)
	$(call step,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) $(STOP_FLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(STOP_TESTS:%=$(BUILD)/tests/stop/%): $(BUILD)/tests/stop/%: $(BUILD)/obj/stop/%.o \
    $(STOP_SHARED:%=$(BUILD)/obj/stop/%.o) $(BUILD)/obj/unit/image.o $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

# $(1): mpich or openmpi
define stop_ranks
TESTS += $(STOP_RANKS:%=$(BUILD)/tests/stop/%_rank-$(1))

$(STOP_RANKS:%=$(BUILD)/tests/stop/%_rank-$(1)): $(BUILD)/tests/stop/%_rank-$(1): \
    $(STOP_DIR)/%_rank.c $(STOP_DIR)/board.h tests/recorder/tree.h libshadowtype/core/model/registry.h
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) $(CPPFLAGS) -Itests -Ilibshadowtype -std=gnu11 -O1 -g -Wall -Wextra -Werror \
	    $$< -o $$@ -ldl -lpthread

TESTS += $(BUILD)/tests/stop/free_tool-$(1).so

$(BUILD)/tests/stop/free_tool-$(1).so: tests/recorder/free_tool.c
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) -std=gnu11 -O1 -g -Wall -Wextra -Werror -shared -fPIC $$< -o $$@ -ldl
endef
$(foreach mpi,$(MPIS),$(eval $(call stop_ranks,$(mpi))))

-include $(wildcard $(BUILD)/obj/stop/*.d)
