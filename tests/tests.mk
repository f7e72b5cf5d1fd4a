# SPDX-License-Identifier: BSD-3-Clause
# The programs that 'make check' needs. Each part has its rules in its folder.

-include tests/unit.mk
-include tests/recorder.mk
include tests/random/random.mk
include tests/bench/bench.mk
include tests/stop/stop.mk
include tests/tsan/tsan.mk
