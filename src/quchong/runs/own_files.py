"""Names of the files that a run writes into its folder, by which files of other origin are recognised before a run is replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from quchong.errors import RunError
from quchong.outputs import manifest_of
from quchong.patterns import lazy_pattern
from quchong.runs.manifest import is_rows_name

SIDES = ("kept", "removed", "annotated", "cut")
KEPT_WORK = "work"
"""Folder of prepared texts and features of kept documents, for runs against this one (`quchong.results.kept_work`)."""
_FIXED = lazy_pattern(
    r"run\.json|(decisions|skipped|restored)\.jsonl|skipped|\.DS_Store"
    r"|(ledger|pairs|clusters|documents|passages|templates|units|matches|items|kept_ids)\.parquet|\.restore\.quchong-.*|\.[^./]+\.json\.crc"
)
"""Names that every run folder may have, whatever its inputs."""
_PART = lazy_pattern(r"part-.*|_SUCCESS|\.part-.*\.crc|\._SUCCESS\.crc|\.DS_Store")
"""Names of files that Spark writes into a folder of parts."""
_WORK = lazy_pattern(r"\d{5}-\d{5,}\.value")
"""Names of files of stored features."""


def foreign(names: Iterable[str]) -> str | None:
    """Return the first of the names, at the top of a run folder, that no run writes; None if all are a run's."""
    return min((name for name in names if name != KEPT_WORK and not _is_own_at_top(name)), default=None)


def foreign_file(out: Path) -> str | None:
    """Return the first file or link inside a run folder that its run did not write; None if the run wrote all.

    Files of rows are those that run.json names. If it cannot be read, every name that rows may have is taken for the run's own.
    """
    rows = _named_rows(out)
    return min((name for name in _names(out) if not _is_own(name, rows)), default=None)


def foreign_names(names: Iterable[str], manifest: Mapping[str, Any]) -> str | None:
    """Return the first of the file names beneath a run folder that a run with this manifest does not write, or None."""
    rows = _rows_in(manifest)
    return min((name for name in names if not _is_own(name, rows)), default=None)


def _named_rows(out: Path) -> set[str] | None:
    """Return the names of files of rows in run.json; None if it cannot be read."""
    try:
        return _rows_in(manifest_of(out))
    except (OSError, ValueError, RunError):
        return None


def _rows_in(manifest: Mapping[str, Any]) -> set[str] | None:
    """Return the names of files of rows in a manifest; None if it is damaged."""
    try:
        files = manifest.get("files", {})
        cut = manifest.get("cut", {}).get("files", {})
        return {name for sides in files.values() for name in sides.values()} | set(cut.values())
    except (AttributeError, TypeError):
        return None


def _names(out: Path) -> Iterator[str]:
    """Yield the names of all files, links and empty folders beneath a folder, relative to it; links are not followed."""
    for base, folders, files in os.walk(out):
        within = Path(base).relative_to(out)
        links = [name for name in folders if os.path.islink(os.path.join(base, name))]  # noqa: PTH114, PTH118 - may be many
        yield from ((within / name).as_posix() for name in (*files, *links))
        if not files and not folders and within.parts and within.parts[0] not in (*SIDES, KEPT_WORK):
            yield within.as_posix()


def _is_own(name: str, rows: set[str] | None) -> bool:
    """Return True if the run whose files of rows are `rows` writes a file of this name."""
    top, _, rest = name.partition("/")
    folder, _, last = name.rpartition("/")
    if top.startswith(".restore.quchong-"):
        return True
    if top in SIDES and rest:
        in_parts = _PART.fullmatch(last) is not None
        if rows is None:
            return in_parts or is_rows_name(name, top) or last == ".DS_Store"
        return name in rows or last == ".DS_Store" or (in_parts and any(one.startswith(f"{folder}/*") for one in rows))
    if not rest:
        return _FIXED.fullmatch(name) is not None or (_is_own_at_top(name) if rows is None else name in rows)
    if top == KEPT_WORK:
        return _WORK.fullmatch(rest) is not None or rest == ".DS_Store"
    return (
        (top == "skipped" or top.endswith(".parquet"))
        and _FIXED.fullmatch(top) is not None
        and bool(_PART.fullmatch(rest))
    )


def _is_own_at_top(name: str) -> bool:
    rows = any(name == side or ("/" not in name and is_rows_name(name, side)) for side in SIDES)
    return rows or _FIXED.fullmatch(name) is not None
