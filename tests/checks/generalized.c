/*
 * Generalized requests, which the program itself completes.
 *
 *     generalized          correct calls: silent
 *     generalized CASE     one wrong call, which may be the end of the process
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
#define IGNORE MPI_STATUS_IGNORE
static int ints[4], freed;

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static MPI_Request start(void)
{
    MPI_Request request;
    MPI_Grequest_start(query, release, cancel, NULL, &request);
    return request;
}

static int wrong(const char *name)
{
    MPI_Request request = MPI_REQUEST_NULL, copy;
    if (strcmp(name, "null") == 0) {
        MPI_Grequest_complete(request);                             /* request-null (null) */
    } else if (strcmp(name, "zero") == 0) {
        memset(&request, 0, sizeof request);
        MPI_Grequest_complete(request);                             /* request-unknown (zero) */
    } else if (strcmp(name, "unset") == 0) {
        memset(&request, 0x11, sizeof request);
        MPI_Grequest_complete(request);                             /* request-unknown (unset) */
    } else if (strcmp(name, "waited") == 0) {
        copy = request = start();
        MPI_Grequest_complete(request);
        MPI_Wait(&request, IGNORE);
        MPI_Grequest_complete(copy);                                /* request-unknown (waited) */
    } else if (strcmp(name, "freed") == 0) {
        copy = request = start();
        MPI_Grequest_complete(request);
        MPI_Request_free(&request);
        MPI_Grequest_complete(copy);                                /* request-unknown (freed) */
    } else if (strcmp(name, "freed-twice") == 0) {
        copy = request = start();
        MPI_Request_free(&request);
        MPI_Grequest_complete(copy);
        MPI_Grequest_complete(copy);                                /* request-unknown (freed-twice) */
    } else if (strcmp(name, "twice") == 0) {
        request = start();
        MPI_Grequest_complete(request);
        MPI_Grequest_complete(request);                             /* request-inactive (twice) */
    } else if (strcmp(name, "receive") == 0) {
        MPI_Irecv(ints, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        MPI_Grequest_complete(request);                             /* request-unknown (receive) */
    } else if (strcmp(name, "persistent") == 0) {
        MPI_Send_init(ints, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        MPI_Grequest_complete(request);                             /* request-unknown (persistent) */
    } else {
        return 0;
    }
    _exit(0);
}

static void *complete(void *request)
{
    MPI_Grequest_complete(*(MPI_Request *)request);
    return NULL;
}

static void correct(void)
{
    pthread_t thread;
    for (int i = 0; i < 50; i++) {
        MPI_Request requests[2] = {start(), MPI_REQUEST_NULL}, copy = requests[0];
        MPI_Irecv(ints, 4, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
        pthread_create(&thread, NULL, complete, &copy);
        MPI_Send(ints, 0, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        pthread_join(thread, NULL);

        copy = requests[0] = start();
        MPI_Request_free(&requests[0]);
        if (i % 2) {
            pthread_create(&thread, NULL, complete, &copy);
            pthread_join(thread, NULL);
        } else
            MPI_Grequest_complete(copy);

        copy = requests[0] = start();
        MPI_Cancel(&requests[0]);
        MPI_Grequest_complete(requests[0]);
        for (int flag = 0; !flag;)
            MPI_Test(&copy, &flag, IGNORE);
        requests[0] = MPI_REQUEST_NULL;
    }
    if (freed != 150)
        printf("wrong: %d of 150 requests were freed\n", freed);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (argc > 1 && !wrong(argv[1])) {
        fprintf(stderr, "there is no case %s\n", argv[1]);
        return 2;
    }
    correct();
    MPI_Finalize();
}
