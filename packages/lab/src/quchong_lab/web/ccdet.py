"""Wei 2013, section 4: CCDet compared with other systems, its pruning, and the effect of its parameters.

Source: Wei 2013, figures 6 to 9. The paper's pages (3,000 of several Chinese news sites) are lost; labelled ones are
generated (`pages`), or wrapped around given articles (`--texts`). Every table counts by three truths (`truths`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from quchong_lab.cells import cell
from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.further import systems
from quchong_lab.web.bodies import language_of
from quchong_lab.web.labelled import SWEEP, Labelled, best, find, labelled, scores, seconds, sweep, usual
from quchong_lab.web.pages import WebRecipe
from quchong_lab.web.systems import System, best_of, remark, swept
from quchong_lab.web.truths import READING, bests

PAGES: dict[Scale, int] = {"quick": 300, "paper": 3_000, "full": 3_000}

FIRST: tuple[System, ...] = (
    ("CCDet", "ccdet", {}),
    *(
        (f"SpotSigs, {words}", "spotsigs", {"antecedents": words})
        for words in ("zh-ten", "zh-de", "zh-particles", "zh-wide")
    ),
    *((f"Shingling, {n} tokens", "shingling", {"ngram_size": n}) for n in (5, 8)),
    ("CoDet", "codet", {}),
)
FAMILIES: tuple[System, ...] = (
    ("CCDet", "ccdet", {}),
    ("I-Match", "imatch", {}),
    ("I-Match-S", "imatch-s", {}),
    ("I-Match-P", "imatch-p", {}),
    ("LSH", "lsh", {}),
    ("LSH-S", "lsh-s", {}),
    ("LSH-P", "lsh-p", {}),
)
PRUNINGS: tuple[System, ...] = (
    ("CCDet", "ccdet", {}),
    ("NoPrune1", "ccdet", {"prune": "none"}),
    ("NoPrune1 + IDF", "ccdet", {"prune": "idf"}),
    ("NoPrune1 + IDF, I-Match's band", "ccdet", {"prune": "idf", "idf_low": 0.2, "idf_high": 0.85}),
    ("scope list", "ccdet", {"scope": "list"}),
    ("sizes before pruning", "ccdet", {"recount": False}),
    ("two shared features", "ccdet", {"min_shared": 2}),
)


def pages(scale: Scale, seed: int, body: str, texts: pa.Table | None) -> Labelled:
    """Return the labelled corpus of these experiments; given articles limit the number of pages."""
    count = PAGES[scale]
    if texts is not None:  # originals are about half of all pages
        count = min(count, int(1.6 * len(texts)))
    return labelled(WebRecipe(pages=count, seed=seed, language=language_of(texts)), body, texts)


def _thresholds(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    rows: list[dict[str, Any]] = []
    for body in ("all", "main"):
        rows += swept(pages(scale, seed, body, texts), systems(FIRST), body=body)
    remarks = (READING, *(f"body {r['body']}: {remark(r)}" for r in best_of(rows, "body", "system")))
    return Findings(
        pa.Table.from_pylist(rows), remarks, {"truths": pa.Table.from_pylist(bests(rows, "body", "system"))}
    )


def _families(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    data = pages(scale, seed, "all", texts)
    compared = systems(FAMILIES)
    every = swept(data, compared)
    rows = best_of(every, "system")
    for row, (_, method, parameters) in zip(rows, compared, strict=True):
        row["seconds"] = cell(f"seconds {row['system']}", seconds, data, method, **parameters)
    for row in rows:
        row["times_ccdet"] = row["seconds"] / rows[0]["seconds"]
    fastest = min(rows, key=lambda r: float(r["seconds"]))
    return Findings(
        pa.Table.from_pylist(rows), (READING, *map(remark, rows), f"Fastest: {fastest['system']}, {fastest['seconds']:.3f} s."),
        {"truths": pa.Table.from_pylist(bests(every, "system"))},
    )  # fmt: skip


def _pruning(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    data = pages(scale, seed, "all", texts)
    rows, all_rows = [], []
    for name, method, parameters in systems((*PRUNINGS, *FIRST[1:])):
        here = cell(name, sweep, data, method, SWEEP, **parameters)
        all_rows += [{"system": name, **row} for row in here]
        found = best(here)
        at = usual(here)
        rows.append(
            {"system": name, **found, "f1_at_0.6": at["f1"], "precision_at_0.6": at["precision"],
             "recall_at_0.6": at["recall"], "seconds": cell(f"seconds {name}", seconds, data, method, **parameters)}
        )  # fmt: skip
    for row in rows:
        row["times_ccdet"] = row["seconds"] / rows[0]["seconds"]
    more = {"truths": pa.Table.from_pylist(bests(all_rows, "system"))}
    return Findings(pa.Table.from_pylist(rows), (READING, *(remark(row) for row in rows)), more)


def _sensitivity(scale: Scale, seed: int, texts: pa.Table | None = None) -> Findings:
    data = pages(scale, seed, "all", texts)
    rows: list[dict[str, Any]] = []
    for tail in (5, 6, 8, 10, 12, 15, 20):
        found = best(cell(f"L {tail}", sweep, data, "ccdet", SWEEP, tail=tail))
        rows.append({"parameter": "L", "value": float(tail), **found})
    whole = find(data, "ccdet", threshold=0.5)
    for ratio in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        rows.append(
            {"parameter": "T_CLR", "value": ratio, "threshold": 0.5, **scores(data, *whole.at(ratio=ratio))}
        )  # fmt: skip
    f1 = {row["f1"] for row in rows if row["parameter"] == "T_CLR"}
    labels = max((r for r in rows if r["parameter"] == "T_CLR"), key=lambda r: float(r["relations_right"] or 0))
    return Findings(
        pa.Table.from_pylist(rows),
        (READING, f"F1 takes {len(f1)} value(s) over all T_CLR: it moves pairs between the labels only.",
         f"Most relations right at T_CLR {labels['value']:g}: {labels['relations_right']:.3f}."),
    )  # fmt: skip


def _experiment(
    name: str, title: str, where: str, claims: tuple[Claim, ...], plots: tuple[Plot, ...], run: Callable[..., Findings]
) -> Experiment:
    return Experiment(
        f"web/{name}", title, f"Wei 2013, {where}", claims, plots, run, texts=True, systems=name != "ccdet-sensitivity"
    )


THRESHOLDS = _experiment(
    "ccdet-thresholds", "CCDet beside SpotSigs, Shingling and CoDet, over the threshold", "figures 6 to 8",
    (Claim("fig. 6b", "3,000 pages of several Chinese news sites, whole pages", "CCDet far better than all others",
           "curves lost"),),
    (Plot("threshold", "f1", ("body", "system")), Plot("recall", "precision", ("body", "system"))), _thresholds,
)  # fmt: skip
FAMILY = _experiment(
    "ccdet-families", "CCDet beside the I-Match and LSH families", "figures 7 to 9",
    (Claim("fig. 9", "time on 3,000 pages", "I-Match and its two variants fastest, and less accurate",
           "-S: spot signatures, -P: features of full stops; inferred from the thesis's headings"),),
    (Plot("times_ccdet", "f1", ("system",), log_x=True),), _families,
)  # fmt: skip
PRUNING = _experiment(
    "ccdet-pruning", "What pruning by site does to CCDet, and what its variants lose", "figures 8 and 9",
    (Claim("fig. 9", "CCDet, NoPrune1, NoPrune1 + IDF on 3,000 pages", "73, 83, 75 ms (1 : 1.14 : 1.03)", ""),
     Claim("fig. 9", "SpotSigs, Shingling, CoDet, LSH", "270 ms and more (3.7 times and more)", "")),
    (Plot("times_ccdet", "f1", ("system",), log_x=True),), _pruning,
)  # fmt: skip
SENSITIVITY = _experiment(
    "ccdet-sensitivity", "CCDet: length of a feature and the ratio of sizes", "section 3",
    (Claim("3", "L = 10, T_CLR = 0.5", "T_CLR moves pairs between duplicate and containment only", ""),),
    (Plot("value", "f1", ("parameter",)), Plot("value", "relations_right", ("parameter",))), _sensitivity,
)  # fmt: skip
