"""Documents of a corpus that an index gets, others that it is asked about, and the pairs between them by exact measure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GRAM = 5
LIKE = 0.7
CONTAINED = 0.85
"""Least Jaccard of a pair that is asked for, and least containment of one that is contained and below it, of raw character 5-grams."""


def grams(text: str) -> set[str]:
    """Return the distinct character 5-grams of a text; a shorter text is its only gram."""
    return {text[k : k + GRAM] for k in range(len(text) - GRAM + 1)} or {text}


@dataclass(frozen=True)
class Asked:
    """Corpus that is split: rows of `known` go into an index, rows of `asked` are asked about, and then added.

    Attributes:
        texts: texts of all documents.
        families: number of the family of each document; documents of two families share at most single sentences.
        known, asked: rows.
    """

    texts: list[str]
    families: np.ndarray
    known: np.ndarray
    asked: np.ndarray

    @classmethod
    def read(cls, path: Path, count: int, asked: int, seed: int = 5) -> Asked:
        """Return the first `count` documents of a corpus of gen_corpus.py, of which `asked` ones, drawn from a seed, are asked about."""
        texts = pq.read_table(path, columns=["text"])["text"].slice(0, count).to_pylist()
        families = pq.read_table(path.with_suffix(".truth.parquet"), columns=["cluster_id"])["cluster_id"].to_numpy()[
            :count
        ]
        drawn = np.random.default_rng(seed).permutation(len(texts))[:asked]
        return cls(texts, families, np.setdiff1d(np.arange(len(texts)), drawn), drawn)

    def table(self, rows: np.ndarray) -> pa.Table:
        """Return documents as a table with their row as id."""
        return pa.table(
            {"id": [str(r) for r in rows.tolist()], "text": pa.array([self.texts[r] for r in rows], pa.large_string())}
        )

    @cached_property
    def forms(self) -> list[int]:
        """Number of each document, the same for texts of equal letters and digits: an index of classes names one document of each."""
        numbers: dict[str, int] = {}
        return [numbers.setdefault("".join(c for c in text if c.isalnum()), len(numbers)) for text in self.texts]

    def named(self, other: int, found: Iterable[int]) -> bool:
        """Return True if a document, or one of equal letters, is among those found."""
        return any(self.forms[other] == self.forms[each] for each in found)

    @cached_property
    def truth(self) -> dict[int, dict[int, str]]:
        """Known documents that are "like" or "contained" in (or contain) each asked one; those of a family are measured, others are not."""
        members: dict[int, list[int]] = {}
        for row in self.known.tolist():
            members.setdefault(int(self.families[row]), []).append(row)
        out: dict[int, dict[int, str]] = {}
        for row in self.asked.tolist():
            mine, found = grams(self.texts[row]), {}
            for other in members.get(int(self.families[row]), ()):
                theirs = grams(self.texts[other])
                shared = len(mine & theirs)
                if shared >= LIKE * (len(mine) + len(theirs) - shared):
                    found[other] = "like"
                elif shared >= CONTAINED * min(len(mine), len(theirs)):
                    found[other] = "contained"
            out[row] = found
        return out
