"""Feng 2015a: SL+ST compared with SL, shingling and SpotSigs, over the threshold, and their time.

Source: Feng 2015a (SL+ST). The paper's collection is not
free and its tables are lost. Pages with known copies are generated (`lab.web.pages`). The truth about given articles (`--texts`)
is computed by `counted`. Figures are given for three truths (`lab.web.truths`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from quchong.engines.local.inputs import RunInputs
from quchong.engines.local.run import run
from quchong.io import from_object
from quchong.plan.plan import Plan
from quchong.relations import CONTAINED_IN, CONTAINS, DUPLICATE, EXACT
from quchong_lab.cells import cell
from quchong_lab.experiment import SPOTSIGS, Claim, Experiment, Findings, Plot, Scale
from quchong_lab.further import export, systems
from quchong_lab.sentences.texts import unwrapped
from quchong_lab.web.labelled import FoundPairs, Labelled, find, labelled, scores, seconds
from quchong_lab.web.pages import WebRecipe
from quchong_lab.web.truths import ENDINGS, LINE, READING, bests

PAGES: dict[Scale, int] = {"quick": 150, "paper": 3_000, "full": 10_000}
THRESHOLDS = tuple(round(0.1 * k, 1) for k in range(1, 10))
JACCARD, CONTAINMENT = 0.5, 0.8
"""Least shares of shingles at which two given texts are duplicates, or one is contained in the other."""
SYSTEMS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("SL+ST", "sl-st", {}),
    ("SL+ST, longest 35", "sl-st", {"max_len": 35}),
    ("SL+ST, blocks", "sl-st", {"mode": "blocks"}),
    ("SL+ST, stop words kept", "sl-st", {"stop_words": "none"}),
    ("SL+ST, characters", "sl-st", {"tokens": "auto", "max_len": 255}),
    *((f"SL, {n} sentences", "sl", {"width": n}) for n in (2, 3, 4)),
    ("Shingle, 8 tokens", "shingling", {"containment": CONTAINMENT}),
    ("Shingle, 5 tokens", "shingling", {"ngram_size": 5, "containment": CONTAINMENT}),
    ("SpotSigs", "spotsigs", {}),
)
"""Name in the table, method, parameters. All but SpotSigs find containment, from CONTAINMENT on. Variants of SL+ST are readings
of points that the paper leaves open, those of SL of its window. The terms that a sentence is checked by are counted after stop
words are removed, unless these are kept.
"""
DECIDED = (
    "Column decided: similar, a pair is found if its measure reaches the threshold, as in the paper, which tells no containment apart; "
    "and contained, a pair is found if the whole rule of the system accepts it, as a duplicate or as contained."
)
"""Remark that explains the two ways in which pairs are decided."""
FOUR = ("SL+ST", "SL, 3 sentences", "Shingle, 8 tokens", "SpotSigs")
"""Systems that the paper compares."""


def counted(texts: pa.Array) -> Labelled:
    """Find the pairs of given texts that are copies, by exact counting.

    Jaccard and both containments of shingles are counted for all candidates of the default method
    (`quchong.similarity.measure`: shingles of 5 characters in Chinese texts of 200 and more, else 3; of 3 words in others).
    Duplicates have at least a Jaccard of JACCARD, or CONTAINMENT both ways. A text with CONTAINMENT one way is contained.
    Guards and thresholds of the default method are not used.
    """
    table = pa.table({"id": pa.array([f"{i:09}" for i in range(len(texts))], pa.large_string()), "text": texts})
    plan = Plan(differences="all", recall_sample=0)
    pairs = run(RunInputs([from_object(table, plan.wanted_columns)]), plan).pairs
    relation: dict[tuple[str, str], str] = {}
    shares: dict[tuple[str, str], float] = {}
    names = ("left_id", "right_id", "relation", "jaccard", "containment_left", "containment_right")
    for left, right, said, jaccard, in_right, in_left in zip(*(pairs[n].to_pylist() for n in names), strict=True):
        if left > right:
            left, right, in_right, in_left = right, left, in_left, in_right
        if said == EXACT or jaccard >= JACCARD or min(in_right, in_left) >= CONTAINMENT:
            relation[left, right] = DUPLICATE
        elif max(in_right, in_left) >= CONTAINMENT:
            relation[left, right] = CONTAINED_IN if in_right >= CONTAINMENT else CONTAINS
        shares[min(left, right), max(left, right)] = 1.0 if said == EXACT else jaccard
    return Labelled(table, relation, frozenset(), frozenset(), shares)


def _data(scale: Scale, seed: int, texts: pa.Table | None) -> Labelled:
    if texts is not None:
        return export(counted(unwrapped(texts["text"])))
    return labelled(WebRecipe(pages=PAGES[scale], seed=seed), "main")


def _similar(found: FoundPairs, threshold: float) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the pairs whose measure reaches the threshold, all called duplicates, as the paper does not tell containment apart."""
    measured = found.measures.get("evidence")
    if measured is None or np.isnan(measured.astype(float)).all():  # a method that decides by Jaccard
        measured = found.measures["jaccard"]
    mask = found.exact | (measured >= threshold)
    return [found.ids[i] for i in np.flatnonzero(mask)], [DUPLICATE] * int(mask.sum())


