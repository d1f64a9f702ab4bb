"""Rows of a source that are copied with other texts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from quchong.io.open import open_file
from quchong.io.source import BAD, KEEP, REMOVE, Source, WantedColumns


def write_cut_rows(
    source: Source, fate: npt.NDArray[np.uint8], texts: Mapping[int, str], wanted: WantedColumns, out: Path, aside: Path
) -> None:
    """Write the rows whose text was cut, with their new texts, in the format of the source; write no file if there are none.

    A row with no place for another text stays whole: without it sentences that nothing else has would be lost.

    Args:
        source: of rows; read to its end.
        fate: uint8 (records,), BAD for records that are no documents.
        texts: the new text by row; rows in order.
        wanted: columns of the run; the first column of the text gets the new ones.
        out: file to write.
        aside: folder for a copy of the rows meanwhile.

    Raises:
        InputChanged, OutputError: as `Source.split`.
    """
    if not texts:
        return
    key, rows = wanted.text[0], np.array(list(texts), np.int64)
    chosen = np.where(fate == BAD, BAD, REMOVE).astype(np.uint8)
    chosen[rows] = KEEP
    fixed = set(source.fixed_rows(rows, key).tolist())
    new = {number: text for number, (row, text) in enumerate(texts.items()) if row not in fixed}
    # The rows are copied as they are first, and get their new texts in a second pass over these few.
    whole = aside / f".cut{source.written_suffix}"
    source.split(chosen, whole, None)
    encoding = source.fingerprint().get("encoding")
    copied = open_file(whole, source.written_suffix[1:], str(encoding) if encoding else None)
    for _ in copied.documents(wanted, []):
        pass
    copied.rewrite(new, key, out)
    whole.unlink()
