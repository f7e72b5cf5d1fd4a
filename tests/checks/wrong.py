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
