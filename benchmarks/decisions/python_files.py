"""A corpus of real files: the Python files of an installed environment. They belong to others and are never committed."""

from __future__ import annotations

import json
import re
import sysconfig
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from removals import Removals

VENDORED = re.compile(r"^.*/(?:_vendor|_vendored|vendor|vendored|extern|externals)/")


def write_files(output: Path, *folders: Path) -> str:
    """Write a row for every Python file of environments: id (path below its folder), text, and vendored.

    `vendored` is the path below a folder of vendored packages (`packaging/version.py` of `pip/_vendor/packaging/version.py`), else empty:
    copies of such a file are meant to be found. Files that are no UTF-8 or are empty are left out. Of several folders ids begin with the
    number of theirs (`2:pip/__init__.py`), and `vendored` is never empty: a file of one path in two environments is a copy or a version.

    Args:
        output: the file of JSON lines.
        folders: folders of installed packages; that of this Python if there is none.

    Returns:
        What was written, in words.
    """
    places = folders or (Path(sysconfig.get_paths()["purelib"]),)
    written = skipped = size = 0
    with output.open("w", encoding="utf-8") as out:
        for number, place, path in (
            (k, one, path) for k, one in enumerate(places, 1) for path in sorted(one.rglob("*.py"))
        ):
            try:
                text = path.read_text("utf-8")
            except (UnicodeDecodeError, OSError):
                skipped += 1
                continue
            if text.strip():
                name = path.relative_to(place).as_posix()
                vendored = VENDORED.sub("", name) if VENDORED.match(name) or len(places) > 1 else ""
                row = {"id": f"{number}:{name}" if len(places) > 1 else name, "text": text, "vendored": vendored}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                written, size = written + 1, size + len(text)
            else:
                skipped += 1
    return f"{written:,} files with {size:,} characters; {skipped:,} empty or not UTF-8"


def score_vendored(rows: Iterable[Mapping[str, str]], removals: Removals) -> tuple[int, int]:
    """Return how many files are surplus, and how many of them are removed: of files with one path below a folder of vendored packages or
    of packages, all but one are surplus. Versions differ, so that not all of them are copies.
    """
    paths: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        paths[row["vendored"] or row["id"]].append(row["id"])
    groups = [ids for ids in paths.values() if len(ids) > 1]
    return sum(len(ids) - 1 for ids in groups), sum(
        min(len(ids) - 1, sum(id_ in removals for id_ in ids)) for ids in groups
    )
