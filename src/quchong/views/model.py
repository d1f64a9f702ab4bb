"""Data of a page: everything it shows, as one value that JSON can store."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow.compute as pc

from quchong.decision.ledger import threshold_distances
from quchong.languages import LANGUAGES, page_word, speaking, stage_told
from quchong.relations import RELATIONS, relations_for_pages
from quchong.report.stored_alarms import alarm_message
from quchong.report.summary import shown_alarms
from quchong.tables import DIFFERENCES
from quchong.views.chronology import PAIRS, Step, chronologies
from quchong.views.clusters import CLUSTERS, MEMBERS, biggest, described, shown_of
from quchong.views.cut import LONGEST, short
from quchong.views.figures import by_source, by_time, scores, sizes
from quchong.views.media import media_shown
from quchong.views.register import Register
from quchong.views.selection import Selection, select
from quchong.views.steps import add_steps, rows_of_removals
from quchong.views.subject import Subject
from quchong.views.templates import templates_shown
from quchong.views.thresholds import at_containments, at_thresholds

ALARMS, MESSAGE = 50, 1000


def thresholds_of(subject: Subject, advance: Callable[[int], None] = lambda done: None) -> dict[str, Any]:
    """Return the run at other thresholds, or the reason why it cannot be decided again; `advance` is called for each threshold."""
    if subject.outcome is not None:
        return at_thresholds(subject.outcome, advance) | {"containment": at_containments(subject.outcome, advance)}
    return {"why": "annotate" if subject.manifest["mode"] == "annotate" else "closed", "said": subject.why}


def model(
    subject: Subject, thresholds: dict[str, Any], scale: float = 1.0, lines: Sequence[Sequence[Step]] | None = None
) -> dict[str, Any]:
    """Return the data that the page shows of a run.

    Args:
        thresholds: result of `thresholds_of`, with documents as row indices.
        scale: factor for the caps on what is listed and shown.
        lines: the time line of each cluster shown (`chronologies`); None computes them.
    """
    register = Register(subject)
    shown = biggest(subject)
    lines = chronologies(subject, shown_of(shown)) if lines is None else lines
    sliders = [one for one in (thresholds, thresholds.get("containment")) if one]
    asked = [pair for one in sliders for side in ("gone", "back") for _, some in one.get(side, ()) for pair in some]
    chosen = select(subject, shown, asked, register, scale)
    row_of = {int(i): k for k, i in enumerate(subject.removals[0].tolist())}
    _add_steps(subject, chosen)
    at = {k: n for n, k in enumerate(chosen.listed)}
    clusters = described(
        subject, shown, {i: at.get(row_of.get(i, -1), -1) for _, some in shown for i in some}, lines, register
    )
    made = {
        "about": about_of(subject),
        **relations_for_pages(),
        "kinds": list(DIFFERENCES),
        "by_source": by_source(subject),
        "by_time": by_time(subject),
        "scores": scores(subject.tables["pairs"]),
        "thresholds": _numbered(thresholds, register),
        "sizes": sizes(subject.tables["clusters"]),
        "clusters": clusters,
        "removals": _removals(subject, chosen, register),
        "pairs": chosen.pairs,
        "variants": sorted(chosen.of_listed.values()),
        "templates": templates_shown(subject.tables["templates"], scale),
        "media": media_shown(subject, shown_of(shown), register, scale),
    }
    made["documents"] = register.documents()
    made["left_out"] = _left_out(subject, chosen, len(shown))
    return made


def _add_steps(subject: Subject, chosen: Selection) -> None:
    """Add the steps of the decision to the pairs of a page; removals are shown with the removed document on the left."""
    of_removal, gone, left = rows_of_removals(subject), subject.removals[0], subject.paired[0]
    rows = [-1] * len(chosen.pairs)
    mirrored = [False] * len(chosen.pairs)
    for k, n in chosen.of_row.items():
        rows[n] = int(of_removal[k])
        mirrored[n] = rows[n] >= 0 and int(left[rows[n]]) != int(gone[k])
    for k, n in chosen.of_listed.items():
        rows[n] = k
    add_steps(subject, chosen.pairs, rows, mirrored)


def about_of(subject: Subject) -> dict[str, Any]:
    """Return the data of run.json for the page, without paths of this machine, because pages are passed on."""
    manifest, config = subject.manifest, subject.manifest["config"]
    inputs, alarms = manifest.get("inputs", []), shown_alarms({"alarms": []} | manifest)
    return {
        "name": short(subject.name, 80), "quchong": manifest.get("quchong"), "created": manifest.get("created"),
        "method": config.get("method", ""), "parameters": _short_values(config.get("parameters") or {}),
        "thresholds": {k: v for k, v in (manifest.get("thresholds") or {}).items() if isinstance(v, int | float)},
        "keep": short(str(config.get("keep", ""))), "removes": config.get("relations", []), "hash": manifest.get("config_hash"),
        "time_key": short(subject.time_key, 60), "source_key": short(subject.source_key, 60),
        "inputs": [short(one.get("name", ""), 80) for one in inputs[:20]], "inputs_more": max(0, len(inputs) - 20),
        "counts": {k: v for k, v in manifest["counts"].items() if isinstance(v, int | float | dict)},
        "recall": manifest.get("recall"), "seconds": _seconds(manifest.get("seconds", {})),
        "alarms": [_alarm(a) for a in alarms[:ALARMS]], "alarms_more": max(0, len(alarms) - ALARMS),
        "restored": len(manifest.get("restored", [])),
    }  # fmt: skip


def _seconds(stages: Mapping[str, Any]) -> list[list[Any]]:
    """Return the stages of a run, each by its words in every language, and its seconds."""
    return [
        [{chosen: page_word(chosen, stage_told(name)) for chosen in LANGUAGES}, seconds]
        for name, seconds in stages.items()
        if isinstance(seconds, int | float)
    ]


def _alarm(alarm: Mapping[str, Any]) -> dict[str, Any]:
    """Return an alarm with its message in every language and its figures, with long names cut."""
    told = {"kind": alarm["kind"], "level": alarm.get("level", "alarm"), "message": {}}
    for chosen in LANGUAGES:
        with speaking(chosen):
            told["message"][chosen] = short(alarm_message(alarm).translation(), MESSAGE)
    return told | {"figures": _short_values(alarm.get("figures") or {})}


def _short_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that are words or numbers, with long words cut."""
    known = {k: v for k, v in values.items() if v is not None and not isinstance(v, list | dict)}
    return {k: v if isinstance(v, bool | int | float) else short(str(v), 80) for k, v in known.items()}


