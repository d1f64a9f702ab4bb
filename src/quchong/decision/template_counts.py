"""Counts of the templates of a run, and of the copies that no template could tell apart."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from quchong.decision.differing import fills_otherwise
from quchong.decision.pairs import DocumentPairs
from quchong.decision.templates import reads_templates
from quchong.plan.plan import Plan
from quchong.relation_codes import BINDING, code_of
from quchong.relations import DUPLICATE


def template_counts(plan: Plan, pairs: DocumentPairs, documents: int, templates: pa.Table) -> dict[str, dict[str, int]]:
    """Return the counts of templates for run.json under `templates`; empty if the run looked for none.

    `templates` and `records` are those of the table, `told_apart` pairs that fill a slot otherwise. `without_evidence` are duplicates in
    which words differ, of two documents that are near to no other one: in a family of two nothing can be counted, so facts alone decided.

    Args:
        pairs: all listed pairs.
        documents: number of documents.
        templates: table TEMPLATES.
    """
    if not reads_templates(plan):
        return {}
    none, apart = np.zeros(len(pairs), np.uint32), fills_otherwise(pairs.measures, len(pairs))
    near = BINDING[pairs.relation] | apart
    partners = np.bincount(pairs.left[near], minlength=documents) + np.bincount(pairs.right[near], minlength=documents)
    alone = (pairs.relation == code_of(DUPLICATE)) & (pairs.measures.get("unexplained", none) > 0)
    alone &= (partners[pairs.left] == 1) & (partners[pairs.right] == 1)
    figures = {
        "templates": len(templates), "records": pc.sum(templates["records"]).as_py() or 0, "told_apart": int(apart.sum()),
        "without_evidence": int(alone.sum()),
    }  # fmt: skip
    return {"templates": figures}
