"""Explanation of why a document was removed or kept, as text with the shared passages marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from quchong.findings import Difference, Passage
from quchong.languages import Language, Message, language, renaming, retold, several, speaking
from quchong.parameters.explained_arguments import explains_arguments
from quchong.parameters.other_attributes import SuggestsNames
from quchong.parameters.other_names import in_python
from quchong.relations import ACCEPTED, BY_NAME, relation_told
from quchong.report.differing import facts_in_words, in_words
from quchong.report.display_names import rule_told
from quchong.report.pairview import explained
from quchong.report.terminal_marks import Mark, bracketed, marked, worth_drawing
from quchong.report.visible import NOTHING, Shown, compose, listed_names, shown_name

UNREADABLE = Message("  (the texts cannot be read: they were moved or changed, or are not stored in the folder)")
NOT_KEPT = Message("  (this index stores no texts)")


@explains_arguments
@dataclass(frozen=True, slots=True)
class Explanation(SuggestsNames):
    """Result of `explain`: why one document was removed or kept, and its listed pairs.

    Attributes:
        id: the document; `removed` is True if it was removed.
        survivor_id, relation, jaccard, containment, survivor_containment, rule: values of its removal; None if it was kept. A
            filter of exact repeats may have removed it by mistake: then relation and rule are set, and survivor_id is None.
        passages: passages shared with its survivor.
        text, survivor_text: the original texts; None if they cannot be read any more.
        near: other listed pairs of the document, best first: other_id, relation (of this document to the other),
            jaccard, containment (of this one in the other), rule; rest (the same without shared headers) where known.
            Variants, and records on one template, also have facts, differences and newer (True if this document is the newer
            one, None if times do not decide).
        members: documents that were removed as copies of this one.
        evidence: measure of a paper's own rule, such as the number of bits that differ; None for other rules.
        size_ratio: for rule `ccdet`, the smaller number of features divided by the larger one (CLR), which distinguishes
            duplicate from contained; None for other rules.
        threshold: the threshold that decided its removal; None if it was kept.
        reason: why it was kept although it may be a copy: "protected", "reference" (it belongs to the corpus compared
            against), "unscored" (too short to be compared),
            "unseen" (no features to compare), "empty" (no text), "first" (published before the document that
            contains it), "original" (a roundup contains it), "roundup" (it contains several originals),
            "top" (one of the N best of its cluster), "restored" (removed by the run, and put back since) or "overturned" (a
            person overturned its removal); "overruled" if it was removed although the policy prefers it to the document that
            contains it; None otherwise.
        roundup, survivor_roundup: number of articles that it, or its survivor, contains; 0 unless that is a roundup, which
            contains two articles or more.
        skipped: records with this id that could not be read: source, row (from 0), line (None if there are no lines), reason.
        facts: kinds of facts in which it and its survivor conflict.
        differences: differences from its survivor, `left` of this document; empty for an exact copy.
        unjudged: name of the language of its text, if facts are not judged in it and nothing else than they could have kept it; else "".
        supersedes: True if it was removed as a variant and is newer than its survivor, False if it is not newer; None if
            times do not decide, and for other relations.
        unreadable: why texts that are None are not shown.
    """

    _OTHER_NAMES = MappingProxyType(
        {
            "survivor_id": "survivor kept kept_id kept_by copy_of duplicate_of original original_id master",
            "survivor_text": "kept_text original_text other_text",
            "relation": "label kind type",
            "jaccard": "score similarity sim ratio",
            "differences": "diff diffs changes",
            "passages": "shared common matches",
            "near": "neighbours neighbors similar candidates pairs",
            "members": "copies duplicates removed_copies cluster",
            "rule": "why because method",
            "as_dict": "to_dict dict json to_json",
        }
    )
    _CALLS = MappingProxyType(
        dict.fromkeys(
            ("html", "to_html", "show", "display", "view", "open", "plot", "report"),
            "print(explanation), result.report('run.html')",
        )
        | dict.fromkeys(("to_pandas", "df", "table"), "explanation.as_dict()")
    )
    unreadable: ClassVar[Message] = UNREADABLE
    id: str | int
    removed: bool
    survivor_id: str | int | None = None
    relation: str | None = None
    jaccard: float | None = None
    containment: float | None = None
    survivor_containment: float | None = None
    rule: str | None = None
    passages: tuple[Passage, ...] = ()
    text: str | None = None
    survivor_text: str | None = None
    near: tuple[dict[str, Any], ...] = ()
    members: tuple[str | int, ...] = field(default=())
    evidence: float | None = None
    threshold: float | None = None
    reason: str | None = None
    roundup: int = 0
    survivor_roundup: int = 0
    skipped: tuple[dict[str, Any], ...] = ()
    facts: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    supersedes: bool | None = None
    size_ratio: float | None = None
    unjudged: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return all attributes as a dict that JSON can store."""
        return asdict(self)

    def differing(self, language: Language = "en") -> str:
        """Describe the differences from the survivor in one line, facts first; empty if none are listed.

        >>> from quchong.report import Difference
        >>> one = Difference("figure", True, "120", "130", 3, 6, 3, 6)
        >>> print(Explanation("b", True, "a", differences=(one,)).differing())
        figure 120 → 130
        """
        return in_words(self.differences, language)

    def __str__(self) -> str:
        with renaming(in_python):
            return render(self)

    def _repr_html_(self) -> str:
        """Return the HTML view for a notebook: reason, figures, differences by kind, and both texts side by side."""
        return explained(self)


