"""Contradictions between figures, dates and codes at an edit; datelines and bylines are recognised and excepted."""

from __future__ import annotations

from collections.abc import Sequence

from quchong.differences.agreement import fused, unmatched
from quchong.differences.counting import counted_apart, periods_apart, placed_apart, priced_apart
from quchong.differences.dates import MONTH
from quchong.differences.figures import Mention, clear_before, mentions, wordy
from quchong.differences.notation import graded_apart, page_number, turned
from quchong.differences.unstated import damaged, next_item
from quchong.differences.windows import Window
from quchong.patterns import lazy_pattern

_AGENCY = (
    r"\s*(?:,?\s*\d{4}\s*)?(?:\((?:xinhua|reuters?|ap|afp|upi|tass|bloomberg|cnn|bbc|kyodo|yonhap|dpa)\b|--|\u2014)"
)
_DATELINE = lazy_pattern(rf"[^。；;，,]{{0,2}}[电讯](?![视话影子力动脑号息梯信])|\s*(?:来源|作者|编辑|记者)|{_AGENCY}")
"""Text after a date that makes it a dateline: 3月5日电."""
ROW = 8
"""Longest Chinese stretch in characters whose figures are compared in place; in longer ones figures may change places with their
neighbours, as the cells of a table do.
"""
WORDS = 4
"""Limit for Latin text, in words, that corresponds to the one above."""
_CELLS = lazy_pattern(r"[|\t]")
"""Separators of the cells of a table that was converted to text; the order of cells is the converter's."""
_TOLD = lazy_pattern("消息|报道")
_STAMP = lazy_pattern(r"(?:发布时间|更新时间|发布日期|来源|posted|updated)\s*[:：]\s*$")
_BYLINE = lazy_pattern(
    r"(?:记者|通讯员|编辑|责编|作者|摄影|摄|[图撰]/?文|翻译|供稿|校对|审核|编审|实习生|主播)(?!从|在|于|对|向|来|到|走|赶|前往|深入|抵达|采访|专访|探访|暗访|获|了解|联系|致电|询问|看|见|发现|问|追问|拨|查[询阅看]|注意|登录|打开)[\s:：/／、（(]{0,3}[\u4e00-\u9fff·、]{0,3}$"
)
_WRITER = lazy_pattern(r"记者|通讯员|编辑|责编|作者|来源|摄影|本报|原标题|media_")
_PAPER = lazy_pattern(r"(?:[日晚晨早商时]{0,2}报|社|网|电视台|广播)(?!会|络|道|告|名|吧|民|友|站)")
_PLACE_LINE = lazy_pattern(
    r"[^。；;，,]{0,3}\d{1,2}(?:月\d{1,2})?日?(?:电|讯)"
    rf"|(?:,\s*[a-z.]{{2,10}})?,?\s*(?:{MONTH})\b\.?\s*\d{{1,2}}{_AGENCY}|{_AGENCY}"
)


_ADVERTISEMENT = lazy_pattern(
    "扫码|扫一扫|二维码|客户端|公众号|点击关注|关注我们|新用户|立减|满减|红包|抽奖|优惠券|下载app"
    "|subscribe|sign up|download (?:the|our) app"
)
ADVERTISED = 8
"""Least length of an advertisement in characters."""


def advertised(left: Window, right: Window) -> bool:
    """Return True if the differing texts of both windows are advertising: long enough, with a phrase such as 扫码 or subscribe."""
    return all(w.end - w.start >= ADVERTISED and _ADVERTISEMENT.search(w.stretch) for w in (left, right))


def spoken_of(window: Window) -> bool:
    """Return True if the differing text names the author or the place of the report (a byline, a dateline)."""
    before, after = window.text[: window.start], window.text[window.end :]
    return bool(
        _BYLINE.search(before) or _WRITER.search(window.stretch) or _PLACE_LINE.match(after) or _PAPER.match(after)
    )


_BLANK = lazy_pattern(r"[^\w%‰‱]*$"), lazy_pattern(r"[^\w+\-$£€¥]*")
"""Marks and blanks next to an empty stretch; the insertion point may equally be before or after them."""


