"""English phrasal verbs at an edit: called off is no called, logged in no logged out; turned down is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from quchong.differences.dictionaries import phrasal_verbs, turning_verbs
from quchong.differences.edit_tokens import PHRASES, EditTokens
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.negation import stems_of
from quchong.differences.windows import Window
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern

LONGEST = 2
"""Most tokens of either side of an edit that puts in or exchanges the words behind a verb."""
BETWEEN = 3
"""Most words between a verb and the word that belongs to it: called the strike off."""
_BEFORE = lazy_pattern(r"[^.!?;,:()\n]*$")
_WORD = lazy_pattern("[a-z]+")


@cache
def _meanings() -> dict[tuple[str, str], str]:
    """Return the one-word synonym of each phrasal verb, by the stem of its verb and the words after it."""
    return {(stems_of([verb])[0], behind): same for verb, behind, same in phrasal_verbs()}


@cache
def _particles() -> frozenset[str]:
    return frozenset(behind for _, behind in _meanings())


@cache
def _first_words() -> frozenset[str]:
    """Return the first words that follow the verbs of phrasal verbs: out of "out of"."""
    return frozenset(particle.split()[0] for particle in _particles())


@cache
def _turning() -> frozenset[str]:
    """Return the stems of the verbs that say the opposite with "in" and with "out", such as log."""
    return frozenset(stems_of(sorted(turning_verbs())))


def in_one_word(words: Sequence[str]) -> list[str]:
    """Return a list of English words in which each phrasal verb is replaced by its one-word synonym.

    Example:
        >>> in_one_word(["he", "called", "off", "it"]), in_one_word(["pulled", "out", "of"])
        (['he', 'cancel', 'it'], ['leave'])
    """
    if _first_words().isdisjoint(words):
        return list(words)
    out, at = list[str](), 0
    while at < len(words):
        for size in (2, 1):
            same = _meanings().get((stems_of(words[at : at + 1])[0], " ".join(words[at + 1 : at + 1 + size])))
            if same is not None and at + size < len(words):
                out.append(same)
                at += size + 1
                break
        else:
            out.append(words[at])
            at += 1
    return out


def phrased_otherwise(left: Window, right: Window) -> bool:
    """Return True if the words after a verb differ such that it says another thing: put off and put on.

    Example:
        >>> phrased_otherwise(Window("the strike was called off", 22, 25), Window("the strike was called", 21, 21))
        True
        >>> phrased_otherwise(Window("the bank paid off its debt", 14, 17), Window("the bank paid its debt", 14, 14))
        False
    """
    mine, theirs = left.stretch.strip(), right.stretch.strip()
    if not (mine + theirs).isascii():
        return False
    if {mine, theirs} == {"in", "out"}:
        return any(stem in _turning() for stem in _stems_before(left)[-1 - BETWEEN :])
    if mine and theirs:
        return False
    says = left if mine else right
    particle = mine or theirs
    # Of "called off the strike" and "called the strike off" the other text has the word elsewhere in the sentence.
    if particle not in _particles() or particle.split()[0] in _WORD.findall(_sentence(right if mine else left)):
        return False
    near = _stems_before(says)[-1 - BETWEEN :]
    return any((stem, particle) in _meanings() for stem in near)


def _stems_before(window: Window) -> tuple[str, ...]:
    """Return the stems of the words of the clause before the differing text."""
    before = _BEFORE.search(window.text, 0, window.start)
    return stems_of(_WORD.findall(before.group())) if before else ()


_ENDS = lazy_pattern(r"[.!?;\n]")


def _sentence(window: Window) -> str:
    """Return the sentence around the differing text; an empty differing text behind its last mark belongs to it too."""
    start = len(window.text[: window.start].rstrip(".!?;\n "))
    before = [mark.end() for mark in _ENDS.finditer(window.text, 0, start)]
    behind = _ENDS.search(window.text, window.end if window.start < window.end else start)
    return window.text[before[-1] if before else 0 : behind.start() if behind else len(window.text)]


@cache
def phrasing_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of the small words of phrasal verbs; an edit without any of them cannot change one."""
    words = {*_first_words(), "in", "out"}
    return np.array(sorted(word_hash(tables, word) | WORD_TOKEN for word in words), np.uint32)


def may_phrase(edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the brief edits that have a word such as off on either side, by their tokens alone."""
    mask: np.ndarray = listed.on_either_side(PHRASES) & (np.maximum(edits.a, edits.b) <= LONGEST)
    return mask
