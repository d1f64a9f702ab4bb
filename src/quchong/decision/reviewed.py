"""Decisions of a person about removals, applied to the documents of a run; no other module applies them.

A removal that a person overturned is not repeated: its document is kept like a protected one, and neither document of the pair is removed
for the other. An accepted removal changes nothing: a document is removed only if this run finds and verifies its own reason.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from quchong.decision.alarms import NOTE, Alarm
from quchong.decision.documents import DocumentColumns, pair_codes
from quchong.decision.id_index import IdIndex
from quchong.languages import Message
from quchong.report.visible import shown_name
from quchong.runs.acts import ACCEPT, Verdict
from quchong.runs.decisions_file import read_acts
from quchong.runs.review_state import ReviewState


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Decisions of a person on removals, read from a decisions file.

    Attributes:
        overturned: removals that are not repeated, by id.
        accepted: ids of accepted removals.
        name: name of the decisions file, for messages.
        torn: number of its incomplete lines, as after a crash; they are ignored.
    """

    overturned: tuple[Verdict, ...] = ()
    accepted: tuple[str, ...] = ()
    name: str = ""
    torn: int = 0

    def state(self) -> list[Any]:
        """Return the identity of these decisions, for JSON."""
        return [repr(self.overturned), list(self.accepted), self.torn]

    @classmethod
    def from_state(cls, held: ReviewState, name: str, torn: int = 0) -> Reviewed:
        """Build the reviewed decisions from the current state of a decisions file."""
        accepted = sorted(one for one, verdict in held.verdicts.items() if verdict.act == ACCEPT)
        return cls(tuple(held.overturned), tuple(accepted), name, torn)


def reviewed_in(path: Path | None) -> Reviewed:
    """Read the decisions of a file; return empty ones for None.

    Raises:
        InputError: it cannot be read, or is no decisions file.
    """
    if path is None:
        return Reviewed()
    acts, torn = read_acts(path)
    return Reviewed.from_state(ReviewState.from_acts(acts), path.name, len(torn))


def apply(documents: DocumentColumns, reviewed: Reviewed) -> DocumentColumns:
    """Mark in the columns the documents kept by decision, and the pairs in which neither document may be removed for the other.

    Decisions on unknown documents change nothing, nor do decisions on reference documents, which are always kept.
    """
    if not reviewed.overturned:
        return documents
    ids = IdIndex(documents.ids)
    one = ids.places([v.id for v in reviewed.overturned])
    other = ids.places([v.survivor_id for v in reviewed.overturned])
    kept = np.zeros(len(documents), bool)
    kept[one[one >= 0]] = True
    both = (one >= 0) & (other >= 0)
    return replace(
        documents, overturned=kept & ~documents.reference, apart=pair_codes(one[both], other[both], len(documents))
    )


def figures(documents: DocumentColumns, removed: np.ndarray, reviewed: Reviewed) -> dict[str, Any]:
    """Return the counts of decisions for run.json: how many there are, and how many took effect."""
    ids = IdIndex(documents.ids)
    overturned, accepted = ids.places([v.id for v in reviewed.overturned]), ids.places(reviewed.accepted)
    there = accepted[accepted >= 0]
    return {
        "file": reviewed.name,
        "overturned": len(overturned),
        "kept": int((overturned >= 0).sum()),
        "accepted": len(accepted),
        "removed_again": int(removed[there].sum()),
        "torn": reviewed.torn,
        "unknown": int((overturned < 0).sum() + (accepted < 0).sum()),
    }


def notes(told: dict[str, Any]) -> list[Alarm]:
    """Return notes about torn lines of the decisions file, and about decisions on documents that are not in the run."""
    out = list[Alarm]()
    if told["torn"]:
        message = Message(
            "{:,} lines of {} were skipped because of damage, perhaps after a crash",
            told["torn"],
            shown_name(told["file"]),
        )
        out.append(Alarm("decisions torn", message, {"lines": told["torn"]}))
    if not told["unknown"]:
        return out
    of, n = told["overturned"] + told["accepted"], told["unknown"]
    message = Message(
        "{:,} of {:,} decisions in {} have no effect, because their documents are not in this run: check that "
        "the file belongs to this corpus",
        n, of, shown_name(told["file"]),
    )  # fmt: skip
    level = "alarm" if n == of else NOTE
    out.append(Alarm("decisions without documents", message, {"decisions": of, "unknown": n}, level))
    return out
