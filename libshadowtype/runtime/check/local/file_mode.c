/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file-mode: calls that the access mode of a file does not allow (MPI-4.0, 14.2.1, 14.2.4, 14.2.5,
 * 14.4.2 to 14.4.4).
 *
 * Many programs do not look at what MPI_File_... returns, and MPI returns errors of files to the
 * program by default. So such a call has no effect, and nobody notices.
 *
 * A call with no data is not reported for MPI_MODE_RDONLY and MPI_MODE_WRONLY: MPI libraries differ.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/objects/records.h"
#include "runtime/record/lock.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"

bool st_file_mode(uint64_t file, unsigned *mode)
{
    bool locked = st_lock();
    bool is_open = st_records_find(ST_KIND_FILE, file, 0) != NULL;
    st_unlock(locked);
    return is_open && st_ask_file_mode(file, mode);
}

static bool has_word(const struct st_form *form, const char *word)
{
    return strstr(form->name, word) != NULL;
}

/* Returns true for functions that change the size of the file. */
static bool changes_size(const struct st_form *form)
{
    return has_word(form, "_set_size") || has_word(form, "_preallocate");
}

/* Returns true for MPI_File_seek, and for functions with a shared file pointer that need more than
 * sequential access. */
static bool moves_pointer(const struct st_form *form)
{
    return has_word(form, "_seek") || has_word(form, "_get_position_shared");
}

/* Returns true for data access with explicit offsets, or with individual file pointers. */
static bool accesses_anywhere(const struct st_form *form)
{
    return form->part_count && !has_word(form, "_shared") && !has_word(form, "_ordered");
}

bool st_depends_on_file_mode(const struct st_form *form)
{
    return form->file >= 0 && strncmp(form->name, "MPI_File_", strlen("MPI_File_")) == 0 &&
           (form->part_count || changes_size(form) || moves_pointer(form));
}

static bool has_data(const struct st_facts *facts)
{
    const int count = st_parameter_of(facts->form, ST_ROLE_COUNT);
    return count >= 0 && !st_found_at(facts, count) && (int64_t)facts->values[count] > 0;
}

static bool is_access(const struct st_facts *facts, enum st_access access)
{
    return facts->form->part_count && facts->form->parts[0].access == access && has_data(facts);
}

/* Returns the name of the mode that forbids the call; NULL if none does. */
static const char *forbidding_mode(const struct st_facts *facts, unsigned mode)
{
    const struct st_form *form = facts->form;
    if (mode & ST_FILE_RDONLY && (changes_size(form) || is_access(facts, ST_READ))) {
        return "MPI_MODE_RDONLY";
    }
    if (mode & ST_FILE_WRONLY && is_access(facts, ST_WRITE)) {
        return "MPI_MODE_WRONLY";
    }
    return mode & ST_FILE_SEQUENTIAL &&
                   (changes_size(form) || moves_pointer(form) || accesses_anywhere(form))
               ? "MPI_MODE_SEQUENTIAL"
               : NULL;
}

void st_check_file_mode(struct st_facts *facts)
{
    const int number = facts->form->file;
    unsigned mode;
    char message[128];
    if (st_found_at(facts, number) || !st_file_mode(facts->values[number], &mode)) {
        return;
    }
    const char *name = forbidding_mode(facts, mode);
    if (!name) {
        return;
    }
    snprintf(message, sizeof message, "calls %s for a file that was opened with %s",
             facts->form->name, name);
    st_find(facts, &(struct st_found){
                       .check = ST_FILE_MODE,
                       .parameter = number,
                       .message = message,
                       .advice = strcmp(name, "MPI_MODE_SEQUENTIAL") == 0
                                     ? "use the shared file pointer (MPI_File_write_shared, "
                                       "MPI_File_write_ordered), or open the file without "
                                       "MPI_MODE_SEQUENTIAL"
                                     : "open the file with MPI_MODE_RDWR, and look at what "
                                       "MPI_File_... functions return",
                   });
}
