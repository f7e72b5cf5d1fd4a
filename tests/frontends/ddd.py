#!/usr/bin/env python3
"""mpipp in DDD, on a display and a terminal of its own: what it sends to gdb and what it shows.

    ddd.py MPIPP FOLDER PROGRAM SOURCE fold        displays are boxes that fold, buttons work
    ddd.py MPIPP FOLDER PROGRAM SOURCE ranks       two ranks; DDD is killed in the middle
    ddd.py MPIPP FOLDER PROGRAM SOURCE display     the same; its display goes away
    ddd.py MPIPP FOLDER PROGRAM SOURCE core CORE   a core file
    ddd.py MPIPP FOLDER PROGRAM SOURCE buffers     `set mpipp buffers on': an array is a box with its data in the call
    ddd.py MPIPP FOLDER PROGRAM SOURCE picture     writes FOLDER/ddd.png, of two ranks of examples/figure1.c

DDD writes a trace: the commands it sends, gdb's answers, and its own status line, which tells what a click is on. So what
is asked of it is waited for there, and a click is repeated until it has been seen.
"""

import os
import pty
import re
import subprocess
import sys
import threading
import time
from typing import Callable, List, Sequence

import screen
from ranks import PATIENCE, alive, line_of, until

MPIPP, FOLDER, PROGRAM, SOURCE, WHAT = sys.argv[1:6]
FROM = "&from" if SOURCE.endswith(".f90") else "from"
DDD = "ddd --tty --trace --separate-windows --no-source-window --no-exec-window"
BUTTONS = {"mpi call": 28, "mpi types": 87, "mpi type": 154, "mpi browse": 235, "mpi draw": 314}  # at 77 from the top
HELD = "sleep 0.1 mousedown 1 sleep 0.2 mouseup 1".split()  # a button of DDD's misses a quick click
SIZES = ["Ddd*graph_edit.width: 640", "Ddd*graph_edit.height: 560"]


