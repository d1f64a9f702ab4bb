"""Three truths over several seeds, on whole pages and bodies, to show how much figures of one generated corpus vary.

Reference figures of 900 pages are given as claims. Their seed and settings were not recorded; the figures of seed 5 on whole pages
equal them.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from quchong_lab.experiment import Claim, Experiment, Findings, Plot, Scale
from quchong_lab.further import systems
from quchong_lab.web.labelled import labelled
from quchong_lab.web.pages import WebRecipe
from quchong_lab.web.systems import System, swept
from quchong_lab.web.truths import ENDINGS, READING, bests

PAGES: dict[Scale, tuple[int, int]] = {"quick": (300, 2), "paper": (900, 5), "full": (900, 20)}
"""Number of pages, and number of seeds, counted up from the given one."""
SYSTEMS: tuple[System, ...] = (
    ("CCDet", "ccdet", {}),
    ("CCDet, scope list", "ccdet", {"scope": "list"}),
    ("Shingling, 5 tokens", "shingling", {"ngram_size": 5}),
    ("Shingling, 8 tokens", "shingling", {"ngram_size": 8}),
    ("SpotSigs, zh-ten", "spotsigs", {"antecedents": "zh-ten"}),
    ("SpotSigs, zh-particles", "spotsigs", {"antecedents": "zh-particles"}),
    ("CoDet", "codet", {}),
)
REFERENCE = {
    "CCDet": (0.993, 0.994, 0.825),
    "Shingling": (0.926, 0.991, 0.958),
    "SpotSigs": (0.928, 0.996, 0.933),
    "CoDet": (0.966, 0.996, 0.894),
}
"""Best F1 as made, by duplicates only, by Jaccard of origin, measured once on 900 pages."""


def spread(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the least, middle and greatest best F1 over the seeds, for each body, system and truth, with the reference figures.

    The middle of an even number is the higher of the two. `from_reference` is the largest distance of a reference figure from the
    range of its column, 0 if all three are within their ranges.
    """
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["body"], row["system"]), []).append(row)
    out = []
    for (body, system), group in groups.items():
        line: dict[str, Any] = {"body": body, "system": system}
        away = []
        for ending, said in zip(ENDINGS, REFERENCE[system.partition(",")[0]], strict=True):
            found = sorted(float(row[f"f1{ending}"] or 0) for row in group)
            line |= {f"least{ending}": found[0], f"f1{ending}": found[len(found) // 2], f"most{ending}": found[-1]}
            line[f"reference{ending}"] = said
            away.append(max(found[0] - said, said - found[-1], 0.0))
        out.append(line | {"from_reference": max(away)})
    return out


def _seeds(scale: Scale, seed: int) -> Findings:
    count, seeds = PAGES[scale]
    rows: list[dict[str, Any]] = []
    for body in ("all", "main"):
        for one in range(seed, seed + seeds):
            data = labelled(WebRecipe(pages=count, seed=one), body)
            found = swept(data, systems(SYSTEMS), body=body, seed=one)
            rows += bests(found, "body", "seed", "system")
    table = spread(rows)
    remarks = [READING]
    for system in REFERENCE:
        near = min((row for row in table if row["system"].startswith(system)), key=lambda row: row["from_reference"])
        remarks.append(
            f"{system}: nearest to the reference is {near['system']} on {'whole pages' if near['body'] == 'all' else 'bodies'}, "
            f"{near['from_reference']:.3f} outside of the range of {seeds} seeds at most."
        )
    return Findings(pa.Table.from_pylist(table), tuple(remarks), {"seeds": pa.Table.from_pylist(rows)})


SEEDS = Experiment(
    "web/three-truths",
    "Three truths over several seeds, beside figures once measured on 900 pages",
    "Wei 2013, figure 6 (its pages are gone)",
    tuple(
        Claim("reference", "900 made pages: as made, duplicates only, Jaccard of origin", f"{name} " + " / ".join(f"{f:.3f}" for f in said),
              "no paper's: an earlier measurement; whole pages of seed 5 have the same figures")
        for name, said in REFERENCE.items()
    ),
    (Plot("f1", "f1_jaccard", ("body", "system")),),
    _seeds,
    systems=True,
)  # fmt: skip
