"""Slips inside English words: letters that a scanner or a keyboard made others, which give no other word."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong import kernels
from quchong.differences.edits import COVERED, NUMBER_TOKEN, READ, WORD_TOKEN, Edits
from quchong.differences.english import are_english, is_english
from quchong.differences.grammar_words import GRAMMAR, breaks_grammar
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.differences import NO_SLIP
from quchong.kernels.text import Form
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

SURE = 2
"""Number of slips that are certain, at or above which a pair is a noisy copy: words that differ in few letters are slips there too."""
BRIEF = 25
"""Tokens below which one slip that is certain is enough for that."""
NONE, DOUBTFUL, CERTAIN = range(3)
"""Answers of `slip`."""


def word_slips(
    form: Form, documents: Documents, docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, matched: np.ndarray,
    workers: int | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return two masks of edits: those that replace words by misspellings of them, and those whose misspellings are all certain.

    A word that became one of no dictionary by one letter, or by two if it is long, is a slip (`slip`). In a pair with SURE such slips,
    which are half of the replaced words at least, other words of few different letters are slips too, because scanners make words as well,
    and an edit may have one other word beside two slips.

    Args:
        form: how texts become tokens.
        docs, left, right: see `edits_of`.
        matched: tokens of each pair that are equal.

    Cost: one question for each two words that replace each other, 5 us, in pairs that slips could make copies.
    """
    out = np.zeros(len(edits.pair), bool)
    some = ((edits.a > 0) & (edits.a <= READ) & (edits.a == edits.b)).nonzero()[0]
    if not len(some):
        return out, out
    # Only pairs that would be nearly covered if all of these were slips: in others nothing depends on them.
    gained = matched + np.bincount(edits.pair[some], edits.a[some], len(left)).astype(np.int64)
    near = gained >= COVERED * np.maximum(docs.lengths[left], docs.lengths[right])
    some = some[near[edits.pair[some]]]
    if not len(some):
        return out, out
    # (1) Every two words that replace each other, as tokens. Edits with Chinese have none, nor have those with another figure.
    counts = edits.a[some]
    mine = places_of(docs.offsets[left[edits.pair[some]]] + edits.places[some, 0], counts)
    theirs = places_of(docs.offsets[right[edits.pair[some]]] + edits.places[some, 2], counts)
    x, y = docs.tokens[mine], docs.tokens[theirs]
    of = np.repeat(np.arange(len(some)), counts)
    other = (np.minimum(x, y) < WORD_TOKEN) | ((np.minimum(x, y) >= NUMBER_TOKEN) & (x != y))
    all_words = np.bincount(of, other, len(some)) == 0
    asked = np.flatnonzero(all_words[of] & (x != y))
    if not len(asked):
        return out, out
    # (2) Answer each two distinct words once.
    _, first, which = np.unique(
        x[asked].astype(np.uint64) << np.uint64(32) | y[asked].astype(np.uint64), return_index=True, return_inverse=True
    )
    at = asked[first]
    found = _spelled(form, documents, docs, np.concatenate([mine[at], theirs[at]]), workers)
    told = slip_answers(found, workers)
    # (3) An edit all of whose words are certain slips is one. In a noisy pair two thirds of the words may be doubtful ones.
    answers, edit, pair = told[which], of[asked], edits.pair[some]
    certain, slips, changed = (np.bincount(edit, answers >= least, len(some)) for least in (CERTAIN, DOUBTFUL, NONE))
    sure = np.bincount(pair, certain, len(left))
    # A brief text has room for few slips: one that is certain shows that a copy is noisy.
    brief = np.minimum(docs.lengths[left], docs.lengths[right]) < BRIEF
    often = (sure >= np.where(brief, 1, SURE)) & (2 * sure >= np.bincount(pair, changed, len(left)))
    out[some] = (changed > 0) & ((certain == changed) | ((3 * slips >= 2 * changed) & often[pair]))
    sure_edits = np.zeros(len(out), bool)
    sure_edits[some] = (changed > 0) & (certain == changed)
    return out, sure_edits