class Ddd:
    """One DDD."""

    def __init__(self, words: List[str]) -> None:
        sizes = " ".join(f"-xrm '{size}'" for size in SIZES)
        self._path = os.path.join(FOLDER, "trace")
        self._terminal, ours = pty.openpty()
        desktop = f"{FOLDER}:{os.environ['PATH']}"  # with the desktop's viewer
        environment = dict(os.environ, HOME=FOLDER, PATH=desktop, TERM="dumb")
        with open(self._path, "wb") as trace:
            self.process = subprocess.Popen(
                [MPIPP, "ddd", f"--ddd={DDD} {sizes}", "-nx", *words],
                stdin=ours,
                stdout=ours,
                stderr=trace,
                env=environment,
                cwd=FOLDER,
                start_new_session=True,
            )
        os.close(ours)
        self._at = 0
        self._size = 0
        self._text = ""
        threading.Thread(target=self._drain, daemon=True).start()
        self.see(r"^-> help down\n[^#]*\(gdb\) ")  # the last one of what DDD asks at first

    def _drain(self) -> None:
        try:
            while os.read(self._terminal, 65536):
                pass
        except OSError:
            pass

    def trace(self) -> str:
        """What DDD has written: its commands after "-> ", its status after "#  ", and gdb's answers as they are, without
        the times between the pieces in which they came."""
        size = os.path.getsize(self._path)
        if size == self._size:
            return self._text
        with open(self._path, encoding="utf-8", errors="replace") as file:
            lines = file.read(size).split("\n")
        text = ""
        for line in lines[:-1]:  # the last one may not be whole
            piece = re.match(r'(<- |   |-> )"(.*)"$', line)
            if piece and piece.group(1) == "-> ":
                text += "\n-> " + piece.group(2).replace("\\n", "\n")
            elif piece:
                text += piece.group(2).replace("\\n", "\n").replace('\\"', '"').replace("\\'", "'")
            elif line.startswith("#  "):
                text += "\n" + line + "\n"
        self._size, self._text = size, text
        return text

    def find(self, pattern: str) -> str:
        """What it has written of this since the last match; "": nothing."""
        found = re.compile(pattern, re.M).search(self.trace(), self._at)
        if not found:
            return ""
        self._at = found.end()
        return found.group()

    def see(self, pattern: str) -> str:
        """Waits for it, and returns it."""
        end = time.monotonic() + PATIENCE
        while True:
            found = self.find(pattern)
            if found:
                return found
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit(f"not seen: {pattern}\n{self.trace()[self._at:][-3000:]}")
            time.sleep(0.05)

    def hear(self, pattern: str) -> str:
        """Waits for it, and returns it; "": DDD and gdb have been at rest for long, and it has not come."""
        end = time.monotonic() + PATIENCE / 10
        while time.monotonic() < end:
            if not self._idle():
                end = time.monotonic() + PATIENCE / 10
            found = self.find(pattern)
            if found or self.process.poll() is not None:
                return found or self.see(pattern)
            time.sleep(0.05)
        return ""

    def _idle(self) -> bool:
        """Whether gdb has answered what DDD has asked last: its prompt is the end of the answer."""
        answer = re.sub(r"\n#  .*\n", "", self.trace().rpartition("\n-> ")[2])
        return answer.endswith("(gdb) ")

    def rest(self) -> None:
        """Waits until DDD has nothing more to ask: while it has, it hands on what is typed as it is, and gdb knows no
        command `graph'."""
        quiet = time.monotonic()
        end = quiet + PATIENCE
        while time.monotonic() - quiet < 0.3:
            if not self._idle():
                quiet = time.monotonic()
            if quiet > end or self.process.poll() is not None:
                sys.exit(f"DDD does not come to rest\n{self.trace()[self._at:][-3000:]}")
            time.sleep(0.02)

    def say(self, command: str, *answers: str) -> None:
        """Types a command on DDD's terminal, and waits for answers, one after the other. A command of DDD's own may reach
        gdb all the same, where DDD has begun to ask in between, or nobody: then it is typed again."""
        misled = 'Undefined command: "graph"'
        while True:
            self.rest()
            os.write(self._terminal, command.encode() + b"\n")
            if not command.startswith("graph ") or self.hear(f"{answers[0]}|{misled}") not in (misled, ""):
                break
        for answer in answers[command.startswith("graph ") :]:
            self.see(answer)

    def run(self, *commands: str) -> None:
        """The same, one after the other. DDD 3.3.12 ends itself (an assertion of PosBuffer.C) where one answer has two
        positions and comes in the wrong pieces: so no more than one of them is for gdb's own options, whose answers are
        one to DDD."""
        for command in commands:
            self.say(command, rf"^-> {re.escape(command)}\n")

    def press(self, command: str, arguments: str = "") -> None:
        """Presses the button of a command, with that in DDD's field for arguments."""
        field = ["mousemove", "150", "46", "click", "--repeat", "3", "1", "sleep", "0.3", "type", arguments]
        # A click too slow for the other two selects nothing, and the arguments come behind what the field has.
        sent = rf"^-> {command}( -open)? {re.escape(arguments)}(, mpipp.svg)?\n" if arguments else rf"^-> {command}( .*)?\n"
        self.click([f"{BUTTONS[command] + aside} 77" for aside in (0, -8, 8)], sent, field if arguments else [])

    def click(self, places: List[str], pattern: str, before: Sequence[str] = ()) -> None:
        """Clicks on one place after the other until that is seen; before each it runs the given commands of xdotool."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for place in places:
                if before:
                    subprocess.run(["xdotool", *before], check=True)
                subprocess.run(["xdotool", "mousemove", *place.split(), *HELD], check=True)
                soon = time.monotonic() + 0.5
                while time.monotonic() < soon:
                    if self.find(pattern):
                        return
                    time.sleep(0.05)
        sys.exit(f"no place gives: {pattern}\n{self.trace()[self._at:][-3000:]}")

    def close(self) -> None:
        """Ends DDD by its terminal's quit, which DDD hands on to gdb while it has something to ask."""
        self.rest()
        os.write(self._terminal, b"quit\n")
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            sys.exit(f"DDD goes on after quit\n{self.trace()[-3000:]}")


