"""Seals: keyed digests by which this user's runs know what they wrote themselves, wherever it was copied to since.

run.json and `work.json` name files outside of their folders. Who owns a folder tells nothing, because what is unpacked from an archive is
one's own. So what names a file is sealed with a key that only this user can read, and a stranger cannot make the seal (decision 0123).

The key is a file of random bytes in the folder for states of this user. No run needs it: where it cannot be made, nothing is sealed,
and the user is asked.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from quchong.errors import QuchongError
from quchong.outputs.private_folder import OwnFolder

KEY = "key"
"""Name of the file of the key."""
_BYTES = 32


def make_seal(kind: str, value: Any) -> str | None:
    """Return the seal of a value, or None if this user can have no key. The key is made if there is none yet.

    Args:
        kind: of what is sealed, 9 letters at most: a seal of one kind is none of another.
        value: plain JSON.
    """
    key = _key(make=True)
    return None if key is None else _digest(key, kind, value)


def is_sealed(kind: str, value: Any, seal: object) -> bool:
    """Return True if this user made the seal of the value. Nothing is written."""
    key = _key(make=False) if isinstance(seal, str) and seal.isascii() else None
    return key is not None and hmac.compare_digest(_digest(key, kind, value), str(seal))


def _digest(key: bytes, kind: str, value: Any) -> str:
    plain = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.blake2b(plain, digest_size=_BYTES, key=key, person=f"quchong {kind}"[:16].encode()).hexdigest()


def _key(make: bool) -> bytes | None:
    """Return the secret key of this user, None if no private key file exists; with `make` a missing one is made."""
    with suppress(OSError, QuchongError, RuntimeError, ValueError):
        place = state_folder()
        if make and not os.path.lexists(place) and _is_in_own_folder(place):
            # Another process of this user may make it meanwhile, and a key in it before this one has looked. The owner is checked below.
            with suppress(FileExistsError, QuchongError):
                OwnFolder.made(place).close()
        with closing(OwnFolder.open_path(place)) as folder:
            return _read(folder) or (_made(folder) if make else None)
    return None


def state_folder() -> Path:
    """Return the folder where the key of this user is stored.

    Raises:
        RuntimeError: this user has no home.
    """
    given = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_STATE_HOME", "")
    if given and Path(given).is_absolute():
        return Path(given) / "quchong"
    home = Path.home()
    if not home.is_absolute() or home == home.parent:
        raise RuntimeError(f"{home} is no home")
    return home / ".local" / "state" / "quchong"


def _is_in_own_folder(place: Path) -> bool:
    """Return True if the folder above `place` is this user's, so that root leaves no files in another user's home."""
    if os.name == "nt":
        return True
    above = next(one for one in place.parents if os.path.lexists(one))
    return above.stat().st_uid == os.geteuid()


def _read(folder: OwnFolder) -> bytes | None:
    with suppress(FileNotFoundError), folder.open(KEY) as file:
        about = os.fstat(file.fileno())
        others = os.name != "nt" and (about.st_uid != os.geteuid() or about.st_mode & (stat.S_IRWXG | stat.S_IRWXO))
        key = file.read(_BYTES + 1)
        return key if len(key) == _BYTES and not others else None
    return None


def _made(folder: OwnFolder) -> bytes | None:
    """Make the key file atomically and return the key; of two processes at once both get the same key. None if it cannot be private."""
    part = f"{KEY}.{secrets.token_hex(4)}.part"
    try:
        with folder.open(part, "xb") as file:
            file.write(secrets.token_bytes(_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            folder.link(part, KEY)
    finally:
        folder.remove(part)
    return _read(folder)
