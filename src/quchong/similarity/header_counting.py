"""Counting of headers: the blocks that stand at the head or the foot of many documents which otherwise differ.

A suspect is a document that many longer ones contain, its carriers. Each of its shingles is looked up in them. A shingle of a header is in
most of the carriers that differ from each other, and nearly always as far from the head, or from the foot, as in the suspect. An article in
roundups is not: it is at the head of some, and at the foot of others (docs/decisions/0316).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quchong import kernels
from quchong.kernels.arrays import Ragged, places_of
from quchong.kernels.hashing import mix64
from quchong.kernels.offsets import first_of_runs, positions_in_items, prefix_sums
from quchong.kernels.sorting import among, distinct, ordered
from quchong.kernels.text import Form
from quchong.seam import Documents
from quchong.similarity.counted_headers import CountedHeaders
from quchong.similarity.headers import RUN, WIDTH, hashed_shingles
from quchong.similarity.notices import DENSE, are_notices, words_of_notices

CARRIERS = 16
"""Most carriers that a suspect is compared with."""
ENOUGH = 6
"""Least number of carriers that differ from each other, apart from the block."""
NOTICED, OWN, ALIKE_OWN = 2, 10, 0.75
"""Least number of carriers of a suspect whose words tell that it is a notice. Each then has OWN shingles of its own or more, apart from
single slips, because licences for different owners are copies of one text. ALIKE_OWN is the share of the shingles beside the block at or
above which two carriers count as one.
"""
SAME_END, MOST = 0.9, 0.5
"""Least share of the carriers with a shingle that have it at one end, and least share of all carriers that have it there."""
ALIKE = 0.3
"""Share of the shingles beside the block that two carriers have in common, at or above which they count as one."""
LONGER, FAR_LONGER = 2, 6
"""Least ratio of the tokens of a carrier and its suspect. A block at one end alone counts in carriers of FAR_LONGER only, because a post
that quotes another one is mostly shorter. Blocks at both ends are a frame.
"""
SLACK = 64
"""Tokens by which a block may be farther from the end of a carrier than from that of its suspect; at most half of the suspect."""


@dataclass(frozen=True, slots=True)
class _Lookup:
    """Distinct shingles of each suspect looked up in each of its carriers; one row for each pair and shingle.

    Attributes:
        group: suspect of each shingle, as a number from 0.
        shingle, place: hash of each shingle, and the token of the suspect at which it begins first.
        pair: pair of each row.
        row: shingle of each row.
        there: True if the carrier has it; head, foot: True if it has it at that end.
    """

    group: np.ndarray
    shingle: np.ndarray
    place: np.ndarray
    pair: np.ndarray
    row: np.ndarray
    there: np.ndarray
    head: np.ndarray
    foot: np.ndarray

    def at_ends(
        self, witness: np.ndarray, total: np.ndarray, enough: int | np.ndarray = ENOUGH
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return two masks of the shingles that most witnesses have, nearly always at the head, and at the foot.

        Args:
            witness: mask of the pairs whose carrier counts.
            total: number of these of each suspect.
            enough: least number of witnesses of each suspect.
        """
        seen = witness[self.pair]
        everywhere, heads, feet = (
            np.bincount(self.row[side & seen], minlength=len(self.shingle))
            for side in (self.there, self.head, self.foot)
        )
        least = np.maximum(np.maximum(enough, MOST * total)[self.group], SAME_END * everywhere)
        return heads >= least, feet >= least


