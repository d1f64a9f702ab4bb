"""Drift of frozen statistics: how far they are from the documents that were added since they were counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from quchong.decision.expansion import ClassPairs
from quchong.decision.frozen import FrozenStatistics, fitted_fields
from quchong.decision.templates import FilledClasses, reads_templates
from quchong.engines.index.comparing import MeasureCodec
from quchong.engines.index.contents import Contents
from quchong.engines.index.document_store import Row
from quchong.features.feature_sets import among
from quchong.features.periods import Noise
from quchong.features.statistics import FeatureStatistics
from quchong.io.arrays import as_strings
from quchong.kernels.arrays import texts_of
from quchong.seam import Documents, Method, SetJoin, with_statistics

SAMPLE = 512
"""Newest documents on which drift is measured."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Drift of the statistics of an index.

    Attributes:
        since: documents added since they were counted.
        share: how much of what these documents contain the statistics do not know, from 0 to 1; None if no texts are stored.
    """

    since: int
    share: float | None


def measured_drift(index: Contents, uncounted: Method, statistics: FrozenStatistics) -> Drift:
    """Return the drift between the stored statistics and statistics counted on the newest documents alone.

    For document frequencies: the share of the features of these documents that no document had when they were counted, beyond the share
    that is new in any further documents of the same corpus (estimated by Good and Turing from the features that one document had). For
    features taken out as noise: the share of the features compared that would be noise by these documents. For templates: the share of
    these documents that are on a template among themselves, and on none of the frozen ones. The greatest of these. 0 for a method that
    counts nothing, an index that was never fitted on a corpus, or whose statistics change no pair but only what a join costs.

    Args:
        index: the index. uncounted: its method without statistics. statistics: the frozen ones.

    Cost: representing at most `SAMPLE` documents; for templates also comparing the related ones among them.
    """
    noted = index.catalogue.note("counted")
    start = int(noted or 0)
    since = index.catalogue.count("SELECT count(*) FROM documents WHERE number >= ? AND id IS NOT NULL", start)
    join = uncounted.candidates
    counts = bool(statistics.counted) and not (isinstance(join, SetJoin) and join.prefixes is not None)
    fitted = noted is not None or bool(statistics.counted)
    if not since or not fitted or not (counts or reads_templates(index.plan)):
        return Drift(since, 0.0)
    if index.settings.store != "text":
        return Drift(since, None)
    found = index.catalogue.select(
        "SELECT * FROM documents WHERE number >= ? AND id IS NOT NULL AND same = number ORDER BY number DESC LIMIT ?",
        start,
        SAMPLE,
    )
    rows = [Row(*row) for row in found]
    batch = index.batch_of(rows)
    columns = {name: as_strings(batch.column(name)) for name in uncounted.traits.needs if name in batch.schema.names}
    documents = Documents(
        texts_of([index.plan.preparer.prepare(batch.column("text"), index.reader.workers).texts]), columns
    )
    shares = [_new_templates(index, rows, documents)] if reads_templates(index.plan) else []
    if counts:
        anew = fitted_fields(uncounted, with_statistics(uncounted, documents, index.reader.workers))
        shares += [_share(uncounted, documents, old, anew.get(name)) for name, old in statistics.counted.items()]
    return Drift(since, max(shares, default=0.0))


def _new_templates(index: Contents, rows: list[Row], documents: Documents) -> float:
    """Return the share of the newest documents that form templates among themselves and fit no frozen template."""
    place = {row.number: i for i, row in enumerate(rows)}
    pairs = [pair for pair in index.catalogue.pairs_of(sorted(place)) if pair.left in place and pair.right in place]
    if not pairs:
        return 0.0
    measures = MeasureCodec(index.catalogue.note("measures")).unpack([pair.measures for pair in pairs])
    left = np.array([place[pair.left] for pair in pairs], np.int64)
    right = np.array([place[pair.right] for pair in pairs], np.int64)
    size = np.asarray(documents.texts.length, np.int64)
    found = FilledClasses.find(index.plan, ClassPairs(left, right, measures), size, documents.take).filled.inside
    teller = index.finder.comparer.teller
    if teller is not None and len(found):
        found = found[teller.components(documents, found) < 0]
    return len(found) / len(rows)


def _share(method: Method, documents: Documents, old: Any, new: Any) -> float:
    """Return the share of the documents' contents that a frozen value does not know, by the same value counted on them."""
    if isinstance(old, FeatureStatistics) and isinstance(new, FeatureStatistics):
        return _unknown_features(old, new)
    if isinstance(old, Noise) and isinstance(new, Noise) and isinstance(join := method.candidates, SetJoin):
        site = documents.column("site")
        compared = old.without(join.sets(documents, None), site)
        total = len(compared.values)
        return 1 - len(new.without(compared, site).values) / total if total else 0.0
    return 0.0


def _unknown_features(old: FeatureStatistics, new: FeatureStatistics) -> float:
    """Return the share of features unknown to the old statistics, less the share expected for more documents of the old corpus."""
    times, known = new.frequencies.astype(np.int64), old.frequencies.astype(np.int64)
    if not times.sum():
        return 0.0
    unknown = 1 - float(times[among(new.features, old.features)].sum() / times.sum())
    usual = float((known == 1).sum() / known.sum()) if len(known) else 0.0
    return max(0.0, (unknown - usual) / (1 - usual)) if usual < 1 else 0.0
