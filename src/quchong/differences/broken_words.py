"""Single wrong characters that break a word: in brief Chinese texts, and negations that noise put into a word."""

from __future__ import annotations

import numpy as np

from quchong.differences.dictionaries import negations
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.scattered import BROKEN, REACH, longest_word
from quchong.differences.stretches import Stretches
from quchong.differences.synonyms import known_bigrams
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import among, distinct
from quchong.seam import Documents
from quchong.tables import DIFFERENCES
from quchong.text.words import is_known_word, tagged

SHORTEST, BRIEF = 16, 45
"""Tokens at or above which, and below which, such a character is sought. From BRIEF on a pair may be accepted with a word replaced; below
SHORTEST a text has few words, and one of them is what it is about: 玫瑰怎么种, 玫瑰怎么卖.
"""
LONE = 2
"""Most such characters of a pair."""
_NAMES = ("nr", "ns", "nt", "nz")
_NOISE_KIND, _WORDING_KIND, _NEGATION_KIND, _BODY_KIND = (
    DIFFERENCES.index(kind) for kind in ("noise", "wording", "negation", "organisation")
)


def lone_slips(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray,
    stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits of a brief text in which one Chinese character turns a common word into none: 建设 into 同设.

    Only in pairs that differ in nothing else, with LONE of them at most: in longer texts many of them tell a noisy copy (`scattered`), and
    single ones do not decide. What makes a pair of characters that stands in any word is none, nor what turns a name.

    Cost: the texts of brief pairs that differ so are read, 10 us an edit.
    """
    out = np.zeros(len(edits.pair), bool)
    shorter = np.minimum(docs.lengths[left], docs.lengths[right])
    brief = (shorter >= SHORTEST) & (shorter < BRIEF)
    changed = (kind != _NOISE_KIND) & brief[edits.pair]
    some = np.flatnonzero(changed & (kind == _WORDING_KIND) & (edits.a == 1) & (edits.b == 1))
    for column, side in ((0, left), (2, right)):
        some = some[docs.tokens[docs.offsets[side[edits.pair[some]]] + edits.places[some, column]] < WORD_TOKEN]
    if not len(some):
        return out
    counts = np.bincount(edits.pair[changed], minlength=len(left))
    alone = np.bincount(edits.pair[some], minlength=len(left))
    some = some[((counts == alone) & (counts <= LONE))[edits.pair[some]]]
    broken = np.array(
        [_breaks_a_word(documents, left, right, edits, stretches.places[k].tolist(), k) for k in some.tolist()], bool
    )
    # Two characters that change places are meant: 小 and 大 of 小平溪 and 大平溪.
    mine, theirs = (
        docs.tokens[docs.offsets[side[edits.pair[some]]] + edits.places[some, column]]
        for column, side in ((0, left), (2, right))
    )
    key = edits.pair[some].astype(np.uint64) << np.uint64(32)
    broken &= ~(among(key | mine, np.sort(key | theirs)) | among(key | theirs, np.sort(key | mine)))
    every = np.bincount(edits.pair[some], broken, len(left)) == alone
    out[some[broken & every[edits.pair[some]]]] = True
    return out


def broken_bodies(
    documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray, conflict: np.ndarray,
    stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits in conflicting organisation names that differ in one Chinese character, which breaks a common word.

    Another body has another word there (工商, 农商), or another name; what turns a name is left alone, and a change at several places is
    meant.

    Cost: the texts of pairs with such an edit are read, 10 us an edit.
    """
    out = np.zeros(len(edits.pair), bool)
    some = np.flatnonzero(conflict & (kind == _BODY_KIND) & (edits.a == 1) & (edits.b == 1))
    for column, side in ((0, left), (2, right)):
        some = some[docs.tokens[docs.offsets[side[edits.pair[some]]] + edits.places[some, column]] < WORD_TOKEN]
    if not len(some):
        return out
    at = (docs.offsets[side[edits.pair[some]]] + edits.places[some, column] for column, side in ((0, left), (2, right)))
    mine, theirs = (docs.tokens[places].astype(np.uint64) for places in at)
    _, which, times = np.unique(
        np.column_stack([edits.pair[some].astype(np.uint64), mine, theirs]),
        axis=0,
        return_inverse=True,
        return_counts=True,
    )
    for k in some[times[which.ravel()] == 1].tolist():
        changed = _single_change(documents, left, right, edits, stretches, k)
        out[k] = changed is not None and _breaks_a_word(documents, left, right, edits, changed, k)
    return out


def _single_change(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches, k: int
) -> list[int] | None:
    """Return the offsets of the one character that two differing texts do not share, in each; None if they differ in more."""
    pair, (a, b, c, d) = int(edits.pair[k]), stretches.places[k].tolist()
    one, other = documents.texts.text(int(left[pair]))[a:b], documents.texts.text(int(right[pair]))[c:d]
    apart = [i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y]
    return (
        [a + apart[0], a + apart[0] + 1, c + apart[0], c + apart[0] + 1]
        if len(one) == len(other) and len(apart) == 1
        else None
    )


def _breaks_a_word(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, places: list[int], k: int
) -> bool:
    """Return True if the changed character of edit `k` belongs to a common word on one side, and to no word on the other."""
    pair = int(edits.pair[k])
    sides = [documents.texts.text(int(side[pair])) for side in (left, right)]
    near = dictionary_forms(
        [text[max(0, a - REACH) : a + 1 + REACH] for text, a in zip(sides, (places[0], places[2]), strict=True)]
    )
    at = [min(a, REACH) for a in (places[0], places[2])]
    if any(len(n) <= a for n, a in zip(near, at, strict=True)):
        return False
    found = [_word_at(n, a) for n, a in zip(near, at, strict=True)]
    whole = next((k for k in (0, 1) if found[k][0] and not found[1 - k][0]), None)
    if whole is None:
        return False
    word, place = found[whole]
    # 怎么 of 怎么样 is a word without the character: nothing is broken.
    rest = word[1:] if place == 0 else word[:-1] if place == len(word) - 1 else ""
    if len(rest) > 1 and is_known_word(rest) and not _leaves_alone(near[whole], at[whole]):
        return False
    tags = [tag for _, tag in tagged(word)]
    text, a = near[1 - whole], at[1 - whole]
    pairs = [text[i : i + 2] for i in (a - 1, a) if 0 <= i < len(text) - 1]
    han = np.array([[ord(c) for c in two] for two in pairs if two.isalpha()], np.uint32).reshape(-1, 2)
    known = bool(known_bigrams().has(han[:, 0], han[:, 1]).any()) if len(han) else False
    return not known and all(not tag.startswith(_NAMES) for tag in tags)


def _leaves_alone(text: str, at: int) -> bool:
    """Return True if the character at an offset is half of a two-character word that lost its other half: 缩 of 缩短 without 短."""
    before, behind = text[max(0, at - 2) : at], text[at + 1 : at + 3]
    if before and is_known_word(before[-1:] + text[at]) and not (len(before) == 2 and is_known_word(before)):
        return True
    return bool(behind) and is_known_word(text[at] + behind[:1]) and not (len(behind) == 2 and is_known_word(behind))


def _word_at(text: str, at: int) -> tuple[str, int]:
    """Return the longest word of the dictionary that covers an offset, and the place of the offset in it; an empty string for none."""
    size = longest_word(text, at)
    starts = range(max(0, at - size + 1), min(at, len(text) - size) + 1) if size else ()
    return next(((text[i : i + size], at - i) for i in starts if is_known_word(text[i : i + size])), ("", 0))


def negations_put_in(
    documents: Documents, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray, conflict: np.ndarray,
    stretches: Stretches,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits whose negation of one character is noise inside a word: 可不以 for 可以.

    Only in pairs with BROKEN other characters put into words at least. 不 before what it makes an impossibility of (看不到, 完不成) stays.

    Cost: the texts of pairs with such an edit are read, 10 us an edit that puts in one character.
    """
    out = np.zeros(len(edits.pair), bool)
    single = np.maximum(edits.a, edits.b) + np.minimum(edits.a, edits.b) == 1
    facts = single & conflict & (kind == _NEGATION_KIND)
    if not np.count_nonzero(facts):
        return out
    counts = np.bincount(edits.pair[single & ~conflict], minlength=len(left))
    for pair in distinct(edits.pair[facts]).tolist():
        if counts[pair] < BROKEN:
            continue
        here = slice(*np.searchsorted(edits.pair, [pair, pair + 1]).tolist())
        mine = np.flatnonzero(single[here]) + here.start
        texts = [documents.texts.text(int(side[pair])) for side in (left, right)]
        within = [k for k in mine[facts[mine]].tolist() if _within_a_word(texts, stretches.places[k].tolist())]
        # The others are read only where this matters, and until there are enough.
        found = 0
        for k in mine[~conflict[mine]].tolist() if within else ():
            found += _within_a_word(texts, stretches.places[k].tolist())
            if found == BROKEN:
                out[within] = True
                break
    return out


def _within_a_word(texts: list[str], places: list[int]) -> bool:
    """Return True if one character was inserted between two characters of a word of the other text, and forms no listed negation."""
    a, b, c, d = places
    long, short = (0, 1) if b > a else (1, 0)
    at, gap = (a, c) if long == 0 else (c, a)
    end = b if long == 0 else d
    if end - at != 1:
        return False
    plain, with_it = dictionary_forms([texts[short][max(0, gap - REACH) : gap + REACH], texts[long][at : at + 2]])
    if len(with_it) == 2 and with_it in negations()[0]:
        return False
    middle = min(gap, REACH)
    for size in range(REACH, 1, -1):
        for first in range(max(0, middle - size + 1), middle):
            word = plain[first : first + size]
            if first + size > middle and len(word) == size and word.isalpha() and is_known_word(word):
                return True
    return False
