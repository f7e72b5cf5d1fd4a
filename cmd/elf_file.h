/*
 * The little that mpipp asks of an ELF file, by the layout in <elf.h>. Files are not trusted: every
 * offset is checked against the length. Only files of this machine's own class and byte order are
 * read, since no other could run here.
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
    ELF_EXPORTED, /* .dynsym: what other objects can bind to */
    ELF_ALL,      /* .symtab: every symbol, unless the file is stripped */
};

enum elf_status elf_open(struct elf_file *file, const char *path);
void elf_close(struct elf_file *file);

/* ET_EXEC, ET_DYN, ET_CORE, ... */
unsigned elf_type(const struct elf_file *file);

/* The loader that the file asks for (PT_INTERP). NULL: none, as in a static program or a library;
 * "": the file is cut off before it says. */
const char *elf_interpreter(const struct elf_file *file);

/* Whether the file defines a symbol NAME; a NAME that ends in '*' stands for all that begin so. */
bool elf_defines(const struct elf_file *file, enum elf_table table, const char *name);

/* The value of the symbol NAME that the file defines. Returns false if it defines none. */
bool elf_symbol(const struct elf_file *file, enum elf_table table, const char *name,
                uint64_t *value);

/* The address that the file gives its first byte; false: it is not loaded. */
bool elf_base(const struct elf_file *file, uint64_t *address);

/* The address that the file gives its byte OFFSET; OFFSET itself where it is not loaded. */
uint64_t elf_address(const struct elf_file *file, uint64_t offset);

#endif
