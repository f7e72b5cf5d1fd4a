/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of gdb's stack is left: gdb prints nested values by recursion, to any depth. */
#define _GNU_SOURCE
#include "ext.h"

#include <pthread.h>

/* Lowest address of this thread's stack; asked for once, because for the first thread glibc reads
 * /proc/self/maps. */
static _Thread_local uintptr_t lowest;
static _Thread_local size_t size;

static void find_stack(void)
{
    pthread_attr_t attributes;
    void *address;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0 ||
        pthread_attr_getstack(&attributes, &address, &size) != 0) {
        return; /* size 0: it is asked for again next time */
    }
    pthread_attr_destroy(&attributes);
    lowest = (uintptr_t)address;
}

size_t ext_stack_left(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!size) {
        find_stack();
    }
    return here > lowest ? here - lowest : 0;
}

PyObject *ext_stack_is_low(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    return PyBool_FromLong(ext_stack_left() < size / 4);
}
