"""Figures of one subject in two clauses that say the rest in other words."""

from __future__ import annotations

import numpy as np

from quchong.differences.agreement import unmatched
from quchong.differences.counting import measured
from quchong.differences.edits import ANCHORED, NUMBER_TOKEN, READ, Edits
from quchong.differences.figures import Mention, mentions
from quchong.differences.windows import Window
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.offsets import prefix_sums
from quchong.patterns import lazy_pattern

CLAUSE = 48
"""Most tokens of an edit that is read as a clause in other words."""
_SUBJECT = 40
"""Most characters before a figure in which its subject is looked for, within the clause."""
_ENDS = lazy_pattern("[,.;:!?。;!?:\n]")
_GENERAL = lazy_pattern(
    "共计|合计|总计|累计|一共|达到|大约|约为|超过|截至|目前|其中|另有|以及|同比|环比|增长|下降|上升|今年|去年|当年|本年|当日|记者|了解|数据|显示|统计|左右|以上|以下"
    "|[的了为是有达至到约共从由在和与及比近逾余]"
)
"""Words before a figure that are no subject."""
_WORD = lazy_pattern("[a-z]{4,}")
_GENERAL_WORDS = frozenset(
    "about above after almost also another around been before being below between comes came could during each from have into just last "
    "less more most nearly only other over rose fell said says says some than that their them then there these they this those total "
    "totals totalled under were which while will with would year years month months week weeks today "
    "yesterday percent million billion".split()
)
"""Latin words of four letters and more that are no subject either."""
_DIGIT = lazy_pattern(r"\d")


def rewritten(docs: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits) -> np.ndarray:
    """Return a mask of the edits that replace one clause with digits by another one, and are too long or too isolated for other rules.

    They have more than READ tokens, or fewer than ANCHORED equal tokens beside them; CLAUSE tokens at most.
    """
    longer = np.maximum(edits.a, edits.b)
    out: np.ndarray = (np.minimum(edits.a, edits.b) > 0) & (longer <= CLAUSE)
    around = edits.before + edits.after
    out &= (longer > READ) | (around < ANCHORED)
    for side, first, size in ((left, 0, edits.a), (right, 2, edits.b)):
        some = out.nonzero()[0]
        if not len(some):
            break
        lengths = size[some]
        tokens = docs.tokens[places_of(docs.offsets[side[edits.pair[some]]] + edits.places[some, first], lengths)]
        running = prefix_sums(tokens >= NUMBER_TOKEN)
        ends = lengths.cumsum()
        out[some] = running[ends] > running[ends - lengths]
    return out


def reworded_apart(left: Window, right: Window) -> bool:
    """Return True if both differing texts state a figure of the same thing in the same unit, and each figure is on one side only.

    Such as 本期电费共计89元 and 经核算本期的电费是53元: the unit follows both figures, and a word of the same clause precedes them.
    """
    mine = _figures(left)
    theirs = _figures(right) if mine else []
    if not theirs:
        return False
    mine, theirs = unmatched(mine, mentions(right.text)), unmatched(theirs, mentions(left.text))
    return any(
        _unit(left, m) == _unit(right, n) and _subject(left, m) & _subject(right, n) for m in mine for n in theirs
    )


def _figures(window: Window) -> list[Mention]:
    """Return the figures in digits in the differing text that have a unit or a measure word."""
    return [
        m for m in mentions(window.text, window.end)
        if m.kind == "figure" and window.touches(m.start, m.end) and _DIGIT.search(window.text, m.start, m.end) and _unit(window, m)
    ]  # fmt: skip


def _unit(window: Window, mention: Mention) -> str:
    """Return the unit of a figure, or else the measure word behind it; empty if it has neither."""
    behind = mention.end
    unit: str = mention.value.unit
    return unit or (window.text[behind : behind + 1] if measured(window.text, behind) else "")


def _subject(window: Window, mention: Mention) -> set[str]:
    """Return the subject words before a figure in its clause: Chinese character pairs, and longer Latin words."""
    before = _ENDS.split(window.text[max(0, mention.start - _SUBJECT) : mention.start])[-1]
    words = set(_WORD.findall(before)) - _GENERAL_WORDS
    return words | {
        part[i : i + 2]
        for part in _GENERAL.split(before)
        for i in range(len(part) - 1)
        if "\u3400" <= part[i] <= "\u9fff"
    }
