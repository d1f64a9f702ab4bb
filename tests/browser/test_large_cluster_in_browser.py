"""Covers: a cluster of more than 24 documents: names in its graph that can be read, and the matrix of its media below its time line.

Compared against: rectangles of the names, and counts of the run's chains. Run: pytest tests/browser.
"""

import random

import pytest

import quchong as qc

WORDS = "航线 开航 图书馆 延长 时间 候鸟 湿地 高峰 地铁 通车 居民 票价 专家 建议 停车场 投资 工程 列车 制造 会议 讨论 教育 改革".split()
COPIES = 39


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The report of one article and its copies in six media, an hour after each other."""
    rng, folder = random.Random(2), tmp_path_factory.mktemp("large")
    text = "".join(rng.choice(WORDS) for _ in range(160))
    rows = [{"id": "a00", "title": "首发的一篇文章说的是新航线开航以后居民出行的变化", "text": text + "。",
             "source": "首发报", "time": "2026-03-01T00:00:00"}]  # fmt: skip
    for k in range(1, COPIES + 1):
        rows.append({"id": f"a{k:02}", "title": f"第{k}篇转载 Reprint number {k} of the article about the line",
                     "text": text[: 7 * k] + "某" + text[7 * k :] + "。", "source": f"转载网{k % 5}",
                     "time": f"2026-03-{1 + k // 24:02}T{k % 24:02}:00:00"})  # fmt: skip
    run = qc.dedup(rows, out=folder / "run", facts="remove", recall_sample=0)
    assert run.clusters.num_rows == COPIES + 1
    return run.report(folder / "page.html"), run


@pytest.mark.parametrize(
    ("language", "width", "dark"), [("en", 1300, False), ("zh", 1300, True), ("zh", 390, False), ("en", 390, True)]
)
def test_every_document_has_a_name_that_can_be_read(browser, page, language, width, dark):
    browser.open(page[0], width, 1000, dark)
    browser.choose("#language", language)
    browser.all(".views button")[1].click()
    boxes = browser.js(
        "const v = document.querySelector('svg.graph').viewBox.baseVal;"
        "return [...document.querySelectorAll('.graph .node text')].map((t) => { const b = t.getBBox();"
        "return [b.x - v.x, b.y - v.y, b.x + b.width - v.x, b.y + b.height - v.y, v.width, v.height] })"
    )
    assert len(boxes) == COPIES + 1
    for left, top, right, bottom, wide, high in boxes:
        assert left >= 0 and top >= 0 and right <= wide and bottom <= high
    for k, (left, top, right, bottom, *_) in enumerate(boxes):
        for other in boxes[k + 1 :]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] + 2 or other[3] <= top + 2
            assert apart, (k, boxes[k], other)
    assert browser.js("return getComputedStyle(document.querySelector('.graph .node text')).fontSize") == "14px"
    assert (
        browser.js(
            "const b = document.querySelector('svg.graph'); return 14 * b.getBoundingClientRect().width / b.viewBox.baseVal.width"
        )
        > 10
    )
    assert browser.js("return document.documentElement.scrollWidth <= innerWidth")
    browser.js("document.querySelector('svg.graph').scrollIntoView({ block: 'center' })")
    browser.shoot(f"large-graph-{language}-{width}")
    assert not browser.said()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_matrix_of_a_cluster_counts_its_reprints(browser, page, language):
    path, run = page
    browser.open(path, 1300, 1000)
    browser.choose("#language", language)
    browser.all(".views button")[2].click()
    cells = browser.js(
        "return [...document.querySelectorAll('#clusters .matrix .cell')].map((c) => c.firstChild.textContent)"
    )
    rows = {row["id"]: row for row in run.chains().to_pylist()}
    told = [
        row for row in rows.values() if row["source_id"] and row["certainty"] != "undecided" and row["role"] != "series"
    ]
    assert told and sum(map(int, cells)) == len(told)
    assert "首发报" in browser.text("#clusters .matrix")
    browser.js("document.querySelector('#clusters .matrix').scrollIntoView({ block: 'center' })")
    browser.shoot(f"cluster-matrix-{language}")
