"""Access to a service: callers and their roles in a file, by the digests of their tokens.

A token is 32 random bytes, so that its SHA-256 cannot be turned back by trying, and needs no salt. The file has no token, only digests.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quchong.errors import InputError, UsageError, check_choice, meant, reason_of, shell_word
from quchong.languages import join_names
from quchong.outputs import staged_file
from quchong.patterns import lazy_pattern
from quchong.report.visible import Shown

ROLES = ("read", "write", "admin")
"""Roles; each may do what those before it may."""
PREFIX = "qc_"
"""Beginning of every token, by which scanners for secrets find one that went astray."""
_NAME = lazy_pattern(r"[A-Za-z0-9._-]{1,64}")
_DIGEST = lazy_pattern(r"[0-9a-f]{64}")
_MOST_BYTES = 4 << 20
_SUFFIXES = (".jsonl", ".json", ".ndjson", ".txt")
"""Suffixes of files: a caller with such a name is a file in the wrong place."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Caller of a service: name, role and digest of the token.

    Attributes:
        name: name in logs, of letters, digits, dot, underscore and hyphen.
        role: "read", "write" or "admin".
        digest: SHA-256 of the token, in hexadecimal.
    """

    name: str
    role: str
    digest: str

    def may(self, role: str) -> bool:
        """Return True if the caller may do what a role allows."""
        return ROLES.index(self.role) >= ROLES.index(role)


ANYBODY = Caller("anybody", "admin", "")
"""Caller of a service without access control, which is reached from this machine only."""


def digest_of(token: str) -> str:
    """Return the SHA-256 of a token, in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def read_callers(path: Path, bad: list[InputError] | None = None) -> tuple[Caller, ...]:
    """Read the callers of an access file: one JSON object a line, with name, role and sha256.

    Args:
        path: the file.
        bad: receives what is wrong with single lines, which are left out; None to raise it.

    Raises:
        InputError: the file cannot be read, or a line is none; it names the line.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
    except FileNotFoundError as error:
        call = Shown(f"quchong access add {shell_word(path)} NAME")
        raise InputError("{}: this access file does not exist; make it with {}", path, call) from error
    except OSError as error:
        raise InputError(
            "the access file {} cannot be read: {}; give a file that quchong access add wrote", path, reason_of(error)
        ) from error
    if len(raw) > _MOST_BYTES:
        raise InputError("the access file {} has more than {:,} bytes, the largest size allowed", path, _MOST_BYTES)
    out: list[Caller] = []
    for number, line in enumerate(raw.splitlines(), 1):
        if not line.strip():
            continue
        try:
            out.append(_caller(json.loads(line)))
        except (ValueError, RecursionError):
            wrong = InputError(
                "{}, line {}: not an object with name, role ({}) and sha256: write the line with quchong access add",
                path, number, join_names(ROLES),
            )  # fmt: skip
            if bad is None:
                raise wrong from None
            bad.append(wrong)
    if len({one.name for one in out}) < len(out):
        wrong = InputError("{} has two callers with the same name: remove one of them", path)
        if bad is None:
            raise wrong
        bad.append(wrong)
    return tuple(out)


def _caller(said: object) -> Caller:
    if not isinstance(said, dict):
        raise ValueError("no object")
    name, role, digest = (said.get(key) for key in ("name", "role", "sha256"))
    if not (isinstance(name, str) and _NAME.fullmatch(name) and role in ROLES):
        raise ValueError("no caller")
    if not (isinstance(digest, str) and _DIGEST.fullmatch(digest)):
        raise ValueError("no digest")
    return Caller(name, role, digest)


def add_caller(path: Path, name: str, role: str) -> str:
    """Add a caller to an access file, which is made if there is none; return the token, which is stored nowhere.

    Raises:
        UsageError: the name or role cannot be used, or the file has the name.
        InputError, OutputError: the file cannot be read or written.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            "{!r} cannot be a name: a name has 1 to 64 letters, digits, dots, hyphens or underscores", name
        )
    _check_order(path, name, f"quchong access add {shell_word(name)} {shell_word(path)}", role)
    check_choice("role", role, ROLES)
    known = read_callers(path) if path.exists() else ()
    if any(one.name == name for one in known):
        raise UsageError("{} already has the caller {!r}: remove that caller first, or choose another name", path, name)
    token = PREFIX + secrets.token_urlsafe(32)
    _write(path, (*known, Caller(name, role, digest_of(token))))
    return token


