"""Scores, grades in letters, Roman numerals and page numbers at an edit."""

from __future__ import annotations

from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_ROMAN = lazy_pattern("x{0,2}(?:ix|iv|v?i{0,3})")
_VALUES = {"x": 10, "v": 5, "i": 1}


def roman(text: str) -> int | None:
    """Return the value of a Roman numeral up to 29 in lower case: iv is 4; None for any other text."""
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_VALUES[letter] for letter in text]
    # A letter before a greater one is subtracted.
    return sum(-v if v < after else v for v, after in zip(values, [*values[1:], 0], strict=True))


AMBIGUOUS = ("i", "v", "x", "vi", "xi")
"""Roman numerals that are more often other words; they count only next to a word of _NUMBERED or _BEHIND."""
ROMANS = tuple(
    text
    for tens in ("", "x", "xx")
    for ones in ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
    if (text := tens + ones) and text not in AMBIGUOUS
)
"""Roman numerals that are numerals wherever they are words of their own."""
_NUMBERED = lazy_pattern(
    r"(?:\b(?:phase|stage|part|type|class|grade|level|tier|chapter|volume|title|article|section|annex|appendix|table|act|category|group|war)"
    r"\s|第)$"
)
"""Text before a Roman numeral of one or two letters."""
_BEHIND = lazy_pattern("[级期类型度章卷]")


def numbers(text: str, start: int, end: int) -> bool:
    """Return True if the Roman numeral text[start:end] numbers something, and is no other word such as I or Xi."""
    if text[start:end] not in AMBIGUOUS:
        return True
    return bool(_NUMBERED.search(text[:start]) or _BEHIND.match(text, end))


_SCORE = lazy_pattern(r"(?<!\d)(?<!\d[.:/\-])(\d{1,3})\s?[-:比—–~至到]\s?(\d{1,3})(?!\d|[.:/\-]\d)")


_DIGITS = lazy_pattern(r"\d+")


def _scores(side: Window) -> set[tuple[str, str]]:
    """Return the scores in the differing text, each as a pair of its two numbers.

    A score begins with a number, so it is looked for at numbers alone: a pattern that begins by looking back is tried at every letter.
    """
    out, after = set[tuple[str, str]](), 0
    for number in _DIGITS.finditer(side.text):
        start = number.start()
        if start >= side.end:
            break
        if start >= after and (found := _SCORE.match(side.text, start)) is not None:
            after = found.end()
            if side.touches(start, after):
                out.add((found[1], found[2]))
    return out


def turned(left: Window, right: Window) -> bool:
    """Return True if both sides state a score, and one is the other turned round: 3-1 and 1-3, 10至20 and 20至10."""
    mine = _scores(left)
    theirs = _scores(right) if mine else set()
    return any(a != b and (b, a) in theirs and (a, b) not in theirs for a, b in mine)


_GRADE = lazy_pattern(r"([a-z])\1*")
_CHINESE = lazy_pattern("[\u3400-\u9fff]")
_LETTERED = lazy_pattern(
    r"\b(?:class|grade|group|plan|type|vitamin|category|section|block|gate|terminal|hall|hepatitis|schedule|series|zone|level|tier|team|"
    r"exhibit|appendix|annex|option|building|platform|lane|unit|part|influenza|point|phase|form|flight|line|room|ward|division|"
    r"witness|player|patient|person|man|woman|boy|girl|child|student|pupil|suspect|victim|defendant|plaintiff|accused|speaker|driver|"
    r"company|firm|party|bidder|bank|shop|store|school|hospital|team|city|country|model|sample|subject|case|officer|informant|source|"
    r"(?:mr|mrs|ms|miss|dr|prof)\.?)[\s-]$"
)
"""Text before a letter that tells one thing from others of its kind."""


def graded_apart(left: Window, right: Window) -> bool:
    """Return True if a letter is replaced by another one before the same Chinese character, or after the same word that letters number.

    A级 and B级, AAA级 and AA级, 甲A and 甲B, class A and class B. A letter may be repeated.
    """
    letters = {left.stretch, right.stretch}
    if len(letters) == 1 or letters == {"a", "i"} or not all(_GRADE.fullmatch(side.stretch) for side in (left, right)):
        return False
    behind, before = (
        (left.text[left.end : left.end + 1], right.text[right.end : right.end + 1]),
        (left.text[: left.start], right.text[: right.start]),
    )
    if behind[0] == behind[1] and _CHINESE.match(behind[0]):
        return True
    found = [_LETTERED.search(text) for text in before]
    return bool(found[0] and found[1] and found[0].group() == found[1].group())


_DASHES = "-", "—", "–"
_PAGE = lazy_pattern(r"(?:^|\n)[^\S\n]*[-—–]+\s?\d{1,4}\s?[-—–]+[^\S\n]*(?=\n|$)")


def page_number(window: Window) -> bool:
    """Return True if the line of the differing text is a page number between dashes: - 3 -."""
    if not any(dash in window.text for dash in _DASHES):  # nearly always
        return False
    return any(m.start() <= window.start and window.end <= m.end() for m in _PAGE.finditer(window.text))
