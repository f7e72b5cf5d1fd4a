#include "runtime/check/quick.h"

#include "runtime/check/constants.h"
#include "runtime/arena.h"

struct st_quick st_quick;
_Atomic uint32_t st_quick_epoch;
_Thread_local struct st_quick_comm st_quick_last __attribute__((tls_model("initial-exec")));

static void put_type(const struct st_node *node, uint32_t number)
{
    uint32_t place = st_quick_place(node->handle);
    bool solid = node->args[0] == node->args[1] && node->args[0] == node->args[2];
    st_quick.types[place] = node->handle;
    st_quick.basic[place].node = number;
    st_quick.basic[place].bytes = solid ? (uint32_t)node->args[0] : 0;
}

/* Basic types with data: the first nodes of the registry. */
static void read_types(void)
{
    for (uint32_t i = 0; i < st_root.nodes_used; i++) {
        const struct st_node *node = st_node_at(i);
        if (node->serial && node->combiner == ST_NAMED && node->args[0] > 0 && node->handle)
            put_type(node, i);
    }
    /* The handle 0 belongs here and is no type: what belongs elsewhere keeps it out. */
    if (!st_quick.types[0])
        st_quick.types[0] = 1;
}

void st_quick_begin(bool world)
{
    struct st_comm_facts facts;
    st_quick.in_place = st_numbers.in_place;
    st_quick.request_null = st_numbers.request_null;
    st_quick.any_source = (int32_t)st_numbers.any_source;
    st_quick.any_tag = (int32_t)st_numbers.any_tag;
    st_quick.tag_ub = (uint32_t)st_numbers.tag_ub;
    read_types();
    if (world && st_ask_comm(st_numbers.comm_world, &facts)) {
        st_quick.world_size = facts.size;
        st_quick.world = st_numbers.comm_world;
    }
}
