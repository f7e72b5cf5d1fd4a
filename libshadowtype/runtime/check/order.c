/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/order.h"

#include <string.h>

static bool is_named(const struct st_form *form, const char *const *names)
{
    for (; *names; names++) {
        if (strcmp(form->name, *names) == 0) {
            return true;
        }
    }
    return false;
}

bool st_order_is_synchronous(const struct st_form *form)
{
    static const char *const names[] = {"MPI_Ssend", "MPI_Ssend_c", "MPI_Issend", "MPI_Issend_c",
                                        NULL};
    return is_named(form, names);
}

bool st_order_may_learn(const struct st_form *form)
{
    static const char *const names[] = {"MPI_Parrived",
                                        "MPI_Comm_accept",
                                        "MPI_Comm_connect",
                                        "MPI_Comm_join",
                                        "MPI_Lookup_name",
                                        "MPI_Comm_spawn",
                                        "MPI_Comm_spawn_multiple",
                                        "MPI_Comm_get_parent",
                                        "MPI_Request_get_status",
                                        "MPI_Request_get_status_any",
                                        "MPI_Request_get_status_all",
                                        "MPI_Request_get_status_some",
                                        NULL};
    return is_named(form, names);
}

bool st_order_makes_window(const struct st_form *form)
{
    const int made = st_parameter_of(form, ST_ROLE_GIVES);
    return made >= 0 && form->parameters[made].kind == ST_KIND_WIN;
}

bool st_order_is_later(const struct st_form *form)
{
    return st_parameter_of(form, ST_ROLE_NEW_REQUEST) >= 0 ||
           st_parameter_of(form, ST_ROLE_NEW_PERSISTENT) >= 0;
}

bool st_order_is_scan(const struct st_form *form)
{
    return strstr(form->name, "scan") || strstr(form->name, "Scan");
}

bool st_order_is_message(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].role == ST_ROLE_DEST ||
            form->parameters[i].role == ST_ROLE_SOURCE ||
            form->parameters[i].role == ST_ROLE_MESSAGE) {
            return strncmp(form->name, "MPI_P", 5) != 0 && strncmp(form->name, "MPI_Iss", 7) != 0 &&
                   strncmp(form->name, "MPI_Ss", 6) != 0;
        }
    }
    return false;
}
