# SPDX-License-Identifier: BSD-3-Clause
# The programs of 'make bench'.

define bench_programs
ifeq ($(shell mpifort.$(1) -show >/dev/null 2>&1 && echo yes),yes)
TESTS += $(BUILD)/tests/bench/fortran_bench-$(1)
endif

$(BUILD)/tests/bench/fortran_bench-$(1): tests/bench/fortran_bench.f90
	@mkdir -p $$(@D)
	$$(call step,FC,$$@)
	$$(Q)mpifort.$(1) -O2 -g $$< -o $$@

TESTS += $(BUILD)/tests/bench/recorder_bench-$(1) $(BUILD)/tests/bench/gdb_bench-$(1)
TESTS += $(BUILD)/tests/bench/mi_bench-$(1) $(BUILD)/tests/bench/calls_bench-$(1)
TESTS += $(BUILD)/tests/bench/pending_bench-$(1)

# Without optimization, since a frontend steps through it.
$(BUILD)/tests/bench/mi_bench-$(1): tests/bench/mi_bench.c
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) -std=gnu11 -Wall -Wextra -O0 -g $$< -o $$@

$(BUILD)/tests/bench/%-$(1): tests/bench/%.c tests/bench/bare.h
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) $(CPPFLAGS) -Ilibshadowtype -std=gnu11 -Wall -Wextra $(CFLAGS) -g $$< -ldl -o $$@
endef
$(foreach mpi,$(MPIS),$(eval $(call bench_programs,$(mpi))))

# Only the core.
TESTS += $(BUILD)/tests/bench/element_bench

$(BUILD)/tests/bench/element_bench: tests/bench/element_bench.c tests/unit/core/image.c $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(CORE_FLAGS) -Itests/unit/core $(WARNINGS) $(CFLAGS) $^ -o $@
TESTS += $(BUILD)/tests/bench/match_bench

$(BUILD)/tests/bench/match_bench: tests/bench/match_bench.c $(BUILD)/obj/unit/forge.o \
    $(BUILD)/obj/unit/image.o $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(UNIT_FLAGS) $(CFLAGS) $^ -o $@
# Overlap needs no MPI: the core, and types by hand.
OVERLAP_BENCH := $(BUILD)/tests/bench/overlap_bench
TESTS += $(OVERLAP_BENCH)

$(OVERLAP_BENCH): tests/bench/overlap_bench.c tests/bench/blocklist.c $(UNIT_DIR)/hand.c \
    tests/bench/blocklist.h $(UNIT_DIR)/hand.h $(CORE_LIBRARY)
	@mkdir -p $(@D)
	$(call step,LINK,$@)
	$(Q)$(CC) $(CPPFLAGS) $(UNIT_FLAGS) -Itests/bench $(CFLAGS) -D_POSIX_C_SOURCE=200809L \
	    $(filter %.c %.a,$^) -o $@
