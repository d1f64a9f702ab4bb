"""Covers: how pages become sources of the site: addresses, links, lines of Chinese paragraphs, docstrings, terms of the search, rows of charts.

Compared against: examples written here. Run: pytest tests/site/test_site_sources.py.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the site needs the group site: pip install --group site")
TOOL = Path(__file__).parents[2] / "tools" / "site"


def run(code, value):
    """What lines of Python over the modules of the tool print for a value `v`, in a process of their own: the names of the modules are short."""
    code = f"import json, sys; sys.path.insert(0, {str(TOOL)!r}); v = json.loads(sys.argv[1])\n{code}"
    done = subprocess.run([sys.executable, "-c", code, json.dumps(value)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_addresses_of_pages():
    sources = [
        "docs/guide/review.zh-CN.md",
        "docs/methods/README.md",
        "docs/results/index.md",
        "CHANGELOG.md",
        "benchmarks/README.md",
        "docs/index.md",
    ]
    code = "from pages import page_of\nprint(json.dumps([page_of(s).path for s in v]))"
    assert run(code, sources) == [
        "zh/guide/review.html", "en/methods/overview.html", "en/results/index.html", "en/changelog.html", "en/benchmarks.html", "en/index.html",
    ]  # fmt: skip


LINKED = "from links import Links\nfrom pages import Sources, page_of\nlinks = Links(Sources())\nprint(json.dumps([[links.rewritten(text, s, page_of(s)) for s, text in v], sorted(links.files)]))"


def test_links_become_those_of_the_site():
    pages = [
        (
            "docs/guide/dedup.md",
            "See [methods](../methods/README.md#rule) and `[no](link.md)`, [web](https://a.example/b.md).",
        ),
        ("docs/guide/review.zh-CN.md", "见[报告](report.zh-CN.md)、[论文](../papers.md#broder-1997a)。"),
        ("docs/guide/review.zh-CN.md", "# 复核\n\nEnglish: [The review desk](review.md)\n\n正文"),
        (
            "docs/results/README.md",
            "[figures](../../tests/quality/baseline.json) in [deploy](../../deploy)\n\n```\n[a](b.md)\n```\n",
        ),
        ("docs/guide/dedup.md", "[home](../../README.zh-CN.md)"),
        ("docs/guide/dedup.md", "[install](../../README.md#install)"),
    ]
    texts, files = run(LINKED, pages)
    assert texts == [
        "See [methods](/methods/overview.md#rule) and `[no](link.md)`, [web](https://a.example/b.md).",
        '见[报告](/guide/report.md)、<a class="reference external" href="../../en/papers.html#broder-1997a" hreflang="en">论文</a>。',
        "# 复核\n\n\n正文",
        '<a class="reference external" href="../../files/tests/quality/baseline.json">figures</a> in deploy\n\n```\n[a](b.md)\n```\n',
        '<a class="reference external" href="../../zh/index.html" hreflang="zh">home</a>',
        "[install](/index.md)",
    ]
    assert files == ["tests/quality/baseline.json"]


GIVEN = """from pathlib import Path
from links import Links
from pages import Sources, page_of
links = Links(Sources(root=Path(v[0])))
print(json.dumps([links.rewritten(text, s, page_of(s)) for s, text in v[1]]))
"""


def test_anchors_given_by_hand_are_led_to_as_they_are(tmp_path):
    for name in (
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "benchmarks/README.md",
        "docs/guide/a.md",
        "docs/guide/b.zh-CN.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n", "utf-8")
    text = '# 页\n\n<a id="large-runs"></a>\n\n## 数据量大时\n\n见[大](#large-runs)、[页](#页)。'
    (tmp_path / "docs/guide/a.zh-CN.md").write_text(text, "utf-8")
    pages = [
        ["docs/guide/a.zh-CN.md", text],
        ["docs/guide/b.zh-CN.md", "[大](a.zh-CN.md#large-runs)和[头](a.zh-CN.md#页)"],
    ]
    own, other = run(GIVEN, [str(tmp_path), pages])
    assert (
        own.endswith('见<a class="reference external" href="#large-runs">大</a>、[页](#页)。')
        and '<a id="large-runs"></a>' in own
    )
    assert other == '<a class="reference external" href="a.html#large-runs">大</a>和[头](/guide/a.md#页)'


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [("都有记录。\n中文不用设", "都有记录。中文不用设"), ("见下文：\n`add` 打印", "见下文：`add` 打印"), ("一行\n- 列表", "一行\n- 列表"), ("# 标题\n正文", "# 标题\n正文"),
     ("| 表 |\n|---|\n| 格 |", "| 表 |\n|---|\n| 格 |"), ("```\n第一行\n第二行\n```", "```\n第一行\n第二行\n```"), ("中文\nEnglish", "中文\nEnglish"), ("如下：\n1. 先", "如下：\n1. 先"),
     ("- 一项，\n  续行", "- 一项，续行"), ("段落。\n\n段落", "段落。\n\n段落"), ("如下：\n```sh\nls\n```", "如下：\n```sh\nls\n```"), ("如下：\n**粗体**", "如下：**粗体**"),
     ("如下：\n* 一项", "如下：\n* 一项")],
)  # fmt: skip
def test_lines_of_a_chinese_paragraph_are_joined(lines, wanted):
    assert run("from links import joined\nprint(json.dumps(joined(v)))", lines) == wanted


def test_docstrings_mark_nothing_but_code():
    lines = [
        "Return `a*b` of **parameters and quchong_ columns.", "", "Args:", "    one, two,", "    **rest: numbers | None.", "",
        ">>> 2 ** 3  # stays", "8", "",
    ]  # fmt: skip
    assert run("from docstrings import as_markup\nprint(json.dumps(as_markup(v)))", lines) == [
        r"Return `a*b` of \*\*parameters and quchong\_ columns.", "", "Args:", r"    one, two, \*\*rest: numbers \| None.", "",
        ">>> 2 ** 3  # stays", "8", "",
    ]  # fmt: skip


def test_terms_of_a_text():
    found = run("from search import terms\nprint(json.dumps(terms(v)))", "近似重复 num_perm，MinHash签名")
    assert found == ["近", "似", "重", "复", "近似", "似重", "重复", "num_perm", "MinHash", "签", "名", "签名"]


CHART = """from charts import Chart, alternative, drawn, rows_of
chart = Chart("c", "page.md", "| a | b", ("Title", "标题"), (0,), ((1, 0, "x", "x"), (1, 1, "y", "y")), after=v[1])
rows = rows_of(chart, v[0])
print(json.dumps([[r.name, r.values] for r in rows] + [alternative(chart, rows, 0), drawn(chart, rows, 0).count("<rect")]))
"""


def test_rows_of_a_chart():
    page = "\n| a | b |\n|---|---|\n| never | 9 |\n\n## There\n| a | b |\n|---|---|\n| `one` | **1,200** / 3.5 |\n| two | - |\n| [three](x.md) | .25 |\n"
    assert run(CHART, [page, "## There"]) == [
        ["one", [1200.0, 3.5]], ["three", [0.25, None]], "Title: one: x 1,200, y 3.5; three: x 0.25", 5,
    ]  # fmt: skip


def test_a_chart_without_its_table_is_an_error():
    done = subprocess.run(
        [sys.executable, "-c", f"import json, sys; sys.path.insert(0, {str(TOOL)!r}); v = ['no table', '']\n{CHART}"], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode and "page.md has no table" in done.stderr


def test_a_picture_of_the_repository_is_a_picture_of_the_page():
    texts, files = run(LINKED, [("docs/index.zh-CN.md", "![两篇“对照”](images/report.zh-CN.png)")])
    assert texts == ['<img src="../files/docs/images/report.zh-CN.png" alt="两篇“对照”">']
    assert files == ["docs/images/report.zh-CN.png"]
