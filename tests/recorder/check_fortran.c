/* The checks of from_fortran.f90. */
#include "recorder/tree.h"

void by_integer_(int *handle);
void by_f08_(int *handle);
void check_from_fortran_(int *first, int *second);
void finish_from_fortran_(void);

static bool is_from(uint32_t site, const char *function)
{
    Dl_info info;
    bool yes =
        dladdr(at(pc_of(site)), &info) && info.dli_sname && !strcmp(info.dli_sname, function);
    if (!yes)
        printf("note: it is from '%s' in '%s'\n", info.dli_sname ? info.dli_sname : "?",
               info.dli_fname);
    return yes;
}

void check_from_fortran_(int *first, int *second)
{
    start();
    CHECK_EQUAL(root->state, ST_STATE_INITIALIZED);
    CHECK_EQUAL(root->live, 2);
    struct st_node *node = node_of(MPI_Type_f2c(*first));
    CHECK_EQUAL(node->combiner, ST_VECTOR);
    CHECK_EQUAL(node->fortran, *first);
    CHECK(has_name(node_at(node->base), "MPI_DOUBLE_PRECISION"));
    CHECK(node->flags & ST_COMMITTED);
    CHECK(is_from(node->created, "by_integer_"));
    CHECK(is_from(node->committed, "by_integer_"));
    node = node_of(MPI_Type_f2c(*second));
    CHECK_EQUAL(node->combiner, ST_CONTIGUOUS);
    CHECK_EQUAL(node->fortran, *second);
    CHECK(has_name(node_at(node->base), "MPI_INTEGER"));
    CHECK(is_from(node->created, "by_f08_"));
    CHECK(is_sound());
}

void finish_from_fortran_(void)
{
    CHECK_EQUAL(root->live, 0);
    CHECK_EQUAL(root->state, ST_STATE_FINALIZED);
    exit(finish());
}
