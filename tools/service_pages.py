"""Fills the made parts of the guide on the service: its addresses, its problems and its metrics, in both languages.

    python tools/service_pages.py            writes what has changed
    python tools/service_pages.py --check    writes nothing, and fails if a page is not up to date

A made part stands between `<!-- made: NAME -->` and `<!-- end -->`; all else on a page is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from method_pages import PART, table

from quchong.languages import LANGUAGES, Language, speaking
from quchong.serve.addresses import ADDRESSES, Address
from quchong.serve.metrics import Metrics
from quchong.serve.problems import TYPES

ROOT = Path(__file__).parents[1]
PAGES: dict[Language, Path] = {
    "en": ROOT / "docs" / "guide" / "service.md",
    "zh": ROOT / "docs" / "guide" / "service.zh-CN.md",
}
EVERYBODY = {"en": "everybody", "zh": "所有人"}
METRICS = {
    "quchong_requests": "已回答的请求数",
    "quchong_request_seconds": "从请求头到回答结束的秒数，直方图",
    "quchong_documents": "已回答的文档数，按操作和结果分：新、见过、删除、不可用、重发",
    "quchong_relations": "查出的关系，按最好的一篇匹配计",
    "quchong_waiting_documents": "正在等待回答的文档数",
    "quchong_waiting_bytes": "内存中请求体的字节数",
    "quchong_index_documents": "索引中的文档数",
    "quchong_index_kept_documents": "索引中保留的文档数",
    "quchong_index_bytes": "索引在磁盘上的大小",
    "quchong_index_drift": "最新文档中冻结的统计量没见过的比例",
}
"""Chinese of the metrics, whose own words are English only, as Prometheus shows them."""


def addresses(language: Language) -> str:
    """The table of addresses: how each is called, who may, what it takes and what it does."""
    heads = {"en": ("call", "role", "body", "does"), "zh": ("调用", "角色", "请求体", "作用")}
    with speaking(language):
        rows = [
            (called(one), f"`{one.role}`" if one.role else EVERYBODY[language], ", ".join(f"`{kind}`" for kind in one.body),
             one.words.translation())
            for one in ADDRESSES
        ]  # fmt: skip
        parameters = {each.name: each.words.translation() for one in ADDRESSES for each in one.parameters}
    told = {"en": ("parameter", "means"), "zh": ("参数", "含义")}
    return "\n\n".join([
        table(heads[language], rows),
        table(told[language], [(f"`{name}`", words) for name, words in parameters.items()]),
    ])  # fmt: skip


def called(one: Address) -> str:
    query = "".join(f"{'&' if k else '?'}{each.name}" for k, each in enumerate(one.parameters))
    return f"`{one.method} {one.path}{query}`"


def problems(language: Language) -> str:
    """The table of problems: status, type, title."""
    kind = "`type`: `urn:quchong:problem:`…"
    heads = {"en": ("status", kind, "title"), "zh": ("状态码", kind, "标题")}
    with speaking(language):
        rows = [(str(status), f"`{name}`", title.translation()) for name, (status, title) in TYPES.items()]
    return table(heads[language], rows)


def metrics(language: Language) -> str:
    """The table of metrics: name, labels, meaning."""
    heads = {"en": ("metric", "labels", "meaning"), "zh": ("指标", "标签", "含义")}
    rows = []
    for one in Metrics().registry.collect():
        kind = one.type == "counter"
        labels = getattr(_labelled(one.name), "_labelnames", ())
        words = one.documentation if language == "en" else METRICS[one.name]
        rows.append((f"`{one.name}{'_total' if kind else ''}`", ", ".join(f"`{label}`" for label in labels), words))
    return table(heads[language], rows)


def _labelled(name: str) -> object:
    return Metrics().registry._names_to_collectors[name]


def filled(language: Language) -> str:
    """The page of a language with its made parts as they should be.

    Raises:
        KeyError: a part with a name that does not exist, or a metric without Chinese.
    """
    made = {"addresses": addresses, "problems": problems, "metrics": metrics}
    text = PAGES[language].read_text("utf-8")
    return PART.sub(lambda m: f"{m[1]}{made[re.sub('_zh$', '', m[2])](language)}\n{m[3]}", text)


def main() -> None:
    """Writes the pages that are not up to date, or names them."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("--check", action="store_true", help="write nothing, fail if a page is not up to date")
    check = arguments.parse_args().check
    stale = {
        language: text for language in LANGUAGES if (text := filled(language)) != PAGES[language].read_text("utf-8")
    }
    for language, text in stale.items():
        print(PAGES[language].relative_to(ROOT))
        if not check:
            PAGES[language].write_text(text, "utf-8")
    sys.exit(bool(stale) if check else 0)


if __name__ == "__main__":
    main()
