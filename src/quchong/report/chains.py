"""Text view of chains: the first document, and the source of each copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quchong.languages import Language, Message, page_word, speaking
from quchong.relations import BY_NAME, EQUAL
from quchong.report.visible import BETWEEN, Shown, compose, compose_word, shown_name

Line = tuple[int, Shown]
"""A line of output: columns of indent, and the text, which may be wider than a terminal."""
DEEPEST = 6
"""Maximum number of indent steps."""
TITLE = 80
LINK = 200
"""Maximum numbers of characters of a title and of a link."""
HALF = 0.5
"""Share of a document in its source from which it is called copied; below, it uses text of it."""
LEAST = 0.2
"""Minimum confidence of another source that is named beside an undecided one."""

WORDS = {
    "heading.one": "{} published first, {:,} document follows",
    "heading": "{} published first, {:,} documents follow",
    "heading.text.one": "{} is first, {:,} document follows",
    "heading.text": "{} is first, {:,} documents follow",
    "series": "{:,} documents of a series on one template; none is a copy of another",
    "certainty.only": "only earlier document",
    "certainty.likely": "likely",
    "certainty.likely.one": "likely, the only earlier document",
    "certainty.likely.of": "likely, the closest of {:,} earlier documents",
    "certainty.undecided": "undecided",
    "certainty.undecided.of": "unclear; the closest of {:,} earlier documents",
    "certainty.equal": "unclear; {:,} earlier documents have the same text",
    "text": "inferred from the texts alone, because the times are not sufficient",
    "copied": "copied from {} ({})",
    "uses": "uses text of {} ({})",
    "told": "{}: {}",
    "share": "{}, {:.0f}% of the text is from the source",
    "runner up": "; equally likely: {}",
    "changed": "changed (source → copy): {}",
    "first": "published first",
    "first.text": "first in the chain",
    "alone": "without a source in this chain",
    "by text": "{} ({})",
    "parts": BETWEEN,
    "made.roundup": "a roundup of {} articles: {}",
    "made.digest": "a digest made of parts of {} articles: {}",
    "counted": Message(", ", context="counts of chains"),
    "chain": "{:,} chain",
    "chains": "{:,} chains",
    "document": Message("{:,} document", context="chains"),
    "documents": Message("{:,} documents", context="chains"),
    "issue": "{:,} series",
    "issues": "{:,} series",
    "roundup": "{:,} roundup",
    "roundups": "{:,} roundups",
    "digest": "{:,} digest",
    "digests": "{:,} digests",
    "untimed": "{:,} without a time",
    "untimeds": "{:,} without a time",
    "dated.one": (
        "note: the time of {:,} document differs from the date in its address by a week or more; the date in the "
        "address was used"
    ),
    "dated": (
        "note: the times of {:,} documents differ from the dates in their addresses by a week or more; the dates "
        "in the addresses were used"
    ),
}
"""Words of the lines, by use."""


def chain_lines(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> Iterator[Line]:
    """Yield the lines of one chain: a heading, then the lines of each document, indented under its source.

    `rows` are the rows of CHAINS of this chain, in their order. The issues of a series have a heading and one line each.

    Ids, titles and changes are escaped for a terminal (`quchong.report.visible`).
    """
    if is_series(rows):
        yield 0, _sentence(language, "series", len(rows))
        for row in rows:
            yield 2, _heading(row)
            if row.get("link"):
                yield 5, shown_name(row["link"], LINK)
        return
    count = len(rows) - 1
    key = "heading" if _was_published_first(rows[0]) else "heading.text"
    yield 0, _sentence(language, key if count > 1 else f"{key}.one", rows[0]["id"], count)
    depth: dict[Any, int] = {}
    for row in rows:
        depth[row["id"]] = depth.get(row["source_id"], -1) + 1 if row["source_id"] is not None else 0
        indent = 2 + 2 * min(depth[row["id"]], DEEPEST)
        yield indent, _heading(row)
        if row.get("link"):
            yield indent + 3, shown_name(row["link"], LINK)
        for line in _copy_lines(row, language):
            yield indent + 3, line


def is_series(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if the rows of a chain are the issues of a series."""
    return bool(rows) and rows[0]["role"] == "series"


def _heading(row: Mapping[str, Any]) -> Shown:
    when = Shown(row["published"].strftime("  %Y-%m-%d %H:%M")) if row["published"] is not None else Shown("")
    who = compose("  {}", row["publisher"]) if row["publisher"] else Shown("")
    title = compose("  {}", shown_name(row["title"], TITLE)) if row["title"] else Shown("")
    return compose("{}. {}{}{}{}", row["position"], row["id"], when, who, title)