def _spelled(form: Form, documents: Documents, docs: Ragged, places: np.ndarray, workers: int | None) -> pa.Array:
    """Return the tokens at the positions `places` (over all tokens of the documents) as their texts spell them."""
    doc = (np.searchsorted(docs.offsets, places, "right") - 1).astype(np.int64)
    first = places - docs.offsets[doc]
    found = documents.stretches(
        form, doc.astype(np.uint32), first.astype(np.uint32), (first + 1).astype(np.uint32), np.zeros(len(doc), np.uint8), workers
    )  # fmt: skip
    return found.windows


WIDEST = 24
"""Most letters of a word that is compared."""


def slip_answers(spelled: pa.Array, workers: int | None = None) -> np.ndarray:
    """Return the answers of `slip` for many pairs at once, int64: word k is compared with word k + n/2."""
    lower = pc.utf8_lower(spelled.cast(pa.large_string()))
    n = len(lower) // 2
    out = np.zeros(n, np.int64)
    # (1) The kernel rules out most; only words near each other are looked up.
    apart = kernels.differences.letters_apart(lower.slice(0, n), lower.slice(n), workers)
    for k in pc.indices_nonzero(_brief_with_digit(lower, n)).to_numpy().tolist() if n else ():
        out[k] = _read_as_digit(lower[k].as_py(), lower[n + k].as_py())
    near = np.flatnonzero(apart != NO_SLIP)
    if not len(near):
        return out
    wrong = apart[near]
    coded = lower.take(pa.array(np.concatenate([near, near + n]))).dictionary_encode()
    words, (mine, theirs) = coded.dictionary.to_pylist(), coded.indices.to_numpy().reshape(2, -1)
    size = np.fromiter(map(len, words), np.int64, len(words))
    shorter, longer = np.minimum(size[mine], size[theirs]), np.maximum(size[mine], size[theirs])
    # (2) As `slip` answers: exactly one of both is a word, or neither is one and both are as long as names.
    known = are_english(words)
    certain = ~(known[mine] | known[theirs]) & (longer >= NAME) & (wrong == 1)
    told = (known[mine] != known[theirs]) & ((longer >= SHORT) | (shorter > 1))
    certain |= told & (wrong <= np.where(longer >= LONG, 2, 1))
    # A word of grammar is not replaced by one of content: the, toe.
    grammar = np.fromiter(map(GRAMMAR.__contains__, words), bool, len(words))
    for k in np.flatnonzero(~certain & (wrong == 1) & (grammar[mine] != grammar[theirs])).tolist():
        certain[k] = breaks_grammar(words[mine[k]], words[theirs[k]])
    answers = np.where(certain, CERTAIN, DOUBTFUL)
    for k in np.flatnonzero((longer - shorter >= 2) & (wrong == longer - shorter)).tolist():
        if _negated_by_prefix(words[mine[k]], words[theirs[k]]):
            answers[k] = NONE
    out[near] = answers
    return out


_DIGITS = {"1": "il", "0": "o", "5": "s", "8": "b"}
"""Digits and the letters that scanners take for them."""


def _brief_with_digit(lower: pa.Array, n: int) -> pa.Array:
    """Return a mask of the pairs of words of two or three letters of which exactly one has a digit."""
    brief = pc.match_substring_regex(lower, r"^[a-z0158]{2,3}$")
    digit = pc.match_substring_regex(lower, "[0158]")
    both = pc.and_(brief.slice(0, n), brief.slice(n))
    return pc.and_(both, pc.xor(digit.slice(0, n), digit.slice(n)))


def _read_as_digit(one: str, other: str) -> int:
    """Return CERTAIN if one of two brief words is a word of grammar, and the other the same with a digit for one of its letters: it, 1t."""
    word, read = (one, other) if any(c in _DIGITS for c in other) else (other, one)
    if len(word) != len(read) or word not in GRAMMAR:
        return NONE
    wrong = [(a, b) for a, b in zip(word, read, strict=True) if a != b]
    return CERTAIN if len(wrong) == 1 and wrong[0][0] in _DIGITS.get(wrong[0][1], "") else NONE


