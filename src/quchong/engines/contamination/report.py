"""Tables and figures of a search for test items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.contamination import schemas
from quchong.engines.contamination.item_parts import ItemParts
from quchong.engines.contamination.schemas import ANSWER, BOTH, EMPTY, FRAME_ONLY, JUDGED, QUESTION, SHORT, VARIANT
from quchong.engines.contamination.search import Findings, Search
from quchong.io import Source


@dataclass(frozen=True, slots=True)
class ContaminationTables:
    """Tables of a search, by the schemas of `quchong.engines.contamination.schemas`, and the figures of each test set."""

    matches: pa.Table
    items: pa.Table
    documents: pa.Table
    sets: list[dict[str, Any]]


def make_tables(search: Search, findings: Findings, sources: Sequence[Source], mode: str) -> ContaminationTables:
    """Return the tables of a search; documents that leak are removed in the mode "remove", and in "cut" if nothing is left of them."""
    removed = [d.leaks and (mode == "remove" or (mode == "cut" and emptied(d.rest))) for d in findings.documents]
    items = _items(search, findings)
    return ContaminationTables(
        _matches(search, findings, sources),
        items,
        _documents(findings, sources, removed, mode),
        set_figures(search, items),
    )


def emptied(rest: str | None) -> bool:
    """Return True if no letter or digit is left of a cut text."""
    return rest is not None and not any(c.isalnum() for c in rest)


def _matches(search: Search, findings: Findings, sources: Sequence[Source]) -> pa.Table:
    sets = search.sets
    rows = []
    for d in findings.documents:
        for m in d.matches:
            for p in m.passages:
                known = (sets.set[m.item], m.item, p.part == ANSWER, d.source, d.row, p.start)
                rows.append((known, (
                    sets.names[sets.set[m.item]], sets.id[m.item], p.part, sources[d.source].name, d.row, d.id, round(p.share, 4), p.kind,
                    m.found, p.start, p.end, p.item_start, p.item_end, p.text,
                )))  # fmt: skip
    rows.sort(key=lambda one: one[0])
    return _table([row for _, row in rows], schemas.MATCHES)


def _table(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> pa.Table:
    columns = list(zip(*rows, strict=True)) if rows else [() for _ in schema]
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema)


def _documents(findings: Findings, sources: Sequence[Source], removed: Sequence[bool], mode: str) -> pa.Table:
    rows = [
        (
            sources[d.source].name, d.row, d.place, d.id, d.finding, sum(m.found in (QUESTION, BOTH) for m in d.matches),
            round(d.share, 4), gone, d.cut if mode == "cut" else 0,
        )
        for d, gone in zip(findings.documents, removed, strict=True)
    ]  # fmt: skip
    return _table(rows, schemas.DOCUMENTS)


def _items(search: Search, findings: Findings) -> pa.Table:
    sets, parts = search.sets, search.parts
    counts = {name: np.zeros(len(sets), np.int64) for name in (QUESTION, BOTH, ANSWER, VARIANT)}
    best = np.zeros(len(sets))
    for d in findings.documents:
        for m in d.matches:
            counts[m.found][m.item] += 1
            best[m.item] = max(best[m.item], *(p.share for p in m.passages if p.part == QUESTION), 0.0)
    shares = _corpus_shares(parts, findings.seen)
    lengths = [*parts.tokens.lengths.tolist(), 0]
    reasons = [*parts.unjudged, EMPTY]
    rows = []
    for i, (question, answer) in enumerate(zip(parts.question.tolist(), parts.answer.tolist(), strict=True)):
        text = sets.question[i]
        if parts.with_choices[i]:
            text = "\n".join(filter(None, (text, sets.choices[i])))
        rows.append((
            sets.names[sets.set[i]], sets.id[i], sets.row[i], text, sets.answer[i], lengths[question], lengths[answer], reasons[question],
            reasons[answer], bool(parts.with_choices[i]), int(counts[QUESTION][i] + counts[BOTH][i]), int(counts[BOTH][i]),
            int(counts[ANSWER][i]), int(counts[VARIANT][i]), round(float(best[i]), 4), round(float(shares[question]), 4),
        ))  # fmt: skip
    return _table(rows, schemas.ITEMS)


def _corpus_shares(parts: ItemParts, seen: np.ndarray) -> np.ndarray:
    """Return for each part the share of its n-grams found anywhere in the corpus; an extra 0 at the end is for items without a part."""
    grams = parts.grams
    found = np.repeat(seen, np.diff(grams.start))
    n = len(parts.counts)
    whole = np.bincount(grams.part, grams.times, n)
    there = np.bincount(grams.part, np.where(found, grams.times, 0), n)
    shares: np.ndarray = np.r_[there / np.maximum(whole, 1), 0.0]
    return shares


def set_figures(search: Search, items: pa.Table) -> list[dict[str, Any]]:
    """Return the figures of each test set for run.json.

    They are its name and columns; the numbers of items, of those judged and, by reason, not judged; of items whose question was found
    (`question` without and `both` with the answer somewhere), whose answer alone was found, and that were found with other numbers alone.
    """
    out = []
    rows = items.select(["question_unjudged", "documents", "both", "answers", "variants"]).to_pylist()
    for number, name in enumerate(search.sets.names):
        mine = [row for row, of in zip(rows, search.sets.set, strict=True) if of == number]
        unjudged = {why: sum(row["question_unjudged"] == why for row in mine) for why in (SHORT, FRAME_ONLY, EMPTY)}
        both = sum(row["both"] > 0 for row in mine)
        found = sum(row["documents"] > 0 for row in mine)
        columns = search.sets.columns[number]
        out.append({
            "set": name,
            "columns": {"question": list(columns.question), "answer": list(columns.answer), "choices": list(columns.choices)},
            "items": len(mine),
            "judged": sum(row["question_unjudged"] == JUDGED for row in mine),
            "unjudged": unjudged,
            "found": found,
            "both": both,
            "question": found - both,
            "answer": sum(row["documents"] == 0 and row["answers"] > 0 for row in mine),
            "variant": sum(row["documents"] == 0 and row["answers"] == 0 and row["variants"] > 0 for row in mine),
        })  # fmt: skip
    return out
