"""What labels of made pages say, held against what the texts of the pages share."""

from collections import Counter

from quchong_lab.web.plan import KINDS


def agreeing(corpus, grams):
    """How many labelled pairs of each relation share as much as their label says; an error for one that does not.

    `grams` is the set of shingles of each page, by id. Pages whose letters or words were edited are passed over.
    """
    kinds = dict(zip(corpus.truth["id"].to_pylist(), corpus.truth["kind"].to_pylist(), strict=True))
    literal = {*KINDS, "original", "sibling"} - {"characters", "words"}
    seen = Counter()
    for pair in corpus.labels.to_pylist():
        left, right = pair["left_id"], pair["right_id"]
        if {kinds[left], kinds[right]} <= literal:
            shared = len(grams[left] & grams[right]) / min(len(grams[left]), len(grams[right]))
            assert abs(shared - pair["overlap"]) < 0.25, (kinds[left], kinds[right], shared, pair)
            seen[pair["relation"]] += 1
    return seen
