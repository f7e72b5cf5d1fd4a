/* SPDX-License-Identifier: BSD-3-Clause */
#include "debuggers.h"

void debuggers_wait(struct held *held)
{
    held_say(held,
             "%s waits on %s at its error %ld: 'mpipp attach %s'; there, 'set var shadowtype_held "
             "= 0' and "
             "'continue' let it go on",
             held_name(held), held->host, held->number, held_attach(held));
    held_watch(held, 0);
}

void debuggers_stop(struct held *held)
{
    held_say(
        held,
        "%s is stopped on %s at its error %ld: 'mpipp attach %s'; 'kill -CONT %d' lets it go on",
        held_name(held), held->host, held->number, held_attach(held), (int)held->pid);
    held_stop(held);
    held_watch(held, 0);
}
