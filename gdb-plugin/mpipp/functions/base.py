# SPDX-License-Identifier: BSD-3-Clause
"""What all convenience functions share."""

import gdb

from ..fault import fault, sentences


class Function(gdb.Function):
    """A convenience function whose errors are one sentence each. The docstring of a subclass is its text for `help
    function`; its method `value` takes the arguments."""

    def __init__(self, name: str, parameters: int) -> None:
        super().__init__(name)
        self._name = name
        self._parameters = parameters

    def invoke(self, *arguments: gdb.Value) -> gdb.Value:
        """Called by gdb."""
        if len(arguments) != self._parameters:
            plural = "argument" if self._parameters == 1 else "arguments"
            raise fault(f"${self._name} takes {_NUMBERS[self._parameters]} {plural}, not {len(arguments)}")
        with sentences():
            return self.value(*arguments)

    def value(self, *arguments: gdb.Value) -> gdb.Value:
        """The function's value."""
        raise NotImplementedError


_NUMBERS = ("no", "one", "two", "three", "four")
