# SPDX-License-Identifier: BSD-3-Clause
"""A tree in a window on the display: a program that gdb starts, with the number of a socket to it.

It shows rows and does not know their meaning. It requests the children of a row when it is opened, and the values of the
rows in view, after each stop again. It ends when the socket is closed. The first line on the socket is empty, or says why
there is no window.
"""

import json
import socket
import sys
from typing import Callable, Dict, List, Set

try:
    import tkinter
    from tkinter import font, ttk
except ImportError:
    socket.socket(fileno=int(sys.argv[1])).sendall(b"no Tk for Python (Debian: python3-tk)\n")
    sys.exit(1)

_COLUMNS = (("what", "type", 22), ("byte", "byte", 10), ("program", "in the program", 22), ("value", "value", 36))
_MARK = "/"  # before a key: Tk's own root is ""
_WAITING = "?"  # after it: the row in the place of children that were not requested yet

Message = Dict[str, object]


class Pipe:
    """Messages to gdb, and from it."""

    def __init__(self, number: int, root: tkinter.Tk, received: Callable[[Message], None]) -> None:
        self.socket = socket.socket(fileno=number)
        self._root = root
        self._received = received
        self._rest = b""
        root.tk.createfilehandler(self.socket, tkinter.READABLE, self._read)

    def ask(self, do: str, of: object) -> None:
        """Sends a request."""
        try:
            self.socket.sendall(json.dumps({"do": do, "of": of}).encode() + b"\n")
        except OSError:
            self._root.destroy()

    def _read(self, _file: object, _mask: int) -> None:
        try:
            data = self.socket.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self._root.destroy()
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._received(json.loads(line))


