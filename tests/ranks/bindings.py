"""Messages of two ranks in Python: bindings.py HOW.

right    all fit their receives: nothing may be reported
type     another basic type
long     a message that is too long, which MPI tells as an exception
lost     a message that is never received
"""

import array
import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
other = 1 - comm.rank
values = array.array("i", range(8))
pairs = array.array("i", range(8))
numbers = array.array("f", range(8))
pair = MPI.INT.Create_contiguous(2).Commit()
both = MPI.Datatype.Create_struct([1, 1], [0, 4], [MPI.INT, MPI.FLOAT]).Commit()


def is_case(how: str, rank: int) -> bool:
    return sys.argv[1] == how and comm.rank == rank


def exchange() -> None:
    """Messages that are right."""
    comm.Sendrecv([values, 6, MPI.INT], other, 1, [pairs, 3, pair], other, 1)
    requests = [comm.Irecv([pairs, 4, pair], other, 2), comm.Isend([values, 3, pair], other, 2)]
    MPI.Request.Waitall(requests)
    assert comm.sendrecv({"rank": comm.rank}, other, source=MPI.ANY_SOURCE)["rank"] == other
    request = comm.isend(list(range(1000)), other, 3)
    assert comm.recv(source=other) == list(range(1000))
    request.wait()
    comm.Sendrecv_replace(numbers, other, 4, MPI.ANY_SOURCE, MPI.ANY_TAG)
    persistent = [comm.Recv_init(pairs, other, 5), comm.Send_init([values, 2, MPI.INT], other, 5)]
    for _ in range(2):
        MPI.Prequest.Startall(persistent)
        MPI.Request.Waitall(persistent)
    for one in persistent:
        one.Free()
    comm.Sendrecv([values, 2, both], other, 6, [pairs, 3, both], other, 6)
    if comm.rank == 0:
        comm.Ssend([numbers, 0, MPI.FLOAT], 1, 9)
        comm.Send([bytes(range(100)), MPI.BYTE], 1, 10)
    else:
        comm.Recv(values, 0, 9)
        status = MPI.Status()
        message = comm.Mprobe(0, 10, status)
        message.Recv([bytearray(status.Get_count(MPI.BYTE)), MPI.BYTE])


if is_case("type", 0):
    comm.Send([values, 6, MPI.INT], 1, 7)  # type: send
elif is_case("type", 1):
    comm.Recv([numbers, 6, MPI.FLOAT], 0, 7)  # type: receive
elif is_case("long", 0):
    comm.Send([values, 3, pair], 1, 7)  # long: send
elif is_case("long", 1):
    comm.Recv([pairs, 5, MPI.INT], 0, 7)  # long: receive
elif is_case("lost", 0):
    comm.Send([values, 1, MPI.INT], 1, 8)
    comm.Send([values, 2, MPI.INT], 1, 7)  # lost: send
elif is_case("lost", 1):
    comm.Recv(pairs, 0, 8)
else:
    exchange()
both.Free()
pair.Free()
