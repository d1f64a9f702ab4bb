"""From a text to its tokens, step by step, every character carrying its place in the text.

The steps: URLs and entities dropped, NFKC + lower case per character, traditional to simplified, numeral runs to
digits, tokens. Only the first two (without the dropping) and the last happen in plain form. A text is first
`quchong.text.prepared`, so that NFKC may go character by character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quchong.kernels.reference.hashing import M32, mix32

LINK_TOKENS = 10
WORD_TOKEN, NUMBER_TOKEN, TOKEN_HASH = 0x80000000, 0xC0000000, 0x3FFFFFFF

DROPPED = re.compile(
    r"https?://[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*"
    r"|(?<![A-Za-z0-9])www\.[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+"
    r"|&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});",
    re.IGNORECASE | re.ASCII,
)
SINGLES = (
    "\u3005\u3007\u3040-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
)
SINGLE = re.compile(f"[{SINGLES}]")
NUMBER = re.compile(r"\d+\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
CHUNK = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
DIGITS = dict(zip("零〇一二三四五六七八九", [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], strict=True))
UNITS = {"十": 10, "百": 100, "千": 1000}

Character = tuple[str, int, int]  # a character of the normal form, and where it comes from


@dataclass(frozen=True)
class Tables:
    """Traditional-only characters, two steps of phrases, and words that count as numbers."""

    folds: Mapping[str, str] = field(default_factory=dict)
    step1: Mapping[str, str] = field(default_factory=dict)
    step2: Mapping[str, str] = field(default_factory=dict)
    number_words: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Token:
    """A token: its value, its characters as compared, and its place in the text."""

    value: int
    text: str
    start: int
    end: int


def is_single(c: str) -> bool:
    """Is this character, of a script written without spaces, a token of its own?"""
    return c.isalnum() and bool(SINGLE.match(c))


def drop_links(text: str) -> list[Character]:
    """Characters of the text; a URL or HTML entity becomes one space."""
    out: list[Character] = []
    at = 0
    for m in DROPPED.finditer(text):
        out += [(text[i], i, i + 1) for i in range(at, m.start())]
        out.append((" ", m.start(), m.end()))
        at = m.end()
    return out + [(text[i], i, i + 1) for i in range(at, len(text))]


def map_characters(characters: Sequence[Character]) -> list[Character]:
    """NFKC, then lower case, character by character; the Chinese comma stays itself."""
    return [
        (low, start, end)
        for c, start, end in characters
        for wide in (c if c == "，" else unicodedata.normalize("NFKC", c))
        for low in wide.lower()
    ]


def convert(characters: Sequence[Character], phrases: Mapping[str, str]) -> list[Character]:
    """At every place the longest phrase is replaced. A replacement of equal length maps one to one."""
    longest = max(map(len, phrases), default=0)
    text = "".join(c for c, _, _ in characters)
    out: list[Character] = []
    i = 0
    while i < len(text):
        n = next((n for n in range(min(longest, len(text) - i), 0, -1) if text[i : i + n] in phrases), 0)
        if n == 0:
            out.append(characters[i])
            i += 1
            continue
        to = phrases[text[i : i + n]]
        if len(to) == n:
            out += [(c, characters[i + k][1], characters[i + k][2]) for k, c in enumerate(to)]
        else:
            out += [(c, characters[i][1], characters[i + n - 1][2]) for c in to]
        i += n
    return out


def simplify(characters: Sequence[Character], tables: Tables) -> list[Character]:
    """Phrase conversion where 5% of the Han characters are traditional-only, else those characters folded."""
    han = sum(is_single(c) and ord(c) >= 0x3400 for c, _, _ in characters)
    traditional = sum(c in tables.folds for c, _, _ in characters)
    if traditional and traditional * 20 >= han:
        return convert(convert(characters, tables.step1), tables.step2)
    return [(tables.folds.get(c, c), start, end) for c, start, end in characters]


def numeral(run: str) -> str | None:
    """Digits for a run of Chinese numeral characters that parses wholly, else None."""
    if not any(c in UNITS for c in run):
        return "".join(str(DIGITS[c]) for c in run)
    total, unit, pending, zero = 0, 10000, None, False
    for i, c in enumerate(run):
        if c in UNITS:
            if UNITS[c] >= unit or (pending is None and not (c == "十" and i == 0)):
                return None
            unit = UNITS[c]
            total += (1 if pending is None else pending) * unit
            pending, zero = None, False
        elif DIGITS[c] == 0:
            if pending is not None or zero or i == 0:
                return None
            zero = True
        else:
            if pending is not None:
                return None
            pending = DIGITS[c]
    if pending is None:
        return None if zero else str(total)
    return str(total + pending) if unit == 10 or zero else None


def parse_numerals(characters: Sequence[Character]) -> list[Character]:
    """Runs of two or more Chinese numeral characters become digits where they parse wholly."""
    text = "".join(c for c, _, _ in characters)
    out: list[Character] = []
    at = 0
    for m in re.finditer("[零〇一二三四五六七八九十百千]{2,}", text):
        digits = numeral(m.group())
        if digits is None:
            continue
        out += characters[at : m.start()]
        run = characters[m.start() : m.end()]
        same = len(digits) == len(run)
        out += [(d, run[k][1] if same else run[0][1], run[k][2] if same else run[-1][2]) for k, d in enumerate(digits)]
        at = m.end()
    return [*out, *characters[at:]]


def word_hash(word: str) -> int:
    """30-bit hash of a word (FNV-1a over characters, finalised)."""
    h = 0x811C9DC5
    for c in word:
        h = (h ^ ord(c)) * 0x01000193 & M32
    return mix32(h) & TOKEN_HASH


def word_token(word: str, tables: Tables) -> int:
    """A word's token: a number is digits of fewer than ten characters, or a word that says one."""
    digits = all("0" <= c <= "9" or c == "." for c in word)
    number = len(word) < 10 if digits else word in tables.number_words
    return word_hash(word) | (NUMBER_TOKEN if number else WORD_TOKEN)


