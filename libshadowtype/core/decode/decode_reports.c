/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the findings of the checker: the list at root.reports. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>

/* Reports are far shorter (report/report.h, ST_FINDING_ROOM). */
#define MOST_BYTES (UINT64_C(1) << 20)

enum st_error st_registry_report(struct st_registry *registry, uint64_t *address, uint32_t number,
                                 char **json, uint64_t *count, struct st_fault *fault)
{
    struct st_report report;
    *json = NULL;
    if (!*address) {
        return st_bad_root(fault, "reports", *address);
    }
    enum st_error error = st_read_at(registry, *address, &report, sizeof report, fault);
    if (error) {
        return st_about(error, "reports", ST_NO_NODE, fault);
    }
    /* The numbers must ascend: so a list that leads back to itself ends. */
    if (report.magic != ST_REPORT_MAGIC || report.number != number || report.bytes > MOST_BYTES) {
        return st_bad_root(fault, "reports", *address);
    }
    char *text = malloc((size_t)report.bytes + 1);
    if (!text) {
        return st_no_memory(fault);
    }
    error = st_read_at(registry, *address + sizeof report, text, (size_t)report.bytes, fault);
    if (error) {
        free(text);
        return st_about(error, "reports", ST_NO_NODE, fault);
    }
    text[report.bytes] = 0;
    *json = text;
    *count = report.count;
    *address = report.next;
    return ST_OK;
}