_REASONS = {
    "protected": Message("the document is protected (--protect), so it is never removed"),
    "reference": Message("the document belongs to the corpus of --against, which is never changed"),
    "first": Message(
        "a later document contains it, but the run keeps the earlier one. Documents are ordered by time, and "
        "with --keep earliest,first by row if time does not decide"
    ),
    "original": Message("a roundup or a forward contains it, but neither causes the removal of an original"),
    "roundup": Message(
        "the document is a roundup: it contains several different documents, such as a digest, or a manual with "
        "chapters"
    ),
    "top": Message(
        "the run keeps several documents of a cluster (--keep-per-cluster), and this document is one of the best"
    ),
    "restored": Message(
        "the run removed the document, and quchong restore put it back later; the reason of the removal is in "
        "restored.jsonl"
    ),
    "overturned": Message("a person overturned the removal of this document (dedup --decisions)"),
    "empty": Message("the document has no text, so it was not compared"),
    "unscored": Message("the document is too short to be compared, so it can be removed only as an exact copy"),
    "unseen": Message(
        "the document has nothing that the method can compare, so it can be removed only as an exact copy"
    ),
}
_OVERRULED = Message(
    "  The policy prefers this document, but a contained document is always removed. The only exception: with "
    "earliest as the first criterion, a contained document that came first is kept."
)
_ORIGINAL = Message("  This document was removed because a roundup or a forward contains it (--roundups whole).")
_IN_ORIGINALS = Message(
    "  This document was removed because it is a roundup of {} articles, which together contain {:.0f}% of its text "
    "(--roundups remove)."
)
_CUT = Message(
    "  This is a roundup of {} articles, which contain {:.0f}% of its text. Because of --roundups cut, the run "
    "writes only\n  the sentences that no other document has (cut). If there are none, the run writes no row."
)
BY_FACTS, BY_HEADER, FIELD = ("facts differ", "fields differ"), "shared header", "field"
BY_LITTLE = Message(
    "  The two documents have less than a quarter of their text in common, because the method compares only a "
    "small part of a text.\n  A run with --verify exact keeps both."
)
UNJUDGED = Message(
    "  The text is in {}. quchong does not judge facts in this language: a copy that differs in a negation, or "
    "in a name or date in words, is not a variant."
)


