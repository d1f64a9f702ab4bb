"""The kernels on word paths and contained sets; twins: `quchong.kernels.reference.paths`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import _quchong
import numpy as np

from quchong.kernels import checked
from quchong.kernels.checked import threads_of
from quchong.kernels.dispatch import AnyTexts, Ragged, ragged_columns, text_columns
from quchong.kernels.sets import FeatureSets, Met, set_columns

if TYPE_CHECKING:
    from quchong.kernels.checked import I64, U32, U64

MAX_DEPTH = 16


def sentence_breaks(texts: AnyTexts, workers: int | None = None) -> tuple[U32, I64]:
    """Where sentences of texts end: uint32 places in characters, int64 offsets. A break stands before that character.

    The rule is that of `quchong.text.sentences`; behind a run of terminators there is more than one break, with no letter
    between. The end of the text is no break.
    """
    places, offsets = _quchong.sentence_breaks(*text_columns(texts), threads_of(workers))
    return places, offsets


def path_sets(docs: Ragged, sentence: U32, weight: U32, depth: int, workers: int | None = None) -> FeatureSets:
    """The distinct runs of 1 to `depth` tokens inside a sentence, as sets weighted by the sum over the tokens.

    Args:
        docs: tokens.
        sentence: uint32 a token; a path ends where the number changes.
        weight: uint32 a token, less than 2**32 / depth.
        depth: tokens of the longest path, 1 to 16.

    These are the nodes a document passes in CoDet's corpus tree. Cost: O(tokens * depth), 12 bytes a path.
    """
    tokens, offsets = ragged_columns(docs)
    s, w = checked.u32(sentence, "sentence", len(tokens)), checked.u32(weight, "weight", len(tokens))
    depth = checked.number(depth, 1, MAX_DEPTH, "depth")
    if len(w) and int(w.max()) * depth >= 2**32:
        raise ValueError("weights are too large for the depth")
    return FeatureSets(*_quchong.path_sets(tokens, offsets, s, w, depth, threads_of(workers)))


def meet_contained(
    sets: FeatureSets, threshold: float, *, cap: int | None = None, scope: U64 | None = None, references: int = 0,
    workers: int | None = None,
) -> Met:  # fmt: skip
    """All pairs of documents of which the lighter one shares at least `threshold` of its weight with the other.

    What is shared is the sum of the lesser weights. Exact where no list is longer than `cap` documents; behind the cap of
    a list the heaviest ones are met only. Args as in `meet_sets`, of which this is the form for weighted sets with many common
    values: a document visits its lists from the shortest on, and only as many as a partner cannot do without.

    Cost: the lengths of the lists visited; memory 24 bytes a value.
    """
    columns, n = set_columns(sets), len(sets)
    left, right, capped, largest, _ = _quchong.meet_contained(
        *columns, checked.scope_of(scope, n), checked.share(threshold), checked.cap_of(cap),
        checked.number(references, 0, n, "references"), threads_of(workers),
    )  # fmt: skip
    return Met(left.astype(np.int64), right.astype(np.int64), capped, largest)
