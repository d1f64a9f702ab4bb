"""Search for roundups and forwards: documents that contain others which are not removed for them.

A roundup contains at least two documents that are no copies or parts of one another: a digest of the week, a collection of articles, a
post with several quotations. The others are originals, and the roundup is a copy of none of them; it is removed for them if users ask for
that. A forward quotes a post with a mark such as `//@name:`, and the quoted post is its original. Both are told by the shares of verified
pairs alone, which no examination of differences changes, so that every decision of a run finds the same roundups
(docs/decisions/0264).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from quchong.decision.documents import DocumentColumns, pair_codes, seconds_between, seconds_of
from quchong.decision.roundup_shares import MOST_PARTS, ListedPairs, shares_held
from quchong.kernels.offsets import first_of_runs, positions_in_items
from quchong.kernels.sorting import among, distinct, ordered
from quchong.seam import Rule
from quchong.similarity.thresholds import CONTAINED_TOKENS

INSIDE_SHARE = 0.7
"""Least share of a part that is found in its roundup, unless the method says contained from a lower share on."""
OTHER_SHARE = 0.3
"""Largest share of a part that may be found in another part for both to be different documents."""
WHOLLY = 0.9
"""Least share of a roundup that its originals have together for it to be removed for them."""


@dataclass(frozen=True, slots=True)
class Roundups:
    """Roundups among documents, and the pairs of an original with the roundup that contains it.

    Attributes:
        spared: bool (pairs,), pairs of a roundup or forward and an original: if one contains the other, that does not remove the original.
        roundup: bool (documents,), documents that are a roundup.
        turned: bool (pairs,), spared pairs in which the roundup is removed for the original that it contains.
        held: float64 (documents,), share of a roundup that its originals have together; None if the treatment does not ask for it.
    """

    spared: np.ndarray
    roundup: np.ndarray
    turned: np.ndarray
    held: np.ndarray | None = None


def find_roundups(
    documents: DocumentColumns,
    rule: Rule,
    treatment: str,
    left: np.ndarray,
    right: np.ndarray,
    share_left: np.ndarray,
    share_right: np.ndarray,
    apart: np.ndarray | None = None,
) -> Roundups:
    """Find the roundups among documents, and mark the pairs in which a roundup must not remove an original.

    Texts with one digest are one text here. Records on one template that fill a slot otherwise are no parts of one another, however much
    of the template they share. A part that is published later than the roundup is an excerpt of it, and a part that is a
    roundup itself holds no text that its own parts do not hold: both are removed as contained documents are. A document of the reference
    corpus is no roundup for those that it contains.

    Args:
        documents: columns of the documents.
        rule: of the method; it says from which share on a document is contained.
        treatment: `Plan.roundups`; "remove" turns the pairs of roundups of which the originals have WHOLLY, "cut" those of all.
        left, right: documents of each listed pair.
        share_left, share_right: float (pairs,), share of each document that is found in the other; 1 for exact copies.
        apart: bool (pairs,), records on one template that fill a slot otherwise (`quchong.decision.differing.fills_otherwise`); None if no
            pair is known to.

    Cost: O(pairs), and sorting of the pairs of a document with a longer one that contains it.
    """
    n, tokens, least = len(documents), documents.tokens, least_share(rule)
    found = Roundups(np.zeros(len(left), bool), np.zeros(n, bool), np.zeros(len(left), bool))
    # (1) Pairs of a part and a longer document in which it is found, as pairs of texts.
    enough = np.minimum(tokens[left], tokens[right]) >= CONTAINED_TOKENS
    if apart is not None:
        enough &= ~apart
    in_right = enough & (share_left >= least) & (tokens[right] > tokens[left])
    in_left = enough & (share_right >= least) & (tokens[left] > tokens[right])
    at = np.flatnonzero(in_right | in_left)
    if not len(at):
        return found
    part, whole = (np.where(in_right[at], one[at], other[at]) for one, other in ((left, right), (right, left)))
    docs = distinct(np.concatenate([part, whole]).astype(np.int64))
    text = np.full(n, -1)
    text[docs] = _texts(documents, docs)
    size = int(text.max()) + 1
    # (2) Parts that are published later than the document around them are its excerpts.
    first = np.full(size, np.inf)
    if documents.published is not None and documents.published.null_count < len(documents.published):
        seconds = seconds_of(documents.published.take(docs), len(docs))
        np.minimum.at(first, text[docs], np.where(np.isnan(seconds), np.inf, seconds))
    first[np.isinf(first)] = np.nan
    later = seconds_between(first[text[part]], first[text[whole]]) > 0
    at, part, whole = at[~later], part[~later], whole[~later]
    code = distinct(text[whole] * size + text[part])
    # (3) A roundup has two parts with little in common.
    around = distinct(
        _with_different_parts(documents, text, size, code, left, right, np.maximum(share_left, share_right))
    )
    is_roundup = np.zeros(size, bool)
    is_roundup[around] = True
    found.roundup[docs] = is_roundup[text[docs]] & ~documents.reference[docs]
    found.spared[at] = found.roundup[whole] & ~found.roundup[part]
    if treatment in ("remove", "cut"):
        mine = found.spared[at]
        share, of_part = (
            np.where(in_right[at], one[at], other[at])[mine]
            for one, other in ((share_right, share_left), (share_left, share_right))
        )
        parts = ListedPairs(text[whole[mine]], text[part[mine]], share, of_part)
        held = shares_held(documents, text, size, parts, ListedPairs(left, right, share_left, share_right))
        found.turned[at[mine]] = (treatment == "cut") | (held[text[whole[mine]]] >= WHOLLY)
        of_documents = np.zeros(n)
        of_documents[docs] = held[text[docs]]
        found = replace(found, held=of_documents)
    # (4) A post that quotes another one says more than it, and is no copy of it.
    if documents.forwards is not None:
        quotes = np.zeros(size, bool)
        np.logical_or.at(quotes, text[docs], documents.forwards[docs])
        found.spared[at] |= quotes[text[whole]] & ~quotes[text[part]] & ~documents.reference[whole]
    return found


def least_share(rule: Rule) -> float:
    """Return the least share of a part that is found in its roundup, by the rule of a method."""
    test = rule.test
    return INSIDE_SHARE if test is None else min(INSIDE_SHARE, test.containment, test.latin_containment)


def _texts(documents: DocumentColumns, docs: np.ndarray) -> np.ndarray:
    """Return a number for the text of each document, int64: documents with one digest get one number."""
    order = ordered(documents.high[docs], documents.low[docs])
    number = np.empty(len(docs), np.int64)
    number[order] = np.cumsum(first_of_runs(documents.high[docs][order], documents.low[docs][order])) - 1
    return number


def _with_different_parts(
    documents: DocumentColumns,
    text: np.ndarray,
    size: int,
    code: np.ndarray,
    left: np.ndarray,
    right: np.ndarray,
    share: np.ndarray,
) -> np.ndarray:
    """Return the texts that contain at least two different parts, int64 (text numbers).

    Args:
        text: number of the text of each document, -1 for those in no pair of part and whole.
        size: number of texts.
        code: pairs of a whole and a part, as `whole * size + part`, each once.
        left, right, share: listed pairs, and the larger share of both documents.
    """
    whole, part = code // size, code % size
    if not np.count_nonzero(whole[1:] == whole[:-1]):  # no text has two parts
        return np.zeros(0, np.int64)
    counts = np.bincount(whole, minlength=size)
    several = counts[whole] > 1
    whole, part = whole[several], part[several]
    # (1) The shortest parts of each text that has two; of parts of one length the first by id.
    docs = np.flatnonzero(text >= 0)
    tokens, rank = np.zeros(size, np.int64), np.full(size, np.iinfo(np.int64).max)
    tokens[text[docs]] = documents.tokens[docs]
    np.minimum.at(rank, text[docs], documents.id_rank[docs])
    order = ordered(whole, tokens[part], rank[part])
    whole, part = whole[order], part[order]
    few = positions_in_items(counts[counts > 1]) < MOST_PARTS
    whole, part = whole[few], part[few]
    # (2) All pairs of parts of one text: each part with those after it.
    counts = np.bincount(whole, minlength=size)
    position = positions_in_items(counts[counts > 0])
    after = counts[whole] - 1 - position
    one = np.repeat(np.arange(len(whole)), after)
    other = one + 1 + positions_in_items(after)
    # (3) Parts that are no copies of each other, and neither of which holds much of the other. Two references are never compared.
    is_part = np.zeros(size + 1, bool)  # False at -1, too
    is_part[part] = True
    alike = np.flatnonzero((share >= OTHER_SHARE) & is_part[text[left]] & is_part[text[right]])
    known = np.sort(distinct(pair_codes(text[left[alike]], text[right[alike]], size)))
    own = np.zeros(size, bool)
    own[text[docs[~documents.reference[docs]]]] = True
    different = ~among(pair_codes(part[one], part[other], size), known) & (own[part[one]] | own[part[other]])
    texts: np.ndarray = whole[one[different]]
    return texts
