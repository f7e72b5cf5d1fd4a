/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/report/frames.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "report/writer.h"
#include "runtime/wrap/python.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"
#include "runtime/record/sites.h"

/* The object that is mapped at an address. */
struct st_module {
    uintptr_t address;
    struct st_places *places;
    struct st_frame *frame;
    bool found;
};

/* Returns a copy that lives as long as the report; NULL if there is no room, or nothing to copy. */
static char *copy_text(struct st_places *places, const char *text, size_t length)
{
    if (!text || ST_MOST_PLACE_TEXT - places->text_used < length + 1) {
        return NULL;
    }
    char *copy = places->text + places->text_used;
    memcpy(copy, text, length);
    copy[length] = 0;
    places->text_used += length + 1;
    return copy;
}

static const char *build_id(const struct dl_phdr_info *object, struct st_places *places)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_NOTE) {
            continue;
        }
        const char *at = (const char *)(object->dlpi_addr + segment->p_vaddr);
        const char *end = at + segment->p_memsz;
        while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
            ElfW(Nhdr) note;
            memcpy(&note, at, sizeof note);
            const char *name = at + sizeof note;
            const unsigned char *id =
                (const unsigned char *)name + ((note.n_namesz + 3u) & ~UINT32_C(3));
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && note.n_descsz <= 32 &&
                memcmp(name, "GNU", 4) == 0) {
                char hex[65];
                for (uint32_t k = 0; k < note.n_descsz; k++) {
                    hex[2 * k] = "0123456789abcdef"[id[k] >> 4];
                    hex[2 * k + 1] = "0123456789abcdef"[id[k] & 15];
                }
                return copy_text(places, hex, 2u * note.n_descsz);
            }
            at = (const char *)id + ((note.n_descsz + 3u) & ~UINT32_C(3));
        }
    }
    return NULL;
}

static const char *path_of_program(struct st_places *places)
{
    char *path = places->text + places->text_used;
    size_t room = ST_MOST_PLACE_TEXT - places->text_used;
    ssize_t length = room > 1 ? readlink("/proc/self/exe", path, room - 1) : -1;
    if (length < 0 || (size_t)length == room - 1) { /* it may be truncated */
        return copy_text(places, "", 0);
    }
    path[length] = 0;
    places->text_used += (size_t)length + 1;
    return path;
}

static int look_at_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct st_module *module = context;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD ||
            module->address - (object->dlpi_addr + segment->p_vaddr) >= segment->p_memsz) {
            continue;
        }
        const char *path = object->dlpi_name;
        module->frame->module = path && path[0] ? copy_text(module->places, path, strlen(path))
                                                : path_of_program(module->places);
        module->frame->offset = module->address - object->dlpi_addr;
        module->frame->build = build_id(object, module->places);
        return 1;
    }
    return 0;
}

/* Converts "/path/script.py:12\nfunction" to "/path/script.py:12 in function". */
static const char *text_of(struct st_places *places, const struct st_block *block)
{
    const char *from = (const char *)(block + 1);
    struct st_writer writer = {places->text + places->text_used,
                               ST_MOST_PLACE_TEXT - places->text_used, 0};
    for (uint64_t i = 0; i < block->bytes; i++) {
        st_put_bytes(&writer, from[i] == '\n' ? " in " : &from[i], from[i] == '\n' ? 4 : 1);
    }
    st_put_bytes(&writer, "", 1);
    if (writer.length > writer.room) {
        return NULL;
    }
    places->text_used += writer.length;
    return writer.bytes;
}

static void fill_frame(struct st_places *places, struct st_frame *frame, uint64_t address)
{
    *frame = (struct st_frame){.is_return = true};
    if (address & ST_SITE_TEXT) {
        frame->text = text_of(places, st_pointer(address & ~ST_SITE_TEXT));
        return;
    }
    struct st_module module = {.address = (uintptr_t)address - 1, .places = places, .frame = frame};
    if (!dl_iterate_phdr(look_at_object, &module)) {
        frame->offset = address;
        return;
    }
    frame->offset++;
    Dl_info info;
    if (dladdr((void *)((uintptr_t)address - 1), &info) && info.dli_sname) {
        frame->symbol = copy_text(places, info.dli_sname, strlen(info.dli_sname));
        frame->symbol_offset = address - (uint64_t)(uintptr_t)info.dli_saddr;
    }
}

struct st_frames st_places_of(struct st_places *places, const uint64_t *frames, size_t most)
{
    struct st_frames result = {.list = places->frames + places->used};
    while (result.count < most && frames[result.count] && places->used < ST_MOST_PLACES) {
        fill_frame(places, &places->frames[places->used++], frames[result.count]);
        result.count++;
    }
    return result;
}

void st_site_of_call(const struct st_call *call, struct st_site *site)
{
    int state;
    bool entered = call->caller == ST_CALLER_PYTHON && st_python_enter_alone(&state);
    st_site_of(call->pc, call->sp, call->caller, site);
    if (entered) {
        st_python_leave(state);
    }
}

static __attribute__((noinline)) uint32_t intern_site(const struct st_call *call)
{
    struct st_site site;
    st_site_of_call(call, &site);
    bool locked = st_lock();
    const uint32_t number = st_site_intern(site.frames);
    st_unlock(locked);
    return number;
}

/* The site of a call that the program makes has pc alone, where sites have one frame: most are among
 * the last ones. */
uint32_t st_site_number(const struct st_call *call)
{
    if (call->caller != ST_CALLER_USER) {
        return intern_site(call);
    }
    bool locked = st_lock();
    const struct st_remembered_site known = *st_remembered_site((uintptr_t)call->pc);
    st_unlock(locked);
    return known.pc == (uintptr_t)call->pc ? known.site : intern_site(call);
}

void st_site_read(uint32_t site, uint64_t *frames)
{
    if (site >= st_root.sites_used) {
        return;
    }
    const uint64_t *chunks = st_pointer(st_root.site_chunks);
    const uint64_t *chunk = st_pointer(chunks[site / st_root.sites_per_chunk]);
    memcpy(frames, chunk + (size_t)(site % st_root.sites_per_chunk) * st_root.site_frames,
           st_root.site_frames * sizeof *frames);
}

struct st_frames st_places_of_site(struct st_places *places, uint32_t site)
{
    uint64_t frames[ST_SITE_FRAMES] = {0};
    st_site_read(site, frames);
    return st_places_of(places, frames, st_root.site_frames);
}
