"""From a text to its tokens, step by step, every character carrying its place in the text.

The steps: URLs and entities dropped, NFKC + lower case per character, traditional to simplified, numeral runs to
digits, signs and units told from other marks, tokens. In plain form nothing is dropped, simplified or made digits. A text is
first `quchong.text.prepared`, so that NFKC may go character by character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from string import ascii_uppercase, punctuation

from twins.characters import is_letter, is_single, is_symbol, mapped
from twins.hashing import M32, mix32, sequence_hash
from twins.symbols import kept_symbols

LINK_TOKENS = 10
WORD_TOKEN, NUMBER_TOKEN, TOKEN_HASH = 0x80000000, 0xC0000000, 0x3FFFFFFF
DROPPED = re.compile(
    r"https?://[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]*"
    r"|(?<![A-Za-z0-9])www\.[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+"
    r"|&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});",
    re.IGNORECASE | re.ASCII,
)
NUMBER = re.compile(r"\d+\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?", re.ASCII)
CHUNK = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
DIGITS = dict(zip("零〇一二三四五六七八九", [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9], strict=True))
UNITS = {"十": 10, "百": 100, "千": 1000}
MINUS, PLUS, EITHER, DEGREE = "-\u2212", "+", "±", "°"
PARTS = "%‰‱" + DEGREE
MONEY = "$¢£¤¥฿" + "".join(map(chr, range(0x20A0, 0x20C1)))
NONE, LEADS, TRAILS = 0, 1, 2
"""What a mark is to a figure: nothing, or a part of it, before or behind it."""
Character = tuple[str, int, int]  # a character of the normal form, and where it comes from


@dataclass(frozen=True)
class Tables:
    """Traditional-only characters, two steps of phrases, words that count as numbers, and bits of a word's hash; symbols or none; of code or
    of prose."""

    folds: Mapping[str, str] = field(default_factory=dict)
    step1: Mapping[str, str] = field(default_factory=dict)
    step2: Mapping[str, str] = field(default_factory=dict)
    number_words: frozenset[str] = frozenset()
    hash_bits: int = 30
    symbols: bool = True
    code: bool = False


@dataclass(frozen=True)
class Token:
    """A token: its value, its characters as compared, and its place in the text."""

    value: int
    text: str
    start: int
    end: int


def nfkc(text: str) -> str:
    """Compatibility composition (NFKC)."""
    return unicodedata.normalize("NFKC", text)


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
    """NFKC, then lower case, character by character; the Chinese comma stays itself, optional marks go."""
    return [(low, start, end) for c, start, end in characters for low in mapped(c)]


def map_code(characters: Sequence[Character]) -> list[Character]:
    """As `map_characters`, but the case of ASCII letters counts."""
    out: list[Character] = []
    for one in characters:
        out += [one] if one[0] in ascii_uppercase else map_characters([one])
    return out


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
    han = sum(is_single(c) and ord(c) >= 0x3400 and not 0xAC00 <= ord(c) < 0xF900 for c, _, _ in characters)
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


class Signs:
    """Which marks belong to a figure (docs/decisions/0170). `of` has NONE, LEADS or TRAILS for every character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.of: list[int] = []
        for i in range(len(text)):  # what a mark is may depend on those before it
            self.of.append(self._mark(i))

    def _at(self, i: int) -> str:
        return self.text[i] if 0 <= i < len(self.text) else "\0"

    def _digit(self, i: int) -> bool:
        return "0" <= self._at(i) <= "9"

    def _figure_follows(self, i: int) -> bool:
        """Does a figure follow what stands at i, with a currency sign before it or not?"""
        return self._digit(i + 1) or (self._at(i + 1) in MONEY and self._digit(i + 2))

    def _behind_digit(self, i: int) -> bool:
        """Does a digit stand before i, with a space between or not?"""
        return self._digit(i - 1) or (self._at(i - 1) == " " and self._digit(i - 2))

    def _figure_ends(self, i: int) -> bool:
        """Does a figure, with its unit, end before i?"""
        if i == 0:
            return False
        letter = i > 1 and self._at(i - 1) in "cf" and self._at(i - 2) == DEGREE and self.of[i - 2] == TRAILS
        return self._digit(i - 1) or self.of[i - 1] == TRAILS or letter

    def _mark(self, i: int) -> int:
        c, leads, trails = self.text[i], False, False
        if c in PARTS:
            trails = self._behind_digit(i)
        elif c in MONEY:
            leads = self._digit(i + 1)
            trails = not leads and self._behind_digit(i)
            leads |= not trails and self._at(i + 1) in MINUS + PLUS + EITHER + " " and self._digit(i + 2)
        elif c in MINUS + EITHER:
            leads = self._figure_follows(i) and (c == EITHER or self._is_minus(i))
        elif c == PLUS:
            before = self._at(i - 1)
            joins = before == PLUS or (is_word(before) and not self._digit(i - 1))
            leads = self._figure_follows(i) and not joins
            trails = not self._figure_follows(i) and self._digit(i - 1)
        return LEADS if leads else TRAILS if trails else NONE

    def _is_minus(self, i: int) -> bool:
        """Is the hyphen at i, before a figure, a minus? Else it joins words, or figures: A-5, 3-5天, 3天-5天, 3%-5%."""
        before = self._at(i - 1)
        if before in MINUS:
            return self._figure_ends(i - 1)  # from 3 to -5
        if is_word(before) or (i > 0 and self.of[i - 1] == TRAILS):
            return False
        unit = is_single(before) and (self._digit(i - 2) or (is_single(self._at(i - 2)) and self._digit(i - 3)))
        return not unit or self._measured(i + 1)

    def _measured(self, i: int) -> bool:
        """Has the figure at i a point, a comma, a currency or a percent sign: 2019年-3.2%? Else 3天-5天 is a range."""
        found = CHUNK.match(self.text, i)
        return not found or not found.group().isdigit() or self._at(found.end()) in PARTS

    def head(self, i: int) -> int:
        """Where the figure that begins at i begins with its signs."""
        while i > 0:
            if self.of[i - 1] == LEADS:
                i -= 1
            elif i > 1 and self.text[i - 1] == " " and self.of[i - 2] == LEADS:
                i -= 2
            else:
                break
        return i

    def tail(self, i: int) -> int:
        """Where the figure that ends before i ends with its unit."""
        at = i + (self._at(i) == " ")
        if at >= len(self.text) or self.of[at] != TRAILS or not self._digit(i - 1):
            return i
        degrees = self.text[at] == DEGREE and self._at(at + 1) in "cf" and not is_word(self._at(at + 2))
        return at + 1 + degrees


