"""Names that tables hold, as they are shown: relations and rules."""

from __future__ import annotations

from quchong.languages import Message
from quchong.languages.message import RELATION, RULE

RULES = (
    "equal normal form", "containment", "both containments", "jaccard", "aligned", "short, only added", "below the thresholds",
    "other words", "short, other words", "facts differ", "numbers differ", "name swapped", "beyond the distance",
    "bloom filter, unconfirmed", "digit trie, unconfirmed", "hamming", "below the rule",
)  # fmt: skip
"""Rules that most methods have; a method of its own may name others, which are shown as they are."""


def relation_told(name: str) -> Message:
    """A relation; in English by its name in the tables, in Chinese with that name, which options ask for."""
    return Message(name, context=RELATION)


def rule_told(name: str | None) -> Message:
    """The rule that named a relation, likewise."""
    return Message(name or "", context=RULE)
