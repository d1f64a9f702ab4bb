"""Acts of a person: each is a line of a decisions file.

    {"act": "label", "left_id": "a", "right_id": "b", "label": "same", "how": "asked", "at": "2026-03-01T08:00:00+00:00"}
    {"act": "overturn", "id": "a", "survivor_id": "b", "at": "2026-03-01T08:00:05+00:00"}

A label names what a pair is, and changes no run. A verdict is about a removal: `accept` or `overturn`; `clear` takes it
back, as a label of null takes a label back.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from quchong.languages import NAMES, Message, join_messages

LABELS = ("same", "contained", "different", "unsure")
"""Labels of a pair: one text; one contained in the other; both should be kept; undecided."""
COPIES = LABELS[:2]
"""Labels that say that one of the two documents can be removed."""
ASKED, CHOSEN = "asked", "chosen"
"""How a pair was chosen for labelling: drawn by the desk, or picked by the person."""
ACCEPT, OVERTURN, CLEAR = "accept", "overturn", "clear"
VERDICTS = (ACCEPT, OVERTURN, CLEAR)

Id = str | int


@dataclass(frozen=True, slots=True)
class Label:
    """Label that a person gave to a pair.

    Attributes:
        left_id, right_id: ids of the documents, as the run has them; their order has no meaning.
        label: one of LABELS; None takes an earlier one back.
        how: ASKED or CHOSEN.
        at: time in ISO 8601; "" if unknown.
    """

    left_id: Id
    right_id: Id
    label: str | None
    how: str = CHOSEN
    at: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """Key of the pair, in either order: 5 and "5" are one document."""
        return pair_key(self.left_id, self.right_id)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Verdict of a person on a removal.

    Attributes:
        act: ACCEPT, OVERTURN or CLEAR.
        id, survivor_id: the removed document and its survivor; None if a filter removed it without a survivor.
        at: time in ISO 8601; "" if unknown.
    """

    act: str
    id: Id
    survivor_id: Id | None
    at: str = ""


Act = Label | Verdict


def pair_key(one: Id, other: Id) -> tuple[str, str]:
    """Return the key of a pair, equal for both orders of its documents."""
    a, b = str(one), str(other)
    return (a, b) if a <= b else (b, a)


def line_of(act: Act) -> bytes:
    r"""Encode an act as a line of a decisions file, with its line feed.

    >>> line_of(Verdict("accept", 7, 3))
    b'{"act": "accept", "id": 7, "survivor_id": 3, "at": ""}\n'
    """
    said = {"act": "label"} | asdict(act) if isinstance(act, Label) else asdict(act)
    return plain_json(said).encode() + b"\n"


def plain_json(said: dict[str, Any]) -> str:
    """Return JSON on one line, encodable as UTF-8."""
    text = json.dumps(said, ensure_ascii=False)
    return json.dumps(said) if any("\ud800" <= sign <= "\udfff" for sign in text) else text


def act_of(line: bytes) -> Act:
    """Parse a line of a decisions file.

    Raises:
        ValueError: the line is no act; the message has the reason.
    """
    try:
        said = json.loads(line)
    except RecursionError as error:
        raise ValueError(Message("nested too deeply")) from error
    if not isinstance(said, dict) or "act" not in said:
        raise ValueError(Message("this is not a decision of a review"))
    act, at = said["act"], said.get("at", "")
    if not isinstance(at, str):
        raise ValueError(Message("the time of the decision is not text"))
    if act == "label":
        label, how = said.get("label"), said.get("how", CHOSEN)
        if label is not None and label not in LABELS:
            raise ValueError(Message("label {!r} is not one of {}", label, join_messages(LABELS, NAMES)))
        if how not in (ASKED, CHOSEN):
            raise ValueError(Message("'how' must be {} or {}, not {!r}", ASKED, CHOSEN, how))
        left, right = _id(said, "left_id"), _id(said, "right_id")
        if str(left) == str(right):
            raise ValueError(Message("both documents of the label are {!r}", left))
        return Label(left, right, label, how, at)
    if act not in VERDICTS:
        raise ValueError(Message("act {!r} is not one of {}", act, join_messages(("label", *VERDICTS), NAMES)))
    survivor = None if said.get("survivor_id") is None else _id(said, "survivor_id")
    return Verdict(act, _id(said, "id"), survivor, at)


def _id(said: dict[str, Any], name: str) -> Id:
    value = said.get(name)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise ValueError(Message("{} is neither a text nor a whole number", name))
    return value
