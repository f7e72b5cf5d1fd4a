/* SPDX-License-Identifier: BSD-3-Clause */
#include "node.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "../say.h"
#include "../words.h"
#include "core/agree/segment.h"

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

static bool write_head(int file, uint64_t nonce)
{
    const struct st_segment head = {
        .magic = ST_SEGMENT_MAGIC,
        .version = ST_SEGMENT_VERSION,
        .ranks_room = ST_SEGMENT_RANKS,
        .log2_meetings = ST_SEGMENT_LOG2_MEETINGS,
        .area_bytes = ST_AREA_BYTES,
        .nonce = nonce,
        .bytes = st_segment_fixed_bytes(),
    };
    return pwrite(file, &head, sizeof head, 0) == (ssize_t)sizeof head;
}

void node_make(void)
{
    char host[256] = "";
    uint64_t nonce = random_number();
    int file = make_memory();
    if (file < 0 || !write_head(file, nonce)) {
        warn("what ranks do together is not compared: no memory to share: %s", strerror(errno));
        unsetenv(ST_NODE_VARIABLE);
        return;
    }
    made_file = file;
    gethostname(host, sizeof host - 1);
    char *name = text_of("%s:%d:%d:%llx", host, (int)getpid(), file, (unsigned long long)nonce);
    setenv(ST_NODE_VARIABLE, name, 1);
    free(name);
}
