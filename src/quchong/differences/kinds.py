"""What kind of difference each edit is, and whether facts contradict there."""

from __future__ import annotations

import numpy as np

from quchong.differences import marks
from quchong.differences.edits import ANCHORED, READ, Edits
from quchong.differences.facts import beyond, contradiction, spoken_of
from quchong.differences.meaning import AFFIRMED, differing, negated, opposed, words_at
from quchong.differences.names import named_apart, names
from quchong.differences.sides import Side
from quchong.differences.stretches import Stretches, stretches_of, widened
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.tables import DIFFERENCES

WORDING, NOISE, BOILERPLATE = (DIFFERENCES.index(name) for name in ("wording", "noise", "boilerplate"))
MARGIN = 8
"""Tokens around a difference that are read to say what it is."""
UNIT = 3
"""Tokens of a unit behind a figure."""
NAME = 8
"""Tokens of a longer stretch are no name."""
SCATTERED = 5
"""With so many different tokens replaced one by one a pair is a noisy copy: single characters are no other names there."""
STATED, LISTED, NEGATED, NAMED = 1, 2, 4, 8
"""Why an edit is read: figures, words of the lexicon, negations, or what may be a name stands there."""
FIGURES = marks.NUMBER | marks.NUMERAL | marks.WORD
DATED = FIGURES | marks.RELATIVE


def kinds_of(
    form: Form, documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray,
    workers: int | None,
) -> tuple[np.ndarray, np.ndarray, Stretches]:  # fmt: skip
    """Kind (uint8) and conflict (bool) of every edit, and what stands there; most edits need no reading for it."""
    kind = np.where(noise, NOISE, WORDING).astype(np.uint8)
    conflict = np.zeros(len(kind), bool)
    read, why = _worth_reading(docs, left, right, edits, noise)
    stretches, mine, theirs = stretches_of(form, documents, left, right, edits, read, MARGIN, workers)
    questions = list(zip(mine, theirs, noise[read].tolist(), why.tolist(), strict=True))
    answers = _answers(list(dict.fromkeys(questions)))  # copies of one text differ from it alike
    for edit, question in zip(read.tolist(), questions, strict=True):
        if (told := answers.get(question)) is not None:
            kind[edit], conflict[edit] = DIFFERENCES.index(told[0]), told[1]
    stated = np.flatnonzero(np.isin(kind[read], [DIFFERENCES.index(name) for name in ("figure", "date", "code")]))
    reach = np.array([beyond(mine[k], theirs[k]) for k in stated.tolist()], np.int64).reshape(-1, 2)
    docs_of = (left[edits.pair], right[edits.pair])
    return kind, conflict, widened(documents.texts, docs_of, edits.pair, stretches, read[stated], reach)


Question = tuple[Window, Window, bool, int]
"""An edit to be read: both sides of it, whether it may be a slip, and why it is read, as bits."""


def _answers(questions: list[Question]) -> dict[Question, tuple[str, bool]]:
    """Kind and conflict of the edits that say something; each of these stands here once."""
    out: dict[Question, tuple[str, bool]] = {}
    wanting: list[Question] = []
    for question in questions:
        mine, theirs, noise, reason = question
        told = _told(mine, theirs, noise, reason) if reason != NAMED else None
        if told is not None:
            out[question] = told
        elif reason & NAMED:
            wanting.append(question)
    found = names([side for question in wanting for side in question[:2]])
    for question, here, there in zip(wanting, found[::2], found[1::2], strict=True):
        if (name := named_apart(here, there)) is not None:
            spoken = spoken_of(question[0]) or spoken_of(question[1])
            out[question] = (DIFFERENCES[BOILERPLATE], False) if spoken else (name, True)
    return out


