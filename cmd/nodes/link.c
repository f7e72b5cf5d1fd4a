/* SPDX-License-Identifier: BSD-3-Clause */
#include "link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "zmq_library.h"

enum {
    MOST_QUEUED = 4096,    /* messages to one peer, or from it */
    MOST_BYTES = 64 << 20, /* of one message; a longer one breaks its connection */
    MOST_PEERS = 1 << 16,
    NAME_BYTES = 255,          /* what ZeroMQ allows */
    KEY_TEXT = 41,             /* a key in Z85, with its terminator */
    HEARTBEAT = 4000,          /* milliseconds: an agent asks so often whether the link is there */
    HEARTBEAT_PATIENCE = 8000, /* and makes it again after so long without an answer */
    LIFE = 30000               /* of a link of which `mpipp run' hears nothing */
};

struct peer {
    char *name;
    size_t length;
};

struct link {
    void *context, *socket;
    int file;
    struct peer *peers; /* of `mpipp run` */
    uint32_t peer_count;
    struct link_message last;
    void *bytes; /* of the last message */
    size_t room;
    /* Of an agent: what happens to the connection. */
    void *events;
    bool is_down;
    /* Of `mpipp run`: who may come in. */
    void *door;
    pthread_t doorkeeper;
    unsigned char allowed[KEY_BYTES];
    atomic_ulong refused;
};

/* --- the doorkeeper --------------------------------------------------------------------------- */

/* A message of several parts of a question whether to let somebody in (ZeroMQ's RFC 27, ZAP). */
struct question {
    char id[256];
    size_t id_length;
    unsigned char key[KEY_BYTES];
    bool has_key;
};

/* Returns false at the end of the context. */
static bool read_question(void *door, struct question *question)
{
    const struct zmq *zmq = zmq_load();
    enum { VERSION, ID, DOMAIN, ADDRESS, IDENTITY, MECHANISM, CREDENTIALS };
    *question = (struct question){.has_key = false};
    bool more = true, is_curve = false;
    for (int part = VERSION; more; part++) {
        zmq_msg_t message;
        zmq->zmq_msg_init(&message);
        if (zmq->zmq_msg_recv(&message, door, 0) < 0) {
            zmq->zmq_msg_close(&message);
            if (errno == EINTR && part == VERSION) {
                part--;
                continue;
            }
            return false;
        }
        const void *data = zmq->zmq_msg_data(&message);
        const size_t length = zmq->zmq_msg_size(&message);
        if (part == ID && length < sizeof question->id) {
            memcpy(question->id, data, length);
            question->id_length = length;
        } else if (part == MECHANISM) {
            is_curve = length == strlen("CURVE") && memcmp(data, "CURVE", length) == 0;
        } else if (part == CREDENTIALS && is_curve && length == KEY_BYTES) {
            memcpy(question->key, data, KEY_BYTES);
            question->has_key = true;
        }
        more = zmq->zmq_msg_more(&message) != 0;
        zmq->zmq_msg_close(&message);
    }
    return true;
}

static void *keep_door(void *context)
{
    struct link *link = context;
    const struct zmq *zmq = zmq_load();
    struct question question;
    while (read_question(link->door, &question)) {
        const bool is_welcome =
            question.has_key && memcmp(question.key, link->allowed, KEY_BYTES) == 0;
        if (!is_welcome) {
            atomic_fetch_add(&link->refused, 1);
        }
        const char *status = is_welcome ? "200" : "400", *text = is_welcome ? "OK" : "No";
        zmq->zmq_send(link->door, "1.0", 3, ZMQ_SNDMORE);
        zmq->zmq_send(link->door, question.id, question.id_length, ZMQ_SNDMORE);
        zmq->zmq_send(link->door, status, 3, ZMQ_SNDMORE);
        zmq->zmq_send(link->door, text, 2, ZMQ_SNDMORE);
        zmq->zmq_send(link->door, "", 0, ZMQ_SNDMORE);
        zmq->zmq_send(link->door, "", 0, 0);
    }
    zmq->zmq_close(link->door);
    return NULL;
}

/* A thread that is started now is never given a signal: it would end mpipp if the signal came before mpipp watches for it.
 * ZeroMQ's threads block signals only when they run. */
static void block_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

