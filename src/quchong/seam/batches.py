"""Data exchanged by methods and engines: documents, features, keys, candidates, measures, passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import pyarrow as pa

from quchong.kernels.arrays import AnyTexts, Ragged, Texts, texts_of
from quchong.kernels.text import (
    Form,
    KeptWords,
    MovedWords,
    Stretches,
    TokenPlaces,
    hashes,
    placed_stretches,
    stretches,
    take_tokens,
    tokenise,
    tokenise_placed,
)  # fmt: skip
from quchong.languages import Message


@dataclass(frozen=True, slots=True)
class Traits:
    """Properties of a method that engines and users need to know.

    Attributes:
        title: one line, as `quchong methods` shows it.
        paper: the source of the method.
        finds: the relations it can report.
        cost: its cost, in words.
        lossless: True if it finds every pair that its own measure accepts.
        evidence: what `score` compares: the "text" itself, or stored "features".
        decided_by: parameters used by the decision only, so that they can be changed without a second run.
        features_by: those of `decided_by` on which `features` depends too; features stored under another value cannot be reused.
        needs: columns of documents that `score` and the candidates need, among `KNOWN`.
        engines: engines to which the author restricts the method; () for all that can run its join (`engines_of`).
        order: why the result depends on the order of the input; "" if it depends on the policy only.
        social: True for a method made for posts: text added by forwarding is folded (`quchong.text.social`) by default.
    """

    title: str
    paper: str
    finds: tuple[str, ...]
    cost: str
    lossless: bool
    evidence: Literal["text", "features"]
    decided_by: tuple[str, ...] = ("threshold", "containment")
    social: bool = False
    features_by: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    order: str = ""
    engines: tuple[str, ...] = ()


KNOWN = ("title", "url", "site", "blocks")
"""Columns that a document can have besides its text; each is a column of strings, null if unknown.

`title` and `url` are columns of the input, or read from the page; `site` is the column of that name, else the registrable
domain of `url`; `blocks` has one character a line of the text: "1" to "6" a heading of that level, "b" wholly bold, "p"
anything else (`quchong.pages`).
"""


@dataclass(frozen=True, slots=True)
class TokenStreams:
    """Tokens of documents in one form, stored when their texts were read; `singles` counts one-character tokens per document.

    Equal tokens have equal letters. `moved` are the words whose token is not the hash of their letters.
    """

    form: Form
    docs: Ragged
    singles: np.ndarray
    moved: MovedWords


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents as a method receives them: prepared texts and the columns it asked for (`Traits.needs`), aligned.

    If an engine stored tokens (`kept`), `place` is the row of each document in them.
    """

    texts: Texts
    columns: Mapping[str, pa.Array]
    kept: TokenStreams | None = None
    place: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    _memo: dict[Form, tuple[Ragged, np.ndarray, MovedWords]] = field(default_factory=dict, repr=False, compare=False)
    _places: dict[Form, TokenPlaces] = field(default_factory=dict, repr=False, compare=False)
    _hashed: dict[Form, Ragged] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def from_texts(texts: AnyTexts, **columns: pa.Array) -> Documents:
        """Build documents from texts, with optional columns of as many values."""
        return Documents(texts if isinstance(texts, Texts) else texts_of([texts]), columns)

    def __len__(self) -> int:
        return len(self.texts)

    def column(self, name: str) -> pa.Array:
        """Return a column as large strings; all null if the documents do not have it."""
        known = self.columns.get(name)
        return pa.nulls(len(self), pa.large_string()) if known is None else known.cast(pa.large_string())

    def take(self, index: np.ndarray) -> Documents:
        """Return the documents at these indices, in this order."""
        which = pa.array(index)
        columns = {name: values.take(which) for name, values in self.columns.items()}
        return Documents(
            self.texts.take(index), columns, self.kept, self.place if self.kept is None else self.place[index]
        )

    def tokenised(self, form: Form, workers: int | None = None, *, places: bool = False) -> tuple[Ragged, np.ndarray]:
        """Return the tokens of each document and its number of one-character tokens.

        Stored tokens are used if they are of this form; otherwise the texts are normalised now. With `places` the places of the tokens
        are then kept, in two bytes a token, so that `stretches` need not normalise the texts again.

        Two tokens are equal if and only if their letters are. Tokens of different `Documents` are not comparable.
        """
        docs, singles, _ = self._tokens(form, workers, places)
        return docs, singles

    def stretches(
        self, form: Form, document: np.ndarray, first: np.ndarray, last: np.ndarray, margin: np.ndarray, workers: int | None = None
    ) -> Stretches:  # fmt: skip
        """Return the character ranges of token ranges of documents (`quchong.kernels.text.stretches`)."""
        if (places := self._places.get(form)) is None:
            return stretches(form, self.texts, document, first, last, margin, workers)
        return placed_stretches(places, self.texts, document, first, last, margin, workers)

    def hashed(self, form: Form, workers: int | None = None) -> Ragged:
        """Return the tokens as hashes of their letters, for lookup in word lists; different words may have the same hash.

        Where `tokenised` was not asked before, words are not told from each other, which takes half of the time of a Latin text.
        """
        if form in self._memo or (self.kept is not None and self.kept.form == form):
            docs, _, moved = self._tokens(form, workers)
            return Ragged(moved.hashed(docs.tokens), docs.offsets)
        if form not in self._hashed:
            self._hashed[form], _ = hashes(form, self.texts, workers)
        return self._hashed[form]

    def _tokens(self, form: Form, workers: int | None, places: bool = False) -> tuple[Ragged, np.ndarray, MovedWords]:
        if form not in self._memo:
            if self.kept is None or self.kept.form != form:
                if places:
                    found, self._places[form] = tokenise_placed(form, self.texts, workers)
                else:
                    found = tokenise(form, self.texts, workers=workers)
                self._memo[form] = found.docs, found.singles, found.moved
            else:
                docs = take_tokens(self.kept.docs, self.place, workers)
                self._memo[form] = docs, self.kept.singles[self.place], self.kept.moved
        return self._memo[form]