def is_word(c: str) -> bool:
    """Is this character a part of a word or number of a script written with spaces?"""
    return is_letter(c) and not is_single(c)


def word_hash(word: str, bits: int = 30) -> int:
    """Hash of a word, 30 bits (FNV-1a over characters, finalised)."""
    h = 0x811C9DC5
    for c in word:
        h = (h ^ ord(c)) * 0x01000193 & M32
    return mix32(h) & (1 << bits) - 1


def word_token(word: str, tables: Tables, head: str = "", tail: str = "") -> int:
    """A word's token, with the signs before it and the unit behind it.

    A number is digits of fewer than ten characters, or a word that says one.
    """
    digits = all("0" <= c <= "9" or c == "." for c in word)
    number = len(word) < 10 if digits else word in tables.number_words
    return word_hash(head + word + tail, tables.hash_bits) | (NUMBER_TOKEN if number else WORD_TOKEN)


def plain_signs(signs: str) -> str:
    """Signs as compared: one minus, no spaces."""
    return signs.replace(" ", "").replace(MINUS[1], MINUS[0])


def split(characters: Sequence[Character], tables: Tables, *, join_numbers: bool) -> list[Token]:
    """Tokens: a character of a script without spaces, or a run of other letters and digits; 3.5 and 1,234 are one;
    a symbol that carries meaning.

    Signs before a figure and its unit behind it are part of its token.
    """
    text = "".join(c for c, _, _ in characters)
    signs = Signs(text)
    symbols = kept_symbols(text, signs.of) if tables.symbols else [False] * len(text)
    out: list[Token] = []
    i = tried = 0

    while i < len(text):
        if is_single(text[i]) or symbols[i]:
            written = plain_signs(text[i])
            out.append(Token(ord(written), written, characters[i][1], characters[i][2]))
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
            begin, end = signs.head(first), signs.tail(i)
            head, tail = plain_signs(text[begin:first]), plain_signs(text[i:end])
            value = word_token(word, tables, head, tail)
            out.append(Token(value, head + word + tail, characters[begin][1], characters[end - 1][2]))
            i = end
        else:
            i += 1
    return out


