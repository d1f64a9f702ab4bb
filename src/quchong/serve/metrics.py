"""Metrics of a service, as Prometheus reads them."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from quchong.engines.index.answers import BadDocument, IndexStatistics
from quchong.serve.outcomes import Outcome

BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Upper limits of the classes of response times, in seconds."""


class Metrics:
    """Counters and gauges of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        known = self.registry
        self.requests = Counter("quchong_requests", "Requests answered.", ["route", "method", "status"], registry=known)
        self.seconds = Histogram("quchong_request_seconds", "Seconds from the head of a request to the end of its answer.", ["route"],
                                 buckets=BUCKETS, registry=known)  # fmt: skip
        self.documents = Counter("quchong_documents", "Documents answered, by action (what was asked) and outcome (what came of it).",
                                 ["action", "outcome"], registry=known)  # fmt: skip
        self.relations = Counter(
            "quchong_relations",
            "Documents answered, counted by the relation to their best match.",
            ["relation"],
            registry=known,
        )
        self.waiting = Gauge("quchong_waiting_documents", "Documents that wait for their answer.", registry=known)
        self.waiting_bytes = Gauge("quchong_waiting_bytes", "Bytes of bodies held in memory.", registry=known)
        self.index_documents = Gauge("quchong_index_documents", "Documents in the index.", registry=known)
        self.index_kept = Gauge(
            "quchong_index_kept_documents", "Documents in the index that are not copies of others.", registry=known
        )
        self.index_bytes = Gauge("quchong_index_bytes", "Size of the index on the disk.", ["part"], registry=known)
        self.drift = Gauge(
            "quchong_index_drift",
            "Share of the newest documents that the frozen statistics do not know.",
            registry=known,
        )

    def count_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count an answered request, by the address as documented, not as called."""
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def count_outcomes(self, action: str, outcomes: Iterable[Outcome]) -> None:
        """Count the documents of one request."""
        for one in outcomes:
            if isinstance(one, BadDocument):
                self.documents.labels(action, "again" if one.again else "bad").inc()
                continue
            self.documents.labels(action, "new" if one.new else "removed" if one.removed else "known").inc()
            if one.relation is not None:
                self.relations.labels(one.relation).inc()

    def exposition(self, figures: IndexStatistics, waiting: int, waiting_bytes: int) -> bytes:
        """Return all metrics in the text format of Prometheus, with the current figures of the index."""
        self.waiting.set(waiting)
        self.waiting_bytes.set(waiting_bytes)
        self.index_documents.set(figures.documents)
        self.index_kept.set(figures.kept)
        for part, size in figures.bytes.items():
            self.index_bytes.labels(part).set(size)
        if figures.drift is not None:
            self.drift.set(figures.drift)
        return generate_latest(self.registry)
