"""Posts without what forwarding and habit add to them: forwarding marks, names, links, topics, tags, emoji.

The twin is in tests/twins/posts.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import _quchong
import numpy as np
import pyarrow as pa

from quchong.kernels import checked
from quchong.kernels.arrays import AnyTexts, text_columns
from quchong.kernels.checked import MOST_U32, threads_of

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U32

PostTables = _quchong.PostTables
"""Lookup tables of the marks of posts; an opaque native type."""

STEPS = ("forwards", "tags", "links", "hashtags", "emoji", "names", "punctuation")
"""Kinds of marks that can be folded, in the order in which they are tried at each place."""
LISTS = ("forwards", "alone", "replies", "sources", "tags", "heads", "codes")
"""Lists of words that marks are made of."""


class FoldedPosts(NamedTuple):
    """Texts that change, as they are without their marks, with their changes.

    Attributes:
        which: int64, indices of these texts, ascending.
        offsets: int64, changes of each of them.
        start, end: uint32, range of each change in characters of the original text, ascending and not overlapping in a text.
        put: uint32, the character written in its place.
        texts: large_string, these texts after the changes.
    """

    which: I64
    offsets: I64
    start: U32
    end: U32
    put: U32
    texts: pa.Array


def post_tables(lists: dict[str, Sequence[str]]) -> PostTables:
    """Build the lookup tables of marks from the words of each of `LISTS`. Case does not matter in Latin letters.

    Raises:
        ValueError: another list, or an empty word.
    """
    flat: list[int] = []
    for name, words in lists.items():
        if name not in LISTS:
            raise ValueError(f"no list of marks is called {name}")
        for word in words:
            if not word:
                raise ValueError(f"a word of {name} is empty")
            flat += [LISTS.index(name), len(word), *map(ord, word)]
    return PostTables(np.array(flat, np.uint32))


def fold_posts(
    tables: PostTables,
    texts: AnyTexts,
    steps: Sequence[str],
    *,
    beside_content: int,
    beside_marks: int,
    workers: int | None = None,
) -> FoldedPosts:
    """Return the texts that change when marks are folded: each becomes a space, a run of one punctuation mark becomes that mark.

    Args:
        steps: some of `STEPS`, in any order.
        beside_content: letters and digits that must remain beside links, topics and names; otherwise these stay.
        beside_marks: letters and digits that must remain beside everything; otherwise only runs of punctuation are folded.

    Cost: O(characters), 12 bytes a character of the longest text for each thread.

    Raises:
        ValueError: an unknown step.
    """
    unknown = [step for step in steps if step not in STEPS]
    if unknown:
        raise ValueError(f"unknown steps: {', '.join(unknown)}")
    chosen = sum(1 << STEPS.index(step) for step in {*steps})
    which, offsets, start, end, put, ends, data = _quchong.fold_posts(
        tables, *text_columns(texts), chosen, checked.number(beside_content, 0, MOST_U32, "beside_content"),
        checked.number(beside_marks, 0, MOST_U32, "beside_marks"), threads_of(workers),
    )  # fmt: skip
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(data)]
    return FoldedPosts(which, offsets, start, end, put, pa.Array.from_buffers(pa.large_string(), len(which), buffers))
