/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/aside.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <unistd.h>

/* The code that overwrites the beginning of a function: a jump to the address after it. A C
 * function could not pass the arguments on, because the handles of the other MPI have another size. */
struct st_jump {
    uint64_t code;
    uint64_t target;
};

enum { ALIGNMENT = sizeof(struct st_jump) };

#if defined __x86_64__
static const uint64_t jump_code = 0x90900000000225ff; /* jmp *2(%rip); nop; nop */
#elif defined __aarch64__
static const uint64_t jump_code = 0xd61f020058000050; /* ldr x16, .+8; br x16 */
#else
static const uint64_t jump_code = 0;
#endif

/* The symbols that this library exports. */
struct st_exports {
    uintptr_t base;
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *hash; /* DT_GNU_HASH */
};

static const void *address_in(const struct link_map *map, const ElfW(Dyn) * entry)
{
    uintptr_t at = entry->d_un.d_ptr; /* some loaders leave an offset here */
    return (const void *)(at < map->l_addr ? at + map->l_addr : at);
}

static bool find_exports(struct st_exports *exports)
{
    static const char here;
    Dl_info info;
    struct link_map *map;
    if (!dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP)) {
        return false;
    }
    *exports = (struct st_exports){.base = map->l_addr};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_SYMTAB) {
            exports->symbols = address_in(map, entry);
        } else if (entry->d_tag == DT_STRTAB) {
            exports->names = address_in(map, entry);
        } else if (entry->d_tag == DT_GNU_HASH) {
            exports->hash = address_in(map, entry);
        }
    }
    return exports->symbols && exports->names && exports->hash;
}

/* Returns the number of symbols: the last chain of the hash table ends with the last symbol. */
static uint32_t count_symbols(const struct st_exports *exports)
{
    const uint32_t *hash = exports->hash;
    uint32_t buckets = hash[0], first = hash[1], last = 0;
    const uint32_t *bucket = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / sizeof *hash);
    const uint32_t *chain = bucket + buckets;
    for (uint32_t i = 0; i < buckets; i++) {
        if (bucket[i] > last) {
            last = bucket[i];
        }
    }
    if (last < first) {
        return first;
    }
    while (!(chain[last - first] & 1)) {
        last++;
    }
    return last + 1;
}

/* Returns the function of the symbol if it is one of MPI's and has room for a jump; else 0. */
static uintptr_t function_of(const struct st_exports *exports, uint32_t index)
{
    const ElfW(Sym) *symbol = &exports->symbols[index];
    const char *name = exports->names + symbol->st_name;
    uintptr_t function = exports->base + symbol->st_value;
    if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC ||
        function % ALIGNMENT != 0) {
        return 0;
    }
    const bool is_profiled = *name == 'P' || *name == 'p';
    return strncasecmp(name + is_profiled, "mpi", 3) == 0 && strcmp(name, "mpipp_error") != 0
               ? function
               : 0;
}

/* Writes the address first, then the code: another thread calls one function or the other. */
static void put_jump(uintptr_t function, void *target)
{
    struct st_jump *jump = (struct st_jump *)function;
    __atomic_store_n(&jump->target, (uint64_t)(uintptr_t)target, __ATOMIC_RELEASE);
    __atomic_store_n(&jump->code, jump_code, __ATOMIC_RELEASE);
    __builtin___clear_cache((char *)jump, (char *)(jump + 1));
}

static bool protect_pages(uintptr_t low, uintptr_t high, int protection)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    low -= low % page;
    return mprotect((void *)low, high - low, protection) == 0;
}

void st_stand_aside(void *mpi)
{
    struct st_exports exports;
    uintptr_t low = UINTPTR_MAX, high = 0;
    if (!jump_code || !find_exports(&exports)) {
        return;
    }
    uint32_t count = count_symbols(&exports);
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t function = function_of(&exports, i);
        if (function && function < low) {
            low = function;
        }
        if (function && function + ALIGNMENT > high) {
            high = function + ALIGNMENT;
        }
    }
    if (high <= low || !protect_pages(low, high, PROT_READ | PROT_WRITE | PROT_EXEC)) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        uintptr_t function = function_of(&exports, i);
        const char *name = exports.names + exports.symbols[i].st_name;
        void *target = function ? dlsym(RTLD_NEXT, name) : NULL;
        if (function && !target) {
            target = dlsym(mpi, name);
        }
        if (target) {
            put_jump(function, target);
        }
    }
    protect_pages(low, high, PROT_READ | PROT_EXEC);
}