def split_code(characters: Sequence[Character], tables: Tables) -> list[Token]:
    """Tokens of source code: a run of letters, digits, _ and $; a character of a script without spaces; any other ASCII mark, or symbol."""
    out: list[Token] = []
    i = 0
    while i < len(characters):
        first, word = i, ""
        while i < len(characters) and (is_word(characters[i][0]) or characters[i][0] in "_$"):
            word += characters[i][0]
            i += 1
        if word:
            out.append(Token(word_token(word, tables), word, characters[first][1], characters[i - 1][2]))
            continue
        c, start, end = characters[i]
        if is_single(c) or c in punctuation or is_symbol(c):
            out.append(Token(ord(c), c, start, end))
        i += 1
    return out


def tokenise(text: str, tables: Tables, *, full: bool = True, characters: bool = False) -> list[Token]:
    """The tokens of one text."""
    whole = [(c, i, i + 1) for i, c in enumerate(text)]
    if tables.code:
        return split_code(map_code(whole), tables)

    def finish(mapped: list[Character]) -> list[Token]:
        if full:
            mapped = parse_numerals(simplify(mapped, tables))
        if characters:
            letters = "".join(c for c, _, _ in mapped)
            signs = Signs(letters).of
            symbols = kept_symbols(letters, signs) if tables.symbols else [False] * len(letters)
            some = [
                is_letter(c) or bool(sign) or symbol for c, sign, symbol in zip(letters, signs, symbols, strict=True)
            ]
            kept = [(*m, plain_signs(m[0])) for m, keep in zip(mapped, some, strict=True) if keep]
            return [Token(ord(c), c, start, end) for _, start, end, c in kept]
        return split(mapped, tables, join_numbers=full)

    if full and DROPPED.search(text):
        tokens = finish(map_characters(drop_links(text)))
        if len(tokens) >= LINK_TOKENS:
            return tokens  # with less text beside it, the link is the content
    return finish(map_characters(whole))


def numbered(texts: Sequence[Sequence[Token]]) -> tuple[list[list[int]], dict[int, int]]:
    """Numbers of the tokens of texts that are compared with each other, equal for equal letters alone; and what number stands for what
    hash, where it is another.

    The first word of a hash, in order of the texts, keeps its token. Every other word gets, below its mark, the least value that is no
    word's hash and no other word's number: numbers differ even without their marks.
    """
    words: dict[tuple[int, str], int] = {}  # in the order in which they come
    for token in (t for text in texts for t in text if t.value >= WORD_TOKEN):
        words.setdefault((token.value, token.text), token.value)
    taken = {value & TOKEN_HASH for value, _ in words}
    first: dict[int, str] = {}
    moved: dict[int, int] = {}
    for value, letters in words:
        if first.setdefault(value & TOKEN_HASH, letters) != letters:
            least = next(n for n in count() if n not in taken)
            taken.add(least)
            number = value & NUMBER_TOKEN | least
            words[value, letters], moved[number] = number, value
    return [[words.get((t.value, t.text), t.value) for t in text] for text in texts], moved