def to_the_line() -> List[str]:
    """Options by which gdb is at the marker before DDD speaks to it."""
    return ["-ex", f"break {line_of(SOURCE, 'called')}", "-ex", "run"]


def show(ddd: Ddd, number: int, expression: str) -> None:
    """A display."""
    ddd.say(f"graph display {expression}", rf"^#  Display {number}: .*\(enabled")


def rows() -> List[str]:
    """Places down the first display, on its members' names."""
    return [f"60 {y}" for y in range(216, 140, -4)]


def viewer() -> str:
    """The desktop's viewer for pictures, which keeps what it is asked to show; where."""
    kept = os.path.join(FOLDER, "opened.svg")
    program = os.path.join(FOLDER, "xdg-open")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\ncp "$1" {kept}.new && mv {kept}.new {kept}\n')
    os.chmod(program, 0o755)
    return kept


def fold(display: "screen.server.Display") -> None:
    """Displays are boxes that fold, and buttons send what they say."""
    kept = viewer()
    ddd = Ddd([*to_the_line(), PROGRAM])
    show(ddd, 1, "column")
    if FROM == "from":
        ddd.click(rows(), r"In display 1: column\.type \(double-click to show more\)")
    show(ddd, 2, f"$mpi_buf({FROM},1,column)")
    ddd.press("mpi call")
    ddd.see(r"MPI_\w+")
    ddd.press("mpi types")
    ddd.see("live types?, made at")
    ddd.press("mpi type", "column")
    ddd.see("VECTOR count 4")
    ddd.press("mpi draw", "column")
    ddd.see("mpipp.svg: a picture of column")
    until("the picture is opened", lambda: os.path.exists(kept))
    holds(kept, ["element 19 of 20", "MPI_DOUBLE", "MPI_CHAR"] if FROM == "from" else ["element 3 of 4", "MPI_INTEGER"])
    ddd.say("next", r"^-> next", r"1: column = \{kind = VECTOR")
    ddd.press("mpi browse", f"column {FROM}")  # the last: its window lies on the buttons
    ddd.see("in a separate window")
    if display.windows("1") != "1":
        sys.exit("no window")
    text = ddd.trace()
    for wrong in ("<error", "Python Exception", "No such file"):
        if wrong in text:
            sys.exit(f"'{wrong}' in the trace")
    ddd.close()
    if alive(PROGRAM) or display.windows("0") != "0":
        sys.exit("the program or the window goes on")


def holds(picture: str, words: List[str]) -> None:
    """A picture has these words, and tells of no error."""
    with open(picture, encoding="utf-8") as file:
        text = file.read()
    missing = [word for word in words if word not in text]
    if missing or "error" in text:
        sys.exit(f"the picture lacks {missing}:\n{text[:3000]}")


def ranks(end: Callable[[Ddd], object]) -> None:
    """Both ranks of a job; then there is no DDD any more."""
    ddd = Ddd(["-n", "2", "-ex", "set mpi-gather 60", PROGRAM])
    ddd.run(f"break {line_of(SOURCE, 'called')}", "continue", "inferior 2")
    show(ddd, 1, "column")
    if len(alive(PROGRAM)) != 2:
        sys.exit(f"not two ranks: {alive(PROGRAM)}")
    look_at_both(ddd)
    end(ddd)
    ddd.process.wait()
    until("all ranks are gone", lambda: not alive(PROGRAM))


