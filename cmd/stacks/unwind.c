/* SPDX-License-Identifier: BSD-3-Clause */
#include "unwind.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../dwarf.h"
#include "../proc.h"
#include "../say.h"
#include "../words.h"
#include "frozen.h"

/* The most frames of a stack; an endless recursion has more. */
#define MOST_FRAMES 2000
/* The time for reading the stacks of a process; then its reader is given up. */
#define SECONDS_TO_READ 5
#define SECONDS_TO_WAIT 12

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Reads a process in a separate thread, because ptrace ends with the thread. */
struct reader {
    const struct dwarf *dwarf;
    Dwfl *dwfl;
    struct raw_process *process;
    struct raw_thread *thread; /* the thread whose frames are being read */
    int64_t end;               /* the time to give up */
};

/* Finds no separate debug information: unwinding needs only the tables in the files themselves. */
static int find_no_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
                             const char *file, const char *link, GElf_Word check, char **found)
{
    (void)module, (void)user, (void)name, (void)base, (void)file, (void)link, (void)check;
    (void)found;
    return -1;
}

static const char *build_of(const struct dwarf *dwarf, Dwfl_Module *module)
{
    const unsigned char *bytes;
    GElf_Addr address;
    int length = dwarf->dwfl_module_build_id(module, &bytes, &address);
    if (length <= 0) {
        return "";
    }
    char *text = calloc(1, 2 * (size_t)length + 1);
    if (text == NULL) {
        fail(1, "out of memory");
    }
    for (int i = 0; i < length; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

/* Facts that all frames of a module share, kept with the module. */
struct module_facts {
    const char *path, *build;
    Dwarf_Addr bias;
};

static const struct module_facts *facts_of(struct reader *reader, Dwfl_Module *module)
{
    const struct dwarf *dwarf = reader->dwarf;
    void **kept;
    const char *name = dwarf->dwfl_module_info(module, &kept, NULL, NULL, NULL, NULL, NULL, NULL);
    if (*kept != NULL) {
        return *kept;
    }
    struct module_facts *facts = calloc(1, sizeof *facts);
    if (facts == NULL) {
        fail(1, "out of memory");
    }
    *kept = facts;
    facts->path = text_of("%s", name == NULL ? "?" : name);
    dwarf->dwfl_module_getelf(module, &facts->bias);
    facts->build = build_of(dwarf, module); /* possible now, because the file is open */
    return facts;
}

static int take_frame(Dwfl_Frame *frame, void *context)
{
    struct reader *reader = context;
    struct raw_thread *thread = reader->thread;
    Dwarf_Addr pc;
    bool is_activation;
    if (!reader->dwarf->dwfl_frame_pc(frame, &pc, &is_activation)) {
        return DWARF_CB_ABORT;
    }
    if (thread->count == MOST_FRAMES || now_ns() > reader->end) {
        thread->is_cut = true;
        return DWARF_CB_ABORT;
    }
    if ((thread->count & (thread->count - 1)) == 0) { /* grows by powers of two */
        thread->frames = realloc(thread->frames, (thread->count == 0 ? 1 : 2 * thread->count) *
                                                     sizeof *thread->frames);
    }
    if (thread->frames == NULL) {
        fail(1, "out of memory");
    }
    struct raw_frame *raw = &thread->frames[thread->count++];
    *raw = (struct raw_frame){.pc = pc, .offset = pc, .is_return = !is_activation};
    Dwfl_Module *module = reader->dwarf->dwfl_addrmodule(reader->dwfl, pc - !is_activation);
    if (module != NULL) {
        const struct module_facts *facts = facts_of(reader, module);
        raw->module = facts->path;
        raw->build = facts->build;
        raw->offset = pc - facts->bias;
    }
    return DWARF_CB_OK;
}

static void take_threads(struct reader *reader, const struct frozen *frozen)
{
    struct raw_process *process = reader->process;
    process->threads = calloc(frozen->count, sizeof *process->threads);
    if (process->threads == NULL) {
        fail(1, "out of memory");
    }
    for (size_t i = 0; i < frozen->count; i++) {
        if (!frozen->threads[i].is_stopped) {
            continue;
        }
        struct raw_thread *thread = &process->threads[process->count];
        *thread = (struct raw_thread){.id = frozen->threads[i].id};
        reader->thread = thread;
        if (reader->dwarf->dwfl_getthread_frames(reader->dwfl, thread->id, take_frame, reader) !=
            0) {
            thread->is_cut = true;
        }
        process->count += thread->count != 0;
    }
}

static const char *last_error(const struct dwarf *dwarf)
{
    const char *error = dwarf->dwfl_errmsg(-1);
    return error == NULL ? "no reason is known" : error;
}

/* Reads the stopped process. Returns a sentence, or NULL. */
static const char *read_frozen(struct reader *reader, const struct frozen *frozen)
{
    const struct dwarf *dwarf = reader->dwarf;
    pid_t pid = reader->process->pid;
    Dwfl_Callbacks callbacks = {.find_elf = dwarf->dwfl_linux_proc_find_elf,
                                .find_debuginfo = find_no_debuginfo};
    reader->dwfl = dwarf->dwfl_begin(&callbacks);
    if (reader->dwfl == NULL) {
        return text_of("process %d cannot be read: %s", (int)pid, last_error(dwarf));
    }
    const char *why = NULL;
    if (dwarf->dwfl_linux_proc_report(reader->dwfl, pid) != 0 ||
        dwarf->dwfl_report_end(reader->dwfl, NULL, NULL) != 0 ||
        dwarf->dwfl_linux_proc_attach(reader->dwfl, pid, true) != 0) {
        why = text_of("process %d cannot be read: %s", (int)pid, last_error(dwarf));
    } else {
        take_threads(reader, frozen);
    }
    dwarf->dwfl_end(reader->dwfl);
    if (why == NULL && reader->process->count == 0) {
        why = text_of("process %d has a stack that cannot be read", (int)pid);
    }
    return why;
}

/* Returns a sentence if some threads do not leave the kernel. */
static const char *why_not_all(const struct frozen *frozen)
{
    size_t count = 0;
    for (size_t i = 0; i < frozen->count; i++) {
        count += frozen->threads[i].id != 0 && !frozen->threads[i].is_stopped;
    }
    if (count == 0) {
        return NULL;
    }
    return text_of("process %d has %zu %s in the kernel and %s not stop", (int)frozen->pid, count,
                   count == 1 ? "thread that waits" : "threads that wait",
                   count == 1 ? "does" : "do");
}

static void *read_process(void *context)
{
    struct reader *reader = context;
    struct raw_process *process = reader->process;
    struct frozen frozen = {.pid = process->pid};
    process->why = freeze(&frozen);
    reader->end = now_ns() + SECONDS_TO_READ * INT64_C(1000000000);
    if (process->why == NULL) {
        process->why = read_frozen(reader, &frozen);
        process->calls = mpi_calls_read(process->pid);
        if (process->why == NULL) {
            process->why = why_not_all(&frozen);
        }
        if (process->why == NULL && frozen.was_stopped) {
            process->why = text_of("process %d is stopped by a signal", (int)process->pid);
        }
    }
    thaw(&frozen);
    return NULL;
}

/* Returns true if the thread has ended in time. */
static bool join_in_time(pthread_t thread)
{
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += SECONDS_TO_WAIT;
    return pthread_timedjoin_np(thread, NULL, &end) == 0;
}

struct raw_process *unwind(pid_t pid)
{
    enum { STACK = 8 << 20 }; /* libdw may need more than the user's limit */
    struct raw_process *process = calloc(1, sizeof *process);
    struct reader *reader = calloc(1, sizeof *reader);
    if (process == NULL || reader == NULL) {
        fail(1, "out of memory");
    }
    *process = (struct raw_process){.pid = pid, .program = proc_program(pid)};
    *reader = (struct reader){.dwarf = dwarf_load(), .process = process};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    bool began = pthread_create(&thread, &attributes, read_process, reader) == 0;
    pthread_attr_destroy(&attributes);
    if (began && join_in_time(thread)) {
        return process;
    }
    struct raw_process *given_up = calloc(1, sizeof *given_up); /* the thread that was given up
                                                                   may still use the other one */
    if (given_up == NULL) {
        fail(1, "out of memory");
    }
    *given_up = (struct raw_process){
        .pid = pid,
        .program = process->program,
        .why = text_of("process %d cannot be read: the kernel does not answer", (int)pid),
    };
    return given_up;
}
