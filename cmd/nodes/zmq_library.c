/* SPDX-License-Identifier: BSD-3-Clause */
#include "zmq_library.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "../words.h"

static struct zmq loaded;
static const char *why = "";

static bool load_library(void)
{
    void *library = dlopen("libzmq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        why = text_of("%s", dlerror());
        return false;
    }
#define X(name)                                                                                    \
    *(void **)&loaded.name = dlsym(library, #name);                                                \
    if (loaded.name == NULL) {                                                                     \
        why = text_of("%s", dlerror());                                                            \
        return false;                                                                              \
    }
    ZMQ_FUNCTIONS(X)
#undef X
    if (loaded.zmq_has("curve") != 1) {
        why = "this libzmq cannot encrypt (CURVE)";
        return false;
    }
    return true;
}

const struct zmq *zmq_load(void)
{
    static bool tried, there;
    if (!tried) {
        tried = true;
        there = load_library();
    }
    return there ? &loaded : NULL;
}

const char *zmq_why_not(void)
{
    return why;
}
