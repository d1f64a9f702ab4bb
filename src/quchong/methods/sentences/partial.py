"""Partial duplicates by sentence signatures and sequence matching (部分重复, 句子签名, 序列匹配).

Source: Zhang 2010.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from quchong import kernels
from quchong.candidates.set_join import met_by
from quchong.errors import Param, UsageError
from quchong.features.feature_sets import concatenate_sets
from quchong.features.sentences import Sentences, sequence_keys
from quchong.features.signatures import Known, Signatures, term_sets
from quchong.features.statistics import FeatureStatistics
from quchong.kernels.arrays import FeatureSets
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.runs import Matches
from quchong.methods.bases import frequencies
from quchong.methods.bases.coverage import OVERLAP_DECIDED
from quchong.methods.bases.frequencies import Given
from quchong.methods.bases.method_defaults import corpus_statistics
from quchong.methods.bases.papers import BySets
from quchong.methods.bases.sentences import HELD, SentenceMethod, run_ends, slices, spans, summed
from quchong.parameters import CAP, CONTAINMENT, N_TERMS, STATISTICS, THRESHOLD, parameter
from quchong.relations import CONTAINED_IN, DUPLICATE, EXACT, PARTIAL
from quchong.seam import Documents, Join, JoinLimits, Marks, Meetings, SetJoin, Sight, Spans, Statistics, Traits
from quchong.similarity.coverage import lesser, share


class _Signed(NamedTuple):
    """Sentences of texts that can share a passage, and the signatures of the sentences, each with the position of its sentence."""

    sentences: Sentences
    value: np.ndarray
    place: np.ndarray
    offsets: np.ndarray


class _Runs(NamedTuple):
    """Runs of matching sentences, long enough to be passages: the matches, the run of each, and both ends of each run."""

    matches: Matches
    run: np.ndarray
    pair: np.ndarray
    first: np.ndarray
    last: np.ndarray


@dataclass(frozen=True, slots=True)
class Partial(BySets, SentenceMethod):
    """Method on runs of matching sentences, for partial duplicates.

    Two sentences match if they share a signature. A run is a row of matches on both sides, with few sentences left out.
    """

    threshold: float | None = THRESHOLD(
        None, "minimum share of each of two texts that must be in common runs for the texts to be duplicates."
    )
    containment: float | None = CONTAINMENT(
        None, "minimum share of one text that must be in common runs for the text to be contained in the other."
    )

    n_terms: int = N_TERMS(4, "number of terms of a signature.")
    cap: int = CAP(
        1000,
        (
            "maximum number of documents with the same signature that are compared with others; the policy "
            "chooses which."
        ),
    )
    signature: str = parameter(
        "idf",
        "rule by which the signature of a sentence is computed, see `quchong.features.signatures`.",
        choices=("idf", "kth_in_sentence", "0_mod_p", "winnowing"),
    )
    modulus: int = parameter(4, 'p, the divisor of hashes, for `signature` "0_mod_p".', least=1)
    window: int = parameter(4, 'window size, for `signature` "winnowing".', least=1)
    gap: int = parameter(
        1,
        "g, the largest number of other sentences between two matched sentences of one passage.",
        least=0,
        most=2**31 - 1,
    )
    drift: int = parameter(
        0,
        "largest number of sentences by which the gap between two blocks may be longer in one text than in the other.",
        least=0,
        most=2**31 - 1,
    )
    min_matched: int = parameter(2, "minimum number of matched sentences that form a run.", least=1)
    min_chars: int = parameter(
        30, "number of characters at which matched sentences form a run even if the sentences are too few.", least=1
    )
    shortest: int = parameter(8, "sentences with fewer characters than this are not compared.", least=1)
    repeats: int = parameter(
        32,
        "number of positions of one signature in a text up to which all combinations are matched; further "
        "positions are matched in order.",
        least=1,
        most=65_535,
    )
    statistics: Given = STATISTICS(
        None,
        'document frequencies of terms for `signature` "idf": a file written by `quchong statistics` or '
        "`FeatureStatistics.save`, or a FeatureStatistics object. None: they are counted on the texts compared.",
    )

    name: ClassVar[str] = "partial"
    rule_name: ClassVar[str] = "runs of sentences"
    usual: ClassVar[float] = 0.8
    traits: ClassVar[Traits] = Traits(
        title="runs of sentences with equal signatures in both texts",
        paper="Zhang 2010",
        finds=(EXACT, DUPLICATE, CONTAINED_IN, PARTIAL),
        cost=(
            "time grows linearly with the text length. Chinese is split into words with a dictionary. The number "
            "of pairs grows with the sum of the squared posting-list lengths, but each document is compared with "
            "at most 1,000 earlier ones"
        ),
        lossless=True,
        evidence="features",
        decided_by=OVERLAP_DECIDED,
    )

    def check(self) -> None:
        """Raise UsageError for unusable parameters; read statistics given as a file."""
        SentenceMethod.check(self)
        if self.statistics is not None and self.signature != "idf":
            raise UsageError("{} needs {}", Param("statistics"), Param("signature", "idf"))
        object.__setattr__(self, "statistics", frequencies.read(self.statistics, self.counted_as))

    @property
    def signatures(self) -> Signatures:
        """Settings by which sentences are signed."""
        return Signatures(self.signature, self.n_terms, self.modulus, self.window)

    @property
    def counted_as(self) -> dict[str, str]:
        """Values in which statistics and the texts must agree."""
        return frequencies.counted_as(self.normalise, self.tokens, f"terms of sentences without {self.stop_words}")

    def with_counts(self, documents: Documents, workers: int | None = None) -> Partial:
        """Return the method with the document frequencies of the terms of these texts."""
        sets = concatenate_sets([term_sets(s, t, workers) for s, t in self.terms.pieces(documents.texts, workers)])
        return replace(self, statistics=frequencies.count(sets, self.counted_as))

    def _signed(self, documents: Documents, workers: int | None) -> _Signed:
        known: Known | None = None
        if isinstance(self.statistics, FeatureStatistics):
            known = (self.statistics.features, self.statistics.frequencies, self.statistics.documents)
        kept, values, owners = [], [], []
        base = 0
        for sentences, terms in self.terms.pieces(documents.texts, workers):
            long = sentences.end - sentences.start >= self.shortest
            some, of_some = sentences.select(long), terms.select(long)
            value, owner = self.signatures.sentence_signatures(some, of_some, known)
            signed = np.zeros(len(some.start), bool)
            signed[owner] = True
            signed &= self._can_run(some, signed)[some.document]
            stays = signed[owner]
            kept.append(some.select(signed))
            values.append(value[stays])
            owners.append((np.cumsum(signed) - 1)[owner[stays]] + base)
            base += int(signed.sum())
        sentences = Sentences.join_batches(kept)
        owner = np.concatenate(owners)
        offsets = np.searchsorted(owner, sentences.offsets).astype(np.int64)
        place = owner - np.repeat(sentences.offsets[:-1], np.diff(offsets))
        return _Signed(sentences, np.concatenate(values), place.astype(np.uint32), offsets)

    def _can_run(self, sentences: Sentences, signed: np.ndarray) -> np.ndarray:
        """Return a mask of the texts with enough signed sentences to share a passage; the others have no features."""
        size = np.where(signed, sentences.end.astype(np.int64) - sentences.start, 0)
        mask: np.ndarray = (summed(signed, sentences.offsets) >= self.min_matched) | (
            summed(size, sentences.offsets) >= self.min_chars
        )
        return mask

    def join_limits(self) -> JoinLimits:
        """Return the limits of the join: two documents are candidates if two of their sentences have one signature."""
        return JoinLimits(self.cap, most=self.most)

    @property
    def statistics_used(self) -> Statistics:
        """Statistics given, or to be counted: document frequencies of the terms of sentences, for signature "idf"."""
        return corpus_statistics(
            self.statistics, "document frequencies" if self.signature == "idf" else "", self.with_counts
        )

    def sets_of(self, documents: Documents, workers: int | None = None) -> FeatureSets:
        """Return the signatures of each text's sentences."""
        return self._sets(self._signed(documents, workers), workers)

    @staticmethod
    def _sets(signed: _Signed, workers: int | None) -> FeatureSets:
        return kernels.sets.feature_sets(signed.value, signed.offsets, workers=workers)

    @property
    def candidates(self) -> Join:
        """Join of the sets; on one machine pairs that the rule rejects are dropped at once."""
        return SetJoin(self.sets_of, self.join_limits(), meet=self.meet, statistics=self.statistics_used)

    def meet(
        self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None = None
    ) -> Meetings:
        """Find the candidate pairs: of those that share a signature of a sentence, those whose passages cover enough of a text."""
        signed = self._signed(documents, workers)
        met = met_by(self._sets(signed, workers), self.join_limits(), scope, references, workers)
        kept = [np.zeros(0, bool)]
        for left, right in slices(met.left, met.right):
            kept.append(self.rule.floor(self._covered(signed, left, right, workers)))
        keep = np.concatenate(kept)
        return Meetings(met.left[keep], met.right[keep], met.bounded, met.unseen)

    def evidence_of(
        self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None
    ) -> dict[str, np.ndarray]:
        """Return measures by name: the share of each text's sentences in common passages, the lesser one, and numbers of sentences."""
        return self._covered(self._signed(documents, workers), left, right, workers)

    def _runs(self, signed: _Signed, left: np.ndarray, right: np.ndarray, workers: int | None) -> _Runs:
        key = sequence_keys(signed.sentences.whole, signed.sentences.offsets)
        turned = key[left] > key[right]
        a, b = np.where(turned, right, left), np.where(turned, left, right)
        found = kernels.runs.value_matches(
            signed.value, signed.place, signed.offsets, a, b, repeats=self.repeats, workers=workers
        )
        pair, first, last, count, member = run_ends(
            found, kernels.runs.diagonal_runs(found, self.gap, self.drift, workers)
        )
        s, of, back = signed.sentences, found.pair, turned[found.pair]
        found = Matches(
            np.where(back, found.right, found.left), np.where(back, found.left, found.right), found.offsets
        )  # fmt: skip
        i, j = s.offsets[left[of]] + found.left, s.offsets[right[of]] + found.right
        size = np.minimum(s.end[i] - s.start[i], s.end[j] - s.start[j])
        written = np.bincount(member, size, minlength=len(pair))
        good = (count >= self.min_matched) | (written >= self.min_chars)
        stays = good[member]
        offsets = prefix_sums(stays)
        new = np.cumsum(stays) - 1
        matches = Matches(found.left[stays], found.right[stays], offsets[found.offsets])
        return _Runs(matches, (np.cumsum(good) - 1)[member[stays]], pair[good], new[first[good]], new[last[good]])

    def _covered(
        self, signed: _Signed, left: np.ndarray, right: np.ndarray, workers: int | None
    ) -> dict[str, np.ndarray]:
        counts = signed.sentences.counts
        sides = {"left": left, "right": right}
        out = {f"features_{name}": counts[side].astype(np.float64) for name, side in sides.items()}
        matched = {name: [np.zeros(0)] for name in sides}
        piece = np.cumsum(counts[left] + counts[right]) // HELD
        for which in np.split(np.arange(len(left)), np.flatnonzero(np.diff(piece)) + 1):
            m = self._runs(signed, left[which], right[which], workers).matches
            for (name, side), place in zip(sides.items(), (m.left, m.right), strict=True):
                edges = prefix_sums(counts[side[which]])
                seen = np.zeros(edges[-1], bool)
                seen[edges[m.pair] + place] = True
                matched[name].append(summed(seen, edges))
        for name in sides:
            out[f"covered_{name}"] = share(np.concatenate(matched[name]), out[f"features_{name}"])
        return out | {"evidence": lesser(out)}

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None = None) -> Spans:
        """Return the passages of pairs (runs of matching sentences); exact if all text between is equal in normal form."""
        signed = self._signed(documents, workers)
        s = signed.sentences
        m, run, pair, first, last = self._runs(signed, left, right, workers)
        i, j = s.offsets[left[m.pair]] + m.left, s.offsets[right[m.pair]] + m.right
        a, b, c, d = i[first], i[last], j[first], j[last]
        many = np.bincount(run, minlength=len(pair))
        unequal = np.bincount(run, s.whole[i] != s.whole[j], minlength=len(pair)) > 0
        whole = (s.number[b] - s.number[a] == many - 1) & (s.number[d] - s.number[c] == many - 1)
        places = np.stack([s.start[a], s.end[b], s.start[c], s.end[d]], 1)
        return spans(len(left), pair, places, whole & ~unequal)

    def sights(self, documents: Documents, workers: int | None = None) -> tuple[Sight, ...]:
        """Return the signed sentences, one mark for each signature."""
        signed = self._signed(documents, workers)
        s = signed.sentences
        document = np.repeat(np.arange(len(documents)), np.diff(signed.offsets))
        at = signed.place.astype(np.int64) + s.offsets[document]
        places = np.stack([s.start[at], s.end[at]], 1).astype(np.int64).reshape(-1, 2)
        figures = {"terms": s.length[at].astype(np.int64)}
        every = np.ones(len(at), bool)
        return (Marks("signed", signed.offsets, places, signed.value, every, figures=figures, listed=True),)
