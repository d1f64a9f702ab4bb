"""Live pages: the report of the sample, what a terminal shows for the commands of the README, and the links to both on the home page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from pages import LANGUAGES, ROOT, Page

import quchong as qc

README = {"en": "README.md", "zh": "README.zh-CN.md"}
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
MOST_LINES = 40
WORDS = {
    "en": {
        "live": "# A report, live\n\nThis is the report that `quchong report` writes of the sample of 104 news items: one file, no "
        "server, nothing loaded. Move the slider, open a cluster, look at two texts side by side. "
        "[Open it by itself](../files/report-en.html).\n\n",
        "frame": "Report of the sample of news",
        "record": "# A first session in a terminal\n\nThe commands of the README, run when this site was built, and what they "
        "print.\n\n",
        "home": "[Try the report of the sample](/live.md) · [A first session in a terminal](/recording.md) · "
        "[Python interface](/api/overview.md) · [Charts](/charts.md)\n\n",
    },
    "zh": {
        "live": "# 报告实例\n\n这是 `quchong report` 为 104 篇新闻样例写出的报告：只有一个文件，不需要服务器，"
        "不加载任何外部内容。可以拖动滑块，展开重复簇，左右对照两篇文本。[单独打开](../files/report-zh.html)。\n\n",
        "frame": "新闻样例的报告",
        "record": "# 终端实录\n\nREADME 里的命令，在生成本站时实际运行，输出如下。\n\n",
        "home": "[打开样例的报告](/live.md) · [终端实录](/recording.md) · "
        '<a class="reference external" href="../en/api/overview.html" hreflang="en">Python 接口</a> · '
        "[图表](/charts.md)\n\n",
    },
}
"""Texts of the pages; links to files are HTML once the page is written."""


def write_reports(folder: Path) -> None:
    """Write the report of the sample in both languages, `report-en.html` and `report-zh.html`."""
    folder.mkdir(parents=True, exist_ok=True)
    result = qc.dedup(ROOT / "examples" / "news.jsonl")
    for language in LANGUAGES:
        result.report(folder / f"report-{language}.html", lang=language, overwrite=True)


def session(language: str, most: int | None = None) -> str:
    """Run the commands in the `console` blocks of the README, `most` of them at most, and return them with what they print.

    Raises:
        subprocess.CalledProcessError: a command fails.
    """
    blocks = CONSOLE.findall((ROOT / README[language]).read_text("utf-8"))
    commands = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ quchong ")][:most]
    lines = []
    with TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "examples", Path(folder) / "examples")
        program = Path(folder, ".bin", "quchong")
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m quchong "$@"\n', "utf-8")
        program.chmod(0o755)
        path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
        environment = os.environ | {"PATH": path, "QUCHONG_LANG": language, "COLUMNS": "100", "NO_COLOR": "1"}
        for command in commands:
            done = subprocess.run(
                command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=True
            )
            printed = (done.stdout + done.stderr).rstrip().splitlines()
            more = [] if len(printed) <= MOST_LINES else ["..."]
            lines += [f"$ {command}", *printed[:MOST_LINES], *more]
    return "\n".join(lines)


def live_pages(commands: int | None = None) -> dict[Page, str]:
    """Return the page of the report and the session in a terminal, of `commands` commands at most, in both languages."""
    pages = {}
    for language in LANGUAGES:
        words = WORDS[language]
        frame = (
            f'<iframe class="live-report" src="../files/report-{language}.html" title="{words["frame"]}"></iframe>\n'
        )
        live = re.sub(
            r"\[([^\]]+)\]\((\.\./files/[^)]+)\)", r'<a class="reference external" href="\2">\1</a>', words["live"]
        )
        pages[Page(language, "live")] = live + frame
        pages[Page(language, "recording")] = f"{words['record']}```console\n{session(language, commands)}\n```\n"
    return pages


def with_live_links(markdown: str, language: str) -> str:
    """Return the home page with links to the live pages before its first section."""
    begin, heading, rest = markdown.partition("\n## ")
    return f"{begin}\n{WORDS[language]['home']}{heading}{rest}" if heading else f"{markdown}\n{WORDS[language]['home']}"
