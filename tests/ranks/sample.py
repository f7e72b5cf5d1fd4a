"""A call in which the last rank is wrong, and ones that are right in all ranks."""

import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
values = array.array("i", range(10))
sums = array.array("i", range(10))
ten = MPI.INT.Create_contiguous(10).Commit()
comm.Bcast([values, 1, ten] if comm.rank == 1 else [values, 10, MPI.INT], root=0)
ten.Free()
comm.bcast({"a": comm.rank}, root=0)
operation = MPI.MAX if comm.rank == comm.size - 1 else MPI.SUM
comm.Allreduce([values, 10, MPI.INT], [sums, 10, MPI.INT], op=operation)  # wrong: collective-op
