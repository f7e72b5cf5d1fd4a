/* SPDX-License-Identifier: BSD-3-Clause */
#include "python.h"

#include <string.h>

#include "child.h"
#include "words.h"

bool python_is_one(const char *interpreter)
{
    return text_begins(text_base_name(interpreter), "python");
}

char *python_mpi_module(const char *interpreter)
{
    static const char question[] =
        "import importlib.util, glob, os\n"
        "spec = importlib.util.find_spec('mpi4py')\n"
        "for folder in spec.submodule_search_locations if spec else []:\n"
        "    for module in glob.glob(os.path.join(glob.escape(folder), 'MPI.*so')):\n"
        "        print('module:' + module)\n";
    struct words command = {0};
    words_add(&command, interpreter);
    words_add(&command, "-c");
    words_add(&command, question);

    char *answer;
    if (child_output(command.list, &answer) != 0) {
        return NULL;
    }
    char *module = NULL;
    for (char *line; (line = strsep(&answer, "\n")) != NULL;) {
        static const char mark[] = "module:";
        if (!text_begins(line, mark)) {
            continue;
        }
        if (module != NULL) {
            return NULL;
        }
        module = line + strlen(mark);
    }
    return module;
}
