"""In gdb: what gdb 14 and later do with a printer for a frontend on DAP, in a gdb that is older, too.

    dap EXPRESSION [// INDEX...]     the value, or the child of a child of it, with its children

Sourced before the plugin. gdb.ValuePrinter and gdb.dap are there then; the former holds its classes to what gdb's manual asks of them: no
attribute without an underscore but the methods that gdb calls. The command goes through a value as gdb's
dap/varref.py does: for each value that shows, its text and the number of its children; for one that is unfolded, child
by child.
"""

import sys
import types
from typing import List, Tuple

import gdb

METHODS = frozenset(("to_string", "children", "display_hint", "num_children", "child"))


def checked(name: str) -> None:
    """Refuses an attribute that gdb may want for itself."""
    if not name.startswith("_") and name not in METHODS:
        raise TypeError(f"a ValuePrinter has an attribute '{name}'")


class StandIn:
    """gdb.ValuePrinter"""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name in vars(cls):
            checked(name)

    def __setattr__(self, name: str, value: object) -> None:
        checked(name)
        super().__setattr__(name, value)


class Variable:
    """VariableReference of gdb's varref.py."""

    def __init__(self, name: str, value: gdb.Value) -> None:
        self.name = name
        self.value = value
        self.printer = gdb.default_visualizer(value)
        self.unfolds = hasattr(self.printer, "children")

    def text(self) -> str:
        """to_object(): in its order."""
        if self.printer is None:
            return f"{self.name}: {self.value}"
        text = f"{self.name}: {self.printer.to_string()}"
        if not self.unfolds:
            return text
        is_list = hasattr(self.printer, "display_hint") and self.printer.display_hint() == "array"
        return f"{text} ({self.count()} {'indexed' if is_list else 'named'})"

    def count(self) -> int:
        """child_count(): of ours no list of children is made."""
        assert isinstance(self.printer, gdb.ValuePrinter)
        return self.printer.num_children()

    def child(self, index: int) -> "Variable":
        """fetch_one_child()"""
        return Variable(*self.printer.child(index))


def shown(expression: str, path: List[int]) -> Tuple[Variable, List[str]]:
    """The variable at the end of a path, and the texts of its children; on the way all children show."""
    variable = Variable(expression, gdb.parse_and_eval(expression))
    variable.text()
    for step in [*path, None]:
        children = [variable.child(index) for index in range(variable.count())] if variable.unfolds else []
        texts = [child.text() for child in children]
        if step is not None:
            variable = children[step]
    return variable, texts


class Dap(gdb.Command):
    """dap EXPRESSION [// INDEX...]"""

    def __init__(self) -> None:
        super().__init__("dap", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb."""
        expression, _, path = argument.partition(" //")
        variable, texts = shown(expression, [int(index) for index in path.split()])
        if len(texts) > 6:
            texts[1:-1] = ["..."]
        print("\n  ".join([variable.text(), *texts]))


if not hasattr(gdb, "ValuePrinter"):
    gdb.ValuePrinter = StandIn
sys.modules.setdefault("gdb.dap", types.ModuleType("gdb.dap"))
Dap()
