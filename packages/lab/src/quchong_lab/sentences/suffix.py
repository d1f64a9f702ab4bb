"""Feng 2015a: common substrings of two strings of sentences, by a suffix structure and by comparing every position with every other.

Source: Feng 2015a (SL+ST): O(m + n) by a suffix tree instead of O(mn) by dynamic programming. The three algorithms are
those of `sl-st`, and give one result. Two are native, in one language (`kernels.runs.maximal_runs`): a suffix array, and the quadratic
one, which walks the diagonals of the table of dynamic programming and stores one cell of it, its fastest form. The suffix automaton is
the paper's tree, in Python (`features.suffix_tree`): its seconds cannot be compared with native ones, but its steps show whether it is
linear.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.features.lengths import LengthStrings
from quchong.features.sentences import SentenceTerms
from quchong.features.suffix_tree import maximal_runs, steps
from quchong.text import form
from quchong.text.words import word_starts
from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.sentences.texts import written

LONGEST: dict[Scale, int] = {"quick": 256, "paper": 8_192, "full": 32_768}
SHORTEST, STRETCH = 2, 10
"""Numbers of sentences: of the shortest block, and of the alternating ranges that are copied or replaced."""
PLENTY = 1 << 40
NAMES = {"suffixes": "suffix array", "places": "all places", "automaton": "suffix automaton"}
"""Name of each algorithm in the table; the kernel knows all keys but the last."""


def stream(count: int, seed: int) -> dict[str, np.ndarray]:
    """Return the first `count` symbols of generated sentences: of lengths alone, and of lengths with the first two terms."""
    articles = 20 + count // 15
    while True:
        sentences = SentenceTerms(form("standard"), word_starts).split_sentences(written(articles, seed))
        strings = LengthStrings.from_sentences(sentences, 80, 1, False)
        if len(strings.lengths.symbols) >= count:
            return {"lengths": strings.lengths.symbols[:count], "lengths and terms": strings.combined.symbols[:count]}
        articles *= 2


def half_copied(symbols: np.ndarray, length: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two sequences: the first `length` symbols, and a copy in which every other range is replaced by symbols that follow them."""
    left, right = symbols[:length], symbols[:length].copy()
    own = (np.arange(length) // STRETCH) % 2 == 1
    right[own] = symbols[length : 2 * length][own]
    return left, right


def _timed(left: np.ndarray, right: np.ndarray, road: str) -> tuple[float, int]:
    """Return the least seconds of a search and the runs it finds; the search is repeated for 0.05 s and at least three
    times, unless it is long.
    """
    least, spent, done, runs = float("inf"), 0.0, 0, 0
    while done < 3 or spent < 0.05:
        start = time.perf_counter()
        if road == "automaton":
            runs = len(maximal_runs(left.tolist(), right.tolist(), SHORTEST))
        else:
            runs = len(kernels.runs.maximal_runs(left, right, SHORTEST, limit=PLENTY, road=road)[0])
        took = time.perf_counter() - start
        least, spent, done = min(least, took), spent + took, done + 1
        if spent > 2:
            break
    return least, runs


def _sizes(longest: int) -> list[int]:
    """Return 8, 12, 16, 24, 32, 48 and so on up to `longest`, a power of two."""
    doubled = [1 << k for k in range(3, longest.bit_length())]
    return sorted([*doubled, *(n * 3 // 2 for n in doubled[:-1])])


def _runs(scale: Scale, seed: int) -> Findings:
    longest = LONGEST[scale]
    streams = stream(2 * longest, seed)
    rows: list[dict[str, Any]] = []
    remarks = []
    for symbols, values in streams.items():
        faster: int | None = None
        most = 0.0
        for length in _sizes(longest):
            left, right = half_copied(values, length)
            timed = {road: cell(f"{symbols} {length} {road}", _timed, left, right, road) for road in NAMES}
            made = steps(left.tolist(), right.tolist()) / (2 * length)
            rows += [
                {"symbols": symbols, "sentences": length, "road": name, "runs": timed[road][1],
                 "tree_steps_a_sentence": made if road == "automaton" else None, "seconds": timed[road][0]}
                for road, name in NAMES.items()
            ]  # fmt: skip
            most = max(most, made)
            if timed["suffixes"][0] >= timed["places"][0]:
                faster = None
            elif faster is None:
                faster = length
        ratio = timed["places"][0] / timed["suffixes"][0]
        where = "at no length tried" if faster is None else f"from {faster:,} sentences on"
        remarks.append(
            f"{symbols}: the suffix array is faster {where}; at {longest:,} sentences comparing all places takes {ratio:.2g} times "
            f"as long, for {timed['suffixes'][1]:,} runs."
        )
        remarks.append(
            f"{symbols}: the tree takes {made:.2g} steps a sentence at {longest:,} sentences, {most:.2g} at most at any length; its "
            f"automaton, in Python, takes {timed['automaton'][0] / timed['suffixes'][0]:.2g} times as long as the suffix array there."
        )
    return Findings(pa.Table.from_pylist(rows), tuple(remarks))


SUFFIX = Experiment(
    "sentences/suffix",
    "Equal runs of sentences: suffix structure against dynamic programming",
    "Feng 2015a, matching",
    (
        Claim("matching", "all common substrings of two strings of sentence lengths", "O(m + n) by a suffix tree, O(mn) by "
              "dynamic programming", "a bound, no figure: the tree's steps a sentence tell whether it holds; the runs found are "
              "themselves O(mn) where lengths alone are compared"),
    ),
    (Plot("sentences", "seconds", ("symbols", "road"), log_x=True, log_y=True),),
    _runs,
)  # fmt: skip
