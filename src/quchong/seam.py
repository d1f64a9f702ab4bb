"""The seam: a method knows no engine, an engine knows no method.

An engine runs a method like this, and every step is a pure function of a batch:

    texts --prepare--> features --> keys --join--> judge --> decide

`features` sees each document once and keeps what is needed later; `keys` says which documents meet; the engine joins
equal keys under the method's `JoinRule`; `judge` looks at both documents of a candidate and says what they have in
common; `decide` names the relation from that alone, so thresholds can be changed without a second run.

A method whose candidates are no join of equal keys is a `Finder` too: the engine hands it the documents that exact
classes leave, in order of who would be kept, and it says itself who meets (`meet`); statistics over them come first
(`fitted`).

What is known of a document beside its text (title, address, site, the weights of its lines) comes along in `Documents`
for the methods that ask for it (`Traits.needs`). A method that knows where two documents agree says so (`PassageFinder`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa

from quchong.kernels import AnyTexts, FeatureSets, Texts, texts_of


@dataclass(frozen=True, slots=True)
class Traits:
    """What an engine and a user must know of a method.

    Attributes:
        title: one line, as `quchong methods` shows it.
        paper: where it comes from.
        finds: the relations it can report.
        cost: what it costs, in words.
        lossless: it finds every pair its own measure accepts.
        evidence: what `judge` compares: the "text" itself, or stored "features".
        engines: where it can run.
        collapse: exact copies are put together first and only one of them is compared.
        candidates: "keys" (equal keys are joined by the engine), or what a `Finder` does instead.
        decided_by: parameters that only enter the decision, so that they can be changed without a second run.
        needs: what `judge` and a `Finder` are given of each document beside its text, among `KNOWN`.
        order: what makes the result depend on the order of the input; "" where nothing does but the policy asked for.
        social: it is meant for posts: what forwarding adds is folded (`quchong.text.social`) unless the run says otherwise.
    """

    title: str
    paper: str
    finds: tuple[str, ...]
    cost: str
    lossless: bool
    evidence: Literal["text", "features"]
    engines: tuple[str, ...]
    collapse: bool = True
    candidates: str = "keys"
    decided_by: tuple[str, ...] = ("threshold", "containment")
    social: bool = False
    needs: tuple[str, ...] = ()
    order: str = ""


KNOWN = ("title", "url", "site", "blocks")
"""What can be known of a document beside its text, each a column of strings, null where it is not known.

`title` and `url` are columns of the input, or read from the page; `site` is the column of that name, else the registrable
domain of `url`; `blocks` has one character a line of the text: "1" to "6" a heading of that level, "b" wholly bold, "p"
anything else (`quchong.pages`).
"""


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents as a method sees them: prepared texts, and the columns it asked for (`Traits.needs`), aligned."""

    texts: Texts
    columns: Mapping[str, pa.Array]

    @staticmethod
    def of(texts: AnyTexts, **columns: pa.Array) -> Documents:
        """Documents of texts alone, or with columns of as many values."""
        return Documents(texts if isinstance(texts, Texts) else texts_of([texts]), columns)

    def __len__(self) -> int:
        return len(self.texts)

    def column(self, name: str) -> pa.Array:
        """A column as large strings; all null where nothing of the kind is known."""
        known = self.columns.get(name)
        return pa.nulls(len(self), pa.large_string()) if known is None else known.cast(pa.large_string())

    def take(self, index: np.ndarray) -> Documents:
        """The documents at these places, in this order."""
        which = pa.array(index)
        return Documents(self.texts.take(index), {name: values.take(which) for name, values in self.columns.items()})


