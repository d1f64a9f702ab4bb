"""Seals of run.json and `work.json`: they tell whether this user's own run named the places outside of the folder
(`quchong.outputs.seal`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quchong.outputs import is_sealed, make_seal, spell_names

_KIND = "run"
_WORK = "work"
_FIELDS = frozenset({"name", "path", "format", "encoding", "bytes", "blake2b"})
_COLUMNS = ("text", "html", "body")


def seal_of(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return the field of run.json that seals the places it names; no field where it names none, or this user can have no key."""
    named = _named_by(manifest)
    seal = make_seal(_KIND, named) if any("path" in one for side in named[:2] for one in side) else None
    return {} if seal is None else {"seal": seal}


def is_own(manifest: Mapping[str, Any]) -> bool:
    """Return True if this user's own run wrote what run.json says of the places outside of the folder."""
    return is_sealed(_KIND, _named_by(manifest), manifest.get("seal"))


def _named_by(manifest: Mapping[str, Any]) -> list[Any]:
    """Return the entries of run.json that decide which outside files are read, and which of their columns are shown.

    `quchong restore` changes none of them.
    """
    columns = [manifest["config"].get(name) for name in _COLUMNS]
    sides = [
        [{k: v for k, v in one.items() if k in _FIELDS} for one in manifest[side]] for side in ("inputs", "against")
    ]
    named: Any = spell_names([*sides, columns])
    return list(named)


def seal_of_work(key: str, about: Mapping[str, Any]) -> dict[str, str]:
    """Return the field of `work.json` that seals what a command asked for; no field where none did, or this user can have no key."""
    seal = make_seal(_WORK, [key, about]) if "request" in about else None
    return {} if seal is None else {"seal": seal}


def is_own_work(work: Mapping[str, Any]) -> bool:
    """Return True if this user's own command wrote what `work.json` says of the request: inputs, options, and folder they are for."""
    about = {name: value for name, value in work.items() if name not in ("format", "key", "seal")}
    return is_sealed(_WORK, [work.get("key"), about], work.get("seal"))
