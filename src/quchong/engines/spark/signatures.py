"""Join of signatures in the driver, 8 or 16 bytes a document and its id, by the code of the local engine.

The partners of a document in a crowd depend on all signatures in the order of the policy, so that order is made in one process.
Texts stay on the executors, which compute the signatures and score the pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import functions as F

from quchong.candidates.signature_join import near_signatures
from quchong.decision.documents import SCORED_TOKENS
from quchong.engines.spark.arrow import one, unsigned
from quchong.engines.spark.candidates import JoinResult
from quchong.engines.spark.component_documents import Readings, by_id, ranked
from quchong.engines.spark.documents import ID, REFERENCE, SCOPE
from quchong.engines.spark.marks import are_references
from quchong.engines.spark.sets import best_of_parts
from quchong.engines.spark.stages import Stages
from quchong.kernels.sketch import Signatures
from quchong.plan.plan import Plan
from quchong.seam import HammingJoin

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

HEAD_ID = "head_id"


def joined_by_signatures(
    some: DataFrame, docs: DataFrame, plan: Plan, join: HammingJoin, how: Readings, stages: Stages
) -> JoinResult:
    """Return pairs of signatures within the distance, as the local engine finds them, with notes about bounds; the list of keys is empty.

    Args:
        some: texts as described, of the documents that represent their exact classes; `keys` are the words of their signatures.
        docs: all documents, without texts.
    """
    signed = some.filter(F.col("tokens") >= SCORED_TOKENS).select(ID, SCOPE, "keys")
    best = best_of_parts(docs, plan, how)
    with stages.stage("signatures"):
        rows = by_id(signed.join(best, ID).withColumnRenamed(ID, HEAD_ID).withColumnRenamed("best", ID).toArrow())
    with stages.stage("near signatures"):
        # In the order of the policy, because a bounded search keeps the partners that come first.
        rows = rows.take(pa.array(np.argsort(ranked(rows, plan, how))))
        scope = one(rows[SCOPE]).dictionary_encode().indices.to_numpy().astype(np.uint64)
        ids = one(rows[HEAD_ID])
        references = (pc.sum(are_references(ids)).as_py() or 0) if REFERENCE in docs.columns else 0
        met = near_signatures(join, signatures_in(one(rows["keys"]), join.bits), scope, references)
        a, b = ids.take(pa.array(met.left)), ids.take(pa.array(met.right))
        turned = pc.less(a, b)
        pairs = pa.table({"left": pc.if_else(turned, a, b), "right": pc.if_else(turned, b, a)})
    session = stages.session
    lists = session.createDataFrame([], "documents bigint")
    return JoinResult(stages(session.createDataFrame(pairs), "candidates"), lists, met.bounded)


def signatures_in(column: pa.Array, bits: int) -> Signatures:
    """Read a column of lists of words as signatures; an empty list becomes an undefined signature (a document without text)."""
    defined = np.asarray(column.value_lengths().to_numpy(zero_copy_only=False)) > 0
    words = np.zeros((len(column), bits // 64), np.uint64)
    words[defined] = unsigned(column.flatten()).reshape(-1, bits // 64)
    return Signatures(words, defined)
