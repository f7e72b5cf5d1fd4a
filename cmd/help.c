/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp help, --help and --version. The texts are in cmd/help; the man page is made from them, too.
 */
#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "built_for.h"
#include "say.h"
#include "tree.h"

#include "help_texts.h" /* generated: help_texts[]; the first one is that of 'mpipp help' itself */

/* Prints TEXT with the path of the plugin in the place of "@PLUGIN@": that line can be pasted. */
static void print_text(const char *text)
{
    static const char mark[] = "@PLUGIN@";
    const char *found;
    while ((found = strstr(text, mark)) != NULL) {
        printf("%.*s%s", (int)(found - text), text, tree_plugin());
        text = found + strlen(mark);
    }
    fputs(text, stdout);
}

static int finish_output(void)
{
    if (fflush(stdout) != 0) {
        fail(1, "cannot write the text");
    }
    return 0;
}

int command_help(char *const *words)
{
    const char *topic = *words == NULL ? help_texts[0].topic : *words;
    if (*words != NULL && words[1] != NULL) {
        fail(STATUS_USAGE, "'mpipp help' takes one topic: '%s' is too much", words[1]);
    }
    for (size_t i = 0; i < sizeof help_texts / sizeof help_texts[0]; i++) {
        if (strcmp(topic, help_texts[i].topic) == 0) {
            print_text(help_texts[i].text);
            return finish_output();
        }
    }
    fail(STATUS_USAGE, "no help on '%s': run, exec, gdb, ddd, attach, ranks, stacks or explain",
         topic);
}

int command_version(char *const *words)
{
    (void)words;
    printf("mpipp %s (%s)\n", MPIPP_VERSION, tree_executable());
    built_for_print();
    return finish_output();
}