def _copy_lines(row: Mapping[str, Any], language: Language) -> Iterator[Shown]:
    """Yield the lines about one document's origin: role, source, certainty, and what it changed."""
    if row["role"] in ("roundup", "digest"):
        yield _made_of(row, language)
    if row["source_id"] is None:
        if row["role"] in ("roundup", "digest"):
            return
        yield _without_source(row, language)
        return
    relation = Shown(page_word(language, BY_NAME[row["relation"]].words.chain))
    if row["relation"] not in EQUAL:
        relation = _sentence(language, "share", relation, 100 * row["shared"])
    verb = "copied" if row["shared"] >= HALF else "uses"
    source = _sentence(language, verb, row["source_id"], certainty_in_words(row, language))
    line = _sentence(language, "told", source, relation)
    if row["certainty"] == "undecided" and row["runner_up_id"] is not None and row["runner_up_confidence"] >= LEAST:
        line = Shown(line + _sentence(language, "runner up", row["runner_up_id"]))
    yield line
    if row["relation"] not in EQUAL:
        yield _sentence(language, "changed", shown_name(row["changed_zh" if language == "zh" else "changed"], 2000))


def certainty_in_words(row: Mapping[str, Any], language: Language = "en") -> Shown:
    """Return how certain the source of a row of CHAINS is; an empty text without a source."""
    if row["certainty"] is None:
        return Shown("")
    if row["basis"] == "text":
        told = _sentence(language, f"certainty.{row['certainty']}")
        return Shown(_sentence(language, "counted").join((told, _sentence(language, "text"))))
    if row["basis"] == "equal" and row["certainty"] == "undecided":
        return _sentence(language, "certainty.equal", row["choices"])
    if row["certainty"] == "only":
        return _sentence(language, "certainty.only")
    if row["choices"] == 1:
        return _sentence(language, "certainty.likely.one")
    return _sentence(language, f"certainty.{row['certainty']}.of", row["choices"])


def _sentence(language: Language, key: str, *values: Any) -> Shown:
    """Fill words of `WORDS` in a language with values, which are escaped for a terminal."""
    return compose_word(language, WORDS[key], *values)


def _was_published_first(row: Mapping[str, Any]) -> bool:
    """Return True if the time of a chain's first document shows that it was first, False if only the texts suggest it."""
    return row["published"] is not None and row["basis"] != "text"


def _without_source(row: Mapping[str, Any], language: Language) -> Shown:
    first = "first" if _was_published_first(row) else "first.text"
    told = _sentence(language, first if row["position"] == 1 else "alone")
    return _sentence(language, "by text", told, _sentence(language, "text")) if row["basis"] == "text" else told


def _made_of(row: Mapping[str, Any], language: Language) -> Shown:
    parts = row["parts"]
    names = page_word(language, WORDS["parts"]).join(shown_name(one) for one in parts[:10])
    return _sentence(language, f"made.{row['role']}", len(parts), Shown(names + (" …" if len(parts) > 10 else "")))


def counted(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> Shown:
    """Return one line with the numbers of chains, documents, series, roundups and so on; zeros are left out."""
    documents = {r["id"]: r for r in rows if r["role"] != "series"}
    roles = [r["role"] for r in documents.values()]
    figures = {
        "chain": len({r["chain_id"] for r in rows if r["role"] != "series"}), "document": len(documents),
        "issue": len({r["chain_id"] for r in rows if r["role"] == "series"}), "roundup": roles.count("roundup"),
        "digest": roles.count("digest"), "untimed": len({r["id"] for r in rows if r["published"] is None}),
    }  # fmt: skip
    told = [
        _sentence(language, name if n == 1 else name + "s", n) for name, n in figures.items() if n or name == "chain"
    ]
    return Shown(_sentence(language, "counted").join(told))


def not_listed(rest: int, total: int, language: Language = "en") -> Shown:
    """Return the line printed after a list that was cut short: how many chains are missing, and how to see them."""
    with speaking(language):
        return compose("... and {:,} more chains: --show {}, or -o FILE", rest, total)


def untimed(column: str, language: Language = "en") -> Shown:
    """Return the note that no document has a readable time in `column`."""
    with speaking(language):
        return compose("note: the column {} has no time that can be read, so sources are inferred from the texts "
                       "alone; name a column of times with --time-key",
                       column)  # fmt: skip


def dated_by_link(count: int, language: Language = "en") -> Shown:
    """Return the note that a number of documents got the dates in their addresses, because their times contradict these."""
    return _sentence(language, "dated" if count > 1 else "dated.one", count)