def render(e: Explanation, mark: Mark = bracketed, shown: int = 1200) -> Shown:
    """Format an explanation as text: a few lines, then both texts with shared passages and differences marked.

    `shown` is the number of characters printed of each text; 0 prints no text of a pair. Ids and texts are escaped
    for a terminal (`quchong.report.visible`).
    """
    if e.skipped:
        lines = _skipped(e)
    elif e.removed and e.survivor_id is None:
        lines = _unconfirmed(e, mark, shown)
    elif e.removed:
        lines = _removed(e, mark, shown)
    else:
        reason = _REASONS.get(e.reason or "")
        lines = [compose("{} was kept: {}", e.id, reason) if reason else compose("{} was kept", e.id)]
        if any(n["rule"] == BY_HEADER and n.get("rest") is not None for n in e.near):
            lines.append(
                compose(
                    "  This document shares with the others only a header that many documents have, such as a "
                    "licence or a disclaimer. Without the header, no text is left, or the others do not contain "
                    "it."
                )
            )
        if e.roundup:
            lines.append(compose("  This is a roundup of {} articles.", e.roundup))
        if e.members:
            more = compose(" and {:,} more", len(e.members) - 10) if len(e.members) > 10 else NOTHING
            count = several("{:,} document was", "{:,} documents were", len(e.members))
            lines.append(compose("  {} removed as copies of this document: {}{}", count, _names(e.members[:10]), more))
    others = [n for n in e.near if n["other_id"] != e.survivor_id]
    if others:
        lines += [
            "",
            compose("Other listed pairs of this document:" if e.removed else "Listed pairs of this document:"),
        ]
        for n in others[:10]:
            lines.append(compose("  {:<12} {}  Jaccard {:.3f}, contains {:.1f}% of this document; rule: {}",
                                 compose("{}", relation_told(n["relation"])), n["other_id"], n["jaccard"], 100 * n["containment"],
                                 rule_told(n["rule"])))  # fmt: skip
            lines += differing_lines(
                "    ", n.get("differences", ()), n.get("facts", ()), n.get("newer"), n["relation"], language(),
                (str(e.id), str(n["other_id"])),
            )  # fmt: skip
        if len(others) > 10:
            lines.append(compose("  ... and {:,} more pairs in pairs.parquet", len(others) - 10))
    return Shown("\n".join(lines))


SIDES = (Message("removed", context="one document"), Message("kept", context="one document"))
"""Sides of the differences of a removed document, in the order in which they are told: what is gone, then what is kept."""


def differing_lines(
    indent: str, differences: Sequence[Difference], facts: Sequence[str], newer: bool | None, relation: str | None = None,
    language: Language = "en", sides: tuple[str, str] = SIDES,
) -> list[Shown]:  # fmt: skip
    """Return indented lines about a pair: its differences, and which document is newer; empty if neither is known.

    `sides` names the documents from which and to which differences are told: their ids, or what became of them.

    If the pair is a copy nevertheless, its facts in conflict are of kinds that do not count in the run: a line says
    so.
    """
    with speaking(language):
        if told := in_words(differences, language):
            lines = [compose("differs ({} → {}): {}", *sides, Shown(told))]
        else:
            lines = [compose("differs in: {}", facts_in_words(facts, language))] if facts else []
        if FIELD in facts:
            lines.append(compose("two records on one template, with slots that are filled differently"))
        if facts and relation in ACCEPTED:
            lines.append(compose("differences that this run does not count: {}", facts_in_words(facts, language)))
        if newer is not None:
            lines.append(
                compose(
                    "this document is newer than the other" if newer else "this document is not newer than the other"
                )
            )
    return [Shown(indent + line) for line in lines]


WHOLE = 0.9995
"""Containment from which a document counts as contained in full; it then differs only by what the other text adds."""


def _of_its_own(e: Explanation) -> tuple[Difference, ...]:
    """Return the differences to show: all, or facts in conflict alone if the survivor contains the document in full."""
    known = BY_NAME.get(e.relation or "")
    whole = known is not None and known.inside > 0 and (e.containment or 0) >= WHOLE
    return tuple(d for d in e.differences if d.conflict) if whole else e.differences


def _names(ids: Sequence[str | int]) -> Shown:
    return listed_names(ids)


def _skipped(e: Explanation) -> list[str]:
    lines: list[str] = [
        compose("{} was skipped because it could not be read; it was neither compared nor removed", e.id)
    ]
    for one in e.skipped:
        place = compose("{}", one["source"])
        if one["line"] is not None:
            place = compose("{}, line {}", one["source"], one["line"])
        lines.append(
            compose("  {} (record {}): {}", place, one["row"] + 1, Shown(shown_name(retold(one["reason"]), 1000)))
        )
    return [
        *lines,
        compose("  The run's list of skipped records contains the part of this record that could be read."),
    ]


