/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/groups.h"

#include <string.h>

static unsigned group_of(const char *word, size_t length)
{
    static const struct {
        const char *word;
        unsigned group;
    } groups[] = {
#define X(name, word, number) {word, ST_GROUP_##name},
        ST_GROUPS(X)
#undef X
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strlen(groups[i].word) == length && strncmp(groups[i].word, word, length) == 0) {
            return groups[i].group;
        }
    }
    return 0;
}

bool st_groups_of(const char *list, unsigned *groups)
{
    bool right = true;
    unsigned asked = 0;
    *groups = list != NULL && strcmp(list, "none") == 0 ? 0 : ST_GROUP_LOCAL | ST_GROUP_COLLECTIVE;
    if (list == NULL || *list == '\0' || *groups == 0) {
        return true;
    }
    for (;;) {
        size_t length = strcspn(list, ",");
        unsigned group = group_of(list, length);
        right = right && group != 0;
        asked |= group;
        list += length;
        if (*list++ == '\0') {
            break;
        }
    }
    if (asked & (ST_GROUP_LOCAL | ST_GROUP_COLLECTIVE)) {
        *groups = ST_GROUP_LOCAL;
    }
    *groups |= asked;
    if (asked & (ST_GROUP_RMA | ST_GROUP_RACE)) {
        *groups |= ST_GROUP_COLLECTIVE | ST_GROUP_P2P;
    }
    return right;
}
