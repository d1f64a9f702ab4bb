"""Text view of chains: the first document, and the source of each copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quchong.languages import Language, Message, page_word, speaking
from quchong.relations import BY_NAME, EQUAL
from quchong.report.visible import Shown, compose, compose_word, named

Line = tuple[int, Shown]
"""A line of output: columns of indent, and the text, which may be wider than a terminal."""
DEEPEST = 6
"""Maximum number of indent steps."""
TITLE = 80

WORDS = {
    "basis.time": "the only one before it",
    "basis.changes": "of {} before it the one it differs least from",
    "basis.equal": "of {} before it with one text the earliest",
    "basis.text": "times do not tell, so by the texts alone",
    "heading.one": "{}, and {:,} document after it",
    "heading": "{}, and {:,} documents after it",
    "from": "from {}, {}: {}; {:.0f}% of it is there; confidence {:.0f}%",
    "runner up": ", then {} ({:.0f}%)",
    "changed": "changed: {}",
    "first": "published first",
    "alone": "has no source in this chain",
    "by text": "{} ({})",
    "parts": Message(", ", context="parts"),
    "made.roundup": "a roundup of {} articles: {}",
    "made.digest": "a digest of pieces of {} articles: {}",
    "counted": "{}, {}, {}, {}, {:,} without a time",
    "chain": "{:,} chain",
    "chains": "{:,} chains",
    "document": Message("{:,} document", context="chains"),
    "documents": Message("{:,} documents", context="chains"),
    "roundup": "{:,} roundup",
    "roundups": "{:,} roundups",
    "digest": "{:,} digest",
    "digests": "{:,} digests",
}
"""Words of the lines, by use."""


def chain_lines(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> Iterator[Line]:
    """Yield the lines of one chain: a heading, then some lines for each document, indented under its source.

    `rows` are the rows of CHAINS of this chain, in their order.

    Ids, titles and changes are escaped for a terminal (`quchong.report.visible`).
    """
    count = len(rows) - 1
    yield 0, _sentence(language, "heading" if count > 1 else "heading.one", rows[0]["id"], count)
    depth: dict[Any, int] = {}
    for row in rows:
        depth[row["id"]] = depth.get(row["source_id"], -1) + 1 if row["source_id"] is not None else 0
        indent = 2 + 2 * min(depth[row["id"]], DEEPEST)
        yield indent, _heading(row)
        for line in _copy_lines(row, language):
            yield indent + 3, line


def _heading(row: Mapping[str, Any]) -> Shown:
    when = Shown(row["published"].strftime("  %Y-%m-%d %H:%M")) if row["published"] is not None else Shown("")
    who = compose("  {}", row["publisher"]) if row["publisher"] else Shown("")
    title = compose("  {}", named(row["title"], TITLE)) if row["title"] else Shown("")
    return compose("{}. {}{}{}{}", row["position"], row["id"], when, who, title)


def _copy_lines(row: Mapping[str, Any], language: Language) -> Iterator[Shown]:
    """Yield lines about a document's origin: its role, source, basis and confidence, and what it changed."""
    if row["role"] in ("roundup", "digest"):
        yield _made_of(row, language)
    if row["source_id"] is None:
        if row["role"] in ("roundup", "digest"):
            return
        yield _without_source(row, language)
        return
    basis = _sentence(
        language, f"basis.{row['basis']}", *([row["choices"]] if row["basis"] in ("changes", "equal") else [])
    )
    relation = Shown(page_word(language, BY_NAME[row["relation"]].words.chain))
    line = _sentence(language, "from", row["source_id"], relation, basis, 100 * row["shared"], 100 * row["confidence"])
    if row["runner_up_id"] is not None and row["runner_up_confidence"] >= 0.005:
        line = Shown(line + _sentence(language, "runner up", row["runner_up_id"], 100 * row["runner_up_confidence"]))
    yield line
    if row["relation"] not in EQUAL:
        yield _sentence(language, "changed", named(row["changed_zh" if language == "zh" else "changed"], 2000))


def _sentence(language: Language, key: str, *values: Any) -> Shown:
    """Fill words of `WORDS` in a language with values, which are escaped for a terminal."""
    return compose_word(language, WORDS[key], *values)


def _without_source(row: Mapping[str, Any], language: Language) -> Shown:
    told = _sentence(language, "first" if row["position"] == 1 else "alone")
    return _sentence(language, "by text", told, _sentence(language, "basis.text")) if row["basis"] == "text" else told


def _made_of(row: Mapping[str, Any], language: Language) -> Shown:
    parts = row["parts"]
    names = page_word(language, WORDS["parts"]).join(named(one) for one in parts[:10])
    return _sentence(language, f"made.{row['role']}", len(parts), Shown(names + (" …" if len(parts) > 10 else "")))


def counted(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> Shown:
    """Return one line with the numbers of chains, documents, roundups, digests and documents without a time."""
    documents = {r["id"]: r for r in rows}
    roles = [r["role"] for r in documents.values()]
    figures = {
        "chain": len({r["chain_id"] for r in rows}), "document": len(documents), "roundup": roles.count("roundup"),
        "digest": roles.count("digest"),
    }  # fmt: skip
    told = [_sentence(language, name if n == 1 else name + "s", n) for name, n in figures.items()]
    return _sentence(language, "counted", *told, sum(r["published"] is None for r in documents.values()))


def not_listed(rest: int, total: int, language: Language = "en") -> Shown:
    """Return the line printed after a list that was cut short: how many chains are missing, and how to see them."""
    with speaking(language):
        return compose("... and {:,} more: --show {}, or -o FILE", rest, total)


def untimed(column: str, language: Language = "en") -> Shown:
    """Return the note that no document has a readable time in `column`."""
    with speaking(language):
        return compose("note: no time can be read in the column {}: name another with --time-key, or sources follow from the texts alone",
                       column)  # fmt: skip
