"""Recognition of the language of a text, by script and function words: cheap, and silent where it does not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np

from quchong.differences.tongues.tables import tongues
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.text import TextTables, word_hash
from quchong.languages import Message
from quchong.patterns import lazy_pattern

SAMPLE = 48
"""Tokens at the beginning of a text by which its language is recognised."""
LEAST = 2
"""Least number of function words of a language."""
ENGLISH = "the of and to in that for was on are with his they be at this have from by has were which".split()
"""Function words of English."""
OTHERS = {
    "it": "il di che della gli dei nel sono alla più delle anche con una non è dal dalla sul sulla nella questo questa stato".split(),
    "pt": "os não uma do da em dos ao das pela são foi mais seu sua".split(),
    "nl": "het een van voor zijn niet met aan ook werd heeft wordt naar dat".split(),
    "pl": "się nie jest jak który przez oraz został dla jego".split(),
    "tr": "bir bu için ile olarak olan daha çok gibi ancak".split(),
    "vi": "của và là các được trong không những một cho".split(),
    "id": "yang dan dengan untuk dari tidak ini pada dalam akan".split(),
    "sv": "och att som för är till den med inte ett av på har".split(),
    "uk": "що та який яка від які є про також було щодо".split(),
    "cs": "se je že na který jako byl pro také jsou".split(),
    "ro": "și este că din care pentru mai fost sunt".split(),
}
"""Function words of languages that have no table."""
SCRIPTS = {
    "ar": "\u0600-\u06ff", "he": "\u0590-\u05ff", "hi": "\u0900-\u097f", "bn": "\u0980-\u09ff", "th": "\u0e00-\u0e7f",
    "el": "\u0370-\u03ff", "my": "\u1000-\u109f", "km": "\u1780-\u17ff", "bo": "\u0f00-\u0fff", "ka": "\u10a0-\u10ff",
    "hy": "\u0530-\u058f", "ta": "\u0b80-\u0bff", "am": "\u1200-\u137f", "lo": "\u0e80-\u0eff",
}  # fmt: skip
"""Scripts of languages that have no table, as character ranges; the code is that of the best-known language of each."""
_KANA, _HANGUL, _HAN = lazy_pattern("[\u3041-\u30fa]"), lazy_pattern("[\uac00-\ud7a3]"), lazy_pattern("[\u3400-\u9fff]")
_SCRIPTS = {code: lazy_pattern(f"[{span}]") for code, span in SCRIPTS.items()}
_WORDS = lazy_pattern(r"[^\W\d_]+")
READ = 600
"""Characters of a text that `language_of` reads."""


@cache
def _function_words() -> dict[str, str]:
    """Return the language of each function word; a word of two languages is left out."""
    lists = {"en": ENGLISH, **OTHERS, **{code: list(one.common) for code, one in tongues().items()}}
    counted = Counter(word for words in lists.values() for word in set(words))
    return {word: code for code, words in lists.items() for word in words if counted[word] == 1}


def language_of(text: str) -> str | None:
    """Return the code of the language of a text by its beginning, such as "de"; None if script and function words do not tell."""
    head = text[:READ].lower()
    letters = max(1, sum(map(str.isalpha, head)))
    # Scripts first: a fifth of the letters is enough for kana, half for the others.
    if not head.isascii():
        if 5 * len(_KANA.findall(head)) >= letters:
            return "ja"
        for code, script in (("ko", _HANGUL), ("zh", _HAN), *_SCRIPTS.items()):
            if 2 * len(script.findall(head)) >= letters:
                return code
    found = Counter(_function_words()[word] for word in _WORDS.findall(head) if word in _function_words()).most_common(
        2
    )
    if not found or found[0][1] < LEAST or (len(found) > 1 and found[0][1] == found[1][1]):
        return None
    return found[0][0]


NAMES = {
    "am": Message("Amharic"), "ar": Message("Arabic"), "bn": Message("Bengali"), "bo": Message("Tibetan"), "cs": Message("Czech"),
    "el": Message("Greek"), "he": Message("Hebrew"), "hi": Message("Hindi"), "hy": Message("Armenian"), "id": Message("Indonesian"),
    "it": Message("Italian"), "ka": Message("Georgian"), "km": Message("Khmer"), "lo": Message("Lao"), "my": Message("Burmese"),
    "nl": Message("Dutch"), "pl": Message("Polish"), "pt": Message("Portuguese"), "ro": Message("Romanian"), "sv": Message("Swedish"),
    "ta": Message("Tamil"), "th": Message("Thai"), "tr": Message("Turkish"), "uk": Message("Ukrainian"), "vi": Message("Vietnamese"),
}  # fmt: skip
"""Names of the languages that are recognised and have no table."""


def unjudged(text: str) -> Message | None:
    """Return the name of the language of a text if facts are not judged in it; None if they are, or if the language is unknown."""
    return NAMES.get(language_of(text) or "")


_BITS = 16
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@cache
def _codes() -> tuple[str, ...]:
    return ("", *sorted(set(_function_words().values())))


@cache
def _own() -> np.ndarray:
    """Return the numbers of the languages that have a table of facts."""
    return np.array([k for k, code in enumerate(_codes()) if code in tongues()])


@cache
def _table(tables: TextTables) -> tuple[np.ndarray, np.ndarray]:
    """Return the function words as sorted tokens (uint32) with the number of the language of each (uint8)."""
    tokens = np.array([word_hash(tables, word) | 0x80000000 for word in _function_words()], np.uint32)
    codes = np.array([_codes().index(code) for code in _function_words().values()], np.uint8)
    order = np.argsort(tokens)
    return tokens[order], codes[order]


@cache
def _slots(tables: TextTables) -> np.ndarray:
    """Return a mask by hash slot of function words, a quick test that rules out most tokens."""
    mask = np.zeros(1 << _BITS, bool)
    mask[_slot(_table(tables)[0])] = True
    return mask


def _slot(tokens: np.ndarray) -> np.ndarray:
    out: np.ndarray = (tokens.astype(np.uint64) * _FACTOR >> np.uint64(64 - _BITS)).astype(np.int64)
    return out


def tabled(hashed: Ragged, documents: np.ndarray, tables: TextTables, read: Callable[[int], str]) -> dict[int, str]:
    """Return the language code of each document of `documents` (int64, ascending) whose language has a table, by document.

    Args:
        hashed: tokens as hashes of their letters.
        tables: those by which they were hashed.
        read: function that returns the text of a document.

    Cost: SAMPLE tokens of each document are looked at; a text is read only if its words seem to be of a language with a table, or of none.
    """
    lengths = np.minimum(hashed.lengths[documents], SAMPLE).astype(np.int64)
    tokens = hashed.tokens[places_of(hashed.offsets[documents].astype(np.int64), lengths)]
    row = np.arange(len(documents)).repeat(lengths)
    kana = (tokens >= 0x3041) & (tokens < 0x30FB)
    han = (tokens >= 0x3400) & (tokens < 0xA000)
    n = len(documents)
    kanas, hans = np.bincount(row[kana], minlength=n), np.bincount(row[han], minlength=n)
    if not np.count_nonzero((2 * hans < lengths) | (5 * kanas >= lengths)):
        return {}  # all are Chinese, or empty
    # Function words of Latin and Cyrillic letters.
    known, codes = _table(tables)
    maybe = _slots(tables)[_slot(tokens)].nonzero()[0]
    place = np.minimum(np.searchsorted(known, tokens[maybe]), len(known) - 1)
    hit = known[place] == tokens[maybe]
    wide = len(_codes())
    counts = np.bincount(row[maybe[hit]] * wide + codes[place[hit]], minlength=n * wide).reshape(n, wide)
    # Tokens propose and letters decide: different words may have one hash.
    own = counts[:, _own()].max(1, initial=0) >= LEAST
    unknown = counts.max(1, initial=0) < LEAST
    out: dict[int, str] = {}
    for k in ((5 * kanas >= lengths) & (lengths > 0)).nonzero()[0].tolist():
        out[int(documents[k])] = "ja"
    for k in ((own | unknown) & (2 * hans < lengths) & (5 * kanas < lengths)).nonzero()[0].tolist():
        code = language_of(read(int(documents[k])))
        if code in tongues():
            out[int(documents[k])] = str(code)
    return out
