#include "debuggers.h"

#include <stdlib.h>

#include "../debugger.h"

static bool has_display(struct held *held)
{
    const char *display = getenv("DISPLAY");
    if (display != NULL && display[0] != '\0')
        return true;
    held_say(held, "'--on-error=%s': there is no DISPLAY on %s, so that no window can be opened",
             st_on_error_word(held->what), held->host);
    return false;
}

/* Runs it. gdb has let the rank go on if it ever came to run: then how it ends is the user's. */
static void run(struct held *held, const struct words *command)
{
    pid_t window = held_start(held, command, -1);
    if (window == 0)
        return;
    int status = held_watch(held, window);
    if (status != 0 && !held->goes_on)
        held_say(held, "'%s' has failed on DISPLAY '%s' (status %d)", command->list[0],
                 getenv("DISPLAY"), status);
}

void debuggers_xterm(struct held *held)
{
    struct words command = {0};
    if (!has_display(held) || !debuggers_have(held, "xterm", "xterm"))
        return;
    words_add(&command, "xterm");
    debugger_add(&command, "-title",
                 text_of("mpipp: %s on %s, error %ld", held_name(held), held->host, held->number));
    words_add(&command, "-e");
    if (!debuggers_begin_gdb(held, &command))
        return;
    words_add(&command, "-q");
    debuggers_call(held, &command, "show", "");
    run(held, &command);
}