@dataclass(frozen=True, slots=True)
class Features:
    """Features of a batch of documents: arrays with one entry per document, `values` ragged by `offsets`.

    `tokens` and `singles` count tokens and one-character tokens (uint32). `high` and `low` are the digest of the
    normal form (uint64). `values` (uint64) are the features that become keys: anchors, bands, signatures. `docs` are
    the tokens, if they were asked for, and `words` the distinct words among them; `concat` drops both.
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
        """Return the tokens as hashes of their letters, which are valid outside of this batch, unlike `docs`; None without tokens."""
        if self.docs is None or self.words is None:
            return self.docs
        return Ragged(self.words.moved.hashed(self.docs.tokens), self.docs.offsets)

    @staticmethod
    def concat(parts: list[Features]) -> Features:
        """Concatenate batches; an empty list gives no documents.

        `parts` is emptied on the way, so that no feature is stored twice: features need most of the memory of a run
        over short texts.
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
"""Limits of a crowd: a document with a key of more than CROWD documents and more than three times FEW candidates is in a crowd.

Such a document is paired with FEW documents.
"""


@dataclass(frozen=True, slots=True)
class JoinLimits:
    """Limits of a join: how many equal keys make a candidate pair, and how many candidates a document has.

    A pair needs at least `min_shared` equal keys, and `share` of the keys expected of the shorter document. Of a
    key's postings the first `cap` in id order are paired; no key is skipped. A document is paired with at most `most`
    of the documents before it: half of them the first, half those that share most keys; 0 means no limit. "Before"
    means a lesser id in a join of keys, and a better priority by policy in other joins. In a join of keys, a document
    in a crowd (`CROWD`) is paired with `few`.
    """

    cap: int = 64
    min_shared: int = 1
    share: float = 0.0
    most: int = 0

    @property
    def few(self) -> int:
        """Maximum number of earlier documents with which a join of keys pairs a document in a crowd.

        Crowds occur in large families of near-equal documents. If such a document is kept, it is also compared with
        the survivors of the documents of which it is a copy (`quchong.decision.following`):
        docs/decisions/0116-whom-a-document-in-a-large-family-meets.md.
        """
        return min(self.most, FEW)

    @property
    def enough(self) -> int:
        """Maximum number of candidates of a document that is in no crowd."""
        return min(self.most, 3 * FEW)

    @property
    def many(self) -> int:
        """Number of candidates at or above which a document may share keys with others that it was not compared with.

        A document late in a family of near-copies meets the first `cap` of them, which may all be removed for copies that it did not meet.
        Such a document is compared with the survivors of the documents of which it is a copy, as in a crowd.
        """
        return min(limit for limit in (self.cap, self.most, 3 * FEW) if limit)

    def notes(self, documents: int, crowded: int = 0) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return alarm messages with counts, for documents with more than `most` candidates and for crowded ones.

        The tuple is empty if both numbers are 0.
        """
        out: list[tuple[str, dict[str, int]]] = []
        if documents:
            message = Message(
                "{:,} documents have more than {:,} candidates. Each was compared with only {:,} of these: the "
                "first and the most similar ones",
                documents,
                self.most,
                self.most,
            )
            out.append((message, {"documents": documents, "most": self.most}))
        if crowded:
            message = Message(
                "{:,} documents belong to groups of more than {:,} similar documents. Each was compared with "
                "only {:,} of its group, and with the documents kept in place of its near-copies",
                crowded,
                CROWD,
                self.few,
            )
            out.append((message, {"documents": crowded, "most": self.few}))
        return tuple(out)


@dataclass(frozen=True, slots=True)
class Meetings:
    """Candidate pairs of documents: row indices into the documents given (int64), left < right.

    Attributes:
        bounded: messages and counts about lists that were cut.
        unseen: bool, one for each document given: True if the method saw nothing in it by which it could meet another. None if the search
            does not tell.
    """

    left: np.ndarray
    right: np.ndarray
    bounded: tuple[tuple[str, dict[str, int]], ...] = ()
    unseen: np.ndarray | None = None


Measures = Mapping[str, np.ndarray]
"""Columns of PAIRS that `score` computes, aligned with the candidates: jaccard, containment_left, ..."""


@dataclass(frozen=True, slots=True)
class Spans:
    """Shared passages of pairs of texts: those of pair i are places[offsets[i]:offsets[i + 1]].

    Attributes:
        offsets: int64, one entry more than pairs.
        places: (n, 4) int64: left start, left end, right start, right end, in characters of the texts given, half open;
            sorted within a pair.
        exact: bool per passage: True if both sides are equal in normal form from end to end, False if they are near.
    """

    offsets: np.ndarray
    places: np.ndarray
    exact: np.ndarray

    @staticmethod
    def from_offsets(offsets: np.ndarray, places: np.ndarray, exact: np.ndarray | bool = True) -> Spans:
        """Build spans from offsets and places; `exact` is one value for all or an array of values."""
        return Spans(offsets, places, np.broadcast_to(np.asarray(exact, bool), len(places)).copy())

    @property
    def pair(self) -> np.ndarray:
        """Index of the pair of each passage, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
