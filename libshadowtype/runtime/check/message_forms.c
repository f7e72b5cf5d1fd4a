/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/message_forms.h"

#include <string.h>

#include "runtime/ranks/message_ends.h"
#include "runtime/record/root.h"

static struct st_message_form *forms; /* by the number of the form */

static bool is_any(uint8_t role, const uint8_t *roles, size_t count)
{
    return memchr(roles, role, count) != NULL;
}

static bool is_probe(const struct st_form *form)
{
    return strcmp(form->name, "MPI_Mprobe") == 0 || strcmp(form->name, "MPI_Improbe") == 0;
}

/* Returns true if the name is one of a list that ends with NULL. `_c` at its end does not count. */
static bool is_named(const struct st_form *form, const char *const *names)
{
    for (; *names; names++) {
        const size_t length = strlen(*names);
        if (strncmp(form->name, *names, length) == 0 &&
            (!form->name[length] || strcmp(form->name + length, "_c") == 0)) {
            return true;
        }
    }
    return false;
}

static bool is_partitioned(const struct st_form *form)
{
    static const char *const names[] = {"MPI_Psend_init", "MPI_Precv_init", NULL};
    return is_named(form, names);
}

static bool is_length(const struct st_form *form)
{
    static const char *const names[] = {"MPI_Get_elements", "MPI_Get_elements_x", "MPI_Get_count",
                                        NULL};
    return is_named(form, names);
}

static struct st_message_form form_of(const struct st_form *form)
{
    static const uint8_t begin[] = {ST_ROLE_START, ST_ROLE_STARTS, ST_ROLE_CANCEL, ST_ROLE_RELEASE};
    static const char *const waits[] = {"MPI_Wait", "MPI_Waitall", NULL};
    static const char *const sends[] = {"MPI_Isend", "MPI_Issend", "MPI_Send_init",
                                        "MPI_Ssend_init", NULL};
    static const char *const vague[] = {"MPI_Isendrecv", "MPI_Isendrecv_replace", NULL};
    static const uint8_t complete[] = {ST_ROLE_DONE, ST_ROLE_DONES};
    struct st_message_form known = {
        .status = (int8_t)st_parameter_of(form, ST_ROLE_STATUS),
        .statuses = (int8_t)st_parameter_of(form, ST_ROLE_STATUSES),
        .indices = (int8_t)st_parameter_of(form, ST_ROLE_INDICES),
        .outcount = (int8_t)st_parameter_of(form, ST_ROLE_OUTCOUNT),
        .message = (int8_t)st_parameter_of(form, ST_ROLE_MESSAGE),
        .request = (int8_t)st_parameter_of(form, ST_ROLE_NEW_REQUEST),
        .persistent = (int8_t)st_parameter_of(form, ST_ROLE_NEW_PERSISTENT),
        .is_partitioned = is_partitioned(form),
        .is_vague = ST_MPI == ST_MPI_MPICH && is_named(form, vague),
        .probes = is_probe(form),
        .asks = is_length(form),
        .waits = is_named(form, waits),
        .may_wait = is_named(form, sends),
    };
    for (int i = 0; i < form->parameter_count; i++) {
        known.begins |= is_any(form->parameters[i].role, begin, sizeof begin);
        known.completes |= is_any(form->parameters[i].role, complete, sizeof complete);
    }
    for (int i = 0; i < form->part_count && i < 8 && known.persistent < 0; i++) {
        if (st_message_part(form, &form->parts[i])) {
            known.parts |= (uint8_t)(1u << i);
        }
    }
    return known;
}

bool st_message_forms_begin(void)
{
    forms = st_map(st_form_count * sizeof *forms);
    for (uint16_t i = 0; forms && i < st_form_count; i++) {
        forms[i] = form_of(st_form_table[i]);
    }
    return forms;
}

const struct st_message_form *st_message_form(const struct st_form *form)
{
    return &forms[form->number];
}

bool st_messages_want(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (st_message_part(form, &form->parts[i])) {
            return true;
        }
    }
    for (int i = 0; i < form->parameter_count; i++) {
        switch (form->parameters[i].role) {
        case ST_ROLE_DONE:
        case ST_ROLE_DONES:
        case ST_ROLE_START:
        case ST_ROLE_STARTS:
        case ST_ROLE_CANCEL:
        case ST_ROLE_RELEASE:
        case ST_ROLE_ASK:
        case ST_ROLE_MESSAGE:
            return true;
        default:
            break;
        }
    }
    return is_probe(form) || is_length(form) || is_partitioned(form);
}
