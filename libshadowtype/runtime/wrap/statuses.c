/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/statuses.h"

#include <stddef.h>
#include <string.h>

#include "runtime/record/own_heap.h"
#include "runtime/wrap/mpi_side.h"

void *st_statuses_new(int64_t count)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, sizeof(MPI_Status), &bytes)) {
        return NULL;
    }
    void *statuses = malloc(bytes);
    return statuses ? memset(statuses, 0, bytes) : NULL;
}

void st_statuses_free(void *statuses)
{
    free(statuses);
}

/* MPI_BYTE; in Open MPI it is an object that the program need not be linked with. */
static MPI_Datatype byte_type(void)
{
    static _Atomic uint64_t known;
    uint64_t handle = atomic_load_explicit(&known, memory_order_relaxed);
    for (unsigned i = 0; !handle && i < st_predefined_count; i++) {
        if (strcmp(st_predefined[i].name, "MPI_BYTE") == 0) {
            handle = st_predefined_handle(&st_predefined[i]);
        }
    }
    atomic_store_explicit(&known, handle, memory_order_relaxed);
    return st_datatype(handle);
}

int64_t st_status_bytes(const void *status)
{
    typedef int count_of(const MPI_Status *, MPI_Datatype, MPI_Count *);
    static _Atomic(void *) elements;
    count_of *get_elements = (count_of *)st_mpi_function_once(&elements, "PMPI_Get_elements_x");
    MPI_Count bytes = -1;
    if (!get_elements || get_elements(status, byte_type(), &bytes) != MPI_SUCCESS) {
        return -1;
    }
    return bytes;
}

typedef uint32_t __attribute__((may_alias)) st_status_word;
enum {
    STATUS_WORDS = sizeof(MPI_Status) / sizeof(st_status_word),
    ERROR_WORD = offsetof(MPI_Status, MPI_ERROR) / sizeof(st_status_word)
};
_Static_assert(sizeof(MPI_Status) <= sizeof(struct st_status_image) &&
                   sizeof(MPI_Status) % sizeof(st_status_word) == 0 &&
                   offsetof(MPI_Status, MPI_ERROR) % sizeof(st_status_word) == 0 &&
                   sizeof(((MPI_Status *)NULL)->MPI_ERROR) == sizeof(st_status_word),
               "a status is words, and MPI_ERROR is one of them");

void st_status_keep(struct st_status_image *image, const void *status)
{
    memcpy(image, status, sizeof(MPI_Status));
}

bool st_status_is(const struct st_status_image *image, const void *status)
{
    /* MPI has just written it in such words. */
    const st_status_word *words = status;
    uint32_t differs = 0;
#pragma GCC unroll 12
    for (int i = 0; i < STATUS_WORDS; i++) {
        differs |= i == ERROR_WORD ? 0 : image->words[i] ^ words[i];
    }
    return !differs;
}

bool st_status_read(const void *statuses, int64_t index, struct st_status_facts *facts)
{
    typedef int ask(const MPI_Status *, int *);
    static _Atomic(void *) cancelled;
    const MPI_Status *status = (const MPI_Status *)statuses + index;
    ask *test_cancelled = (ask *)st_mpi_function_once(&cancelled, "PMPI_Test_cancelled");
    int was_cancelled = 0;
    if (!test_cancelled || test_cancelled(status, &was_cancelled) != MPI_SUCCESS) {
        return false;
    }
    facts->source = status->MPI_SOURCE;
    facts->tag = status->MPI_TAG;
    facts->bytes = st_status_bytes(status);
    facts->cancelled = was_cancelled;
    return facts->bytes >= 0;
}
