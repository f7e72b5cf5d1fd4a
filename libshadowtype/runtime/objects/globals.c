/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/objects/globals.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/record/own_heap.h"
#include "runtime/record/root.h"

/* --- libelf ----------------------------------------------------------------------------------- */

#define ELF_FUNCTIONS(X)                                                                           \
    X(elf_version)                                                                                 \
    X(elf_begin)                                                                                   \
    X(elf_end)                                                                                     \
    X(elf_nextscn)                                                                                 \
    X(elf_getscn)                                                                                  \
    X(elf_getdata)                                                                                 \
    X(elf_strptr)                                                                                  \
    X(elf_getshdrstrndx)                                                                           \
    X(gelf_getshdr)                                                                                \
    X(gelf_getsym)

static struct {
#define X(name) __typeof__(&name) name;
    ELF_FUNCTIONS(X)
#undef X
} elf;

static bool has_elf;

bool st_globals_begin(void)
{
    void *library = dlopen("libelf.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        return false;
    }
#define X(name)                                                                                    \
    *(void **)&elf.name = dlsym(library, #name);                                                   \
    if (!elf.name)                                                                                 \
        return false;
    ELF_FUNCTIONS(X)
#undef X
    has_elf = elf.elf_version(EV_CURRENT) != EV_NONE;
    return has_elf;
}

/* --- loaded objects --------------------------------------------------------------------------- */

enum { MOST_OBJECTS = 256, MOST_COMPARED = 1 << 20, MOST_LEVEL = 1 << 24 };

/* An object whose variables were looked up. */
struct st_loaded {
    uint64_t low, high; /* bounds of its memory */
    uint64_t bias;      /* load address minus link address */
    struct st_area *areas;
    size_t count;
    size_t mapped; /* bytes mapped for the areas; 0: there are none */
};

static struct st_loaded objects[MOST_OBJECTS];
static size_t object_count;
static unsigned long long adds, subs; /* counters of dl_iterate_phdr at the last look-up */

/* A search for the object at an address. */
struct st_search_object {
    uint64_t address;
    struct st_loaded found;
    const char *path;
    const ElfW(Phdr) * segments;
    size_t segment_count;
};

static int look_at_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct st_search_object *search = context;
    uint64_t low = UINT64_MAX, high = 0;
    bool here = false;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) {
            continue;
        }
        uint64_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        here = here || search->address - from < segment->p_memsz;
        low = from < low ? from : low;
        high = to > high ? to : high;
    }
    if (!here) {
        return 0;
    }
    search->found = (struct st_loaded){.low = low, .high = high, .bias = info->dlpi_addr};
    search->path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
    search->segments = info->dlpi_phdr;
    search->segment_count = info->dlpi_phnum;
    return 1;
}

static int read_counts(struct dl_phdr_info *info, size_t size, void *context)
{
    unsigned long long *counts = context;
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
        counts[0] = info->dlpi_adds;
        counts[1] = info->dlpi_subs;
    }
    return 1;
}

/* --- the file --------------------------------------------------------------------------------- */

/* Returns true if the file begins like the loaded object: headers, and what the linker puts next to
 * them, which includes names and sizes of symbols, and the build id. */
static bool is_loaded_file(int file, const struct st_search_object *search)
{
    for (size_t i = 0; i < search->segment_count; i++) {
        const ElfW(Phdr) *segment = &search->segments[i];
        if (segment->p_type != PT_LOAD || segment->p_offset != 0) {
            continue;
        }
        const char *loaded = st_pointer(search->found.bias + segment->p_vaddr);
        size_t bytes = segment->p_filesz;
        if (segment->p_flags & (PF_W | PF_X) || bytes > MOST_COMPARED) {
            bytes = bytes < 4096 ? bytes : 4096;
        }
        char *read = malloc(bytes);
        bool same = read && pread(file, read, bytes, 0) == (ssize_t)bytes &&
                    memcmp(read, loaded, bytes) == 0;
        free(read);
        return same;
    }
    return false;
}

/* A symbol table that is being read. */
struct st_symbols {
    Elf *file;
    Elf_Data *data;
    size_t count;
    size_t names;    /* the section with the symbols' names */
    size_t sections; /* the section with the sections' names */
};