def look_at_both(ddd: Ddd) -> None:
    """Steps in one rank, looks at the other; the selected frame stays: only `main' has argc."""
    for rank in (2, 1):
        ddd.say(f"inferior {rank}", rf"^-> inferior {rank}\n", rf"^\[Switching to inferior {rank}")
        ddd.say("up", r"^-> up\n", r"^#1 .* in main")
        ddd.say("print argc", r"^\$\d+ = 1$")
        ddd.say("print column", r"^\$\d+ = \{kind = VECTOR, name = \"column\"")
        ddd.say("print argc", r"^\$\d+ = 1$")  # DDD has asked for the breakpoints in between
        ddd.say("down", r"^#0 .*exchange")
    ddd.say("next", r"^-> next\n", r"cells\.c:19:")
    ddd.say("print from[0].value", r"^\$\d+ = -1$")
    ddd.say("inferior 2", r"^\[Switching to inferior 2")
    ddd.say("print from[0].value", r"^\$\d+ = 1$")
    show(ddd, 2, f"$mpi_buf({FROM},1,column)")
    ddd.say("break MPI_Type_free", r"^Breakpoint \d+ at .*locations")
    ddd.say("continue", r"^-> continue\n", r"hit Breakpoint \d+\.\d+, .*MPI_Type_free")
    ddd.say("up", r"^#1 .* in main")
    ddd.say("print argc", r"^\$\d+ = 1$")
    ddd.say("mpi ranks", r"^rank +state")
    for wrong in ("<error", "Python Exception", "No frame"):
        if wrong in ddd.trace():
            sys.exit(f"'{wrong}' in the trace")


def lose_display(_ddd: Ddd) -> None:
    """The X server ends the connection, as it does to a window that is closed by force."""
    search = ["xdotool", "search", "--onlyvisible", "--class", "Ddd"]
    windows = subprocess.run(search, check=True, stdout=subprocess.PIPE).stdout.split()
    subprocess.run(["xdotool", "windowkill", windows[0]], check=True)


def core() -> None:
    """A core file."""
    ddd = Ddd([PROGRAM, sys.argv[6]])
    show(ddd, 1, "column")
    show(ddd, 2, f"$mpi_buf({FROM},1,column)")
    if "value = 1" not in ddd.trace():
        sys.exit(ddd.trace()[-3000:])
    ddd.close()


def buffers() -> None:
    """The buffers of a call that has returned."""
    ddd = Ddd([*to_the_line(), PROGRAM])
    ddd.run("next", "set mpipp buffers on")
    row = r"\{1, 7, 13, 19\}"
    ddd.say("graph display row", rf": row = \{{MPI_Sendrecv\.recvbuf = {row}, native = {row}\}}", r"^#  Display 1: ")
    ddd.click(rows(), r"In display 1: row\.native")
    column = r"\{1, 7, 13, 19\}"
    ddd.say("graph display from", rf": from = \{{MPI_Sendrecv\.sendbuf = {column}, native = 0x[0-9a-f]+ <field\+8>\}}")
    ddd.close()


def picture(display: "screen.server.Display") -> None:
    """The paper's Figure 6."""
    with open(SOURCE, encoding="utf-8") as text:
        line = next(number for number, content in enumerate(text, 1) if "/* stop here */" in content)
    ddd = Ddd(["-n", "2", "-ex", "set mpi-gather 60", PROGRAM])
    ddd.run(f"break {line}", "continue", "set mpipp buffers on")
    show(ddd, 1, "struDT")
    show(ddd, 2, "buffer")
    for title in ("80 208", "80 131"):  # the lower display first: select it, Show All in the button's menu
        subprocess.run(["xdotool", "mousemove", *title.split(), *HELD], check=True)
        drag = "mousemove 523 40 mousedown 1 sleep 1 mousemove 530 117 sleep 1 mouseup 1 sleep 1"
        subprocess.run(["xdotool", *drag.split()], check=True)
    subprocess.run(["xdotool", "mousemove", "600", "620"], check=True)
    time.sleep(2)
    display.screen(os.path.join(FOLDER, "ddd.png"))
    ddd.close()


def main() -> None:
    """What is asked for."""
    os.makedirs(FOLDER, exist_ok=True)
    with screen.display("652x652" if WHAT == "picture" else "660x760") as display:
        if WHAT in ("fold", "picture"):
            {"fold": fold, "picture": picture}[WHAT](display)
        else:
            {
                "buffers": buffers,
                "ranks": lambda: ranks(lambda ddd: ddd.process.kill()),
                "display": lambda: ranks(lose_display),
                "core": core,
            }[WHAT]()


main()
