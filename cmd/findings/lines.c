/* SPDX-License-Identifier: BSD-3-Clause */
#include "lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../say.h"
#include "../words.h"
#include "../dwarf.h"
#include "fortran_line.h"
#include "scopes.h"
#include "table.h"

struct module {
    const char *path;
    const char *build;
    Dwfl_Module *dwfl; /* NULL: it has no usable debug information */
    Dwarf_Addr bias;
    struct stat file; /* when it was read; all 0: it was not there */
};

static struct module *modules;
static size_t module_count;

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Returns false for a program that was rebuilt: its lines may differ. */
static bool is_the_build(const struct dwarf *dwarf, Dwfl_Module *module, const char *build)
{
    const unsigned char *bytes;
    GElf_Addr address;
    if (build == NULL) {
        return true;
    }
    int length = dwarf->dwfl_module_build_id(module, &bytes, &address);
    if (length <= 0) {
        return build[0] == '\0';
    }
    for (int i = 0; i < length; i++) {
        const char digits[] = {"0123456789abcdef"[bytes[i] >> 4],
                               "0123456789abcdef"[bytes[i] & 15]};
        if (strncmp(build + 2 * i, digits, 2) != 0) {
            return false;
        }
    }
    return build[2 * length] == '\0';
}

static void open_module(const struct dwarf *dwarf, struct module *module)
{
    Dwfl_Callbacks *callbacks = zeroed(1, sizeof *callbacks);
    *callbacks = (Dwfl_Callbacks){
        .find_elf = dwarf->dwfl_build_id_find_elf,
        .find_debuginfo = dwarf->dwfl_standard_find_debuginfo,
        .section_address = dwarf->dwfl_offline_section_address,
    };
    Dwfl *dwfl = dwarf->dwfl_begin(callbacks);
    if (dwfl == NULL) {
        return;
    }
    dwarf->dwfl_report_begin(dwfl);
    Dwfl_Module *found = dwarf->dwfl_report_offline(dwfl, module->path, module->path, -1);
    dwarf->dwfl_report_end(dwfl, NULL, NULL);
    if (found == NULL || dwarf->dwfl_module_getelf(found, &module->bias) == NULL ||
        !is_the_build(dwarf, found, module->build)) {
        return;
    }
    module->dwfl = found;
}

static struct stat status_of(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 ? status : (struct stat){0};
}

static const struct module *module_of(const struct dwarf *dwarf, const struct st_frame *frame)
{
    for (size_t i = 0; i < module_count; i++) {
        if (same_text(modules[i].path, frame->module) &&
            same_text(modules[i].build, frame->build)) {
            return &modules[i];
        }
    }
    modules = realloc(modules, (module_count + 1) * sizeof *modules);
    if (modules == NULL) {
        fail(1, "out of memory");
    }
    struct module *module = &modules[module_count++];
    *module = (struct module){.path = frame->module, .build = frame->build};
    module->file = status_of(module->path);
    open_module(dwarf, module);
    return module;
}

static void append_place(struct stack_writer *writer, const struct st_frame *frame,
                         struct place place)
{
    size_t count = writer->count + 1;
    writer->frames = realloc(writer->frames, count * sizeof *writer->frames);
    writer->places = realloc(writer->places, count * sizeof *writer->places);
    if (writer->frames == NULL || writer->places == NULL) {
        fail(1, "out of memory");
    }
    writer->frames[writer->count] = *frame;
    writer->places[writer->count] = place;
    writer->count = count;
}

static void add_frame(struct stack_writer *writer, const struct st_frame *frame, struct place place)
{
    struct st_frame named = *frame;
    place.module = frame->module;
    if (place.file != NULL) {
        const char *name = text_base_name(place.file);
        named.text = place.function != NULL
                         ? text_of("%s:%d in %s()", name, place.line, place.function)
                         : text_of("%s:%d", name, place.line);
    }
    append_place(writer, &named, place);
}

static bool is_function(const struct dwarf *dwarf, Dwarf_Die *die)
{
    int tag = dwarf->dwarf_tag(die);
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram ||
           tag == DW_TAG_entry_point;
}

