# What 'make check' needs built; each part's own rules stand beside it.

-include tests/unit.mk
-include tests/recorder.mk
include tests/random/random.mk
include tests/bench/bench.mk
include tests/stop/stop.mk
include tests/tsan/tsan.mk
