"""Documents of a large family that meet by what is rare in it.

In a family each document is compared with a few others by what all have in common, so that copies of one record seldom meet. What two of
them have in common and few others have are the rarest shingles: single ones, and combinations of two.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quchong.frames.columns import well_mixed
from quchong.frames.finding import Read
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.kernels.sorting import among, distinct, ordered
from quchong.similarity.headers import hashed_shingles

WIDTH = 4
"""Tokens of a shingle."""
RAREST = 6
"""Shingles of a document by which it meets others, the rarest that others have too."""
TOGETHER = 8
"""Most documents that have the same shingle, or the same two, and are paired by it."""
BEST = 4
"""Pairs of a document, those that share most."""
BRIEF = 2 * WIDTH
"""Most shingles of a run that one or two slips explain; such shingles come last among the rarest."""
CELLS, FEWEST_CELLS = 8, 1 << 20
"""Counters for each document of a family, in which shingles are counted by their hashes, and least counters of a family."""
AT_ONCE, BYTES_AT_ONCE = 1 << 18, 1 << 23
"""Documents whose keys are sorted at once, and bytes of the documents that are read at once."""


def meetings_by_rarities(family: np.ndarray, least: int, size: np.ndarray, read: Read) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of documents of one family that share rare shingles, left and right.

    Args:
        family: int64, family of each document.
        least: documents of a family at or above which its documents are paired; smaller ones have met each other.
        size: int64, bytes of each document.
        read: function that returns the tokens of documents.

    Returns:
        left, right: int64, left < right, each pair once, sorted: of each document the BEST that share most with it, the first of equals.

    Deterministic; pairs of a family do not depend on other families. Cost: the documents of such families are read once, their shingles
    counted in CELLS numbers for each document, and RAREST keys and the pairs of these sorted.
    """
    nothing = np.zeros(0, np.int64)
    counts = np.bincount(family, minlength=1)
    found = [_of_family(np.flatnonzero(family == one), size, read) for one in np.flatnonzero(counts >= least).tolist()]
    codes = distinct(np.concatenate([nothing, *(left * len(family) + right for left, right in found)]))
    left, right = np.divmod(codes, max(len(family), 1))
    return left, right


def _of_family(docs: np.ndarray, size: np.ndarray, read: Read) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of documents of one family that share rare shingles."""
    rare, owner = _rarest(docs, size, read)
    waves = -(-len(docs) // AT_ONCE)
    codes = np.concatenate([_pairs(rare, owner, wave, waves, len(docs)) for wave in range(waves)])
    codes, shared = _times(codes)
    left, right = np.divmod(codes, len(docs))
    kept = np.zeros(len(codes), bool)
    for side in (left, right):
        order = ordered(side, -shared, codes)
        kept[order[positions_in_items(np.bincount(side, minlength=len(docs))) < BEST]] = True
    return docs[left[kept]], docs[right[kept]]


def _rarest(docs: np.ndarray, size: np.ndarray, read: Read) -> tuple[np.ndarray, np.ndarray]:
    """Return the rarest shingles of each document that other documents have too, uint64, with the document's position in `docs`.

    Shingles of most documents are left out. Equal shingles of a document are one.
    """
    bits = (max(CELLS * len(docs), FEWEST_CELLS) - 1).bit_length()
    shift = np.uint64(64 - bits)
    cells = np.zeros(1 << bits, np.uint32)
    for hashes, _ in _shingles(docs, size, read):
        np.add.at(cells, (hashes >> shift).astype(np.int64), np.uint32(1))
    rare, owners = [np.zeros(0, np.uint64)], [np.zeros(0, np.int64)]
    # Read a second time: all shingles of a large family take more memory than its texts.
    for hashes, owner in _shingles(docs, size, read):
        count = cells[(hashes >> shift).astype(np.int64)]
        seldom = count <= len(docs) // 2
        brief = _in_brief_runs(owner, seldom)
        some = np.flatnonzero((count > 1) & seldom)
        some = some[ordered(owner[some], brief[some], count[some], hashes[some])]
        some = some[first_of_runs(owner[some], hashes[some])]
        some = some[positions_in_items(np.bincount(owner[some], minlength=1)) < RAREST]
        rare.append(hashes[some])
        owners.append(owner[some])
    return np.concatenate(rare), np.concatenate(owners)


def _in_brief_runs(owner: np.ndarray, seldom: np.ndarray) -> np.ndarray:
    """Return a mask of the shingles in short runs of rare ones, which one or two changed tokens explain.

    Noise in what all documents have makes such runs. It would hide what a record says: in a large family some other document has the
    same noise.
    """
    begins = first_of_runs(owner, seldom)
    size = np.diff(np.append(np.flatnonzero(begins), len(owner)))
    mask: np.ndarray = (size <= BRIEF)[np.cumsum(begins) - 1]
    return mask


def _shingles(docs: np.ndarray, size: np.ndarray, read: Read) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the shingles of documents in batches, uint64, with the position of their document in `docs`, int64."""
    piece, start = np.cumsum(size[docs]) // BYTES_AT_ONCE, 0
    for part in np.split(docs, np.flatnonzero(np.diff(piece)) + 1):
        texts = read(part)
        hashes, whole = hashed_shingles(texts, WIDTH)
        owner = np.repeat(np.arange(start, start + len(part)), texts.lengths)
        yield hashes[whole], owner[whole]
        start += len(part)


def _pairs(rare: np.ndarray, owner: np.ndarray, wave: int, waves: int, documents: int) -> np.ndarray:
    """Return the pairs that share a key of this wave, once for each key, as left * documents + right.

    A key is one of the rare shingles of a document, or two of them.
    """
    keys, owners = [], []
    place = positions_in_items(np.bincount(owner, minlength=1))
    left = np.bincount(owner, minlength=1)[owner] - place
    for apart in range(RAREST):
        first = np.flatnonzero(left > apart)
        one, other = rare[first], rare[first + apart]
        key = one if not apart else well_mixed(np.minimum(one, other)) + np.maximum(one, other)
        mine = key % np.uint64(waves) == wave
        keys.append(key[mine])
        owners.append(owner[first[mine]])
    key, docs = np.concatenate(keys), np.concatenate(owners)
    # Most keys are of one document alone.
    every = np.sort(key)
    several = np.flatnonzero(among(key, distinct(every[1:][every[1:] == every[:-1]])))
    several = several[ordered(key[several], docs[several])]
    key, docs = key[several], docs[several]
    start = np.flatnonzero(first_of_runs(key))
    counts = np.diff(np.append(start, len(key)))
    position = positions_in_items(counts)
    partners = np.where(np.repeat(counts <= TOGETHER, counts), position, 0)
    right = np.repeat(docs, partners)
    before = docs[np.repeat(np.repeat(start, counts), partners) + positions_in_items(partners)]
    out: np.ndarray = before * documents + right
    return out


def _times(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct codes, ascending, and the count of each."""
    codes = np.sort(codes)
    start = np.flatnonzero(first_of_runs(codes))
    return codes[start], np.diff(np.append(start, len(codes)))