def _stated(window: Window, other: Window) -> list[Mention]:
    """Return the mentions (figures, dates, codes) in a window that overlap its differing text, or touch an empty one.

    If the other side is empty, only facts that reach beyond the stretch count, because the other side has the rest of them.
    """
    text, out = window.text, list[Mention]()
    # Shortcut: plain words state nothing, and need no search with the large pattern.
    if wordy(text, window.start, window.end):
        return out
    lone, empty, first, last = other.start == other.end, window.start == window.end, window.start, window.start
    # An empty stretch may equally be before or after the marks and blanks next to it: facts touching these count too.
    if empty:
        before, behind = _BLANK[0].search(text[: window.start]), _BLANK[1].match(text, window.start)
        first, last = before.start() if before else first, behind.end() if behind else last
    for m in mentions(text, last if empty else window.end, clear_before(text, first)):
        if not (window.touches(m.start, m.end) or (empty and m.start <= last and first <= m.end)):
            continue
        if lone and m.start >= window.start and m.end <= window.end:
            continue
        if text[m.start : m.end].isalpha() and text[m.start : m.end].isascii() and _long(window.stretch):
            continue  # first, one, half: within a rewritten passage they count nothing
        out.append(m)
    return out


def _long(stretch: str) -> bool:
    return len(stretch.split()) > WORDS if stretch.isascii() else len(stretch) > ROW


def contradiction(left: Window, right: Window) -> tuple[str, bool] | None:
    """Return the kind ("date", "code", "figure") that both sides of an edit state, and True if they conflict; None if not both do."""
    both = left.stretch + right.stretch
    # First rule out edits that cannot state two facts: blanks only, a passage on one side only, cells of a table, a damaged scan.
    if page_number(left) or page_number(right):
        return None
    alike = "".join(left.stretch.split()) == "".join(right.stretch.split())
    lone = (left.start == left.end or right.start == right.end) and _long(both)  # a passage that only one has
    if alike or lone or _other_cells(left, right) or damaged(left, right):
        return None
    # Facts conflict only if both sides state one; the left side is searched only if the right side may have one, and the right side only if
    # the left side has one.
    mine = [] if wordy(right.text, right.start, right.end) else _stated(left, right)
    theirs = _stated(right, left) if mine else []
    # A conflict of stated facts decides; agreement does not yet, because a bare word may still be another fact.
    told = _compared(left, right, mine, theirs) if theirs else None
    if told is not None and told[1]:
        return told
    # A calendar unit after the same number, or a numeral before the same thing, is a fact although it is no mention by itself.
    for kind, apart in _LATIN_FACTS if left.text.isascii() and right.text.isascii() else _FACTS:
        if apart(left, right):
            return kind, True
    return told


_LATIN_FACTS = ("figure", turned), ("figure", placed_apart), ("code", graded_apart)
"""Kinds of facts other than mentions, in texts without Chinese characters; each with the function that returns True if two contradict."""
_FACTS = (
    ("date", periods_apart), ("figure", counted_apart), ("figure", turned), ("figure", priced_apart), *_LATIN_FACTS[1:],
)  # fmt: skip
"""Kinds of facts other than mentions in texts with Chinese characters: also calendar units, counts and prices."""


def _other_cells(left: Window, right: Window) -> bool:
    """Return True if the two sides have table cells that are not the same in the same order."""
    sides = [_CELLS.split(side.stretch) for side in (left, right)]
    if len(sides[0]) == len(sides[1]) == 1:
        return False
    mine, theirs = (sorted(cell.strip() for cell in cells) for cells in sides)
    return len(mine) != len(theirs) or mine == theirs


def _compared(
    left: Window, right: Window, mine: Sequence[Mention], theirs: Sequence[Mention]
) -> tuple[str, bool] | None:
    """Return the kind of the mentions of both sides of an edit, and True if they conflict; None if the sides share no kind."""
    told: str | None = None
    # The first kind that conflicts decides, dates and codes before figures; without a conflict, the first kind both sides state.
    for kind in ("date", "code", "figure"):
        x, y = ([m for m in side if m.kind == kind] for side in (mine, theirs))
        if not x or not y:
            continue
        told = told or kind
        # In a long stretch figures may have moved like cells of a table: compare with all figures of the other window.
        near = kind == "figure" and (_long(left.stretch) or _long(right.stretch))
        x, y = (
            unmatched(x, mentions(right.text) if near else y),
            unmatched(y, mentions(left.text) if near else x),
        )
        # Renumbered list items and account names of sites are no facts of the text.
        if kind == "figure" and next_item(left, right, x, y):
            continue
        if kind == "code":
            x, y = _signed(left, right, x), _signed(right, left, y)
        # Only facts without a counterpart on both sides conflict; a date of a dateline is that of the report, and contradicts no other.
        if x and y and not (kind == "date" and (_dateline(left, x) or _dateline(right, y))):
            return kind, True
    if told is not None:
        return told, False
    # The sides state facts of different kinds: only code against figure is comparable (5mg, 5 mg).
    kinds = {m.kind for m in mine} | {m.kind for m in theirs}
    if kinds == {"code", "figure"}:
        return _code_and_figure(left, right, mine, theirs)
    return ("date", False) if "date" in kinds else None


