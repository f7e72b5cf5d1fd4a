"""A display of its own for the tests, and a way to ask the windows on it.

The first line of output is the display; then there is an answer for each line of input, its fields between tabs:

    ask TCL             what the newest window answers to a Tcl command
    until PATTERN TCL   the same, as soon as it matches (as in a shell); at last what it is
    windows N           as soon as there are so many windows
    picture FILE        writes what is on the display as PNG; how many of its pixels have the colour of what changed

It ends, and the display with it, at the end of input.
"""

import fnmatch
import os
import struct
import subprocess
import sys
import tempfile
import time
import tkinter
import zlib
from typing import Callable, List, Tuple

NAME = "mpipp browse"
CHANGED = b"\xc0\x00\x00"
# Seconds; the more there want to run on each processor, the longer it takes.
PATIENCE = float(os.environ.get("PATIENCE", 60)) * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


def start(folder: str, size: str = "800x560") -> "subprocess.Popen[bytes]":
    """Starts the display, of so many pixels. Tk lets one program ask another only where a cookie is needed to get in."""
    cookie = b"\xff\xff" + b"".join(
        struct.pack(">H", len(field)) + field for field in (b"", b"", b"MIT-MAGIC-COOKIE-1", os.urandom(16))
    )
    authority = os.path.join(folder, "authority")
    with open(authority, "wb") as file:
        file.write(cookie)
    reader, writer = os.pipe()
    # The server's own fonts only: by others that are installed DDD's boxes and buttons have other places.
    options = ["-fp", "built-ins", "-nolisten", "tcp"]
    options += ["-screen", "0", f"{size}x24", "-auth", authority, "-fbdir", folder]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), *options], stderr=subprocess.DEVNULL, pass_fds=(writer,)
    )
    os.close(writer)
    os.environ["XAUTHORITY"] = authority
    os.environ["DISPLAY"] = ":" + os.read(reader, 20).decode().strip()
    return server


def pixels(file: str) -> Tuple[int, int, bytes]:
    """Width, height and colours of an X window dump."""
    with open(file, "rb") as stream:
        data = stream.read()
    head = struct.unpack(">25I", data[:100])
    width, height, stride = head[4], head[5], head[12]
    start = head[0] + 12 * head[19]
    colours = bytearray()
    for y in range(height):
        line = data[start + y * stride : start + y * stride + 4 * width]
        row = bytearray(3 * width)
        row[0::3], row[1::3], row[2::3] = line[2::4], line[1::4], line[0::4]
        colours += row
    return width, height, bytes(colours)


def png(width: int, height: int, colours: bytes) -> bytes:
    """The same as PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + colours[y * 3 * width : (y + 1) * 3 * width] for y in range(height))
    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


class Display:
    """What is on it."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._root = tkinter.Tk(className="tests")
        self._root.withdraw()

    def ask(self, command: str) -> str:
        """The newest window's answer."""
        return str(self._root.tk.call("send", self._windows()[-1], command))

    def until(self, pattern: str, command: str) -> str:
        """The same, once it matches."""
        return self._wait(lambda: self.ask(command), lambda answer: fnmatch.fnmatchcase(answer, pattern))

    def windows(self, number: str) -> str:
        """How many there are, once they are so many."""
        return self._wait(lambda: str(len(self._windows())), lambda answer: answer == number)

    def picture(self, file: str) -> str:
        """A picture."""
        self.ask("update")
        return self.screen(file)

    def screen(self, file: str) -> str:
        """The same where no window of ours need be."""
        width, height, colours = pixels(os.path.join(self._folder, "Xvfb_screen0"))
        with open(file, "wb") as stream:
            stream.write(png(width, height, colours))
        return str(sum(colours[at : at + 3] == CHANGED for at in range(0, len(colours), 3)))

    def _windows(self) -> List[str]:
        return sorted(name for name in self._root.winfo_interps() if name.startswith(NAME))

    def _wait(self, ask: Callable[[], str], is_right: Callable[[str], bool]) -> str:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                answer = ask()
            except (tkinter.TclError, IndexError) as error:
                answer = str(error)
            if is_right(answer) or time.monotonic() > end:
                return answer
            time.sleep(0.02)


def main() -> None:
    """Until the end of input."""
    with tempfile.TemporaryDirectory() as folder:
        server = start(folder)
        try:
            display = Display(folder)
            print(os.environ["DISPLAY"], os.environ["XAUTHORITY"], flush=True)
            for line in sys.stdin:
                do, *words = line.rstrip("\n").split("\t")
                try:
                    answer = getattr(display, do)(*words)
                except (tkinter.TclError, IndexError) as error:
                    answer = f"error: {error}"
                print(" ".join(answer.split("\n")), flush=True)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
