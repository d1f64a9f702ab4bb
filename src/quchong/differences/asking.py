"""Questions in the place of statements at an edit: 能通过 and 能否通过, said that and asked whether."""

from __future__ import annotations

from functools import cache

import numpy as np

from quchong.differences.edit_tokens import ASKS, QUESTIONS, EditTokens
from quchong.differences.edits import WORD_TOKEN, Edits
from quchong.differences.negation import stem_set, stems_of
from quchong.differences.stretches import Stretches
from quchong.differences.windows import Window, windows
from quchong.kernels.arrays import Ragged
from quchong.kernels.text import TextTables, word_hash
from quchong.patterns import lazy_pattern
from quchong.seam import Documents

LONGEST = 4
"""Most tokens of either side of an edit that makes a question of a statement."""
_ASKS = lazy_pattern(
    r"是否|[能可会应]否|有没有|(?P<one>[\u4e00-\u9fff])不(?P=one)(?:[\u4e00-\u9fff])?|[吗么](?=[^\u4e00-\u9fff]|$)|难道|莫非"
)
"""Chinese words that make a question of a clause that is otherwise a statement."""
_QUESTION = lazy_pattern(
    rf"{_ASKS.pattern.replace('?P<one>', '?P<twice>').replace('?P=one', '?P=twice')}|[?？]|否|谁|什么|甚么|怎[么样]|为何|为啥|哪|何[时处人]"
    "|几时|如何|多[少大久]|难道|究竟|到底|还是|莫非|[吗么呢]$"
)
"""Pattern of words and marks that always make a clause a question."""
_NO_MATTER = lazy_pattern("无论|不论|不管|任凭")
"""Words before a question that asks nothing."""
_MARK, _ENDS = lazy_pattern(r"[，。！？；：、,!?;:\n…]"), lazy_pattern(r"[，。；,;!！”」]")
"""Marks between clauses, and those that end a statement."""
_PUT_IN = "能够可以会应须必有是不没否吗么已将要了难道莫非"
"""Characters of a stretch that say nothing besides that something is asked or stated: 能, 能否; 已, 是否."""
_ASKING = frozenset(
    "ask wonder question doubt inquire enquire decide determine consider debate discuss check know say see".split()
)
_SAYING = frozenset(
    "say know confirm report announce believe think claim decide agree hold find tell write insist argue determine show".split()
)


def asked_apart(left: Window, right: Window) -> bool:
    """Return True if one side asks what the other one states: by a word such as 是否 or 吗 that only one clause has, or by whether.

    Without a mark behind it a clause may be a question that somebody typed without 吗; it states nothing.

    Example:
        >>> text = "该车能{}通过年检。"
        >>> asked_apart(Window(text.format(""), 3, 3), Window(text.format("否"), 3, 4))
        True
        >>> asked_apart(Window("they said it is safe", 5, 9), Window("they asked whether it is safe", 5, 18))
        True
    """
    if (left.stretch + right.stretch).isascii():
        return any(_asks_in_english(one.stretch, other.stretch) for one, other in ((left, right), (right, left)))
    return any(_asks(one, other) for one, other in ((left, right), (right, left)))


def _asks(asking: Window, stating: Window) -> bool:
    """Return True if exactly one of two clauses is a question, by a word in its differing text, and the rest is equal."""
    if max(len(asking.stretch), len(stating.stretch)) > LONGEST or not set(asking.stretch + stating.stretch) <= set(
        _PUT_IN
    ):
        return False
    # An empty stretch behind a mark may equally be before it: 辞职了。and 辞职了吗。
    if not stating.stretch and _MARK.match(asking.text, asking.end) and _MARK.match(stating.text, stating.start - 1):
        stating = Window(stating.text, stating.start - 1, stating.start - 1)
    clauses = [_clause(side) for side in (asking, stating)]
    found = _ASKS.search(clauses[0])
    if found is None or _QUESTION.search(clauses[1]) or _NO_MATTER.search(clauses[0]):
        return False
    # The clause must be closed as a statement is.
    behind = _MARK.search(stating.text, stating.end)
    return behind is not None and _ENDS.match(behind.group()) is not None


def _clause(window: Window) -> str:
    """Return the clause around the differing text, with the mark that ends it."""
    before = [mark.end() for mark in _MARK.finditer(window.text, 0, window.start)]
    behind = _MARK.search(window.text, window.end)
    return window.text[before[-1] if before else 0 : behind.end() if behind else len(window.text)]


_WORDS = lazy_pattern("[a-z]+")
_OPEN = {"whether", "if"}


