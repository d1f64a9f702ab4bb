"""Statistics of a method counted on a corpus, and frozen before documents arrive one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.decision.frozen import FrozenStatistics, fitted_fields
from quchong.engines.index.arriving import Reader
from quchong.errors import InputError
from quchong.features.statistics import FeatureStatistics
from quchong.io import Source
from quchong.io.arrays import as_strings
from quchong.io.source import Bad
from quchong.kernels.arrays import Texts, texts_of
from quchong.plan.plan import Plan
from quchong.seam import Documents, Method, with_statistics


def counted_on(plan: Plan, sources: Sequence[Source], workers: int | None = None) -> Method:
    """Return the method of a plan with its statistics counted on a corpus, one document of each exact class.

    Raises:
        InputError: the corpus has no documents.
    """
    reader, bad = Reader(plan, workers), list[Bad]()
    seen: set[tuple[int, int]] = set()
    texts: list[pa.Array] = []
    columns: dict[str, list[pa.Array]] = {name: [] for name in plan.method.traits.needs}
    for batch in reader.batches(sources, bad):
        prepared = plan.preparer.prepare(batch.column("text"), workers).texts
        features = plan.method.represent(prepared, workers)
        keep = np.zeros(len(batch), bool)
        for i, key in enumerate(zip(features.high.tolist(), features.low.tolist(), strict=True)):
            keep[i] = key not in seen
            seen.add(key)
        mask = pa.array(keep)
        texts.append(prepared.filter(mask))
        for name, parts in columns.items():
            if name in batch.schema.names:
                parts.append(as_strings(batch.column(name)).filter(mask))
    if not seen:
        raise InputError("the corpus on which statistics are counted has no documents")
    joined: Texts = texts_of(texts)
    known = {
        name: pa.chunked_array(parts, pa.large_string()).combine_chunks() for name, parts in columns.items() if parts
    }
    return with_statistics(plan.method, Documents(joined, known), workers)


def frozen(plan: Plan, fitted: Method) -> FrozenStatistics:
    """Return the statistics of a method as an index stores them: those that were counted, and those that were given as a file."""
    counted = dict(fitted_fields(plan.method, fitted))
    method: Any = fitted
    for one in fields(method) if is_dataclass(method) else ():
        value = getattr(method, one.name)
        if isinstance(value, FeatureStatistics):
            counted[one.name] = replace(value, path=None)
    return FrozenStatistics(fitted.name, counted)