def _unconfirmed(e: Explanation, mark: Mark, shown: int) -> list[str]:
    lines: list[str] = [
        compose("{} was removed without a survivor: {}", e.id, rule_told(e.rule)),
        compose(
            "  The filter of exact repeats reported this text as seen, but no equal text came before. Such a "
            "filter makes this\n  mistake at a stated rate. No kept document was compared with this document. "
            "`quchong restore` puts the document\n  back. A run with --confirm or --stage1 digest does not "
            "make this mistake."
        ),
    ]
    if e.text is None:
        return [*lines, compose("{}", e.unreadable)]
    return [*lines, "", compose("--- {} (removed)", e.id), marked(e.text, [], mark, shown)]


def _removed(e: Explanation, mark: Mark, shown: int) -> list[str]:
    from quchong.tables import ORIGINAL, OVERRULED, SMALL_SHARE  # here: it brings Arrow along, and help needs none

    lines: list[str] = [
        _went(e),
        *([compose("{}", _OVERRULED)] if e.reason == OVERRULED else []),
        *([compose("{}", _ORIGINAL)] if e.reason == ORIGINAL else []),
        figures_line(str(e.id), str(e.survivor_id), e.jaccard, e.containment, e.survivor_containment),
        _rule(e),
        *_in_originals(e),
        *([compose("{}", BY_LITTLE)] if e.rule == SMALL_SHARE else []),
        *([compose("{}", UNJUDGED.holding(Message(e.unjudged)))] if e.unjudged else []),
        *differing_lines("  ", _of_its_own(e), e.facts, e.supersedes, e.relation, language()),
    ]
    if e.text is None or e.survivor_text is None:
        return [*lines, compose("{}", e.unreadable)]
    if not shown:
        return lines
    differing = worth_drawing(e.differences, e.passages)
    also = compose(", differences in ⟪ ⟫") if differing else NOTHING
    lines += ["", compose("--- {} (removed), with shared passages marked{}", e.id, also)]
    lines.append(marked(e.text, [(p.start, p.end) for p in e.passages], mark, shown, differing))
    lines += ["", compose("--- {} (kept)", e.survivor_id)]
    other = [(p.survivor_start, p.survivor_end) for p in e.passages]
    lines.append(marked(e.survivor_text, other, mark, shown, [d.turned for d in differing]))
    return lines


def _in_originals(e: Explanation) -> list[Shown]:
    """Return a list with the line about a roundup removed for its originals; empty for other removals."""
    if e.rule != "roundup" or e.evidence is None:
        return []
    return [compose("{}", (_IN_ORIGINALS if e.threshold else _CUT).holding(max(e.roundup, 2), 100 * e.evidence))]


def _went(e: Explanation) -> Shown:
    roundup = compose(", a roundup of {} articles", e.survivor_roundup) if e.survivor_roundup else NOTHING
    known = BY_NAME.get(e.relation or "")
    if known is None:
        return compose("{} was removed: it is {} {}{}", e.id, e.relation, e.survivor_id, roundup)
    return compose("{}", known.words.removal.holding(e.id, e.survivor_id, roundup))


def figures_line(
    doc: str | int, other: str | int, jaccard: float | None, inside: float | None, back: float | None
) -> Shown:
    """Return one line with the Jaccard of two documents and the share of each in the other."""
    return compose("  Jaccard {:.3f}; {:.1f}% of {} is in {}, {:.1f}% of {} is in {}",
                   jaccard or 0.0, 100 * (inside or 0), doc, other, 100 * (back or 0), other, doc)  # fmt: skip


def _rule(e: Explanation) -> Shown:
    """Return the line that names the rule, with its evidence and threshold; the rule about facts has neither."""
    if e.threshold is None or e.rule in BY_FACTS:
        return compose("  rule: {}", rule_told(e.rule))
    if e.evidence is not None:
        if e.size_ratio is not None:
            return compose(
                "  rule: {} ({:.6g}, threshold {:.6g}), CLR {:.3g}",
                rule_told(e.rule),
                e.evidence,
                e.threshold,
                e.size_ratio,
            )
        return compose("  rule: {} ({:.6g}, threshold {:.6g})", rule_told(e.rule), e.evidence, e.threshold)
    return compose("  rule: {} (threshold {:.6g})", rule_told(e.rule), e.threshold)
