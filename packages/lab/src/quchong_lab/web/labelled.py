"""Evaluation of methods on labelled pages: precision, recall and F1 over the threshold, right relations, seconds.

Figures are over unordered pairs; the relation-aware figure counts a found pair only if its label agrees. Pairs labelled `partial`
count neither way. Figures for two other truths are given too (`truths`). An experiment times the method's own work, from texts to
named pairs: features, statistics, index, its measure; not the exact Jaccard that a run computes in addition.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.pairs import measured_in
from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.joins import meet
from quchong.engines.local.run import run
from quchong.errors import UsageError
from quchong.io import from_object
from quchong.pages import read_pages
from quchong.plan.catalogue import METHODS, build
from quchong.plan.plan import Plan
from quchong.relations import ACCEPTED, CONTAINED_IN, CONTAINS, DUPLICATE, EXACT, PARTIAL
from quchong.seam import KNOWN, Documents, KeyJoin, with_statistics
from quchong_lab.further import export
from quchong_lab.web.pages import Bodies, WebRecipe, web_corpus
from quchong_lab.web.truths import counted, jaccard_of, other_truths

LINE, NEAR = 0.5, 0.05
"""Ratio of sizes at or above which a pair is a duplicate, and the distance from it within which one or two sentences decide the label."""
BOUNDED = ("candidate lists bounded", "candidates bounded")
"""Kinds of alarms which say that caps may have lost pairs."""
SWEEP = tuple(round(0.1 * k, 1) for k in range(1, 11))


@dataclass(frozen=True, slots=True)
class Labelled:
    """Pages as methods read them, and the truth: the relation of left to right by pair of ids, left the smaller id.

    `near` contains the pairs whose ratio of body sizes is within NEAR of the line between duplicate and contained.
    `jaccard` has the Jaccard of origin of every pair that shares a fifth of the smaller page and more.
    """

    table: pa.Table
    relation: dict[tuple[str, str], str]
    undecided: frozenset[tuple[str, str]]
    near: frozenset[tuple[str, str]]
    jaccard: dict[tuple[str, str], float] = field(default_factory=dict)

    @property
    def documents(self) -> Documents:
        """Pages as documents for a method, without ids."""
        columns = {name: self.table[name].combine_chunks() for name in KNOWN if name in self.table.column_names}
        return Documents.from_texts(self.table["text"].combine_chunks(), **columns)


def labelled(recipe: WebRecipe, body: str = "main", bodies: Bodies | None = None) -> Labelled:
    """Generate a corpus by the recipe, and read its pages back from HTML; `body` is as in `quchong.pages.read_page`.

    A page that cannot be read has an empty text.
    """
    corpus = web_corpus(recipe, bodies)
    pages = read_pages(corpus.pages["html"].combine_chunks().cast(pa.large_binary()), body, None, None)
    table = pa.table(
        {
            "id": corpus.pages["id"].cast(pa.large_string()),
            "text": pc.fill_null(pages.text, ""),
            "blocks": pages.blocks,
            "title": pages.title,
            "url": corpus.pages["url"].cast(pa.large_string()),
            "site": corpus.pages["site"].cast(pa.large_string()),
        }
    )
    return export(labelled_documents(table, corpus.labels))


def labelled_documents(table: pa.Table, labels: pa.Table) -> Labelled:
    """Combine documents with labels as `relations.related` returns them."""
    relation: dict[tuple[str, str], str] = {}
    undecided: set[tuple[str, str]] = set()
    near: set[tuple[str, str]] = set()
    jaccard: dict[tuple[str, str], float] = {}
    mirror = {CONTAINED_IN: CONTAINS}
    for row in labels.to_pylist():
        pair = (row["left_id"], row["right_id"])
        turned = pair[0] > pair[1]
        pair = pair[::-1] if turned else pair
        jaccard[pair] = jaccard_of(row["overlap"], row["ratio"])
        if row["relation"] == PARTIAL:
            undecided.add(pair)
        elif row["relation"] in ACCEPTED:
            if abs(row["ratio"] - LINE) <= NEAR:
                near.add(pair)
            relation[pair] = mirror.get(row["relation"], row["relation"]) if turned else row["relation"]
    return Labelled(table, relation, frozenset(undecided), frozenset(near), jaccard)


@dataclass(frozen=True, slots=True)
class FoundPairs:
    """Pairs that a method found, with their measures; `ids` is aligned with the measures.

    `bounded`: True if a cap on candidates was reached, so pairs that another threshold would find may be missing.
    """

    method: Any
    ids: list[tuple[str, str]]
    exact: np.ndarray
    measures: dict[str, np.ndarray]
    bounded: bool = False

    def at(self, **parameters: Any) -> tuple[list[tuple[str, str]], list[str]]:
        """Decide the pairs again with other parameters of the decision; return the accepted pairs and their relations."""
        relation, _ = replace(self.method, **parameters).rule.decide(self.measures)
        relation = np.where(self.exact, EXACT, relation)
        accepted = np.isin(relation.astype(str), ACCEPTED)
        return [self.ids[i] for i in np.flatnonzero(accepted)], [str(r) for r in relation[accepted]]


def made(method: str | type[Any], parameters: dict[str, Any]) -> Any:
    """Return a method by its name or class, with these parameters."""
    return build(method, parameters) if isinstance(method, str) else method(**parameters)


def find(data: Labelled, method: str | type[Any], **parameters: Any) -> FoundPairs:
    """Run a method on the pages and return all pairs that it finds."""
    plan = Plan(method=made(method, parameters), differences="all", recall_sample=0)
    outcome = run(RunInputs([from_object(data.table, plan.wanted_columns)]), plan)
    pairs = outcome.pairs
    ids = list(zip(pairs["left_id"].to_pylist(), pairs["right_id"].to_pylist(), strict=True))
    exact = np.array(pairs["relation"].to_pylist(), object) == EXACT
    bounded = any(alarm.kind in BOUNDED for alarm in outcome.alarms)
    return FoundPairs(outcome.plan.method, ids, exact, measured_in(pairs), bounded)


def scores(data: Labelled, pairs: Iterable[tuple[str, str]], relations: Sequence[str]) -> dict[str, Any]:
    """Return precision, recall, F1, and the share of right pairs whose relation is right; None where there are no such pairs.

    `clear_relations_right` is the same share without the pairs whose sizes are near the line between the two relations.
    """
    found = dict(zip(pairs, relations, strict=True))
    decided = [p for p in found if p not in data.undecided]
    right = [p for p in decided if p in data.relation]
    named = {p for p in right if (DUPLICATE if found[p] == EXACT else found[p]) == data.relation[p]}
    clear = [p for p in right if p not in data.near]
    return {
        "pairs": len(decided), **counted(found, data.relation.keys(), data.undecided, ""),
        "relations_right": len(named) / len(right) if right else None,
        "clear_relations_right": len(named.intersection(clear)) / len(clear) if clear else None,
        **other_truths(list(found), data.relation, data.undecided, data.jaccard),
    }  # fmt: skip


def sweep(
    data: Labelled, method: str | type[Any], thresholds: Sequence[float] = SWEEP, **parameters: Any
) -> list[dict[str, Any]]:
    """Return scores of a method at each threshold.

    Candidates are found once, at the least threshold, and decided again at each. If that run reached a cap, there is one run for
    each threshold, because the cap loses other pairs at each. Method `cluster` also needs a run each, because its clusters depend
    on the threshold. A method without threshold (equal signatures, equal addresses) has one row, with threshold None.
    """
    if method != "cluster" and not _has_threshold(method, parameters):
        return [{"threshold": None, **scores(data, *find(data, method, **parameters).at())}]
    if method != "cluster":
        found = find(data, method, threshold=min(thresholds), **parameters)
        if not found.bounded:
            return [{"threshold": t, **scores(data, *found.at(threshold=t))} for t in thresholds]
    return [{"threshold": t, **scores(data, *find(data, method, threshold=t, **parameters).at())} for t in thresholds]


def _has_threshold(method: str | type[Any], parameters: dict[str, Any]) -> bool:
    """Return True if the method, with these parameters, decides pairs by a threshold."""
    if "threshold" not in (METHODS[method] if isinstance(method, str) else method).traits.decided_by:
        return False
    try:
        made(method, parameters | {"threshold": SWEEP[0]})
    except (UsageError, TypeError):
        return False
    return True


def usual(rows: Sequence[dict[str, Any]], threshold: float = 0.6) -> dict[str, Any]:
    """Return the row of this threshold, or the row without threshold if there is one, else the first row."""
    return next((row for row in rows if row["threshold"] in (threshold, None)), rows[0])


def best(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the row with the highest F1, the first of equal ones."""
    return max(rows, key=lambda row: row["f1"] or 0.0)


def seconds(data: Labelled, method: str | type[Any], repeats: int = 3, **parameters: Any) -> float:
    """Return the least time of a method's own work on one thread, from texts to named pairs.

    Of a method whose keys the engine joins while it reads, such as minhash, it is the time of a whole run.
    """
    documents, least = data.documents, float("inf")
    for _ in range(repeats):
        built: Any = made(method, parameters)
        start = time.perf_counter()
        if isinstance(built.candidates, KeyJoin) or not hasattr(built, "evidence_of"):
            plan = Plan(method=built, recall_sample=0, workers=1)
            run(RunInputs([from_object(data.table, plan.wanted_columns)]), plan)
            least = min(least, time.perf_counter() - start)
            continue
        fitted: Any = with_statistics(built, documents, 1)
        met = meet(fitted.candidates, documents, workers=1)
        fitted.rule.relations(fitted.evidence_of(documents, met.left.astype(np.uint32), met.right.astype(np.uint32), 1))
        least = min(least, time.perf_counter() - start)
    return least
