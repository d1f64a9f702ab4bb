"""Selection of the removals that a page lists, and of the pairs whose texts it contains, within a cap on bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.ledger import nearest
from quchong.relation_codes import CONFLICTS, codes_in
from quchong.views.cut import Excerpt
from quchong.views.pairs import of_listed, of_removal
from quchong.views.register import Register
from quchong.views.subject import Subject

LISTED = 10_000
"""Maximum number of removals listed."""
TEXTS = 5_000_000
"""Maximum size of the texts, in bytes of UTF-8."""
NEAREST, VARIANTS = 100, 300
SHARES = (0.5, 0.65, 0.85, 0.92, 1.0)
"""Share of TEXTS that may be used up after each queue of pairs.

The queues are: pairs of big clusters, those nearest to the threshold, variants that were kept, those that another
threshold would decide differently, and all others.
"""
_BATCH = 50


@dataclass
class Selection:
    """Pairs of a run, as a page shows them.

    Attributes:
        listed: rows of the ledger, ascending.
        pairs: pairs with texts; `left` and `right` are numbers of the register.
        of_row: index in `pairs` by row of the ledger.
        of_listed: index in `pairs` by row of PAIRS.
    """

    listed: list[int]
    pairs: list[dict[str, Any]] = field(default_factory=list)
    of_row: dict[int, int] = field(default_factory=dict)
    of_listed: dict[int, int] = field(default_factory=dict)


def select(
    subject: Subject,
    clusters: list[tuple[int, list[int]]],
    asked: Iterable[tuple[int, int]],
    register: Register,
    scale: float,
) -> Selection:
    """Select the removals that a page lists, and the pairs whose texts it contains, up to caps on their number and bytes.

    Args:
        clusters: survivor and removed documents of the clusters shown.
        asked: pairs of documents that another threshold would decide differently.
        register: the register that numbers documents and receives their texts.
        scale: factor for all caps.
    """
    ledger, removed = subject.tables["ledger"], subject.flags("removed")
    row_of = {int(i): k for k, i in enumerate(subject.removals[0].tolist())}
    first = [row_of[i] for _, members in clusters for i in members if i in row_of]
    line = [row_of[i] for i in subject.places(nearest(ledger, NEAREST)["id"]).tolist()]
    order = list(dict.fromkeys([*first, *line, *range(len(ledger))]))
    chosen = Selection(sorted(order[: int(LISTED * scale)]))
    queues: list[list[tuple[str, int]]] = [
        [("ledger", k) for k in first], [("ledger", k) for k in line],
        [("pairs", k) for k in _variants(subject, removed)], _rows(subject, asked, row_of),
        [("ledger", k) for k in order[: int(LISTED * scale)]],
    ]  # fmt: skip
    spent = 0
    for queue, share in zip(queues, SHARES, strict=True):
        new = [
            one
            for one in dict.fromkeys(queue)
            if one[1] not in (chosen.of_row if one[0] == "ledger" else chosen.of_listed)
        ]
        for at in range(0, len(new), _BATCH):
            if spent >= TEXTS * scale * share:
                break
            spent += _add(subject, new[at : at + _BATCH], chosen, register, TEXTS * scale * share - spent)
    return chosen


def _variants(subject: Subject, removed: np.ndarray) -> list[int]:
    """Return rows of pairs of variants of which both documents were kept, the most similar first."""
    pairs = subject.tables["pairs"]
    left, right = subject.paired
    mine = CONFLICTS[codes_in(pairs["relation"])]
    some = np.flatnonzero(mine & ~removed[left] & ~removed[right]) if len(pairs) else np.zeros(0, np.int64)
    return some[np.argsort(-pairs["jaccard"].to_numpy()[some], kind="stable")][:VARIANTS].tolist()  # type: ignore[no-any-return]


def _rows(subject: Subject, asked: Iterable[tuple[int, int]], row_of: dict[int, int]) -> list[tuple[str, int]]:
    """Return for each pair of documents its table and row: "ledger" if one was removed for the other, else "pairs"."""
    left, right = subject.paired
    n = len(subject.ids)
    wanted = list(dict.fromkeys(asked))
    keys = [(min(a, b, key=_by_id(subject)) * n + max(a, b, key=_by_id(subject))) for a, b in wanted]
    found = np.flatnonzero(np.isin(left * n + right, np.array(keys, np.int64)))
    at = dict(zip((left[found] * n + right[found]).tolist(), found.tolist(), strict=True))
    survivors = subject.removals[1]
    out: list[tuple[str, int]] = []
    for (a, b), key in zip(wanted, keys, strict=True):
        if a in row_of and survivors[row_of[a]] == b:
            out.append(("ledger", row_of[a]))
        elif key in at:
            out.append(("pairs", at[key]))
    return out


def _by_id(subject: Subject) -> Any:
    return lambda i: subject.ids[i].encode("utf-8", "surrogatepass")


def _add(subject: Subject, some: list[tuple[str, int]], chosen: Selection, register: Register, left: float) -> int:
    """Add pairs to the selection and their texts to the register while they fit into `left` bytes; return the bytes used."""
    spent = 0
    found = list(_read(subject, some))
    texts = subject.text_of(i for _, _, _, places in found for i in places)
    for table, k, row, places in found:
        both = texts[places[0]], texts[places[1]]
        if both[0] is None or both[1] is None:
            continue
        firsts = _first(table, row)
        new = {
            i: Excerpt.with_character(text, first)
            for i, text, first in zip(places, both, firsts, strict=True)
            if i not in register.excerpts and text is not None
        }
        cost = sum(len(e.text.encode("utf-8", "surrogatepass")) for e in new.values()) + 900
        if spent + cost > left:
            continue
        spent += cost
        register.excerpts |= new
        made = (
            of_removal(row, places, register.excerpts)
            if table == "ledger"
            else of_listed(row, places, (both[0], both[1]), register.excerpts)
        )
        (chosen.of_row if table == "ledger" else chosen.of_listed)[k] = len(chosen.pairs)
        about = {
            "removed": table == "ledger",
            "relation": row["relation"],
            "rule": row["rule"],
            "threshold": row.get("threshold"),
        }
        chosen.pairs.append({"left": register(places[0]), "right": register(places[1]), **about, **made})
    return spent


def _read(subject: Subject, some: list[tuple[str, int]]) -> Iterator[tuple[str, int, dict[str, Any], tuple[int, int]]]:
    """Yield for each pair its table, row index, row, and the row numbers of both documents; removals without a survivor are skipped."""
    for table, sides in (("ledger", subject.removals), ("pairs", subject.paired)):
        mine = [k for of, k in some if of == table]
        taken = subject.tables[table].take(pa.array(mine, pa.int64()))
        rows = (subject.run.examined(taken) if table == "pairs" else taken).to_pylist()
        for k, row in zip(mine, rows, strict=True):
            if sides[1][k] >= 0:
                yield table, k, row, (int(sides[0][k]), int(sides[1][k]))


def _first(table: str, row: dict[str, Any]) -> tuple[int, int]:
    """Return the offsets, left and right, at which a page shows a pair first: of its first shared passage or difference."""
    if table == "ledger":
        spans = [(p["start"], p["survivor_start"]) for p in row["passages"]]
    else:
        spans = [(d["left_start"], d["right_start"]) for d in row["differences"] or ()]
    return (min(a for a, _ in spans), min(b for _, b in spans)) if spans else (0, 0)
