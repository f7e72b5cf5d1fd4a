/* SPDX-License-Identifier: BSD-3-Clause */
#include "program.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "closure.h"
#include "elf_file.h"
#include "python.h"
#include "say.h"
#include "script.h"
#include "tree.h"

/* The kernel follows so many scripts before it finds a program. */
enum { MOST_SCRIPTS = 4 };

bool program_is_runnable(const struct program *program)
{
    return program->kind >= PROGRAM_STATIC;
}

static void find_program(struct program *program, const char *name, int scripts);

static enum program_kind kind_of_script(struct program *program, int scripts)
{
    if (!script_interpreter(&program->interpreter, program->path)) {
        return PROGRAM_OTHER;
    }
    struct program interpreter = {.kind = PROGRAM_OTHER};
    if (scripts < MOST_SCRIPTS) {
        find_program(&interpreter, program->interpreter.list[0], scripts + 1);
    }
    return program_is_runnable(&interpreter) ? PROGRAM_SCRIPT : PROGRAM_STRANDED;
}

static enum program_kind kind_by_loader(const char *loader)
{
    if (loader == NULL) {
        return PROGRAM_STATIC;
    }
    return loader[0] == '\0' ? PROGRAM_DAMAGED : PROGRAM_DYNAMIC;
}

static enum program_kind kind_of_file(struct program *program, int scripts)
{
    struct stat status;
    if (stat(program->path, &status) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? PROGRAM_MISSING : PROGRAM_UNREADABLE;
    }
    if (S_ISDIR(status.st_mode)) {
        return PROGRAM_DIRECTORY;
    }
    if (!S_ISREG(status.st_mode)) {
        return PROGRAM_OTHER;
    }
    if (access(program->path, X_OK) != 0) {
        return PROGRAM_NOT_EXECUTABLE;
    }

    struct elf_file file;
    switch (elf_open(&file, program->path)) {
    case ELF_UNREADABLE:
        return PROGRAM_UNREADABLE;
    case ELF_FOREIGN:
        return PROGRAM_FOREIGN;
    case ELF_OTHER:
        return kind_of_script(program, scripts);
    case ELF_OK:
        break;
    }
    enum program_kind kind = PROGRAM_OTHER;
    if (elf_type(&file) == ET_EXEC || elf_type(&file) == ET_DYN) {
        kind = kind_by_loader(elf_interpreter(&file));
    }
    elf_close(&file);
    return kind;
}

static void find_program(struct program *program, const char *name, int scripts)
{
    *program = (struct program){.name = name};
    if (strchr(name, '/') != NULL) {
        program->path = text_of("%s", name);
    } else if ((program->path = path_find(name)) == NULL) {
        program->path = text_of("./%s", name);
    }
    program->kind = name[0] == '\0' ? PROGRAM_MISSING : kind_of_file(program, scripts);
}

void program_find(struct program *program, const char *name)
{
    find_program(program, name, 0);
}

void program_require_runnable(const struct program *program)
{
    switch (program->kind) {
    case PROGRAM_MISSING:
        fail(STATUS_NOT_FOUND, "no such program: '%s'", program->name);
    case PROGRAM_UNREADABLE:
        fail(STATUS_CANNOT_RUN, "'%s' is not readable", program->name);
    case PROGRAM_DIRECTORY:
        fail(STATUS_CANNOT_RUN, "'%s' is a directory", program->name);
    case PROGRAM_NOT_EXECUTABLE:
        fail(STATUS_CANNOT_RUN, "'%s' is not executable", program->name);
    case PROGRAM_OTHER:
        fail(STATUS_CANNOT_RUN, "'%s' is neither an ELF program nor a script that begins with '#!'",
             program->name);
    case PROGRAM_STRANDED:
        fail(STATUS_CANNOT_RUN, "the script '%s' cannot be run: %s", program->name,
             script_fault(&program->interpreter));
    case PROGRAM_FOREIGN:
        fail(STATUS_CANNOT_RUN, "'%s' is built for another kind of machine", program->name);
    case PROGRAM_DAMAGED:
        fail(STATUS_CANNOT_RUN, "'%s' is a damaged ELF file", program->name);
    case PROGRAM_STATIC:
    case PROGRAM_DYNAMIC:
    case PROGRAM_SCRIPT:
        return;
    }
}

