"""Explanations of documents and pairs of an index, as those of a run (`quchong explain`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from quchong.engines.local.compare import aligned
from quchong.errors import UsageError
from quchong.languages import Message
from quchong.relations import BY_NAME
from quchong.report import Explanation, PairComparison
from quchong.report.explanation import NOT_KEPT

if TYPE_CHECKING:
    from quchong.api.index import Index
    from quchong.engines.index.answers import Answer, Id, Match


class IndexedExplanation(Explanation):
    """Explanation of a document of an index; texts are missing because the index does not keep them."""

    __slots__ = ()
    unreadable: ClassVar[Message] = NOT_KEPT


class IndexedPairComparison(PairComparison):
    """Comparison of two documents of an index; texts are missing because the index does not keep them."""

    __slots__ = ()
    unreadable: ClassVar[Message] = NOT_KEPT


ASKED = 200
"""Maximum number of removed documents that are asked whether they were removed for the one explained."""


def explain_indexed(index: Index, id: Id) -> Explanation:
    """Return the explanation of a document of an index: whether it is removed, for which document, and all that is like it.

    Texts are None if the index does not keep them; there are no passages then.

    Raises:
        UsageError: no document has the id.
    """
    answer, text = index.matches(id, passages=True), index.text(id)
    near = tuple(map(_near, answer.matches))
    if not answer.removed or answer.survivor_id is None:
        return IndexedExplanation(
            answer.id, answer.removed, None, answer.relation, rule=answer.rule, text=text, near=near, members=_members(index, answer)
        )  # fmt: skip
    other, match = index.text(answer.survivor_id), _match_with(answer, answer.survivor_id)
    if match is None:  # removed for a document that another copy of it brought in
        passages = () if text is None or other is None else aligned(text, other)
        return IndexedExplanation(
            answer.id, True, answer.survivor_id, answer.relation, rule=answer.rule, passages=passages, text=text, survivor_text=other,
            near=near,
        )  # fmt: skip
    return IndexedExplanation(
        answer.id, True, answer.survivor_id, answer.relation, match.jaccard, match.containment, match.match_containment, answer.rule,
        match.passages, text, other, near, facts=match.facts, differences=match.differences,
    )  # fmt: skip


def compare_indexed(index: Index, id: Id, other: Id) -> PairComparison:
    """Return two documents of an index side by side, with their relation, differences and shared passages.

    Raises:
        UsageError: the ids are equal, or no document has one of them.
    """
    if id == other:
        raise UsageError("both documents are {!r}: give two different documents", id)
    answer, text, other_text = index.matches(id), index.text(id), index.text(other)
    match = _match_with(answer, other)
    passages = () if text is None or other_text is None else aligned(text, other_text)
    if match is None:
        return IndexedPairComparison(answer.id, other, None, None, None, None, None, passages, text, other_text)
    return IndexedPairComparison(
        answer.id, match.id, match.relation, match.jaccard, match.containment, match.match_containment, match.rule, passages, text,
        other_text, match.facts, match.differences,
    )  # fmt: skip


def _match_with(answer: Answer, other: Id) -> Match | None:
    return next((match for match in answer.matches if match.id == other), None)


def _members(index: Index, answer: Answer) -> tuple[Id, ...]:
    """Return the ids of documents that were removed for this one."""
    removed = [match.id for match in answer.matches if not match.kept][:ASKED]
    return tuple(id for id in removed if index.matches(id).survivor_id == answer.id)


def _near(match: Match) -> dict[str, Any]:
    """Return a match as an explanation lists it."""
    conflicting = BY_NAME[match.relation].conflicting or "field" in match.facts
    more = {"facts": match.facts, "differences": match.differences, "newer": None} if conflicting else {}
    return {
        "other_id": match.id, "relation": match.relation, "jaccard": match.jaccard, "containment": match.containment, "rule": match.rule,
        **more,
    }  # fmt: skip
