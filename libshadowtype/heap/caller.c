#define _GNU_SOURCE
#include "heap/caller.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "stack/unwind.h"

/* operator new(unsigned long), where C++ was loaded with the program. new[] jumps to it. */
static uintptr_t new_at, new_bytes;

__attribute__((constructor)) static void find_new(void)
{
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    void *function = dlsym(RTLD_DEFAULT, "_Znwm");
    if (!function || !dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return;
    new_at = (uintptr_t)function;
    new_bytes = (uintptr_t)symbol->st_size;
}

const void *st_heap_caller(const void *pc, const void *sp)
{
    if ((uintptr_t)pc - new_at >= new_bytes)
        return pc;
    const struct st_frame_rule *rule = st_frame_rule_of((uintptr_t)pc);
    return rule ? *(const void *const *)((uintptr_t)sp + (uintptr_t)rule->slot) : pc;
}
