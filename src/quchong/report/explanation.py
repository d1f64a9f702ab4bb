"""Explains why a document was removed or kept, with the shared passages marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from quchong.languages import Language, Message, language, retold, several, speaking
from quchong.report.differing import Difference, facts_in_words, in_words
from quchong.report.marks import Mark, bracketed, marked, worth_drawing
from quchong.report.named import relation_told, rule_told
from quchong.report.pairview import explained
from quchong.report.visible import NOTHING, Shown, compose, named


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch both texts share, in characters of the original texts, half open.

    `kind` is exact where both are equal in normal form from end to end, else near.
    """

    start: int
    end: int
    survivor_start: int
    survivor_end: int
    kind: str = "exact"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a run knows of one document.

    Attributes:
        id: the document; `removed` says whether it was removed.
        survivor_id, relation, jaccard, containment, survivor_containment, rule: of its removal; None where it stays. A
            filter of exact repeats may have removed it by mistake: then there are relation and rule, and no survivor.
        passages: what it shares with its survivor.
        text, survivor_text: the originals; None where they cannot be read any more.
        near: other listed pairs of the document, best first: other_id, relation (of this document to the other),
            jaccard, containment (of this one in the other), rule; of variants facts and differences too, and newer (is this one
            the newer of both? None where times do not tell).
        members: documents that were removed as copies of this one.
        evidence: what a paper's own rule looked at, such as bits that differ; None elsewhere.
        size_ratio: where the rule is `ccdet`'s, fewer features / more of both pages (CLR), which tells duplicate from contained.
        threshold: the threshold that decided its removal; None where it was kept.
        reason: why it was kept whatever it is a copy of: "protected", "reference" (it belongs to the corpus compared
            against), "unscored" (too short to be compared), "empty" (no text), "first" (published before what contains
            it), "restored" (removed by the run, and put back since) or "overturned"
            (a person overturned its removal); "overruled" where it was
            removed although the policy prefers it to the document in which it is contained; None elsewhere.
        roundup, survivor_roundup: how many articles it contains, or the survivor in which it is contained: two or more make
            a roundup; else 0.
        skipped: records with this id that could not be read: source, row (from 0), line (None where there are no lines), reason.
        facts: the kinds of facts in which it and its survivor conflict.
        differences: what both differ in, `left` of this document; none of an exact copy.
        supersedes: whether it, removed as a variant, is newer than its survivor; None where times do not tell, and else.
    """

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

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def differing(self, language: Language = "en") -> str:
        """What it and its survivor differ in, in words, facts first; "zh" gives Chinese ones. Empty where nothing is listed.

        >>> from quchong.report import Difference
        >>> one = Difference("figure", True, "120", "130", 3, 6, 3, 6)
        >>> print(Explanation("b", True, "a", differences=(one,)).differing())
        figure 120 → 130
        """
        return in_words(self.differences, language)

    def __str__(self) -> str:
        return render(self)

    def _repr_html_(self) -> str:
        """What a notebook shows: reason, figures, differences by kind, and both texts beside each other."""
        return explained(self)


IS = {
    "exact": Message("{} is an exact copy of {}"),
    "duplicate": Message("{} is a near-duplicate of {}"),
    "contained_in": Message("{} is contained in {}"),
    "contains": Message("{} is a longer text that contains {}"),
    "variant": Message("{} is a variant of {}"),
    "partial": Message("{} is partly the same as {}"),
}
"""Relations in words, of one document to another."""
_WENT = {
    "exact": Message("{} was removed: it is an exact copy of {}{}"),
    "duplicate": Message("{} was removed: it is a near-duplicate of {}{}"),
    "contained_in": Message("{} was removed: it is contained in {}{}"),
    "contains": Message("{} was removed: it is a longer text that contains {}{}"),
    "variant": Message("{} was removed: it is a variant of {}{}"),
    "partial": Message("{} was removed: it is partly the same as {}{}"),
}
_REASONS = {
    "protected": Message("it is protected (--protect), so it is never removed"),
    "reference": Message("it belongs to the corpus compared against (--against), which is never changed"),
    "first": Message(
        "it is contained in a later document, but was published first, which a policy that begins with earliest protects"
    ),
    "restored": Message(
        "the run removed it, and it was put back since (quchong restore); restored.jsonl says why it had been removed"
    ),
    "overturned": Message("a person overturned its removal (dedup --decisions)"),
    "empty": Message("it has no text, and is compared with nothing"),
    "unscored": Message("it is too short to be compared, so only an exact copy of it would be removed"),
}
_OVERRULED = Message(
    "  The policy prefers it, but a contained document is removed whatever the policy (only one that begins with earliest "
    "protects what was published first)."
)
VARIANT = "variant"
COPIES = ("duplicate", "contained_in", "contains")
BY_FACTS = "facts differ"
UNREADABLE = Message("  (the texts cannot be read: they were moved or changed, or are not in the run folder)")


def render(e: Explanation, mark: Mark = bracketed, shown: int = 1200) -> Shown:
    """The explanation as text of a few lines, then both texts, shared passages and differences marked; `shown` characters of each, 0
    for neither of a pair.

    Ids and texts are rendered harmless for a terminal (`quchong.report.visible`).
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
        if e.roundup:
            lines.append(compose("  It is a roundup of {} articles.", e.roundup))
        if e.members:
            more = compose(" and {:,} more", len(e.members) - 10) if len(e.members) > 10 else NOTHING
            count = several("{:,} document was", "{:,} documents were", len(e.members))
            lines.append(compose("  {} removed as its copies: {}{}", count, _names(e.members[:10]), more))
    others = [n for n in e.near if n["other_id"] != e.survivor_id]
    if others:
        lines += [
            "",
            compose("Other listed pairs of this document:" if e.removed else "Listed pairs of this document:"),
        ]
        for n in others[:10]:
            lines.append(compose("  {:<12} {}  Jaccard {:.3f}, {:.1f}% of this document is in it; rule: {}",
                                 compose("{}", relation_told(n["relation"])), n["other_id"], n["jaccard"], 100 * n["containment"],
                                 rule_told(n["rule"])))  # fmt: skip
            lines += differing_lines(
                "    ", n.get("differences", ()), n.get("facts", ()), n.get("newer"), n["relation"], language()
            )
        if len(others) > 10:
            lines.append(compose("  ... and {:,} more in pairs.parquet", len(others) - 10))
    return Shown("\n".join(lines))


