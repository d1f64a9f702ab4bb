"""True relation of two pages, counted from the sources of their sentences.

Let s be the characters two bodies share: over every original sentence of which both have a form, the length of the
shorter form (an edited or cut sentence counts with its present length). Then

    overlap = s / min(|A|, |B|)        ratio = min(|A|, |B|) / max(|A|, |B|)

with |A| the characters of all sentences of the body, headings and inserted ones included, template text not. These are
CCS and CLR of Wei 2013 (公共包含相似性) on characters of true origin instead of features:

    overlap >= 0.6, ratio >= 0.5    duplicate
    overlap >= 0.6, ratio <  0.5    contained_in, the left page in the right one
    0.2 <= overlap < 0.6            partial: to be left out of both sides of a count
    overlap < 0.2                   hard_negative where the pages are of one subject, else nothing

So a page that contains two articles is a duplicate of the longer one if that is at least half of the page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import pyarrow as pa

from quchong_lab.web.bodies import ROOM

T_CCS, T_CLR = 0.6, 0.5
PARTLY = 0.2
DUPLICATE, CONTAINED_IN, PARTIAL, HARD_NEGATIVE = "duplicate", "contained_in", "partial", "hard_negative"
RELATIONS = (DUPLICATE, CONTAINED_IN, PARTIAL, HARD_NEGATIVE)

SCHEMA = pa.schema(
    [("left_id", pa.string()), ("right_id", pa.string()), ("relation", pa.string()),
     ("overlap", pa.float64()), ("ratio", pa.float64())]
)  # fmt: skip


def relation_of(overlap: float, ratio: float, same_subject: bool = False) -> str | None:
    """Return the relation of the smaller page to the larger one, or None if they have none."""
    if overlap >= T_CCS:
        return DUPLICATE if ratio >= T_CLR else CONTAINED_IN
    if overlap >= PARTLY:
        return PARTIAL
    return HARD_NEGATIVE if same_subject else None


def related(
    ids: Sequence[str],
    sentences: Sequence[Iterable[tuple[int, int]]],
    articles: Sequence[Sequence[int]],
    siblings: Mapping[int, int],
) -> pa.Table:
    """Return all related pairs among pages: left_id, right_id, relation (string), overlap, ratio (float64).

    Two pages are compared if both have sentences of one article, or of two articles of one subject; no others can be related. The
    smaller page is left, of equal ones that with the smaller id; pairs are ordered by (left_id, right_id).
    O(pairs · sentences).

    Args:
        ids: ids of the pages.
        sentences: (source, characters) of the sentences of each page; sources below 0 are not shared.
        articles: numbers of the articles that each page was made from.
        siblings: article -> another one of its subject.
    """
    sizes = [sum(n for _, n in page) for page in sentences]
    lengths = [_by_source(page) for page in sentences]
    holders: dict[int, list[int]] = defaultdict(list)
    for i, numbers in enumerate(articles):
        for number in {*numbers, *(source // ROOM for source in lengths[i])}:
            holders[number].append(i)
    met = {pair for pages in holders.values() for pair in combinations(pages, 2)}
    subject = {
        (min(i, k), max(i, k)) for a, b in siblings.items() for i in holders[a] for k in holders[b] if i != k
    }  # fmt: skip
    rows = []
    for i, k in met | subject:
        (small, left), (large, right) = sorted(((sizes[i], ids[i]), (sizes[k], ids[k])))
        few, many = sorted((lengths[i], lengths[k]), key=len)
        shared = sum(min(n, many[source]) for source, n in few.items() if source in many)
        overlap, ratio = shared / max(small, 1), small / max(large, 1)
        relation = relation_of(overlap, ratio, (i, k) in subject)
        if relation:
            rows.append((left, right, relation, overlap, ratio))
    rows.sort()
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(SCHEMA)
    return pa.table([pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)


def _by_source(page: Iterable[tuple[int, int]]) -> dict[int, int]:
    out: dict[int, int] = {}
    for source, length in page:
        if source >= 0:
            out[source] = out.get(source, 0) + length
    return out