def _code_and_figure(
    left: Window, right: Window, mine: Sequence[Mention], theirs: Sequence[Mention]
) -> tuple[str, bool]:
    """Compare the codes on one side of an edit with the figures on the other; return the kind, and True if they conflict."""
    x, y = ([fused(m) if m.kind == "code" else m for m in side] for side in (mine, theirs))
    # If every code is an amount with a unit, compare as figures.
    amounts = [m for m in (*x, *y) if m is not None and m.value.unit]
    if len(amounts) == len(x) + len(y):
        one, other = amounts[: len(x)], amounts[len(x) :]
        return "figure", bool(unmatched(one, other) and unmatched(other, one))
    # Else they conflict unless the digits of one are part of the other.
    some, others = (
        [_number(side.text[m.start : m.end], m) for m in of] for side, of in ((left, mine), (right, theirs))
    )
    return "code", not any(a in b or b in a for a in some for b in others)


_DIGITS = lazy_pattern(r"\d[\d.,]*")


def _number(written: str, mention: Mention) -> str:
    """Return a code as written, or the digits of a figure without its unit: 4lyears and 4 years share the 4."""
    digits = _DIGITS.search(written) if mention.kind == "figure" else None
    return digits.group() if digits else written.strip()


def _dateline(window: Window, dates: Sequence[Mention]) -> bool:
    text = window.text
    if _TOLD.search(window.stretch):
        return True
    return all(_DATELINE.match(text[d.end :]) or _STAMP.search(text[: d.start]) for d in dates)


_VERSION = lazy_pattern(r"v?\d+(?:\.\d+)+")
_ACCOUNT = lazy_pattern(r"(?:微信|公众号|weixin)[^。；;]{0,4}$|(?:\brt\s?|\bvia\s|//)@[\w.-]{0,20}$")
"""Words before the name of an account: of a site (微信：...), or of the author of a post that is passed on (RT @...)."""


def _signed(window: Window, other: Window, codes: Sequence[Mention]) -> list[Mention]:
    """Return the codes in a window that the other side does not contain, marks ignored, and that are no account names.

    A version is no account name (微信 8.0.1), and a code that ends or begins another one (8gb, 128gb) is not contained in it.
    """
    return [
        c for c in codes
        if not (_ACCOUNT.search(window.text[: c.start]) and not _VERSION.fullmatch(c.value)) and not _contains(other, c.value)
    ]  # fmt: skip


def _contains(window: Window, code: str) -> bool:
    """Return True if the text of a window contains the code, ignoring marks inside it, and not as a part of a longer number or word."""
    text, bare = window.text, _MARKS.sub("", code)
    letters = _MARKS.sub("", text)
    found = letters.find(bare)
    if found < 0:  # nearly always
        return False
    # The code stands there with marks in it or without: look at what stands beside it in the text.
    places = [m.start() for m in _LETTERS.finditer(text)]
    while found >= 0:
        span = places[found], places[found + len(bare) - 1] + 1
        longer = _DIGITS_GO_ON if window.touches(*span) else _GOES_ON
        if not any(longer.match(text[at - 1 : at + 1]) for at in span if at):
            return True
        found = letters.find(bare, found + 1)
    return False


_DIGITS_GO_ON, _GOES_ON = lazy_pattern("[0-9][0-9]"), lazy_pattern("[0-9][0-9]|[a-z][a-z]")
"""Two characters of one number, and of one number or word."""


_MARKS, _LETTERS = lazy_pattern(r"[^0-9a-z\u3400-\u9fff]"), lazy_pattern(r"[0-9a-z\u3400-\u9fff]")
