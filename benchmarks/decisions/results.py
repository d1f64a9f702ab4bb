"""Scores of tools over all parts, kept in one CSV file: a row for each tool, part, size and family."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from making import read_rows
from removals import Removals, read_removals
from scoring import Score, score, score_copies, summed

HEAD = ("tool", "part", "size")


@dataclass(frozen=True, slots=True)
class Result:
    """A score, and what it is of.

    Attributes:
        tool: name of the tool, with its version or settings.
        part: part of the benchmark.
        size: records of a family, rows of a reverse cluster, characters of texts with edits, or the real corpus families are mixed into.
        score: of one family; where a size is drawn several times, of all draws.
        same: rows that fare mixed into a real corpus as they do alone; None in other parts, and without removals of the family alone.
    """

    tool: str
    part: str
    size: str
    score: Score
    same: int | None = None


def corpus_size(part: str, stem: str) -> str:
    """Return what a corpus is a size of, by the name of its file."""
    words = stem.split("-")
    return {"small": words[1], "edits": words[-2], "mixed": words[0]}.get(part, words[-1])


def score_folder(folder: Path, tool: str, name: str = "") -> list[Result]:
    """Return the results of a tool over all corpora it has removals of.

    Args:
        folder: the folder `make` and `run` were given.
        tool: the tool `run` was given.
        name: what the results call it, if that is something else.

    Raises:
        ValueError: a file of removals cannot be used.
    """
    base = folder / "removals" / tool.replace(" ", "_")
    found: dict[tuple[str, str, str], list[Score]] = defaultdict(list)
    same: dict[tuple[str, str, str], int | None] = {}
    for file in sorted(base.glob("*/*.csv")):
        part = file.parent.name
        rows = read_rows(folder / "corpora" / part / f"{file.stem}.jsonl")
        removals = read_removals(file, [row["id"] for row in rows])
        for one in score(rows, removals):
            key = part, corpus_size(part, file.stem), f"{one.family}/{one.half}"
            found[key].append(one)
            if part == "mixed":
                ids = [row["id"] for row in rows if row["family"] == one.family]
                same[key] = same_fates(
                    base / "families" / f"{one.family}-{file.stem.rsplit('-', 1)[1]}.csv", ids, removals
                )
        if part in ("families", "small"):
            for one in score_copies(rows, removals):
                found["copies", corpus_size(part, file.stem), f"{one.family}/"].append(one)
    return [
        Result(
            name or tool, part, size, summed(scores[0].family, scores[0].half, scores), same.get((part, size, family))
        )
        for (part, size, family), scores in found.items()
    ]


def same_fates(alone: Path, ids: Sequence[str], removals: Removals) -> int | None:
    """Return how many ids are removed, or not, as in the file of removals of a corpus that has them alone; None without that file."""
    if not alone.exists():
        return None
    there = read_removals(alone, ids)
    return sum((id_ in there) == (id_ in removals) for id_ in ids)


def read_results(path: Path) -> list[Result]:
    """Read the file of results; none if it does not exist."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        Result(*(row[name] for name in HEAD), _score_of(row), int(row["same"]) if row["same"] else None) for row in rows
    ]


def _score_of(row: dict[str, str]) -> Score:
    return Score(row["family"], row["half"], *(int(row[field.name]) for field in fields(Score)[2:]))


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Write the file of results, in an order that does not depend on when what was measured."""
    names = [field.name for field in fields(Score)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow((*HEAD, *names, "same"))
        for one in sorted(results, key=lambda r: (r.tool, r.part, r.size.zfill(6), r.score.family, r.score.half)):
            writer.writerow(
                (
                    one.tool,
                    one.part,
                    one.size,
                    *(getattr(one.score, name) for name in names),
                    "" if one.same is None else one.same,
                )
            )


def merged(old: Sequence[Result], new: Sequence[Result]) -> list[Result]:
    """Return the old results with those of the same tool and part replaced by the new ones."""
    again = {(one.tool, one.part) for one in new}
    return [*(one for one in old if (one.tool, one.part) not in again), *new]
