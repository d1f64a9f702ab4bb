"""Command `quchong index stats`: figures and settings of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from quchong.cli.index_opening import Located, index_argument, open_index
from quchong.languages import COMMA, Message, join_messages

if TYPE_CHECKING:
    from quchong.engines.index.answers import IndexStatistics

SYNC = {
    "each": Message("before each answer"),
    "none": Message("when the operating system writes it"),
}
"""When what is added is safe from a power cut, by the setting; a span is shown as it is."""
PARTS = {
    "texts and catalogue": Message("texts and catalogue"),
    "postings": Message("postings"),
    "statistics": Message("statistics"),
}
"""Parts of the folder whose sizes `stats` prints."""


@click.command(short_help="Show figures and settings of an index.")
@index_argument
@click.option("--json", "as_json", is_flag=True, help="JSON.")
def stats(index: Located, as_json: bool) -> None:
    """Shows how many documents INDEX has, how much disk space it takes, and its settings."""
    from quchong.cli.printing import say_json

    with open_index(index, read_only=True) as known:
        found = known.stats()
    if as_json:
        say_json(found.as_dict(), 2)
    else:
        print_figures(found)


def print_figures(found: IndexStatistics) -> None:
    """Print the figures of an index in lines: documents, size, segments, drift, settings."""
    from quchong.cli.printing import pad, say
    from quchong.cli.wrapping import width

    rows: list[tuple[str, str]] = [
        (Message("documents"), f"{found.documents:,}"),
        (Message("  kept"), f"{found.kept:,}"),
        (Message("deleted, disk space not yet freed"), f"{found.deleted:,}"),
        (Message("pairs of related documents"), f"{found.pairs:,}"),
        (Message("size"), size_in_words(sum(found.bytes.values()), found.documents)),
    ]
    rows += [(Message("  {}", PARTS.get(part, part)), _size(n)) for part, n in found.bytes.items()]
    rows.append(
        (
            Message("segments"),
            Message("{:,}; {:,} of these documents are not in a segment yet", found.segments, found.unsealed),
        )
    )
    if found.drift:
        rows.append((Message("drift"), _drift_in_words(found)))
    rows += settings_rows(found)
    widest = max(width(pad(label, 0)) for label, _ in rows)
    for label, value in rows:
        say("{}  {}", pad(label, widest), value)


def _drift_in_words(found: IndexStatistics) -> str:
    """Return how far statistics are from the documents added since they were counted, and what to do about it."""
    share = 100 * (found.drift or 0.0)
    if found.drifted:
        return Message(
            "{:.1f}% of the text of the newest documents did not occur when the statistics were counted ({:,} documents "
            "were added since): recount with quchong index compact --refit", share, found.since,
        )  # fmt: skip
    return Message(
        "{:.1f}% of the text of the newest documents did not occur when the statistics were counted ({:,} documents were added since)",
        share,
        found.since,
    )


def settings_rows(found: IndexStatistics) -> list[tuple[str, str]]:
    """Return the settings of an index that a user chose, as rows of a table."""
    settings = found.settings
    scope = settings.get("scope") or {}
    rows: list[tuple[str, str]] = [(Message("method"), str(settings.get("method", "")))]
    if keep := settings.get("keep"):
        rows.append((Message("policy"), str(keep)))
    rows.append((Message("removed by"), ", ".join(settings.get("relations", ()))))
    limits = [Message("within {}", span_in_words(scope["within"]))] if scope.get("within") else []
    limits += [Message("per {}", scope["per"])] if scope.get("per") else []
    limits += [Message("per site")] if scope.get("same_site") else []
    if limits:
        rows.append((Message("compared"), join_messages(limits, COMMA)))
    rows.append((Message("stored"), str(settings.get("store", ""))))
    sync = str(settings.get("sync", ""))
    rows.append((Message("safe from a power cut"), SYNC.get(sync, Message("within {}", sync))))
    if shadow := settings.get("shadow"):
        rows.append((Message("shadow"), ", ".join(f"{name}={value}" for name, value in shadow.items())))
    return rows


def span_in_words(seconds: float) -> str:
    """Return a span as --within takes it, in the largest unit in which it is a whole number: 7d, 36h, 90s.

    >>> span_in_words(604800.0), span_in_words(5400.0)
    ('7d', '90m')
    """
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60)):
        if seconds >= size and seconds % size == 0:
            return f"{seconds / size:.0f}{unit}"
    return f"{seconds:.15g}s"


def size_in_words(size: int, documents: int) -> Message:
    """Return a size, and the bytes of each document if there are any."""
    return (
        Message("{}, {:,.0f} bytes a document", _size(size), size / documents)
        if documents
        else Message("{}", _size(size))
    )


def _size(size: int) -> str:
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.1f} MB"
