/* SPDX-License-Identifier: BSD-3-Clause */
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "../say.h"
#include "../words.h"
#include "core/agree/segment.h"
#include "match_memory.h"

static int made_file = -1;

int node_file(void)
{
    return made_file;
}

static uint64_t random_number(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) {
        number = (uint64_t)time(NULL) ^ (uint64_t)getpid() << 32;
    }
    return number;
}

/* Allocates all of the memory before a rank uses it. A limit on file sizes would otherwise be
 * reported by a signal. */
static int make_memory(void)
{
    int file = memfd_create("mpipp", MFD_CLOEXEC);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    int error = file < 0 ? errno : posix_fallocate(file, 0, (off_t)st_segment_fixed_bytes());
    signal(SIGXFSZ, before);
    if (error == 0) {
        return file;
    }
    if (file >= 0) {
        close(file);
    }
    errno = error;
    return -1;
}

static uint32_t made_mask;

uint32_t node_message_mask(void)
{
    return made_mask;
}

static bool write_head(int file, uint64_t nonce)
{
    const uint32_t log2_messages = match_memory_log2();
    made_mask = (1u << log2_messages) - 1;
    const struct st_segment head = {
        .magic = ST_SEGMENT_MAGIC,
        .version = ST_SEGMENT_VERSION,
        .ranks_room = ST_SEGMENT_RANKS,
        .log2_meetings = ST_SEGMENT_LOG2_MEETINGS,
        .area_bytes = ST_AREA_BYTES,
        .log2_messages = log2_messages,
        .nonce = nonce,
        .bytes = st_segment_fixed_bytes(),
    };
    return pwrite(file, &head, sizeof head, 0) == (ssize_t)sizeof head;
}

static uint64_t made_nonce;

uint64_t node_nonce(void)
{
    return made_nonce;
}

/* Returns false, with errno, if there is no memory. */
static bool make_of(uint64_t nonce)
{
    char host[256] = "";
    int file = make_memory();
    if (file < 0 || !write_head(file, nonce)) {
        unsetenv(ST_NODE_VARIABLE);
        return false;
    }
    made_file = file;
    made_nonce = nonce;
    gethostname(host, sizeof host - 1);
    char *name = text_of("%s:%d:%d:%llx", host, (int)getpid(), file, (unsigned long long)nonce);
    setenv(ST_NODE_VARIABLE, name, 1);
    free(name);
    return true;
}

bool node_add_firsts(void)
{
    const uint32_t yes = 1;
    return made_file >= 0 &&
           posix_fallocate(made_file, (off_t)st_segment_firsts(),
                           (off_t)st_segment_firsts_bytes()) == 0 &&
           pwrite(made_file, &yes, sizeof yes, offsetof(struct st_segment, has_firsts)) ==
               (ssize_t)sizeof yes;
}

bool node_make_of(uint64_t nonce)
{
    return make_of(nonce) && node_add_firsts();
}

void node_make(void)
{
    if (!make_of(random_number())) {
        warn("what ranks do together is not compared: no memory to share: %s", strerror(errno));
    }
}
