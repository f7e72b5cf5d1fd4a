/* SPDX-License-Identifier: BSD-3-Clause */
#include "elf_file.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h> /* ElfW: this machine's class */
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif
/* mpipp's own ELF header; the linker defines this name. It says which machine this is. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
#define NATIVE_CLASS (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32)

static ElfW(Ehdr) header_of(const struct elf_file *file)
{
    ElfW(Ehdr) header;
    memcpy(&header, file->bytes, sizeof header);
    return header;
}

enum elf_status elf_open(struct elf_file *file, const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return ELF_UNREADABLE;
    }
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        close(descriptor);
        return ELF_UNREADABLE;
    }
    if (!S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(ElfW(Ehdr))) {
        close(descriptor);
        return ELF_OTHER;
    }
    file->length = (size_t)status.st_size;
    void *bytes = mmap(NULL, file->length, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (bytes == MAP_FAILED) {
        return ELF_UNREADABLE;
    }
    file->bytes = bytes;

    enum elf_status result = ELF_OK;
    if (memcmp(file->bytes, ELFMAG, SELFMAG) != 0) {
        result = ELF_OTHER;
    } else if (file->bytes[EI_CLASS] != NATIVE_CLASS || file->bytes[EI_DATA] != NATIVE_DATA ||
               header_of(file).e_machine != __ehdr_start.e_machine) {
        result = ELF_FOREIGN;
    }
    if (result != ELF_OK) {
        elf_close(file);
    }
    return result;
}

void elf_close(struct elf_file *file)
{
    munmap((void *)(uintptr_t)file->bytes, file->length);
    *file = (struct elf_file){NULL, 0};
}

static bool inside(const struct elf_file *file, uint64_t offset, uint64_t length)
{
    return offset <= file->length && length <= file->length - offset;
}

/* Copies entry INDEX of a table of records. Returns false beyond the end of the file. It copies
 * because a damaged file may have its tables at unaligned offsets. */
static bool entry(const struct elf_file *file, uint64_t table, uint64_t index, size_t size,
                  void *to)
{
    if (index > file->length / size || !inside(file, table, (index + 1) * size)) {
        return false;
    }
    memcpy(to, file->bytes + table + index * size, size);
    return true;
}

unsigned elf_type(const struct elf_file *file)
{
    return header_of(file).e_type;
}

/* Returns the string at OFFSET; NULL if it does not end before LIMIT bytes. */
static const char *string_at(const struct elf_file *file, uint64_t offset, uint64_t limit)
{
    if (!inside(file, offset, limit) || memchr(file->bytes + offset, '\0', limit) == NULL) {
        return NULL;
    }
    return (const char *)file->bytes + offset;
}

const char *elf_interpreter(const struct elf_file *file)
{
    ElfW(Ehdr) header = header_of(file);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) segment;
        if (!entry(file, header.e_phoff, i, sizeof segment, &segment)) {
            return "";
        }
        if (segment.p_type == PT_INTERP) {
            const char *path = string_at(file, segment.p_offset, segment.p_filesz);
            return path == NULL ? "" : path;
        }
    }
    return NULL;
}

static bool section_needs(const struct elf_file *file, const ElfW(Shdr) * entries,
                          const ElfW(Shdr) * strings, const char *name)
{
    const uint64_t count = entries->sh_size / sizeof(ElfW(Dyn));
    for (uint64_t i = 0; i < count; i++) {
        ElfW(Dyn) one;
        if (!entry(file, entries->sh_offset, i, sizeof one, &one) || one.d_tag == DT_NULL) {
            break;
        }
        if (one.d_tag != DT_NEEDED || one.d_un.d_val >= strings->sh_size) {
            continue;
        }
        const char *needed =
            string_at(file, strings->sh_offset + one.d_un.d_val, strings->sh_size - one.d_un.d_val);
        if (needed != NULL && strncmp(needed, name, strlen(name)) == 0) {
            return true;
        }
    }
    return false;
}

