"""Edits of pairs in languages with a table: their kind and conflict, where the table says more than the general rules."""

from __future__ import annotations

import numpy as np

from quchong.differences.edits import ANCHORED, READ, Edits
from quchong.differences.kinds import NAMES, NOISE, TERM, WORDING
from quchong.differences.stretches import Stretches
from quchong.differences.tongues.judgement import LONGEST, Side, judge
from quchong.differences.tongues.recognition import tabled
from quchong.kernels.arrays import Ragged
from quchong.kernels.sorting import code_table, distinct
from quchong.kernels.text import TextTables
from quchong.seam import Documents
from quchong.tables import DIFFERENCES

OPEN = [WORDING, NOISE]
"""Kinds in which the general rules found no fact."""
OF_WORDS = [*NAMES, TERM, *(DIFFERENCES.index(name) for name in ("opposite", "modality"))]
"""Kinds that lists and capitals of Chinese and English tell, and that say nothing of another language."""
STATED = [DIFFERENCES.index(name) for name in ("figure", "date", "code")]
"""Kinds whose conflict may be two ways of writing one value: 1.000 and 1 000."""
_IS_OPEN, _IS_OF_WORDS, _IS_STATED = map(code_table, (OPEN, OF_WORDS, STATED))


def judged_by_tongue(  # noqa: PLR0913 - the columns of edits
    documents: Documents, hashed: Ragged, left: np.ndarray, right: np.ndarray, edits: Edits, kind: np.ndarray, conflict: np.ndarray,
    stretches: Stretches, tables: TextTables,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return kind and conflict of the edits, in which edits of pairs in a language with a table are judged by that table.

    Texts in Chinese or English are recognised by the first tokens and passed over.
    """
    # Edits that a table may judge: short ones, in which the general rules found no fact, a conflict of figures, or other words and names.
    short = (edits.a <= READ) & (edits.b <= READ) & (edits.before + edits.after >= ANCHORED)
    worded = _IS_OF_WORDS[kind]
    some = (short & ((_IS_OPEN[kind] & ~conflict) | (_IS_STATED[kind] & conflict) | worded)).nonzero()[0]
    if not len(some):
        return kind, conflict
    sides = left[edits.pair[some]].astype(np.int64), right[edits.pair[some]].astype(np.int64)
    tongue = tabled(hashed, distinct(np.concatenate(sides)), tables, documents.texts.text)
    if not tongue:
        return kind, conflict
    kind, conflict = kind.copy(), conflict.copy()
    for edit, one, other in zip(some.tolist(), *(side.tolist() for side in sides), strict=True):
        if (code := tongue.get(one)) is None or tongue.get(other) != code:
            continue
        if worded[edit]:
            kind[edit], conflict[edit] = WORDING, False
        a0, a1, b0, b1 = stretches.places[edit].tolist()
        if max(a1 - a0, b1 - b0) > LONGEST:
            continue
        mine, theirs = (
            Side.cut(documents.texts.text(doc), *place) for doc, place in ((one, (a0, a1)), (other, (b0, b1)))
        )
        if (told := judge(code, mine, theirs)) is None:
            continue
        if conflict[edit]:
            conflict[edit] = told[1]  # two ways of writing one value do not conflict
        elif told[1]:
            kind[edit], conflict[edit] = DIFFERENCES.index(told[0]), True
    return kind, conflict
