#!/usr/bin/env python3
"""spack_recipe.py PACKAGE.PY: compiles Spack's recipe and runs it with a stand-in for Spack, which tests may not need.

It prints the commands that the recipe would run to build and to install.
"""

import sys
import types


class Anything:
    """What Spack's specification gives: each part of it has a name in angle brackets."""

    def __init__(self, name: str):
        self._name = name

    def __getitem__(self, name: str) -> "Anything":
        return Anything(name)

    def __getattr__(self, name: str) -> "Anything":
        return Anything(f"{self._name}.{name}")

    def __str__(self) -> str:
        return f"<{self._name}>"

    def __fspath__(self) -> str:
        return str(self)

    def __radd__(self, other: str) -> str:
        return other + str(self)


class MakefilePackage:
    """The base class of the recipe."""

    spec = Anything("spec")
    prefix = Anything("prefix")


def main(path: str) -> None:
    """Runs the recipe."""
    spack = types.ModuleType("spack.package")
    spack.MakefilePackage = MakefilePackage
    spack.make = lambda *words: print("make", *words)
    versions, needs = [], []
    spack.license = lambda *words: None
    spack.version = lambda name, **options: versions.append(name)
    spack.depends_on = lambda spec, **options: needs.append(spec.split("@", maxsplit=1)[0])
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": spack})
    names = {"__file__": path, "__name__": "package"}
    with open(path, encoding="utf-8") as recipe:
        exec(compile(recipe.read(), path, "exec"), names)  # pylint: disable=exec-used
    package = names["Mpipp"]()
    print("from", package.git, *versions)
    print("needs", *sorted(needs))
    package.build(package.spec, package.prefix)
    package.install(package.spec, package.prefix)


if __name__ == "__main__":
    main(sys.argv[1])
