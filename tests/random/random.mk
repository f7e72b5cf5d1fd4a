# SPDX-License-Identifier: BSD-3-Clause
# Compares random types with both MPI libraries.

RANDOM_SOURCES := tests/random/generate.c

define random_program
TESTS += $(BUILD)/tests/random/oracle-$(1) $(BUILD)/tests/random/show-$(1)

$(BUILD)/tests/random/oracle-$(1): tests/random/oracle.c $(RANDOM_SOURCES) tests/random/generate.h $(CORE_LIBRARY)
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) $(CPPFLAGS) $(CORE_FLAGS) -std=c11 -Wall -Wextra $(CFLAGS) $$(filter %.c %.a,$$^) -ldl -o $$@

$(BUILD)/tests/random/show-$(1): tests/random/show.c $(RANDOM_SOURCES) tests/random/generate.h
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) $(CPPFLAGS) -std=c11 -Wall -Wextra $(CFLAGS) -g $$(filter %.c,$$^) -o $$@
endef
$(foreach mpi,$(MPIS),$(eval $(call random_program,$(mpi))))
