"""Comparison of two documents as an index compares them, whether it has them or not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from quchong.api.comparison import Document, one_source
from quchong.decision.comparison import Comparison
from quchong.engines.local.compare import compare_documents

if TYPE_CHECKING:
    from quchong.api.index import Index


def compare_indexed(index: Index, left: Document, right: Document) -> Comparison:
    """Compare two documents by the method of an index, with its statistics, and return what `quchong.compare` would.

    Args:
        index: an open index.
        left, right: each a text or a record with the columns of the index.

    Raises:
        InputError: a document has no text.
    """
    plan = replace(index._open.plan, id=None, id_given=False, workers=1)
    return compare_documents([one_source("left", left, plan, None), one_source("right", right, plan, None)], plan)
