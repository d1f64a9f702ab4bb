"""What stands in a folder, in a form that two runs over the same input have in common."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import Any

from quchong.runs.manifest import TIMED

VOLATILE = (*TIMED, "command", "restored")
"""Entries of run.json that tell of one run and not of its answer."""

Answer = dict[str, str]
"""Digest by relative path; folders end in "/". Empty: nothing is there."""


def digest(path: Path) -> str:
    """Of one file; of run.json without what is volatile."""
    raw = path.read_bytes()
    if path.name == "run.json":
        with contextlib.suppress(ValueError):
            raw = json.dumps(_lasting(json.loads(raw)), sort_keys=True).encode()
    return hashlib.blake2b(raw, digest_size=8).hexdigest()


def _lasting(told: Any) -> Any:
    return {k: _lasting(v) for k, v in told.items() if k not in VOLATILE} if isinstance(told, dict) else told


def answer(path: Path) -> Answer:
    """What stands at a path, file or folder."""
    if path.is_symlink():
        return {"": f"-> {path.readlink()}"}
    if path.is_file():
        return {"": digest(path)}
    if not path.is_dir():
        return {}
    found = {"/": ""}
    for one in sorted(path.rglob("*")):
        name = one.relative_to(path).as_posix()
        if one.is_symlink():
            found[name] = f"-> {one.readlink()}"
        elif one.is_dir():
            found[name + "/"] = ""
        else:
            found[name] = digest(one)
    return found


def differences(left: Answer, right: Answer, most: int = 6) -> str:
    """Names that differ, in words."""
    names = sorted(n for n in left.keys() | right.keys() if left.get(n) != right.get(n))
    told = [
        f"{n or '.'} {'missing' if n not in left else 'too much' if n not in right else 'differs'}"
        for n in names[:most]
    ]
    return ", ".join(told) + (f" and {len(names) - most} more" if len(names) > most else "")
