"""Gist of a brief text: its words without those that editors exchange or leave out, 应于10个工作日内 and 应当在十个工作日内."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache

import numpy as np

from quchong.differences.dictionaries import same_words
from quchong.differences.edits import Edits
from quchong.differences.figures import Mention, mentions
from quchong.differences.gist_letters import ADDRESS, PARTICLES, have_other_letters, more_put_in
from quchong.differences.numerals import with_ordinary_numerals
from quchong.differences.restated import BRIEF, one_word_for_another
from quchong.differences.windows import dictionary_forms
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import TextTables
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

LONGEST = 400
"""Most characters of a text whose gist is taken."""


def same_gist(one: str, other: str) -> bool:
    """Return True if two texts in dictionary form say the same, apart from grammar words, notation of figures, and single synonyms.

    Example:
        >>> same_gist("受台风影响，航线全部停航。", "因台风影响，所有航线停航。"), same_gist("如有不适，请立即就医。", "若有不适请马上就诊")
        (False, True)
        >>> same_gist("the storm killed 12 people.", "the storm killed twelve people"), same_gist("the dog bit a man", "the man bit a dog")
        (True, False)
    """
    if max(len(one), len(other)) > LONGEST:
        return False
    mine, theirs = _gist(one), _gist(other)
    joined = [tuple(token for clause in clauses for token in clause) for clauses in (mine, theirs)]
    # Clauses around a quotation keep their order: it tells who said what.
    moved = mine != theirs and sorted(mine) == sorted(theirs) and not _QUOTING.search(one + other)
    return mine == theirs or moved or _same_words(*joined)


_TOKEN = lazy_pattern(r"#[^#]*#|[a-z']+|\d+|[^\W\d_a-z]")


@lru_cache(1 << 12)
def _gist(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the clauses of a text as tuples of normalised tokens: figures by value, synonyms by their group, grammar words left out."""
    out, at, text = list[str](), 0, with_ordinary_numerals(text)
    if (said := _SAID.match(text)) is not None:
        text = f"{said[2].rstrip('. ')}, {said[1]}."
    for mention in mentions(text):
        if mention.start >= at and mention.kind != "code":
            out += [text[at : mention.start], f"#{_value(mention)}#"]
            at = mention.end
    written = "".join((*out, text[at:]))
    if not written.isascii():
        written = _PARTICLES.sub("", written)
    if written.isascii():
        written = _american(written)
    # Twice: a replaced word may begin a longer one.
    written, replaced = _exchanged().subn(_instead, written)
    if replaced:
        written = _exchanged().sub(_instead, written)
    clauses = (tuple(map(_singular, _TOKEN.findall(clause))) for clause in _CLAUSES.split(written))
    return tuple(clause for clause in clauses if clause)


def _instead(found: re.Match[str]) -> str:
    return same_words()[found[0]]


_SAID = lazy_pattern(r"([a-z' .]{3,40}? (?:said|says)(?: on [a-z]+day)?)(?: that)? ((?!to |in |at )[a-z].{20,})$")
_QUOTING = lazy_pattern('[“”"「」『』]|[说道称]|表示|said')
_PARTICLES = lazy_pattern(rf"[{PARTICLES}]+(?=[^\w]|$)|(?:^|(?<=[。！!\n])){ADDRESS}(?=[，,])")
"""Particles at the end of a clause, and how shops address a buyer."""
_CLAUSES = lazy_pattern(r"[，。！？；,!?;\n…]+|\.(?=\s|$)")


def _singular(token: str) -> str:
    """Return an English word without the ending of a plural, or of a verb in the third person."""
    if len(token) < 4 or not token.endswith("s") or token.endswith(("ss", "us", "is")) or not token.isalpha():
        return token
    return (
        token[:-2]
        if token.endswith(("sses", "shes", "ches", "xes"))
        else f"{token[:-3]}y"
        if token.endswith("ies")
        else token[:-1]
    )


def _value(mention: Mention) -> str:
    """Return the value of a mention in letters: that of an amount with its unit."""
    value = mention.value
    return (
        f"{value.value:g} {value.unit} {value.rough}"
        if mention.kind == "figure" and hasattr(value, "unit")
        else "_".join(re.findall(r"\w+", str(value)))
    )


