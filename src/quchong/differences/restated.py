"""Edits of brief texts whose two sides say the same: 140 and one hundred and forty, must and have to, IBM in full."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from quchong.differences.agreement import same
from quchong.differences.contraries import are_contraries
from quchong.differences.dictionaries import negations, opposites
from quchong.differences.edits import Edits
from quchong.differences.figures import Mention, clear_before, mentions, wordy
from quchong.differences.latin_names import one_name_otherwise
from quchong.differences.modality import may_have_modality, modality_agrees
from quchong.differences.negation import negates_alike
from quchong.differences.numerals import FINANCIAL
from quchong.differences.phrasals import in_one_word
from quchong.differences.stretches import stretches_of
from quchong.differences.synonyms import are_synonyms, is_listed
from quchong.differences.windows import Window, dictionary_forms
from quchong.kernels.text import Form
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

BRIEF = 60
"""Tokens of the shorter text from which a few words that say the same in another way decide nothing."""
FEW, LONGEST = 4, 10
"""Most replacements of a pair that are read, and most tokens of either side of one."""
REACHED = 0.6
"""Least share of both texts in the alignment of a pair that is read for it."""
MARGIN = 24
"""Tokens around an edit that are read."""


def may_be_restated(edits: Edits, share: np.ndarray, sizes: Sequence[np.ndarray]) -> np.ndarray:
    """Return a mask of the pairs of brief texts whose few short edits may all be restatements.

    Such words are several tokens (one hundred and forty) and weigh much in a brief text: the alignment need not nearly cover the pair.

    Args:
        share: the lesser share of both texts in the alignment. sizes: tokens of the left and the right text of each pair.

    Cost: linear in the edits.
    """
    out: np.ndarray = (share >= REACHED) & (np.minimum(*sizes) < BRIEF)
    if not np.count_nonzero(out):
        return out
    out &= np.bincount(edits.pair, minlength=len(share)) <= FEW
    out &= np.bincount(edits.pair, np.maximum(edits.a, edits.b) > LONGEST, len(share)) == 0
    return out


def restated(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, open_: np.ndarray,
    sizes: Sequence[np.ndarray], workers: int | None,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits that say the same on both sides in other words, in pairs of brief texts.

    In a brief text one replaced word decides whether it is a copy; one that says the same must not.

    Args:
        open_: mask of the edits that may be such: replacements that are no noise and no conflict.
        sizes: tokens of the left and the right text of each pair.

    Cost: 3 us for each edit that may be such; 30 us for each that is read, because its stretches may say the same.
    """
    out = np.zeros(len(edits.pair), bool)
    brief = np.minimum(*sizes) < BRIEF
    some = open_ & brief[edits.pair] & (np.maximum(edits.a, edits.b) <= LONGEST)
    counts = np.bincount(edits.pair, open_, len(left))
    at = np.flatnonzero(some & (counts <= FEW)[edits.pair])
    if not len(at):
        return out
    at = at[_may_be(*_stretches(form, documents, left, right, edits, at, workers))]
    if not len(at):
        return out
    _, around = stretches_of(form, documents, left, right, _edits_at(edits, at), np.arange(len(at)), MARGIN, workers)
    windows, written, sides = around.distinct_windows(np.arange(len(at)))
    for k, (a, b) in zip(at.tolist(), sides.tolist(), strict=True):
        out[k] = says_the_same(windows[a], windows[b]) or one_name_otherwise(written[a], written[b])
    return out


def _edits_at(edits: Edits, at: np.ndarray) -> Edits:
    """Return the edits at these indices, ascending."""
    some = np.zeros(len(edits.pair), bool)
    some[at] = True
    return edits.select(some)


def _stretches(
    form: Form, documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, at: np.ndarray, workers: int | None
) -> tuple[list[str], list[str]]:  # fmt: skip
    """Return the differing texts of the edits at these indices in the form of the dictionaries, left and right."""
    sides, _ = stretches_of(form, documents, left, right, _edits_at(edits, at), at[:0], 0, workers)
    return dictionary_forms(sides.left.to_pylist()), dictionary_forms(sides.right.to_pylist())


def _may_be(mine: Sequence[str], theirs: Sequence[str]) -> np.ndarray:
    """Return a mask of the pairs of differing texts `mine` and `theirs` for which `may_say_the_same` is True."""
    return np.fromiter(map(may_say_the_same, mine, theirs), bool, len(mine))


def may_say_the_same(one: str, other: str) -> bool:
    """Return False if two Chinese texts cannot state the same, whatever is around them; True if they may.

    Such have no figure, modality or negation on both sides, and are no words of one sense. Nearly all single characters that replace each
    other are such.

    Example:
        >>> may_say_the_same("监", "签"), may_say_the_same("三", "叁"), may_say_the_same("饭店", "餐馆")
        (False, True, True)
    """
    if not (_is_chinese(one) and _is_chinese(other)):
        return True
    if one[0] in _DENYING or other[0] in _DENYING or (may_have_modality(one) and may_have_modality(other)):
        return True
    if _may_state(one) and _may_state(other):
        return True
    if negations()[0].issuperset((one, other)):
        return True
    return one_word_for_another(one, other)