static const char *name_of(const struct dwarf *dwarf, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    return dwarf->dwarf_formstring(dwarf->dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

static Dwarf_Word number_of(const struct dwarf *dwarf, Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    dwarf->dwarf_formudata(dwarf->dwarf_attr_integrate(die, name, &attribute), &value);
    return value;
}

/* A frame that is being resolved. */
struct task {
    const struct dwarf *dwarf;
    const struct st_frame *frame;
    const char *call; /* NULL: the frame calls no MPI function, or it is not known which */
    struct stack_writer *writer;
};

/* Adds the function at PLACE and those that it is inlined into. Returns false if it is not known. */
static bool add_functions(const struct task *task, const struct module *module, Dwarf_Addr address,
                          struct place place)
{
    const struct dwarf *dwarf = task->dwarf;
    struct stack_writer *writer = task->writer;
    Dwarf_Addr bias;
    Dwarf_Die *scopes = NULL;
    Dwarf_Files *files = NULL;
    size_t file_count = 0;
    Dwarf *debug = dwarf->dwfl_module_getdwarf(module->dwfl, &bias);
    Dwarf_Die *unit = dwarf->dwfl_module_addrdie(module->dwfl, address, &bias);
    if (debug == NULL || unit == NULL) {
        return false;
    }
    size_t before = writer->count;
    dwarf->dwarf_getsrcfiles(unit, &files, &file_count);
    int count = scopes_at(dwarf, debug, unit, address - bias, &scopes);
    for (int i = 0; i < count; i++) {
        if (!is_function(dwarf, &scopes[i])) {
            continue;
        }
        place.function = name_of(dwarf, &scopes[i]);
        if (task->call != NULL && writer->count == before) {
            place.line =
                fortran_line_of(dwarf, &(struct fortran_call){unit, &scopes[i], address - bias,
                                                              place.file, place.line, task->call});
        }
        add_frame(writer, task->frame, place);
        if (dwarf->dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine) {
            break;
        }
        Dwarf_Word file = number_of(dwarf, &scopes[i], DW_AT_call_file);
        place.file = file < file_count ? dwarf->dwarf_filesrc(files, file, NULL, NULL) : NULL;
        place.line = (int)number_of(dwarf, &scopes[i], DW_AT_call_line);
    }
    free(scopes);
    return writer->count != before;
}

/* Returns a symbol's name in the source: "send" for gfortran's "send.0" and "__halo_MOD_send", and
 * for clones such as "send.constprop.0". */
static const char *source_name(const char *symbol)
{
    const char *module_end = text_begins(symbol, "__") ? strstr(symbol, "_MOD_") : NULL;
    const char *name = module_end != NULL ? module_end + strlen("_MOD_") : symbol;
    size_t length = strcspn(name, ".");
    return length == 0 ? symbol : text_of("%.*s", (int)length, name);
}

static bool resolve_frame(const struct task *task, const struct module *module)
{
    const struct dwarf *dwarf = task->dwarf;
    const struct st_frame *frame = task->frame;
    struct place place = {0};
    Dwarf_Addr address = frame->offset + module->bias - (frame->is_return ? 1 : 0);
    Dwfl_Line *line = dwarf->dwfl_module_getsrc(module->dwfl, address);
    if (line != NULL) {
        place.file = dwarf->dwfl_lineinfo(line, NULL, &place.line, NULL, NULL, NULL);
    }
    if (place.file != NULL && add_functions(task, module, address, place)) {
        return true;
    }
    GElf_Off into;
    GElf_Sym symbol;
    place.function =
        dwarf->dwfl_module_addrinfo(module->dwfl, address, &into, &symbol, NULL, NULL, NULL);
    if (place.function == NULL && place.file == NULL) {
        return false;
    }
    struct st_frame named = *frame;
    if (place.function != NULL) {
        place.function = source_name(place.function);
    }
    if (named.symbol == NULL && place.function != NULL) {
        named.symbol = place.function;
        named.symbol_offset = into + (frame->is_return ? 1 : 0);
    }
    add_frame(task->writer, &named, place);
    return true;
}

/* Reads "halo.py:12 in main", which the rank has resolved itself. */
static struct place place_of_text(const char *text)
{
    struct place place = {0};
    const char *in = strstr(text, " in ");
    size_t length = in != NULL ? (size_t)(in - text) : strlen(text);
    size_t colon = length;
    while (colon > 0 && text[colon - 1] != ':') {
        colon--;
    }
    if (colon == 0) {
        return place;
    }
    char *end;
    long line = strtol(text + colon, &end, 10);
    if (end != text + length || line <= 0 || line > 1000000000) {
        return place;
    }
    place.file = text_of("%.*s", (int)colon - 1, text);
    place.line = (int)line;
    if (in != NULL) {
        place.function = text_of("%.*s", (int)strcspn(in + 4, "("), in + 4);
    }
    return place;
}

/* A frame and its result, kept because ranks name the same places again and again. */
struct resolved {
    struct st_frame frame;
    const char *call;
    struct stack_writer result;
};

static struct resolved *cache;
static size_t cached;
static struct table cache_table;

static bool has_frame(const void *context, size_t index)
{
    const struct task *task = context;
    const struct st_frame *wanted = task->frame, *known = &cache[index].frame;
    return same_text(cache[index].call, task->call) && known->offset == wanted->offset &&
           known->is_return == wanted->is_return && known->symbol_offset == wanted->symbol_offset &&
           same_text(known->symbol, wanted->symbol) && same_text(known->module, wanted->module) &&
           same_text(known->build, wanted->build);
}

static uint64_t hash_of(const struct st_frame *frame)
{
    return table_hash_text(frame->module) ^ table_hash_number(frame->offset);
}

static const char *copy_text(const char *text)
{
    return text != NULL ? text_of("%s", text) : NULL;
}

/* Copies the texts, which the caller may free. Lets the task have the copies. */
static struct stack_writer *remember_frame(struct task *task, uint64_t hash)
{
    if ((cached & (cached - 1)) == 0) { /* grows by powers of two */
        cache = realloc(cache, (cached == 0 ? 1 : 2 * cached) * sizeof *cache);
    }
    if (cache == NULL) {
        fail(1, "out of memory");
    }
    struct st_frame *frame = zeroed(1, sizeof *frame);
    *frame = *task->frame;
    frame->module = copy_text(frame->module);
    frame->symbol = copy_text(frame->symbol);
    frame->build = copy_text(frame->build);
    task->frame = frame;
    task->call = copy_text(task->call);
    cache[cached] = (struct resolved){.frame = *frame, .call = task->call};
    table_add(&cache_table, hash, cached);
    return &cache[cached++].result;
}

static void *do_task(void *context)
{
    const struct task *task = context;
    const struct module *module = module_of(task->dwarf, task->frame);
    if (module->dwfl == NULL || !resolve_frame(task, module)) {
        add_frame(task->writer, task->frame, (struct place){.function = task->frame->symbol});
    }
    return NULL;
}

/* Uses a large stack: libdw needs more than 150 KiB, and the user's limit may be lower. */
static void resolve_on_large_stack(struct task *task)
{
    enum { STACK = 8 << 20 };
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    if (pthread_create(&thread, &attributes, do_task, task) == 0) {
        pthread_join(thread, NULL);
    } else {
        do_task(task);
    }
    pthread_attr_destroy(&attributes);
}

/* Returns libdw; NULL if it cannot be loaded, which is reported the first time. */
static const struct dwarf *load_dwarf(void)
{
    static bool has_said;
    const struct dwarf *dwarf = dwarf_load();
    if (dwarf == NULL && !has_said) {
        warn("places have no file and line: %s", dwarf_why_not());
    }
    has_said = has_said || dwarf == NULL;
    return dwarf;
}

void lines_resolve(const struct st_frame *frame, const char *call, struct stack_writer *writer)
{
    if (frame->text != NULL) {
        add_frame(writer, frame, place_of_text(frame->text));
        writer->frames[writer->count - 1].text = frame->text;
        return;
    }
    const struct dwarf *dwarf = frame->module != NULL ? load_dwarf() : NULL;
    if (dwarf == NULL) {
        add_frame(writer, frame, (struct place){.function = frame->symbol});
        return;
    }
    struct task task = {.dwarf = dwarf, .frame = frame, .call = call};
    uint64_t hash = hash_of(frame);
    size_t at = table_find(&cache_table, hash, has_frame, &task);
    struct stack_writer *result = task.writer =
        at == TABLE_NONE ? remember_frame(&task, hash) : &cache[at].result;
    if (at == TABLE_NONE) {
        resolve_on_large_stack(&task);
    }
    for (size_t i = 0; i < result->count; i++) {
        append_place(writer, &result->frames[i], result->places[i]);
    }
}

static bool has_changed(const struct module *module)
{
    const struct stat now = status_of(module->path);
    return now.st_dev != module->file.st_dev || now.st_ino != module->file.st_ino ||
           now.st_size != module->file.st_size ||
           now.st_mtim.tv_sec != module->file.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != module->file.st_mtim.tv_nsec;
}

void lines_forget_changed(void)
{
    bool any = false;
    for (size_t i = 0; i < module_count && !any; i++) {
        any = has_changed(&modules[i]);
    }
    if (!any) {
        return;
    }
    /* The memory is not freed: what was resolved is in use. */
    modules = NULL;
    module_count = 0;
    cache = NULL;
    cached = 0;
    cache_table = (struct table){0};
    fortran_line_forget();
}
