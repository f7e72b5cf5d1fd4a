/* SPDX-License-Identifier: BSD-3-Clause */
#include "several.h"

#include <stdlib.h>
#include <string.h>

#include "../launcher.h"
#include "job_key.h"

/* Options of launchers that name hosts, or files with hosts. */
static bool names_hosts(const char *word)
{
    static const char *const names[] = {"host",    "hosts",       "H",        "hostfile", "f",
                                        "machine", "machinefile", "nodelist", "nodefile", "nodes",
                                        "N"};
    const char *name = word + strspn(word, "-");
    for (size_t i = 0; i < sizeof names / sizeof *names && name != word; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(name, names[i], length) == 0 && (name[length] == '\0' || name[length] == '=')) {
            return true;
        }
    }
    return false;
}

static bool has_many_nodes(void)
{
    static const char *const counts[] = {"SLURM_JOB_NUM_NODES", "SLURM_NNODES"};
    static const char *const files[] = {"PBS_NODEFILE",   "PE_HOSTFILE",     "LSB_DJOB_HOSTFILE",
                                        "OAR_NODEFILE",   "HYDRA_HOST_FILE", "LOADL_HOSTFILE",
                                        "COBALT_NODEFILE"};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char *count = getenv(counts[i]);
        if (count != NULL && strtol(count, NULL, 10) > 1) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (getenv(files[i]) != NULL) {
            return true;
        }
    }
    return getenv(NODE_SIZE_VARIABLE) != NULL;
}

static bool have_hosts(const struct words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->list[i], "exec") == 0) { /* the program's words */
            break;
        }
        if (names_hosts(words->list[i])) {
            return true;
        }
    }
    return false;
}

/* Returns true if the user's launcher may start ranks on other hosts. Only of an MPI's own launcher it
 * is known that it does so where its options or its environment name hosts: srun takes a whole job. */
static bool may_reach_hosts(const char *launcher)
{
    struct words words = {0};
    return launcher != NULL && words_split(&words, launcher) && words.count != 0 &&
           (!launcher_is_known(words.list[0]) || have_hosts(&words));
}

bool nodes_are_several(const struct words *passed, const char *launcher)
{
    return may_reach_hosts(launcher) || have_hosts(passed) || has_many_nodes();
}
