/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file-split-order: MPI_File_..._begin and its _end (MPI-4.0, 14.4.5).
 *
 * While a split collective operation is active on a file handle, these calls are wrong for it:
 * another split operation, other collective data access, and MPI_File_set_view, _set_size,
 * _preallocate, _sync and _close. Independent access, and other collective calls, are allowed.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/objects/collectives.h"
#include "runtime/record/sites.h"
#include "runtime/report/frames.h"

enum st_split_part { PART_NONE, PART_BEGIN, PART_END, PART_BETWEEN };

/* The active operation of a file. A file without an entry has none. */
struct st_split_file {
    uint64_t serial;            /* of its struct st_comm; 0: not in use */
    const struct st_form *form; /* MPI_File_..._begin; NULL: not known whether one is active */
    uint32_t site;
};
enum { MOST_FILES = 64 };
static struct st_split_file files[MOST_FILES]; /* changed under the recorder's lock */
static bool is_full; /* an entry did not fit: an _end may have an unknown _begin */

/* --- functions ----------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static enum st_split_part part_of(const struct st_form *form)
{
    static const char *const between[] = {"set_view", "set_size", "preallocate", "sync", "close"};
    const char *name = form->name + strlen("MPI_File_");
    if (ends_with(name, "_begin") || ends_with(name, "_begin_c")) {
        return PART_BEGIN;
    }
    if (ends_with(name, "_end")) {
        return PART_END;
    }
    for (size_t i = 0; i < sizeof between / sizeof *between; i++) {
        if (strcmp(name, between[i]) == 0) {
            return PART_BETWEEN;
        }
    }
    return form->part_count ? PART_BETWEEN : PART_NONE;
}

bool st_is_split_order(const struct st_form *form)
{
    return form->collective >= 0 && form->parameters[form->collective].kind == ST_KIND_FILE &&
           part_of(form) != PART_NONE;
}

/* MPI_File_read_all_begin, or _begin_c, and MPI_File_read_all_end */
static bool belong_together(const struct st_form *begin, const struct st_form *end)
{
    const size_t stem = strlen(end->name) - strlen("end");
    return strncmp(begin->name, end->name, stem) == 0 &&
           strncmp(begin->name + stem, "begin", strlen("begin")) == 0;
}

/* --- files --------------------------------------------------------------------------------- */

/* Returns 0 if the file is not known. */
static uint64_t serial_of(const struct st_facts *facts)
{
    const int number = facts->form->collective;
    const bool pointer = facts->form->parameters[number].pointer;
    if (st_found_at(facts, number) || (pointer && !facts->values[number])) {
        return 0;
    }
    const struct st_comm *comm =
        st_comm_find_near(pointer ? st_handle_at(facts, number, 0) : facts->values[number]);
    return comm && comm->kind == ST_KIND_FILE ? comm->serial : 0;
}

static struct st_split_file *find_file(uint64_t serial)
{
    for (size_t i = 0; i < MOST_FILES; i++) {
        if (files[i].serial == serial) {
            return &files[i];
        }
    }
    return NULL;
}

/* Returns false if nothing has begun on the file. */
static bool read_file(uint64_t serial, struct st_split_file *file)
{
    bool locked = st_lock();
    const struct st_split_file *found = find_file(serial);
    *file = found ? *found : (struct st_split_file){0};
    bool unknown = !found && is_full;
    st_unlock(locked);
    return found || unknown;
}

static void write_file(const struct st_split_file *file)
{
    bool locked = st_lock();
    struct st_split_file *found = find_file(file->serial);
    if (!found) {
        found = find_file(0);
    }
    if (found) {
        *found = *file;
    } else {
        is_full = true;
    }
    st_unlock(locked);
}

static void forget_file(uint64_t serial)
{
    bool locked = st_lock();
    struct st_split_file *found = find_file(serial);
    if (found) {
        found->serial = 0;
    }
    st_unlock(locked);
}

/* --- one call ------------------------------------------------------------------------------ */

static void find_wrong(struct st_facts *facts, const struct st_split_file *file,
                       const char *message)
{
    st_find(facts,
            &(struct st_found){
                .check = ST_FILE_SPLIT_ORDER,
                .parameter = facts->form->collective,
                .message = message,
                .advice = "end each split collective operation with the _end of its _begin, before "
                          "the next collective call that uses the file",
                .other_call = file->form ? file->form->name : NULL,
                .other_site = file->form ? file->site : ST_NO_SITE,
            });
}

/* Returns true if the call is wrong; *message says why. */
static bool is_wrong(const struct st_form *form, bool has_begun, const struct st_split_file *file,
                     char *message, size_t room)
{
    if (part_of(form) != PART_END) {
        if (file->form) {
            snprintf(message, room, "calls %s between %s and its end", form->name,
                     file->form->name);
        }
        return file->form;
    }
    if (!has_begun) {
        snprintf(message, room, "calls %s, and no split collective operation has begun on the file",
                 form->name);
    } else if (file->form && !belong_together(file->form, form)) {
        snprintf(message, room, "calls %s for what %s has begun", form->name, file->form->name);
    } else {
        return false;
    }
    return true;
}

void st_check_split(struct st_facts *facts)
{
    struct st_split_file file;
    char message[160];
    const uint64_t serial = serial_of(facts);
    if (!serial) {
        return;
    }
    const bool has_begun = read_file(serial, &file);
    if (ends_with(facts->form->name, "_close")) {
        forget_file(serial);
    }
    if (!is_wrong(facts->form, has_begun, &file, message, sizeof message)) {
        return;
    }
    find_wrong(facts, &file, message);
    /* Only one finding: after a wrong call only MPI knows what is active. */
    if (!ends_with(facts->form->name, "_close")) {
        write_file(&(struct st_split_file){.serial = serial});
    }
}

void st_check_split_after(const struct st_facts *facts, bool succeeded)
{
    const uint64_t serial = serial_of(facts);
    if (!serial) {
        return;
    }
    switch (part_of(facts->form)) {
    case PART_BEGIN:
        write_file(&(struct st_split_file){serial, succeeded ? facts->form : NULL,
                                           succeeded ? st_site_number(facts->call) : ST_NO_SITE});
        break;
    case PART_END:
        if (succeeded) {
            forget_file(serial);
        } else {
            write_file(&(struct st_split_file){.serial = serial});
        }
        break;
    default:
        break;
    }
}
