"""Rank 0 waits for a collective call of rank 1, which receives from it."""

from mpi4py import MPI

world = MPI.COMM_WORLD.Dup()
if world.Get_rank() == 0:
    world.Ibarrier().Wait()  # hang: python
else:
    number = bytearray(4)
    world.Recv(number, source=0, tag=7)