@cache
def _exchanged() -> re.Pattern[str]:
    """Return a pattern of all words that `_gist` replaces or leaves out, longer words first.

    Words are grouped by their first characters, so that the search skips all other characters of a text without trying a word there.
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(same_words(), key=lambda word: (-len(word), word)):
        groups.setdefault(re.escape(word[0]), []).append(re.escape(word[1:]) + r"\b" * word.isascii())
    # Latin words begin where a word does.
    begins = {first: rf"{first}(?<=\b{first})" if first.isascii() else first for first in groups}
    return re.compile("|".join(rf"{begins[first]}(?:{'|'.join(rests)})" for first, rests in groups.items()))


_BRITISH = (
    (("our",), lazy_pattern(r"\b([a-z]{3,})our(s|ed|ing|ful|ite|able)?\b"), r"\1or\2"),
    (("ise", "ising", "isation"), lazy_pattern(r"\b([a-z]{3,})is(e[sd]?|ing|ations?)\b"), r"\1iz\2"),
    (("tre",), lazy_pattern(r"\b([a-z]{3,})tre(s?)\b"), r"\1ter\2"),
    (("lled", "lling", "ller"), lazy_pattern(r"\b([a-z]{3,})ll(ed|ing|er)\b"), r"\1l\2"),
    (("n't",), lazy_pattern(r"n't\b"), " not"),
    (("-",), lazy_pattern(r"(?<=[a-z])-(?=[a-z])"), " "),
)
"""Spellings of British English and contractions, each behind letters that it has, and what they become."""


def _american(text: str) -> str:
    """Return an English text in American spelling."""
    for letters, pattern, instead in _BRITISH:
        if any(some in text for some in letters):
            text = pattern.sub(instead, text)
    return text


def _same_words(mine: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    """Return True if each replacement between two gists is a word for another of one sense, extended to two characters in Chinese."""
    if not mine or not theirs or abs(len(mine) - len(theirs)) > len(mine) // 3:
        return False
    for name, a, b, c, d in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if name == "equal":
            continue
        if name != "replace" or not _one_sense(mine, theirs, a, b, c, d):
            return False
    return True


def _one_sense(mine: tuple[str, ...], theirs: tuple[str, ...], a: int, b: int, c: int, d: int) -> bool:
    """Return True if mine[a:b] and theirs[c:d] are one word each with a common sense, at most with one equal token beside it."""
    for before in (0, 1):
        for behind in (0, 1):
            if before + behind and (
                a < before or c < before or max(b + behind - len(mine), d + behind - len(theirs)) > 0
            ):
                continue
            one, other = "".join(mine[a - before : b + behind]), "".join(theirs[c - before : d + behind])
            if mine[a].isascii() == (before + behind == 0) and one_word_for_another(one, other):
                return True
    return False


MOST, ADDED, REPLACED = 8, 6, 0.4
"""Most edits of a pair whose gists are compared; most tokens that one text has more; greatest share of a text in these edits."""


def same_gists(
    documents: Documents, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, some: np.ndarray,
    sizes: Sequence[np.ndarray], tables: TextTables,
) -> np.ndarray:  # fmt: skip
    """Return a mask of the edits in pairs of brief texts whose gists are equal (`same_gist`).

    Args:
        hashed: tokens of the documents as hashes of their letters.
        some: mask of the pairs that are no copies yet, and in which no facts conflict.
        sizes: tokens of the left and the right text of each pair.

    Cost: linear in the edits; 100 us for each pair of brief texts that is read: with few edits, none in conflict, nothing put in but words
    of grammar, and no character that no gist of the other text can have.
    """
    pairs = len(left)
    brief = some & (np.minimum(*sizes) < BRIEF)
    same = np.zeros(pairs, bool)
    if np.count_nonzero(brief):
        counts, sums = (
            np.bincount(edits.pair, minlength=pairs),
            [np.bincount(edits.pair, n, pairs) for n in (edits.a, edits.b)],
        )
        some = brief & (counts > 0) & (counts <= MOST)
        some &= (abs(sums[0] - sums[1]) <= ADDED) & (np.maximum(*sums) <= REPLACED * np.minimum(*sizes))
        some &= ~more_put_in(hashed, left, right, edits, some, tables)
        some &= ~have_other_letters(hashed, left, right, edits, some)
        at = np.flatnonzero(some)
        if len(at):
            forms = dictionary_forms(
                [documents.texts.text(int(side[k])) for k in at.tolist() for side in (left, right)]
            )
            same[at] = [same_gist(one, other) for one, other in zip(forms[::2], forms[1::2], strict=True)]
    out: np.ndarray = same[edits.pair]
    return out
