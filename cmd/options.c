/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "say.h"

/* MPICH's hydra and Open MPI's mpirun in one table: options that both have take the same number of
 * values. */
const struct valued_option options_of_launchers[] = {
    {"H", 1},
    {"N", 1},
    {"am", 1},
    {"app", 1},
    {"bind-to", 1},
    {"c", 1},
    {"configfile", 1},
    {"cpu-list", 1},
    {"cpu-set", 1},
    {"cpus-per-proc", 1},
    {"cpus-per-rank", 1},
    {"demux", 1},
    {"env", 2},
    {"envlist", 1},
    {"errfile-pattern", 1},
    {"f", 1},
    {"genv", 2},
    {"genvlist", 1},
    {"gmca", 2},
    {"gpus-per-proc", 1},
    {"host", 1},
    {"hostfile", 1},
    {"hosts", 1},
    {"iface", 1},
    {"launcher-exec", 1},
    {"localhost", 1},
    {"machinefile", 1},
    {"map-by", 1},
    {"mca", 2},
    {"membind", 1},
    {"n", 1},
    {"nameserver", 1},
    {"np", 1},
    {"npernode", 1},
    {"npersocket", 1},
    {"ompi-server", 1},
    {"order-nodes", 1},
    {"outfile-pattern", 1},
    {"output", 1},
    {"output-filename", 1},
    {"path", 1},
    {"pmi-port", 1},
    {"pmixmca", 2},
    {"ppn", 1},
    {"prefix", 1},
    {"prepend-pattern", 1},
    {"prtemca", 2},
    {"rank-by", 1},
    {"rankfile", 1},
    {"rf", 1},
    {"rmk", 1},
    {"runtime-options", 1},
    {"slot-list", 1},
    {"stdin", 1},
    {"timeout", 1},
    {"topolib", 1},
    {"tune", 1},
    {"usize", 1},
    {"wd", 1},
    {"wdir", 1},
    {"x", 1},
    {"xterm", 1},
    {NULL, 0},
};

const struct valued_option options_of_gdb[] = {
    {"D", 1},
    {"b", 1},
    {"c", 1},
    {"cd", 1},
    {"command", 1},
    {"core", 1},
    {"d", 1},
    {"data-directory", 1},
    {"directory", 1},
    {"e", 1},
    {"early-init-command", 1},
    {"early-init-eval-command", 1},
    {"eiex", 1},
    {"eix", 1},
    {"eval-command", 1},
    {"ex", 1},
    {"exec", 1},
    {"i", 1},
    {"iex", 1},
    {"init-command", 1},
    {"init-eval-command", 1},
    {"interpreter", 1},
    {"ix", 1},
    {"l", 1},
    {"p", 1},
    {"pid", 1},
    {"s", 1},
    {"se", 1},
    {"symbols", 1},
    {"t", 1},
    {"tty", 1},
    {"ui", 1},
    {"x", 1},
    {NULL, 0},
};

int option_values(const struct valued_option *table, const char *word)
{
    const char *name = word + strspn(word, "-");
    for (; table->name != NULL; table++) {
        if (strcmp(name, table->name) == 0) {
            return table->values;
        }
    }
    return -1;
}

bool option_take(char *const **words, const char *name, const char **value)
{
    const char *word = **words;
    size_t length = strlen(name);
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0) {
        return false;
    }
    if (word[2 + length] == '=') {
        *value = word + 2 + length + 1;
        return true;
    }
    if (word[2 + length] != '\0') {
        return false;
    }
    if ((*words)[1] == NULL) {
        fail(STATUS_USAGE, "option '%s' needs a value", word);
    }
    *value = *++*words;
    return true;
}

bool option_counts_ranks(const char *word)
{
    const char *name = word + strspn(word, "-");
    return strcmp(name, "n") == 0 || strcmp(name, "np") == 0;
}

void option_require_ranks(const char *word, const char *value)
{
    if (value[strspn(value, "0123456789")] != '\0' || strtol(value, NULL, 10) < 1) {
        fail(STATUS_USAGE, "'%s %s': it is a number of ranks, 1 or more", word, value);
    }
}

bool option_take_ranks(char *const **words, const char **count)
{
    const char *word = **words, *value = (*words)[1];
    if (!option_counts_ranks(word) || value == NULL || value[strspn(value, "0123456789")] != '\0') {
        return false;
    }
    option_require_ranks(word, value);
    *count = value;
    ++*words;
    return true;
}

/* `typed` is the option, or the variable, by which the user gave the value. */
static void require_callers(const char *typed, const char *value)
{
    enum { MOST = 16 }; /* ST_SITE_FRAMES of libshadowtype */
    char *end;
    long count = strtol(value, &end, 10);
    if (end == value || *end != '\0' || count < 1 || count > MOST) {
        fail(STATUS_USAGE, "'%s=%s': it is a number of frames, 1 to %d", typed, value, MOST);
    }
}

bool option_take_callers(char *const **words)
{
    const char *value;
    if (!option_take(words, "callers", &value)) {
        return false;
    }
    require_callers("--callers", value);
    setenv(CALLERS_VARIABLE, value, 1);
    return true;
}

const char *option_callers(void)
{
    const char *value = getenv(CALLERS_VARIABLE);
    if (value == NULL || value[0] == '\0') {
        return NULL;
    }
    require_callers(CALLERS_VARIABLE, value);
    return value;
}