_ALIKE = (("rn", "m"), ("cl", "d"), ("vv", "w"), ("0", "o"), ("1", "l"), ("5", "s"), ("8", "b"))
"""What scanners take for one another, as one letter each."""
_LETTERS, _DIGIT = lazy_pattern("[a-z0158]+"), lazy_pattern("[0158]")
SHORT, NAME, LONG = 4, 7, 8
"""Least letters of a word in which one letter, of a name in which one letter, and of a word in which two letters make a slip that is
certain.
"""
DOUBTED = 3
"""Letters of a doubtful slip for each of which one letter may differ."""
MOST = 3
"""Most letters in which a slip differs."""


_PREFIXES, _LATIN_PREFIXES = ("un", "non"), ("de", "dis", "in", "im", "ir", "il", "mis")
"""Prefixes that negate any word, and those that negate some words; the latter are no slip before a known word."""


def _negated_by_prefix(one: str, other: str) -> bool:
    """Return True if one word is the other with a prefix that may negate it: activated, deactivated."""
    short, long = sorted((one, other), key=len)
    if len(short) < SHORT or not long.endswith(short):
        return False
    prefix = long[: len(long) - len(short)]
    return prefix in _PREFIXES or (prefix in _LATIN_PREFIXES and len(short) > SHORT and is_english(short))


@lru_cache(1 << 15)
def slip(one: str, other: str) -> int:
    """Return CERTAIN if one of two words is surely a misspelling of the other, DOUBTFUL if it may be another word, else NONE.

    A certain slip has one wrong letter (two from LONG letters on), and exactly one of both is a word, or a word of grammar (from, form); or
    neither is one from NAME letters on. Other words (bonds, bends), short names, and more wrong letters are doubtful. Letters left out,
    put in, or exchanged with the next one count as one.
    """
    if not (_LETTERS.fullmatch(one) and _LETTERS.fullmatch(other)) or abs(len(one) - len(other)) > MOST:
        return NONE
    if any(len(word) > 1 and len(set(word)) == 1 for word in (one, other)):
        return NONE
    if _negated_by_prefix(one, other):
        return NONE
    # Digits are look-alikes of letters in one word at most: B51 and B58 are two codes.
    if (_DIGIT.search(one) and _DIGIT.search(other)) or any(
        2 * len(_DIGIT.findall(word)) > len(word) for word in (one, other)
    ):
        return NONE
    known = is_english(one), is_english(other)
    size, wrong = max(len(one), len(other)), _wrong_letters(one, other)
    if wrong > 1:
        alike = [one, other]
        for written, single in _ALIKE:
            alike = [word.replace(written, single) for word in alike]
        if alike != [one, other]:
            wrong = min(wrong, _wrong_letters(*alike))
    certain = wrong == 1 and ((not any(known) and size >= NAME) or breaks_grammar(one, other))
    if known[0] != known[1] and (size >= SHORT or min(len(one), len(other)) > 1):
        certain = certain or wrong <= (2 if size >= LONG else 1)
    if certain:
        return CERTAIN
    return DOUBTFUL if wrong <= max(1, min(size // DOUBTED, MOST)) else NONE


def _wrong_letters(one: str, other: str) -> int:
    """Return the number of letters in which two words differ; any number above MOST if there are more than MOST."""
    # What both begin and end with is equal: most words differ in one letter between.
    first = 0
    while first < min(len(one), len(other)) and one[first] == other[first]:
        first += 1
    last = 0
    while last < min(len(one), len(other)) - first and one[-1 - last] == other[-1 - last]:
        last += 1
    x, y = one[first : len(one) - last], other[first : len(other) - last]
    if min(len(x), len(y)) <= 1:
        return max(len(x), len(y))
    # Row by row, as usual, until every way differs in too many letters.
    earlier, before, row = list[int](), list[int](), list(range(len(y) + 1))
    for i, c in enumerate(x, 1):
        earlier, before, row = before, row, [i]
        for j, d in enumerate(y, 1):
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (c != d)))
            if i > 1 and j > 1 and c == y[j - 2] and x[i - 2] == d:
                row[j] = min(row[j], earlier[j - 2] + 1)
        if min(row) > MOST:
            return min(row)
    return row[-1]
