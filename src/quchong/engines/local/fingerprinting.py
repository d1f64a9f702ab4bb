"""Preparing and fingerprinting of one batch of documents, by a run or by a part of one."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from quchong.decision.equality import class_digests
from quchong.engines.local.segments import ReadBatch
from quchong.io.limits import page_limit
from quchong.io.page_documents import PageReader
from quchong.plan.plan import Plan
from quchong.seam import Features


def page_reader(plan: Plan) -> PageReader:
    """Return the reader of the pages of a run."""
    return PageReader(plan.body, plan.pages, plan.time_key, plan.workers, page_limit(plan.max_record))


def fingerprint_batch(plan: Plan, batch: pa.RecordBatch, keep_tokens: bool = False) -> tuple[ReadBatch, Features]:
    """Prepare the texts of a batch, and return it with the features of its documents.

    Returns:
        The batch, without tokens, and its features; these have tokens if `keep_tokens` is True and the method has any.
    """
    prepared = plan.preparer.prepare(batch.column("text"), plan.workers)
    features = plan.method.represent(prepared.texts, plan.workers, keep_tokens)
    features = class_digests(plan.exact, plan.method.form, prepared.texts, features, plan.workers)
    columns = pa.Table.from_batches([batch]).drop_columns(["text"])
    return ReadBatch(prepared.texts, replace(features, docs=None, words=None), columns, dict(prepared.edits)), features
