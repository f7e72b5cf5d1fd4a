"""Ranks that receive from each other."""

from mpi4py import MPI


def exchange(world: MPI.Comm) -> None:
    """Never ends."""
    world.recv(source=1 - world.rank, tag=7)


print("asleep", flush=True)
exchange(MPI.COMM_WORLD)
