"""Reprints as flat tables: one row for each reprint, one for each medium, and one for each pair of media."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Any

from quchong.languages import Language, Message, page_word
from quchong.relations import BY_NAME
from quchong.report.chains import certainty_in_words

Rows = Sequence[Mapping[str, Any]]
USES = "uses"
"""Role of a text of its own that uses text of a source."""
HEAD = "head of a table of chains"
WORDS = {
    "sheet.reprints": Message("Reprints", context=HEAD),
    "sheet.media": Message("Media", context=HEAD),
    "sheet.series": Message("Series", context=HEAD),
    "first_medium": Message("First publisher", context=HEAD),
    "first_time": Message("First time", context=HEAD),
    "medium": Message("Reprinting publisher", context=HEAD),
    "time": Message("Time", context=HEAD),
    "lag": Message("Lag (hours)", context=HEAD),
    "title": Message("Title", context=HEAD),
    "link": Message("Link", context=HEAD),
    "changed": Message("Changes (source → copy)", context=HEAD),
    "relation": Message("Kind of reprint", context=HEAD),
    "source_medium": Message("Copied from", context=HEAD),
    "certainty": Message("How certain", context=HEAD),
    "first_title": Message("First title", context=HEAD),
    "id": Message("ID", context=HEAD),
    "source_id": Message("ID of the source", context=HEAD),
    "first_id": Message("ID of the first document", context=HEAD),
    "one_medium": Message("Publisher", context=HEAD),
    "originals": Message("Originals", context=HEAD),
    "reprinted": Message("Reprinted", context=HEAD),
    "reprints": Message("Own reprints", context=HEAD),
    "median_lag": Message("Median lag (hours)", context=HEAD),
    "issues": Message("Issues of series", context=HEAD),
    "series": Message("Series", context=HEAD),
    "unknown": Message("(unknown)", context=HEAD),
    "uses": Message("uses text of the source", context=HEAD),
}
"""Heads of the columns and names of the sheets."""
REPRINTS = (
    ("first_medium", 16), ("first_time", 17), ("medium", 16), ("time", 17), ("lag", 10), ("title", 44), ("link", 40), ("changed", 60),
    ("relation", 14), ("source_medium", 16), ("certainty", 26), ("first_title", 44), ("id", 16), ("source_id", 16), ("first_id", 16),
)  # fmt: skip
"""Columns of the table of reprints, with their widths."""
MEDIA = (("one_medium", 24), ("originals", 12), ("reprinted", 12), ("reprints", 14), ("median_lag", 14), ("issues", 14))
"""Columns of the table of media, with their widths."""
SERIES = (("series", 10), ("one_medium", 16), ("time", 17), ("title", 44), ("link", 40), ("id", 16))
"""Columns of the table of series, with their widths."""


@dataclass(slots=True)
class Medium:
    """Counts of what one medium published: originals, their reprints, copies, issues.

    Attributes:
        originals: documents that others copied and that are nobody's copy here.
        reprinted: copies of its originals in their chains.
        lags: hours from the first publication to each of its reprints.
        reprints: its documents that are copies; one that only uses text of another one is none.
        issues: its documents that are issues of series.
    """

    originals: int = 0
    reprinted: int = 0
    reprints: int = 0
    issues: int = 0
    lags: list[float] = field(default_factory=list)

    @property
    def median_lag(self) -> float | None:
        """Median of the lags in hours; None without one."""
        return median(self.lags) if self.lags else None


def head(name: str, language: Language) -> str:
    """Return the head of a column, or the name of a sheet, in a language."""
    return page_word(language, WORDS[name])


def by_chain(rows: Rows) -> Iterator[tuple[Rows, bool]]:
    """Yield the rows of each chain, and whether it is a series, in their order."""
    groups: dict[tuple[Any, bool], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["chain_id"], row["role"] == "series"), []).append(row)
    yield from ((some, series) for (_, series), some in groups.items())


def lag(first: datetime | None, later: datetime | None) -> float | None:
    """Return the hours between two times; None if one is unknown."""
    return None if first is None or later is None else (later - first).total_seconds() / 3600


def reprint_rows(rows: Rows, language: Language) -> Iterator[list[Any]]:
    """Yield the cells of REPRINTS for each reprint in the rows of CHAINS: documents with a source, in order of their chains."""
    unknown = head("unknown", language)
    for chain, series in by_chain(rows):
        if series:
            continue
        first, known = chain[0], {row["id"]: row for row in chain}
        for row in chain:
            if row["source_id"] is None:
                continue
            source = known.get(row["source_id"], {})
            yield [
                first["publisher"] or unknown, first["published"], row["publisher"] or unknown, row["published"],
                _rounded(lag(first["published"], row["published"])), row["title"], row["link"],
                row["changed_zh" if language == "zh" else "changed"], kind_of_reprint(row, language),
                source.get("publisher") or unknown, str(certainty_in_words(row, language)), first["title"], str(row["id"]),
                str(row["source_id"]), str(first["id"]),
            ]  # fmt: skip


def kind_of_reprint(row: Mapping[str, Any], language: Language) -> str:
    """Return the kind of reprint that a document is of its source; if less than half of it is there, it only uses its text."""
    return head("uses", language) if row["role"] == USES else page_word(language, BY_NAME[row["relation"]].words.chain)


def series_rows(rows: Rows, language: Language) -> Iterator[list[Any]]:
    """Yield the cells of SERIES for each issue of a series, numbered from 1."""
    number = 0
    for chain, series in by_chain(rows):
        if series:
            number += 1
            for row in chain:
                medium = row["publisher"] or head("unknown", language)
                yield [number, medium, row["published"], row["title"], row["link"], str(row["id"])]


def media(rows: Rows) -> dict[str, Medium]:
    """Return the counts of each medium, most reprinted first; "" is an unknown medium.

    A document in several chains, such as a roundup, is one reprint.
    """
    out: dict[str, Medium] = defaultdict(Medium)
    seen: set[Any] = set()
    for chain, series in by_chain(rows):
        first = chain[0]
        copies = 0
        for row in chain:
            one = out[row["publisher"] or ""]
            if series:
                one.issues += 1
            elif row["source_id"] is not None and row["role"] != USES:
                copies += 1
                if row["id"] not in seen:
                    seen.add(row["id"])
                    one.reprints += 1
                    hours = lag(first["published"], row["published"])
                    one.lags += [] if hours is None else [hours]
        if not series and copies:
            out[first["publisher"] or ""].originals += 1
            out[first["publisher"] or ""].reprinted += copies
    return dict(sorted(out.items(), key=lambda one: (-one[1].reprinted, -one[1].reprints, one[0])))


def media_rows(rows: Rows, language: Language) -> Iterator[list[Any]]:
    """Yield the cells of the table MEDIA for each medium."""
    for name, one in media(rows).items():
        hours = _rounded(one.median_lag)
        yield [name or head("unknown", language), one.originals, one.reprinted, one.reprints, hours, one.issues]


def exchanges(rows: Rows) -> tuple[dict[tuple[str, str], list[float | None]], int]:
    """Return the lags in hours of reprints, by original medium and reprinting medium, and the number of undecided reprints.

    Reprints whose source is undecided are in none of the pairs, nor are documents that only use text of another one.
    A lag is counted from the source, None if a time is unknown.
    """
    out: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    undecided = 0
    for chain, series in by_chain(rows):
        known = {row["id"]: row for row in chain}
        for row in () if series else chain:
            source = known.get(row["source_id"])
            if row["source_id"] is None or source is None or row["role"] == USES:
                continue
            if row["certainty"] == "undecided":
                undecided += 1
                continue
            hours = lag(source["published"], row["published"])
            out[source["publisher"] or "", row["publisher"] or ""].append(hours)
    return dict(out), undecided


def heads(columns: Iterable[tuple[str, float]], language: Language) -> list[tuple[str, float]]:
    """Return head and width of each column in a language."""
    return [(head(name, language), width) for name, width in columns]


def _rounded(hours: float | None) -> float | None:
    return None if hours is None else round(hours, 2)