_DENYING = "不没未"
"""Characters with which a Chinese stretch may deny the opposite of another one."""


_CHINESE = lazy_pattern("[\u3400-\u9fff]+")


def _is_chinese(stretch: str) -> bool:
    """Return True if a text is not empty and has Chinese characters alone."""
    return _CHINESE.fullmatch(stretch) is not None


def _may_state(stretch: str) -> bool:
    """Return True if a text of Chinese characters may be a part of a figure or a date."""
    return not wordy(stretch, 0, len(stretch)) or not FINANCIAL.keys().isdisjoint(stretch)


def says_the_same(left: Window, right: Window) -> bool:
    """Return True if the differing texts have equal figures or dates, one modality, or one negation, and no other word differs.

    Example:
        >>> text = "about {} men came"
        >>> [says_the_same(Window(text.format("24"), 6, 8), Window(text.format(x), 6, 15)) for x in ("two dozen", "ten dozen")]
        [True, False]
    """
    if left.start == left.end or right.start == right.end:
        return False
    return (
        written_alike(left, right)
        or states_equally(left, right)
        or modality_agrees(left, right)
        or negates_alike(left, right)
        or denies_the_opposite(left, right)
        or one_word_for_another(left.stretch, right.stretch)
    )


_PARTICLES = ("和与及同跟", "在于", "就便", "也亦", "到至", "将把", "从自", "很挺", "并且", "看见", "被遭")
"""Chinese words of one character that editors exchange; others have too many meanings to be taken for synonyms in a brief text."""
_EXCHANGED = frozenset(one + other for some in _PARTICLES for one in some for other in some)


def one_word_for_another(one: str, other: str) -> bool:
    """Return True if two texts are one word each, and these are synonyms in the lexicon.

    Example:
        >>> one_word_for_another("surgery", "operation"), one_word_for_another("饭店", "餐馆"), one_word_for_another("还", "都")
        (True, True, False)
        >>> one_word_for_another("put off", "postponed")
        True
    """
    if len(one) == len(other) == 1:
        return one + other in _EXCHANGED
    if " " in one or " " in other:
        one, other = (" ".join(in_one_word(side.split())) if side.isascii() else side for side in (one, other))
    if min(len(one), len(other)) <= 1 or not (one.isalpha() and other.isalpha()):
        return False
    return is_listed(one) and is_listed(other) and are_synonyms(one, other)


_DENIAL = lazy_pattern(rf"(?:not|never|no longer) (?:an? )?|[{_DENYING}]有?")


def denies_the_opposite(left: Window, right: Window) -> bool:
    """Return True if one differing text is a word, and the other its opposite with a negation before it: impossible and not possible."""
    for one, other in ((left, right), (right, left)):
        denied, said = _DENIAL.match(one.stretch), other.stretch
        if denied is not None and said:
            word = one.stretch[denied.end() :]
            if word in opposites().get(said, ()) or (word.isascii() and word and are_contraries(word, said)):
                return True
    return False


_JOINS = lazy_pattern(r"[\s'\-]")


def written_alike(left: Window, right: Window) -> bool:
    """Return True if the differing texts have the same letters except accents, hyphens and blanks: café, cafe; re-opened, reopened."""
    mine, theirs = (_JOINS.sub("", side.stretch) for side in (left, right))
    if mine != theirs:
        mine, theirs = (
            "".join(c for c in unicodedata.normalize("NFD", side) if not unicodedata.combining(c))
            for side in (mine, theirs)
        )
    return mine == theirs and mine.isalpha() and mine.isascii()


def states_equally(left: Window, right: Window) -> bool:
    """Return True if both differing texts have the same figures and dates in order, in any notation, and equal words between them."""
    mine = _stated(left)
    theirs = _stated(right) if mine else ()
    if not mine or len(mine) != len(theirs) or not all(map(_equal, mine, theirs)):
        return False
    # A mention may reach beyond the stretch: as much is read on both sides.
    before = max(left.start - mine[0].start, right.start - theirs[0].start, 0)
    behind = max(mine[-1].end - left.end, theirs[-1].end - right.end, 0)
    return _words_between(left, mine, before, behind) == _words_between(right, theirs, before, behind)


@lru_cache(1 << 12)
def _stated(window: Window) -> tuple[Mention, ...]:
    """Return the mentions that overlap the differing text of a window."""
    found = mentions(window.text, window.end, clear_before(window.text, window.start))
    return tuple(m for m in found if window.touches(m.start, m.end))


def _words_between(window: Window, some: tuple[Mention, ...], before: int, behind: int) -> str:
    """Return the differing text with some characters around it, without blanks, and with a placeholder for each mention."""
    text, at, out = window.text, window.start - before, ""
    for mention in some:
        out += text[at : mention.start] + "#"
        at = mention.end
    return "".join((out + text[at : window.end + behind]).split())


def _equal(one: Mention, other: Mention) -> bool:
    """Return True if two mentions state the same whole: every part of a date, and a figure in one unit or a share."""
    if one.kind != other.kind or one.kind == "code" or not same(one, other):
        return False
    x, y = one.value, other.value
    if one.kind == "date":
        return bool(x == y)
    return bool(x.rough == y.rough and (x.unit == y.unit or x.share or y.share))
