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
    """Return the entry for run.json that seals the outside paths it names; empty if it names none, or no key is possible."""
    named = _named_by(manifest)
    seal = make_seal(_KIND, named) if any("path" in one for side in named[:2] for one in side) else None
    return {} if seal is None else {"seal": seal}


def is_own(manifest: Mapping[str, Any]) -> bool:
    """Return True if the outside paths in run.json are sealed by this user's key."""
    return is_sealed(_KIND, _named_by(manifest), manifest.get("seal"))


def _named_by(manifest: Mapping[str, Any]) -> list[Any]:
    """Return the entries of run.json that decide which outside files are read and which columns are shown.

    `quchong restore` changes none of them.
    """
    columns = [manifest["config"].get(name) for name in _COLUMNS]
    sides = [
        [{k: v for k, v in one.items() if k in _FIELDS} for one in manifest[side]] for side in ("inputs", "against")
    ]
    named: Any = spell_names([*sides, columns])
    return list(named)


def seal_of_work(key: str, about: Mapping[str, Any]) -> dict[str, str]:
    """Return the entry for `work.json` that seals a command's request; empty without a request or possible key."""
    seal = make_seal(_WORK, [key, about]) if "request" in about else None
    return {} if seal is None else {"seal": seal}


def is_own_work(work: Mapping[str, Any]) -> bool:
    """Return True if the request in `work.json` (inputs, options, folder) is sealed by this user's key."""
    about = {name: value for name, value in work.items() if name not in ("format", "key", "seal")}
    return is_sealed(_WORK, [work.get("key"), about], work.get("seal"))
