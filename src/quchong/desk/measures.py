"""Quality of the run estimated from the labels: precision, recall, and the best threshold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.pairs import measured_in
from quchong.desk.run import DeskRun
from quchong.engines.local.rethreshold import check_method
from quchong.errors import QuchongError
from quchong.evaluation.label_estimates import Sample, Share, f1, precision, recall, weighted
from quchong.plan.catalogue import altered
from quchong.relation_codes import codes_of
from quchong.seam import settings_of
from quchong.similarity import UNSEEN
from quchong.views.thresholds import SLIDERS

STEPS = 50
"""Number of steps in which thresholds from 0 to 1 are tried."""
ENOUGH = 20
"""Minimum number of labels, with copies and non-copies among them, for a recommended threshold."""


def measures(run: DeskRun) -> dict[str, Any]:
    """Return the measures estimated from the labels, as the page shows them."""
    sample = weighted(run.strata, run.labelled())
    called = run.strata.called[sample.rows] if len(sample.rows) else np.zeros(0, bool)
    exact = int((run.label[run.strata.of < 0] > 0).sum())
    return {
        "labels": int((run.label > 0).sum()),
        "enough": ENOUGH,
        "used": len(sample.rows),
        "drawn": sample.drawn,
        "picked": sample.picked,
        "unsure": sample.unsure,
        "exact": exact,
        "others": run.others,
        "copies": int(sample.copy.sum()),
        "open": sample.open,
        "whole": sample.whole,
        "called": int(run.strata.called.sum()),
        "precision": _share_values(precision(sample, called)),
        "recall": _share_values(recall(sample, called)),
        "f1": f1(sample, called),
        "accepted": int((run.verdict == 1).sum()),
        "overturned": int((run.verdict == 2).sum()),
        "thresholds": thresholds(run, sample),
    }


def _share_values(share: Share) -> dict[str, Any]:
    return {"value": share.value, "low": share.low, "high": share.high, "labels": share.labels}


def thresholds(run: DeskRun, sample: Sample) -> dict[str, Any]:
    """Return precision and recall at every threshold that the pairs allow, and the threshold with the best F1.

    If there is no such threshold, `why` has the reason.

    Only labelled pairs are decided again, by the method itself with another threshold. Pairs whose names were not
    compared (no threshold of the run could call them copies) count as pairs without a swapped name, and pairs whose
    differences were not examined as pairs without facts in conflict.
    """
    if run.plan is None:
        return {"why": "closed", "said": run.why}
    method = run.plan.method
    settings = settings_of(method)
    names = [name for name in SLIDERS if name in method.traits.decided_by and name in settings]
    if not names:
        return {"why": "method", "said": method.name}
    name = "distance" if "distance" in names else names[0]
    few = len(sample.rows) < ENOUGH or sample.copy.all() or not sample.copy.any()
    if few:
        return {"why": "few", "said": "", "enough": ENOUGH, "parameter": name, "now": settings[name]}
    measured = measured_in(run.pairs.take(pa.array(sample.rows)))
    measured["name_swap"] = np.where(measured["name_swap"] == UNSEEN, 0, measured["name_swap"])
    measured["told"] = np.ones(len(sample.rows), bool)
    wanted = range(int(settings[name]) + 1) if name == "distance" else [k / STEPS for k in range(STEPS + 1)]
    found: list[dict[str, Any]] = []
    for value in wanted:
        try:
            other = altered(method, {name: value})
            check_method(method, other)
            called = run.called[codes_of(other.rule.decide(measured)[0])] & other.rule.floor(measured)
        except (QuchongError, ValueError):
            continue
        told = {"value": value, "precision": precision(sample, called), "recall": recall(sample, called)}
        found.append(told | {"f1": f1(sample, called)})
    if not found:
        return {"why": "refused", "said": method.name}
    return {"parameter": name, "now": settings[name], "curve": [_step(one) for one in found]} | _best(found)


def _step(one: dict[str, Any]) -> list[float | None]:
    return [one["value"], one["precision"].value, one["recall"].value, one["f1"]]


def _best(found: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the best step: the middle of the longest run of steps with the highest F1."""
    most = max(one["f1"] for one in found)
    good = [k for k, one in enumerate(found) if one["f1"] >= most - 1e-9]
    stretches = np.split(np.array(good), np.flatnonzero(np.diff(good) > 1) + 1)
    # of equally good thresholds take the middle of the longest stretch, which is the most robust
    longest = max(stretches, key=len)
    best = found[int(longest[(len(longest) - 1) // 2])]
    span = [found[int(longest[0])]["value"], found[int(longest[-1])]["value"]]
    told = {name: _share_values(best[name]) for name in ("precision", "recall")}
    return {"best": best["value"], "alike": span, "at_best": told | {"f1": best["f1"]}}