/* Finds the full symbol table; if there is none, the dynamic one. */
static bool find_table(struct st_symbols *symbols)
{
    Elf_Scn *section = NULL, *best = NULL;
    GElf_Shdr header, best_header = {0};
    if (elf.elf_getshdrstrndx(symbols->file, &symbols->sections)) {
        return false;
    }
    while ((section = elf.elf_nextscn(symbols->file, section))) {
        if (!elf.gelf_getshdr(section, &header) || !header.sh_entsize ||
            (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)) {
            continue;
        }
        if (!best || header.sh_type == SHT_SYMTAB) {
            best = section;
            best_header = header;
        }
    }
    if (!best || !(symbols->data = elf.elf_getdata(best, NULL))) {
        return false;
    }
    symbols->count = best_header.sh_size / best_header.sh_entsize;
    symbols->names = best_header.sh_link;
    return symbols->count < MOST_LEVEL;
}

/* Returns true if a linker may collect variables of several files there, as an array between
 * __start_NAME and __stop_NAME. */
static bool is_collected(const struct st_symbols *symbols, size_t number)
{
    GElf_Shdr header;
    Elf_Scn *section = elf.elf_getscn(symbols->file, number);
    if (!section || !elf.gelf_getshdr(section, &header)) {
        return true;
    }
    const char *name = elf.elf_strptr(symbols->file, symbols->sections, header.sh_name);
    return !name || !(header.sh_flags & SHF_ALLOC) || header.sh_flags & SHF_TLS || *name == '_' ||
           isalpha((unsigned char)*name);
}

static bool is_variable(const struct st_symbols *symbols, const GElf_Sym *symbol)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);
    return (type == STT_OBJECT || type == STT_COMMON) && symbol->st_size &&
           symbol->st_value + symbol->st_size > symbol->st_value && symbol->st_shndx != SHN_UNDEF &&
           symbol->st_shndx < SHN_LORESERVE && !is_collected(symbols, symbol->st_shndx);
}

/* Returns true for a label such as __bss_start: all that follows may begin there. */
static bool is_label(const GElf_Sym *symbol)
{
    return GELF_ST_TYPE(symbol->st_info) == STT_NOTYPE && !symbol->st_size && symbol->st_value &&
           symbol->st_shndx != SHN_UNDEF && GELF_ST_BIND(symbol->st_info) != STB_LOCAL;
}

/* Opens the file of the object. Returns false if it cannot be read, or has changed. */
static bool open_symbols(const struct st_search_object *search, int *file,
                         struct st_symbols *symbols)
{
    *symbols = (struct st_symbols){0};
    *file = has_elf ? open(search->path, O_RDONLY | O_CLOEXEC) : -1;
    if (*file >= 0 && is_loaded_file(*file, search)) {
        symbols->file = elf.elf_begin(*file, ELF_C_READ, NULL);
    }
    if (symbols->file && find_table(symbols)) {
        return true;
    }
    if (symbols->file) {
        elf.elf_end(symbols->file);
    }
    if (*file >= 0) {
        close(*file);
    }
    return false;
}

static void close_symbols(int file, struct st_symbols *symbols)
{
    elf.elf_end(symbols->file);
    close(file);
}

/* --- areas ------------------------------------------------------------------------------------ */

static int by_address(const void *left, const void *right)
{
    const struct st_area *a = left, *b = right;
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

/* Joins areas that overlap. Removes an area with a label at its beginning (a label is an area
 * without bytes, and sorted first). */
static size_t join_areas(struct st_area *areas, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count;) {
        struct st_area whole = areas[i];
        bool label = whole.from == whole.to;
        for (i++; i < count && (areas[i].from < whole.to || areas[i].from == whole.from); i++) {
            if (areas[i].to > whole.to) {
                whole.to = areas[i].to;
            }
        }
        if (!label) {
            areas[kept++] = whole;
        }
    }
    return kept;
}

