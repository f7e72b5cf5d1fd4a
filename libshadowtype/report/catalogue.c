/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/catalogue.h"

#include <string.h>

const struct st_check_row st_check_rows[ST_CHECK_COUNT] = {
#define X(name, id, severity, title) {id, severity, title},
    ST_CHECKS(X)
#undef X
};

enum st_check st_check_find(const char *id)
{
    unsigned check = 0;
    while (check < ST_CHECK_COUNT && strcmp(st_check_rows[check].id, id) != 0) {
        check++;
    }
    return (enum st_check)check;
}

const char *st_severity_name(enum st_severity severity)
{
    static const char *const names[] = {[ST_SEVERITY_NOTE] = "note",
                                        [ST_SEVERITY_WARNING] = "warning",
                                        [ST_SEVERITY_ERROR] = "error"};
    return names[severity];
}
