"""Workbook of a run, for Excel: its removals, who reprinted whom, and its clusters."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from quchong.findings import differences_of
from quchong.io.columnar.sheet_writer import ROWS
from quchong.io.columnar.table_book import TableBook
from quchong.policy.times import zoned
from quchong.relations import RELATIONS
from quchong.report.differing import facts_in_words, in_words
from quchong.report.reprints import MEDIA, REPRINTS, SERIES, head, heads, media_rows, reprint_rows, series_rows
from quchong.results.chain_files import flat
from quchong.views.chronology import known_chains
from quchong.views.clusters import all_clusters
from quchong.views.cut import first_words, visible_id
from quchong.views.page import GENERATOR
from quchong.views.register import link_of, title_of
from quchong.views.subject import Subject
from quchong.views.words import Language, words

_BATCH = 2000
COLUMNS = (
    ("id", 24), ("survivor", 24), ("title", 40), ("survivor_title", 40), ("relation", 12), ("reason", 24), ("jaccard", 9),
    ("containment", 9), ("threshold", 9), ("facts", 12), ("differences", 50), ("time", 18), ("survivor_time", 18), ("source", 16),
    ("survivor_source", 16), ("link", 40), ("survivor_link", 40), ("begins", 50), ("survivor_begins", 50),
)  # fmt: skip
"""Columns of the sheet of removals, with their widths."""
CLUSTERS = (
    ("cluster", 10), ("size", 10), ("fate", 10), ("id", 24), ("title", 40), ("source", 16), ("time", 18), ("link", 40),
)  # fmt: skip
"""Columns of the sheet of clusters, with their widths."""


def write_workbook(
    subject: Subject, path: Path, language: Language, advance: Callable[[int], None] = lambda done: None
) -> None:
    """Write a workbook: a row for each removed document, each reprint, each document of a cluster and each medium, and a description.

    Sheets without a row, but that of removals, are left out. Times without a zone are date cells. See
    `quchong.io.columnar.table_book.TableBook` for the cells. `advance` is called with 1 for every removal.

    Raises:
        UsageError: the extra `report` is not installed.
        OSError: the file cannot be written.
    """
    said = {key: told[language] for key, told in words().items()}
    with TableBook(path, GENERATOR) as book:
        book.table(said["xlsx.removed"], _heads(COLUMNS, said), _rows(subject, language, said, advance))
        clusters = all_clusters(subject)
        chains = flat(known_chains(subject, clusters))
        reprints = [row for row in chains if row["source_id"] is not None]
        if reprints:
            book.table(head("sheet.reprints", language), heads(REPRINTS, language), reprint_rows(chains, language))
        if clusters:
            book.table(said["xlsx.clusters"], _heads(CLUSTERS, said), _cluster_rows(subject, said, clusters))
        if chains:
            book.table(head("sheet.media", language), heads(MEDIA, language), media_rows(chains, language))
        if any(row["role"] == "series" for row in chains):
            book.table(head("sheet.series", language), heads(SERIES, language), series_rows(chains, language))
        book.list(said["xlsx.about"], _about_rows(subject, said))


def _heads(columns: tuple[tuple[str, int], ...], said: Mapping[str, str]) -> list[tuple[str, float]]:
    return [(said[f"xlsx.{name}"], width) for name, width in columns]


def _rows(
    subject: Subject, language: Language, said: Mapping[str, str], advance: Callable[[int], None]
) -> Iterator[list[Any]]:
    """Yield the cells of each removed document, in the order of their ids."""
    ledger, moments = subject.tables["ledger"], _Moments(subject)
    for at in range(0, min(len(ledger), ROWS), _BATCH):
        batch = ledger.slice(at, _BATCH)
        own, kept = (side[at : at + _BATCH] for side in subject.removals)
        some = [int(i) for i in np.concatenate([own, kept]) if i >= 0]
        texts, fields = subject.text_of(some), subject.fields_of(some)
        for row, i, k in zip(batch.to_pylist(), own.tolist(), kept.tolist(), strict=True):
            rule, other = str(row["rule"]), k >= 0
            advance(1)
            yield [
                visible_id(subject.ids[i]), visible_id(subject.ids[k]) if other else "", title_of(fields[i]),
                title_of(fields[k]) if other else "", said[f"relation.{row['relation']}"], said.get(f"rule.{rule}", rule),
                row["jaccard"], row["containment"], row["threshold"], str(facts_in_words(row["facts"], language)),
                str(in_words(differences_of(row), language)), moments.cell(i), moments.cell(k) if other else "",
                subject.sources[i], subject.sources[k] if other else "", link_of(fields[i]), link_of(fields[k]) if other else "",
                first_words(texts.get(i) or "", 100), first_words(texts.get(k) or "", 100) if other else "",
            ]  # fmt: skip


def _cluster_rows(
    subject: Subject, said: Mapping[str, str], clusters: list[tuple[int, list[int]]]
) -> Iterator[list[Any]]:
    """Yield the cells of each document of each cluster: the kept one first, the largest cluster first."""
    moments = _Moments(subject)
    for number, (survivor, members) in enumerate(clusters, 1):
        fields = subject.fields_of([survivor, *members])
        for i in (survivor, *members):
            fate = said["pair.kept" if i == survivor else "pair.removed"]
            yield [
                number, len(members) + 1, fate, visible_id(subject.ids[i]), title_of(fields[i]), subject.sources[i],
                moments.cell(i), link_of(fields[i]),
            ]  # fmt: skip


class _Moments:
    """Times of documents as cells: a date cell for a time without a zone, which has none in Excel either; else the text of the row."""

    def __init__(self, subject: Subject) -> None:
        self._seconds, self._when = subject.seconds, subject.when
        self._zoned = zoned(pa.array(self._when, pa.large_string()))

    def cell(self, i: int) -> datetime.datetime | datetime.date | str:
        """Return the cell of a document; an empty text without a time."""
        if not np.isfinite(self._seconds[i]) or self._zoned[i]:
            return self._when[i] or ""
        try:
            moment = datetime.datetime.fromtimestamp(float(self._seconds[i]), datetime.UTC).replace(tzinfo=None)
        except (ValueError, OverflowError, OSError):
            return self._when[i] or ""
        return moment.date() if moment.time() == datetime.time() else moment


def _about_rows(subject: Subject, said: dict[str, str]) -> Iterator[tuple[str, str]]:
    manifest, ledger = subject.manifest, subject.tables["ledger"]
    counts = manifest["counts"]
    yield said["about.run"], subject.name
    yield said["about.created"], str(manifest.get("created", ""))
    yield said["about.method"], str(manifest["config"]["method"])
    yield said["about.keep"], str(manifest["config"]["keep"])
    for key in ("read", "kept", "removed"):
        yield said[f"count.{key}"], f"{counts[key]:,}"
    relations = ledger["relation"].to_pylist() if len(ledger) else []
    for name in RELATIONS:
        if n := relations.count(name):
            yield said[f"relation.{name}"], f"{n:,}"
    if len(ledger) > ROWS:
        yield said["xlsx.left_out"], f"{len(ledger) - ROWS:,}"
    yield said["about.version"], f"quchong {manifest.get('quchong', '')}, {manifest.get('config_hash', '')}"