def _asks_in_english(asking: str, stating: str) -> bool:
    """Return True if one text is "whether" or "if", alone or after a verb of asking, and the other is "that" or a verb of stating."""
    mine, theirs = _WORDS.findall(asking), _WORDS.findall(stating)
    if not _OPEN & set(mine) or _OPEN & set(theirs) or not theirs or max(len(mine), len(theirs)) > LONGEST:
        return False
    asks, says = [w for w in mine if w not in _OPEN], [w for w in theirs if w != "that"]
    if not asks and not says:
        return True
    return set(stems_of(asks)) <= stem_set(_ASKING) and set(stems_of(says)) <= stem_set(_SAYING)


@cache
def asking_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of words that ask; an edit without any of them cannot make a question."""
    return np.array(
        sorted((*map(ord, "否吗么不没难莫"), *(word_hash(tables, word) | WORD_TOKEN for word in sorted(_OPEN)))),
        np.uint32,
    )


def may_ask(edits: Edits, listed: EditTokens) -> np.ndarray:
    """Return a mask of the brief edits that have a word with which something is asked on either side, by their tokens alone."""
    mask: np.ndarray = listed.on_either_side(ASKS) & (np.maximum(edits.a, edits.b) <= LONGEST)
    return mask


_CUT = 60
"""Characters before and behind an edit that are read."""
_LAST = 12
"""Most tokens behind a Chinese edit up to the end of a text; the mark there is behind the last token, and in no window."""
_FIRST = frozenset(
    "am is are was were do does did has have had will would can could shall should may might must isn't aren't wasn't weren't don't "
    "doesn't didn't hasn't haven't hadn't won't wouldn't can't couldn't shouldn't".split()
)
"""English words with which a question begins that is answered by yes or no."""


@cache
def question_tokens(tables: TextTables) -> np.ndarray:
    """Return the sorted tokens of which an edit must have one before `asked_in_text` reads its text."""
    first = (word_hash(tables, word) | WORD_TOKEN for word in sorted(_FIRST) if word.isalpha())
    return np.array(sorted((*map(ord, "吗么难莫否"), *first)), np.uint32)


def asked_in_text(
    documents: Documents, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, stretches: Stretches, listed: EditTokens
) -> np.ndarray:  # fmt: skip
    """Return a mask of the brief edits by which one text asks what the other states, as shown by a question mark or a distant word.

    Cost: 30 us for each edit at the end of a text that has 吗, and each with a word such as did.
    """
    out = np.zeros(len(edits.pair), bool)
    if not listed.every & QUESTIONS:
        return out
    some = np.flatnonzero(listed.on_either_side(QUESTIONS) & (np.maximum(edits.a, edits.b) <= LONGEST))
    if not len(some):
        return out
    sides = left[edits.pair[some]], right[edits.pair[some]]
    behind = np.minimum(
        *(hashed.lengths[side] - edits.places[some, at] for side, at in zip(sides, (1, 3), strict=True))
    )
    for k, one, other, at_end in zip(some.tolist(), *(side.tolist() for side in sides), behind <= _LAST, strict=True):
        texts = documents.texts.text(one), documents.texts.text(other)
        a0, a1, b0, b1 = stretches.places[k].tolist()
        if _HAN.search(texts[0][a0:a1] + texts[1][b0:b1]):
            out[k] = bool(at_end) and asked_apart(*_windows_of(texts, (a0, b0), (a1, b1)))
        else:
            mine, theirs = Window(texts[0], a0, a1), Window(texts[1], b0, b1)
            out[k] = _begins_question(mine, theirs) or _begins_question(theirs, mine)
    return out


_HAN = lazy_pattern("[\u3400-\u9fff]")


def _windows_of(texts: tuple[str, str], starts: tuple[int, int], ends: tuple[int, int]) -> list[Window]:
    """Return the windows of two differing texts in the form of the dictionaries, with the marks behind them."""
    firsts = [max(0, start - _CUT) for start in starts]
    cut = [text[first : end + _CUT] for text, first, end in zip(texts, firsts, ends, strict=True)]
    return windows(
        cut, (0, 1), *([at - first for at, first in zip(some, firsts, strict=True)] for some in (starts, ends))
    )


_BEFORE_SENTENCE = lazy_pattern(r"(?:^|[.!?:;\n][\"'\u201d\u2019)]?|[\"\u201c])\s*$")
_SENTENCE_END = lazy_pattern(r"[.!?]+(?=[\s\"'\u201d\u2019)]|$)")


def _begins_question(asking: Window, stating: Window) -> bool:
    """Return True if the asking English text begins a sentence with a word such as did, that sentence asks, and the other one states."""
    word = asking.stretch.split(maxsplit=1)
    if not word or word[0].lower() not in _FIRST or stating.stretch.lower().startswith(word[0].lower()):
        return False
    if not _BEFORE_SENTENCE.search(asking.text, max(0, asking.start - 4), asking.start):
        return False
    ends = [_SENTENCE_END.search(side.text, side.end) for side in (asking, stating)]
    return ends[0] is not None and "?" in ends[0].group() and ends[1] is not None and "?" not in ends[1].group()
