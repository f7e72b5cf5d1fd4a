/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "heap/sites.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>

#include "stack/unwind.h"

/* --- the caller ---------------------------------------------------------------------------- */

/* operator new(unsigned long), if the program was linked with C++. new[] jumps to it. */
static uintptr_t new_at, new_bytes;

__attribute__((constructor)) static void find_new(void)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *function = dlsym(RTLD_DEFAULT, "_Znwm");
    if (!function || !dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) {
        return;
    }
    new_at = (uintptr_t)function;
    new_bytes = (uintptr_t)symbol->st_size;
}

const void *st_heap_caller(const void *pc, const void *sp)
{
    if ((uintptr_t)pc - new_at >= new_bytes) {
        return pc;
    }
    const struct st_frame_rule *rule = st_frame_rule_of((uintptr_t)pc);
    return rule ? *(const void *const *)((uintptr_t)sp + (uintptr_t)rule->slot) : pc;
}

/* --- numbers of sites ---------------------------------------------------------------------- */

/* Half a megabyte of address space; only pages in use take memory. */
enum { LOG2_SITES = 16, PROBES = 64, CALL_SHIFT = 56 };

static _Atomic uint64_t sites[1 << LOG2_SITES]; /* [0] is not used */

uint16_t st_heap_site(const void *pc, enum st_heap_call call)
{
    uint64_t address = (uint64_t)(uintptr_t)pc;
    uint64_t key = address | (uint64_t)call << CALL_SHIFT;
    if (!address || address >> CALL_SHIFT) {
        return 0;
    }
    uint64_t at = key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_SITES);
    for (int i = 0; i < PROBES; i++, at = (at + 1) % (1 << LOG2_SITES)) {
        uint64_t held = atomic_load_explicit(&sites[at], memory_order_relaxed);
        if (held == key && at) {
            return (uint16_t)at;
        }
        if (!held && at &&
            (atomic_compare_exchange_strong(&sites[at], &held, key) || held == key)) {
            return (uint16_t)at;
        }
    }
    return 0;
}

void st_heap_site_read(uint16_t site, uint64_t *pc, enum st_heap_call *call)
{
    uint64_t key = site ? atomic_load_explicit(&sites[site], memory_order_relaxed) : 0;
    *pc = key & ((UINT64_C(1) << CALL_SHIFT) - 1);
    *call = (enum st_heap_call)(key >> CALL_SHIFT);
}
