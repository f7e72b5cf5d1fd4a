"""In gdb: `walk EXPRESSION` goes through a value as a script does that knows gdb's Python API and nothing of mpipp."""

import gdb


def tree(value: gdb.Value, depth: int) -> str:
    """name=... in parentheses, or the value's text."""
    printer = gdb.default_visualizer(value)
    if printer is not None and hasattr(printer, "children"):
        pairs = [(name, child) for name, child in printer.children()]
    elif value.type.strip_typedefs().code == gdb.TYPE_CODE_STRUCT and printer is None:
        pairs = [(field.name, value[field]) for field in value.type.strip_typedefs().fields()]
    else:
        text = printer.to_string() if printer is not None else value
        return str(text)
    if depth == 0:
        return "..."
    return "(" + " ".join(f"{name}={tree(child, depth - 1)}" for name, child in pairs) + ")"


def texts(value: gdb.Value) -> str:
    """What three ways to ask for a text say; all of them again after the children were asked for."""
    printer = gdb.default_visualizer(value)
    hint = printer.display_hint()
    first = str(printer.to_string())
    children = len(list(printer.children()))
    again = str(printer.to_string())
    same = first == again == str(value) == value.format_string() == gdb.execute("output $walked", to_string=True)
    return f"{first} {hint} {children} {'the same' if same else 'differ'}"


class Walk(gdb.Command):
    """walk [-texts] EXPRESSION"""

    def __init__(self) -> None:
        super().__init__("walk", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        """Called by gdb."""
        expression = argument.replace("-texts ", "")
        value = gdb.parse_and_eval(expression)
        gdb.set_convenience_variable("walked", value)
        print(texts(value) if argument.startswith("-texts") else tree(value, 5))


Walk()
