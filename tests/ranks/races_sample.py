"""One-sided calls of two ranks that nothing orders, by mpi4py; the comment after the lower rank's call names what is to be found."""
import array

from mpi4py import MPI

WORLD = MPI.COMM_WORLD
MEMORY = array.array("i", [0] * 8)
VALUES = array.array("i", [1] * 4)
WINDOW = MPI.Win.Create(MEMORY, 4, comm=WORLD)
WINDOW.Fence()
if WORLD.rank == 0:
    WINDOW.Put([VALUES, 4, MPI.INT], 1, [0, 4, MPI.INT])  # rma-conflict
else:
    WINDOW.Put([VALUES, 1, MPI.INT], 1, [3, 1, MPI.INT])
WINDOW.Fence()
if WORLD.rank == 0:
    WINDOW.Put([VALUES, 1, MPI.INT], 1, [4, 1, MPI.INT])
WINDOW.Fence()
if WORLD.rank == 1:
    WINDOW.Put([VALUES, 1, MPI.INT], 1, [4, 1, MPI.INT])
WINDOW.Fence()
WINDOW.Free()