def _check_order(path: Path, name: str, call: str, role: str = ROLES[0]) -> None:
    """Raise UsageError with the call in its order if a file is given as the name, and nothing is at the path.

    Args:
        path, name: of the call, which may be in each other's place.
        call: the command with both exchanged; role: of the caller, which is added to it.
    """
    if path.exists() or path.suffix:
        return
    if Path(name).suffix.lower() in _SUFFIXES or Path(name).is_file():
        option = "" if role == ROLES[0] else f" --role {shell_word(role)}"
        raise UsageError("the access file comes first, and the name of the caller second: {}", Shown(f"{call}{option}"))


def remove_caller(path: Path, name: str) -> None:
    """Remove a caller from an access file; a service that reads the file refuses its token from then on.

    Raises:
        UsageError: the file has no such name.
        InputError, OutputError: the file cannot be read or written.
    """
    _check_order(path, name, f"quchong access remove {shell_word(name)} {shell_word(path)}")
    known = read_callers(path)
    left = tuple(one for one in known if one.name != name)
    if len(left) == len(known):
        names = [one.name for one in known]
        raise UsageError(
            "{} has no caller {!r}{}; its callers: {}", path, name, meant(name, names), join_names(names) or "-"
        )
    _write(path, left)


def _write(path: Path, callers: tuple[Caller, ...]) -> None:
    lines = [json.dumps({"name": one.name, "role": one.role, "sha256": one.digest}) + "\n" for one in callers]
    with staged_file(path) as part, os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.writelines(lines)


class AccessFile:
    """Callers of an access file, read again when it changed, so that tokens are replaced without a restart.

    Whoever is not in the file any more is refused from then on, whatever else is wrong with it: of a damaged file the lines that are whole
    count, and of one that is gone or cannot be read nobody is let in. What is wrong is reported once a change.

    Args:
        path: the file.
        report: is told what is wrong with a file that changed.

    Raises:
        InputError: it cannot be read, a line is damaged, or it has no caller.
    """

    def __init__(self, path: Path, report: Callable[[str], None] = lambda _: None) -> None:
        self.path, self._report = path, report
        self._lock = threading.Lock()
        self._seen = self._stamp()
        self._callers = read_callers(path)
        if not self._callers:
            raise InputError("the access file {} has no caller: add one with quchong access add", path)

    def caller(self, token: str) -> Caller | None:
        """Return the caller with this token; None if there is none. All digests are compared in constant time."""
        digest, found = digest_of(token), None
        for one in self.callers():
            if hmac.compare_digest(one.digest, digest):
                found = one
        return found

    def callers(self) -> tuple[Caller, ...]:
        """Return the callers as the file has them now."""
        if self._stamp() != self._seen:
            with self._lock:
                now = self._stamp()
                if now != self._seen:
                    self._seen, self._callers = now, self._read()
        return self._callers

    def _read(self) -> tuple[Caller, ...]:
        """Return the callers on valid lines, and report the other lines."""
        bad: list[InputError] = []
        try:
            found = read_callers(self.path, bad)
        except InputError as unreadable:
            found, bad = (), [unreadable]
        for wrong in bad:
            self._report(wrong.english)
        return found

    def _stamp(self) -> tuple[int, int, int]:
        try:
            found = self.path.stat()
        except OSError:
            return 0, 0, 0
        return found.st_ino, found.st_mtime_ns, found.st_size
