/* SPDX-License-Identifier: BSD-3-Clause */
#include "module_kind.h"

#include <stddef.h>

#include "../words.h"

static const struct {
    const char *begin; /* of the file's name */
    enum module_kind kind;
} kinds[] = {
    {"libc.so", MODULE_SYSTEM},       {"libc-", MODULE_SYSTEM},
    {"libpthread", MODULE_SYSTEM},    {"ld-linux", MODULE_SYSTEM},
    {"ld.so", MODULE_SYSTEM},         {"[vdso]", MODULE_SYSTEM},
    {"libmpi", MODULE_MPI},           {"libpmpi", MODULE_MPI},
    {"libshadowtype", MODULE_MPI},    {"libopen-", MODULE_TRANSPORT},
    {"libpmix", MODULE_TRANSPORT},    {"libprrte", MODULE_TRANSPORT},
    {"libevent", MODULE_TRANSPORT},   {"libucp.", MODULE_TRANSPORT},
    {"libuct.", MODULE_TRANSPORT},    {"libuct_", MODULE_TRANSPORT},
    {"libucs.", MODULE_TRANSPORT},    {"libucm.", MODULE_TRANSPORT},
    {"libfabric", MODULE_TRANSPORT},  {"libpsm", MODULE_TRANSPORT},
    {"libibverbs", MODULE_TRANSPORT}, {"librdmacm", MODULE_TRANSPORT},
    {"mca_", MODULE_TRANSPORT},       {"libpython", MODULE_PYTHON},
    {"python", MODULE_PYTHON},        {"MPI.cpython", MODULE_PYTHON},
    {"MPI.abi", MODULE_PYTHON},
};

enum module_kind module_kind(const char *path)
{
    const char *name = path == NULL ? "" : text_base_name(path);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (text_begins(name, kinds[i].begin)) {
            return kinds[i].kind;
        }
    }
    return MODULE_OTHER;
}
