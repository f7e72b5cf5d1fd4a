#!/usr/bin/env python3
"""older_python.py FILE...: names what Python 3.9 cannot read or run in these files: mpipp is built with Debian 11's, too.

Looks for the syntax, for types `X | Y` that are computed, and for the functions and options that came with 3.10 or later.
"""

import ast
import sys

OLDEST = (3, 9)
CALLS = {"pairwise", "aiter", "anext", "bit_count", "batched"}
OPTIONS = {("zip", "strict"), ("dataclass", "slots"), ("dataclass", "kw_only")}
MODULES = {"tomllib"}
TYPING = {"Self", "TypeAlias", "ParamSpec", "TypeGuard", "Never", "override", "assert_never"}


def annotations(node):
    """The annotations that a node has."""
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        given = node.args
        for argument in given.posonlyargs + given.args + given.kwonlyargs + [given.vararg, given.kwarg]:
            if argument is not None and argument.annotation is not None:
                yield argument.annotation
        if node.returns is not None:
            yield node.returns


def has_union(node):
    """Whether a type is written with `|`."""
    return any(isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr) for part in ast.walk(node))


def called(node):
    """The name of what a call calls."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def newer(node, computed):
    """What a node has that Python 3.9 has not; `computed`: annotations are."""
    if computed and any(map(has_union, annotations(node))):
        yield "a type with | in an annotation"
    if isinstance(node, ast.Call):
        name = called(node)
        if name in CALLS:
            yield f"{name}()"
        if name in ("isinstance", "issubclass", "cast") and any(map(has_union, node.args)):
            yield f"a type with | in {name}()"
        yield from (f"{name}({word.arg}=)" for word in node.keywords if (name, word.arg) in OPTIONS)
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in MODULES)
    if isinstance(node, ast.ImportFrom) and node.module == "typing":
        yield from (alias.name for alias in node.names if alias.name in TYPING)


def faults(path, text):
    """A line for each."""
    try:
        tree = ast.parse(text, path, feature_version=OLDEST)
    except SyntaxError as error:
        return [f"{path}:{error.lineno}: {error.msg}"]
    computed = not any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and
                       any(alias.name == "annotations" for alias in node.names) for node in tree.body)
    return [f"{path}:{node.lineno}: {fault}" for node in ast.walk(tree) for fault in newer(node, computed)]


def main(paths):
    """Looks at each file, and first at what must be found."""
    wrong = ("match x:\n    case 1: pass\n", "def f(x: int | None): pass\n", "zip(a, b, strict=True)\n",
             "isinstance(x, int | str)\n", "x: 'int' | None = 1\n")
    found = [f"not found: {text!r}" for text in wrong if not faults("wrong", text)]
    for path in paths:
        with open(path, encoding="utf-8") as source:
            found += faults(path, source.read())
    print(*found, sep="\n")
    return 1 if found or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
