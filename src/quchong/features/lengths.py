"""Sentence lengths as symbols (句长序列), with the first terms of each sentence.

Source: Feng 2015a (SL+ST).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.features.sentences import Sentences, sequence_keys
from quchong.features.suffix_tree import Run, maximal_runs, placed_runs, split_runs
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.hashing import GOLDEN, mix64
from quchong.kernels.offsets import first_of_runs, prefix_sums
from quchong.kernels.runs import MOST_RUNS, Blocks, Sequences

ROADS = {"size": "size", "scan": "places", "suffix-array": "suffixes", "automaton": ""}
"""Names of the ways to find equal runs, and the kernel's name for each. "size" takes positions for short pairs and a suffix array for long
ones; "scan" and "suffix-array" always take one of the two; "automaton" takes a suffix automaton (`quchong.features.suffix_tree`).
"""


@dataclass(frozen=True, slots=True)
class LengthStrings:
    """Strings of sentence lengths.

    Attributes:
        sentences: the sentences that are symbols, including gaps.
        lengths: the symbols: terms of a sentence, 0 for a gap.
        combined: uint64: length and check value in one symbol, 0 for a gap.
        counts: int64 a text: its symbols that are no gaps.
    """

    sentences: Sentences
    lengths: Sequences
    combined: Sequences
    counts: np.ndarray

    @staticmethod
    def from_sentences(sentences: Sentences, max_len: int, min_block: int, keep_gap: bool) -> LengthStrings:
        """Build the strings of texts.

        Args:
            max_len: terms of the longest sentence that is a symbol.
            min_block: symbols of the shortest block; a text none of whose stretches between gaps has so many counts no symbol, as it has no
                block. Shorter stretches of other texts count, though no block covers them.
            keep_gap: a longer sentence is a symbol that equals nothing; else it is left out, and its neighbours join.
        """
        fits = sentences.length <= max_len
        if not keep_gap:
            sentences, fits = sentences.select(fits), fits[fits]
        with np.errstate(over="ignore"):
            both = mix64(sentences.first + sentences.length.astype(np.uint64) * GOLDEN)
        both[both == 0] = 1
        return LengthStrings(
            sentences,
            Sequences(np.where(fits, sentences.length, 0).astype(np.uint64), sentences.offsets),
            Sequences(np.where(fits, both, np.uint64(0)), sentences.offsets),
            _counted(fits, sentences, min_block),
        )

    def grams(self, width: int, workers: int | None = None) -> FeatureSets:
        """Return the multisets of `width` successive combined symbols, 1 or 2, without gaps."""
        x = self.combined.symbols
        real = x != 0
        if width == 2:
            document = self.sentences.document
            real[:-1] &= real[1:] & (document[1:] == document[:-1])
            real[-1:] = False
            with np.errstate(over="ignore"):
                x = mix64(x + mix64(np.append(x[1:], np.zeros(min(1, len(x)), np.uint64)) + GOLDEN))
        before = prefix_sums(real)
        return kernels.sets.feature_sets(x[real], before[self.sentences.offsets], weighted=True, workers=workers)

    def blocks(
        self,
        left: np.ndarray,
        right: np.ndarray,
        *,
        split: bool,
        min_block: int,
        road: str = "size",
        workers: int | None = None,
    ) -> Blocks:
        """Return one-to-one blocks of pairs, which do not depend on the order of the two texts.

        Args:
            split: lengths are matched, then runs are split where check values differ; else both are matched at once, with the
                same result.
            road: how runs are found, see `ROADS`; the result is the same.
        """
        order = sequence_keys(*self.combined)
        turned = order[left] > order[right]
        a, b = np.where(turned, right, left), np.where(turned, left, right)
        symbols, checks = (self.lengths, self.sentences.first) if split else (self.combined, None)
        if road == "size":
            found = kernels.runs.matched_blocks(symbols, a, b, checks=checks, shortest=min_block, workers=workers)
        else:
            found = _blocks_by(road, symbols, checks, a, b, min_block)
        pair, rows = found.pair, found.blocks
        rows = np.where(turned[pair][:, None], rows[:, [1, 0, 2]], rows)
        return Blocks(found.offsets, rows[np.lexsort((rows[:, 0], pair))], found.bounded)

    def stretches(self, text: np.ndarray, pair: np.ndarray, start: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Return for each pair the number of maximal runs of symbols of `text` outside all blocks, int64; gaps do not count.

        Args:
            pair, start, length: pair of each block, ascending, and its position and length in that text.
        """
        real = prefix_sums(self.combined.symbols != 0)
        offsets = self.sentences.offsets
        order = np.lexsort((start, pair))
        pair, at = pair[order], offsets[text[pair]] + start[order]
        base = real[offsets[text[pair]]]
        begins, ends = real[at] - base, real[at + length[order]] - base
        follows = ~first_of_runs(pair)
        before = np.where(follows, np.concatenate([[0], ends[:-1]]), 0)
        last = np.append(~follows[1:], np.ones(min(1, len(pair)), bool))
        n = self.counts[text]
        out = np.bincount(pair, begins > before, minlength=len(text))
        out += np.bincount(pair[last], n[pair[last]] > ends[last], minlength=len(text))
        out[np.bincount(pair, minlength=len(text)) == 0] = 1
        out[n == 0] = 0
        return out.astype(np.int64)


def _counted(fits: np.ndarray, sentences: Sentences, least: int) -> np.ndarray:
    """Return the number of symbols other than gaps of each text, int64; 0 for a text without a run of `least` of them."""
    counts: np.ndarray = np.diff(prefix_sums(fits)[sentences.offsets])
    if not len(fits):
        return counts
    starts = np.flatnonzero((np.diff(fits, prepend=~fits[:1]) != 0) | first_of_runs(sentences.document))
    long_enough = fits[starts] & (np.diff(np.append(starts, len(fits))) >= least)
    able = np.zeros(len(counts), bool)
    able[sentences.document[starts[long_enough]]] = True
    out: np.ndarray = np.where(able, counts, 0)
    return out


def _blocks_by(
    road: str, symbols: Sequences, checks: np.ndarray | None, left: np.ndarray, right: np.ndarray, shortest: int
) -> Blocks:
    """Return the blocks of `quchong.kernels.runs.matched_blocks`, found by one algorithm (`road`) on one thread."""
    counts, rows, many = [], [np.zeros((0, 3), np.uint32)], np.zeros(len(left), np.uint8)
    for k, pair in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
        a, b = (slice(int(symbols.offsets[d]), int(symbols.offsets[d + 1])) for d in pair)
        runs, many[k] = _runs_by(road, symbols.symbols[a], symbols.symbols[b], shortest)
        if checks is not None:
            runs = split_runs(runs, checks[a].tolist(), checks[b].tolist(), shortest)
        made = placed_runs(runs, shortest)
        counts.append(len(made))
        rows.append(np.array(made, np.uint32).reshape(-1, 3))
    return Blocks(prefix_sums(counts), np.concatenate(rows), many)


def _runs_by(road: str, a: np.ndarray, b: np.ndarray, shortest: int) -> tuple[list[Run], bool]:
    if road != "automaton":
        runs, bounded = kernels.runs.maximal_runs(a, b, shortest, road=ROADS[road])
        return [tuple(r) for r in runs.tolist()], bounded
    found = maximal_runs(a.tolist(), b.tolist(), shortest)
    if len(found) <= MOST_RUNS:
        return found, False
    least = sorted((r[2] for r in found), reverse=True)[
        MOST_RUNS
    ]  # one run too many: its length and all shorter ones are dropped
    return [r for r in found if r[2] > least], True
