"""Advice about a path that does not exist: a similar name in its folder, or the files that the folder has."""

from __future__ import annotations

import difflib
import os
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from quchong.languages import NAMES, OR, Message, join_messages
from quchong.report.visible import shown_name

_ENTRIES = 2000
"""Number of entries of a folder that are looked at."""
_LISTED = 3
"""Number of files of a folder that a message names."""


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other).ratio()


def similar_path(path: str) -> str | None:
    """Return the existing path whose name is most similar to that of a missing path; None if no name is similar."""
    return next(iter(similar_paths(path)), None)


def similar_paths(path: str, but: Collection[str] = ()) -> list[str]:
    """Return the existing paths whose names are most similar to that of a missing path, all that are equally similar; up to `_LISTED`.

    Args:
        path: as it was given; but: paths that are not meant, such as those that were given beside it.
    """
    folder, name = os.path.split(path)
    if folder and not Path(folder).is_dir():
        near_folder = similar_path(folder)
        there = None if near_folder is None else Path(near_folder, name)
        return [str(there)] if there is not None and os.path.lexists(there) else []
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for _, entry in zip(range(_ENTRIES), entries, strict=False)]
    except (OSError, ValueError):
        return []
    besides = {os.path.basename(one.rstrip("/")) for one in but if os.path.dirname(one.rstrip("/")) == folder}  # noqa: PTH119, PTH120
    near = _similar_names(name, [one for one in names if shown_name(one) == one and one not in besides])
    return [str(Path(folder, one)) for one in near[:_LISTED]]


def _similar_names(name: str, names: Sequence[str]) -> list[str]:
    """Return the names that are most similar to another one."""
    stem = Path(name).stem
    if len(other_case := [one for one in names if one.casefold() == name.casefold()]) == 1:
        return other_case
    begin = name.split(".")[0] if name[:1] != "." else ""
    of_same_begin = sorted(one for one in names if begin and one.split(".")[0] == begin)
    if len(of_same_begin) == 1:  # the ending is missing, or another one
        return of_same_begin
    like = [one for one in names if _ratio(stem, Path(one).stem) >= 0.6]  # not by their endings alone
    near = difflib.get_close_matches(name, like, n=1, cutoff=0.75)
    return sorted(one for one in like if _ratio(one, name) >= _ratio(near[0], name)) if near else []


def missing_advice(path: object) -> Message:
    """Return what to do about a path at which nothing is: `did you mean ...?`, or the advice to check its spelling."""
    near = similar_paths(str(path))
    return Message("did you mean {}?", join_messages(near, OR)) if near else Message("check the spelling")


def pattern_advice(pattern: str) -> Message:
    """Return what to do about a pattern that no file matches: another ending, or the files that its folder has.

    >>> print(pattern_advice("no/such/folder/*.jsonl"))
    there is no folder no/such/folder
    """
    folder, name = os.path.split(pattern)
    if any(sign in folder for sign in "*?["):
        return Message("check the pattern")
    if not Path(folder or ".").is_dir():
        return Message("there is no folder {}", folder)
    with os.scandir(folder or ".") as entries:
        files = sorted(one.name for _, one in zip(range(_ENTRIES), entries, strict=False) if one.is_file())
    if not files:
        return Message("{} has no file", folder or ".")
    endings = Counter(os.path.splitext(one)[1] for one in files)  # noqa: PTH122 - a name, not a path
    most = next((ending for ending, _ in endings.most_common() if ending), "")
    if folder and name.startswith("*.") and most:
        return Message("did you mean {}?", os.path.join(folder, f"*{most}"))  # noqa: PTH118 - as it was typed
    shown = join_messages([Message("{}", one) for one in files[:_LISTED]], NAMES)
    if len(files) <= _LISTED:
        return Message("{} has {}", folder or Message("this folder"), shown)
    return Message("{} has {} and {:,} more", folder or Message("this folder"), shown, len(files) - _LISTED)