static void read_areas(struct st_loaded *object, const struct st_symbols *symbols)
{
    size_t bytes = symbols->count * sizeof *object->areas, count = 0;
    object->areas = bytes ? st_map(bytes) : NULL;
    if (!object->areas) {
        return;
    }
    object->mapped = bytes;
    for (size_t i = 0; i < symbols->count; i++) {
        GElf_Sym symbol;
        if (!elf.gelf_getsym(symbols->data, (int)i, &symbol)) {
            continue;
        }
        bool label = is_label(&symbol);
        if (!label && !is_variable(symbols, &symbol)) {
            continue;
        }
        uint64_t from = object->bias + symbol.st_value;
        object->areas[count++] =
            (struct st_area){.from = from, .to = from + (label ? 0 : symbol.st_size)};
    }
    qsort(object->areas, count, sizeof *object->areas, by_address);
    object->count = join_areas(object->areas, count);
}

/* The last variable that was named: an error in a loop asks for the same one again and again. */
static struct st_area named;
static char last_name[120];

static void forget_areas(void)
{
    for (size_t i = 0; i < object_count; i++) {
        if (objects[i].mapped) {
            st_unmap(objects[i].areas, objects[i].mapped);
        }
    }
    object_count = 0;
    named = (struct st_area){0};
}

static const struct st_loaded *known_object(uint64_t address)
{
    for (size_t i = 0; i < object_count; i++) {
        if (address - objects[i].low < objects[i].high - objects[i].low) {
            return &objects[i];
        }
    }
    return NULL;
}

/* Returns the object at the address, with its variables; NULL if there is none. */
static const struct st_loaded *new_object(uint64_t address)
{
    struct st_search_object search = {.address = address};
    int file, saved = errno;
    struct st_symbols symbols;
    st_globals_refresh();
    if (object_count == MOST_OBJECTS || !dl_iterate_phdr(look_at_object, &search)) {
        return NULL;
    }
    if (open_symbols(&search, &file, &symbols)) {
        read_areas(&search.found, &symbols);
        close_symbols(file, &symbols);
    }
    errno = saved;
    objects[object_count] = search.found;
    return &objects[object_count++];
}

bool st_global_at(uint64_t address, struct st_area *area)
{
    static int (*find_object)(void *address, void *result);
    static bool asked;
    if (!asked) { /* in glibc since 2.35; takes no lock */
        *(void **)&find_object = dlsym(RTLD_DEFAULT, "_dl_find_object");
        asked = true;
    }
    uint64_t result[32];
    const struct st_loaded *object = known_object(address);
    if (!object && find_object && find_object(st_pointer(address), result)) {
        return false;
    }
    if (!object && !(object = new_object(address))) {
        return false;
    }
    size_t low = 0, high = object->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (object->areas[middle].to > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low == object->count || object->areas[low].from > address) {
        return false;
    }
    *area = object->areas[low];
    return true;
}

void st_globals_refresh(void)
{
    unsigned long long counts[2] = {0};
    dl_iterate_phdr(read_counts, counts);
    if (counts[0] != adds || counts[1] != subs) {
        forget_areas();
    }
    adds = counts[0];
    subs = counts[1];
}

static void read_name(const struct st_area *area, char *name, size_t room)
{
    struct st_search_object search = {.address = area->from};
    struct st_symbols symbols;
    int file, saved = errno;
    uint64_t best = 0;
    *name = 0;
    if (!dl_iterate_phdr(look_at_object, &search) || !open_symbols(&search, &file, &symbols)) {
        return;
    }
    for (size_t i = 0; i < symbols.count; i++) {
        GElf_Sym symbol;
        if (!elf.gelf_getsym(symbols.data, (int)i, &symbol) || !is_variable(&symbols, &symbol) ||
            search.found.bias + symbol.st_value - area->from >= area->to - area->from ||
            symbol.st_size <= best) {
            continue;
        }
        const char *text = elf.elf_strptr(symbols.file, symbols.names, symbol.st_name);
        if (!text || strlen(text) >= room) {
            continue;
        }
        strcpy(name, text);
        best = symbol.st_size;
    }
    close_symbols(file, &symbols);
    errno = saved;
}

void st_global_name(const struct st_area *area, char *name, size_t room)
{
    if (named.from != area->from || named.to != area->to) {
        read_name(area, last_name, sizeof last_name);
        named = *area;
    }
    strncpy(name, last_name, room - 1);
    name[room - 1] = 0;
}
