"""Fates of the records of a source, and the files that its rows are written to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path

import numpy as np

from quchong.engines.local.outcome import DecidedRows
from quchong.io import BAD, KEEP, REMOVE, Source
from quchong.io.bad_records import row_numbers


def row_fates(decided: DecidedRows, source: int) -> np.ndarray:
    """Return KEEP, REMOVE or BAD for every record of a source, uint8."""
    corpus = decided.corpus
    mine = corpus.source == source
    name = corpus.sources[source].name
    bad = row_numbers(decided.bad, source=name)
    rows = corpus.row[mine]
    size = 1 + max(int(rows.max(initial=-1)), int(bad.max(initial=-1)))
    out = np.full(size, BAD, np.uint8)
    out[rows] = np.where(decided.fate.removed[mine], REMOVE, KEEP)
    return out


def paths_of(folder: Path, side: str, sources: Sequence[Source]) -> list[Path]:
    """Return the path to which a side ("kept", "removed", "annotated" or "cut") of each source is written; no two are equal.

    The name is that of the source, with the suffix of its format. Where an earlier source has this name already, such as of a folder
    `news` of texts beside `news.txt`, a number is added to it: `news-2.txt`.
    """
    suffixes = [source.annotated_suffix if side == "annotated" else source.suffix for source in sources]
    if len(sources) == 1:
        return [folder / f"{side}{suffixes[0]}"]
    own = {source.name for source, suffix in zip(sources, suffixes, strict=True) if source.name.endswith(suffix)}
    names: dict[str, None] = {}
    for source, suffix in zip(sources, suffixes, strict=True):
        stem = source.name.removesuffix(suffix)
        # Names that sources have as they are come first: a number is given to those whose suffix was added.
        free = (f"{stem}{end}{suffix}" for end in chain([""], (f"-{i}" for i in count(2))))
        names[next(name for name in free if name not in names and (name == source.name or name not in own))] = None
    return [folder / side / name for name in names]