@dataclass(frozen=True, slots=True)
class Features:
    """What a batch of documents is known by; arrays of one entry a document, `values` ragged by `offsets`.

    `tokens` and `singles` count tokens and one-character tokens (uint32); `high` and `low` are the digest of the normal
    form (uint64); `values` (uint64) are the features that become keys: anchors, bands, signatures.
    """

    tokens: np.ndarray
    singles: np.ndarray
    high: np.ndarray
    low: np.ndarray
    offsets: np.ndarray
    values: np.ndarray

    @staticmethod
    def concat(parts: list[Features]) -> Features:
        """Batches one after another; no batch gives no documents.

        `parts` is emptied on the way, so that no feature is held twice: they are the most a run over short texts holds.
        """
        n, total = sum(len(p.tokens) for p in parts), sum(len(p.values) for p in parts)
        out = Features(
            np.empty(n, np.uint32), np.empty(n, np.uint32), np.empty(n, np.uint64), np.empty(n, np.uint64),
            np.zeros(n + 1, np.int64), np.empty(total, np.uint64),
        )  # fmt: skip
        at = base = 0
        parts.reverse()
        while parts:
            p = parts.pop()
            here = slice(at, at + len(p.tokens))
            out.tokens[here], out.singles[here], out.high[here], out.low[here] = p.tokens, p.singles, p.high, p.low
            out.offsets[at + 1 : here.stop + 1] = p.offsets[1:] + base
            out.values[base : base + len(p.values)] = p.values
            at, base = here.stop, base + len(p.values)
        return out


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of a batch: document i owns values[offsets[i]:offsets[i + 1]]; `size` and `window` weigh the count filter."""

    values: np.ndarray
    offsets: np.ndarray
    size: np.ndarray
    window: np.ndarray


@dataclass(frozen=True, slots=True)
class JoinRule:
    """How many equal keys make a candidate: at least `min_shared`, and `share` of those expected of the shorter one.

    `cap` postings of a key are met, the first in id order; no key is skipped.
    """

    cap: int = 64
    min_shared: int = 1
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Meetings:
    """Candidates a `Finder` found: places in the documents given (int64), left < right; `bounded` says in words and figures
    what was bounded.
    """

    left: np.ndarray
    right: np.ndarray
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()


Measures = Mapping[str, np.ndarray]
"""Columns of PAIRS that `judge` fills, aligned with the candidates: jaccard, containment_left, ..."""


@runtime_checkable
class Method(Protocol):
    """One paper or family: a frozen dataclass whose fields are its parameters."""

    name: str
    traits: Traits

    @property
    def form(self) -> Any:
        """How texts become tokens (`quchong.kernels.Form`)."""
        ...

    @property
    def thresholds(self) -> Any:
        """What pairs are held to (`quchong.similarity.Thresholds`)."""
        ...

    @property
    def complete_from(self) -> float:
        """Least Jaccard from which on its candidates are meant to be complete: pairs below cannot be decided again."""
        ...

    def features(self, texts: AnyTexts, workers: int | None) -> Features:
        """What a batch of prepared texts is known by."""
        ...

    def keys(self, features: Features) -> Keys:
        """Who meets whom."""
        ...

    def join(self) -> JoinRule:
        """How many keys in common make a candidate."""
        ...

    def judge(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Measures:
        """What candidates have in common; left and right index `documents`. Jaccard and both containments are exact
        counts, never a sketch; `evidence` is what a paper's own rule looks at.
        """
        ...

    def listed(self, measures: Measures) -> np.ndarray:
        """Mask of the candidates at or above the floor: the others are not pairs."""
        ...

    def decide(self, measures: Measures) -> tuple[np.ndarray, np.ndarray]:
        """Relation of left to right and the rule that named it, as arrays of str."""
        ...

    def threshold_used(self, measures: Measures, rule: np.ndarray) -> np.ndarray:
        """The threshold each pair was held to, for the ledger; 1 for exact copies."""
        ...

    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON; part of the config hash."""
        ...


@dataclass(frozen=True, slots=True)
class Spans:
    """Where pairs of texts agree: passages of pair i are places[offsets[i]:offsets[i + 1]].

    Attributes:
        offsets: int64, one more than there are pairs.
        places: (n, 4) int64: left start, left end, right start, right end, in characters of the texts given, half open;
            within a pair sorted by them.
        exact: bool a passage: both stretches are equal in normal form from end to end; else they are near.
    """

    offsets: np.ndarray
    places: np.ndarray
    exact: np.ndarray

    @staticmethod
    def of(offsets: np.ndarray, places: np.ndarray, exact: np.ndarray | bool = True) -> Spans:
        """Spans that are all exact, or all near, or as said."""
        return Spans(offsets, places, np.broadcast_to(np.asarray(exact, bool), len(places)).copy())

    @property
    def pair(self) -> np.ndarray:
        """The pair of each passage, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))


@runtime_checkable
class PassageFinder(Protocol):
    """A method that knows where two documents agree. For others passages are computed on demand."""

    def passages(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> Spans:
        """The passages its rule counted, of pairs as indices into `documents`."""
        ...


@runtime_checkable
class FirstSeen(Protocol):
    """A stream filter of exact repeats: Bloom filter, digit trie, digest set (`quchong.sketches`).

    It answers in order and takes in what is new; answers do not depend on how the stream is cut into batches. A text
    that was there is always found; `expected_wrongly_removed` states how many new ones are to be expected among those
    found, and is next to nothing where the filter is exact or confirmed.
    """

    @property
    def form(self) -> Any:
        """The form in which texts are compared (`quchong.kernels.elements.Element`)."""
        ...

    @property
    def tested(self) -> int:
        """Texts asked about."""
        ...

    @property
    def found(self) -> int:
        """Texts said to have been there before."""
        ...

    @property
    def count(self) -> int:
        """Texts taken in."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Memory of the contents."""
        ...

    @property
    def expected_wrongly_removed(self) -> float:
        """New texts to be expected among those found."""
        ...

    def seen(self, texts: Any, workers: int | None = None) -> np.ndarray:
        """Mask (bool) of the texts that were there before, earlier in the batch included."""
        ...

    def settings(self) -> dict[str, Any]:
        """All parameters, as JSON."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A method whose texts pass a stream filter of exact repeats before anything else, in the order of the input.

    Local engine only. A text the filter calls seen though nothing equal came before goes without a survivor.
    """

    @property
    def unconfirmed(self) -> str | None:
        """The ledger's rule for such a text; None where there can be none: no filter, or every hit confirmed."""
        ...

    def first_stage(self) -> FirstSeen | None:
        """A new, empty filter; None for none."""
        ...


