/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpipp attach: becomes gdb with the plugin, attached to a process here or on another host, or to
 * several ranks of a job.
 *
 *     mpipp attach -q 1234
 *  →  gdb -iex 'source .../mpipp-gdb.py' -q -p 1234
 *     mpipp attach -q node7:1234
 *  →  gdb -iex 'source .../mpipp-gdb.py' -q -ex 'target remote | ssh node7 gdbserver ...'
 */
#include "commands.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "attach_ranks.h"
#include "debugger.h"
#include "options.h"
#include "say.h"
#include "traceable.h"
#include "words.h"

static bool is_pid(const char *text)
{
    return text[0] != '\0' && strlen(text) < 10 && strspn(text, "0123456789") == strlen(text) &&
           strtol(text, NULL, 10) > 0;
}

static void require_traceable(pid_t pid)
{
    int status;
    const char *why = traceable_why_not(pid, &status);
    if (why != NULL) {
        fail(status, "%s", why);
    }
}

/* Returns the command that reaches another host. */
static const char *ssh_command(void)
{
    const char *ssh = getenv("MPIPP_SSH");
    return ssh != NULL && ssh[0] != '\0' ? ssh : "ssh";
}

static void add_remote(struct words *command, const char *host, const char *pid)
{
    if (host[0] == '[' && host[strlen(host) - 1] == ']') {
        host = text_of("%.*s", (int)strlen(host) - 2, host + 1);
    }
    if (!attach_is_host(host)) {
        fail(STATUS_USAGE, "'%s' is not the name of a host", host);
    }
    debugger_call(
        command, "ranks_attach",
        text_of("remote(%s, %s, %s)", debugger_bytes(ssh_command()), debugger_bytes(host), pid));
}

/* The processes to attach to. */
struct target {
    const char *ranks; /* --ranks: which ranks of the job; NULL: not given */
    bool of_job;       /* --job was given */
    const char *word;  /* PID or HOST:PID; NULL: not given */
};

/* If *WORDS is an option that selects processes, takes it. */
static bool take_target_option(struct target *target, char *const **words)
{
    if (strcmp(**words, "--job") == 0) {
        target->of_job = true;
        return true;
    }
    if (text_begins(**words, "--job=")) {
        target->of_job = true;
        target->word = **words + strlen("--job=");
        return true;
    }
    if (!option_take(words, "ranks", &target->ranks)) {
        return false;
    }
    attach_require_list(target->ranks);
    return true;
}

static void take_operand(struct target *target, char *const *words)
{
    if (*words != NULL && target->word == NULL) {
        target->word = *words++;
    }
    if (*words != NULL) {
        fail(STATUS_USAGE, "'mpipp attach' takes one process: '%s' is too much", *words);
    }
}

static void add_job(struct words *command, const struct target *target)
{
    if (target->word != NULL && !is_pid(target->word)) {
        fail(STATUS_USAGE, "'%s' is not the PID of a job's process on this host", target->word);
    }
    attach_ranks(command, target->word == NULL ? 0 : (pid_t)strtol(target->word, NULL, 10),
                 target->ranks, ssh_command());
}

static void add_process(struct words *command, const char *word)
{
    if (word == NULL) {
        fail(STATUS_USAGE, "no process given to 'mpipp attach': PID or HOST:PID");
    }
    const char *colon = strrchr(word, ':');
    const char *pid = colon == NULL ? word : colon + 1;
    if (!is_pid(pid)) {
        fail(STATUS_USAGE, "'%s' is neither a PID nor HOST:PID", word);
    }
    if (colon != NULL) {
        add_remote(command, text_of("%.*s", (int)(colon - word), word), pid);
        return;
    }
    require_traceable((pid_t)strtol(pid, NULL, 10));
    debugger_call(command, "ranks_attach", text_of("local(%s)", pid));
}

int command_attach(char *const *words)
{
    const char *gdb = debugger_default();
    struct target target = {0};
    struct words options = {0}, calls = {0}, command = {0};
    if (*words != NULL && strcmp(*words, "--help") == 0) {
        return command_help((char *[]){"attach", NULL});
    }
    for (; *words != NULL && (*words)[0] == '-'; words++) {
        if (!option_take(&words, "gdb", &gdb) && !take_target_option(&target, &words)) {
            debugger_take_option(&options, &words);
        }
    }
    take_operand(&target, words);
    if (target.of_job || target.ranks != NULL) {
        add_job(&calls, &target);
    } else {
        add_process(&calls, target.word);
    }
    debugger_require(gdb);
    debugger_begin(&command, gdb);
    words_add_all(&command, calls.list);
    words_add_all(&command, options.list);
    debugger_become(&command);
}
