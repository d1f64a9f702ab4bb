"""What the kernels of quchong.kernels.differences compute, in plain Python."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quchong.kernels.differences import NO_SLIP, MarkTables, ReasonLimits, SlotWords

NEGATION, SURNAME, NUMERAL, RELATIVE, SUFFIX, FOREIGN, NUMBER, SYMBOL, WORD, HAN = (1 << k for k in range(10))
FIGURES = NUMBER | NUMERAL
DATED = FIGURES | RELATIVE
STATED, LISTED, NEGATED, NAMED, WORDED, SYMBOLIC = 1, 2, 4, 8, 16, 32
LISTS, NEGATES, STATES = 15, 16, 32


def reasons(
    docs: Sequence[Sequence[int]], hashed: Sequence[Sequence[int]], left: Sequence[int], right: Sequence[int], pair: Sequence[int],
    places: Sequence[Sequence[int]], around: Sequence[int], slip: Sequence[int], tables: MarkTables, limits: ReasonLimits,
) -> list[int]:  # fmt: skip
    """See `quchong.kernels.differences.reasons`."""
    known = Tokens(tables)
    near = [
        a1 - a0 <= limits.read and b1 - b0 <= limits.read and equal >= limits.anchored
        for (a0, a1, b0, b1), equal in zip(places, around, strict=True)
    ]
    out = [0] * len(pair)
    for k, (p, (a0, a1, b0, b1)) in enumerate(zip(pair, places, strict=True)):
        if not near[k]:
            continue
        mine, theirs = docs[left[p]], docs[right[p]]
        replaced = [e for e in places_of(p, pair, places, near) if e[0] < e[1] and e[2] < e[3]]
        singles = {(mine[e[0]], theirs[e[2]]) for e in replaced if e[1] - e[0] == 1 == e[3] - e[2]}
        mine, theirs = hashed[left[p]], hashed[right[p]]  # lists of words are looked up by hashes
        few, scattered = len(replaced) < limits.scattered, len(singles) >= limits.scattered
        x, y = known.marks(mine, a0, a1), known.marks(theirs, b0, b1)
        longer = max(a1 - a0, b1 - b0)
        both_sides = a0 < a1 and b0 < b1
        quiet = scattered and a1 - a0 == 1 == b1 - b0
        if both_sides:
            words = (x | y) & WORD and x & (DATED | WORD) and y & (DATED | WORD)
            near_by = known.marks(mine, a0 - 1, a0) | (known.marks(mine, a1, a1 + 1) if x & y & WORD else 0)
            figures = (x & DATED and y & DATED) or (near_by & NUMBER and longer <= limits.unit)
            listed = known.lists(mine, a0, a1) & known.lists(theirs, b0, b1)
            nameable = known.nameable(mine, a0, a1) and known.nameable(theirs, b0, b1)
            named = (
                x & y & HAN
                and not slip[k]
                and not quiet
                and longer <= limits.name
                and (nameable or (few and longer >= 2))
            )
        else:
            words = listed = named = 0
            beside = known.marks(mine, a0 - 1, a0) | known.marks(mine, a1, a1 + 1)
            said = FIGURES | WORD
            figures = (x | y) & said and beside & said and (x | y | beside) & FIGURES
        negated = (x | y) & NEGATION and longer <= limits.negated
        asked = (
            (figures, STATED),
            (listed, LISTED),
            (negated, NEGATED),
            (named, NAMED),
            (words, WORDED),
            ((x | y) & SYMBOL, SYMBOLIC),
        )
        out[k] = sum(bit for why, bit in asked if why)
    return out


def places_of(
    pair: int, pairs: Sequence[int], places: Sequence[Sequence[int]], near: Sequence[bool]
) -> list[Sequence[int]]:
    """The edits of a pair that stand near enough to equal tokens, and are short enough."""
    return [e for p, e, so in zip(pairs, places, near, strict=True) if p == pair and so]


class Tokens:
    """What tokens tell."""

    def __init__(self, tables: MarkTables) -> None:
        self.characters, self.lexicon = tables.characters.tolist(), tables.listed

    def mark(self, token: int) -> int:
        """The marks of a token."""
        if token < 0x80000000:
            picture = SYMBOL if 0x1F000 <= token < 0x20000 else 0
            return self.characters[min(token, 0xFFFF)] | picture | (HAN if 0x3400 <= token < 0xA000 else 0)
        word = self.entry(token, 0)
        mark = (NEGATION if word & NEGATES else 0) | (NUMERAL if word & STATES else 0)
        return (NUMBER if token >= 0xC0000000 else WORD) | mark

    def marks(self, text: Sequence[int], first: int, last: int) -> int:
        """The marks that some token from first to last has."""
        out = 0
        for token in text[max(first, 0) : max(last, 0)]:
            out |= self.mark(token)
        return out

    def nameable(self, text: Sequence[int], first: int, last: int) -> bool:
        """May the stretch be of a name: with or behind a surname, in letters of foreign names, before a suffix?"""
        inside = self.marks(text, first, last) & (SURNAME | FOREIGN | SUFFIX)
        return bool(inside or self.marks(text, first - 1, first) & SURNAME or self.marks(text, last, last + 2) & SUFFIX)

    def lists(self, text: Sequence[int], first: int, last: int) -> int:
        """The lists in a word of which the stretch may have a part, as bits."""
        out = 0
        for k in range(first, last):
            out |= self.entry(text[k], 0)
        for k in range(max(first - 1, 0), min(last + 1, len(text)) - 1):
            out |= self.entry(text[k], text[k + 1])
        return out & LISTS

    def entry(self, a: int, b: int) -> int:
        """The lists of a token, or of two in a row."""
        mixed = (a * 0x9E3779B97F4A7C15 + b * 0xC2B2AE3D27D4EB4F) % 2**64
        return int(self.lexicon[mixed >> 44])


Cut = tuple[int, int, int, int]
NO_SLOT = 0xFFFFFFFF
NUMBER_TOKEN = 0xC0000000


def slots(
    docs: Sequence[Sequence[int]], hashed: Sequence[Sequence[int]], left: Sequence[int], right: Sequence[int], pair: Sequence[int],
    places: Sequence[Sequence[int]], before: Sequence[int], after: Sequence[int], words: SlotWords, frame: int, longest: int,
) -> list[list[int]]:  # fmt: skip
    """See `quchong.kernels.differences.slots`."""
    numerals, calendar = (_with_renumbered(docs, hashed, set(listed.tolist())) for listed in words)
    out = []
    for p, (a, b, c, d), *around in zip(pair, places, before, after, strict=True):
        mine, theirs = docs[left[p]], docs[right[p]]
        near = mine[a - 1] if a and c else 0, mine[b] if b < len(mine) and d < len(theirs) else 0
        sides = mine[a:b], theirs[c:d]
        turn = len(sides[0]) > len(sides[1])
        few, many = sides[::-1] if turn else sides
        cut = slot(few, many[:longest], near, (around[0], around[1]), (numerals, calendar), len(many) <= longest, frame)
        if cut is not None and turn:
            cut = (*cut[2:], *cut[:2])
        out.append(list(cut or (NO_SLOT,) * 4))
    return out


def _with_renumbered(docs: Sequence[Sequence[int]], hashed: Sequence[Sequence[int]], listed: set[int]) -> set[int]:
    """The listed tokens, and those that are words of the same hash under another number."""
    both = zip((t for doc in docs for t in doc), (t for doc in hashed for t in doc), strict=True)
    return listed | {token for token, known in both if known in listed}


def slot(
    few: Sequence[int], many: Sequence[int], near: tuple[int, int], around: tuple[int, int], lists: tuple[set[int], set[int]],
    whole: bool, frame: int,
) -> Cut | None:  # fmt: skip
    """The token ranges of two different figures in one slot, judged by the tokens around them; None if there are none.

    few, many: tokens of both sides; near: the equal tokens before and after the edit, 0 where a text begins or ends; around: how many.
    whole: `many` reaches the end of the edit.
    """
    numerals, calendar = lists
    mine, theirs = _figures(few, numerals), _figures(many, numerals)
    known = {tuple(many[i:j]) for i, j in theirs}
    # Try figures of the shorter side in order; the first that has a partner in the same slot decides.
    for i, j in mine:
        if tuple(few[i:j]) in known:
            continue
        before, behind = few[i - 1] if i else near[0], few[j] if j < len(few) else near[1]
        if {before, behind} & calendar:
            continue
        for k, m in theirs:
            ahead = many[k - 1] if k else near[0]
            after = many[m] if m < len(many) else near[1] * whole
            if {ahead, after} & calendar:
                continue
            # Same slot: equal tokens on both sides, or both at the beginning of the edit, or both at its end after an equal token.
            framed = before == ahead != 0 and behind == after != 0
            begins = i == k == 0 and near[0] != 0 and around[0] >= frame
            ends = j == len(few) and m == len(many) and whole and near[1] != 0 and around[1] >= frame
            if framed or begins or (ends and before == ahead):
                return _widened(few, many, (i, j, k, m))
    return None


def _widened(few: Sequence[int], many: Sequence[int], cut: Cut) -> Cut:
    """Extend two figures by the equal tokens after them: their unit, or the rest of a date (4月6日 for 4月5日)."""
    i, j, k, m = cut
    while j < len(few) and m < len(many) and few[j] == many[m]:
        j, m = j + 1, m + 1
    return i, j, k, m


def _figures(tokens: Sequence[int], numerals: set[int]) -> list[tuple[int, int]]:
    """Return the token ranges of figures: a number in digits, or a row of Chinese or English numerals."""
    out: list[tuple[int, int]] = []
    joined = False
    for k, token in enumerate(tokens):
        written = token in numerals
        if joined and written:
            out[-1] = (out[-1][0], k + 1)
        elif written or token >= NUMBER_TOKEN:
            out.append((k, k + 1))
        joined = written
    return out


_ALIKE = (("rn", "m"), ("cl", "d"), ("vv", "w"), ("0", "o"), ("1", "l"), ("5", "s"), ("8", "b"))


def letters_apart(one: str, other: str) -> int:
    """See `quchong.kernels.differences.letters_apart`."""
    both, size = (one, other), max(len(one), len(other))
    most = max(1, min(size // 3, 3))
    digits = [sum(c in "0158" for c in word) for word in both]
    letters = [{c for c in word if c not in "0158"} for word in both]
    if (
        not all(0 < len(word) <= 24 and set(word) <= set("abcdefghijklmnopqrstuvwxyz0158") for word in both)
        or any(
            len(word) > 1 and (len(set(word)) == 1 or len(some) == 1) for word, some in zip(both, letters, strict=True)
        )
        or any(len(b) > 3 and b in (a.removeprefix("un"), a.removeprefix("non")) for a, b in (both, both[::-1]))
        or all(digits)
        or any(2 * n > len(word) for n, word in zip(digits, both, strict=True))
        or max(len(letters[0] - letters[1]), len(letters[1] - letters[0])) > most + 1
    ):
        return NO_SLIP
    wrong = wrong_letters(one, other)
    read = list(both)
    for written, single in _ALIKE:
        read = [word.replace(written, single) for word in read]
    if wrong > 1:
        wrong = min(wrong, wrong_letters(*read))
    return wrong if wrong <= most else NO_SLIP


def wrong_letters(one: str, other: str) -> int:
    """In how many letters two words differ: the whole table of Damerau's restricted edits."""
    table = [[i + j if not i or not j else 0 for j in range(len(other) + 1)] for i in range(len(one) + 1)]
    for i, c in enumerate(one, 1):
        for j, d in enumerate(other, 1):
            ways = [table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (c != d)]
            if i > 1 and j > 1 and (c, one[i - 2]) == (other[j - 2], d):
                ways.append(table[i - 2][j - 2] + 1)
            table[i][j] = min(ways)
    return table[-1][-1]