def _numbered(thresholds: dict[str, Any], register: Register) -> dict[str, Any]:
    """Return the thresholds with documents numbered as in the page."""
    sides = {
        side: [[count, [[register(a), register(b)] for a, b in some]] for count, some in thresholds[side]]
        for side in ("gone", "back")
        if side in thresholds
    }
    nested = thresholds.get("containment")
    return thresholds | sides | ({"containment": _numbered(nested, register)} if nested else {})


def _removals(subject: Subject, chosen: Selection, register: Register) -> dict[str, Any]:
    """Return the listed removals, column by column."""
    ledger = subject.tables["ledger"]
    listed = np.array(chosen.listed, np.int64)
    rows = ledger.take(listed).select(["relation", "jaccard", "containment", "rule", "facts"])
    documents, survivors = (side[listed] for side in subject.removals)
    rules = list(dict.fromkeys(rows["rule"].to_pylist()))
    distances = threshold_distances(ledger)[listed].tolist()
    return {
        "document": [register(i) for i in documents.tolist()],
        "survivor": [None if i < 0 else register(i) for i in survivors.tolist()],
        "relation": [RELATIONS.index(r) for r in rows["relation"].to_pylist()],
        "jaccard": [None if v is None else round(v, 3) for v in rows["jaccard"].to_pylist()],
        "containment": [None if v is None else round(v, 3) for v in rows["containment"].to_pylist()],
        "distance": [None if math.isinf(v) else round(v, 4) for v in distances],
        "rule": [rules.index(r) for r in rows["rule"].to_pylist()],
        "rules": [short(r, 80) for r in rules],
        "pair": [chosen.of_row.get(k, -1) for k in chosen.listed],
    }


def _left_out(subject: Subject, chosen: Selection, clusters: int) -> dict[str, int]:
    """Return the totals of each kind, and the numbers that the page contains."""
    counts = subject.manifest["counts"]
    kept_variants = (counts.get("variants") or {}).get("kept_pairs", 0)
    clusters_table = subject.tables["clusters"]
    others = clusters_table.filter(pc.not_equal(clusters_table["id"], clusters_table["survivor_id"]))
    there = len(pc.unique(others["cluster_id"]))
    return {
        "removals": len(subject.tables["ledger"]), "removals_listed": len(chosen.listed),
        "removals_shown": len(chosen.of_row), "variants": kept_variants, "variants_shown": len(chosen.of_listed),
        "clusters": there, "clusters_shown": clusters, "clusters_most": CLUSTERS, "members_most": MEMBERS,
        "characters_most": LONGEST, "chain_pairs": PAIRS, "pairs": len(subject.tables["pairs"]),
    }  # fmt: skip
