"""Wrong calls of mpi4py, each with the check that finds it at the end of its line. One rank."""

import numpy
from mpi4py import MPI

data = numpy.zeros(64, "i")


def uncommitted() -> None:
    """A call that communicates: mpi4py gives up the interpreter's lock for it."""
    vector = MPI.INT.Create_vector(2, 1, 4)
    for _ in range(2):
        try:
            MPI.COMM_SELF.Bcast([data, 1, vector])  # datatype-uncommitted x 2
        except MPI.Exception:
            pass
    vector.Free()


uncommitted()
MPI.INT.Create_contiguous(3)  # datatype-leak


def leaks() -> None:
    """What is given out by calls without the interpreter's lock, too."""
    MPI.COMM_SELF.Irecv([data, 1, MPI.INT], 0, 1)  # request-leak
    MPI.COMM_SELF.Recv_init([data, 1, MPI.INT], 0, 2)  # request-leak
    MPI.COMM_SELF.Dup()  # handle-leak
    MPI.COMM_SELF.Get_group()  # handle-leak
    MPI.Info.Create()  # handle-leak


leaks()
