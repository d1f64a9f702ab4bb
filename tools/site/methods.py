"""Pages of methods: pictures for the English ones, and whole pages in Chinese from the catalogue, the examples and the sources."""

from __future__ import annotations

import re

from examples import retold_example
from pages import ROOT, Page
from pictures import picture

from quchong.cli.methods import PRESET_METHODS, parameter_rows, preset_rows
from quchong.languages import Language, Message, page_word, speaking
from quchong.plan.catalogue import METHODS
from quchong.relations import relation_told
from quchong.seam import engines_of

PAGES = ROOT / "docs" / "methods"
COST = re.compile(r": ([\d,]+) Chinese news items (.+?); ([\d,]+) English ones (.+)\.$", re.MULTILINE)
TAKEN = re.compile(r"([\d.,]+) s and ([\d.,]+) MB")
HEADING = {"en": "## What it sees", "zh": "## 方法看到什么"}


def with_picture(markdown: str, name: str) -> str:
    """Return an English page of a method with its picture before the example."""
    return markdown.replace("## Example\n", f"{figure(name, 'en')}\n## Example\n", 1)


def figure(name: str, language: Language) -> str:
    """Return the section with the picture of a method."""
    drawn, sentence = picture(name, language)
    return f'{HEADING[language]}\n\n<figure class="method-picture" tabindex="0">{drawn}</figure>\n\n{sentence}\n'


def chinese_page(name: str) -> str:
    """Return the page of a method in Chinese. Its prose is in English alone: the page leads there."""
    kind = METHODS[name]
    markdown = (PAGES / f"{name}.md").read_text("utf-8")
    with speaking("zh"):
        where = "单机、Spark" if "spark" in engines_of(kind()) else "单机"
        parts = [
            f"# {name}",
            f"{_told(Message(kind.traits.title))}。",
            _table(
                ("", ""),
                [
                    ("找出", _relations(kind.traits.finds)),
                    ("代价", _told(Message(kind.traits.cost))),
                    ("运行于", where),
                ],
            ),
            f"判定规则、保证、代价和与论文的出入，见[英文页](../../en/methods/{name}.html)。",
            "## 参数",
            _table(
                ("参数", "默认值", "取值", "含义"),
                [(f"`{p}`", f"`{_told(d)}`", _told(v), _told(m)) for p, d, v, m in parameter_rows(kind)],
            ),
        ]
        if name in PRESET_METHODS:
            head, *rows = [[_told(cell) for cell in row] for row in preset_rows()]
            parts += ["## 预设阈值", _table(head, rows)]
        if cost := COST.search(markdown):
            parts.append(
                f"在最佳阈值下（[全部系统](../../en/results/systems.html)），{cost[1]} 篇中文新闻：{_taken(cost[2])}；"
                f"{cost[3]} 篇英文新闻：{_taken(cost[4])}。"
            )
        parts.append(figure(name, "zh"))
        example = re.search(r"^## Example\n(.*?)(?=^## )", markdown, re.MULTILINE | re.DOTALL)
        if example is None:
            raise ValueError(f"docs/methods/{name}.md has no example")
        blocks = re.findall(r"```python\n(.*?)```", example[1], re.DOTALL)
        parts.append("## 例子")
        parts += [f"```python\n{retold_example(block, 'zh')}```" for block in blocks]
        parts += ["## 出处", f"{sources(kind.traits.paper)}。"]
    return _english_marked("\n\n".join(parts) + "\n")


def sources(paper: str) -> str:
    """Return the source of a method, each paper as a link to the English page of papers."""
    key = re.compile(r"\b[A-Z][a-z]+(?:-[A-Z][a-z]+)? (?:19|20)\d\d[a-z]?\b")
    return key.sub(lambda m: f"[{m[0]}](../../en/papers.html#{m[0].lower().replace(' ', '-')})", _told(Message(paper)))


def overview() -> str:
    """Return the list of all methods in Chinese."""
    with speaking("zh"):
        rows = [
            (
                f"[`{name}`](/methods/{name}.md)",
                _told(Message(kind.traits.title)),
                _relations(kind.traits.finds),
                sources(kind.traits.paper),
            )
            for name, kind in METHODS.items()
        ]
    lines = [
        "# 方法",
        f"共 {len(METHODS)} 种。每页列出参数、算例和出处，并画出方法在两篇短文里看到什么。`quchong methods 名称` 输出同样的参数。",
        "**选哪一种？** 先用默认的 [`hybrid`](/methods/hybrid.md)。帖子和消息用 [`short-text`](/methods/short-text.md)，"
        "整页中文网页用 [`ccdet`](/methods/ccdet.md)；"
        "只要近似重复、召回率自己定，用 [`minhash`](/methods/minhash.md)；"
        "只要完全重复，用 [`exact`](/methods/exact.md)；"
        "一对都不能漏，用 [`ppjoin`](/methods/ppjoin.md)。其余用来对比。",
        _table(("方法", "看什么", "找出", "出处"), rows),
    ]
    return _english_marked("\n\n".join(lines) + "\n")


def chinese_pages() -> dict[Page, str]:
    """Return the list and the pages of all methods in Chinese."""
    return {Page("zh", "methods/overview"): overview()} | {
        Page("zh", f"methods/{name}"): chinese_page(name) for name in METHODS
    }


def _told(words: str) -> str:
    """Return a message in Chinese; other words, as values of parameters, as they are."""
    return words.translation() if isinstance(words, Message) else words


def _relations(names: tuple[str, ...]) -> str:
    return "、".join(f"{page_word('zh', relation_told(name))}" for name in names)


def _taken(words: str) -> str:
    found = TAKEN.fullmatch(words)
    return f"{found[1]} 秒、{found[2]} MB" if found else "没有数据"


def _table(head: object, rows: object) -> str:
    lines = [head, *rows]  # type: ignore[misc]
    cells = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines]
    return "\n".join([cells[0], "|" + "---|" * len(lines[0]), *cells[1:]])


def _english_marked(markdown: str) -> str:
    """Return the page with its links into the English pages as HTML, which Sphinx leaves alone."""
    return re.sub(
        r"\[([^\]]+)\]\((\.\./\.\./en/[^)]+)\)",
        r'<a class="reference external" href="\2" hreflang="en">\1</a>',
        markdown,
    )
