"""Relations of two documents: a table with one row for each, from which every list, mask, word and colour of relations is made.

A new relation is a row of `TABLE`, the rule that gives it (`quchong.similarity.relations`, or a method's own), its paragraph in
docs/relations.md, and a test; tools/catalogues then asks for the Chinese of its words.
"""

from __future__ import annotations

from dataclasses import dataclass

from quchong.languages.message import RELATION, Message

LISTED, CLAUSE, BOTH, CHAIN = "relation listed", "relation clause", "relation both", "relation chain"
"""Contexts of words that are too short to be translated without one (`Words`)."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words for a relation in English, one message for each use; the catalogue has their Chinese.

    Attributes:
        listed: its name in tables, legends and filters of pages and notebooks.
        sentence: sentence about two documents, in a terminal.
        removal: sentence about a removed document, its survivor and a roundup, in a terminal.
        clause: end of a sentence about a removed document; its value is the survivor.
        both: phrase about two documents side by side.
        chain: how a copy in a chain was made from its source.
    """

    listed: Message
    sentence: Message
    removal: Message
    clause: Message
    both: Message
    chain: Message


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours of a relation: on a light page, on a dark page, and in notebooks, where one colour must do for both."""

    light: str
    dark: str
    notebook: str


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation of a left document to a right one. Its index in `TABLE` is its code.

    Attributes:
        name: the word that tables, run.json and the command line store; it never changes.
        mirror: name of the relation seen from the right document.
        either: name by which users ask for it and by which it is counted, whichever document is left.
        copy: True if one of the two documents is no loss.
        removable: True if users may ask to remove documents by it.
        rank: rank as the reason of a removal, 0 is the best; equal for both names of `either`.
        binding: True if two such documents belong to one chain of copies.
        label: label of truth files that it satisfies, of `quchong.evaluation.labels.LABELS`.
        equal: True if both texts are equal in normal form: nothing differs, and no threshold decides.
        inside: 1 if the left document is contained in the right one, -1 if it contains the right one, else 0.
        conflicting: True if the texts state facts that contradict, so that which is newer counts.
        partial: True if the documents share passages only.
        examined: False if the differences of the pair decide nothing in its run, so that they were not examined
            (`quchong.decision.examination`).
    """

    name: str
    words: Words
    colours: Colours
    label: str
    rank: int
    mirror: str
    either: str
    copy: bool = False
    removable: bool = True
    binding: bool = True
    equal: bool = False
    inside: int = 0
    conflicting: bool = False
    partial: bool = False
    examined: bool = True

    @property
    def leads(self) -> bool:
        """True if the relation has its own line in counts; False if it is counted under another relation."""
        return self.either == self.name


EXACT, DUPLICATE, CONTAINS, CONTAINED_IN = "exact", "duplicate", "contains", "contained_in"
VARIANT, PARTIAL, UNEXAMINED = "variant", "partial", "unexamined"

