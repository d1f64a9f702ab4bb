"""Histogram of the scores of a run's pairs: its counts, and its drawing as SVG."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from quchong.languages import Language
from quchong.relation_codes import EQUALS, LEADERS, code_of, codes_in
from quchong.relations import BY_NAME, LEADING
from quchong.report.markup import Html, colour, coloured, join_html, markup
from quchong.report.words import format_message, relation_told

BINS = 20
DRAWN = tuple(name for name in LEADING if not BY_NAME[name].equal)
"""Relations with bars, from the lowest up.

Exact copies have no bar: their Jaccard is 1, and their number would make all other bars low.
"""
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _FOOT = 460, 170, 44, 12, 22, 22


class Scores(NamedTuple):
    """Number of pairs in each bin of Jaccard, for each relation.

    Attributes:
        counts: by relation, each int64 (BINS,): bin k counts Jaccards from k / BINS up to (k + 1) / BINS, the last with
            1. Pairs count under `Relation.either`, both containments as one. Relations without pairs are left out.
        copies: pairs of exact copies, which are in no bin.
    """

    counts: dict[str, np.ndarray]
    copies: int


def scores(pairs: pa.Table) -> Scores:
    """Count the pairs of a table (`quchong.tables.PAIRS`) by relation and Jaccard; an empty table gives no counts. O(pairs)."""
    jaccard, codes = pairs["jaccard"].to_numpy(), codes_in(pairs["relation"])
    counts = {}
    for relation in DRAWN:
        mine = jaccard[LEADERS[codes] == code_of(relation)]
        if len(mine):
            # edges as decimals have them: a Jaccard of 0.15 stands in the bin that begins with 0.15
            places = np.clip(np.floor(np.round(mine * BINS, 9)), 0, BINS - 1).astype(np.int64)
            counts[relation] = np.bincount(places, minlength=BINS)
    return Scores(counts, int(EQUALS[codes].sum()))


def histogram(found: Scores, language: Language) -> Html:
    """Draw the counts as SVG with a legend and a title on each bar; without pairs, return a sentence."""
    copies = (
        markup('<p class="q-soft">{}</p>', format_message(language, "copies", found.copies))
        if found.copies
        else Html("")
    )
    if not found.counts:
        return join_html([markup('<p class="q-soft">{}</p>', format_message(language, "no pairs")), copies])
    highest = int(sum(found.counts.values(), np.zeros(BINS, np.int64)).max())
    wide, high = (_WIDTH - _LEFT - _RIGHT) / BINS, _HEIGHT - _TOP - _FOOT
    bars, base = [], np.zeros(BINS, np.int64)
    for relation, counts in found.counts.items():
        for k in np.flatnonzero(counts).tolist():
            n, y = int(counts[k]), high * (1 - (base[k] + counts[k]) / highest)
            said = format_message(
                language, "bar", f"{k / BINS:.2f}", f"{(k + 1) / BINS:.2f}", relation_told(language, relation), n
            )
            bars.append(markup(
                '<rect x="{:.1f}" y="{:.2f}" width="{:.1f}" height="{:.2f}" fill="{}"><title>{}</title></rect>',
                _LEFT + k * wide + 1, _TOP + y, wide - 2, high * n / highest, colour(relation), said,
            ))  # fmt: skip
        base += counts
    title = format_message(language, "scores")
    legend = join_html(
        markup('<li><span class="q-dot" style="{}"></span>{} {:,}</li>', coloured(r), relation_told(language, r), int(n.sum()))
        for r, n in found.counts.items()
    )  # fmt: skip
    return join_html([
        markup('<svg viewBox="0 0 {} {}" role="img" aria-label="{}" xmlns="http://www.w3.org/2000/svg" font-size="11" '
               'fill="currentColor">', _WIDTH, _HEIGHT, title),
        _axes(highest, title, format_message(language, "pairs")), *bars, Html("</svg>"), markup('<ul class="q-legend">{}</ul>', legend),
        copies,
    ])  # fmt: skip


def _axes(highest: int, title: Html, pairs: Html) -> Html:
    """Return the SVG of the title, the axes and the numbers along them."""
    foot, right = _HEIGHT - _FOOT, _WIDTH - _RIGHT
    parts = [
        markup('<text x="{}" y="12" font-size="12">{}</text>', _LEFT, title),
        markup('<text x="{}" y="12" text-anchor="end" opacity=".75">{}</text>', right, pairs),
        markup('<path d="M{} {}H{}M{} {}H{}" stroke="currentColor" stroke-opacity=".35" fill="none"/>',
               _LEFT, foot, right, _LEFT, _TOP, right),
        markup('<text x="{}" y="{}" text-anchor="end">{:,}</text>', _LEFT - 6, _TOP + 4, highest),
        markup('<text x="{}" y="{}" text-anchor="end">0</text>', _LEFT - 6, foot + 4),
    ]  # fmt: skip
    for fifth in range(6):
        x = _LEFT + (right - _LEFT) * fifth / 5
        parts.append(markup('<text x="{:.1f}" y="{}" text-anchor="middle">{:.1f}</text>', x, foot + 15, fifth / 5))
    return join_html(parts)
