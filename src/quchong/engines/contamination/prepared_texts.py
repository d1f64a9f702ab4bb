"""Texts as they are compared: composed characters, and Chinese numerals that a line break parts in one piece again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.patterns import lazy_pattern
from quchong.text import Edit, Preparer
from quchong.text.prepare import rewrite

_NUMERAL = "〇零一二两三四五六七八九十百千万亿"
_PARTED = rf"[{_NUMERAL}][ \t　]*\r?\n[ \t　]*[{_NUMERAL}]"
_BREAK = lazy_pattern(rf"(?<=[{_NUMERAL}])[ \t　]*\r?\n[ \t　]*(?=[{_NUMERAL}])")


@dataclass(frozen=True, slots=True)
class ComparedTexts:
    """Texts in the form in which they are compared, with the edits that lead back to the originals."""

    texts: pa.Array
    joined: dict[int, Edit]
    composed: dict[int, Edit]

    def back(self, i: int, start: int, end: int) -> tuple[int, int]:
        """Return the character range in original text `i` of a range in its compared form."""
        for edits in (self.composed, self.joined):
            if (edit := edits.get(i)) is not None:
                start, end = edit.back(start, end)
        return start, end


def compared_texts(texts: pa.Array, workers: int | None) -> ComparedTexts:
    """Prepare texts (large_string, no nulls). A text without combining marks and without a parted numeral costs two scans.

    A numeral becomes digits in normal form, so that one half of it would be another number: 一千二 / 百 is 1200 in one line.
    """
    changed, joined = {}, {}
    for i in np.flatnonzero(np.asarray(pc.match_substring_regex(texts, _PARTED))).tolist():
        text = texts[i].as_py()
        changed[i], joined[i] = rewrite(text, [(m.start(), m.end(), "") for m in _BREAK.finditer(text)])
    if changed:
        mask = np.zeros(len(texts), bool)
        mask[list(changed)] = True
        texts = pc.replace_with_mask(texts, pa.array(mask), pa.array(list(changed.values()), pa.large_string()))
    prepared = Preparer().prepare(texts, workers)
    return ComparedTexts(prepared.texts, joined, prepared.edits)
