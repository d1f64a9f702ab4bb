"""Synonyms: words for one concept (同义词)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from quchong.errors import InputError, Param, UsageError, reason_of
from quchong.features.feature_sets import among
from quchong.features.sentences import SentenceTerms

MOST_BYTES = 64 << 20
"""Size beyond which a file is refused as a list of synonyms."""


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Concepts, each a tuple of its words; the first word names it."""

    concepts: tuple[tuple[str, ...], ...]

    @staticmethod
    def parse(given: str | Path) -> Synonyms:
        """Parse concepts from words ("汽车=轿车,买=购买"), or from a UTF-8 file with one concept a line.

        In a file the words of a concept are separated by =, spaces or commas.

        Raises:
            InputError: a file that is not there, or no UTF-8.
            UsageError: a concept of one word, a word of two concepts, or a file too large.
        """
        if isinstance(given, str) and "=" in given:
            lines = re.split(r"[,，]", given)
            split = [[w.strip() for w in line.split("=")] for line in lines]
            where = [f"group {i + 1}" for i in range(len(lines))]
        else:
            lines = _read(Path(given)).splitlines()
            split = [re.split(r"[\s=,，]+", line.strip()) for line in lines]
            where = [f"{given}, line {i + 1}" for i in range(len(lines))]
        found: dict[str, str] = {}
        concepts = []
        for at, words in zip(where, split, strict=True):
            some = tuple(dict.fromkeys(w for w in words if w))
            if not some:
                continue
            if len(some) < 2:
                raise UsageError(
                    "{}: {} has only the word {!r}, but a group of synonyms needs two or more",
                    Param("synonyms"),
                    at,
                    some[0],
                )
            for word in some:
                if word in found:
                    raise UsageError("{}: {} has {!r}, which {} already has", Param("synonyms"), at, word, found[word])
                found[word] = at
            concepts.append(some)
        return Synonyms(tuple(concepts))

    def __str__(self) -> str:
        """Return the concepts as words, in the form that `parse` reads."""
        return ",".join("=".join(words) for words in self.concepts)

    def replace_hashes(self, values: np.ndarray, terms: SentenceTerms) -> np.ndarray:
        """Replace the hashes of synonyms (uint64) by that of the first word of their concept."""
        pairs = [terms.hashes((word, words[0])) for words in self.concepts for word in words[1:]]
        table = np.array([p for p in pairs if len(p) == 2], np.uint64).reshape(-1, 2)
        table = table[np.argsort(table[:, 0], kind="stable")]
        out = values.copy()
        at = among(values, table[:, 0])
        out[at] = table[np.searchsorted(table[:, 0], values[at]), 1]
        return out


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError("{}: {} is larger than {} MB", Param("synonyms"), path, MOST_BYTES >> 20)
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            "{}: {} cannot be read: {}; give a UTF-8 file with one group of synonyms a line, or words joined by =",
            Param("synonyms"),
            path,
            reason_of(error),
        ) from error
