"""What kind of difference each edit is, and whether facts contradict there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from quchong import kernels
from quchong.differences import marks
from quchong.differences.edits import ANCHORED, READ, Edits
from quchong.differences.facts import contradiction, spoken_of
from quchong.differences.meaning import AFFIRMED, differing, negated, opposed
from quchong.differences.names import named_apart, names
from quchong.differences.windows import Window, windows
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.tables import DIFFERENCES

WORDING, NOISE, BOILERPLATE = (DIFFERENCES.index(name) for name in ("wording", "noise", "boilerplate"))
MARGIN = 10
"""Tokens around a difference that are read to say what it is."""
SCATTERED = 8
"""With so many characters replaced one by one a pair is a noisy copy: single characters are no other names there."""


@dataclass(frozen=True, slots=True)
class Stretches:
    """What stands at edits: characters of both texts, (n, 4) int64, and what is written there."""

    places: np.ndarray
    left: pa.Array
    right: pa.Array


def kinds_of(
    form: Form, documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray,
    workers: int | None,
) -> tuple[np.ndarray, np.ndarray, Stretches]:  # fmt: skip
    """Kind (uint8) and conflict (bool) of every edit, and what stands there; most edits need no reading for it."""
    kind = np.where(noise, NOISE, WORDING).astype(np.uint8)
    conflict = np.zeros(len(kind), bool)
    read, named = _worth_reading(docs, left, right, edits, noise)
    stretches, mine, theirs = _stretches(form, documents, left, right, edits, read, workers)
    wanting: list[int] = []
    for k, edit in enumerate(read.tolist()):
        told = _told(mine[k], theirs[k], bool(noise[edit]))
        if told is not None:
            kind[edit], conflict[edit] = DIFFERENCES.index(told[0]), told[1]
        elif named[edit]:
            wanting.append(k)
    found = names([w for k in wanting for w in (mine[k], theirs[k])])
    for n, k in enumerate(wanting):
        name = named_apart(found[2 * n], found[2 * n + 1])
        if name is not None:
            edit = int(read[k])
            conflict[edit] = not (spoken_of(mine[k]) or spoken_of(theirs[k]))
            kind[edit] = DIFFERENCES.index(name) if conflict[edit] else BOILERPLATE
    return kind, conflict, stretches


def _told(mine: Window, theirs: Window, noise: bool) -> tuple[str, bool] | None:
    """Kind and conflict of an edit by its figures, opposites, negations, places and titles; None where they say nothing."""
    facts = contradiction(mine, theirs)
    if facts is not None and facts[1]:
        return facts
    for name, kind in (("places", "place"), ("bodies", "organisation")):
        if differing(mine, theirs, name):
            spoken = spoken_of(mine) or spoken_of(theirs)
            return ("boilerplate", False) if spoken else (kind, True)
    if opposed(mine, theirs):
        return "opposite", True
    if (not noise or AFFIRMED & {mine.stretch, theirs.stretch}) and negated(mine, theirs):
        return "negation", True
    if not noise and differing(mine, theirs, "titles"):
        return "title words", False
    return facts


def _worth_reading(
    docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The edits that may state a fact, by what their tokens are: places of all, and a mask of those that may be names."""
    a, b, p = edits.a, edits.b, edits.places
    anchored = (a <= READ) & (b <= READ) & (edits.before + edits.after >= ANCHORED)
    at = np.flatnonzero(anchored)
    i, j = docs.offsets[left[edits.pair[at]]], docs.offsets[right[edits.pair[at]]]
    tokens = docs.tokens
    own_a = marks.either(tokens, i + p[at, 0], i + p[at, 1])
    own_b = marks.either(tokens, j + p[at, 2], j + p[at, 3])
    wide_a = own_a | marks.either(tokens, i + np.maximum(p[at, 0] - 2, 0), i + p[at, 0])
    wide_b = own_b | marks.either(tokens, j + np.maximum(p[at, 2] - 2, 0), j + p[at, 2])
    either, both = own_a | own_b, own_a & own_b
    replaced = (a[at] > 0) & (b[at] > 0)
    figures = (either & (marks.NUMBER | marks.NUMERAL | marks.WORD)) > 0
    days = replaced & ((either & marks.RELATIVE) > 0) & ~noise[at]
    negated = ((either & marks.NEGATION) > 0) & (np.maximum(a[at], b[at]) <= 6)
    turned = (
        replaced & (((both & (marks.OPPOSITE | marks.TITLE)) > 0) | ((own_a & own_b & marks.WORD) > 0)) & ~noise[at]
    )
    placed = replaced & ((wide_a & wide_b & marks.PLACE) > 0)
    han = ((own_a & marks.HAN) > 0) & ((own_b & marks.HAN) > 0)
    single = replaced & (a[at] == 1) & (b[at] == 1) & han
    scattered = np.bincount(edits.pair[at], single, int(edits.pair.max(initial=-1)) + 1) >= SCATTERED
    quiet = single & scattered[edits.pair[at]]
    surname = (wide_a & wide_b & marks.SURNAME) > 0
    ends = np.minimum(p[at, 1] + 2, docs.lengths[left[edits.pair[at]]])
    surname |= (marks.either(tokens, i + p[at, 1], i + ends) & marks.SUFFIX) > 0
    longer = np.maximum(a[at], b[at]) >= 2
    named = replaced & han & ~noise[at] & ~quiet & (surname | longer)
    chosen = figures | days | negated | (turned & ~quiet) | (placed & ~quiet) | named
    mask = np.zeros(len(a), bool)
    mask[at[named]] = True
    return at[chosen], mask


def _stretches(
    form: Form,
    documents: Documents,
    left: np.ndarray,
    right: np.ndarray,
    edits: Edits,
    read: np.ndarray,
    workers: int | None,
) -> tuple[Stretches, list[Window], list[Window]]:
    """What stands at every edit, and the windows of those to read, on both sides: each text is gone through once."""
    n, m = len(edits.pair), len(read)
    every = np.concatenate([np.arange(n), read])
    doc = np.concatenate([left[edits.pair[every]], right[edits.pair[every]]])
    first = np.concatenate([edits.places[every, 0], edits.places[every, 2]])
    last = np.concatenate([edits.places[every, 1], edits.places[every, 3]])
    margin = np.tile(np.repeat(np.array([0, MARGIN], np.uint8), [n, m]), 2)
    order = np.argsort(doc, kind="stable")
    found = kernels.text.stretches(
        form, documents.texts, doc[order].astype(np.uint32), first[order].astype(np.uint32), last[order].astype(np.uint32),
        margin[order], workers,
    )  # fmt: skip
    back = np.empty(len(order), np.int64)
    back[order] = np.arange(len(order))
    places = found.places.astype(np.int64)
    mine, theirs = back[: n + m], back[n + m :]
    spots = np.concatenate([places[mine[:n], 1:3], places[theirs[:n], 1:3]], 1)
    sides = Stretches(spots, found.windows.take(pa.array(mine[:n])), found.windows.take(pa.array(theirs[:n])))
    return sides, _read(found.windows, places, mine[n:]), _read(found.windows, places, theirs[n:])


def _read(texts: pa.Array, places: np.ndarray, at: np.ndarray) -> list[Window]:
    here = places[at]
    strings: Sequence[str] = texts.take(pa.array(at)).to_pylist()
    return windows(strings, (here[:, 1] - here[:, 0]).tolist(), (here[:, 2] - here[:, 0]).tolist())