def name(token: Token) -> int:
    """What depends on a token's letters alone: a character itself; of a word its token of 30 bits, and 32 bits of another hash above."""
    if token.value < WORD_TOKEN:
        return token.value
    mark = token.value & NUMBER_TOKEN
    return sequence_hash(list(map(ord, token.text)), 0x6E616D65) & ~M32 | mark | word_hash(token.text)


def narrow_places(texts: Sequence[Sequence[Token]]) -> tuple[list[int], list[int], list[int]]:
    """Places of the tokens of texts in two bytes each: steps from start to start, lengths, and number, start and end of those that are far."""
    steps, lengths, far = [], [], []
    for tokens in texts:
        before = 0
        for token in tokens:
            step, length = token.start - before, token.end - token.start
            if not (0 <= step < 255 and 0 <= length < 255):
                far += [len(steps), token.start, token.end]
                step = length = 255
            steps.append(step)
            lengths.append(length)
            before = token.start
    return steps, lengths, far


Question = tuple[int, int, int, int]
"""A text, first and last token (half open) of a stretch in it, and tokens of its window on either side."""
Stretch = tuple[tuple[int, int, int, int], str]
"""Start of the window, start and end of the stretch, end of the window, in characters; and what is written in the window."""


def stretches(
    texts: Sequence[str], asked: Sequence[Question], tables: Tables, *, full: bool = True, characters: bool = False
) -> list[Stretch]:
    """Where stretches of tokens stand in their texts; what of them lies beyond the last token is not there."""
    return [
        stretch(texts[text], tokenise(texts[text], tables, full=full, characters=characters), first, last, margin)
        for text, first, last, margin in asked
    ]


def stretch(text: str, tokens: Sequence[Token], first: int, last: int, margin: int) -> Stretch:
    """One of them. An empty one stands before the token behind it, at the end of the text behind the last token."""
    a = min(first, len(tokens))
    b = max(a, min(last, len(tokens)))
    before, inner, behind = tokens[max(0, a - margin) : a], tokens[a:b], tokens[b : b + margin]
    start = tokens[a].start if a < len(tokens) else tokens[-1].end if tokens else 0
    end = inner[-1].end if inner else start
    window = before[0].start if before else start, behind[-1].end if behind else end
    return (window[0], start, end, window[1]), text[window[0] : window[1]]


def stream(tokens: Sequence[Token], *, characters: bool = False) -> list[int]:
    """Characters of the normal form: what the digest is taken of. A word is followed by a space."""
    out: list[int] = []
    for t in tokens:
        out += map(ord, t.text)
        if not characters and t.value >= WORD_TOKEN:
            out.append(ord(" "))
    return out


_END = re.compile(
    r"[。！？!?…]+[”’』」）)\]】》\"']*"  # terminators, with the quotes and brackets that close behind them
    r"|\.[”’\"')\]]*(?=\s|$)"  # a full stop before white space, with what closes behind it; not within 3.5
    r"|\n+"
)


def sentence_places(text: str) -> list[tuple[int, int]]:
    """See `quchong.text.sentences`."""
    out: list[tuple[int, int]] = []
    start = 0
    for end in [*(m.end() for m in _END.finditer(text)), len(text)]:
        piece = text[start:end]
        inner = piece.strip()
        if inner:
            at = start + piece.index(inner[0])
            out.append((at, at + len(inner)))
        start = max(start, end)
    return out


BREAK = re.compile(r"[。！？!?…\n]|\.[”’\"')\]]*(?=\s)")


def sentence_breaks(text: str) -> list[int]:
    """Places behind which another sentence begins."""
    return [m.end() for m in BREAK.finditer(text)]