TABLE: tuple[Relation, ...] = (
    Relation(
        EXACT, mirror=EXACT, either=EXACT, rank=0, copy=True, equal=True, label="same",
        words=Words(
            Message("exact", context=LISTED),
            Message("{} is an exact copy of {}"),
            Message("{} was removed: it is an exact copy of {}{}"),
            Message("it is an exact copy of {}", context=CLAUSE),
            Message("exact copies", context=BOTH),
            Message("a copy", context=CHAIN),
        ),
        colours=Colours("#5b6b86", "#8e9db8", "#7a8699"),
    ),
    Relation(
        DUPLICATE, mirror=DUPLICATE, either=DUPLICATE, rank=1, copy=True, label="same",
        words=Words(
            Message("duplicate", context=LISTED),
            Message("{} is a near-duplicate of {}"),
            Message("{} was removed: it is a near-duplicate of {}{}"),
            Message("it is a near-duplicate of {}", context=CLAUSE),
            Message("near-duplicates", context=BOTH),
            Message("a near-copy", context=CHAIN),
        ),
        colours=Colours("#2f6fd6", "#6ea3f7", "#3f7fe0"),
    ),
    Relation(
        CONTAINS, mirror=CONTAINED_IN, either=CONTAINED_IN, rank=2, copy=True, inside=-1, label="contained",
        words=Words(
            Message("contains", context=LISTED),
            Message("{} is longer than {} and contains it"),
            Message("{} was removed: it is a longer text that contains {}{}"),
            Message("it contains {}", context=CLAUSE),
            Message("the first contains the second", context=BOTH),
            Message("extended", context=CHAIN),
        ),
        colours=Colours("#12907f", "#3cc0ac", "#16a08d"),
    ),
    Relation(
        CONTAINED_IN, mirror=CONTAINS, either=CONTAINED_IN, rank=2, copy=True, inside=1, label="contained",
        words=Words(
            Message("contained in", context=LISTED),
            Message("{} is contained in {}"),
            Message("{} was removed: it is contained in {}{}"),
            Message("it is contained in {}", context=CLAUSE),
            Message("the first is contained in the second", context=BOTH),
            Message("an excerpt", context=CHAIN),
        ),
        colours=Colours("#12907f", "#3cc0ac", "#16a08d"),
    ),
    Relation(
        VARIANT, mirror=VARIANT, either=VARIANT, rank=3, conflicting=True, label="different",
        words=Words(
            Message("variant", context=LISTED),
            Message("{} is a variant of {}"),
            Message("{} was removed: it is a variant of {}{}"),
            Message("it is a variant of {}", context=CLAUSE),
            Message("variants", context=BOTH),
            Message("with other facts", context=CHAIN),
        ),
        colours=Colours("#c9701a", "#eda45c", "#d9822b"),
    ),
    Relation(
        PARTIAL, mirror=PARTIAL, either=PARTIAL, rank=4, binding=False, partial=True, label="different",
        words=Words(
            Message("partial", context=LISTED),
            Message("{} is partly the same as {}"),
            Message("{} was removed: it is partly the same as {}{}"),
            Message("it is partly the same as {}", context=CLAUSE),
            Message("partly the same", context=BOTH),
            Message("in part", context=CHAIN),
        ),
        colours=Colours("#a9b4c4", "#66738a", "#b3bccb"),
    ),
    Relation(
        UNEXAMINED, mirror=UNEXAMINED, either=UNEXAMINED, rank=5, removable=False, binding=False, examined=False, label="unsure",
        words=Words(
            Message("unexamined", context=LISTED),
            Message("{} and {} share much, but their differences were not examined"),
            Message("{} was removed: it shares much with {}{}"),
            Message("it shares much with {}", context=CLAUSE),
            Message("much in common, differences not examined", context=BOTH),
            Message("not examined", context=CHAIN),
        ),
        colours=Colours("#8a6fb0", "#b49ad6", "#9c82c2"),
    ),
)  # fmt: skip
"""All relations, by code."""

BY_NAME = {relation.name: relation for relation in TABLE}
RELATIONS = tuple(BY_NAME)
"""Names of the relations, by code."""
ACCEPTED = tuple(one.name for one in TABLE if one.copy)
"""Relations of which one of two documents is no loss."""
MIRROR = {one.name: one.mirror for one in TABLE}
"""Name of each relation seen from the other document."""
LEADING = tuple(sorted((one.name for one in TABLE if one.leads), key=lambda name: BY_NAME[name].rank))
"""Names by which relations are counted, the best reason of a removal first; both containments are one."""
REMOVABLE = tuple(name for name in LEADING if BY_NAME[name].removable)
"""Relations that users may ask to remove, the best reason first; contained_in means containment in either direction."""
DEFAULT_REMOVED = tuple(name for name in REMOVABLE if BY_NAME[name].copy)
"""Relations by which documents are removed unless users name others."""
SEARCHED = tuple(name for name in DEFAULT_REMOVED if not BY_NAME[name].equal)
"""Copies that a search for candidates may miss; the recall of a run is measured for each."""
CONFLICTING = tuple(one.name for one in TABLE if one.conflicting)
"""Relations of texts whose facts contradict."""
EQUAL = tuple(one.name for one in TABLE if one.equal)
"""Relations of texts that are equal in normal form."""


def relation_told(name: str) -> Message:
    """Return the display name of a relation: in English its name, in Chinese a word followed by that name."""
    return Message(name, context=RELATION)


def relations_for_pages() -> dict[str, list[str]]:
    """Return the relations as data for page scripts: all names by code, and the names of each group."""
    return {"relations": list(RELATIONS), "equal": list(EQUAL), "conflicting": list(CONFLICTING)}