def _rows_of_system(data: Labelled, scale: Scale, method: Any, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of one system: for each way to decide, each truth and each threshold."""
    found = find(data, method, threshold=min(THRESHOLDS), **parameters)
    took = seconds(data, method, 1 if scale == "quick" else 3, **parameters)
    rows = []
    for threshold in THRESHOLDS:
        similar = scores(data, *_similar(found, threshold))
        score = scores(data, *found.at(threshold=threshold))
        for decided, by in (("similar", similar), ("and contained", score)):
            rows.append(
                {"decided": decided, "threshold": threshold, "pairs": by["pairs"]}
                | {k + ending: by[k + ending] for ending in ENDINGS for k in ("precision", "recall", "f1")}
                | {"seconds": took}
            )
    return rows


def _methods(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    data = _data(scale, seed, texts)
    rows: list[dict[str, Any]] = []
    for name, method, parameters in systems(SYSTEMS):
        rows += [{"system": name, **row} for row in cell(name, _rows_of_system, data, scale, method, parameters)]
    duplicates = sum(said == DUPLICATE for said in data.relation.values())
    same = sum(share >= LINE for share in data.jaccard.values())
    remarks = [
        DECIDED,
        READING,
        f"{len(data.table):,} texts; {len(data.relation):,} pairs as made, {duplicates:,} of them duplicates, {same:,} with a Jaccard "
        f"of origin from {LINE} on.",
    ]
    tops = bests(rows, "decided", "system")
    for decided, ending in (("similar", "_duplicates"), ("and contained", "")):
        here = {row["system"]: row for row in tops if row["decided"] == decided and row["system"] in FOUR}
        remarks.append(
            f"{decided}, by best F1 ({ENDINGS[ending]}): {' > '.join(sorted(FOUR, key=lambda n: -float(here[n]['f1' + ending] or 0)))}."
        )
    took = {row["system"]: float(row["seconds"]) for row in rows}
    remarks.append(f"by time: {' < '.join(sorted(FOUR, key=lambda n: took[n]))}.")
    return Findings(pa.Table.from_pylist(rows), tuple(remarks), {"truths": pa.Table.from_pylist(tops)})


METHODS = Experiment(
    "sentences/methods",
    "SL+ST beside SL, shingling and SpotSigs",
    "Feng 2015a, experiments",
    (
        Claim("experiments", "AP90-S and Twitter, against SL, Shingle, SpotSigs", "SL+ST: higher accuracy and efficiency",
              "tables lost: only the order can be compared"),
    ),
    (
        Plot("threshold", "f1_duplicates", ("decided", "system")),
        Plot("recall", "precision", ("decided", "system")),
    ),
    _methods,
    texts=True,
    systems=True,
    published={"SpotSigs": SPOTSIGS},
)  # fmt: skip
