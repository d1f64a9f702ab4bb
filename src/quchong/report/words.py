"""Words of the notebook views; English keeps the tables' names of relations, kinds and rules, and the catalogue has the Chinese."""

from __future__ import annotations

from typing import Any

from quchong.languages import Language, Message, page_word
from quchong.relations import BY_NAME
from quchong.report.display_names import RULES
from quchong.report.markup import Html, markup
from quchong.report.visible import BETWEEN

WORDS = {
    "ids": BETWEEN,
    "between": Message("; ", context="differences"),
    "lead": "{:,} documents read, {:,} kept, {:,} removed",
    "read": "read",
    "reference": "compared against",
    "kept": "kept",
    "removed": "removed",
    "variants": "pairs of variants kept",
    "counted": "{}, {}",
    "skipped": "skipped (bad records)",
    "without_text": "without text",
    "unscored": "too short to compare",
    "unseen": "without features to compare",
    "small_shares": "removed with a small share in common",
    "clusters": "biggest clusters",
    "documents": "{:,} documents",
    "series": "a series of {:,} documents on one template",
    "alarm": "Alarm",
    "note": "Note",
    "scores": "Jaccard of the listed pairs",
    "pairs": "pairs",
    "bar": "{0} to {1}: {2} {3:,}",
    "copies": "{:,} pairs of exact copies are not in the plot",
    "no pairs": "There is no pair to draw.",
    "the threshold": "threshold of duplicates",
    "thresholds": "thresholds of duplicates",
    "went": "{} was removed: ",
    "stays": "{} was kept",
    "pair": "{} and {}: ",
    "unlisted": "not listed as a pair, because the two documents share less than the lower limit of the run",
    "of a roundup": ", a roundup of {} articles",
    "roundup": "This is a roundup of {} articles.",
    "overruled": "The policy prefers this document, but a contained document is always removed.",
    "in roundup": "This document was removed because a roundup or a forward contains it (--roundups whole).",
    "in originals": "This is a roundup of {} articles, which contain {:.0f}% of its text.",
    "why.protected": "the document is protected, so it is never removed",
    "why.reference": "the document belongs to the reference corpus (--against), which is never changed",
    "why.first": "a later document contains it, but the run keeps the earlier document",
    "why.original": "a roundup or a forward contains it, but neither causes the removal of an original",
    "why.roundup": "the document is a roundup: it contains several different documents",
    "why.top": "the run keeps several documents of a cluster, and this document is one of the best",
    "why.restored": "the run removed the document, and a restore put it back later",
    "why.overturned": "a person overturned the removal of this document",
    "why.empty": "the document has no text, so it was not compared",
    "why.unscored": "the document is too short to be compared, so it can be removed only as an exact copy",
    "why.unseen": "the document has nothing that the method can compare, so it can be removed only as an exact copy",
    "unjudged": "The text is in {}. quchong does not judge facts in this language.",
    "small share": (
        "The two documents have less than a quarter of their text in common, because the method compares only a "
        "small part of a text."
    ),
    "why": ": {}",
    "members": "{:,} removed as copies of this one: {}",
    "more": "and {:,} more",
    "unread": "{} was skipped: it could not be read",
    "line": "{}, line {} (record {:,}): {}",
    "record": "{} (record {:,}): {}",
    "unconfirmed": "{} was removed without a survivor: {}",
    "unconfirmed.why": (
        "The filter of exact repeats reported this text as seen, but no equal text came before. Such a filter "
        "makes this mistake at a stated rate. quchong restore puts the document back."
    ),
    "jaccard": "Jaccard {:.3f}",
    "inside": "{:.1f}% of {} is in {}",
    "rule": "rule: {}",
    "threshold": "rule: {} (threshold {:.6g})",
    "ratio": "smaller number of features divided by the larger (CLR): {:.3g}",
    "evidence": "rule: {} ({:.6g}, threshold {:.6g})",
    "newer": "This document is newer than the other.",
    "older": "This document is not newer than the other.",
    "facts": "facts in conflict: {}",
    "removed → kept": "Differences (removed → kept)",
    "left → right": "Differences (left → right)",
    "difference": "{}: {} → {}",
    "conflict": "conflict",
    "nothing": "nothing",
    "passages": "shared passages: {:,}",
    "shared": "shared",
    "near": "shared, reworked",
    "unreadable": "The texts cannot be read: they were moved or changed, or are not stored in the run folder.",
    "before": "({:,} characters before) … ",
    "after": " … ({:,} characters more)",
    "empty": "(empty)",
    "other": "Other listed pairs of this document",
    "listed": "Listed pairs of this document",
    "differs": "differs in: {}",
    "from": "from {} ({})",
    "no text": "text cannot be read",
    "table.ledger": Message("removals", context="name of a table"),
    "table.pairs": Message("listed pairs", context="name of a table"),
    "table.clusters": Message("clusters", context="name of a table"),
    "table.chains": Message("chains", context="name of a table"),
    "table.all": "{}: {:,}",
    "table.first": "{}: {:,} rows, of which the first {:,} are shown; .to_pandas() has all",
    "column.relation": "relation",
    "column.jaccard": "Jaccard",
    "column.rule": "rule",
    "column.document": "document",
    "column.inside": "share of this document that is in the other",
    "column.differs": "differs (this → the other)",
}
"""Words of notebook views by key; `{}` is a place for a value."""


def format_message(language: Language, key: str, *values: Any) -> Html:
    """Format a catalogue message for HTML; values are escaped.

    >>> format_message("zh", "stays", "a<b")
    'a&lt;b 已保留'
    """
    return markup(page_word(language, WORDS[key]), *values)


def message_told(language: Language, message: Message, *values: Any) -> Html:
    """Format a message that was made without values for HTML, in a language; values are escaped."""
    return markup(page_word(language, message), *values)


def relation_told(language: Language, relation: str) -> Html:
    """Return the word for a relation; an unknown relation is returned escaped, otherwise unchanged."""
    known = BY_NAME.get(relation)
    return message_told(language, known.words.listed) if known else markup("{}", relation)


def rule_told(language: Language, rule: str | None) -> Html:
    """Return the word for a rule; English keeps the tables' name, and a method's own rule is returned unchanged."""
    if not rule:
        return Html("")
    return markup("{}", page_word(language, rule) if rule in RULES else rule)
