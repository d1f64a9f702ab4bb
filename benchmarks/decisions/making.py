"""Parts of the benchmark and the corpora each is made of, in files FOLDER/corpora/PART/NAME.jsonl."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from corpora import Row, family_rows, reverse_rows, together
from edited import cell_rows, cells
from families import FAMILIES, HALVES
from families.reverse import REVERSE, half_of
from mixed import REAL, mixed_rows

PARTS = ("families", "small", "reverse", "mixed", "edits")
SMALL = {3: 20, 10: 6}
"""Records of a family in a corpus of small families, and how many such corpora are drawn."""
REVERSE_SIZES = (10, 100, 500)
MIXED_SIZE = 100
LENGTHS = (30, 80, 200, 600, 2000)


@dataclass(frozen=True, slots=True)
class Asked:
    """Options of `make`.

    Attributes:
        families: names of families and reverse clusters; all if empty.
        sizes: different records of a family in a corpus of its own.
        halves: "tune", "report".
        lengths: lengths of the texts with edits.
        pairs: pairs of a cell of edits.
        seed: of everything that is made by us.
    """

    families: tuple[str, ...] = ()
    sizes: tuple[int, ...] = (100, 2000)
    halves: tuple[str, ...] = HALVES
    lengths: tuple[int, ...] = LENGTHS
    pairs: int = 60
    seed: int = 1

    def chosen(self) -> list[str]:
        """Return the families asked for, of the halves asked for."""
        return [
            n for n, one in FAMILIES.items() if one.half in self.halves and (not self.families or n in self.families)
        ]

    def reversed(self) -> list[str]:
        """Return the reverse clusters asked for."""
        return [n for n in REVERSE if half_of(n) in self.halves and (not self.families or n in self.families)]


Corpus = tuple[str, list[Row]]


def _families(asked: Asked) -> Iterator[Corpus]:
    for name in asked.chosen():
        for size in asked.sizes:
            yield f"{name}-{size}", family_rows(name, size, asked.seed)


def _small(asked: Asked) -> Iterator[Corpus]:
    """Yield corpora that have few records of every family: alone so few would say little."""
    for size, draws in SMALL.items():
        for draw in range(draws):
            seed = asked.seed + draw
            yield f"small-{size}-{draw:02d}", together([family_rows(name, size, seed) for name in asked.chosen()], seed)


def _reverse(asked: Asked) -> Iterator[Corpus]:
    for name in asked.reversed():
        for size in REVERSE_SIZES:
            yield f"{name}-{size}", reverse_rows(name, size, asked.seed)


def _mixed(asked: Asked) -> Iterator[Corpus]:
    for corpus, (language, _) in REAL.items():
        names = [name for name in asked.chosen() if FAMILIES[name].language == language]
        yield f"{corpus}-{MIXED_SIZE}", mixed_rows(corpus, names, MIXED_SIZE, asked.seed)


def _edits(asked: Asked) -> Iterator[Corpus]:
    for kind, length, half in cells(list(asked.lengths), list(asked.halves)):
        if rows := cell_rows(kind, length, half, asked.pairs):
            yield f"{kind.replace(' ', '_')}-{length}-{half}", rows


MAKERS = {"families": _families, "small": _small, "reverse": _reverse, "mixed": _mixed, "edits": _edits}


def make(folder: Path, parts: Iterable[str], asked: Asked) -> dict[str, str]:
    """Write the corpora of some parts. Return what was made of each, or why nothing could be."""
    told = {}
    for part in parts:
        place = folder / "corpora" / part
        place.mkdir(parents=True, exist_ok=True)
        count = 0
        try:
            for name, rows in MAKERS[part](asked):
                write_rows(place / f"{name}.jsonl", rows)
                count += 1
        except FileNotFoundError as error:
            told[part] = f"left out: {error}"
        else:
            told[part] = f"{count} corpora"
    return told


def write_rows(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def read_rows(path: Path) -> list[Row]:
    """Read the rows of a corpus."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
