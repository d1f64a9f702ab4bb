"""Pairs of a finished run whose differences are examined afterwards, because somebody looks at them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from quchong.decision.documents import seconds_of
from quchong.decision.id_index import IdIndex
from quchong.decision.reexamination import examine_pairs, replaced_rows, unexamined
from quchong.engines.local.outcome import Outcome
from quchong.engines.local.scores import pair_batches
from quchong.seam import active_differences


def examined_pairs(outcome: Outcome, table: pa.Table) -> pa.Table:
    """Return rows of PAIRS with the differences of every pair examined, as `differences="all"` gives them; unchanged without texts.

    Cost: the texts of the pairs that were not examined are aligned.
    """
    corpus, plan = outcome.corpus, outcome.plan
    rows = unexamined(table)
    if not len(rows) or len(corpus.texts) != len(corpus) or active_differences(plan.method) is None:
        return table
    index, some = IdIndex(corpus.documents.ids), table.take(pa.array(rows))
    left, right = index.places(some["left_id"]), index.places(some["right_id"])
    parts = []
    published = corpus.documents.published
    for piece, docs, documents, a, b in pair_batches(corpus, plan, left, right, np.arange(len(rows))):
        seconds = seconds_of(None if published is None else published.take(pa.array(docs)), len(docs))
        listed = some.take(pa.array(piece))
        parts.append(examine_pairs(plan.method, documents, a, b, listed, seconds, corpus.edits, docs, plan.workers))
    return replaced_rows(table, rows, pa.concat_tables(parts))
