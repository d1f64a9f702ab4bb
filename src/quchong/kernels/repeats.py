"""Argument checks in front of the kernel for passages of a corpus; its twin: `quchong.kernels.reference.repeats`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import _quchong

from quchong.kernels.dispatch import Ragged, _ragged, threads_of

if TYPE_CHECKING:
    from quchong.kernels.dispatch import F64, U32


class Repeats(NamedTuple):
    """Passages that stand in two documents. Arrays of one entry a match, sorted by `doc`, `other`, `start`.

    `other` is an earlier document than `doc`; `start` and `other_start` count tokens of each; `passage` numbers distinct
    token sequences. `documents` and `share` have one entry a passage: how many documents hold it, and which share of them
    it makes up on the average. `bounded` counts the places where not all earlier ones were looked at.
    """

    doc: U32
    other: U32
    start: U32
    other_start: U32
    length: U32
    passage: U32
    documents: U32
    share: F64
    bounded: int


def repeated_passages(
    docs: Ragged,
    shortest: int,
    *,
    partners: int = 64,
    tries: int = 4096,
    compared: int = 200_000_000,
    workers: int | None = None,
) -> Repeats:
    """All maximal equal runs of at least `shortest` tokens between two documents, each document with earlier ones.

    Nothing is missed but what the bounds say. Of the runs of two documents those that lie within another one, as seen in
    the later document, are left out. Runs within one document are not looked for.

    Args:
        partners: of one place of a document so many earlier places that share a passage with it are met, the first ones.
        tries: so many earlier places are looked at for them.
        compared: places looked at in counting the documents of the passages of one place, at least 1,000 for each
            passage; beyond, `documents` is a lower bound.

    Raises:
        ValueError: `shortest` below 2, or a bound below 1.

    Determinism: the same for any number of workers. Cost: O(tokens), and for each place the earlier ones it meets; memory
    about 28 * 2 / (shortest / 2 + 1) bytes a token beside the tokens.
    """
    if not 2 <= shortest < 2**31 or min(partners, tries, compared) < 1:
        raise ValueError(f"shortest must be at least 2, bounds at least 1: {shortest}, {partners}, {tries}, {compared}")
    tokens, offsets = _ragged(docs)
    *columns, bounded = _quchong.repeated_passages(
        tokens, offsets, shortest, min(partners, 2**31), min(tries, 2**31), compared, threads_of(workers)
    )
    return Repeats._make([*columns, int(bounded)])
