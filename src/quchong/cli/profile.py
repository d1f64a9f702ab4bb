"""Flame graph of a command, taken from outside by py-spy (decision 0098)."""

from __future__ import annotations

import ctypes
import html
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from quchong.errors import OutputError, QuchongError, UsageError, install
from quchong.languages import Message
from quchong.outputs import Place, check_apart, check_regular, local, staged
from quchong.outputs.overlap_check import in_a_run
from quchong.outputs.replacing import check_replaceable_file
from quchong.patterns import lazy_pattern

MARK = b"<!-- written by quchong dedup, option profile -->\n"
"""Comment at the end of the SVG by which flame graphs written by quchong are recognised."""
_UNSHOWN = lazy_pattern(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""Bytes that no SVG may contain. They occur because the process is not paused for a sample, so a name may be read while it changes."""
RATE = 100
"""Samples per second."""
_READY = b"Sampling process"
_PATIENCE = 30.0
"""Seconds within which the profiler must begin, and must write its result."""
_PR_SET_PTRACER = 0x59616D61


@contextmanager
def profiled(path: Path | None, out: Path | None, read: Iterable[Place], *, overwrite: bool = False) -> Iterator[None]:
    """Write a flame graph of the block to the path if the block ends without error, else leave the path unchanged; with
    path None do nothing.

    Args:
        path: path of the picture, a file that ends in .svg.
        out: folder that the block writes.
        read: locations that the block reads.
        overwrite: replace an earlier flame graph there; no other file is replaced.

    Raises:
        UsageError: the profiler is not installed, or the system does not let it read this process.
        OutputError: the file exists, is inside an input or output, or cannot be written.

    Cost: less than the difference between two runs; the process is not paused for samples.
    """
    if path is None:
        yield
        return
    program, places = _program(), list(read)

    def check() -> None:
        _check(path, out, places, overwrite)

    check()
    remedy = Message("make room or choose another place")
    with staged(Path(os.path.realpath(path)), check, remedy) as new:
        with _recording(program, new):
            yield
        drawn = _UNSHOWN.sub(b"?", new.read_bytes())
        # The title names the file.
        here, there = (html.escape(str(one)).encode(errors="replace") for one in (new, path))
        new.write_bytes(drawn.replace(here, there) + MARK)


def _program() -> str:
    """Return the path of py-spy: next to this Python, else on the path of the shell."""
    found = shutil.which("py-spy", path=sysconfig.get_path("scripts")) or shutil.which("py-spy")
    if found is None:
        raise UsageError("--profile needs py-spy: {}", install("profile"))
    return found


def _check(path: Path, out: Path | None, read: list[Place], overwrite: bool) -> None:
    """Raise an error if a flame graph may not be written to the path."""
    if path.suffix.lower() != ".svg":
        raise UsageError("--profile {}: name a file that ends in .svg, which a browser can open", path)
    (place,), written = local([path]), local([out] if out is not None else [])
    check_apart(read, [place, *written])
    if written and written[0].own in place.above:
        raise in_a_run(place.shown_name, str(out))
    if not Path(place.inside).is_dir():
        raise OutputError(
            "cannot write {}: there is no folder {}; make it, or choose another place", path, place.inside
        )
    check_replaceable_file(path, Message("a flame graph of quchong"), _is_own_picture, overwrite=overwrite)


def _is_own_picture(path: Path) -> bool:
    with suppress(OSError, QuchongError):
        check_regular(path)
        with path.open("rb") as file:
            file.seek(-len(MARK), os.SEEK_END)
            return file.read() == MARK
    return False


@contextmanager
def _recording(program: str, picture: Path) -> Iterator[None]:
    """Run the profiler on this process during the block; it has written the picture if the block ended without error.

    The profiler has a session of its own, so that Ctrl-C reaches this process only, which ends both.
    """
    command = [
        program,
        "record",
        "--pid",
        str(os.getpid()),
        "--threads",
        "--nonblocking",
        "--rate",
        str(RATE),
        "--output",
        str(picture),
    ]
    with tempfile.TemporaryFile() as told, _seen_by_children():
        profiler = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=told, stderr=told, start_new_session=True)
        try:
            _wait_for_sampling(profiler, told)
            yield
            profiler.send_signal(signal.SIGINT)
            _wait_for_picture(profiler, told, picture)
        finally:
            if profiler.poll() is None:
                profiler.kill()
                profiler.wait()


def _wait_for_sampling(profiler: subprocess.Popen[bytes], told: IO[bytes]) -> None:
    latest = time.monotonic() + _PATIENCE
    while _READY not in _read_output(told):
        if profiler.poll() is not None or time.monotonic() > latest:
            raise UsageError(
                "--profile: py-spy cannot read this process ({}); run quchong with the capability SYS_PTRACE "
                "or with sudo, or leave out --profile",
                _why(told),
            )
        time.sleep(0.01)


def _wait_for_picture(profiler: subprocess.Popen[bytes], told: IO[bytes], picture: Path) -> None:
    with suppress(subprocess.TimeoutExpired):
        profiler.wait(_PATIENCE)
    if profiler.returncode != 0 or not picture.is_file() or not picture.stat().st_size:
        raise OutputError("py-spy has not written its flame graph ({}); all other files are complete", _why(told))


def _read_output(told: IO[bytes]) -> bytes:
    told.flush()
    return os.pread(told.fileno(), 1 << 16, 0)


def _why(told: IO[bytes]) -> str:
    """Return the line of the profiler's output that names the error: the first line with an error, else the last line."""
    lines = [line for line in _read_output(told).decode(errors="replace").splitlines() if line.strip()]
    return next(
        (line.removeprefix("Error: ") for line in lines if line.startswith("Error")), (lines or ["no answer"])[-1]
    )


@contextmanager
def _seen_by_children() -> Iterator[None]:
    """Let child processes read this one during the block, on systems that allow only parents to read their children (Yama)."""
    if sys.platform != "linux":
        yield
        return
    call = ctypes.CDLL(None).prctl
    call(_PR_SET_PTRACER, ctypes.c_ulong(os.getpid()), 0, 0, 0)
    try:
        yield
    finally:
        call(_PR_SET_PTRACER, 0, 0, 0, 0)