def text_hints(text: str, words: Sequence[str], line: int, head: int, foot: int) -> tuple[int, int]:
    """See `quchong.kernels.differences.text_hints`; the hints of a text, and how many characters it has."""

    def has_word(part: str) -> bool:
        return any(word in part for word in words)

    lined = "\n" in text and any(len(part) <= line and has_word(part) for part in text.split("\n"))
    blanks = [k for k, c in enumerate(text[:head]) if c.isspace()]
    end = _SENTENCE_END.search(text, max(len(text) - foot, 0))
    headed, footed = bool(blanks) and has_word(text[: blanks[-1]]), end is not None and has_word(text[end.end() :])
    coded = _BEGUN_AS_CODE.match(text) is not None or any(map(_CODE_LINE.match, text.split("\n")))
    return lined | headed << 1 | footed << 2 | coded << 3, len(text)


_SENTENCE_END = re.compile('[。！？”」』）】.!?)"]')
_BEGUN_AS_CODE = re.compile("[\t-\r\x1c-\x1f ]*[#\"'/rRif\x80-\xbf\u1000-\u3fff]")
"""The first character of a comment, a docstring or an import; or one whose first byte blanks have that are no ASCII."""
_CODE_LINE = re.compile(
    r"[ \t]*(?:[@#]|(?:[A-Za-z_](?:[\w.]|[^\x00-\x7f])*)(?:[\[(]|[ \t]*=)|[a-z](?:[\w.]|[^\x00-\x7f])*[ \t])"
)
"""The beginning of a line with a decorator, a directive, a word in lower case, or a name that is called, indexed or given a value."""
