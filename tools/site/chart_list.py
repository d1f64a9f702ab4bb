"""Charts of the site: which tables of docs/results and benchmarks are drawn, and how."""

from __future__ import annotations

import html

from charts import Chart, drawn, rows_of
from pages import ROOT, Page, page_of, relative

RESULTS = "docs/results"
CHARTS = (
    Chart(
        "quality",
        f"{RESULTS}/systems.md",
        "| set | default, untuned |",
        ("F1 on six labelled sets, higher is better", "六个标注数据集上的 F1，越高越好"),
        (0,),
        (
            (2, 0, "the default, tuned", "默认方法，已调参"),
            (3, 0, "the same, variants removed", "同上，变体也删"),
            (4, 0, "best other method of quchong", "quchong 其他方法的最高值"),
            (5, 0, "best peer", "其他工具的最高值"),
        ),
    ),
    Chart(
        "quality-news",
        f"{RESULTS}/systems.md",
        "| system | setting |",
        ("Reprinted Chinese news: best F1 of each system, higher is better", "中文新闻转载：各系统的最高 F1，越高越好"),
        (0,),
        ((4, 0, "F1", "F1"),),
        after="\n## zh_news_reprints",
        most=40,
    ),
    Chart(
        "templates",
        f"{RESULTS}/decisions.md",
        "| tool | 3 records |",
        (
            "Records on one template, families of 2,000: wrong answers in percent, lower is better",
            "同一模板的记录，每族 2,000 条：出错比例（%），越低越好",
        ),
        (0,),
        ((4, 0, "own records removed", "误删的记录"), (4, 2, "copies left", "漏删的重复")),
        after="## Families of the half `report`",
    ),
    Chart(
        "speed-peers",
        "benchmarks/README.md",
        "| corpus | system | seconds |",
        ("Seconds for a corpus, less is better", "处理一个语料的秒数，越少越好"),
        (0, 1),
        ((2, 0, "seconds", "秒"),),
        log=True,
    ),
    Chart(
        "speed-jobs",
        "benchmarks/README.md",
        "| job | seconds | times ours |",
        ("A whole job from file to file, seconds", "从文件到文件的完整任务，秒"),
        (0,),
        ((1, 0, "seconds", "秒"),),
    ),
    Chart(
        "speed-methods",
        "benchmarks/README.md",
        "| method | documents a processor second |",
        ("Documents a processor second, by method", "各方法每处理器秒处理的文档数"),
        (0,),
        ((1, 0, "documents", "文档数"),),
    ),
    Chart(
        "speed-stages",
        f"{RESULTS}/speed.md",
        "| CPU seconds | read and fingerprint |",
        ("CPU seconds of detection, by stage", "查重各阶段的 CPU 秒数"),
        (0,),
        ((1, 0, "read and fingerprint", "读取和取指纹"), (2, 0, "candidates", "找候选对"), (3, 0, "verify", "核实")),
    ),
    Chart(
        "speed-costs",
        f"{RESULTS}/speed.md",
        "| share | zh_100k |",
        ("Where the time of detection goes, percent", "查重的时间花在哪里，%"),
        (0,),
        ((1, 0, "zh_100k", "zh_100k"), (2, 0, "zh_short_1m", "zh_short_1m")),
    ),
    Chart(
        "families",
        f"{RESULTS}/families.md",
        "| notices | CPU s |",
        ("Notices on one template: CPU seconds of a run", "同一模板的通知：一次运行的 CPU 秒数"),
        (0,),
        ((1, 0, "whole run", "整次运行"), (2, 0, "of it verify", "其中核实")),
        log=True,
    ),
    Chart(
        "memory",
        f"{RESULTS}/memory.md",
        "| shape | size |",
        (
            "Most private memory as a share of the budget of 500 MB; the line is the limit, 1.2",
            "私有内存峰值与 500 MB 预算之比；竖线是上限 1.2",
        ),
        (0, 1),
        ((5, 0, "share", "比值"),),
        most=40,
        line=1.2,
    ),
    Chart(
        "large-runs",
        f"{RESULTS}/large-runs.md",
        "| million posts | seconds |",
        ("Microseconds a post as a run grows, by millions of posts", "规模增大时每条帖子的微秒数，按百万条计"),
        (0,),
        ((2, 0, "by the clock", "时钟"), (3, 0, "of a processor", "处理器")),
    ),
    Chart(
        "index",
        f"{RESULTS}/index.md",
        "| system, 10,000 documents |",
        (
            "An index of 10,000 documents: milliseconds at the median, less is better",
            "一万篇文档的索引：中位数毫秒，越少越好",
        ),
        (0,),
        ((3, 0, "query, new document", "查询，新文档"), (4, 0, "query, copy", "查询，重复文档"), (5, 0, "add", "加入")),
        log=True,
    ),
    Chart(
        "index-growth",
        f"{RESULTS}/index.md",
        "| stream | documents a processor second",
        ("Streams made to hurt: milliseconds at the median", "特意刁难的数据流：中位数毫秒"),
        (0,),
        ((2, 0, "query", "查询"), (3, 0, "add", "加入")),
    ),
    Chart(
        "short-lists",
        f"{RESULTS}/short-lists.md",
        "| call | no copies: clock |",
        (
            "100 hits of a search, 200 characters each: milliseconds of a processor at the median",
            "100 条搜索结果，各 200 字：处理器毫秒中位数",
        ),
        (0,),
        ((2, 0, "no copies", "没有重复"), (4, 0, "40 of families", "40 条成族")),
        after="## The first 200 characters",
    ),
    Chart(
        "service",
        f"{RESULTS}/service.md",
        "| | requests/s |",
        ("A service: requests a second", "查重服务：每秒请求数"),
        (0,),
        ((1, 0, "requests a second", "每秒请求数"),),
    ),
)
"""All charts, in the order of the page of charts."""
INTRODUCTION = {
    "en": "# How good, how fast: charts\n\nEach chart is drawn from the table that its link leads to; that page says how it was "
    "measured and by which command. `make site` draws them anew.\n",
    "zh": "# 效果与速度：图表\n\n每张图都由链接所指的表格画成，表格所在的页面（英文）写明怎样测量、用什么命令。`make site` 会重新绘制。\n",
}


