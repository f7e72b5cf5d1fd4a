"""Arrays of numpy that calls reach out of, with --check=size, as in wrong.py. One rank."""

import array

import numpy
from mpi4py import MPI

data = numpy.zeros(64, "i")
small = numpy.ones(3, "d")
text = bytearray(1000)
numbers = array.array("d", [1.0] * 50)
column = MPI.INT.Create_vector(8, 1, 8).Commit()

for fits in (data, data[10:], small, text, numbers, memoryview(text)[5:]):
    MPI.COMM_SELF.Bcast(fits)
for _ in range(200):  # small arrays come from numpy's own store of blocks
    MPI.COMM_SELF.Bcast(numpy.arange(_ % 40, dtype="d"))
MPI.COMM_SELF.Bcast([data[7:], 1, column])
MPI.COMM_SELF.Bcast([data[8:], 1, column])  # buffer-size # at (VECTOR)[7][0](MPI_INT)+224
column.Free()
