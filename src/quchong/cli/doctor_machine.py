"""The machine that `quchong doctor` looks at: compiled code, processors, memory, folders, and the language."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from quchong.cli.doctor_check import Check, reason
from quchong.cli.doctor_compiled import compiled_code
from quchong.cli.speech import writes
from quchong.languages import Message, language
from quchong.languages.spoken import VARIABLES, known_language

_QUOTAS = (Path("/sys/fs/cgroup/cpu.max"),)
_SCARCE = 1 << 30
"""Free bytes of a temporary folder below which a note is made."""


def machine() -> Iterator[Check]:
    """Iterate over checks of the compiled code, processors and memory that this process may use."""
    yield compiled_code()
    affinity = getattr(os, "sched_getaffinity", None)
    there = os.cpu_count() or 1
    usable = len(affinity(0)) if affinity else there
    quota = _quota()
    if quota is not None and quota < usable:
        found = Message(
            "{} of {} may be used, but the container is limited to the time of {:.3g} processors", usable, there, quota
        )
        yield Check(
            Message("processors"),
            found,
            "note",
            Message("use {}: as many threads as the container allows", f"--workers {max(1, round(quota))}"),
        )
    else:
        yield Check(Message("processors"), Message("{} of {} may be used", usable, there))
    yield _memory()


def _quota() -> float | None:
    """Return the processors' time that a container allows, as a number of processors; None without a limit."""
    for place in _QUOTAS:
        with suppress(OSError, ValueError, ZeroDivisionError):
            given, period = place.read_text("ascii").split()
            return int(given) / int(period)
    return None


def _memory() -> Check:
    try:
        from quchong.engines.local.memory import memory_given

        size = memory_given()
    except Exception as error:  # a missing package is told in its own check
        return Check(Message("memory"), Message("not known: {}", reason(error)), "note")
    if not size:
        return Check(
            Message("memory"), Message("not known"), "note", Message("give a limit with --memory, such as --memory 4G")
        )
    found = Message("{:,.1f} GB; a run uses up to {:,.1f} GB, or the limit of --memory", size / 1e9, size / 2e9)
    return Check(Message("memory"), found)


def kind_of_file_system(folder: Path, mounts: str = "/proc/self/mounts") -> str:
    """Return the type of the file system of a folder, such as ext4; "" if the system does not say."""
    place, best, kind = os.path.realpath(folder), "", ""
    with suppress(OSError):
        for line in Path(mounts).read_text("utf-8", errors="replace").splitlines():
            words = line.split()
            inside = len(words) > 2 and (place == words[1] or place.startswith(words[1].rstrip("/") + "/"))
            if inside and len(words[1]) >= len(best):
                best, kind = words[1], words[2]
    return kind


def folders(others: Sequence[Path]) -> Iterator[Check]:
    """Iterate over checks of the temporary folder and of further folders: free space, locks, nameless files, letter case.

    Files are made in each folder, and removed again.
    """
    try:
        used = Path(tempfile.gettempdir())
    except FileNotFoundError:  # none of those that Python tries can be written
        remedy = Message("set another folder with TMPDIR or --work")
        yield Check(
            Message("temporary folder"), Message("no folder for temporary files can be written"), "broken", remedy
        )
    else:
        yield from _named_and_not_used(used)
        yield from _folder(used, Message("temporary folder"))
    for other in others:
        yield from _folder(other, Message("folder {}", other))


def _named_and_not_used(used: Path) -> Iterator[Check]:
    """Iterate over notes on folders that the environment names for temporary files and that are passed over; `used` is the one used."""
    for variable in ("TMPDIR", "TEMP", "TMP"):
        named = os.environ.get(variable)
        if not named:
            continue
        if os.path.realpath(named) == os.path.realpath(used):
            return  # those behind it are not looked at
        found = Message("{} cannot be written; {} is used instead", named, str(used))
        yield Check(variable, found, "note", Message("make that folder, or name another one with {}", variable))


def _folder(folder: Path, name: Message) -> Iterator[Check]:
    kind = kind_of_file_system(folder)
    try:
        free = shutil.disk_usage(folder).free
        with tempfile.TemporaryDirectory(prefix=".quchong-doctor-", dir=folder) as made:
            traits = list(_traits(Path(made)))
    except OSError as error:
        remedy = Message("set another folder with TMPDIR or --work")
        yield Check(
            name,
            Message("cannot be used: {}", os.strerror(error.errno) if error.errno else reason(error)),
            "broken",
            remedy,
        )
        return
    in_memory = kind in ("tmpfs", "ramfs")
    found = Message("{}: {:,.1f} GB free ({})", str(folder), free / 1e9, kind or sys.platform)
    if in_memory:
        remedy = Message(
            "this folder is in memory, so its files take memory: name a folder on a disk with TMPDIR or --work"
        )
        yield Check(name, found, "note", remedy)
    elif free < _SCARCE:
        yield Check(name, found, "note", Message("make room, or set another folder with TMPDIR or --work"))
    else:
        yield Check(name, found)
    yield from traits


def _traits(made: Path) -> Iterator[Check]:
    """Try locks, nameless files and letter case in a folder of our own."""
    if _locks(made / "lock"):
        yield Check(Message("locks"), Message("work"))
    else:
        remedy = Message("never let two commands write to the same run folder or index on this disk")
        yield Check(Message("locks"), Message("file locks do not stop a second process from writing"), "note", remedy)
    nameless = getattr(os, "O_TMPFILE", None)
    works = False
    if nameless is not None:
        with suppress(OSError):
            os.close(os.open(made, nameless | os.O_RDWR, 0o600))
            works = True
    yield Check(
        Message("unnamed files"),
        Message("work")
        if works
        else Message("unnamed files are not supported; temporary files have names, and are deleted immediately"),
    )
    (made / "case").touch()
    if (made / "CASE").exists():
        remedy = Message("names that differ only in case are the same file on this disk")
        yield Check(Message("letter case"), Message("ignored"), "note", remedy)
    else:
        yield Check(Message("letter case"), Message("kept apart"))


def _locks(file: Path) -> bool:
    """Return True if a lock on a file is refused to a second descriptor."""
    try:
        import fcntl
    except ImportError:  # Windows
        return False
    with file.open("w") as first, file.open("w") as second:
        try:
            fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        try:
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def languages(asked: str | None) -> Iterator[Check]:
    """Iterate over checks of the language and of the terminal's encoding; `asked` is the value of --lang, if one was given."""
    chosen = Message("Chinese") if language() == "zh" else Message("English")
    said = next(((name, os.environ[name]) for name in VARIABLES if os.environ.get(name)), None)
    if asked is not None:
        why: Message = Message("because of {}", f"--lang {asked}")
    elif said is None:
        why = Message("because no environment variable sets the language")
    elif known_language(said[1]) == language():
        why = Message("because of {}", f"{said[0]}={said[1]:.40}")
    else:
        why = Message(
            "although {} is set: its value is neither English nor Chinese, or this terminal cannot show "
            "Chinese characters",
            f"{said[0]}={said[1]:.40}",
        )
    yield Check(Message("language"), Message("{}, {}", chosen, why))
    encoding = getattr(sys.stdout, "encoding", None) or "?"
    if writes(sys.stdout):
        yield Check(Message("encoding of output"), encoding)
    else:
        remedy = Message(
            "set PYTHONUTF8=1, or a locale such as C.UTF-8; without it, Chinese characters are printed as escapes"
        )
        yield Check(Message("encoding of output"), encoding, "note", remedy)
