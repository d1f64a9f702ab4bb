"""Texts as blocks, each identified by a digest of 128 bits: whole texts, paragraphs, or content-defined chunks.

Source: Kathpal 2011; Muthitacharoen 2001 for chunks cut by content.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from quchong import kernels
from quchong.features.lines import line_ends, lines_of_tokens
from quchong.features.sentences import sequence_hashes
from quchong.features.words import windows
from quchong.kernels.arrays import Texts
from quchong.kernels.offsets import first_of_runs, prefix_sums
from quchong.kernels.text import Form, TokenNames

WINDOW = 8
"""Tokens that decide a cut; an edit moves no cut that is further away from it."""
_SECOND = np.uint64(0x9E6C63D0876A9A47)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks of texts in order; text i owns blocks offsets[i]:offsets[i + 1].

    Attributes:
        high, low: uint64: the digest of a block's tokens.
        length: int64: its tokens.
        start, end: int64: its range in characters of its text.
    """

    offsets: np.ndarray
    high: np.ndarray
    low: np.ndarray
    length: np.ndarray
    start: np.ndarray
    end: np.ndarray

    @property
    def document(self) -> np.ndarray:
        """Text of each block, int64."""
        return np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))

    @staticmethod
    def join_batches(parts: list[Blocks]) -> Blocks:
        """Concatenate the blocks of batches."""
        lengths = np.concatenate([np.diff(p.offsets) for p in parts])
        rest = (np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Blocks) if f.name != "offsets")
        return Blocks(prefix_sums(lengths), *rest)


def blocks_of(texts: Texts, form: Form, unit: str, size: int, least: int, workers: int | None = None) -> Blocks:
    """Split texts into blocks.

    Args:
        form: how texts become tokens, which digests are made of: equal blocks are equal in normal form.
        unit: "document", "paragraph" (a line) or "chunk".
        size: tokens a chunk has on average; it has at least a quarter and at most four times as many.
        least: blocks of fewer tokens are left out.

    Cost: O(tokens); memory about 60 bytes a token on the way.
    """
    found = kernels.text.names(form, texts, places=True, workers=workers)
    document = np.repeat(np.arange(len(texts)), found.docs.lengths)
    begins = first_of_runs(document)
    if unit == "paragraph":
        begins |= np.diff(lines_of_tokens(line_ends(texts)[0], found), prepend=-1) != 0
    elif unit == "chunk":
        begins[_cuts(found, size)] = True
    first = np.flatnonzero(begins)
    length = np.diff(np.append(first, len(begins)))
    keep = np.flatnonzero(length >= least)
    owner = np.cumsum(begins) - 1
    tokens = found.docs.tokens.astype(np.uint64)
    of = document[first][keep]
    return Blocks(
        prefix_sums(np.bincount(of, minlength=len(texts))),
        sequence_hashes(tokens, owner)[keep], sequence_hashes(tokens ^ _SECOND, owner)[keep], length[keep],
        found.start[first[keep]].astype(np.int64), found.end[first[keep] + length[keep] - 1].astype(np.int64),
    )  # fmt: skip


def _cuts(found: TokenNames, size: int) -> np.ndarray:
    """Return the token positions where chunks begin, except the first of each text; boundaries depend on content alone.

    A cut less than a quarter of `size` after the previous one is skipped; after four times `size` without a cut, one is made.
    """
    docs = found.docs
    hashes, offsets = windows(docs.tokens.astype(np.uint64), docs.offsets, WINDOW)
    wanted = np.flatnonzero(hashes % np.uint64(size) == 0)
    text = np.searchsorted(offsets, wanted, side="right") - 1
    at = wanted - offsets[text] + docs.offsets[text] + WINDOW  # the token after the window
    least, most = max(1, size // 4), 4 * size
    made = []
    for i, (a, b) in enumerate(zip(docs.offsets[:-1].tolist(), docs.offsets[1:].tolist(), strict=True)):
        last = a
        low, high = np.searchsorted(text, [i, i + 1])
        for cut in [*at[low:high].tolist(), b]:
            while cut - last > most:
                last += most
                made.append(last)
            if cut < b and cut - last >= least:
                last = cut
                made.append(cut)
    return np.array(made, np.int64)
