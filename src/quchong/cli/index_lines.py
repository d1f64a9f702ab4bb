"""Answers of an index in words: one line for each document that is not new, bad records, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from quchong.languages import Language, Message, retold, several
from quchong.relations import BY_NAME, RELATIONS, relation_told
from quchong.report.differing import in_words
from quchong.report.explanation import WHOLE
from quchong.report.visible import NOTHING, Shown, compose, listed_names, shown_name

if TYPE_CHECKING:
    from quchong.engines.index.answers import Answer, Answers, Match
    from quchong.findings import Difference

KNOWN_ID = "the id {!r} is already in the index"
"""Beginning of the reason of records that are left out because the index has their id."""
DIFFERENCES = 2
"""Maximum number of differences in a line; a line says how many more there are."""
SHOWN = 20
"""Maximum number of bad records that are reported one by one; the others are only counted."""


def answer_line(answer: Answer, speaking: Language) -> Shown:
    """Return one line on a document that is not new: relation, the other document, score, differences, and what becomes of it."""
    match = deciding_match(answer)
    parts = [compose("{}", BY_NAME[match.relation].words.sentence.holding(answer.id, match.id)), _score(match)]
    if told := in_words(_differences(match), speaking, DIFFERENCES):
        parts.append(compose("; differs: {}", told))
    if match.by_features:
        parts.append(compose("; compared by features"))
    parts.append(_fate(answer, match))
    if len(answer.matches) > 1:
        parts.append(
            compose(
                "{}",
                several("; {:,} more match in the index", "; {:,} more matches in the index", len(answer.matches) - 1),
            )
        )
    parts.append(_shadow(answer))
    return Shown("".join(parts))


def _differences(match: Match) -> Sequence[Difference]:
    """Return the differences to tell: all, or only facts in conflict if one of both texts has the other in full."""
    inside = BY_NAME[match.relation].inside
    share = match.containment if inside > 0 else match.match_containment
    return [one for one in match.differences if one.conflict] if inside and share >= WHOLE else match.differences


def deciding_match(answer: Answer) -> Match:
    """Return the match for which a document is removed, or its best match if it is kept; the answer must have a match."""
    mine = [match for match in answer.matches if answer.removed and match.id == answer.survivor_id]
    return (mine or answer.matches)[0]


def _score(match: Match) -> Shown:
    """Return the score that a relation is judged by: a Jaccard, or the share that is contained; nothing for equal texts."""
    relation = BY_NAME[match.relation]
    if relation.equal:
        return NOTHING
    if relation.inside:
        share = match.containment if relation.inside > 0 else match.match_containment
        return compose("; containment {:.1f}%", 100 * share)
    return compose("; similarity {:.3f}", match.jaccard)


def _fate(answer: Answer, match: Match) -> Shown:
    if answer.removed and answer.relation is not None:
        if answer.survivor_id == answer.id:
            return compose("; already in the index")
        if answer.survivor_id != match.id:  # a document of the same batch that came later
            survivor = compose("{}", answer.survivor_id)
            return (
                compose("; removed in favour of {}", survivor)
                if answer.added
                else compose("; would be removed in favour of {} if added", survivor)
            )
        return compose("; removed") if answer.added else compose("; would be removed if added")
    if answer.replaces:
        names = listed_names(answer.replaces[:10])
        more = compose(" and {:,} more", len(answer.replaces) - 10) if len(answer.replaces) > 10 else NOTHING
        return compose("; kept, and replaces {}{}", names, more)
    return compose("; kept") if answer.added else compose("; would be kept if added")


def _shadow(answer: Answer) -> Shown:
    """Return the end of a document's line about the second method's decision, `; shadow: ...`; NOTHING if it is the same."""
    if answer.shadow is None or same_outcome(answer, answer.shadow):
        return NOTHING
    return compose("; shadow: {}", outcome(answer.shadow))


def outcome(answer: Answer) -> Message:
    """Return the outcome of an answer in one word: new, kept or removed."""
    if answer.new:
        return Message("new", context="document of an index")
    if answer.removed:
        return Message("removed", context="document of an index")
    return Message("kept", context="document of an index")


def same_outcome(one: Answer, other: Answer) -> bool:
    """Return True if two answers agree on whether a document is new, removed, and for which document."""
    return (one.new, one.removed, one.survivor_id) == (other.new, other.removed, other.survivor_id)


@dataclass
class Tally:
    """Counts of the documents answered so far."""

    read: int = 0
    new: int = 0
    removed: int = 0
    replaced: int = 0
    bad: int = 0
    again: int = 0
    differing: int = 0
    undated: int = 0
    shadowed: bool = False
    relations: Counter[str] = field(default_factory=Counter)

    def count(self, answers: Iterable[Answer]) -> None:
        """Count the answers to one batch.

        Of documents of one batch the answers say what became of them at its end, so that those that a later one replaced are removed.
        """
        known = list(answers)
        self.replaced += len(
            {one for answer in known for one in answer.replaces} - {one.id for one in known if one.removed}
        )
        for answer in known:
            self._count_one(answer)

    def count_undated(self, answers: Answers, *, within: bool) -> None:
        """Count the documents of one batch without a time that the index goes by, and report the first of them on standard error."""
        from quchong.cli.printing import say

        if answers.undated and not self.undated:
            value = compose(", such as {}", shown_name(answers.unread_time, 60)) if answers.unread_time else NOTHING
            told = (
                compose(
                    "quchong: some documents have no time that can be read{}: because of --within, they are "
                    "not compared",
                    value,
                )
                if within
                else compose(
                    "quchong: the times of some documents cannot be read{}: --keep ranks them like documents "
                    "without a time",
                    value,
                )
            )
            say("{}", told, err=True)
        self.undated += answers.undated

    def _count_one(self, answer: Answer) -> None:
        """Count one answer, under the relation to the document that decides on it."""
        self.read += 1
        self.removed += answer.removed
        if answer.shadow is not None:
            self.shadowed = True
            self.differing += not same_outcome(answer, answer.shadow)
        if answer.new:
            self.new += 1
        else:
            self.relations[deciding_match(answer).relation] += 1

    @property
    def answered(self) -> int:
        """Number of documents that were answered."""
        return self.read - self.bad - self.again

    def refuse(self, name: str, location: Message, reason: str) -> None:
        """Count a record that cannot be used, and report the first `SHOWN` on standard error.

        Records whose id the index has already are counted apart, and not reported: a stream that is sent again has many.
        """
        from quchong.cli.printing import say

        self.read += 1
        if isinstance(reason, Message) and reason.template.startswith(KNOWN_ID):
            self.again += 1
            return
        if self.bad < SHOWN:
            say("quchong: {}, {}: {}", name, location, Shown(shown_name(retold(reason), 1000)), err=True)
        elif self.bad == SHOWN:
            say("quchong: further bad records are counted but not listed", err=True)
        self.bad += 1


def print_tally(tally: Tally, *, added: bool, documents: int, err: bool) -> None:
    """Print the counts of a command, and how many documents the index has now."""
    from quchong.cli.printing import pad, say
    from quchong.cli.wrapping import width

    rows: list[tuple[Shown, str]] = [
        (compose("added" if added else "queried"), f"{tally.answered:,}"),
        (compose("  new"), f"{tally.new:,}"),
    ]
    for name in RELATIONS:
        if tally.relations[name]:
            rows.append((compose("  {}", relation_told(name)), f"{tally.relations[name]:,}"))
    rows.append((compose("removed as copies"), f"{tally.removed:,}"))
    if tally.replaced:
        rows.append((compose("earlier documents replaced by better copies"), f"{tally.replaced:,}"))
    if tally.again:
        rows.append((compose("skipped because the id is already in the index"), f"{tally.again:,}"))
    if tally.bad:
        rows.append((compose("could not be read"), f"{tally.bad:,}"))
    if tally.undated:
        rows.append((compose("without a time that can be read"), f"{tally.undated:,}"))
    if tally.shadowed:
        rows.append((compose("shadow decides differently"), f"{tally.differing:,}"))
    rows.append((compose("documents in the index"), f"{documents:,}"))
    widest = max(width(label) for label, _ in rows)
    for label, value in rows:
        say("{}  {}", pad(label, widest), value, err=err)
