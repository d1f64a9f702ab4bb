"""The library that makes system calls fail: compiled when first needed, loaded into this process, armed in a child."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
CHANGES, READS = 0, 1
NOTHING, SIGNAL_BEFORE, SIGNAL_AFTER, FAIL, HALF, HANG = range(6)


class Page(ctypes.Structure):
    """What the library and we share; see shim.c."""

    _fields_ = [
        ("pid", ctypes.c_int32), ("kind", ctypes.c_int32), ("action", ctypes.c_int32), ("number", ctypes.c_int32),
        ("sticky", ctypes.c_int32), ("hanging", ctypes.c_int32), ("at", ctypes.c_int64), ("count", ctypes.c_int64 * 2),
        ("fired", ctypes.c_int64), ("writes", ctypes.c_uint8 * 65536), ("root", ctypes.c_char * 1024), ("what", ctypes.c_char * 256),
        ("place", ctypes.c_char * 1024),
    ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """What strikes: an action with the number of its signal or errno; `allowed` are the exit codes it may lead to."""

    action: int
    number: int
    kind: int
    sticky: bool
    allowed: tuple[int, ...]


def _fails(number: int, allowed: tuple[int, ...] = (0, 4)) -> dict[str, Fault]:
    name = errno.errorcode[number].lower()
    return {
        name: Fault(FAIL, number, CHANGES, False, allowed),
        f"{name}-stays": Fault(FAIL, number, CHANGES, True, allowed),
    }


def _signals(name: str, number: int, allowed: tuple[int, ...]) -> dict[str, Fault]:
    return {
        name: Fault(SIGNAL_BEFORE, number, CHANGES, False, allowed),
        f"{name}-reading": Fault(SIGNAL_BEFORE, number, READS, False, allowed),
    }


FAULTS: dict[str, Fault] = {
    **_signals("kill", signal.SIGKILL, (-9,)),
    "kill-after": Fault(SIGNAL_AFTER, signal.SIGKILL, CHANGES, False, (-9,)),
    "kill-half": Fault(HALF, signal.SIGKILL, CHANGES, False, (-9,)),
    **_signals("term", signal.SIGTERM, (0, 130)),
    **_signals("int", signal.SIGINT, (0, 130)),
    "int-twice": Fault(SIGNAL_BEFORE, signal.SIGINT, CHANGES, True, (0, 130)),
    **_signals("hup", signal.SIGHUP, (0, 130, -signal.SIGHUP)),
    **_fails(errno.ENOSPC), **_fails(errno.EDQUOT), **_fails(errno.EROFS), **_fails(errno.EIO),
    "eio-reading": Fault(FAIL, errno.EIO, READS, False, (0, 3, 4, 5)),
}  # fmt: skip
"""Every kind of stop by name. A call is asked for as NAME@N: the N-th that changes (or reads) a file of the box."""


def why_not() -> str:
    """Why faults cannot be injected on this machine, or ""."""
    if not sys.platform.startswith("linux"):
        return "only the dynamic linker of Linux is known here"
    return "" if shutil.which(os.environ.get("CC", "cc")) else "no C compiler (cc)"


def build(folder: Path) -> Path:
    """The compiled library; made again when its source is newer."""
    library = folder / "shim.so"
    if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
        folder.mkdir(parents=True, exist_ok=True)
        made = library.with_name(f"shim-{os.getpid()}.so")
        command = [os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)
        made.replace(library)
    return library


def page() -> Page | None:
    """The shared page, or None where the library is not loaded."""
    try:
        function = ctypes.CDLL(None).faults_page
    except AttributeError:
        return None
    function.restype = ctypes.POINTER(Page)
    found = function()
    return found.contents if found else None


def loaded_again(folder: Path) -> None:
    """Starts this program anew with the library in it; returns where it is in it already.

    No library starts a thread there: what is forked off while one of them holds a lock would wait for it for ever.
    """
    if page() is not None:
        return
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    threads["JE_ARROW_MALLOC_CONF"] = "background_thread:false"
    os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | threads | {"LD_PRELOAD": str(build(folder))})
