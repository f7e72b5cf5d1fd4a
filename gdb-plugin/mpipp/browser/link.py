# SPDX-License-Identifier: BSD-3-Clause
"""A window on the display: a separate process (window.py) and the pipe between it and gdb.

Messages are lines of JSON. Two threads read and write the pipe, so that gdb never waits for the window. Everything that
calls gdb runs in gdb's own thread, between its commands. When gdb ends, for whatever reason, the window ends, too. If the
display disappears, the window ends, but gdb goes on.
"""

import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from functools import partial
from typing import Callable, Dict, Iterator, List, Optional

import gdb

from ..fault import EXPECTED, let_quit, sentence
from ..posted import post
from .tree import Tree

_PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "window.py")

Message = Dict[str, object]


class Window:
    """One window. Raises gdb.error if there can be none."""

    def __init__(self, tree: Tree, ended: "Callable[[Window], None]") -> None:
        """ended: called when the window is closed."""
        self.tree = tree
        self._ended = ended
        self._answers: "queue.SimpleQueue[Optional[Message]]" = queue.SimpleQueue()
        self._socket, self._process = _start()
        self._is_expired = False
        self._note = tree.note()
        self._answers.put({"title": tree.title, "row": tree.root(), "note": self._note})
        with _signals_for_gdb():
            for target in (self._read, self._write):
                threading.Thread(target=target, daemon=True).start()

    def expire(self) -> None:
        """Something has happened: what is read from here on belongs to the next changed(), which will come."""
        self._is_expired = True

    def changed(self) -> None:
        """Memory may have changed: values are read again. If there are none now, this is reported only once: a breakpoint with
        a condition may stop a thousand times a second and go on."""
        self._is_expired = False
        note, before = self.tree.note(), self._note
        self._note = note
        if not self.tree.state():
            self._answers.put({"stop": note})
        elif note != before:
            self._answers.put({"note": note})

    def go_to(self, keys: List[str]) -> None:
        """Shows a row."""
        self._answers.put({"found": keys})

    def close(self) -> None:
        """gdb ends."""
        with suppress(OSError):  # it was closed already
            self._socket.shutdown(socket.SHUT_RDWR)

    # --- in threads of their own

    def _read(self) -> None:
        try:
            with self._socket.makefile("r", encoding="utf-8") as lines:
                for line in lines:
                    post(partial(self._answer, line))
        except (OSError, ValueError):
            pass
        self._answers.put(None)
        self._process.wait()
        post(partial(self._ended, self))

    def _write(self) -> None:
        while True:
            answer = self._answers.get()
            try:
                if answer is None:
                    self._socket.close()
                    return
                self._socket.sendall(json.dumps(answer).encode() + b"\n")
            except OSError:
                pass  # the window is gone: the other thread reports it

    # --- in gdb's thread

    def _answer(self, line: str) -> None:
        try:
            self._answers.put(self._answer_to(json.loads(line)))
        except (gdb.GdbError, KeyboardInterrupt) as error:
            self._answers.put({"fault": str(error).replace("mpipp: ", "", 1) or "interrupted"})
        except EXPECTED as error:
            let_quit(error)
            self._answers.put({"fault": sentence(error)})

    def _answer_to(self, request: Dict[str, str]) -> Message:
        key = request["of"]
        if request["do"] == "children":
            return {"children": key, "rows": self.tree.children(key)}
        if request["do"] == "values":
            return {"values": {} if self._is_expired else self.tree.values(key)}
        if request["do"] == "find":
            return {"found": self.tree.find(key)}
        return {"copy": self.tree.expression(key)}


def _start() -> "tuple[socket.socket, subprocess.Popen[bytes]]":
    """The window's process, which has opened the display."""
    if not os.environ.get("DISPLAY"):
        raise gdb.error("no display ($DISPLAY is not set)")
    why = "no Python to open a window with"
    for python in _pythons():
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = [python, "-I", _PROGRAM, str(theirs.fileno())]
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        why = _first_line(ours)
        if not why:
            return ours, process
        ours.close()
        process.wait()
    raise gdb.error(why)


def _pythons() -> List[str]:
    """gdb's own Python may have no program: use one that certainly exists."""
    own = os.path.join(sys.exec_prefix, "bin", "python%d.%d" % sys.version_info[:2])
    found = [path for path in (own, shutil.which("python3")) if path and os.access(path, os.X_OK)]
    return list(dict.fromkeys(map(os.path.realpath, found)))


def _first_line(ours: socket.socket) -> str:
    """Why there is no window; empty if there is one."""
    text = b""
    while not text.endswith(b"\n"):
        data = ours.recv(1)
        if not data:
            return "the window's process ended"
        text += data
    return text.decode(errors="replace").strip()


@contextmanager
def _signals_for_gdb() -> Iterator[None]:
    """A thread that is started meanwhile receives no signals: gdb expects them in its own thread."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
