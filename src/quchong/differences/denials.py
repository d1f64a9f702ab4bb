"""Verbs that negate the verb behind them: 拒绝辞职 and 辞职, refused to resign and resigned."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from quchong.differences.dictionaries import base_forms, classes_of
from quchong.differences.edit_tokens import DENIES, EditTokens
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.sorting import among, distinct
from quchong.patterns import lazy_pattern
from quchong.text.words import is_known_word

LONGEST = 6
"""Most tokens of a Chinese edit that merely puts such a verb before another one."""
_ROUNDED = "doubled tripled trebled quadrupled halved reached had was were been did done"
"""Past forms before which nearly rounds a figure, or that say nothing by themselves."""
_NO_VERBS = r"(?!(?:\w*thing|during|morning|evening|building|king|spring|string|ring|wing|being)\b)"


def english_denials() -> str:
    """Return the pattern of English verbs that deny the verb after them (refused to), followed by a word that shows such a verb.

    refused to, denied doing, denied that, nearly died.
    """
    known = classes_of("denials")
    before_to, before_ing, nearly = (
        "|".join(known[name]).replace(" ", r"\s") for name in ("denying_to", "denying_ing", "nearly")
    )
    past = "|".join(sorted(set(base_forms()) - set(_ROUNDED.split())))
    rounded = "|".join(_ROUNDED.split())
    return (
        rf"(?:{before_to})\sto\b|(?<!is\s)(?<!are\s)(?<!was\s)(?<!were\s)(?<!be\s)(?<!been\s)(?<!being\s)(?<!get\s)(?<!got\s)used\sto\b"
        rf"|(?:{before_ing})(?=\s{_NO_VERBS}[a-z]+ing\b)|den(?:y|ied|ies)\sthat\b"
        rf"|(?:{nearly})(?=\s(?!(?:{rounded})\b)(?:[a-z]{{2,}}ed|{past})\b)"
    )


def negating_prefixes() -> tuple[str, ...]:
    """Return the English prefixes that, with a hyphen, deny the word behind them: non-refundable, ex-wife."""
    return classes_of("denials")["prefixes"]


@cache
def english_statements() -> frozenset[str]:
    """Return the English verbs that affirm the verb after them, such as plans or agreed; a negating verb may replace one."""
    return frozenset(classes_of("denials")["stating_to"])


@cache
def chinese_statements() -> frozenset[str]:
    """Return the Chinese words that affirm the verb after them, such as 宣布 or 答应; a denying verb may replace one."""
    return frozenset(classes_of("denials")["stating"])


@cache
def _chinese() -> re.Pattern[str]:
    """Return the pattern of a Chinese text that consists of denying verbs (group 1) and stating words alone."""
    known = classes_of("denials")
    denying, stating = ("|".join(sorted(known[name], key=len, reverse=True)) for name in ("denying", "stating"))
    return re.compile(f"({denying})|{stating}")


def _denials(stretch: str) -> int | None:
    """Return the number of denying verbs in a text that consists of denying verbs and stating words; None for any other text."""
    at, found = 0, 0
    while at < len(stretch):
        word = _chinese().match(stretch, at)
        if word is None:
            return None
        found += bool(word[1])
        at = word.end()
    return found


_VERB = lazy_pattern("[\u3400-\u9fff]")
_GOES_ON = "的地得者方派党权率"
"""Characters that, behind a denying verb, make a word of it that negates nothing: 反对派, 取消的."""


def denied(left: Window, right: Window) -> bool:
    """Return True if one side has a verb that denies the words after it, and the other none or one that affirms them: 拒绝辞职 and 辞职."""
    behind = left.text[left.end : left.end + 1]
    follows = bool(_VERB.match(behind)) and behind not in _GOES_ON
    added = left.stretch or right.stretch
    if "" in (left.stretch, right.stretch) and added in classes_of("denials")["alone"]:
        return follows and is_known_word(added + behind)  # noise inserts characters that make no word
    counts = _denials(left.stretch.strip()), _denials(right.stretch.strip())
    if counts[0] is None or counts[1] is None or (counts[0] - counts[1]) % 2 == 0:
        return False
    return follows


@cache
def _beginnings() -> np.ndarray:
    """Return the first two characters of each Chinese denying verb, each pair as one number, sorted."""
    pairs = [(ord(word[0]) << 32) | ord(word[1]) for word in classes_of("denials")["denying"]]
    return distinct(np.array(pairs, np.uint64))


@cache
def _alone() -> np.ndarray:
    """Return the tokens of the denying verbs of one character, sorted."""
    return np.array(sorted(map(ord, classes_of("denials")["alone"])), np.uint32)


def denying_tokens() -> np.ndarray:
    """Return the first characters of the Chinese denying verbs, as tokens, sorted."""
    return distinct(np.concatenate([_alone(), (_beginnings() >> np.uint64(32)).astype(np.uint32)]))


def may_deny(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the edits that may have a Chinese denying verb on one side, by their tokens alone.

    Cost: linear in the tokens of short edits that have the first character of one.
    """
    out = np.zeros(len(edits.pair), bool)
    if not listed.every & DENIES:
        return out
    short = np.maximum(edits.a, edits.b) <= LONGEST
    for side, count, at, lists in ((left, edits.a, 0, listed.left), (right, edits.b, 2, listed.right)):
        some = (short & ((lists & DENIES) != 0)).nonzero()[0]
        one = some[(count[some] == 1) & (np.minimum(edits.a, edits.b)[some] == 0)]
        if len(one):
            token = docs.tokens[docs.offsets[side[edits.pair[one]]] + edits.places[one, at]]
            out[one[among(token, _alone())]] = True
        which = some[count[some] > 1]
        if not len(which):
            continue
        first = docs.offsets[side[edits.pair[which]]] + edits.places[which, at]
        han = docs.tokens[first] < WORD_TOKEN
        which, first = which[han], first[han]
        lengths = count[which] - 1
        places = places_of(first, lengths)
        pairs = docs.tokens[places].astype(np.uint64) << np.uint64(32) | docs.tokens[places + 1].astype(np.uint64)
        out[np.repeat(which, lengths)[among(pairs, _beginnings())]] = True
    return out
