"""Alignment of pairs and classification of each of their differences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quchong import kernels
from quchong.differences.added_sentences import without_added_sentences
from quchong.differences.asking import asked_in_text
from quchong.differences.broken_words import broken_bodies, lone_slips, negations_put_in
from quchong.differences.corrections import corrected
from quchong.differences.definitions import other_definitions
from quchong.differences.edit_tokens import edit_tokens
from quchong.differences.edits import COVERED, Edits, edits_of, noisy
from quchong.differences.exchange import exchanged, names_exchanged
from quchong.differences.framing import framed_tokens, furniture
from quchong.differences.gist import same_gists
from quchong.differences.hinted_documents import HintedDocuments
from quchong.differences.kinds import BOILERPLATE, CERTAIN, IS_NAME, MODALITY, NOISE, TERM, WORDING, kinds_of
from quchong.differences.other_modules import other_modules
from quchong.differences.rearranged import rearranged
from quchong.differences.reordered_lists import listed_anew
from quchong.differences.restated import may_be_restated, restated
from quchong.differences.scattered import scattered
from quchong.differences.slips import word_slips
from quchong.differences.slots import parted
from quchong.differences.stretches import Stretches
from quchong.differences.token_lists import token_lists
from quchong.differences.tongues.edits import judged_by_tongue
from quchong.differences.voice import turned_passive
from quchong.kernels.arrays import Ragged
from quchong.kernels.offsets import prefix_sums
from quchong.kernels.sorting import code_table, distinct
from quchong.kernels.text import Form
from quchong.patterns import lazy_pattern
from quchong.seam import Differences, Documents
from quchong.tables import DIFFERENCES, FACTS

OPPOSITE, FIELD, CODE, FIGURE = (DIFFERENCES.index(kind) for kind in ("opposite", "field", "code", "figure"))
_MAY_BE_LISTED = IS_NAME | code_table([OPPOSITE, FIGURE])
"""Mask of the kinds that conflict where two parts of a list changed places: 买方和卖方, 张三和李四."""
_STATES = code_table([k for k, kind in enumerate(DIFFERENCES) if kind in FACTS and kind != "term"])
"""Mask of the kinds of facts, without other terms."""
COPIED = 0.95
"""Share of both texts in the alignment from which on a pair is a copy under every preset, unless a word is replaced."""
MOVED = 0.8
"""Share of a text in the alignment below which parts of it occur elsewhere in the other text."""


def find_differences(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, looked: np.ndarray, read: np.ndarray,
    workers: int | None = None, facts: np.ndarray | None = None,
) -> Differences:  # fmt: skip
    """Align pairs token by token and return their differences, classified by kind.

    Args:
        form: how texts become tokens.
        documents: each once.
        left, right: pairs as indices into documents.
        looked: mask of the pairs to align; the others have no differences, and their aligned shares are 0.
        read: mask of the pairs whose differences are always reported; of other aligned pairs only those that the alignment nearly covers.
        workers: threads.
        facts: uint16, kinds of facts that are known to conflict in each pair; where `field` is among them, words replaced by others fill a
            slot of a template.

    Deterministic. Cost: `quchong.kernels.align.edits`; what can state a fact is read, about 20 us each. Source: docs/relations.md.
    """
    # (1) Align the pairs asked for. From here on pairs are numbered as in `at`.
    at = looked.nonzero()[0]
    if not len(at):
        return Differences.none(len(left))
    docs, _ = documents.tokenised(form, workers, places=True)
    x, y = np.asarray(left, np.int64)[at], np.asarray(right, np.int64)[at]
    found = kernels.align.edits(docs, x.astype(np.uint32), y.astype(np.uint32), workers=workers)
    edits = edits_of(docs, x, y, found)
    # (2) Measure: characters replaced by look-alikes, and slips inside words, count as aligned, because a scan with slips is the same text.
    words, certain = word_slips(form, documents, docs, x, y, edits, found.matched, workers)
    noise = np.where(certain, CERTAIN, noisy(docs, x, y, edits) | words).astype(np.uint8)
    again = rearranged(documents, docs, x, y, found.matched)
    slips = np.bincount(edits.pair, np.where(noise, edits.a, 0), len(at))
    sizes = [np.maximum(docs.lengths[side], 1) for side in (x, y)]
    hinted = HintedDocuments(documents)
    aside = framed_tokens(form, hinted, x, y, edits, [found.matched + slips] * 2, sizes, workers)
    aligned = [np.minimum((found.matched + slips + more) / size, 1.0) for more, size in zip(aside, sizes, strict=True)]
    # (3) Keep only the edits of pairs that are read, rearranged or nearly covered: others are no copies, and reading is the cost.
    share = np.minimum(*aligned)
    worth = read[at] | again | (share >= COVERED)
    worth |= may_be_restated(edits, share, sizes)
    some = worth[edits.pair]
    edits, noise, words = edits.select(some), noise[some], words[some]
    pairs = len(left)
    told, shares = np.zeros(pairs, bool), np.zeros((2, pairs))
    told[at] = worth
    for k, share in enumerate(aligned):
        shares[k, at] = np.where(again, 1.0, np.where(worth, share, 0.0))
    if not len(edits.pair):
        return replace(Differences.none(pairs), aligned_left=shares[0], aligned_right=shares[1], told=told)
    # (4) Cut edits where sentences begin that one text has more, and at replaced figures; then classify every edit.
    hashed = documents.hashed(form, workers)
    edits, whole_of = without_added_sentences(form, documents, docs, x, y, edits, noise, workers)
    edits, part_of, rest = parted(docs, hashed, x, y, edits, form.tables, workers)
    part_of = whole_of[part_of]
    noise, words = noise[part_of], words[part_of]
    lists = edit_tokens(hashed, x, y, edits, token_lists(form.tables))
    kind, conflict, stretches = kinds_of(form, documents, (docs, hashed), x, y, edits, noise, lists, workers)
    asked = asked_in_text(documents, hashed, x, y, edits, stretches, lists) & ~conflict
    if np.count_nonzero(asked):
        kind, conflict = np.where(asked, MODALITY, kind).astype(np.uint8), conflict | asked
    # A word with a slip that looks like a code (mln, m1n) or like no figure (five, fivo) states nothing else than before.
    if np.count_nonzero(conflict):
        slipped = words & conflict & ((kind == CODE) | (kind == FIGURE))
        slipped |= scattered(documents, docs, x, y, edits, kind, conflict, stretches)
        slipped |= broken_bodies(documents, docs, x, y, edits, kind, conflict, stretches)
        slipped |= negations_put_in(documents, x, y, edits, kind, conflict, stretches)
        kind, conflict = np.where(slipped, NOISE, kind), conflict & ~slipped
    lone = lone_slips(documents, docs, x, y, edits, kind, stretches)
    if np.count_nonzero(lone):
        kind = np.where(lone, NOISE, kind)
    kind, conflict = judged_by_tongue(documents, hashed, x, y, edits, kind, conflict, stretches, form.tables)
    # (5) Text that only moved does not conflict; exchanged parts of a sentence do (who won against whom).
    ordered = ~again[edits.pair]
    if np.count_nonzero(conflict):
        gone = moved(documents, docs, x, y, edits, found.matched, conflict, stretches)
        gone &= ~names_exchanged(documents, x, edits, stretches, gone & IS_NAME[kind])
        conflict = conflict & ~gone & ordered
    crossed = exchanged(documents, docs, x, y, edits, stretches)
    crossed = (crossed | turned_passive(documents, x, y, edits, stretches, lists)) & ordered
    listed = listed_anew(documents, x, y, edits, stretches, crossed | (conflict & _MAY_BE_LISTED[kind]))
    crossed, conflict = crossed & ~listed, conflict & ~listed
    # Another term that moved, or in a text with its parts in another order, is none.
    term = kind == TERM
    slip = noise != 0
    if np.count_nonzero(term):
        kind = np.where(term & ~conflict, np.where(slip, NOISE, WORDING), kind).astype(np.uint8)
        # A word that a correction replaces is no rewording.
        kind = np.where(corrected(documents, x, y, edits, term & conflict), OPPOSITE, kind).astype(np.uint8)
    if np.count_nonzero(crossed):
        kind, conflict = np.where(crossed & ~_STATES[kind], OPPOSITE, kind), conflict | crossed
    # Counters, times of publication and the like around a text state nothing of it.
    in_frame = furniture(x, y, edits, (kind, conflict), aside[0] + aside[1] > 0, sizes, stretches, hinted)
    if np.count_nonzero(in_frame):
        kind, conflict = np.where(in_frame, BOILERPLATE, kind), conflict & ~in_frame
    # Code made after one pattern defines other names: another class is no version of the first.
    defined = other_definitions(documents, hashed, x, y, edits, noise, form.tables)
    defined |= other_modules(hinted, hashed, x, y, edits, noise, stretches, defined)
    defined &= ordered
    if np.count_nonzero(defined):
        kind, conflict = np.where(defined, CODE, kind), conflict | defined
    if facts is not None:
        slot = (
            ((kind == WORDING) | ((kind == TERM) & ~slip))
            & (edits.a > 0)
            & (edits.b > 0)
            & ((facts[at] & (1 << FIELD)) != 0)[edits.pair]
        )
        kind, conflict = np.where(slot, FIELD, kind), conflict | slot
    # (6) Unexplained content: replaced tokens that are neither noise nor boilerplate. Rearranged texts have none.
    content = (kind != NOISE) & (kind != BOILERPLATE) & ~(term & slip) & ordered
    content &= (np.minimum(edits.a, edits.b) > 0) | rest
    # What says the same in other words counts as aligned in a brief text.
    again_said = restated(form, documents, x, y, edits, content & (~conflict | term) & ~rest, sizes, workers)
    open_ = (shares[:, at].min(axis=0) < COPIED) | (np.bincount(edits.pair, content & ~again_said, len(at)) > 0)
    open_ &= np.bincount(edits.pair, conflict & ~term & ~again_said, len(at)) == 0
    again_said |= same_gists(documents, hashed, x, y, edits, open_, sizes, form.tables)
    if np.count_nonzero(again_said):
        content, conflict = content & ~again_said, conflict & ~again_said
        kind = np.where(again_said & term, WORDING, kind).astype(np.uint8)
        for k, side in enumerate((edits.a, edits.b)):
            more = np.bincount(edits.pair, np.where(again_said, side, 0), len(at)) / sizes[k]
            shares[k, at] = np.where(worth, np.minimum(shares[k, at] + more, 1.0), shares[k, at])
    # (7) Spread the results over all pairs, also those that were not aligned.
    counts, unexplained = np.zeros(pairs, np.int64), np.zeros(pairs, np.uint32)
    counts[at] = np.bincount(edits.pair, minlength=len(at))
    unexplained[at] = np.bincount(edits.pair, np.where(content, np.maximum(edits.a, edits.b), 0), len(at)).astype(
        np.uint32
    )
    return Differences(
        prefix_sums(counts), kind, conflict, stretches.places, stretches.left, stretches.right,
        shares[0], shares[1], unexplained, told,
    )  # fmt: skip


def moved(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, matched: np.ndarray,
    conflict: np.ndarray, stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the conflicts that are moved text only: the words of both sides occur in other differences of the pair.

    Applies only if less than MOVED of the longer text is aligned: a figure exchanged with another one in its sentence is a conflict.
    """
    out = np.zeros(len(conflict), bool)
    if not np.count_nonzero(conflict):
        return out
    # Read only pairs with a conflict and little aligned: this compares strings, and few pairs are such.
    bounds = prefix_sums(np.bincount(edits.pair, minlength=len(left)))
    share = matched / np.maximum(np.maximum(docs.lengths[left], docs.lengths[right]), 1)
    few = np.flatnonzero(conflict & (share < MOVED)[edits.pair])
    for pair in distinct(edits.pair[few]).tolist():
        here = slice(int(bounds[pair]), int(bounds[pair + 1]))
        one, other = documents.texts.text(int(left[pair])), documents.texts.text(int(right[pair]))
        places = stretches.places[here].tolist()
        mine, theirs = [one[a:b] for a, b, _, _ in places], [other[c:d] for _, _, c, d in places]
        all_mine, all_theirs = "\n".join(mine), "\n".join(theirs)
        for k, (a, b, c, d) in enumerate(places):
            out[here.start + k] = (
                mine[k] in all_theirs
                and theirs[k] in all_mine
                and (bool(theirs[k]) or _moved_here(one, a, b, theirs, all_theirs))
                and (bool(mine[k]) or _moved_here(other, c, d, mine, all_mine))
            )
    return out


def _moved_here(text: str, begin: int, end: int, stretches: list[str], joined: str) -> bool:
    """Return True if a word that only this text has here is a whole difference elsewhere, or has a neighbour of it beside it there.

    不 in 不得转载 is not the 不 of 不召开: a short word occurs in any text.
    """
    if text[begin:end] in stretches:
        return True
    before, after = _BEFORE.search(text, max(0, begin - _NEAR), begin), _AFTER.match(text, end)
    near = (text[before.start() : end] if before else "", text[begin : after.end()] if after else "")
    return any(words and words in joined for words in near)


_BEFORE = lazy_pattern(r"(?:[\u3400-\u9fff]|[^\W\u3400-\u9fff]+)\W*$")
_AFTER = lazy_pattern(r"\W*(?:[\u3400-\u9fff]|[^\W\u3400-\u9fff]+)")
"""The word, or the Chinese character, before and after a place in a text."""
_NEAR = 40
"""Characters before a place in which the word before it is looked for."""
