/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The few facts that mpipp needs from an ELF file, by the layout in <elf.h>. Files are not trusted:
 * every offset is compared with the length. Only files of this machine's own class and byte order
 * are read, because no other could run here.
 */
#ifndef MPIPP_ELF_FILE_H
#define MPIPP_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
    const unsigned char *bytes; /* the file, mapped read-only */
    size_t length;              /* bytes */
};

enum elf_status {
    ELF_OK,
    ELF_UNREADABLE, /* errno says why */
    ELF_OTHER,      /* not an ELF file */
    ELF_FOREIGN,    /* an ELF file for another kind of machine */
};

enum elf_table {
    ELF_EXPORTED, /* .dynsym: symbols that other objects can bind to */
    ELF_ALL,      /* .symtab: every symbol, unless the file is stripped */
};

enum elf_status elf_open(struct elf_file *file, const char *path);
void elf_close(struct elf_file *file);

/* ET_EXEC, ET_DYN, ET_CORE, ... */
unsigned elf_type(const struct elf_file *file);

/* Returns the loader that the file names (PT_INTERP). NULL if it names none: a static program or a
 * library. "" if the file is truncated before it. */
const char *elf_interpreter(const struct elf_file *file);

/* Returns true if the file is linked with a library (DT_NEEDED) whose name begins with NAME. */
bool elf_needs(const struct elf_file *file, const char *name);

/* Returns true if the file defines a symbol NAME; if NAME ends in '*', any symbol that begins so. */
bool elf_defines(const struct elf_file *file, enum elf_table table, const char *name);

/* Stores the value of the symbol NAME. Returns false if the file does not define it. */
bool elf_symbol(const struct elf_file *file, enum elf_table table, const char *name,
                uint64_t *value);

/* Returns the string that the exported symbol NAME is; NULL if the file has none. */
const char *elf_text(const struct elf_file *file, const char *name);

/* Stores the address of the file's first byte when loaded. Returns false if it is not loaded. */
bool elf_base(const struct elf_file *file, uint64_t *address);

/* Returns the address of the file's byte OFFSET when loaded; OFFSET itself if it is not loaded. */
uint64_t elf_address(const struct elf_file *file, uint64_t offset);

#endif