static void visit_library(const char *soname, const char *path, void *context)
{
    struct program *program = context;
    program->pmix = program->pmix || text_begins(soname, "libpmix.so.");
    if (mpi_kind_has_library(program->mpi) || program->mpi == MPI_KIND_ABI) {
        return;
    }
    enum mpi_kind kind = mpi_kind_of_library(soname, path);
    if (kind != MPI_KIND_NONE) {
        program->mpi = kind;
        program->mpi_soname = text_of("%s", soname);
        program->mpi_library = path == NULL ? NULL : text_of("%s", path);
    }
}

/* FILE is the program, or its interpreter; OBJECT is what is loaded into it. */
static void find_in_closure(struct program *program, const char *file, const char *object)
{
    struct elf_file elf;
    if (elf_open(&elf, file) != ELF_OK) {
        return;
    }
    const char *loader = elf_interpreter(&elf);
    if (loader != NULL) {
        /* If the name has no '/', the loader would look for a library of that name. */
        const char *here = strchr(object, '/') == NULL ? "./" : "";
        if (!closure_walk(loader, text_of("%s%s", here, object), visit_library, program,
                          &program->missing)) {
            program->refused = true;
        }
    }
    elf_close(&elf);
}

void program_find_mpi(struct program *program)
{
    if (program->kind != PROGRAM_DYNAMIC && program->kind != PROGRAM_SCRIPT) {
        return;
    }
    if (program->kind == PROGRAM_DYNAMIC) {
        find_in_closure(program, program->path, program->path);
    }

    const char *interpreter =
        program->kind == PROGRAM_SCRIPT ? program->interpreter.list[0] : program->path;
    if (program->mpi == MPI_KIND_NONE && python_is_one(interpreter)) {
        const char *module = python_mpi_module(interpreter);
        if (module != NULL) {
            find_in_closure(program, tree_executable(), module);
        }
    }
}

bool program_takes_other_launcher(const struct program *program, enum mpi_kind kind)
{
    return kind == MPI_KIND_MPICH && program->pmix;
}

static bool has_mpi_inside(const struct program *program)
{
    struct elf_file file;
    if (elf_open(&file, program->path) != ELF_OK) {
        return false;
    }
    bool inside = elf_defines(&file, ELF_ALL, "PMPI_Init");
    elf_close(&file);
    return inside;
}

char *program_no_mpi_sentence(const struct program *program)
{
    const char *name = program->name;
    if (program->mpi == MPI_KIND_ABI) {
        return text_of("'%s' uses the MPI standard's ABI (libmpi_abi), which mpipp does not know: "
                       "compile it with mpicc.mpich or mpicc.openmpi",
                       name);
    }
    if (program->mpi == MPI_KIND_UNKNOWN) {
        return text_of("'%s' uses an MPI library that is neither MPICH nor Open MPI: '%s'", name,
                       program->mpi_library);
    }
    if (program->kind == PROGRAM_STATIC) {
        return text_of("'%s' is linked statically, so that nothing can be preloaded: link it with "
                       "shared libraries",
                       name);
    }
    if (program->kind == PROGRAM_SCRIPT) {
        return text_of("cannot tell which MPI the script '%s' will use: say --mpi=mpich or "
                       "--mpi=openmpi",
                       name);
    }
    if (program->refused && program->missing != NULL) {
        return text_of("the dynamic loader cannot load '%s': %s", name, program->missing);
    }
    if (program->refused) {
        return text_of("the dynamic loader refuses '%s': it is damaged, or for another machine",
                       name);
    }
    if (has_mpi_inside(program)) {
        return text_of("'%s' has MPI itself linked in statically: link it with the shared MPI "
                       "library",
                       name);
    }
    return text_of(
        "'%s' is linked with no MPI library: if it loads one as it runs, say --mpi=mpich "
        "or --mpi=openmpi",
        name);
}

bool program_is_core_file(const char *path)
{
    struct elf_file file;
    if (elf_open(&file, path) != ELF_OK) {
        return false;
    }
    bool core = elf_type(&file) == ET_CORE;
    elf_close(&file);
    return core;
}
