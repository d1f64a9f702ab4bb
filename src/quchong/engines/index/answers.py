"""Answers of an index: what is known of a document that was asked about or added, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from types import MappingProxyType
from typing import Any

from quchong.engines.index.told_later import DifferencesLater
from quchong.findings import Difference, Passage
from quchong.languages import Language, Message
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames, member_advice
from quchong.parameters.truth_values import NoTruthValue
from quchong.report import in_words

Id = str | int
DRIFTED = 0.2
"""Drift at or above which statistics should be recounted."""


@dataclass(frozen=True, slots=True)
class Match(SuggestsNames):
    """Relation of a document to one document of the index, with scores and differences.

    Attributes:
        id: id of the document in the index.
        relation: relation of the document asked about to that one: exact, duplicate, contained_in, contains, variant or partial.
        rule: name of the rule that gave the relation.
        jaccard: share of common shingles, of all of both; 1 for exact copies.
        containment: share of the document asked about that is found in the one of the index.
        match_containment: share of the one of the index that is found in the document asked about.
        kept: False if the index would remove that one, because it has a better copy.
        facts: kinds of facts in which the two conflict, in the order of `quchong.tables.FACTS`.
        differences: differing stretches, in characters of both original texts; `left` is the document asked about. Empty for exact copies,
            for pairs too far apart to be aligned, and without the text of the other document. Described when they are first looked at.
        passages: shared stretches, in characters of both original texts; `start`, `end` in the document asked about, `survivor_*` in the
            other. Empty unless they were asked for.
        by_features: True if the two were compared by stored features, because the index keeps no texts; the shares are then those of the
            features.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "jaccard": "score similarity distance ratio",
            "id": "doc_id document key",
            "as_dict": "to_dict",
            "relation": "label kind type",
            "differences": "diff changes diffs",
        }
    )

    id: Id
    relation: str
    rule: str
    jaccard: float
    containment: float
    match_containment: float
    kept: bool = True
    facts: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    passages: tuple[Passage, ...] = ()
    by_features: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the match as a dictionary for JSON."""
        return asdict(self)

    def differing(self, language: Language = "en") -> str:
        """Return the differences in words, facts first, in the language "en" or "zh"; empty without differences."""
        return in_words(self.differences, language)


_DIFFERENCES = "differences"
_KEPT = Match.__dict__[_DIFFERENCES]


def _looked_at(match: Match) -> tuple[Difference, ...]:
    """Return the differences of a match, described on first use."""
    value: Any = _KEPT.__get__(match, Match)
    if isinstance(value, DifferencesLater):
        value = value.describe()
        _KEPT.__set__(match, value)
    found: tuple[Difference, ...] = value
    return found


# The field stays one of the dataclass: what reads it, compares, copies and prints a match, gets the tuple.
setattr(Match, _DIFFERENCES, property(_looked_at, _KEPT.__set__))
explains_arguments(Match)


@explains_arguments
@dataclass(frozen=True, slots=True)
class Answer(NoTruthValue, SuggestsNames):
    """Answer of an index about one document: its matches, and whether it is (or would be) removed, and for which document.

    Attributes:
        id: id of the document.
        matches: documents of the index that have a relation to it, the best first.
        removed: True if it is a copy of a document that is kept, by the relations and the policy of the index. Of several documents that
            are added in one call it is told as it is after the call.
        survivor_id, relation, rule: the document that is kept instead, and why; None unless `removed`.
        replaces: ids of documents of the index that go for this one, because the policy prefers it, in the order of their letters; only of
            a document that was added.
        added: True if the document is in the index now.
        shadow: the answer of the second method or threshold (`shadow` of `Index.create`); None without one.
    """

    _LOOPED = "answer.matches"
    _ASKED = "answer.removed, answer.new, answer.matches"
    _CALLS = MappingProxyType(
        dict.fromkeys(("score", "similarity", "jaccard", "distance", "ratio"), "answer.matches[0].jaccard")
    )
    _OTHER_NAMES = MappingProxyType(
        {
            "matches": "duplicates copies similar results hits neighbours neighbors candidates top best first top_k nearest",
            "removed": "is_duplicate duplicate is_copy seen known exists",
            "new": "is_new unique is_unique",
            "survivor_id": "duplicate_of original survivor copy_of",
            "as_dict": "to_dict",
        }
    )

    id: Id
    matches: tuple[Match, ...] = ()
    removed: bool = False
    survivor_id: Id | None = None
    relation: str | None = None
    rule: str | None = None
    replaces: tuple[Id, ...] = ()
    added: bool = False
    shadow: Answer | None = None

    @property
    def new(self) -> bool:
        """True if no document of the index has a relation to the document asked about."""
        return not self.matches

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as a dictionary for JSON, with `new`."""
        return {"new": self.new, **asdict(self)}


