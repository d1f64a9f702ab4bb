"""Makes the index of tests/samples/index-1, by which later versions test that they still open it: run it once for a new format.

Run: python tools/index_sample.py tests/samples/index-2
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import quchong

DOCUMENTS = [
    {"id": "a1", "text": "市政府周一宣布，地铁四号线将于三月通车，全线共有二十座车站。", "time": "2026-01-02"},
    {
        "id": "a2",
        "text": "市政府周一宣布，地铁四号线将于三月通车，全线共有二十座车站，票价两元起。",
        "time": "2026-01-03",
    },
    {"id": "a3", "text": "据报道，市政府周一宣布，地铁四号线将于三月通车，全线共有二十座车站。", "time": "2026-01-04"},
    {"id": "gone", "text": "This document was deleted before the sample was stored.", "time": "2026-01-05"},
    {
        "id": "b1",
        "text": "The council opens the new library on Sunday, and every visitor may borrow a book.",
        "time": "2026-01-06",
    },
]
"""Documents of the sample; one is deleted, and one with a number for its id is added after a segment was sealed."""


def main(folder: str) -> None:
    """Make the sample in a folder that does not exist."""
    with quchong.Index.create(folder, method="minhash") as index:
        index.add(DOCUMENTS)
        index.delete("gone")
        index.compact()
        index.add([{"id": 7, "text": "第二座图书馆也在周日开门，读者可以借书。", "time": "2026-01-07"}])
    with quchong.Index(folder, read_only=True) as index:
        rows = index._open.postings.sealed
    for path in Path(folder).glob("*/*.column"):  # without the spare rows, which are zeros
        width = int(path.read_bytes()[:64].split()[5])
        os.truncate(path, 64 + rows * width)


if __name__ == "__main__":
    main(sys.argv[1])
