"""Correct calls of mpi4py: nothing may be reported. Runs as two ranks."""

import os

import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.rank, world.size
other = size - 1 - rank


def objects() -> None:
    """Pickles."""
    request = world.isend({"rank": rank, "data": list(range(50))}, dest=other, tag=1)
    world.recv(source=other, tag=1)
    request.wait()
    pending = world.irecv(source=other, tag=2)
    world.send("x" * 1000, dest=other, tag=2)
    pending.wait()
    world.bcast({"a": 1} if rank == 0 else None)
    world.scatter(list(range(size)) if rank == 0 else None)
    world.gather(rank)
    world.allgather((rank, None))
    world.alltoall([rank] * size)
    world.allreduce(rank)
    world.allreduce({rank}, op=lambda left, right: left | right)
    world.scan(rank)
    world.sendrecv(rank, dest=other, source=other)
    message = world.isend(b"", dest=other, tag=3)
    status = MPI.Status()
    world.mprobe(source=other, tag=3, status=status).recv()
    message.wait()


def arrays() -> None:
    """Buffers, blocking, nonblocking, persistent, in place."""
    out, into = numpy.arange(24, dtype="d"), numpy.zeros(24)
    requests = [world.Irecv(into, other, 4), world.Isend(out, other, 4)]
    MPI.Request.Waitall(requests)
    world.Sendrecv(out, other, 5, into, other, 5)
    world.Allreduce(MPI.IN_PLACE, into, MPI.MAX)
    world.Allgather(out[: 24 // size], into)
    world.Alltoallv([out, [1] * size, MPI.DOUBLE], [into, [1] * size, MPI.DOUBLE])
    world.Gatherv(out[: rank + 1], [into, list(range(1, size + 1))] if rank == 0 else None)
    world.Reduce(MPI.IN_PLACE if rank == 0 else into, into if rank == 0 else None, MPI.SUM)
    world.Allreduce(out.astype("i1"), into.astype("i1"))
    world.Allreduce(out.astype("F"), into.astype("F"))
    world.Allreduce(out > 3, numpy.zeros(24, bool), MPI.LAND)
    persistent = [world.Send_init(out, other, 6), world.Recv_init(into, other, 6)]
    for _ in range(2):
        MPI.Prequest.Startall(persistent)
        MPI.Request.Waitall(persistent)
    for request in persistent:
        request.Free()
    world.Ibarrier().Wait()
    index = MPI.Request.Waitany([MPI.REQUEST_NULL, world.Isend(out, MPI.PROC_NULL)])
    assert index in (1, MPI.UNDEFINED)


def types() -> None:
    """Derived datatypes of every constructor, freed and pending."""
    out, into = numpy.zeros((6, 6)), numpy.zeros((6, 6))
    column = MPI.DOUBLE.Create_vector(6, 1, 6).Commit()
    tile = MPI.DOUBLE.Create_subarray([6, 6], [2, 3], [1, 1]).Commit()
    struct = MPI.Datatype.Create_struct([1, 2], [0, 8], [MPI.INT, MPI.DOUBLE]).Commit()
    for made in (column, tile, struct, MPI.INT.Create_hindexed([1, 2], [0, 16]).Commit(),
                 column.Dup(), MPI.INT.Create_indexed_block(2, [0, 4]).Commit()):
        pending = world.Irecv([into, 1, made], other, 7)
        world.Send([out, 1, made], other, 7)
        copy = MPI.Datatype(made)
        made.Free()
        pending.Wait()
        del copy


def windows_and_files() -> None:
    """One-sided communication, files."""
    memory = numpy.zeros(16, "i")
    window = MPI.Win.Create(memory, memory.itemsize, comm=world)
    window.Fence()
    window.Put([numpy.ones(4, "i"), MPI.INT], other)
    window.Fence()
    window.Lock(other)
    window.Accumulate([numpy.ones(4, "i"), MPI.INT], other, op=MPI.SUM)
    window.Unlock(other)
    world.Barrier()
    window.Free()
    name = world.bcast(f"silent-{os.getpid()}")
    shared = MPI.File.Open(world, name, MPI.MODE_CREATE | MPI.MODE_RDWR | MPI.MODE_DELETE_ON_CLOSE)
    view = MPI.INT.Create_vector(4, 1, size).Commit()
    shared.Set_view(rank * 4, MPI.INT, view)
    shared.Write_all(numpy.ones(4, "i"))
    shared.Iwrite_at(0, numpy.ones(4, "i")).Wait()
    view.Free()
    shared.Close()


def communicators() -> None:
    """Made, and freed by their user."""
    copy = world.Dup()
    part = copy.Split(rank)
    group = copy.Get_group()
    cart = copy.Create_cart([size], [True])
    cart.Neighbor_allgather(numpy.zeros(1), numpy.zeros(2))
    cart.neighbor_alltoall([0, 1])
    operation = MPI.Op.Create(lambda left, right, kind: None, commute=True)
    copy.Allreduce(numpy.zeros(4), numpy.zeros(4), operation)
    operation.Free()
    for made in (cart, part, copy):
        made.Free()
    group.Free()
    MPI.Compute_dims(size, 2)
    requests = [MPI.Grequest.Start(lambda s: None, lambda: None, lambda c: None)]
    requests[0].Complete()
    requests[0].Wait()


objects()
arrays()
types()
windows_and_files()
communicators()
