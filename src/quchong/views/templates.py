"""Templates of a run as a page shows them: frames cut at their slots, and the fillers most used."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from quchong.report.templates import FILLERS, pieces_of

TEMPLATES, SLOTS = 50, 20
"""Most templates of a page, those of most records, and most slots of one of them."""
PIECE, FILLER = 400, 60
"""Most characters of a stretch between two slots, and of a filler."""


def templates_shown(table: pa.Table, scale: float = 1.0) -> list[dict[str, Any]]:
    """Return the templates that a page lists, given the table TEMPLATES; `scale` is a factor for their number.

    Each has its records, its `pieces` (the text before, between and behind its slots, cut in the middle) and its `slots` with the number
    of different fillers and those most used; `more` counts the slots left out at the end.
    """
    return [_described(row) for row in table.slice(0, int(TEMPLATES * scale)).to_pylist()]


def _described(row: dict[str, Any]) -> dict[str, Any]:
    slots = row["slots"][:SLOTS]
    return {
        "number": row["template"],
        "records": row["records"],
        "pieces": [_middle_cut(piece) for piece in pieces_of(row)[: len(slots) + 1]],
        "slots": [
            {
                "different": slot["different"],
                "fillers": [[_cut(one["text"]), one["records"]] for one in slot["fillers"][:FILLERS]],
            }
            for slot in slots
        ],
        "more": len(row["slots"]) - len(slots),
    }


def _cut(filler: str) -> str:
    return filler if len(filler) <= FILLER else filler[: FILLER - 1] + "…"


def _middle_cut(piece: str) -> str:
    half = PIECE // 2
    return piece if len(piece) <= PIECE else f"{piece[:half]} … {piece[-half:]}"