@runtime_checkable
class Finder(Protocol):
    """A method that finds its candidates itself; without time windows. Local engine only, unless it is a `SetFinder`, too."""

    def fitted(self, documents: Documents, workers: int | None) -> Any:
        """The `Method` with statistics over the documents that exact classes leave, or itself; part of the config hash."""
        ...

    def meet(self, documents: Documents, scope: np.ndarray | None, references: int, workers: int | None) -> Meetings:
        """Who meets whom. Documents come in order of who would be kept, the best first; the first `references` are not
        paired with each other; `scope` (uint64) gives each a number, and only equal ones meet.
        """
        ...

    def lacks(self, other: Method) -> str | None:
        """Why pairs found by this method cannot be decided again by `other`; None where they can."""
        ...


@runtime_checkable
class SetFinder(Protocol):
    """A `Finder` whose documents meet under equal values of one set each, by its `join` rule over sizes of these sets.

    An engine that never has all sets in one place makes them batch by batch, joins them itself and gives candidates to
    `judge`. Policy orders lists longer than the rule's cap.
    """

    @property
    def uncounted(self) -> str:
        """What `fitted` would still count on the corpus, in words; "" where nothing, or where a `NoiseFinder` has it counted."""
        ...

    def sets_of(self, documents: Documents, workers: int | None) -> FeatureSets:
        """The sets under which documents meet, the same in any batch; weights above 1 are those of multisets."""
        ...


@runtime_checkable
class NoiseFinder(Protocol):
    """A `SetFinder` that takes out of its sets what is too common to be compared. An engine may do that itself, and then
    gives the method the sets to judge by.
    """

    @property
    def counted_by(self) -> str:
        """What noise is counted by: "site", "frequency" of a value, or "" where there is none, or is known already."""
        ...

    @property
    def noise(self) -> Any:
        """What is known of noise already; None for nothing."""
        ...

    def sets_of(self, documents: Documents, workers: int | None) -> FeatureSets:
        """The sets before anything is taken out."""
        ...

    def site_keys(self, sets: FeatureSets, documents: Documents) -> np.ndarray:
        """The key of each value on the site of its document, uint64."""
        ...

    def noise_of(self, sets: FeatureSets, documents: Documents, workers: int | None) -> tuple[np.ndarray, np.ndarray]:
        """Noise, of all documents of some sites: values that are it everywhere, and keys that are on their site (uint64)."""
        ...

    def noise_by_frequency(self, frequency: np.ndarray, documents: int) -> np.ndarray:
        """Mask of the values that are noise by how many of so many documents have them."""
        ...

    def pruned(self, digest: str) -> Any:
        """The method for sets from which noise was taken; `digest` (`quchong.features.periods.noise_digest`) tells which."""
        ...

    def weight(self, whole: np.ndarray, kept: np.ndarray) -> np.ndarray:
        """The size of each set that counts, of its values before and after noise was taken out; float64."""
        ...

    def judge_sets(
        self, documents: Documents, sets: FeatureSets, size: np.ndarray, left: np.ndarray, right: np.ndarray,
        workers: int | None,
    ) -> Measures:  # fmt: skip
        """As `Method.judge`, with the sets and their sizes given."""
        ...


@runtime_checkable
class PrefixFinder(Protocol):
    """A `Finder` that joins sets exactly by their prefixes, in one order of values, rare ones first (前缀过滤). No list is cut.

    An engine that never has all sets in one place orders them by frequencies it counts itself, or by those the method was
    given; the order changes what the join costs, never its pairs.
    """

    def sets(self, documents: Documents, workers: int | None) -> FeatureSets:
        """The sets that are joined."""
        ...

    def known_frequency(self, values: np.ndarray) -> np.ndarray | None:
        """In how many documents values (uint64) stand by the statistics given, int64; None where there are none."""
        ...

    def order_digest(self, documents: int, pieces: Iterable[np.ndarray]) -> str:
        """The digest of an order counted elsewhere: values that two of so many documents have or more (uint64, ascending), then
        in how many each stands (uint32), in pieces one after another.
        """
        ...

    def ordered(self, digest: str) -> Any:
        """The method for prefixes made in that order."""
        ...

    def prefixes(self, sets: FeatureSets, frequency: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The prefix of each set, rarest first: values (uint64) and offsets (int64); none of a set that takes no part."""
        ...

    def may_reach(
        self, left_size: np.ndarray, left_position: np.ndarray, right_size: np.ndarray, right_position: np.ndarray
    ) -> np.ndarray:
        """Mask of the pairs that can be alike by their sizes and the places, from 1, of the first value both prefixes have."""
        ...

    def screened(self, documents: Documents, left: np.ndarray, right: np.ndarray, workers: int | None) -> np.ndarray:
        """Mask of the pairs whose sets reach the threshold, by all filters and the exact count."""
        ...