class Browser:
    """The window: a field to find an element, the tree, and a line for remarks."""

    def __init__(self, number: int) -> None:
        self._root = root = tkinter.Tk(className="mpipp browse")
        self._tree = self._make_tree()
        self._field, self._status, self._copy = self._make_bars()
        self._texts: Dict[str, str] = {}  # of the rows that were in view at this stop, and at the previous one
        self._before: Dict[str, str] = {}
        self._asked: Set[str] = set()
        self._way: List[str] = []  # to the row that must be shown
        self._note = ""
        self._is_looking = False
        self._pipe = Pipe(number, root, self._received)
        self._bind()

    # --- the window

    def _make_tree(self) -> ttk.Treeview:
        root = self._root
        style = ttk.Style(root)
        style.theme_use("clam")
        fixed = font.nametofont("TkFixedFont")
        wide = fixed.measure("0")
        style.configure("Treeview", font=fixed, rowheight=fixed.metrics("linespace") + 4)
        frame = ttk.Frame(root, name="rows")
        frame.pack(side="top", fill="both", expand=True)
        tree = ttk.Treeview(frame, name="tree", columns=[name for name, _, _ in _COLUMNS], height=20)
        bar = ttk.Scrollbar(frame, command=tree.yview)
        tree.configure(yscrollcommand=lambda first, last: (bar.set(first, last), self._look()))
        tree.heading("#0", text="element", anchor="w")
        tree.column("#0", width=28 * wide)
        for name, title, width in _COLUMNS:
            anchor = "e" if name == "byte" else "w"
            tree.heading(name, text=title, anchor=anchor)
            tree.column(name, width=width * wide, anchor=anchor, stretch=name == "value")
        tree.tag_configure("changed", foreground="#c00000")
        bar.pack(side="right", fill="y")
        tree.pack(side="left", fill="both", expand=True)
        return tree

    def _make_bars(self) -> "tuple[ttk.Entry, ttk.Label, ttk.Button]":
        above = ttk.Frame(self._root, name="above", padding=4)
        above.pack(side="top", fill="x", before=self._tree.master)
        ttk.Label(above, text="find element ").pack(side="left")
        copy = ttk.Button(above, name="copy", text="Copy as expression", command=self._ask_copy)
        copy.pack(side="right")
        field = ttk.Entry(above, name="find")
        field.pack(side="left", fill="x", expand=True, padx=4)
        status = ttk.Label(self._root, name="status", padding=4)
        status.pack(side="bottom", fill="x", before=self._tree.master)
        return field, status, copy

    def _bind(self) -> None:
        tree, field = self._tree, self._field
        tree.bind("<<TreeviewOpen>>", lambda _: self._open(tree.focus()))
        tree.bind("<<TreeviewClose>>", lambda _: self._root.after_idle(self._look))
        tree.bind("<Configure>", lambda _: self._look())
        tree.bind("<Control-c>", lambda _: self._ask_copy())
        self._root.bind("<Control-f>", lambda _: field.focus_set())
        field.bind("<Return>", lambda _: self._pipe.ask("find", field.get()))

    def run(self) -> None:
        """Runs until the window is closed."""
        self._pipe.socket.sendall(b"\n")
        self._root.mainloop()

    # --- messages from gdb

    def _received(self, message: Message) -> None:
        if "title" in message:
            self._begin(message)
        elif "note" in message:
            self._note = message["note"]
            self._say("")
        elif "children" in message:
            self._add(message["children"], message["rows"])
        elif "values" in message:
            self._show(message["values"])
        elif "stop" in message:
            self._stopped(message["stop"])
        elif "found" in message:
            self._way = message["found"]
            self._walk()
        elif "copy" in message:
            self._root.clipboard_clear()
            self._root.clipboard_append(message["copy"])
            self._say(f"copied: {message['copy']}")
        else:
            self._say(f"{message['fault']}")

    def _begin(self, message: Message) -> None:
        self._root.title(f"{message['title']} - mpipp")
        self._insert("", message["row"])
        if not self._tree.set(_MARK, "program"):
            self._tree.configure(displaycolumns=[name for name, _, _ in _COLUMNS if name != "program"])
        self._tree.focus(_MARK)
        self._tree.selection_set(_MARK)
        self._tree.focus_set()
        self._stopped(message["note"])
        self._tree.item(_MARK, open=True)
        self._open(_MARK)

    def _stopped(self, note: str) -> None:
        self._before = {**self._before, **self._texts}
        self._texts = {}
        self._asked = set()
        self._note = note
        self._say("")
        self._look()

    def _say(self, text: str) -> None:
        self._status.configure(text=text or self._note)

    # --- rows

    def _insert(self, parent: str, row: List[str]) -> None:
        key, label, what, byte, program, opens = row
        name = self._tree.insert(parent, "end", _MARK + key, text=label, values=(what, byte, program, ""))
        if opens:
            self._tree.insert(name, "end", name + _WAITING, text="...")

    def _open(self, name: str) -> None:
        if self._tree.exists(name + _WAITING):
            self._pipe.ask("children", name[len(_MARK) :])
        self._look()

    def _add(self, key: str, rows: List[List[str]]) -> None:
        name = _MARK + key
        if self._tree.exists(name + _WAITING):
            self._tree.delete(name + _WAITING)
            for row in rows:
                self._insert(name, row)
        self._walk()
        self._look()

    def _walk(self) -> None:
        """Opens the path to what was found, as far as its rows have arrived."""
        tree = self._tree
        for key in self._way[:-1]:
            name = _MARK + key
            tree.item(name, open=True)
            if tree.exists(name + _WAITING):
                self._open(name)
                return
        if self._way:
            name = _MARK + self._way[-1]
            self._way = []
            tree.focus(name)
            tree.selection_set(name)
            tree.see(name)
            self._say("")

    # --- values

    def _look(self) -> None:
        """Requests, soon and once, the values of the rows in view."""
        if not self._is_looking:
            self._is_looking = True
            self._root.after_idle(self._look_now)

    def _look_now(self) -> None:
        self._is_looking = False
        names = {self._tree.identify_row(y) for y in range(0, self._tree.winfo_height(), 8)}
        keys = [name[len(_MARK) :] for name in names if name and not name.endswith(_WAITING)]
        wanted = [key for key in keys if key not in self._asked]
        if wanted:
            self._asked.update(wanted)
            self._pipe.ask("values", wanted)

    def _show(self, texts: Dict[str, str]) -> None:
        self._texts.update(texts)
        for key, text in texts.items():
            changed = key in self._before and self._before[key] != text
            self._tree.set(_MARK + key, "value", text)
            self._tree.item(_MARK + key, tags=("changed",) if changed else ())

    def _ask_copy(self) -> None:
        name = self._tree.focus()
        if name and not name.endswith(_WAITING):
            self._pipe.ask("copy", name[len(_MARK) :])


def main() -> None:
    """Called by gdb with a socket."""
    number = int(sys.argv[1])
    try:
        browser = Browser(number)
    except tkinter.TclError as error:
        socket.socket(fileno=number).sendall(f"{' '.join(str(error).split())}\n".encode())
        sys.exit(1)
    browser.run()


if __name__ == "__main__":
    main()
