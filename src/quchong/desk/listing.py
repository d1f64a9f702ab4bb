"""Lists of the removals or pairs of a run, filtered, sorted and split into pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from quchong.desk.run import STATES, Column, DeskRun
from quchong.errors import UsageError
from quchong.languages import join_names
from quchong.runs.acts import LABELS

VIEWS = ("removed", "pairs")
SORTS = ("line", "low", "high", "id", "relation", "left", "right", "jaccard", "containment")
"""Orders of a list: nearest to the threshold first; least similar first; most similar first; by id; by a column of the table."""
PAGE = 25


@dataclass(frozen=True, slots=True)
class ListRequest:
    """Request for a page of the desk's list: its filters, order and page number.

    Attributes:
        view: "removed" for removals, "pairs" for all listed pairs.
        relation, rule: only rows with these; "" for all.
        low, high: range of the score, both ends included.
        state: "" for all; "open" (neither label nor verdict), "accept", "overturn"; "labelled", "unlabelled", or a label.
        search: text that an id of the row contains.
        sort: one of SORTS.
        down: True for the opposite order.
        page: number of the page, from 0.
    """

    view: str = "removed"
    relation: str = ""
    rule: str = ""
    low: float = 0.0
    high: float = 1.0
    state: str = ""
    search: str = ""
    sort: str = "line"
    page: int = 0
    down: bool = False

    @classmethod
    def from_query(cls, given: Mapping[str, str]) -> ListRequest:
        """Parse the query of an address.

        Raises:
            UsageError: a value is invalid.
        """
        try:
            asked = cls(
                given.get("view", "removed"), given.get("relation", ""), given.get("rule", ""), float(given.get("low") or 0),
                float(given.get("high") or 1), given.get("state", ""), given.get("search", ""), given.get("sort", "line"),
                int(given.get("page") or 0), given.get("down") == "true",
            )  # fmt: skip
        except ValueError as error:
            raise UsageError("the parameters of this list cannot be read: {}", error) from error
        states = ("", "open", "labelled", "unlabelled", *STATES[1:], *LABELS)
        for name, value, known in (
            ("view", asked.view, VIEWS),
            ("sort", asked.sort, SORTS),
            ("state", asked.state, states),
        ):
            if value not in known:
                raise UsageError("{} {!r} cannot be used: use {}", name, value, join_names(one for one in known if one))
        if not 0 <= asked.page < 1 << 40:
            raise UsageError("there is no page {}", asked.page)
        return asked


def matching_rows(run: DeskRun, asked: ListRequest) -> np.ndarray:
    """Return the rows that match, in order: rows of LEDGER for removals, else of PAIRS. Cost: one pass and a sort."""
    removed = asked.view == "removed"
    pair = run.pair_of if removed else np.arange(len(run.pairs))
    known = pair >= 0
    at = np.where(known, pair, 0)

    def of_pair(values: np.ndarray, otherwise: float) -> np.ndarray:
        out: np.ndarray = np.where(known, values[at], otherwise) if len(values) else np.full(len(pair), otherwise)
        return out

    relation = Column.from_values(run.ledger["relation"], run.relation.names) if removed else run.relation
    rule = Column.from_values(run.ledger["rule"]) if removed else run.rule
    score, distance = of_pair(run.score, 1.0), of_pair(run.distance, np.inf)
    mask = (score >= asked.low) & (score <= asked.high)
    for column, name in ((relation, asked.relation), (rule, asked.rule)):
        if name:
            mask &= column.codes == (column.names.index(name) if name in column.names else -2)
    if asked.state:
        mask &= _in_state(run, asked.state, pair, known, removed)
    if asked.search:
        held = pc.match_substring(run.saved.ids.ids, asked.search, ignore_case=True).to_numpy(zero_copy_only=False)
        one, other = (run.gone, run.survivor) if removed else (run.left, run.right)
        mask &= held[one] | (held[other] & (other >= 0))
    rows = np.flatnonzero(mask)
    if asked.sort == "id":
        return rows[::-1] if asked.down else rows
    keys = {"line": distance, "low": score, "high": -score}
    if asked.sort not in keys:
        keys = _column_keys(run, removed)
    key = keys[asked.sort][rows]
    return rows[np.argsort(-key if asked.down else key, kind="stable")]


def _column_keys(run: DeskRun, removed: bool) -> dict[str, np.ndarray]:
    """Return for each sortable column a sort key of each row, float64 by name of column; NaN for a row without a value."""
    order = np.argsort(np.argsort(np.array(run.saved.ids.ids.to_pylist(), object).astype(str), kind="stable"))
    table = run.ledger if removed else run.pairs
    sides = ("containment",) if removed else ("containment_left", "containment_right")
    one, other = (run.gone, run.survivor) if removed else (run.left, run.right)
    relation = Column.from_values(run.ledger["relation"], run.relation.names) if removed else run.relation
    return {
        "relation": relation.codes.astype(float),
        "left": order[one].astype(float),
        "right": np.where(other >= 0, order[other], np.nan),
        "jaccard": table["jaccard"].to_numpy(zero_copy_only=False).astype(float),
        "containment": np.maximum.reduce([table[name].to_numpy(zero_copy_only=False).astype(float) for name in sides]),
    }


def _in_state(run: DeskRun, state: str, pair: np.ndarray, known: np.ndarray, removed: bool) -> np.ndarray:
    """Return a mask of the rows in this state."""
    removal = np.arange(len(run.ledger)) if removed else run.removal_of
    verdict = np.where(removal >= 0, run.verdict[removal], 0) if len(run.verdict) else np.zeros(len(pair), np.int8)
    label = np.where(known, run.label[np.where(known, pair, 0)], 0) if len(run.label) else np.zeros(len(pair), np.int8)
    masks: dict[str, np.ndarray] = {
        "open": (verdict == 0) & (label == 0),
        "labelled": label > 0,
        "unlabelled": label == 0,
    }
    if state in masks:
        return masks[state]
    found: np.ndarray = verdict == STATES.index(state) if state in STATES else label == 1 + LABELS.index(state)
    return found


def counted(run: DeskRun, view: str) -> dict[str, dict[str, int]]:
    """Count the rows of each relation and rule."""
    if view == "removed":
        columns = {
            "relation": Column.from_values(run.ledger["relation"], run.relation.names),
            "rule": Column.from_values(run.ledger["rule"]),
        }
    else:
        columns = {"relation": run.relation, "rule": run.rule}
    found = {}
    for name, column in columns.items():
        counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.names))
        found[name] = {one: int(n) for one, n in zip(column.names, counts.tolist(), strict=True) if n}
    return found