def _told(mine: Window, theirs: Window, noise: bool, reason: int) -> tuple[str, bool] | None:
    """Kind and conflict of an edit by its figures, places, opposites, negations and titles; None where they say nothing."""
    facts = contradiction(mine, theirs) if reason & STATED else None
    if facts is not None and facts[1]:
        return facts
    found = _listed(mine, theirs, noise) if reason & LISTED else None
    if found is None and reason & NEGATED and negated(mine, theirs) and (
        not noise or AFFIRMED & {mine.stretch, theirs.stretch}
    ):  # fmt: skip
        return "negation", True
    return found or facts


def _listed(mine: Window, theirs: Window, noise: bool) -> tuple[str, bool] | None:
    """Kind and conflict by words of the lexicon that both sides have there."""
    here, there = words_at(mine), words_at(theirs)
    both = here.keys() & there.keys()
    for name, kind in (("places", "place"), ("bodies", "organisation")):
        if name in both and differing(mine, theirs, here[name], there[name]):
            return ("boilerplate", False) if spoken_of(mine) or spoken_of(theirs) else (kind, True)
    if "opposites" in both and opposed(here["opposites"], there["opposites"]):
        return "opposite", True
    if not noise and "titles" in both and differing(mine, theirs, here["titles"], there["titles"]):
        return "title words", False
    return None


def _worth_reading(
    docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, noise: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The edits that may state a fact, by what their tokens are, and why each is read, as bits."""
    a, b, p = edits.a, edits.b, edits.places
    at = np.flatnonzero((a <= READ) & (b <= READ) & (edits.before + edits.after >= ANCHORED))
    mine = Side.of(docs, left[edits.pair[at]], p[at, 0], p[at, 1])
    theirs = Side.of(docs, right[edits.pair[at]], p[at, 2], p[at, 3])
    both, slip = mine.own & theirs.own, noise[at]
    replaced = (a[at] > 0) & (b[at] > 0)
    figures = replaced & ((mine.own & DATED) > 0) & ((theirs.own & DATED) > 0)
    figures |= ~replaced & (((mine.own | theirs.own) & FIGURES) > 0) & ((mine.beside(1) & FIGURES) > 0)
    figures |= replaced & ((mine.before(1) & marks.NUMBER) > 0) & (np.maximum(a[at], b[at]) <= UNIT)
    negated_ = (((mine.own | theirs.own) & marks.NEGATION) > 0) & (np.maximum(a[at], b[at]) <= 6)
    han = replaced & ((both & marks.HAN) > 0)
    single = (a[at] == 1) & (b[at] == 1)
    quiet = single & _scattered(mine, theirs, edits.pair[at], replaced & single)
    listed = replaced & ((mine.listed() & theirs.listed()) > 0)
    words = replaced & ((both & marks.WORD) > 0) & ~quiet
    few = (np.bincount(edits.pair[at], replaced, int(edits.pair.max(initial=-1)) + 1) < SCATTERED)[edits.pair[at]]
    nameable = (mine.nameable() & theirs.nameable()) | (few & (np.maximum(a[at], b[at]) >= 2))
    brief = np.maximum(a[at], b[at]) <= NAME
    named = han & ~slip & ~quiet & brief & nameable
    reasons = (
        (figures | words, STATED), (listed | words, LISTED), (negated_ | words, NEGATED), (named, NAMED),
    )  # fmt: skip
    why = np.zeros(len(at), np.uint8)
    for chosen, bit in reasons:
        why[chosen] |= bit
    some = np.flatnonzero(why)
    return at[some], why[some]


def _scattered(mine: Side, theirs: Side, pair: np.ndarray, single: np.ndarray) -> np.ndarray:
    """Mask of the edits of pairs in which so many different tokens are replaced one by one that a single one means nothing."""
    out = np.zeros(int(pair.max(initial=-1)) + 1, np.int64)
    some = np.flatnonzero(single)
    x, y = mine.tokens[mine.first[some]].astype(np.uint64), theirs.tokens[theirs.first[some]].astype(np.uint64)
    key = (x << np.uint64(32) | y) ^ (pair[some].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    _, once = np.unique(key, return_index=True)
    np.add.at(out, pair[some[once]], 1)
    mask: np.ndarray = (out >= SCATTERED)[pair]
    return mask