@explains_arguments
@dataclass(frozen=True, slots=True)
class BadDocument(SuggestsNames):
    """Record that could not be added or queried, with its position and the reason.

    Attributes:
        place: position of the record in what was given, from 0; of a file its row.
        reason: why it is bad, for people.
        known_id: True if the index has a document with its id, or an earlier record of the same call has it.
        again: True if that document is this one, which was sent again: its text is the same, or no texts are kept to tell.
    """

    place: int
    reason: str
    known_id: bool = False
    again: bool = False


@explains_arguments
@dataclass(frozen=True, slots=True)
class Answers(Sequence[Answer], SuggestsNames):
    """Answers to several documents, in their order.

    Attributes:
        found: one answer for each document that could be used.
        bad: records that could not be used.
        undated: number of documents whose time cannot be read, in an index that goes by times (`keep` or `within`); with `within` those
            without a time too, as it compares them with no other document. 0 in other indexes.
        unread_time: one of the values that cannot be read as a time; None if there is none.
    """

    found: tuple[Answer, ...] = ()
    bad: tuple[BadDocument, ...] = ()
    undated: int = 0
    unread_time: str | None = None

    def _advice_about(self, name: str) -> Message | None:
        """Return how an attribute that one answer has is taken from all of them; None for other attributes."""
        return member_advice(Answer, name, "answers")

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, index: Any) -> Any:
        return self.found[index]


@explains_arguments
@dataclass(frozen=True, slots=True)
class Problem(SuggestsNames):
    """Damage that `verify` found in an index.

    Attributes:
        file: name of the damaged file within the folder.
        reason: what is wrong with it, for people.
        lost: what cannot be answered because of it, for people; "" if nothing is lost. Of a repair: what is lost after it.
    """

    file: str
    reason: str
    lost: str = ""


@explains_arguments
@dataclass(frozen=True, slots=True)
class IndexStatistics(SuggestsNames):
    """Statistics of an index: numbers of documents and pairs, bytes, segments, and drift.

    Attributes:
        documents: documents that can be found. kept: those of them that are kept.
        deleted: documents deleted or expired whose place was not yet given back (`Index.compact`).
        pairs: pairs of related documents.
        bytes: size of the folder, in bytes, by part: "texts and catalogue", "postings", "statistics".
        segments: number of sealed segments. unsealed: documents whose keys are in memory and in the catalogue only.
        drift: share of what the newest documents contain that the statistics and templates do not know, beyond what is usually new, from
            0 to 1 (`quchong.engines.index.drift`); 0 for a method that counts nothing; None if it counts and no texts are stored.
        since: documents added since statistics were counted.
        settings: method, policy and the other options of the index.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "documents": "count size n total len docs",
            "as_dict": "to_dict",
        }
    )

    documents: int
    kept: int
    deleted: int
    pairs: int
    bytes: Mapping[str, int]
    segments: int
    unsealed: int
    drift: float | None
    since: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def drifted(self) -> bool:
        """True if statistics are so far from the newest documents that they should be recounted (`Index.compact` with `refit`)."""
        return self.drift is not None and self.drift >= DRIFTED

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as a dictionary for JSON."""
        return {name: getattr(self, name) for name in (one.name for one in fields(self))}
