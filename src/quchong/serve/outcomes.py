"""Calls of an index and their outcomes, written as JSON in the thread or process that made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from quchong.api.index import Index
from quchong.engines.index.answers import Answer, Answers, BadDocument

Record = Mapping[str, Any]
_encode = msgspec.json.Encoder().encode


class Question(NamedTuple):
    """Document to be queried or added, with its options.

    Attributes:
        record: with the columns of the index.
        place: its place in what its caller sent, from 0; a document without an id is called by it in the answer.
        passages: find shared passages too.
    """

    record: Record
    place: int
    passages: bool


class Written(NamedTuple):
    """Answer about one document as JSON bytes, with the facts that are counted.

    Attributes:
        body: the answer as a JSON object, with `new`.
        new, removed: as in the answer.
        relation: that of the best match; None without one.
    """

    body: bytes
    new: bool
    removed: bool
    relation: str | None


Outcome = Written | BadDocument
"""Result of writing one document: written, or refused as bad."""


def written(answer: Answer, place: int | None = None) -> Written:
    """Return an answer as JSON bytes with the facts that are counted; `place` replaces an id that the index made."""
    told = b'{"new":true,' if answer.new else b'{"new":false,'
    relation = answer.matches[0].relation if answer.matches else None
    body = _encode(answer)
    rest = body[1:] if place is None else b'"id":"#%d"' % place + body[body.index(b",") :]
    return Written(told + rest, answer.new, answer.removed, relation)


def asked_of(index: Index, asked: Sequence[Question]) -> list[Outcome]:
    """Return the outcome of each query about an index.

    Args:
        index: the index.
        asked: the documents.
    """

    def write_by_place(answer: Answer, one: Question) -> Written:
        """Return an answer in which a document without id is named by its position in the stream."""
        made = str(answer.id).startswith("#") and answer.id not in one.record.values()
        return written(answer, one.place if made else None)

    return _outcomes(index.query, asked, write_by_place)


def added_to(index: Index, asked: Sequence[Question]) -> list[Outcome]:
    """Add documents to an index and return the outcome of each."""
    return _outcomes(index.add, asked, lambda answer, _: written(answer))


def _outcomes(
    call: Callable[..., Answers], asked: Sequence[Question], write: Callable[[Answer, Question], Written]
) -> list[Outcome]:
    """Return the outcome of each document; those that want passages are asked in a separate call."""
    wanting = [one.passages for one in asked]
    if any(wanting) and not all(wanting):
        parts = {
            passages: iter(_outcomes(call, [one for one in asked if one.passages == passages], write))
            for passages in (False, True)
        }
        return [next(parts[one.passages]) for one in asked]
    answers = call([one.record for one in asked], passages=any(wanting))
    bad = {one.place: one for one in answers.bad}
    found = iter(answers.found)
    return [bad[place] if place in bad else write(next(found), one) for place, one in enumerate(asked)]
