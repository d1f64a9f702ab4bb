"""Why one document went: the figures, and both texts with what they share marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Span = tuple[int, int]
Mark = Callable[[str], str]
LEAD = 100  # characters shown before the first passage of a long text


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
        id: the document; `removed` says whether it went.
        survivor_id, relation, jaccard, containment, survivor_containment, rule: of its removal; None where it stays. A
            filter of exact repeats may have removed it by mistake: then there are relation and rule, and no survivor.
        passages: what it shares with its survivor.
        text, survivor_text: the originals; None where they cannot be read any more.
        near: other listed pairs of the document, best first: other_id, relation (of this document to the other),
            jaccard, containment (of this one in the other), rule.
        members: documents that went for this one's sake.
        evidence, threshold: what a paper's own rule looked at and held it to, such as bits that differ; None elsewhere.
    """

    id: str
    removed: bool
    survivor_id: str | None = None
    relation: str | None = None
    jaccard: float | None = None
    containment: float | None = None
    survivor_containment: float | None = None
    rule: str | None = None
    passages: tuple[Passage, ...] = ()
    text: str | None = None
    survivor_text: str | None = None
    near: tuple[dict[str, Any], ...] = ()
    members: tuple[str, ...] = field(default=())
    evidence: float | None = None
    threshold: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return render(self)


@dataclass(frozen=True, slots=True)
class Beside:
    """Two documents of a run beside each other.

    Attributes:
        id, other_id: the documents.
        relation, jaccard, containment, other_containment, rule: of the pair as listed; None where it is below the floor.
            `relation` is that of id to other_id, `containment` the share of id in other_id.
        passages: what both share; survivor_start and survivor_end are places in other_id.
        text, other_text: the originals; None where they cannot be read any more.
    """

    id: str
    other_id: str
    relation: str | None
    jaccard: float | None
    containment: float | None
    other_containment: float | None
    rule: str | None
    passages: tuple[Passage, ...]
    text: str | None
    other_text: str | None

    def as_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return render_beside(self)


_SAID = {
    "exact": "an exact copy of",
    "duplicate": "a near-duplicate of",
    "contained_in": "contained in",
    "contains": "a container of",
    "variant": "a variant of",
    "partial": "partly the same as",
}


def bracketed(text: str) -> str:
    """Marks a shared stretch where there are no colours."""
    return f"⟦{text}⟧"


def render(e: Explanation, mark: Mark = bracketed, shown: int = 1200) -> str:
    """The explanation as text of a few lines, then both texts, shared passages marked; `shown` characters of each."""
    lines: list[str] = []
    if e.removed and e.survivor_id is None:
        lines += [
            f"{e.id} was removed without a survivor: {e.rule}",
            "  The filter of exact repeats called its text seen, though no equal text came before it: a mistake such",
            "  filters make at a stated rate. No document was checked to stand for it. `quchong restore` puts it back;",
            "  a run with --confirm or --stage1 digest makes no such mistake.",
        ]
        if e.text is not None:
            lines += ["", f"--- {e.id} (removed)", marked(e.text, [], mark, shown)]
        else:
            lines.append("  (the text cannot be read any more: was the file moved?)")
    elif e.removed:
        lines.append(f"{e.id} was removed: {_SAID.get(e.relation or '', e.relation)} {e.survivor_id}")
        lines.append(
            f"  Jaccard {e.jaccard:.3f}; {100 * (e.containment or 0):.1f}% of it stands in {e.survivor_id}, "
            f"{100 * (e.survivor_containment or 0):.1f}% of that in it; rule: {e.rule}"
            + (
                f" ({e.evidence:g}, threshold {e.threshold:g})"
                if e.evidence is not None and e.threshold is not None
                else ""
            )
        )
        if e.text is not None and e.survivor_text is not None:
            lines += ["", f"--- {e.id} (removed), shared passages marked",
                      marked(e.text, [(p.start, p.end) for p in e.passages], mark, shown),
                      "", f"--- {e.survivor_id} (kept)",
                      marked(e.survivor_text, [(p.survivor_start, p.survivor_end) for p in e.passages], mark, shown)]  # fmt: skip
        else:
            lines.append("  (the texts cannot be read any more: were the files moved?)")
    else:
        lines.append(f"{e.id} was kept")
        if e.members:
            more = f" and {len(e.members) - 10} more" if len(e.members) > 10 else ""
            lines.append(f"  {len(e.members)} documents went for its sake: {', '.join(e.members[:10])}{more}")
    others = [n for n in e.near if n["other_id"] != e.survivor_id]
    if others:
        lines += ["", "Other pairs it stands in:"]
        lines += [
            f"  {n['relation']:<12} {n['other_id']}  Jaccard {n['jaccard']:.3f}, "
            f"{100 * n['containment']:.1f}% of it there ({n['rule']})"
            for n in others[:10]
        ]
        if len(others) > 10:
            lines.append(f"  ... and {len(others) - 10} more in pairs.parquet")
    return "\n".join(lines)


def render_beside(b: Beside, mark: Mark = bracketed, shown: int = 1200) -> str:
    """Two documents as text: figures, then both with what they share marked; `shown` characters of each."""
    if b.relation is None:
        lines = [f"{b.id} and {b.other_id} are no listed pair: they share less than the floor of the run"]
    else:
        lines = [
            f"{b.id} is {_SAID.get(b.relation, b.relation)} {b.other_id}",
            f"  Jaccard {b.jaccard:.3f}; {100 * (b.containment or 0):.1f}% of it stands in {b.other_id}, "
            f"{100 * (b.other_containment or 0):.1f}% of that in it; rule: {b.rule}",
        ]
    if b.text is None or b.other_text is None:
        return "\n".join([*lines, "  (the texts cannot be read any more: were the files moved?)"])
    near = sum(p.kind != "exact" for p in b.passages)
    lines.append(
        f"  {len(b.passages)} shared passage{'s' * (len(b.passages) != 1)}"
        + (f", {near} of them reworked" if near else "")
    )
    mine, others = (
        [(getattr(p, f"{side}start"), getattr(p, f"{side}end")) for p in b.passages] for side in ("", "survivor_")
    )
    lines += ["", f"--- {b.id}", marked(b.text, mine, mark, shown)]
    lines += ["", f"--- {b.other_id}", marked(b.other_text, others, mark, shown)]
    return "\n".join(lines)


def marked(text: str, spans: Sequence[Span], mark: Mark, shown: int) -> str:
    """The beginning of a text, or the text around its first stretch, with stretches marked."""
    merged = _merged(spans)
    begin = max(0, merged[0][0] - LEAD) if merged and merged[0][0] > shown // 2 else 0
    if begin:  # a passage deep in a long text: show the text around it
        moved = [(max(0, a - begin), b - begin) for a, b in merged]
        return f"({begin} characters before) … " + marked(text[begin:], moved, mark, shown)
    out: list[str] = []
    at = 0
    for start, end in merged:
        if start >= shown:
            break
        end = min(end, shown)
        out += [text[at:start], mark(text[start:end])]
        at = end
    out.append(text[at:shown] if at < shown else "")
    rest = len(text) - max(shown, at)
    return "".join(out) + (f" … ({rest} characters more)" if rest > 0 else "")


def _merged(spans: Sequence[Span]) -> list[Span]:
    out: list[Span] = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out