def differing_lines(
    indent: str, differences: Sequence[Difference], facts: Sequence[str], newer: bool | None, relation: str | None = VARIANT,
    language: Language = "en",
) -> list[Shown]:  # fmt: skip
    """What a document and the other one differ in, and which of both is newer: no line where nothing is known.

    Of a pair that is a copy all the same, the facts in conflict are of kinds that do not count in the run.
    """
    told = in_words(differences, language) or (facts_in_words(facts, language) if facts else "")
    with speaking(language):
        lines = [compose("differs in: {}", Shown(told))] if told else []
        if facts and relation in COPIES:
            lines.append(compose("not counted in this run: {}", facts_in_words(facts, language)))
        if newer is not None:
            lines.append(compose("it is newer than the other" if newer else "it is not newer than the other"))
    return [Shown(indent + line) for line in lines]


WHOLE = 0.9995
"""Of a document of which so much stands in another, all that differs is what the other has more."""


def _of_its_own(e: Explanation) -> tuple[Difference, ...]:
    """The differences that are told: of a document that stands in its survivor whole only facts in conflict."""
    whole = e.relation == "contained_in" and (e.containment or 0) >= WHOLE
    return tuple(d for d in e.differences if d.conflict) if whole else e.differences


def _names(ids: Sequence[str | int]) -> Shown:
    return Shown(", ".join(named(str(i)) for i in ids))


def _skipped(e: Explanation) -> list[str]:
    lines: list[str] = [compose("{} was skipped: it could not be read, so it was neither compared nor removed", e.id)]
    for one in e.skipped:
        place = compose("{}", one["source"])
        if one["line"] is not None:
            place = compose("{}, line {}", one["source"], one["line"])
        lines.append(compose("  {} (record {}): {}", place, one["row"] + 1, Shown(named(retold(one["reason"]), 1000))))
    return [*lines, compose("  What was read of the record is listed with the skipped records of the run.")]


def _unconfirmed(e: Explanation, mark: Mark, shown: int) -> list[str]:
    lines: list[str] = [
        compose("{} was removed without a survivor: {}", e.id, rule_told(e.rule)),
        compose(
            "  The filter of exact repeats reported its text as seen, but no equal text came before it. Such filters make this\n"
            "  mistake at a stated rate. No kept document was checked against it. `quchong restore` puts it back; a run with\n"
            "  --confirm or --stage1 digest does not make this mistake."
        ),
    ]
    if e.text is None:
        return [*lines, compose("{}", UNREADABLE)]
    return [*lines, "", compose("--- {} (removed)", e.id), marked(e.text, [], mark, shown)]


def _removed(e: Explanation, mark: Mark, shown: int) -> list[str]:
    from quchong.tables import OVERRULED  # here: it brings Arrow along, and help needs none

    lines: list[str] = [
        _went(e),
        *([compose("{}", _OVERRULED)] if e.reason == OVERRULED else []),
        figures_line(str(e.id), str(e.survivor_id), e.jaccard, e.containment, e.survivor_containment),
        _rule(e),
        *differing_lines("  ", _of_its_own(e), e.facts, e.supersedes, e.relation, language()),
    ]
    if e.text is None or e.survivor_text is None:
        return [*lines, compose("{}", UNREADABLE)]
    if not shown:
        return lines
    differing = worth_drawing(e.differences, e.passages)
    also = compose(", differences in ⟪ ⟫") if differing else NOTHING
    lines += ["", compose("--- {} (removed), shared passages marked{}", e.id, also)]
    lines.append(marked(e.text, [(p.start, p.end) for p in e.passages], mark, shown, differing))
    lines += ["", compose("--- {} (kept)", e.survivor_id)]
    other = [(p.survivor_start, p.survivor_end) for p in e.passages]
    lines.append(marked(e.survivor_text, other, mark, shown, [d.turned for d in differing]))
    return lines


def _went(e: Explanation) -> Shown:
    roundup = compose(", a roundup of {} articles", e.survivor_roundup) if e.survivor_roundup else NOTHING
    known = _WENT.get(e.relation or "")
    if known is None:
        return compose("{} was removed: it is {} {}{}", e.id, e.relation, e.survivor_id, roundup)
    return compose("{}", known.holding(e.id, e.survivor_id, roundup))


def figures_line(
    doc: str | int, other: str | int, jaccard: float | None, inside: float | None, back: float | None
) -> Shown:
    """The figures of two documents on one line."""
    return compose("  Jaccard {:.3f}; {:.1f}% of {} is in {}, {:.1f}% of {} is in {}",
                   jaccard or 0.0, 100 * (inside or 0), doc, other, 100 * (back or 0), other, doc)  # fmt: skip


def _rule(e: Explanation) -> Shown:
    """The rule, with the figure and the threshold that decided; of facts no threshold did."""
    if e.threshold is None or e.rule == BY_FACTS:
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