bool elf_needs(const struct elf_file *file, const char *name)
{
    const ElfW(Ehdr) header = header_of(file);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        ElfW(Shdr) entries;
        ElfW(Shdr) strings;
        if (!entry(file, header.e_shoff, i, sizeof entries, &entries)) {
            break;
        }
        if (entries.sh_type == SHT_DYNAMIC &&
            entry(file, header.e_shoff, entries.sh_link, sizeof strings, &strings)) {
            return section_needs(file, &entries, &strings, name);
        }
    }
    return false;
}

static bool name_fits(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*') {
        return strncmp(name, pattern, length - 1) == 0;
    }
    return strcmp(name, pattern) == 0;
}

static bool section_defines(const struct elf_file *file, const ElfW(Shdr) * symbols,
                            const ElfW(Shdr) * strings, const char *pattern, uint64_t *value)
{
    uint64_t count = symbols->sh_size / sizeof(ElfW(Sym));
    for (uint64_t i = 0; i < count; i++) {
        ElfW(Sym) symbol;
        if (!entry(file, symbols->sh_offset, i, sizeof symbol, &symbol)) {
            return false;
        }
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= strings->sh_size) {
            continue;
        }
        const char *name =
            string_at(file, strings->sh_offset + symbol.st_name, strings->sh_size - symbol.st_name);
        if (name != NULL && name_fits(name, pattern)) {
            *value = symbol.st_value;
            return true;
        }
    }
    return false;
}

bool elf_defines(const struct elf_file *file, enum elf_table table, const char *name)
{
    uint64_t value;
    return elf_symbol(file, table, name, &value);
}

bool elf_symbol(const struct elf_file *file, enum elf_table table, const char *name,
                uint64_t *value)
{
    const ElfW(Word) wanted = table == ELF_EXPORTED ? SHT_DYNSYM : SHT_SYMTAB;
    ElfW(Ehdr) header = header_of(file);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        ElfW(Shdr) symbols;
        ElfW(Shdr) strings;
        if (!entry(file, header.e_shoff, i, sizeof symbols, &symbols)) {
            return false;
        }
        if (symbols.sh_type == wanted &&
            entry(file, header.e_shoff, symbols.sh_link, sizeof strings, &strings) &&
            section_defines(file, &symbols, &strings, name, value)) {
            return true;
        }
    }
    return false;
}

/* Finds the loaded segment that contains byte OFFSET of the file. */
static bool find_segment(const struct elf_file *file, uint64_t offset, ElfW(Phdr) * segment)
{
    ElfW(Ehdr) header = header_of(file);
    for (unsigned i = 0; i < header.e_phnum; i++) {
        if (!entry(file, header.e_phoff, i, sizeof *segment, segment)) {
            return false;
        }
        if (segment->p_type == PT_LOAD && offset >= segment->p_offset &&
            offset - segment->p_offset < segment->p_filesz) {
            return true;
        }
    }
    return false;
}

bool elf_base(const struct elf_file *file, uint64_t *address)
{
    ElfW(Phdr) segment;
    if (!find_segment(file, 0, &segment)) {
        return false;
    }
    *address = segment.p_vaddr;
    return true;
}

uint64_t elf_address(const struct elf_file *file, uint64_t offset)
{
    ElfW(Phdr) segment;
    return find_segment(file, offset, &segment) ? offset - segment.p_offset + segment.p_vaddr
                                                : offset;
}

const char *elf_text(const struct elf_file *file, const char *name)
{
    ElfW(Ehdr) header = header_of(file);
    uint64_t address;
    if (!elf_symbol(file, ELF_EXPORTED, name, &address)) {
        return NULL;
    }
    for (unsigned i = 0; i < header.e_phnum; i++) {
        ElfW(Phdr) segment;
        if (!entry(file, header.e_phoff, i, sizeof segment, &segment)) {
            return NULL;
        }
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz) {
            const uint64_t within = address - segment.p_vaddr;
            return string_at(file, segment.p_offset + within, segment.p_filesz - within);
        }
    }
    return NULL;
}
