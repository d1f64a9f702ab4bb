"""Text view of chains: the first document, and the source of each copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from quchong.languages import Language, speaking
from quchong.relations import BY_NAME, EQUAL
from quchong.report.visible import Shown, compose, named

Line = tuple[int, Shown]
"""A line of output: columns of indent, and the text, which may be wider than a terminal."""
DEEPEST = 6
"""Maximum number of indent steps."""
TITLE = 80

_BASES = {
    "time": ("the only one before it", "此前仅此一篇"),
    "changes": ("of {} before it the one it differs least from", "此前{}篇中差异最小"),
    "equal": ("of {} before it with one text the earliest", "此前{}篇文字相同，取最早一篇"),
    "text": ("times do not tell, so by the texts alone", "时间不足以判定，仅据文本推断"),
}


def chain_lines(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> Iterator[Line]:
    """Yield the lines of one chain: a heading, then some lines for each document, indented under its source.

    `rows` are the rows of CHAINS of this chain, in their order.

    Ids, titles and changes are escaped for a terminal (`quchong.report.visible`).
    """
    zh = language == "zh"
    count = len(rows) - 1
    yield 0, (
        compose("{} 及其后的{}篇文档", rows[0]["id"], count) if zh
        else compose("{}, and {:,} document{} after it", rows[0]["id"], count, Shown("s" if count > 1 else ""))
    )  # fmt: skip
    depth: dict[Any, int] = {}
    for row in rows:
        depth[row["id"]] = depth.get(row["source_id"], -1) + 1 if row["source_id"] is not None else 0
        indent = 2 + 2 * min(depth[row["id"]], DEEPEST)
        yield indent, _heading(row)
        for line in _told(row, zh):
            yield indent + 3, line


def _heading(row: Mapping[str, Any]) -> Shown:
    when = Shown(row["published"].strftime("  %Y-%m-%d %H:%M")) if row["published"] is not None else Shown("")
    who = compose("  {}", row["publisher"]) if row["publisher"] else Shown("")
    title = compose("  {}", named(row["title"], TITLE)) if row["title"] else Shown("")
    return compose("{}. {}{}{}{}", row["position"], row["id"], when, who, title)


def _told(row: Mapping[str, Any], zh: bool) -> Iterator[Shown]:
    """Yield lines about a document's origin: its role, source, basis and confidence, and what it changed."""
    if row["role"] in ("roundup", "digest"):
        yield _made_of(row, zh)
    if row["source_id"] is None:
        if row["role"] in ("roundup", "digest"):
            return
        yield _without_source(row, zh)
        return
    basis = Shown(_BASES[row["basis"]][zh].format(row["choices"]))
    with speaking("zh" if zh else "en"):
        relation = Shown(BY_NAME[row["relation"]].words.chain.told())
    shared, sure = 100 * row["shared"], 100 * row["confidence"]
    if zh:
        line = compose(
            "来自 {}（{}）：{}，{:.0f}%的内容见于来源；可信度{:.0f}%", row["source_id"], relation, basis, shared, sure
        )
    else:
        line = compose(
            "from {}, {}: {}; {:.0f}% of it is there; confidence {:.0f}%",
            row["source_id"],
            relation,
            basis,
            shared,
            sure,
        )
    if row["runner_up_id"] is not None and row["runner_up_confidence"] >= 0.005:
        other = 100 * row["runner_up_confidence"]
        line = Shown(
            line + compose("，其次 {}（{:.0f}%）" if zh else ", then {} ({:.0f}%)", row["runner_up_id"], other)
        )
    yield line
    if row["relation"] not in EQUAL:
        words = named(row["changed_zh" if zh else "changed"], 2000)
        yield compose("改动：{}" if zh else "changed: {}", words)


def _without_source(row: Mapping[str, Any], zh: bool) -> Shown:
    first = row["position"] == 1
    if zh:
        told = "首发" if first else "链内没有来源"
        return Shown(f"{told}（{_BASES['text'][1]}）" if row["basis"] == "text" else told)
    told = "published first" if first else "has no source in this chain"
    return Shown(f"{told} ({_BASES['text'][0]})" if row["basis"] == "text" else told)


def _made_of(row: Mapping[str, Any], zh: bool) -> Shown:
    parts = row["parts"]
    names = Shown(("、" if zh else ", ").join(named(one) for one in parts[:10]) + (" …" if len(parts) > 10 else ""))
    if row["role"] == "roundup":
        return (
            compose("综述，收入{}篇文章：{}", len(parts), names)
            if zh
            else compose("a roundup of {} articles: {}", len(parts), names)
        )
    return (
        compose("摘编，取自{}篇文章：{}", len(parts), names)
        if zh
        else compose("a digest of pieces of {} articles: {}", len(parts), names)
    )


def counted(rows: Sequence[Mapping[str, Any]], language: Language = "en") -> Shown:
    """Return one line with the numbers of chains, documents, roundups, digests and documents without a time."""
    documents = {r["id"]: r for r in rows}
    roles = [r["role"] for r in documents.values()]
    figures = {
        "chain": len({r["chain_id"] for r in rows}), "document": len(documents), "roundup": roles.count("roundup"),
        "digest": roles.count("digest"), "without a time": sum(r["published"] is None for r in documents.values()),
    }  # fmt: skip
    if language == "zh":
        return compose("{}条转载链，{}篇文档；综述{}篇，摘编{}篇；{}篇没有时间", *figures.values())
    told = [f"{n:,} {word}{'s' if n != 1 and word != 'without a time' else ''}" for word, n in figures.items()]
    return Shown(", ".join(told))


def not_listed(rest: int, total: int, language: Language = "en") -> Shown:
    """Return the line printed after a list that was cut short: how many chains are missing, and how to see them."""
    with speaking(language):
        return compose("... and {:,} more: --show {}, or -o FILE", rest, total)


def untimed(column: str, language: Language = "en") -> Shown:
    """Return the note that no document has a readable time in `column`."""
    with speaking(language):
        return compose("note: no time can be read in the column {}: name another with --time-key, or sources follow from the texts alone",
                       column)  # fmt: skip