def count_headers(
    form: Form, documents: Documents, suspect: np.ndarray, carrier: np.ndarray, workers: int | None = None
) -> CountedHeaders:
    """Return the shingles of the headers found in suspects, each shingle once per suspect.

    The answer for a suspect depends on its own text and on those of its carriers alone.

    Args:
        form: form in which texts become tokens.
        documents: each once.
        suspect, carrier: indices of documents; the pairs of one suspect stand together, at most CARRIERS, in order.
    """
    docs = documents.hashed(form, workers)
    start = np.flatnonzero(first_of_runs(suspect))
    notices = are_notices(documents.texts.take(suspect[start]), docs.lengths[suspect[start]])
    group = np.cumsum(first_of_runs(suspect)) - 1
    # Carriers of like size tell something of notices alone.
    longer = docs.lengths[carrier] >= LONGER * docs.lengths[suspect]
    some = np.flatnonzero(notices[group] | longer)
    least = np.where(notices, NOTICED, ENOUGH)[group]
    some = some[_may_have_headers(docs, suspect[some], carrier[some], least[some], workers)] if len(some) else some
    suspect, carrier, longer, group = suspect[some], carrier[some], longer[some], group[some]
    if not len(suspect):
        return CountedHeaders.none()
    notices, group = notices[distinct(group)], np.cumsum(first_of_runs(group)) - 1
    # From here on only the documents of these pairs are read.
    used, index = np.unique(np.concatenate([suspect, carrier]), return_inverse=True)
    suspect, carrier = np.split(index, 2)
    docs = kernels.text.take_tokens(docs, used, workers)
    counts = np.bincount(group)
    found = _look_up(docs, suspect, carrier, group)
    witness, own = _witnesses(docs, carrier, counts, np.bincount(found.pair, found.there, len(suspect)), workers)
    told = np.flatnonzero(own & notices[group])
    own[told] = _have_own_text(docs, suspect[told], carrier[told])
    witness &= longer
    far = witness & (docs.lengths[carrier] >= FAR_LONGER * docs.lengths[suspect])
    # At one end in carriers of which the block is a small part, or at both ends in any.
    near_head, near_foot = found.at_ends(witness, np.bincount(group, witness))
    sizes = [np.bincount(found.group, side, len(counts)) for side in (near_head, near_foot)]
    framed = (np.minimum(*sizes) > RUN - WIDTH)[found.group]
    far_head, far_foot = found.at_ends(far, np.bincount(group, far))
    # A notice at one end in carriers of any size.
    notice_head, notice_foot = found.at_ends(own, np.bincount(group, own), NOTICED)
    noticed = (notice_head | notice_foot) & notices[found.group]
    asked = used[suspect[first_of_runs(group)]]
    noticed[noticed] = _in_notices(documents, form, asked, found, np.flatnonzero(noticed), workers)
    counted = far_head | far_foot | ((near_head | near_foot) & framed)
    told = np.flatnonzero(counted | noticed)
    few = np.bincount(group, own) < ENOUGH
    return CountedHeaders(asked[found.group[told]], found.shingle[told], few[found.group[told]] & ~counted[told])


def _may_have_headers(
    docs: Ragged, suspect: np.ndarray, carrier: np.ndarray, least: np.ndarray, workers: int | None
) -> np.ndarray:
    """Return a mask of the pairs whose suspect shares RUN tokens near one end with at least `least` carriers.

    Cost: the tokens of the suspects, once for each pair.
    """
    lengths = docs.lengths
    long = np.minimum(lengths[suspect] + np.minimum(lengths[suspect] // 2, SLACK), lengths[carrier])
    begin, end = docs.offsets[:-1][carrier], docs.offsets[1:][carrier]
    start = np.flatnonzero(first_of_runs(suspect))
    group = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(suspect))))
    # The suspects, then the head of every carrier, then its foot.
    own, pairs = lengths[suspect[start]], len(suspect)
    at = [places_of(docs.offsets[:-1][suspect[start]], own), places_of(begin, long), places_of(end - long, long)]
    ends = Ragged(docs.tokens[np.concatenate(at)], prefix_sums(np.concatenate([own, long, long])))
    enough = np.zeros(len(start), bool)
    for side in (0, 1):
        piece = len(start) + side * pairs + np.arange(pairs)
        shared = kernels.pairs.shared_shingles(ends, group, piece, np.full(pairs, WIDTH, np.uint8), workers)
        enough |= np.bincount(group, shared > RUN - WIDTH, len(start)) >= least[start]
    mask: np.ndarray = enough[group]
    return mask


