/* SPDX-License-Identifier: BSD-3-Clause */
#include "job_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_bytes(const char *text, unsigned char *bytes)
{
    for (size_t i = 0; i < KEY_BYTES; i++) {
        unsigned value;
        if (strspn(text + 2 * i, "0123456789abcdef") < 2 ||
            sscanf(text + 2 * i, "%2x", &value) != 1) {
            return false;
        }
        bytes[i] = (unsigned char)value;
    }
    return text[2 * KEY_BYTES] == '\0';
}

bool job_key_read(char *text, struct job_key *key)
{
    char *host = strsep(&text, ","), *nonce = strsep(&text, ","), *server = strsep(&text, ","),
         *secret = strsep(&text, ",");
    if (host == NULL || secret == NULL || text == NULL || strlen(host) >= sizeof key->host ||
        sscanf(nonce, "%" SCNx64, &key->nonce) != 1 || !read_bytes(server, key->server) ||
        !read_bytes(secret, key->secret)) {
        return false;
    }
    strcpy(key->host, host);
    size_t count = 0;
    for (char *address; count < MOST_ADDRESSES && (address = strsep(&text, ",")) != NULL;) {
        key->addresses[count++] = address;
    }
    key->addresses[count] = NULL;
    return count != 0;
}

static void write_bytes(FILE *file, const unsigned char *bytes)
{
    fputc(',', file);
    for (size_t i = 0; i < KEY_BYTES; i++) {
        fprintf(file, "%02x", bytes[i]);
    }
}

char *job_key_text(const struct job_key *key)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL) {
        return NULL;
    }
    fprintf(file, "%s,%" PRIx64, key->host, key->nonce);
    write_bytes(file, key->server);
    write_bytes(file, key->secret);
    for (size_t i = 0; key->addresses[i] != NULL; i++) {
        fprintf(file, ",%s", key->addresses[i]);
    }
    return fclose(file) == 0 ? text : NULL;
}

uint32_t job_key_node(const struct job_key *key, const char *host, int rank)
{
    const char *text = getenv(NODE_SIZE_VARIABLE);
    const long size = text != NULL ? strtol(text, NULL, 10) : 0;
    if (size > 0) {
        return rank >= 0 ? (uint32_t)(rank / size) : 0;
    }
    return strcmp(host, key->host) == 0 ? 0 : ANOTHER_HOST;
}
