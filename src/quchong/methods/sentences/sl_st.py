"""SL+ST: common blocks of sentences, by their lengths and first words (句长序列 + 后缀树).

Source: Feng 2015a; Feng 2015b (the same in English).

A text is a string with one symbol a sentence: how many terms it has. Common substrings of two strings, checked by the first
terms of each sentence, are what the texts share.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from quchong.candidates.set_join import met_by
from quchong.features.lengths import LengthStrings
from quchong.features.located_features import sentences_placed
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import positions_in_items, prefix_sums
from quchong.kernels.runs import MOST_RUNS
from quchong.languages import Message
from quchong.methods.bases.coverage import OVERLAP_DECIDED
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.rules import OverlapRule
from quchong.methods.bases.sentences import SentenceMethod, slices, summed
from quchong.parameters import CAP, N_TERMS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Join, JoinLimits, Meetings, SetJoin, Sight, Spans, Traits
from quchong.similarity.coverage import share

_FIRST, _SECOND = np.array([0]), np.array([1])


@dataclass(frozen=True, slots=True)
class BlockRule(OverlapRule):
    """Rule of SL+ST: a pair is a duplicate if enough sentences are in common blocks.

    Attributes:
        blocks: True if blocks are counted, so that candidates are complete only from the limit on.
    """

    blocks: bool = False

    def lacks(self, other: Any) -> str | None:
        """Return the reason why `other` cannot decide pairs found for this rule: as `OverlapRule`, or a lower limit for blocks."""
        if isinstance(other, BlockRule) and self.blocks and other.limit < self.limit:
            return Message(
                "the run searched only for pairs with a block similarity of at least {:g}: for {:g}, run again",
                self.limit,
                other.limit,
            )
        return OverlapRule.lacks(self, other)


@dataclass(frozen=True, slots=True)
class SlSt(BySets, SentenceMethod):
    """Method on blocks of sentences that two texts share, found by sentence lengths."""

    threshold: float | None = THRESHOLD(None, "lowest similarity at which two texts are duplicates (see `mode`).")
    n_terms: int = N_TERMS(2, "number of terms at the beginning of a sentence that are checked.")
    cap: int = CAP(
        10000,
        "maximum number of documents with the same pair of sentences that are compared with others; the policy "
        "chooses which.",
    )

    max_len: int = parameter(
        80,
        "largest number of terms in a sentence that is used as a symbol. The paper uses 35 for English without "
        "stop words; in Chinese, one sentence in ten has more words than that (docs/decisions/0030).",
        least=1,
    )
    min_block: int = parameter(2, "minimum number of sentences of a block.", least=1, most=1000)
    keep_gap: bool = parameter(
        False,
        "True to count a sentence longer than max_len as a symbol that matches nothing; False to leave it out, "
        "so that its neighbours become adjacent.",
    )
    mode: str = parameter(
        "sentences",
        'measure of similarity. "sentences": sentences in blocks / (sentences of both documents - sentences '
        'in blocks). "blocks": each block counts as 1; each stretch between blocks in either document also '
        "counts as 1.",
        choices=("sentences", "blocks"),
    )
    route: str = parameter(
        "combined",
        'order of the steps. "split": first match lengths, then split blocks where first terms differ, as in '
        'the paper. "combined": do both in one step. Both give the same result.',
        choices=("combined", "split"),
    )
    road: str = parameter(
        "size",
        'search for equal runs. "scan": every position is compared. "suffix-array": a suffix array. '
        '"automaton": a suffix automaton in Python, in linear time, as in the paper. "size": compiled '
        'code, "scan" for short pairs and "suffix-array" for long pairs. All give the same result.',
        choices=("size", "scan", "suffix-array", "automaton"),
    )

    name: ClassVar[str] = "sl-st"
    rule_name: ClassVar[str] = "blocks of sentences"
    usual: ClassVar[float] = 0.5
    traits: ClassVar[Traits] = Traits(
        title=(
            "sentence lengths and first words; common blocks are found by a suffix array in long texts, and by "
            "a scan of every position in short texts"
        ),
        paper="Feng 2015a (SL+ST)",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. Chinese is split into words with a dictionary. Candidate "
            "pairs are found with an index of neighbouring sentences. Each document is compared with at most "
            "1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def _strings(self, documents: Documents, workers: int | None) -> LengthStrings:
        return LengthStrings.from_sentences(
            self.sentences(documents, workers), self.max_len, self.min_block, self.keep_gap
        )

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: the least share of pairs of neighbouring sentences, of the document with fewer.

        A block of L sentences has L - 1 pairs of neighbours, and blocks do not overlap: c sentences in blocks of at least m
        mean at least c (m - 1) / m pairs of neighbours in common. A document of n sentences has at most n - 1 of them, so
        c / n >= floor gives shared / the smaller number >= floor (m - 1) / m. With mode "blocks" one shared pair may do.
        """
        share = self.floor * (self.min_block - self._width + 1) / self.min_block if self.mode == "sentences" else 0.0
        return JoinLimits(self.cap, 1, share, self.most)

    @property
    def _width(self) -> int:
        return min(self.min_block, 2)

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the pairs of neighbouring sentences of each document."""
        return self._strings(documents, workers).grams(self._width, workers)

    @property
    def candidates(self) -> Join:
        """Join of the sets; on one machine pairs that the rule rejects are dropped at once."""
        return SetJoin(self.sets_of, self.join_limits(), meet=self.meet, statistics=self.statistics_used)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the pairs that share enough, among those that share enough pairs of neighbouring sentences."""
        strings = self._strings(documents, workers)
        met = met_by(strings.grams(self._width, workers), self.join_limits(), scope, references, workers)
        kept, bounded = [np.zeros(0, bool)], 0
        for left, right in slices(met.left, met.right):
            measures, many = self._compared(strings, left, right, workers)
            kept.append(self.rule.floor(measures))
            bounded += many
        keep = np.concatenate(kept)
        note = met.bounded
        if bounded:
            message = Message(
                "{:,} pairs have more than {:,} equal sequences of sentences; the shortest sequences were left out",
                bounded,
                MOST_RUNS,
            )
            note = (*note, (message, {"pairs": bounded, "runs": MOST_RUNS}))
        return Meetings(met.left[keep], met.right[keep], note, met.unseen)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return the share in common, the share of each document in common blocks, and the sentences of both."""
        return self._compared(self._strings(documents, workers), left, right, workers)[0]

    def _compared(
        self, strings: LengthStrings, left: np.ndarray, right: np.ndarray, workers: int | None
    ) -> tuple[dict[str, np.ndarray], int]:
        found = strings.blocks(
            left, right, split=self.route == "split", min_block=self.min_block, road=self.road, workers=workers
        )
        common = summed(found.blocks[:, 2], found.offsets)
        a, b = (strings.counts[side].astype(np.float64) for side in (left, right))
        evidence = share(common, a + b - common)
        if self.mode == "blocks":
            blocks = np.diff(found.offsets).astype(np.float64)
            i, j, n = found.blocks.T.astype(np.int64)
            rest = strings.stretches(left, found.pair, i, n) + strings.stretches(right, found.pair, j, n)
            evidence = share(blocks, blocks + rest)
        return {
            "evidence": evidence,
            "features_left": a,
            "features_right": b,
            "covered_left": share(common, a),
            "covered_right": share(common, b),
        }, int(found.bounded.sum())

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the blocks, each from its first sentence to its last; exact if everything between is equal in normal form."""
        strings = self._strings(documents, workers)
        found = strings.blocks(
            left, right, split=self.route == "split", min_block=self.min_block, road=self.road, workers=workers
        )
        s, pair = strings.sentences, found.pair
        i, j, n = found.blocks.T.astype(np.int64)
        i, j = i + s.offsets[left[pair]], j + s.offsets[right[pair]]
        places = np.stack([s.start[i], s.end[i + n - 1], s.start[j], s.end[j + n - 1]], 1).astype(np.int64)
        within = positions_in_items(n)
        unequal = s.whole[np.repeat(i, n) + within] != s.whole[np.repeat(j, n) + within]
        wrong = summed(unequal, prefix_sums(n))
        whole = (s.number[i + n - 1] - s.number[i] == n - 1) & (s.number[j + n - 1] - s.number[j] == n - 1)
        return Spans.from_offsets(found.offsets, places, (wrong == 0) & whole)

    @property
    def rule(self) -> BlockRule:
        """Rule of the share in common blocks."""
        return self.rule_of(BlockRule, covering=self.covering, least=self.floor, blocks=self.mode == "blocks")

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return sentences with their lengths; for two documents also the number of each sentence's common block."""
        s, strings = self.sentences(documents, workers), self._strings(documents, workers)
        stands = (strings.sentences.document << 32) | strings.sentences.start  # what is too long may have been left out
        at = np.searchsorted((s.document << 32) | s.start, stands)
        values = np.zeros(len(s.start), np.uint64)
        values[at] = strings.combined.symbols
        marks = sentences_placed("lengths", s, values, values != 0, "too long")
        if len(documents) != 2:
            return (marks,)
        block = np.zeros(len(s.start), np.int64)
        found = strings.blocks(_FIRST, _SECOND, split=self.route == "split", min_block=self.min_block, workers=workers)
        for number, (i, j, n) in enumerate(found.blocks.astype(np.int64).tolist(), 1):
            for base, start in zip(strings.sentences.offsets.tolist(), (i, j), strict=False):
                block[at[base + start : base + start + n]] = number
        return (replace(marks, figures={**marks.figures, "block": block}),)
