# SPDX-License-Identifier: BSD-3-Clause
# The recorder and threaded ranks, compiled for gcc's thread sanitizer.

TSAN          := $(BUILD)/tsan
TSAN_PROGRAMS := mixed_threads threads checked_threads

TSAN_LIBRARIES := $(MPIS:%=$(TSAN)/lib/libshadowtype-%.so)
TESTS += $(TSAN_LIBRARIES)

# Link-time optimisation would drop calls of the sanitizer; optimised code has no more races, and compiles six times as long.
# One make for all of them: they share objects.
$(TSAN_LIBRARIES) &: $(wildcard libshadowtype/runtime/*/*.[hc] libshadowtype/runtime/*/*/*) \
    $(wildcard libshadowtype/report/*.[hc]) libshadowtype/core/model/registry.h
	@$(MAKE) --no-print-directory SETUP=no BUILD=$(TSAN) RUNTIME_CFLAGS="-fsanitize=thread -O0 -g1" \
	    RUNTIME_LTO= $(TSAN_LIBRARIES)

# $(1): mpich or openmpi
define tsan_rules
TESTS += $(TSAN_PROGRAMS:%=$(TSAN)/%-$(1))

$(TSAN_PROGRAMS:%=$(TSAN)/%-$(1)): $(TSAN)/%-$(1): $(wildcard tests/recorder/*threads.c tests/tsan/*.c) \
    tests/recorder/tree.h
	@mkdir -p $$(@D)
	$$(call step,CC,$$@)
	$$(Q)$(MPICC_$(1)) -std=gnu11 -g -O1 -fsanitize=thread -Wall -Wextra -Werror -Ilibshadowtype -Itests \
	    $$(filter %/$$*.c,$$^) -o $$@ -ldl -lpthread
endef
$(foreach mpi,$(MPIS),$(eval $(call tsan_rules,$(mpi))))
