"""The data that methods and engines exchange: documents, features, keys, candidates, measures, passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pyarrow as pa

from quchong.kernels.arrays import AnyTexts, Ragged, Texts, texts_of
from quchong.kernels.text import Form, KeptWords, MovedWords, take_tokens, tokenise
from quchong.languages import Message


@dataclass(frozen=True, slots=True)
class Traits:
    """What an engine and a user must know of a method.

    Attributes:
        title: one line, as `quchong methods` shows it.
        paper: where it comes from.
        finds: the relations it can report.
        cost: what it costs, in words.
        lossless: it finds every pair its own measure accepts.
        evidence: what `score` compares: the "text" itself, or stored "features".
        engines: where it can run.
        candidates: "keys" (equal keys are joined by the engine), or what is done instead.
        decided_by: parameters that only enter the decision, so that they can be changed without a second run.
        features_by: of `decided_by`, what `features` depends on as well: what reading found under another value does not serve.
        needs: what `score` and the candidates are given of each document beside its text, among `KNOWN`.
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
    candidates: str = "keys"
    decided_by: tuple[str, ...] = ("threshold", "containment")
    social: bool = False
    features_by: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    order: str = ""


KNOWN = ("title", "url", "site", "blocks")
"""What can be known of a document beside its text, each a column of strings, null where it is not known.

`title` and `url` are columns of the input, or read from the page; `site` is the column of that name, else the registrable
domain of `url`; `blocks` has one character a line of the text: "1" to "6" a heading of that level, "b" wholly bold, "p"
anything else (`quchong.pages`).
"""


@dataclass(frozen=True, slots=True)
class TokenStreams:
    """Tokens of documents in one form, kept since their texts were read; `singles` of each are one character.

    Equal tokens have equal letters; `moved` are the words whose token is not the hash of theirs.
    """

    form: Form
    docs: Ragged
    singles: np.ndarray
    moved: MovedWords


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents as a method sees them: prepared texts, and the columns it asked for (`Traits.needs`), aligned.

    Where an engine has `kept` tokens, `place` says where those of each document stand.
    """

    texts: Texts
    columns: Mapping[str, pa.Array]
    kept: TokenStreams | None = None
    place: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    _memo: dict[Form, tuple[Ragged, np.ndarray, MovedWords]] = field(default_factory=dict, repr=False, compare=False)

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
        columns = {name: values.take(which) for name, values in self.columns.items()}
        return Documents(
            self.texts.take(index), columns, self.kept, self.place if self.kept is None else self.place[index]
        )

    def tokenised(self, form: Form, workers: int | None = None) -> tuple[Ragged, np.ndarray]:
        """The tokens of each document, and how many are one character: those that were kept, where they are of this form; else the
        texts are normalised now.

        Two tokens are equal if and only if their letters are. They must not be compared with tokens of other `Documents`.
        """
        docs, singles, _ = self._tokens(form, workers)
        return docs, singles

    def hashed(self, form: Form, workers: int | None = None) -> Ragged:
        """The same tokens as hashes of their letters, by which lists of words are looked up; different words may have one hash."""
        docs, _, moved = self._tokens(form, workers)
        return Ragged(moved.hashed(docs.tokens), docs.offsets)

    def _tokens(self, form: Form, workers: int | None) -> tuple[Ragged, np.ndarray, MovedWords]:
        if form not in self._memo:
            if self.kept is None or self.kept.form != form:
                found = tokenise(form, self.texts, workers=workers)
                self._memo[form] = found.docs, found.singles, found.moved
            else:
                docs = take_tokens(self.kept.docs, self.place, workers)
                self._memo[form] = docs, self.kept.singles[self.place], self.kept.moved
        return self._memo[form]


@dataclass(frozen=True, slots=True)
class Features:
    """What a batch of documents is known by; arrays of one entry a document, `values` ragged by `offsets`.

    `tokens` and `singles` count tokens and one-character tokens (uint32); `high` and `low` are the digest of the normal
    form (uint64); `values` (uint64) are the features that become keys: anchors, bands, signatures. `docs` are the tokens, where
    they were asked for, and `words` the different words among them; those of batches are not put together here.
    """

    tokens: np.ndarray
    singles: np.ndarray
    high: np.ndarray
    low: np.ndarray
    offsets: np.ndarray
    values: np.ndarray
    docs: Ragged | None = None
    words: KeptWords | None = None

    def hashed(self) -> Ragged | None:
        """The tokens as hashes of their letters, of which keys are made: `docs` are numbers of this batch and must not leave it."""
        if self.docs is None or self.words is None:
            return self.docs
        return Ragged(self.words.moved.hashed(self.docs.tokens), self.docs.offsets)

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


CROWD, FEW = 1_000, 16
"""A document under a key of more than CROWD documents that has more than three times FEW candidates stands in a crowd, and is paired
with FEW.
"""


@dataclass(frozen=True, slots=True)
class JoinLimits:
    """How many equal keys make a candidate: at least `min_shared`, and `share` of those expected of the shorter one.

    `cap` postings of a key are met, the first in id order; no key is skipped. A document is paired with at most `most`
    of the documents before it: half of them the first, half those that share most keys. 0: with all. Before a document stand
    those of lesser ids; in other joins than of keys, those the policy would sooner keep. In a join of keys a document in a crowd
    (`CROWD`) is paired with `few`.
    """

    cap: int = 64
    min_shared: int = 1
    share: float = 0.0
    most: int = 0

    @property
    def few(self) -> int:
        """Documents before it that a document in a crowd is paired with, in a join of keys.

        So it is in large families of near-equal documents. Where such a document stays after all, it is compared with whom those went
        for that it is a copy of (`quchong.decision.following`): docs/decisions/0116-a-crowd-follows-survivors.md.
        """
        return min(self.most, FEW)

    @property
    def enough(self) -> int:
        """Candidates up to which a document is in no crowd."""
        return min(self.most, 3 * FEW)

    def told(self, documents: int, crowded: int = 0) -> tuple[tuple[str, dict[str, int]], ...]:
        """What alarms say of so many documents that had more than `most` candidates, and of those in a crowd; empty for none."""
        out: list[tuple[str, dict[str, int]]] = []
        if documents:
            message = Message(
                "{:,} documents have more than {:,} candidates: each was compared with {:,} of them, the first "
                "ones and the most similar ones",
                documents,
                self.most,
                self.most,
            )
            out.append((message, {"documents": documents, "most": self.most}))
        if crowded:
            message = Message(
                "{:,} documents stand among more than {:,} that have much in common: each was compared with {:,} of them, and with "
                "survivors of those it is near to",
                crowded,
                CROWD,
                self.few,
            )
            out.append((message, {"documents": crowded, "most": self.few}))
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Meetings:
    """Candidates of documents: places in the documents given (int64), left < right; `bounded` says in words and figures
    what was bounded.
    """

    left: np.ndarray
    right: np.ndarray
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()


Measures = Mapping[str, np.ndarray]
"""Columns of PAIRS that `score` fills, aligned with the candidates: jaccard, containment_left, ..."""


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
