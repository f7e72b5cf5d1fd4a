# SPDX-License-Identifier: BSD-3-Clause
"""mpipp for Spack. From a clone of mpipp:

    spack repo add cmd/setup/spack
    spack install mpipp ^mpich          # or ^openmpi, or what else provides MPI

It builds the branch main of that clone, for the one MPI of the specification.
"""

import os

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass
from spack.package import *  # noqa: F401,F403

_CLONE = os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 5))


class Mpipp(MakefilePackage):
    """MPI datatypes in gdb, and a checker of MPI calls that needs no recompilation."""

    git = "file://" + _CLONE
    license("BSD-3-Clause")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("mpi")
    depends_on("gdb@13: +python", type=("build", "run"))
    depends_on("python", type=("build", "run"))
    depends_on("elfutils")
    depends_on("jansson")
    depends_on("libzmq")
    depends_on("xxhash", type="build")

    def _variables(self):
        spec = self.spec
        return [
            "SETUP=no",
            "MPICC=" + spec["mpi"].mpicc,
            "PYTHON=" + spec["python"].command.path,
            "GDB=" + os.path.join(spec["gdb"].prefix.bin, "gdb"),
            "PREFIX=" + self.prefix,
        ]

    def build(self, spec, prefix):
        make(*self._variables(), "all")

    def install(self, spec, prefix):
        make(*self._variables(), "install")