def _look_up(docs: Ragged, suspect: np.ndarray, carrier: np.ndarray, group: np.ndarray) -> _Lookup:
    """Look up the shingles of suspects in their carriers; `group` numbers the suspects of the pairs."""
    lengths, begin, end = docs.lengths, docs.offsets[:-1], docs.offsets[1:]
    hashes, valid = hashed_shingles(docs)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    # (1) The distinct shingles of each suspect, by its first place.
    of_group = np.full(len(lengths), -1)
    of_group[suspect] = group
    own = np.flatnonzero(valid & (of_group[owner] >= 0))
    own = own[np.lexsort((own, hashes[own], of_group[owner[own]]))]
    own = own[first_of_runs(of_group[owner[own]], hashes[own])]
    mine, shingle = of_group[owner[own]], hashes[own]
    # (2) First and last place of each of these in every document that has it.
    asked = distinct(shingle)
    hit = np.flatnonzero(valid)
    number = np.minimum(np.searchsorted(asked, hashes[hit]), len(asked) - 1)
    same = asked[number] == hashes[hit]
    hit, key = hit[same], owner[hit[same]] * len(asked) + number[same]
    order = np.argsort(key, kind="stable")
    run = np.flatnonzero(first_of_runs(key[order]))
    known, first = key[order][run], hit[order][run]
    last = hit[order][np.append(run[1:], len(hit)) - 1]
    # (3) One row for each pair and shingle of its suspect.
    sizes = np.bincount(mine, minlength=int(group[-1]) + 1)
    row = places_of(prefix_sums(sizes)[:-1][group], sizes[group])
    pair = np.repeat(np.arange(len(suspect)), sizes[group])
    want = carrier[pair] * len(asked) + np.searchsorted(asked, shingle)[row]
    at = np.minimum(np.searchsorted(known, want), len(known) - 1)
    there = known[at] == want
    slack = np.minimum(lengths[suspect] // 2, SLACK)[pair]
    before, behind = own - begin[owner[own]], end[owner[own]] - own
    head = there & (first[at] - begin[carrier[pair]] <= before[row] + slack)
    foot = there & (end[carrier[pair]] - last[at] <= behind[row] + slack)
    return _Lookup(mine, shingle, own - begin[owner[own]], pair, row, there, head, foot)


def _have_own_text(docs: Ragged, suspect: np.ndarray, carrier: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs whose carrier has at least OWN shingles that its suspect lacks, in longer runs.

    A single slip in a copy of the suspect makes a stretch of WIDTH.
    """
    sides = []
    for side in (suspect, carrier):
        part = kernels.text.take_tokens(docs, side)
        hashes, whole = hashed_shingles(part)
        pair = np.repeat(np.arange(len(side)), part.lengths)[whole]
        sides.append((pair, hashes[whole] + mix64(pair.astype(np.uint64))))
    (_, known), (pair, asked) = sides
    lacking = ~among(asked, distinct(known))
    start = np.flatnonzero(first_of_runs(pair, lacking))
    size = np.diff(np.append(start, len(pair)))
    long = lacking[start] & (size > WIDTH)
    mask: np.ndarray = np.bincount(pair[start[long]], size[long], len(suspect)) >= OWN
    return mask


def _in_notices(
    documents: Documents, form: Form, suspect: np.ndarray, found: _Lookup, shingles: np.ndarray, workers: int | None
) -> np.ndarray:
    """Return a mask of the shingles within runs of their suspect that have words of notices.

    Args:
        suspect: document of each suspect.
        shingles: indices in `found`.
    """
    if not len(shingles):
        return np.zeros(0, bool)
    group, place = found.group[shingles], found.place[shingles]
    order = ordered(group, place)
    group, place = group[order], place[order]
    begins = first_of_runs(group)
    begins[1:] |= np.diff(place) > WIDTH + 1  # no more than one token differs between two shingles
    start = np.flatnonzero(begins)
    end = place[np.append(start[1:], len(place)) - 1] + WIDTH
    texts = documents.stretches(
        form, suspect[group[start]], place[start], end, np.zeros(len(start), np.uint8), workers
    ).windows
    words = np.array([words_of_notices(text) for text in texts.to_pylist()], np.int64)
    mask = np.zeros(len(shingles), bool)
    mask[order] = (words >= np.maximum(1, DENSE * (end - place[start])))[np.cumsum(begins) - 1]
    return mask


def _witnesses(
    docs: Ragged, carrier: np.ndarray, counts: np.ndarray, block: np.ndarray, workers: int | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return a mask of the pairs whose carrier differs from all earlier carriers of its suspect outside of the block.

    The second mask is of the pairs whose carrier has OWN shingles beside the block, and differs by ALIKE_OWN.

    Args:
        counts: number of pairs of each suspect.
        block: for each pair the number of shingles that its carrier has of the suspect.
    """
    n, place = len(docs.lengths), positions_in_items(counts)
    later = np.repeat(np.arange(len(carrier)), place)
    earlier = later - place[later] + positions_in_items(place)
    # Two carriers of several suspects are compared once.
    codes, back = np.unique(carrier[later] * n + carrier[earlier], return_inverse=True)
    shared = kernels.pairs.shared_shingles(docs, codes // n, codes % n, np.full(len(codes), WIDTH, np.uint8), workers)
    size = kernels.pairs.distinct_shingles(docs, np.full(n, WIDTH, np.uint8), workers).astype(np.int64)
    rest = size[carrier] - block
    beside = shared[back] - np.minimum(block[later], block[earlier])
    least = np.maximum(np.minimum(rest[later], rest[earlier]), 1)
    witness, own = np.ones(len(carrier), bool), rest >= OWN
    witness[later[beside >= ALIKE * least]] = False
    own[later[own[earlier] & (beside >= ALIKE_OWN * least)]] = False
    return witness, own
