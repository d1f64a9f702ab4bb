"""Advice about an id that no document has: the id that was meant, or a few of those that there are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import NamedTuple

from quchong.errors import Call, parts_of_list
from quchong.languages import NAMES, Message, join_messages
from quchong.patterns import lazy_pattern

_ROW = lazy_pattern(
    r"(?:第|行|序号|[#＃]|(?:row|line|no\.?|number|doc(?:ument)?|record)[ _:#-]?)?\s*(\d{1,9})\s*(?:行|条|篇|号|个)?",
    re.IGNORECASE,
)
"""A number of a row, as people write it."""
_EVERY = ("all", "*", "everything", "全部", "所有")
"""Words that people try for all documents."""
LOOKED_AT = 200_000
"""Number of ids that are compared with the one given."""
_SHOWN = 3
"""Number of ids that a message shows."""
_LONGEST = 60
"""Characters up to which an id is shown."""


class IdWords(NamedTuple):
    """Messages about the existing ids: that there is none, all of them, and some of them."""

    none: Message
    all: Message
    some: Message


DOCUMENTS = IdWords(Message("there is no document"), Message("the ids are {}"), Message("the ids are, for example, {}"))
"""Words about the ids of all documents."""
REMOVED = IdWords(
    Message("no document was removed"),
    Message("the removed documents are {}"),
    Message("removed documents are, for example, {}"),
)
"""Words about the ids of removed documents."""


def id_advice(asked: object, ids: Iterable[object], *, rows: bool = True, words: IdWords = DOCUMENTS) -> Message:
    """Return a hint for an id that no document has: `did you mean ...?`, or a few existing ids.

    An id is meant if it differs in case, width or leading zeros, or if it is the only one with the same number.

    Args:
        asked: the id as it was given; ids: those of the documents.
        rows: True if they are all documents in their order, so that the number of a row leads to one.
        words: what is said of the ids.

    >>> print(id_advice("N009", ["n001", "n009"]), id_advice("9", ["n001", "n009"]), id_advice("x", ["n001", "n009"]), sep=" | ")
    did you mean n009? | did you mean n009? | the ids are 'n001', 'n009'
    >>> print(id_advice("第2行", ["a", "b"]))
    a document is named by its id, not by its row; the id in row 2 is 'b'
    >>> print(id_advice("x", ["a", "b", "c", "d"]), id_advice("x", []), sep=" | ")
    the ids are, for example, 'a', 'b', 'c' | there is no document
    """
    names = [str(one) for one in islice(ids, LOOKED_AT)]
    if not names:
        return words.none
    if (near := _id_meant(str(asked), names)) is not None:
        return Message("did you mean {}?", near)
    if (several := _several(asked, names) or (_row_advice(asked, names) if rows else None)) is not None:
        return several
    if rows and str(asked).strip().lower() in _EVERY:
        return Message(
            "name the documents one by one; to show all removals, use {}",
            Call("result.report('run.html')", "quchong report run/"),
        )
    short = [one for one in names if len(one) <= _LONGEST][:_SHOWN] or [f"{names[0][:_LONGEST]}..."]
    listed = join_messages([Message("{!r}", one) for one in short], NAMES)
    return (words.all if len(short) == len(names) else words.some).holding(listed)


def _several(asked: object, names: list[str]) -> Message | None:
    """Return how several ids are given that were joined into one text; None for other texts."""
    parts = parts_of_list(asked) or str(asked).split()
    if len(parts) < 2 or not set(parts) <= set(names):
        return None
    return Message("these are several ids; write them separately: {}", Call(repr(parts), " ".join(parts)))


def _row_advice(asked: object, names: list[str]) -> Message | None:
    """Return the id of a document that was named by the number of its row; None for other values, and for rows that there are not."""
    found = _ROW.fullmatch(str(asked).strip())
    if found is None or (row := int(found[1])) > len(names):
        return None
    if not row:
        return Message("a document is named by its id, not by its row; the first id is {!r}", names[0])
    return Message("a document is named by its id, not by its row; the id in row {} is {!r}", row, names[row - 1])


def names_row(asked: object) -> bool:
    """Return True if a value is the number of a row, as people write it."""
    return _ROW.fullmatch(str(asked).strip()) is not None


def _id_meant(asked: str, names: list[str]) -> str | None:
    """Return the one id with the same spelling (case, width, signs ignored) or the same number; None if none or several."""
    for key in (_folded, _number):
        wanted = key(asked)
        same = [one for one in names if key(one) == wanted] if wanted else []
        if len(same) == 1:
            return same[0]
    return _misspelt(asked, names) if len(asked) >= _LONG else None


_LONG, _ALIKE, _CANDIDATES = 8, 0.85, 1000
"""Characters from which on an id may be misspelt, such as an address; the share that has to be equal; ids compared so."""


def _misspelt(asked: str, names: list[str]) -> str | None:
    """Return the long id that is most like another one, among those with the same beginning or end; None without one."""
    half = len(asked) // 2
    alike = [one for one in names if one[:half] == asked[:half] or one[-half:] == asked[-half:]]
    return next(iter(get_close_matches(asked, alike[:_CANDIDATES], n=1, cutoff=_ALIKE)), None)


def _folded(text: str) -> str:
    """Return a text for comparison: half-width, lower case, without quotes, blanks and signs."""
    return re.sub(r"[\s\"'_\-\u201c\u201d\u2018\u2019]", "", unicodedata.normalize("NFKC", text)).casefold()


def _number(text: str) -> str:
    """Return the digits at the end of an id of letters and digits, without leading zeros; "" for other ids."""
    found = re.fullmatch(r"[^\W\d]*0*(\d+)", _folded(text))
    return found[1] if found else ""
