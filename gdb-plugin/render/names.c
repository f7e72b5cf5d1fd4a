/* SPDX-License-Identifier: BSD-3-Clause */
#include "names.h"

static bool is_at(const struct st_entry_names *names, uint64_t address)
{
    if (address < names->origin) {
        return false;
    }
    uint64_t rest = address - names->origin;
    for (size_t i = 0; i < names->level_count; i++) {
        const struct st_names_level *level = &names->levels[i];
        if (level->stride <= 0) {
            continue;
        }
        uint64_t index = rest / (uint64_t)level->stride;
        if (level->count >= 0 && index >= (uint64_t)level->count) {
            return false;
        }
        rest -= index * (uint64_t)level->stride;
    }
    return rest == 0;
}

const char *const *st_names_at(const struct st_render_options *options,
                               const struct st_place *place)
{
    for (size_t i = 0; i < options->names_count; i++) {
        const struct st_entry_names *names = &options->names[i];
        if (names->type == place->type->ordinal && is_at(names, place->address)) {
            return names->names;
        }
    }
    return NULL;
}

void st_put_label(struct st_text *text, const char *const *names, int64_t index)
{
    if (names && names[index]) {
        st_text_puts(text, names[index]);
        st_text_puts(text, " = ");
        return;
    }
    st_text_puts(text, "[");
    st_text_decimal(text, (unsigned long long)index, false);
    st_text_puts(text, "] = ");
}
