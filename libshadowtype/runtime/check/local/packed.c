/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pack and MPI_Unpack: whether the elements fit in the packed data from the position on. */
#include <stdio.h>
#include <string.h>

#include "runtime/check/checks.h"
#include "runtime/report/finding.h"

bool st_has_packed(const struct st_form *form)
{
    return st_parameter_of(form, ST_ROLE_POSITION) >= 0;
}

/* Elements have other sizes in the format "external32". */
static bool is_external(const struct st_form *form)
{
    return strstr(form->name, "_external") != NULL;
}

void st_check_packed(struct st_facts *facts)
{
    const int room = st_parameter_of(facts->form, ST_ROLE_BYTES);
    const int position = st_parameter_of(facts->form, ST_ROLE_POSITION);
    const int64_t bytes = st_part_bytes(facts, &facts->form->parts[0]);
    if (!bytes || is_external(facts->form) || st_found_at(facts, room) ||
        st_found_at(facts, position) || !facts->values[position]) {
        return;
    }
    const int64_t begin = st_number_at(facts, position, 0);
    const int64_t left = (int64_t)facts->values[room] - begin;
    if (bytes <= left) {
        return;
    }
    const bool packs = facts->form->parts[0].access == ST_READ;
    char message[160];
    snprintf(message, sizeof message, "%s %lld bytes %s %lld bytes from position %lld on",
             packs ? "packs" : "unpacks", (long long)bytes, packs ? "into" : "from",
             (long long)left, (long long)begin);
    st_find(facts, &(struct st_found){
                       .check = ST_ARGUMENT_COUNT,
                       .parameter = room,
                       .message = message,
                       .advice = packs ? "MPI_Pack_size says how many bytes are needed"
                                       : "unpack no more elements than were packed; pass as size "
                                         "the position after the last MPI_Pack, or what "
                                         "MPI_Get_count says of the message"});
}