def split(characters: Sequence[Character], tables: Tables, *, join_numbers: bool) -> list[Token]:
    """Tokens: a character of a script without spaces, or a run of other letters and digits; 3.5 and 1,234 are one."""
    text = "".join(c for c, _, _ in characters)
    out: list[Token] = []
    i = tried = 0

    def is_word(c: str) -> bool:
        return c.isalnum() and not is_single(c)

    while i < len(text):
        if is_single(text[i]):
            out.append(Token(ord(text[i]), text[i], characters[i][1], characters[i][2]))
            i += 1
        elif is_word(text[i]):
            first, word = i, ""
            chunk = CHUNK.match(text, i) if join_numbers and i >= tried else None
            if chunk:
                tried = chunk.end()
                if NUMBER.fullmatch(chunk.group()):
                    word, i = chunk.group().replace(",", ""), chunk.end()
            while i < len(text) and is_word(text[i]):
                word += text[i]
                i += 1
            out.append(Token(word_token(word, tables), word, characters[first][1], characters[i - 1][2]))
        else:
            i += 1
    return out


def tokenise(text: str, tables: Tables, *, full: bool = True, characters: bool = False) -> list[Token]:
    """The tokens of one text."""
    whole = [(c, i, i + 1) for i, c in enumerate(text)]

    def finish(mapped: list[Character]) -> list[Token]:
        if full:
            mapped = parse_numerals(simplify(mapped, tables))
        if characters:
            return [Token(ord(c), c, start, end) for c, start, end in mapped if c.isalnum()]
        return split(mapped, tables, join_numbers=full)

    if full and DROPPED.search(text):
        tokens = finish(map_characters(drop_links(text)))
        if len(tokens) >= LINK_TOKENS:
            return tokens  # with less text beside it, the link is the content
    return finish(map_characters(whole))


def stream(tokens: Sequence[Token], *, characters: bool = False) -> list[int]:
    """Characters of the normal form: what the digest is taken of. A word is followed by a space."""
    out: list[int] = []
    for t in tokens:
        out += map(ord, t.text)
        if not characters and t.value >= WORD_TOKEN:
            out.append(ord(" "))
    return out
