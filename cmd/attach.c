/*
 * mpipp attach: becomes gdb with the plugin, attached to a process here or on another host.
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
    if (why != NULL)
        fail(status, "%s", why);
}

/* HOST comes to stand in a command line of sh and of ssh. */
static bool is_host(const char *host)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_@:%";
    return host[0] != '\0' && host[0] != '-' && strspn(host, letters) == strlen(host);
}

static void add_remote(struct words *command, const char *host, const char *pid)
{
    const char *ssh = getenv("MPIPP_SSH");
    if (ssh == NULL || ssh[0] == '\0')
        ssh = "ssh";
    if (host[0] == '[' && host[strlen(host) - 1] == ']')
        host = text_of("%.*s", (int)strlen(host) - 2, host + 1);
    if (!is_host(host))
        fail(STATUS_USAGE, "'%s' is not the name of a host", host);
    debugger_call(command, "ranks_attach",
                  text_of("remote(%s, %s, %s)", debugger_bytes(ssh), debugger_bytes(host), pid));
}

int command_attach(char *const *words)
{
    const char *gdb = debugger_default();
    struct words options = {0};
    if (*words != NULL && strcmp(*words, "--help") == 0)
        return command_help((char *[]){"attach", NULL});
    for (; *words != NULL && (*words)[0] == '-'; words++) {
        if (!option_take(&words, "gdb", &gdb))
            debugger_take_option(&options, &words);
    }
    if (*words == NULL)
        fail(STATUS_USAGE, "no process given to 'mpipp attach': PID or HOST:PID");
    if (words[1] != NULL)
        fail(STATUS_USAGE, "'mpipp attach' takes one process: '%s' is too much", words[1]);

    const char *colon = strrchr(*words, ':');
    const char *pid = colon == NULL ? *words : colon + 1;
    if (!is_pid(pid))
        fail(STATUS_USAGE, "'%s' is neither a PID nor HOST:PID", *words);
    if (colon == NULL)
        require_traceable((pid_t)strtol(pid, NULL, 10));
    debugger_require(gdb);

    struct words command = {0};
    debugger_begin(&command, gdb);
    if (colon != NULL)
        add_remote(&command, text_of("%.*s", (int)(colon - *words), *words), pid);
    else
        debugger_call(&command, "ranks_attach", text_of("local(%s)", pid));
    words_add_all(&command, options.list);
    debugger_become(&command);
}
