"""Words of the inspection views in English; the catalogue has their Chinese."""

from __future__ import annotations

import html
from typing import Any

from quchong.languages import Language, Message, page_word
from quchong.report.differing import facts_in_words
from quchong.report.visible import Shown, compose, compose_word, shown_name
from quchong.report.words import relation_told, rule_told
from quchong.views.gate_words import GATES

WORDS = {
    "one": "Features that {} takes from {}",
    "two": "How {} compares {} and {}",
    "counted.run": "document frequencies and noise are taken from the run",
    "counted.shown": (
        "the statistics come only from these documents, not from a corpus: frequencies, noise and scores can "
        "differ in a run"
    ),
    "characters": "{}: {:,} characters",
    "name": "{}: ",
    "seen": "{:,}",
    "seen.some": "{:,} of {:,} are used",
    "common": ", {:,} in both",
    "none": "none",
    "no signature": "no signature: too few features",
    "more": "... and {:,} more",
    "legend": "= in both",
    "legend.left": "- left out: {}",
    "between": "; ",
    "list": Message(", ", context="list of features"),
    "left": "left out: {}",
    "both": "in both",
    "string": "string: {}",
    "agree.bits": "{:,} of {:,} bits agree; ^ marks a bit that differs",
    "agree.values": "{:,} of {:,} values agree ({:.3f})",
    "agree.bands": "; {:,} of {:,} bands of {:,} values agree: {}",
    "agree.yes": "equal",
    "agree.no": "different",
    "bits": "{:,} bits",
    "values": "{:,} values, beginning {}",
    "steps": "Steps to the decision",
    "step": "test",
    "value": "measured",
    "needed": "needed",
    "outcome": "passed",
    "passed": "yes",
    "failed": "no",
    "told": "",
    "at_least": "at least {}",
    "at_most": "at most {}",
    "decision": "decision: relation of {} to {}: {} ({})",
    "undecided": "decision: none ({2})",
    "not_found": "decision: a run does not find this pair: {2}. If a run found this pair: {3}",
    "differs": "differs ({} → {}): {}",
    "passages": "passages counted by the rule, or shared by both texts: {:,}",
    "parameters": "Parameters",
    "parameter": "parameter",
    "number": "no.",
    "said": "feature",
    "title.page": "How {} compares documents",
    "language": "Language",
    # What is seen.
    "sight.shingles": "shingles",
    "sight.anchors": "anchors (shingles that winnowing selects)",
    "sight.other keys": "other keys: sets of rare bigrams of short documents",
    "sight.keys": "keys",
    "sight.tokens": "tokens",
    "sight.digest": "digest of the normal form",
    "sight.minhash": "MinHash signature",
    "sight.bits": "signature of bits",
    "sight.super": "super-shingles",
    "sight.labels": "labels of the document in the prefix trees",
    "sight.coordinates": "signature, with one value per lexicon",
    "sight.stops": "features of full stops",
    "sight.spots": "spot signatures (antecedent and chain)",
    "sight.lengths": "sentence lengths (number of terms)",
    "sight.windows": "windows of sentence lengths",
    "sight.chunks": "chunks of sentences",
    "sight.signed": "sentences with a signature",
    "sight.fingerprints": "fingerprints",
    "sight.runs": "runs of tokens as long as the shortest tile",
    "sight.substrings": "substrings",
    "sight.prefix": "prefix: the rarest shingles",
    "sight.address": "address in canonical form",
    "sight.words": "words of the paths",
    "sight.paths": "nodes of the tree of paths",
    "sight.terms": "terms",
    "sight.title": "title",
    "sight.keywords": "keywords",
    "sight.tree": "structure tree, one node per line",
    "sight.blocks": "blocks",
    "sight.sentences.tree-long-sentence": "sentences; only the longest of each node are used",
    "sight.sentences.tree-key-sentence": "sentences; only key sentences are used",
    "sight.sentences.tree-feature-string": (
        "sentences; from sentences with a high-frequency mark, only the first and last characters are used"
    ),
    # Why something seen is left out.
    "why.unselected": "not selected",
    "why.noise": "noise: the site's own text",
    "why.band": "too frequent or too rare, or the document has too few features",
    "why.lexicon": "not in the lexicon, or the document has too few features",
    "why.few": "the document has too few features",
    "why.too long": "too long, or between two sentences that are too long",
    "why.few sentences": "the document has too few sentences",
    "why.stop words": "stop words",
    "why.nothing": "the document has nothing that the method can compare",
    # Figures of features.
    "figure.tokens": Message("tokens", context="count"),
    "figure.terms": Message("terms", context="count"),
    "figure.depth": "depth",
    "figure.node": "node",
    "figure.block": "block",
    "figure.sentences": "sentences",
    # Tests and figures of a pair.
} | GATES


def message_line(language: Language, key: str, *values: Any) -> Shown:
    """Fill a message with values, which are escaped for a terminal."""
    return compose_word(language, WORDS[key], *values)


def called(language: Language, kind: str, key: str) -> Shown:
    """Return the name of a sight, figure, reason or test; the key itself for one of another package's method."""
    if kind == "gate" and key.startswith("layer "):
        return message_line(language, "gate.layer", int(key.removeprefix("layer ")))
    for known in (f"{kind}.{key}", f"{kind}.{key.split('.')[0]}"):
        if known in WORDS:
            return message_line(language, known)
    return shown_name(key)


def relation_said(language: Language, relation: str) -> Shown:
    """Return the word for a relation; English keeps the tables' name."""
    return shown_name(html.unescape(relation_told(language, relation)) if language == "zh" else relation)


RULES = (
    "below the floor",
    "too short to be compared, except for equality",
    "not equal",
    "below the threshold",
    "below the rule",
    "ccs",
    "blocks of sentences",
    "sentence lengths",
    "chunks",
    "runs of sentences",
    "layers of long sentences",
    "layers of key sentences",
    "layers of feature strings",
    "equal address",
    "equal codes",
    "cosine in a cluster",
    "contain",
)
"""Rules of single methods; other rules are in `quchong.report.display_names`."""


def rule_said(language: Language, rule: str) -> Shown:
    """Return the word for a rule; an unknown rule is returned under its own name."""
    if rule in RULES:
        return shown_name(page_word(language, rule))
    return shown_name(html.unescape(rule_told(language, rule)))


def value_said(language: Language, what: str, value: float | str | None) -> Shown:
    """Format a measured value: a count, a share with three digits, or kinds of facts; empty for None."""
    if value is None:
        return Shown("")
    if isinstance(value, str):
        kinds = [kind for kind in value.split(", ") if kind]
        return facts_in_words(kinds, language) if kinds else message_line(language, "none")
    if float(value).is_integer() and (abs(value) > 1 or what in COUNTS):
        return compose("{:,}", int(value))
    return compose("{:.3f}", value)


COUNTS = frozenset(
    ("met.keys", "tokens", "width", "numbers", "names", "unexplained", "distance", "size.left", "size.right", "super",
     "evidence.imatch", "evidence.imatch-s", "evidence.imatch-p", "evidence.imatch-random", "evidence.url")
)  # fmt: skip
"""Tests whose values are counts instead of shares."""
