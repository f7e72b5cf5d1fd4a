"""A message of other basic types than its receive, and ones that fit."""

import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
values = array.array("i", range(4))
numbers = array.array("d", range(2))
if comm.rank == 0:
    comm.send({"a": 1}, dest=1)
    comm.Send([numbers, 2, MPI.DOUBLE], dest=1, tag=7)  # sent: send
elif comm.rank == 1:
    comm.recv(source=0)
    comm.Recv([values, 4, MPI.INT], source=0, tag=7)  # sent: receive
