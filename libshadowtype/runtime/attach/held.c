/* SPDX-License-Identifier: BSD-3-Clause */
/* In a file of its own, which the optimiser does not see (libshadowtype.mk): the plugin looks it up at each start of gdb. */
#include "runtime/attach/attach.h"

__attribute__((visibility("default"))) volatile int32_t shadowtype_held;
