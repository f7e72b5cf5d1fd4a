/* MPI that is opened by a program which is not linked with it: RTLD_LOCAL, as Python does, or not. */
#include "recorder/tree.h"

/* usage: opened_late LIBRARY [global], an object that is linked with MPI and has `job` */
int main(int argc, char **argv)
{
    start();
    CHECK_EQUAL(root->table, 0);
    int scope = argc > 2 && strcmp(argv[2], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
    void *library = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | scope);
    if (!library)
        printf("FAIL: %s\n", dlerror());
    else
        ((int (*)(void))dlsym(library, "job"))();
    CHECK(library);
    CHECK_EQUAL(root->state, ST_STATE_FINALIZED);
    CHECK_EQUAL(root->live, 1);
    uint32_t found = 0;
    for (uint32_t i = 0; i < root->nodes_used; i++) {
        struct st_node *node = node_at(i);
        if (node->serial && node->combiner == ST_VECTOR) {
            CHECK_EQUAL(node->args[0], 3);
            CHECK(has_name(node_at(node->base), "MPI_DOUBLE"));
            CHECK_EQUAL(node_at(node->base)->args[0], 8);
            CHECK(node->flags & ST_COMMITTED);
            found++;
        }
    }
    CHECK_EQUAL(found, 1);
    return finish();
}