static bool start_doorkeeper(struct link *link)
{
    const struct zmq *zmq = zmq_load();
    link->door = zmq->zmq_socket(link->context, ZMQ_REP);
    if (link->door == NULL || zmq->zmq_bind(link->door, "inproc://zeromq.zap.01") != 0) {
        return false;
    }
    sigset_t before;
    block_signals(&before);
    const bool started = pthread_create(&link->doorkeeper, NULL, keep_door, link) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* --- sockets ---------------------------------------------------------------------------------- */

static void set_number(void *socket, int option, int value)
{
    zmq_load()->zmq_setsockopt(socket, option, &value, sizeof value);
}

/* The links that a process has made share a thread. One that is made for others has its own, with a door of its own. */
static void *shared_context;
static size_t shared_users;

static void *open_context(int type)
{
    if (type != ZMQ_DEALER) {
        void *context = zmq_load()->zmq_ctx_new();
        if (context !=
            NULL) { /* its thread interrupts nobody for a message: it finds more of them later */
            zmq_load()->zmq_ctx_set(context, ZMQ_THREAD_SCHED_POLICY, SCHED_BATCH);
        }
        return context;
    }
    if (shared_users == 0) {
        shared_context = zmq_load()->zmq_ctx_new();
    }
    shared_users += shared_context != NULL;
    return shared_context;
}

static void close_context(void *context)
{
    if (context != shared_context || --shared_users == 0) {
        zmq_load()->zmq_ctx_term(context);
    }
}

/* Returns NULL if that is not possible. */
static struct link *new_link(int type, const char **why)
{
    const struct zmq *zmq = zmq_load();
    if (zmq == NULL) {
        *why = zmq_why_not();
        return NULL;
    }
    struct link *link = zeroed(1, sizeof *link);
    link->context = open_context(type);
    sigset_t before;
    block_signals(&before); /* a context starts its threads with its first socket */
    link->socket = link->context != NULL ? zmq->zmq_socket(link->context, type) : NULL;
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (link->socket == NULL) {
        *why = strerror(error);
        return NULL;
    }
    const int64_t most = MOST_BYTES;
    set_number(link->socket, ZMQ_LINGER, 0);
    set_number(link->socket, ZMQ_SNDHWM, MOST_QUEUED);
    set_number(link->socket, ZMQ_RCVHWM, MOST_QUEUED);
    zmq->zmq_setsockopt(link->socket, ZMQ_MAXMSGSIZE, &most, sizeof most);
    return link;
}

static bool set_file(struct link *link)
{
    size_t length = sizeof link->file;
    return zmq_load()->zmq_getsockopt(link->socket, ZMQ_FD, &link->file, &length) == 0;
}

/* Lists the addresses at which other hosts may reach this one. With MPIPP_NODE_SIZE all are here. */
static void list_addresses(struct job_key *key, const char *port)
{
    struct ifaddrs *all = NULL;
    size_t count = 0;
    const bool is_one_host = getenv(NODE_SIZE_VARIABLE) != NULL;
    if (is_one_host || getifaddrs(&all) != 0) {
        all = NULL;
    }
    for (const struct ifaddrs *one = all; one != NULL && count < MOST_ADDRESSES - 1;
         one = one->ifa_next) {
        char text[INET_ADDRSTRLEN];
        if (one->ifa_addr == NULL || one->ifa_addr->sa_family != AF_INET ||
            (one->ifa_flags & (IFF_UP | IFF_LOOPBACK)) != IFF_UP) {
            continue;
        }
        const struct sockaddr_in *address = (const void *)one->ifa_addr;
        if (inet_ntop(AF_INET, &address->sin_addr, text, sizeof text) != NULL) {
            key->addresses[count++] = text_of("tcp://%s:%s", text, port);
        }
    }
    freeifaddrs(all);
    if (count == 0) {
        key->addresses[count++] = text_of("tcp://127.0.0.1:%s", port);
    }
    key->addresses[count] = NULL;
}

/* OF_JOB: the key has the secret of the job's agents; else that is made, too. */
static bool make_keys(struct link *link, struct job_key *key, bool of_job)
{
    const struct zmq *zmq = zmq_load();
    char server[KEY_TEXT], server_secret[KEY_TEXT], client[KEY_TEXT], client_secret[KEY_TEXT];
    const int yes = 1;
    const bool is_made = of_job
                             ? zmq->zmq_z85_encode(client_secret, key->secret, KEY_BYTES) != NULL &&
                                   zmq->zmq_curve_public(client, client_secret) == 0
                             : zmq->zmq_curve_keypair(client, client_secret) == 0;
    return is_made && zmq->zmq_curve_keypair(server, server_secret) == 0 &&
           zmq->zmq_z85_decode(key->server, server) != NULL &&
           zmq->zmq_z85_decode(key->secret, client_secret) != NULL &&
           zmq->zmq_z85_decode(link->allowed, client) != NULL &&
           zmq->zmq_setsockopt(link->socket, ZMQ_CURVE_SERVER, &yes, sizeof yes) == 0 &&
           zmq->zmq_setsockopt(link->socket, ZMQ_CURVE_SECRETKEY, server_secret, KEY_TEXT) == 0;
}

static struct link *listen_with(struct job_key *key, bool of_job, const char **why)
{
    const struct zmq *zmq = zmq_load();
    struct link *link = new_link(ZMQ_ROUTER, why);
    char bound[256] = "";
    size_t length = sizeof bound;
    if (link == NULL) {
        return NULL;
    }
    set_number(link->socket, ZMQ_ROUTER_HANDOVER, 1);
    set_number(link->socket, ZMQ_ROUTER_MANDATORY, 1);
    const char *any = getenv(NODE_SIZE_VARIABLE) != NULL ? "tcp://127.0.0.1:*" : "tcp://*:*";
    if (!start_doorkeeper(link) || !make_keys(link, key, of_job) ||
        zmq->zmq_bind(link->socket, any) != 0 ||
        zmq->zmq_getsockopt(link->socket, ZMQ_LAST_ENDPOINT, bound, &length) != 0 ||
        strrchr(bound, ':') == NULL || !set_file(link)) {
        *why = strerror(errno);
        return NULL;
    }
    list_addresses(key, strrchr(bound, ':') + 1);
    return link;
}

struct link *link_listen(struct job_key *key, const char **why)
{
    return listen_with(key, false, why);
}

struct link *link_branch(const struct job_key *key, struct job_key *own, const char **why)
{
    *own = *key;
    return listen_with(own, true, why);
}

uint32_t link_peers(const struct link *link)
{
    return link->peer_count;
}

/* Lets ZeroMQ tell what happens to the connection. */
static void watch_connection(struct link *link)
{
    static unsigned number;
    const struct zmq *zmq = zmq_load();
    char address[64];
    snprintf(address, sizeof address, "inproc://events-%u", number++);
    const int events = ZMQ_EVENT_CONNECTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED;
    link->events = zmq->zmq_socket_monitor(link->socket, address, events) == 0
                       ? zmq->zmq_socket(link->context, ZMQ_PAIR)
                       : NULL;
    if (link->events != NULL && zmq->zmq_connect(link->events, address) != 0) {
        zmq->zmq_close(link->events);
        link->events = NULL;
    }
}

bool link_is_down(struct link *link)
{
    const struct zmq *zmq = zmq_load();
    zmq_msg_t message;
    bool is_first = true;
    while (link->events != NULL) {
        zmq->zmq_msg_init(&message);
        if (zmq->zmq_msg_recv(&message, link->events, ZMQ_DONTWAIT) < 0) {
            zmq->zmq_msg_close(&message);
            break;
        }
        uint16_t event;
        if (is_first && zmq->zmq_msg_size(&message) >= sizeof event) {
            memcpy(&event, zmq->zmq_msg_data(&message), sizeof event);
            link->is_down = event != ZMQ_EVENT_CONNECTED;
        }
        is_first = !zmq->zmq_msg_more(&message); /* the second part is an address */
        zmq->zmq_msg_close(&message);
    }
    return link->is_down;
}

/* Only one end asks: each question wakes the other one. That end ends a link that has asked nothing for LIFE. */
static void ask_often(struct link *link)
{
    set_number(link->socket, ZMQ_HEARTBEAT_IVL, HEARTBEAT);
    set_number(link->socket, ZMQ_HEARTBEAT_TIMEOUT, HEARTBEAT_PATIENCE);
    set_number(link->socket, ZMQ_HEARTBEAT_TTL, LIFE);
}

struct link *link_connect(const struct job_key *key, const char *name, const char *address,
                          const char **why)
{
    const struct zmq *zmq = zmq_load();
    struct link *link = new_link(ZMQ_DEALER, why);
    char secret[KEY_TEXT], public[KEY_TEXT], server[KEY_TEXT];
    if (link == NULL) {
        return NULL;
    }
    ask_often(link);
    watch_connection(link);
    if (zmq->zmq_z85_encode(secret, key->secret, KEY_BYTES) == NULL ||
        zmq->zmq_z85_encode(server, key->server, KEY_BYTES) == NULL ||
        zmq->zmq_curve_public(public, secret) != 0 ||
        zmq->zmq_setsockopt(link->socket, ZMQ_ROUTING_ID, name, strnlen(name, NAME_BYTES)) != 0 ||
        zmq->zmq_setsockopt(link->socket, ZMQ_CURVE_SERVERKEY, server, KEY_TEXT) != 0 ||
        zmq->zmq_setsockopt(link->socket, ZMQ_CURVE_PUBLICKEY, public, KEY_TEXT) != 0 ||
        zmq->zmq_setsockopt(link->socket, ZMQ_CURVE_SECRETKEY, secret, KEY_TEXT) != 0 ||
        zmq->zmq_connect(link->socket, address) != 0 || !set_file(link)) {
        *why = strerror(errno);
        link_close(link);
        return NULL;
    }
    return link;
}

void link_close(struct link *link)
{
    const struct zmq *zmq = zmq_load();
    const int linger = 200; /* milliseconds, for what is still to be sent */
    zmq->zmq_setsockopt(link->socket, ZMQ_LINGER, &linger, sizeof linger);
    if (link->events != NULL) {
        zmq->zmq_socket_monitor(link->socket, NULL, 0);
        zmq->zmq_close(link->events);
    }
    zmq->zmq_close(link->socket);
    close_context(link->context);
    if (link->door != NULL) {
        pthread_join(link->doorkeeper, NULL);
    }
    for (uint32_t i = 0; i < link->peer_count; i++) {
        free(link->peers[i].name);
    }
    free(link->peers);
    free(link->bytes);
    free(link);
}

int link_file(const struct link *link)
{
    return link->file;
}

unsigned long link_refused(const struct link *link)
{
    return atomic_load(&link->refused);
}

/* --- messages --------------------------------------------------------------------------------- */

bool link_send(struct link *link, uint32_t peer, const void *head, size_t head_length,
               const void *body, size_t body_length)
{
    const struct zmq *zmq = zmq_load();
    char *whole = malloc(head_length + body_length + 1);
    if (whole == NULL || (link->door != NULL && peer >= link->peer_count)) {
        free(whole);
        return false;
    }
    memcpy(whole, head, head_length);
    if (body_length != 0) {
        memcpy(whole + head_length, body, body_length);
    }
    const bool addressed = link->door == NULL ||
                           zmq->zmq_send(link->socket, link->peers[peer].name,
                                         link->peers[peer].length, ZMQ_SNDMORE | ZMQ_DONTWAIT) >= 0;
    const bool sent = addressed && zmq->zmq_send(link->socket, whole, head_length + body_length,
                                                 ZMQ_DONTWAIT) >= 0;
    free(whole);
    return sent;
}

/* Returns UINT32_MAX if there are too many. */
static uint32_t peer_number(struct link *link, const char *name, size_t length)
{
    for (uint32_t i = 0; i < link->peer_count; i++) {
        if (link->peers[i].length == length && memcmp(link->peers[i].name, name, length) == 0) {
            return i;
        }
    }
    struct peer *longer = link->peer_count < MOST_PEERS
                              ? realloc(link->peers, (link->peer_count + 1) * sizeof *link->peers)
                              : NULL;
    if (longer == NULL) {
        return UINT32_MAX;
    }
    link->peers = longer;
    link->peers[link->peer_count] = (struct peer){zeroed(length + 1, 1), length};
    memcpy(link->peers[link->peer_count].name, name, length);
    return link->peer_count++;
}

static bool keep_bytes(struct link *link, const void *bytes, size_t length)
{
    if (length + 1 > link->room) {
        void *longer = realloc(link->bytes, length + 1);
        if (longer == NULL) {
            return false;
        }
        link->bytes = longer;
        link->room = length + 1;
    }
    memcpy(link->bytes, bytes, length);
    ((char *)link->bytes)[length] = '\0';
    link->last.bytes = link->bytes;
    link->last.length = length;
    return true;
}

/* Takes one message of all its parts: the name of the peer at `mpipp run`, and the bytes. Returns
 * false if there is none; *is_good is false for one of another form. */
static bool take_message(struct link *link, bool *is_good)
{
    const struct zmq *zmq = zmq_load();
    const int body = link->door != NULL ? 1 : 0;
    bool more = true;
    *is_good = false;
    for (int part = 0; more; part++) {
        zmq_msg_t message;
        zmq->zmq_msg_init(&message);
        if (zmq->zmq_msg_recv(&message, link->socket, ZMQ_DONTWAIT) < 0) {
            zmq->zmq_msg_close(&message);
            return false;
        }
        if (part < body) {
            link->last.peer =
                peer_number(link, zmq->zmq_msg_data(&message), zmq->zmq_msg_size(&message));
        } else if (part == body) {
            *is_good = keep_bytes(link, zmq->zmq_msg_data(&message), zmq->zmq_msg_size(&message)) &&
                       link->last.peer != UINT32_MAX;
        } else {
            *is_good = false;
        }
        more = zmq->zmq_msg_more(&message) != 0;
        zmq->zmq_msg_close(&message);
    }
    return true;
}

bool link_receive(struct link *link, int wait, struct link_message *message)
{
    const struct zmq *zmq = zmq_load();
    bool is_good;
    if (wait > 0) {
        zmq_pollitem_t item = {.socket = link->socket, .events = ZMQ_POLLIN};
        zmq->zmq_poll(&item, 1, wait);
    }
    while (take_message(link, &is_good)) {
        if (is_good) {
            *message = link->last;
            return true;
        }
    }
    return false;
}
