"""Number of nouns in English messages: "1 documents have" is said as "1 document has"."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from numbers import Integral
from typing import Any

from quchong.patterns import lazy_pattern

_REGULAR = (
    "act alarm antecedent article attempt band bit buffer byte candidate cell chain character cluster column "
    "connection decision difference digest digit document feature field file group id input issue item key label "
    "letter line link member message name other page pair paragraph part passage place position record removal "
    "reprint round roundup row sample second segment sentence shard slot source stage tag template test text thing "
    "time token unit value variant window word"
)
NOUNS = {one + "s": one for one in _REGULAR.split()} | {
    "copies": "copy", "mismatches": "mismatch", "classes": "class", "queries": "query", "indexes": "index", "entries": "entry",
}  # fmt: skip
"""Singular by plural of the nouns that messages count."""
_VERBS = {
    "have": "has", "are": "is", "were": "was", "do": "does", "differ": "differs", "occur": "occurs", "repeat": "repeats",
    "follow": "follows", "contradict": "contradicts", "share": "shares", "resemble": "resembles", "belong": "belongs", "label": "labels",
}  # fmt: skip
_BETWEEN = r"(?:bad |further |exact |kept |more |other |new |repeated |test |labelled |largest )?"
_BEHIND = r"(?: of the truth| of the run| that the run calls copies| of exact copies| also)?"
"""Words between a noun and its verb."""
_COUNTED = lazy_pattern(rf" ({_BETWEEN})({'|'.join(NOUNS)})\b(?:({_BEHIND} (?:that )?)({'|'.join(_VERBS)})\b)?")
_VERB = lazy_pattern(rf" ({'|'.join(_VERBS)})\b")
_OWNER = lazy_pattern(r" (?:of|in) ")


def is_one(value: Any) -> bool:
    """Return True for the whole number 1."""
    return isinstance(value, Integral) and not isinstance(value, bool) and value == 1


def in_singular(template: str, values: Sequence[Any]) -> str:
    """Return a template with the nouns in the singular, and their verbs, whose number is 1; other words stay.

    A verb behind "{} of {} documents" has the number of the first value. Templates in other languages have no such nouns.

    >>> in_singular("{:,} documents have no text", [1])
    '{:,} document has no text'
    >>> in_singular("{} of {} documents have no text", [1, 30])
    '{} of {} documents has no text'
    """
    if not any(map(is_one, values)):
        return template
    out, noun, verb, owner, number, changed = "", False, False, False, 0, False
    for words, name, form, conversion in string.Formatter().parse(template):
        said = _COUNTED.match(words) if noun or verb else None
        later = _VERB.match(words) if owner and said is None else None  # "1 lines of {} are torn"
        if said is not None:
            words, changed = _one(said, noun, verb) + words[said.end() :], True
        elif later is not None:
            words, changed = f" {_VERBS[later[1]]}{words[later.end() :]}", True
        owner = (
            said is not None and verb and not said[4] and bool(_OWNER.fullmatch(words[len(_one(said, noun, verb)) :]))
        )
        out += words.replace("{", "{{").replace("}", "}}")
        if name is None:
            continue
        value = _value(name, number, values)
        number += not name
        verb = verb if words == " of " else is_one(value)
        noun = is_one(value)
        out += "{" + name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "") + "}"
    return out if changed else template


def variants(words: str) -> tuple[str, ...]:
    """Return all forms that `in_singular` may give to the words after a value, the unchanged form first.

    >>> variants(" lines are torn")
    (' lines are torn', ' line is torn', ' line are torn', ' lines is torn')
    """
    found = [words]
    if said := _COUNTED.match(words):
        found += [_one(said, *which) + words[said.end() :] for which in ((True, True), (True, False), (False, True))]
    elif later := _VERB.match(words):
        found.append(f" {_VERBS[later[1]]}{words[later.end() :]}")
    return tuple(dict.fromkeys(found))


def _value(name: str, number: int, values: Sequence[Any]) -> Any:
    """Return the value of a field by its name in the template: empty for the next one, or its number; None for another name."""
    place = number if not name else int(name) if name.isdigit() else -1
    return values[place] if 0 <= place < len(values) else None


def _one(said: re.Match[str], noun: bool, verb: bool) -> str:
    counted = NOUNS[said[2]] if noun else said[2]
    does = (_VERBS[said[4]] if verb else said[4]) if said[4] else ""
    return f" {said[1]}{counted}{said[3] or ''}{does}"
