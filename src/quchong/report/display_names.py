"""Displayed names of the rules of the tables."""

from __future__ import annotations

from quchong.languages import Message
from quchong.languages.message import RULE

RULES = (
    "equal normal form", "containment", "both containments", "jaccard", "aligned", "short, only added", "below the thresholds",
    "other words", "short, other words", "facts differ", "numbers differ", "name swapped", "fields differ", "same payload", "same fields",
    "beyond the distance",
    "bloom filter, unconfirmed", "digit trie, unconfirmed", "hamming", "below the rule",
    "differences not examined", "shared header", "small share", "roundup",
    "no key in common", "too few keys in common", "no candidate pair",
)  # fmt: skip
"""Rules that most methods have; a method may add its own names, which are shown unchanged."""


def rule_told(name: str | None) -> Message:
    """Return the message for a rule of the tables; an empty message for None."""
    return Message(name or "", context=RULE)
