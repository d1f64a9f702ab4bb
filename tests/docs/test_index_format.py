"""Covers: the vectors of docs/index-format.md. Compared against: what the kernels pack and merge, and what their twin does.

Run: pytest tests/docs.
"""

import re
from pathlib import Path

import numpy as np
from twins import segments as ref

from quchong.kernels.segments import BITS, merge_segments, pack_segment

PAGE = (Path(__file__).parents[2] / "docs" / "index-format.md").read_text(encoding="utf-8")


def packed(postings, first, count):
    keys, documents, weights = (list(column) for column in zip(*postings, strict=True)) if postings else ([], [], [])
    made = pack_segment(keys, documents, weights, first=first, count=count)
    assert made.tobytes() == ref.pack_segment(keys, documents, weights, first=first, count=count)
    return made


def vectors():
    """Postings, first document, number of documents and bytes of each line."""
    for cells in re.findall(r"^\| ([^|]*) \| (\d+), (\d+) \| `([0-9a-f]+)` \|$", PAGE, re.M):
        postings = [tuple(map(int, one.split(", "))) for one in re.findall(r"\(([\d, ]+)\)", cells[0])]
        yield postings, int(cells[1]), int(cells[2]), cells[3]


def test_postings_are_packed_as_the_page_says():
    lines = list(vectors())
    assert len(lines) == 3
    for postings, first, count, wanted in lines:
        assert packed(postings, first, count).tobytes().hex() == wanted


def test_codes_are_those_of_the_page():
    known = re.search(r"codes of the keys 1, 2 and 7 are (\w+), (\w+) and (\w+)", PAGE).groups()
    assert [f"{ref.code_of(key, BITS):x}" for key in (1, 2, 7)] == list(known)


def test_segments_are_merged_as_the_page_says():
    parts = [packed(postings, first, count) for postings, first, count, _ in list(vectors())[1:]]
    lines = re.findall(r"^\| (none|\d+) \| `([0-9a-f]+)` \|$", PAGE, re.M)
    assert len(lines) == 2
    for gone, wanted in lines:
        marks = None if gone == "none" else np.packbits(np.arange(8) == int(gone), bitorder="little")
        assert np.concatenate(list(merge_segments(parts, gone=marks))).tobytes().hex() == wanted
