"""Media of a run: who reprinted whom, how often and how fast; series; and chains of which nothing was removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from quchong.report.reprints import by_chain, exchanges, media
from quchong.results.chain_files import flat
from quchong.views.chronology import PAIRS, known_chains
from quchong.views.cut import short
from quchong.views.register import Register
from quchong.views.subject import Subject

MEDIA, SERIES, ISSUES, KEPT = 30, 60, 40, 60
"""Maximum numbers: media in the matrix, series, issues of each, and chains of which nothing was removed."""


def media_shown(
    subject: Subject, clusters: Sequence[tuple[int, Sequence[int]]], register: Register, scale: float = 1.0
) -> dict[str, Any]:
    """Return the media of the chains of a run in the form that the page uses; `names` is empty without a chain.

    Args:
        clusters: survivor and removed documents of the clusters shown, which decide what is left out of very large runs.
        register: the register that numbers documents. scale: factor for the caps on what is listed.

    Lags are in seconds, None if unknown. `cells` are source, reprinting medium, reprints, and their median lag.
    """
    rows = flat(known_chains(subject, clusters))
    every = media(rows)
    names = list(every)[: max(1, round(MEDIA * scale))]
    number = {name: k for k, name in enumerate(names)}
    found, undecided = exchanges(rows)
    cells = [
        [number[source], number[copy], len(lags), _seconds([one for one in lags if one is not None])]
        for (source, copy), lags in found.items()
        if source in number and copy in number
    ]
    removed = subject.flags("removed")
    series: list[list[int]] = []
    kept: list[list[dict[str, Any]]] = []
    for chain, is_series in by_chain(rows):
        places = subject.places(row["id"] for row in chain).tolist()
        if is_series:
            series.append([register(i) for i in places[:ISSUES]] if len(series) < SERIES * scale else [])
        elif not removed[places].any():
            kept.append(_steps(subject, chain, places, register) if len(kept) < KEPT * scale else [])
    return {
        "names": [short(name, 80) for name in names],
        "more": len(every) - len(names),
        "rows": [
            [one.originals, one.reprinted, one.reprints, _seconds(one.lags), one.issues]
            for one in (every[name] for name in names)
        ],
        "cells": sorted(cells, key=lambda cell: cell[:2]),
        "undecided": undecided,
        "limited": PAIRS if len(subject.tables["pairs"]) > PAIRS else 0,
        "series": [one for one in series if one],
        "series_more": sum(not one for one in series),
        "kept": [one for one in kept if one],
        "kept_more": sum(not one for one in kept),
    }


def _steps(
    subject: Subject, chain: Sequence[Mapping[str, Any]], places: Sequence[int], register: Register
) -> list[dict[str, Any]]:
    """Return document, source and changes of each row of a chain."""
    sources = subject.places(row["source_id"] for row in chain).tolist()
    return [
        {
            "document": register(i),
            "source": None if source < 0 else register(source),
            "changed": {"en": short(row["changed"] or "", 300), "zh": short(row["changed_zh"] or "", 300)},
        }
        for row, i, source in zip(chain[:ISSUES], places, sources, strict=False)
    ]


def _seconds(hours: Sequence[float]) -> int | None:
    return round(3600 * median(hours)) if hours else None
