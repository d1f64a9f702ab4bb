"""Fills the made parts of docs/methods: facts and parameters of every method, presets, measured figures, the index; and in the guide on
indexes of documents which methods these have.

    python tools/method_pages.py            writes what has changed
    python tools/method_pages.py --check    writes nothing, and fails if a page is not up to date

A made part stands between `<!-- made: NAME -->` and `<!-- end -->`; all else on a page is written by hand. Parameters and
their meanings come from the fields of the methods, figures from tests/quality/baseline.json, seconds and memory from
docs/results/systems.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from quchong.candidates.arrivals import can_arrive
from quchong.cli.methods import PRESET_METHODS, parameter_rows, preset_rows
from quchong.plan.catalogue import METHODS
from quchong.seam import HammingJoin, KeyJoin, Search, SetJoin, engines_of

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "methods"
GUIDES = tuple(ROOT / "docs" / "guide" / name for name in ("index.md", "index.zh-CN.md"))
PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
KEY = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)? (?:19|20)\d\d[a-z]?\b")

SYSTEMS = ROOT / "docs" / "results" / "systems.md"
TIMED = (("zh_news_reprints", "Chinese news items"), ("en_reuters", "English ones"))
"""Sets of docs/results/systems.md whose seconds and memory a page tells, and what their documents are."""
MEASURED = (
    ("reprinted news: pairs above the thresholds found", "zh_news_reprints", "found_share"),
    ("the same: template siblings merged, of 9 read", "zh_news_reprints", "read_template_merged"),
    ("the same: partly equal pairs merged, of 28 read", "zh_news_reprints", "read_partial_merged"),
    ("manual pages in both scripts: paired", "zh_man_simp_trad", "paired_share"),
    ("clean TV news, 5,645 items: removed as duplicates", "zh_news_xwlb", "removed_as_duplicates"),
    ("Weibo posts: pairs above the thresholds found", "zh_weibo_ced", "found_share"),
    ("Reuters: pairs above the thresholds found", "en_reuters", "found_share"),
    ("English news events: pairs of two events accepted", "en_news_events", "accepted_across_events"),
)


def row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([row(*head), "|" + "---|" * len(head), *(row(*cells) for cells in rows)])


def sources(paper: str) -> str:
    """The source of a method, each paper a link into docs/papers.md."""
    return KEY.sub(lambda m: f"[{m[0]}](../papers.md#{m[0].lower().replace(' ', '-')})", paper)


def facts(name: str, kind: type[Any]) -> str:
    t = kind.traits
    where = "one machine, Spark" if "spark" in engines_of(kind()) else "one machine"
    rows = [("finds", ", ".join(t.finds)), ("cost", t.cost), ("runs on", where)]
    return table(("", ""), rows)


def parameters(name: str, kind: type[Any]) -> str:
    rows = [(f"`{p}`", f"`{default}`", values, meaning) for p, default, values, meaning in parameter_rows(kind)]
    return table(("parameter", "default", "values", "meaning"), rows)


def presets() -> str:
    head, *rows = preset_rows()
    return table(head, rows)


def measured() -> str:
    """Figures of the default method that tests hold to a floor."""
    figures = json.loads((ROOT / "tests" / "quality" / "baseline.json").read_text("utf-8"))["figures"]
    found = [(what, figure, figures[data][figure]["measured"]) for what, data, figure in MEASURED]
    rows = [(what, f"{value:.1%}" if figure.endswith("_share") else str(value)) for what, figure, value in found]
    return table(("what", "figure"), rows)


def costs(name: str) -> str:
    """Seconds and memory of a method, as docs/results/systems.md has them."""
    sections = dict(re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", SYSTEMS.read_text("utf-8"), re.MULTILINE | re.DOTALL))
    told = []
    for where, what in TIMED:
        text = sections[where]
        head, *rows = ([c.strip() for c in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|")
        cells = next(dict(zip(head, r, strict=True)) for r in rows if re.sub(r" [*†‡]$", "", r[0]) == name)
        took = f"{cells['seconds']} s and {cells['MB']} MB"
        if cells["seconds"] == "-":
            took = f"not told ({cells['setting']})"
        told.append(f"{text.split()[0]} {what} {took}")
    return f"Seconds of the processor and memory, at its best thresholds ([all systems](../results/systems.md)): {'; '.join(told)}."


def index() -> str:
    rows = [
        (f"[`{name}`]({name}.md)", kind.traits.title, ", ".join(kind.traits.finds), sources(kind.traits.paper))
        for name, kind in METHODS.items()
    ]
    return table(("method", "what it looks at", "finds", "source"), rows)


WHY_NOT = {
    "spotsigs": (
        "the method partitions all documents by their number of signatures, and prunes by the lists of the whole corpus",
        "要按签名数把全部文档分区，并按整个语料的列表剪枝",
    ),
    "codet": (
        "a pair is found from the tree with less weight, whichever document came first",
        "一对文档总由较轻的那棵树去查，与先后无关",
    ),
    "lsh-forest": (
        "the method takes the nearest of all documents, so a later document would displace an earlier one",
        "取全部文档中最近的几篇，后来的会把先前的挤掉",
    ),
    "cluster": (
        "the clusters of the method depend on all earlier documents, including deleted ones",
        "比较的对象是此前全部文档（包括已删的）形成的簇",
    ),
    "yap3": (
        "the method searches for Chinese characters and for words separately, but has one limit for both searches together",
        "汉字和单词分两次查，两次共用一个上限",
    ),
    "koala": (
        "the substrings stored for a document are not those used to search for it",
        "存下来的片段和拿去查的片段不是同一批",
    ),
    "dscam": (
        "the summary of all documents of a site decides whether the site is searched",
        "先看各网站全部文档的摘要，再决定去哪里查",
    ),
}
"""Why an index does not have a method, in English and in Chinese; only of methods that it does not have."""
FOUND_BY = {
    KeyJoin: ("keys", "键"), SetJoin: ("values of sets", "集合元素"), HammingJoin: ("near signatures", "相近的签名"),
    Search: ("titles, else keywords", "标题，其次关键词"),
}  # fmt: skip
"""How an index finds the candidates of a method, in English and in Chinese."""


def indexed(language: int) -> str:
    """Which methods an index has, by which candidates, and what it has to count first; of the others why not. 0 English, 1 Chinese."""
    rows = []
    for name, kind in METHODS.items():
        join = kind().candidates
        offered = can_arrive(join)
        counts = join.statistics is not None and join.statistics.count is not None
        how = FOUND_BY[type(join)][language] if offered else WHY_NOT[name][language]
        first = (("statistics", "统计量") if counts and offered else ("", ""))[language]
        yes = (("yes", "no"), ("有", "无"))[language][not offered]
        rows.append((f"[`{name}`](../methods/{name}.md)", yes, how, first))
    heads = (
        ("method", "in an index", "found by; or why not", "counted first"),
        ("方法", "索引", "怎样查；或为什么没有", "须先统计"),
    )
    return table(heads[language], rows)


def filled(path: Path) -> str:
    """The page with its made parts as they should be.

    Raises:
        KeyError: a part with a name that does not exist.
    """
    name = path.stem
    parts = {"index": index, "presets": presets, "measured": measured}
    parts |= {"indexed": lambda: indexed(0), "indexed_zh": lambda: indexed(1)}
    if name in METHODS:
        kind = METHODS[name]
        parts |= {"facts": lambda: facts(name, kind), "parameters": lambda: parameters(name, kind)}
        parts["costs"] = lambda: costs(name)
        parts["source"] = lambda: f"{sources(kind.traits.paper)}."
        if name not in PRESET_METHODS:
            del parts["presets"]
    return PART.sub(lambda m: f"{m[1]}{parts[m[2]]()}\n{m[3]}", path.read_text("utf-8"))


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("--check", action="store_true", help="write nothing, fail if a page is not up to date")
    check = arguments.parse_args().check
    stale = [path for path in (*sorted(PAGES.glob("*.md")), *GUIDES) if filled(path) != path.read_text("utf-8")]
    for path in stale:
        print(path.relative_to(ROOT))
        if not check:
            path.write_text(filled(path), "utf-8")
    sys.exit(bool(stale) if check else 0)


if __name__ == "__main__":
    main()
