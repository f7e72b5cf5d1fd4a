"""Calls that MPI refuses in mpi4py, which has MPI return its codes and makes exceptions of them: each a note."""

from mpi4py import MPI
import numpy

ints = numpy.zeros(8, "i")
comm = MPI.COMM_SELF.Dup()
request = comm.Isend([ints, 4, MPI.INT], 0, 1)
try:
    comm.Recv([ints[4:], 2, MPI.INT], 0, 1)  # note mpi-error
except MPI.Exception as refused:
    assert refused.Get_error_class() == MPI.ERR_TRUNCATE
else:
    raise SystemExit(9)
request.Wait()
comm.Free()
