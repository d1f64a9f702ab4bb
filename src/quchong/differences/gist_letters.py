"""Search for pairs of brief texts whose gists cannot be equal, by the characters in which the texts differ; no gist is computed."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.dictionaries import same_words
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.figures import characters_of_mentions
from quchong.differences.numerals import FINANCIAL
from quchong.differences.synonyms import known_bigrams
from quchong.differences.windows import normal_characters
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import first_of_runs
from quchong.kernels.sorting import among
from quchong.kernels.text import TextTables, word_hash

PARTICLES = "吧呀啦哦喔噢哈哟嘛呵呢啊"
"""Characters that a gist leaves out at the end of a clause."""
ADDRESS = "亲"
"""Word by which shops address a buyer, which a gist leaves out at the beginning of a clause."""
_NEARLY_EQUAL = 1
"""Most tokens by which a part that moved may be longer at its other place: said that, said."""
_HAN = 0x3400, 0xA000
"""Range of the Chinese characters that may be fixed."""


def more_put_in(
    hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, some: np.ndarray, tables: TextTables
) -> np.ndarray:
    """Return a mask of the pairs among `some` in which one text adds words of content, not counting text that only moved."""
    out, pairs = np.zeros(len(some), bool), len(some)
    put_in = (np.minimum(edits.a, edits.b) == 0) & some[edits.pair]
    lengths = [np.bincount(edits.pair, np.where(put_in, n, 0), pairs) for n in (edits.a, edits.b)]
    moved = (np.minimum(*lengths) > 0) & (abs(lengths[0] - lengths[1]) <= _NEARLY_EQUAL)
    at = np.flatnonzero(put_in & ~moved[edits.pair])
    for side, column, counts in ((left, 0, edits.a), (right, 2, edits.b)):
        places = places_of(hashed.offsets[side[edits.pair[at]]] + edits.places[at, column], counts[at])
        content = ~among(hashed.tokens[places], _exchanged_tokens(tables))
        out[edits.pair[at].repeat(counts[at])[content]] = True
    return out


def _exchanged_words() -> set[str]:
    """Return the words that a gist replaces or leaves out, and those that it has in their place."""
    return {*same_words(), *same_words().values(), *PARTICLES, ADDRESS}


@cache
def _exchanged_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of the words that a gist replaces or leaves out; Chinese words by their characters."""
    words = _exchanged_words()
    latin = {part for word in words if word.isascii() for part in word.replace("'", " ").split()}
    han = {ord(c) for word in words if not word.isascii() for c in word}
    return np.array(sorted(han.union(word_hash(tables, word) | WORD_TOKEN for word in latin)), np.uint32)


@cache
def _fixed_letters() -> np.ndarray:
    """Return the normal form of each Chinese character that every gist keeps, uint32 (0xA001), by code point; 0 for other characters.

    Such a character is in no word that a gist replaces or leaves out, and in no figure or date.
    """
    out = normal_characters()[: _HAN[1] + 1].copy()
    changed = {c for word in _exchanged_words() for c in word}.union(
        characters_of_mentions(), FINANCIAL, FINANCIAL.values()
    )
    out[(out < _HAN[0]) | (out >= _HAN[1]) | np.isin(out, [ord(c) for c in changed])] = 0
    return out


def _letters_of(tokens: np.ndarray) -> np.ndarray:
    """Return the normal form of each token that is a character which every gist keeps, uint32; 0 for other tokens."""
    letters = _fixed_letters()
    out: np.ndarray = letters[np.minimum(tokens, len(letters) - 1)]
    return out


def have_other_letters(
    hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, some: np.ndarray
) -> np.ndarray:
    """Return a mask of the pairs among `some` that have a character which no gist of the other text can have or replace.

    Such a character is more often in one text than in the other, is in no word that a gist exchanges and in no figure, and wherever the
    text has it, makes no word of the lexicon with a neighbour, so that it is a part of no synonym.

    Args:
        hashed: tokens of the documents as hashes of their letters.

    Cost: a sort of the tokens of these edits, and a look at the tokens of one text of each pair.
    """
    at = np.flatnonzero(some[edits.pair])
    pair = edits.pair[at]
    sides = (left, 0, edits.a[at]), (right, 2, edits.b[at])
    # Tokens of both sides in one array, the left ones first: place, pair, and fixed letter of each.
    places = [places_of(hashed.offsets[side[pair]] + edits.places[at, k], n) for side, k, n in sides]
    place, of = np.concatenate(places), np.concatenate([pair.repeat(n) for _, _, n in sides])
    letter, is_left = _letters_of(hashed.tokens[place]), np.arange(len(place)) < len(places[0])
    own = np.flatnonzero(letter)
    # How much more often the text of a token has its letter than the other text.
    key = of[own] << 16 | letter[own]
    _, which = np.unique(key, return_inverse=True)
    more = np.bincount(which, np.where(is_left[own], 1, -1))[which] * np.where(is_left[own], 1, -1)
    own = own[more > 0]
    out = np.zeros(len(some), bool)
    if not len(own):
        return out
    doc = np.where(is_left[own], left[of[own]], right[of[own]])
    own, doc = (values[~_may_be_in_word(hashed, place[own], doc)] for values in (own, doc))
    # One such letter of a pair is looked for in all of its text.
    first = np.argsort(of[own], kind="stable")
    first = first[first_of_runs(of[own][first])]
    own, doc = own[first], doc[first]
    lengths = hashed.lengths[doc]
    where = places_of(hashed.offsets[doc], lengths)
    number = np.arange(len(own)).repeat(lengths)
    found = np.flatnonzero(_letters_of(hashed.tokens[where]) == letter[own][number])
    possible = _may_be_in_word(hashed, where[found], doc[number[found]])
    out[of[own]] = np.bincount(number[found], possible, len(own)) == 0
    return out


def _may_be_in_word(hashed: Ragged, place: np.ndarray, doc: np.ndarray) -> np.ndarray:
    """Return a mask of the tokens, which are fixed letters, that may make a word of the lexicon with a neighbour in their document."""
    mine = _letters_of(hashed.tokens[place])
    out = np.zeros(len(place), bool)
    for step in (-1, 1):
        inside = (place + step >= hashed.offsets[doc]) & (place + step < hashed.offsets[doc + 1])
        other = _letters_of(hashed.tokens[np.where(inside, place + step, place)])
        pair = (other, mine) if step < 0 else (mine, other)
        # A neighbour that is no fixed letter may be left out, or be part of any word.
        out |= inside & ((other == 0) | known_bigrams().has(*pair))
    return out
