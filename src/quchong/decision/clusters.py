"""Clusters of a decided run: survivors with the documents removed for them; and the counts of the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.documents import DocumentColumns
from quchong.decision.survivors import Fate
from quchong.tables import CLUSTERS, by_relation, table_of


def clusters(documents: DocumentColumns, fate: Fate) -> pa.Table:
    """Return the table CLUSTERS: each survivor with its removed documents, and the documents kept in addition to it.

    Reference documents occur only as survivors.
    """
    cluster = fate.survivor if fate.cluster is None else np.where(fate.cluster >= 0, fate.cluster, fate.survivor)
    members = np.flatnonzero((cluster != np.arange(len(documents))) & ~fate.unconfirmed)
    inside = np.zeros(len(documents), bool)
    inside[members] = inside[cluster[members]] = True
    docs = np.flatnonzero(inside)
    docs = docs[np.argsort(documents.id_rank[docs])]
    known = {"id": docs, "cluster_id": cluster[docs], "survivor_id": fate.survivor[docs]}
    return table_of({name: documents.shown_ids(some) for name, some in known.items()}, CLUSTERS)


def counts(documents: DocumentColumns, fate: Fate, ledger: pa.Table, of_pairs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the counts of run.json: documents kept and removed, by relation, most frequent first.

    `of_pairs` are the counts of `quchong.tables.counts_of_pairs`.
    """
    read, removed = len(documents) - documents.references, int(fate.removed.sum())
    return {
        "kept": read - removed,
        "removed": removed,
        "removed_by_relation": by_relation(ledger),
        **of_pairs,
        "policy_overruled": int(fate.overruled.sum()),
        "kept_as_first": int(fate.first.sum()),
        "originals": 0 if fate.original is None else int(fate.original.sum()),
        "roundups": 0 if fate.roundup is None else int(fate.roundup.sum()),
        **({} if fate.top is None else {"kept_beside": int(fate.top.sum())}),
    }
