# SPDX-License-Identifier: BSD-3-Clause
"""Loads mpipp into gdb: `source .../mpipp-gdb.py`, or `gdb -x`, or as `mpipp gdb` does.

All faults of the installation are found here, before anything is registered: a fault is one sentence on gdb's error
stream, and gdb goes on as if this file had not been loaded. But if it is too old, and the user wanted mpipp's gdb
(`mpipp_required', set by `mpipp gdb'), it ends.
"""

import glob
import importlib.machinery
import os
import sys

import gdb

OLDEST_GDB = 13


def is_too_old() -> bool:
    """Whether this gdb cannot have the plugin."""
    version = gdb.VERSION.split(".")[0]
    return version.isdigit() and int(version) < OLDEST_GDB


def load() -> str:
    """Loads the package. Returns a sentence for the user; an empty text if all went well."""
    here = os.path.dirname(os.path.abspath(__file__))
    if is_too_old():
        return f"this gdb is too old: it is {gdb.VERSION}, and {OLDEST_GDB} or later is needed"
    if "mpipp" in sys.modules and hasattr(sys.modules["mpipp"], "install"):
        return "already loaded"
    sys.path.insert(0, here)
    try:
        import mpipp
    except ImportError as error:
        for name in [name for name in sys.modules if name == "mpipp" or name.startswith("mpipp.")]:
            del sys.modules[name]
        sys.path.remove(here)
        return why_not(os.path.join(here, "mpipp"), error)
    mpipp.install()
    return ""


def why_not(package: str, error: ImportError) -> str:
    """The sentence for an extension that this Python cannot load."""
    built = sorted(os.path.basename(path) for path in glob.glob(os.path.join(glob.escape(package), "_mpipp*.so")))
    ours = ["_mpipp" + suffix for suffix in importlib.machinery.EXTENSION_SUFFIXES]
    python = f"Python {sys.version_info[0]}.{sys.version_info[1]}"
    if not built:
        return f"the extension '_mpipp' is missing in '{package}': build mpipp again, for {python}"
    if not set(built) & set(ours):
        return f"the extension was built for another Python: this gdb has {python}, and '{built[0]}' is there"
    return f"the extension cannot be loaded in this gdb's {python}: {error}"


fault = load()
if fault:
    gdb.write(f"mpipp: {fault}\n", gdb.STDERR)
    if is_too_old() and "mpipp_required" in globals():
        gdb.execute("quit 1")