def figure(chart: Chart, language: str, caption: bool = False) -> str:
    """Return a chart as HTML, with its title below it if `caption`."""
    column = ("en", "zh").index(language)
    rows = rows_of(chart, (ROOT / chart.source).read_text("utf-8"))
    below = f"<figcaption>{html.escape(chart.titles[column])}</figcaption>" if caption else ""
    return f'<figure class="chart" tabindex="0">{drawn(chart, rows, column)}{below}</figure>'


def chart_pages() -> dict[Page, str]:
    """Return the page of charts in both languages."""
    pages = {}
    for language in ("en", "zh"):
        page = Page(language, "charts")
        parts = [INTRODUCTION[language]]
        for chart in CHARTS:
            target = page_of(chart.source)
            words = chart.titles[("en", "zh").index(language)]
            where = {"en": "The table and how it was measured", "zh": "表格和测量方法"}[language]
            link = (
                f"[{where}](/{target.address}.md)" if language == "en"
                else f'<a class="reference external" href="{relative(page, target.path)}" hreflang="en">{where}</a>'
            )  # fmt: skip
            parts.append(f"## {words}\n\n{figure(chart, language)}\n\n{link}\n")
        pages[page] = "\n".join(parts)
    return pages


def with_charts(markdown: str, source: str) -> str:
    """Return a page of measurements with its charts below their tables."""
    for chart in CHARTS:
        if chart.source != source:
            continue
        begin = markdown.index(chart.after) if chart.after else 0
        at = markdown.index(f"\n{chart.head}", begin) + 1
        end = at + table_length(markdown[at:])
        markdown = f"{markdown[:end]}\n{figure(chart, 'en', caption=True)}\n\n{markdown[end:]}"
    return markdown


def table_length(text: str) -> int:
    """Return the number of characters of the table at the beginning of a text."""
    length = 0
    for line in text.splitlines(keepends=True):
        if not line.startswith("|"):
            break
        length += len(line)
    return length
