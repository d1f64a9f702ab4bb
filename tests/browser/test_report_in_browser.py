"""Covers: the report page in a real browser: slider, clusters, search, pairs, language, hostile text, many pairs, accessibility.

Compared against: `Result.rethreshold`, the tables of the run, `quchong.report.visible`. Run: pytest tests/browser.
"""

import json
import unicodedata
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from matrices import some_of

import quchong as qc
from quchong.report.visible import UNSAFE

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("quiet")


def test_the_page_says_what_the_run_found(browser, page, run):
    browser.open(page)
    said = browser.text("#overview")
    assert "45 of 104 documents removed (43.3%), 59 kept" in said
    for relation, n in (("duplicate", 19), ("exact", 16), ("contained in", 10)):
        assert f"{relation} {n}" in said
    assert len(browser.all("canvas")) == 6
    assert browser.js("return document.documentElement.lang") == "en"
    browser.shoot("overview-en")


@pytest.mark.parametrize("share", some_of([0.0, 0.5, 1.0, 0.3, 0.8], 3))
def test_the_slider_tells_what_rethreshold_gives(browser, page, run, share):
    browser.open(page)
    values = browser.js("return quchong.model.thresholds.values")
    step = round(share * (len(values) - 1))
    browser.slide(step)
    again = run.rethreshold(values[step])
    said = browser.text(".result")
    assert f"{again.counts['removed']} removed, {again.counts['kept']} kept" in said
    before, after = (set(one.ledger["id"].to_pylist()) for one in (run, again))
    if before == after:
        assert "The same documents are removed" in said
    else:
        for word, n in (("more removed", len(after - before)), ("restored", len(before - after))):
            assert (f"{n} {word}" in said) if n else (word not in said)
    for doc in sorted(after - before)[:20]:
        assert doc in said
    assert browser.text("#slider-value") == f"{values[step]:g}"
    browser.find(".slider button").click()
    assert "As in the run: 45 of 104" in browser.text(".result")


def test_both_sliders_begin_at_the_values_of_the_run(browser, page):
    """Where many steps change nothing, the first of them is not that of the run."""
    browser.open(page)
    thumbs = browser.js(
        "return [...document.querySelectorAll('input[type=range]')].map((s) => Number(s.value) / (Number(s.max) - Number(s.min)))"
    )
    marks = browser.js(
        "return [...document.querySelectorAll('.run-mark')].map((m) => { const r = m.getBoundingClientRect(),"
        " s = m.closest('.slider').querySelector('input').getBoundingClientRect();"
        " return [(r.left - s.left) / s.width, (r.right - s.left) / s.width] })"
    )
    assert len(thumbs) == len(marks) == 2
    for thumb, (low, high) in zip(thumbs, marks, strict=True):
        assert low - 0.05 <= thumb <= high + 0.05, (thumbs, marks)


def test_the_slider_is_moved_by_keys(browser, page):
    browser.open(page)
    before = browser.js("return Number(document.getElementById('slider').value)")
    browser.find("#slider").send_keys("\ue014\ue014")  # right, right
    assert browser.js("return Number(document.getElementById('slider').value)") == before + 2
    assert "removed" in browser.text(".result .big")


def test_clusters_are_lists_graphs_and_time_lines(browser, page, run):
    browser.open(page)
    biggest = run.clusters.filter(pa.compute.equal(run.clusters["cluster_id"], "n005"))["id"].to_pylist()
    said = browser.text("#clusters .detail")
    assert all(doc in said for doc in biggest)
    browser.all(".views button")[1].click()
    assert len(browser.all(".graph .node")) == len(biggest) == 4
    assert browser.js(
        "const c = document.querySelector('.graph .survivor circle'); return [c.getAttribute('cx'), c.getAttribute('cy')]"
    ) == ["360", "230"]
    browser.shoot("graph")
    browser.js(
        "document.querySelector('.graph .can').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"
    )
    assert browser.js("return document.getElementById('pair').open")
    browser.find("#pair").send_keys("\ue00c")  # Escape
    assert not browser.js("return document.getElementById('pair').open")
    browser.all(".views button")[2].click()
    times = browser.js("return quchong.model.clusters[0].line.map((s) => quchong.model.documents.time[s.document])")
    assert times == sorted(times) and len(times) == 4
    assert len(browser.all("ol.line li")) == 4 and "first" in browser.text("ol.line li")
    browser.js("document.querySelector('ol.line').scrollIntoView()")
    browser.shoot("timeline-roundup")


DATED = [
    {"id": "late", "time": "2016-01-01 08:00", "url": "http://b.example/20160101/n2.shtml"},
    {"id": "first", "time": "2016-12-31 19:02", "url": "http://a.example/20151231/n1.shtml"},
]  # fmt: skip
TEXT = "市交通局发布消息，轨道交通三号线一期工程十二月三十一日开始空载试运行，全长二十八公里，共设二十一座车站，明年六月底前初期运营。"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "the web address has 2015-12-31"), ("zh", "网址里的日期是 2015-12-31")]
)
def test_a_time_that_contradicts_the_address_is_said_beside_it(browser, tmp_path, language, said):
    rows = [row | {"text": TEXT + tail} for row, tail in zip(DATED, ("", "记者李明"), strict=True)]
    browser.open(qc.dedup(rows, recall_sample=0).report(tmp_path / "dated.html"))
    browser.choose("#language", language)
    browser.all(".views button")[2].click()
    first, late = (one.text for one in browser.all("ol.line li"))
    assert "2016-12-31 19:02" in first and said in first and said not in late
    assert ("12 h 58 min later" if language == "en" else "晚 12 小时 58 分") in late


CERTAIN = {
    "en": {"only": "only earlier document", "likely": "likely", "undecided": "unclear"},
    "zh": {"only": "唯一更早的一篇", "likely": "较可能", "undecided": "难以判断"},
}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_time_line_tells_the_chain(browser, page, run, language):
    browser.open(page)
    browser.choose("#language", language)
    rows = {row["id"]: row for row in run.chains().to_pylist() if row["role"] not in ("roundup", "series")}
    clusters = browser.js(
        "const d = quchong.model.documents; return quchong.model.clusters.map((c) => c.line.map((s) => d.id[s.document]))"
    )
    looked = 0
    for k, ids in enumerate(clusters[:12]):
        browser.js("document.querySelectorAll('.choice button')[arguments[0]].click()", k)
        browser.js("document.querySelectorAll('.views button')[2].click()")
        steps = browser.js("return [...document.querySelectorAll('ol.line li')].map((li) => li.innerText)")
        assert len(steps) == len(ids)
        for doc, said in zip(ids, steps, strict=True):
            assert doc in said
            row = rows.get(doc)
            if row is None:
                assert ("roundup of" if language == "en" else "汇编") in said
            elif row["source_id"] is None:
                assert ("published first" if language == "en" else "首发") in said or row["position"] > 1
            else:
                assert row["source_id"] in said and CERTAIN[language][row["certainty"]] in said
                looked += 1
                if row["relation"] != "exact":
                    assert row["changed" if language == "en" else "changed_zh"][:300] in said
    assert looked >= 20
    browser.shoot(f"timeline-{language}")
    browser.choose("#language", "en")


def test_search_finds_by_id_and_by_words_of_a_text(browser, page, run):
    browser.open(page)

    def ask(words):
        browser.js(
            "const s = document.getElementById('search'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
            words,
        )
        browser.driver.execute_async_script("setTimeout(arguments[0], 250)")
        return browser.text("#removals [role=status]"), [
            cell.text for cell in browser.all("#removals tbody td:nth-child(2) .doc-id")
        ]

    assert ask("n009") == ("1 of 45 match", ["n009"])
    text = run.explain("n009").text
    said, found = ask(text[5:25].upper())
    assert "n009" in found and said.endswith("of 45 match")
    assert ask("没有这样的词语")[1] == []
    assert "No removed document matches." in browser.text("#removals")
    ask("")
    browser.choose("#filter-relation", "0")
    assert browser.text("#removals [role=status]") == "16 of 45 match"


def test_a_pair_is_shown_with_passages_and_differences(browser, page, run):
    browser.open(page)
    pairs = browser.js("return quchong.model.pairs.map(p => [p.left, p.right].map(i => quchong.model.documents.id[i]))")
    rows = {row["id"]: row for row in run.ledger.to_pylist()}
    shown = 0
    for k, (left, right) in enumerate(pairs):
        row = rows.get(left)
        if row is None or row["survivor_id"] != right or not row["differences"]:
            continue
        shown += 1
        browser.js("quchong.folding = false; quchong.openPair(arguments[0])", k)
        told = run.explain(left)
        for side, text in ((0, told.text), (1, told.survivor_text)):
            there = browser.js("return document.querySelectorAll('#pair .text')[arguments[0]].textContent", side)
            assert there.replace("‸", "") == text
        passages = [(p["start"], p["end"]) for p in row["passages"]]
        for d in row["differences"]:
            if any(d["start"] < end and start < d["end"] for start, end in passages):
                continue  # what both texts share there is a passage, and no difference
            marked = browser.js(
                "return [...document.querySelectorAll('#pair .side:first-child .diff')].map(n => n.textContent)"
            )
            assert d["text"] in "".join(marked)
        spans = browser.js(
            "return [...document.querySelectorAll('#pair .side:first-child mark[data-passage]')].map(n => n.textContent).join('')"
        )
        covered = np.zeros(len(told.text), bool)
        for p in row["passages"]:
            covered[p["start"] : p["end"]] = True
        assert spans.replace("‸", "") == "".join(c for c, inside in zip(told.text, covered, strict=True) if inside)
    assert shown >= 5
    assert "title" in browser.text("#pair .fields") or "time" in browser.text("#pair .fields")
    browser.shoot("pair-en")


def test_arrow_keys_go_from_pair_to_pair(browser, page):
    browser.open(page)
    browser.js("quchong.openPair(3)")
    browser.find("#pair").send_keys("\ue014")
    assert " 5 of " in " " + browser.text("#pair .control .soft")
    browser.find("#pair").send_keys("\ue012")
    assert browser.text("#pair .control .soft").startswith("4 of ")
    browser.find("#pair [data-step='1']").click()
    keys = browser.driver.switch_to.active_element
    assert keys.get_attribute("data-step") == "1"  # the button is made anew, and the key stays on it
    keys.send_keys("\n")
    browser.driver.switch_to.active_element.send_keys("\ue014")
    assert browser.text("#pair .control .soft").startswith("7 of ")


def test_lists_are_turned_by_keys(browser, page):
    browser.open(page)
    ids = [cell.text for cell in browser.all("#removals tbody td:nth-child(2) .doc-id")]
    browser.find("#removals [data-turn='page.next']").send_keys("\n")
    assert browser.driver.switch_to.active_element.get_attribute("data-turn") == "page.previous"  # of two pages
    after = [cell.text for cell in browser.all("#removals tbody td:nth-child(2) .doc-id")]
    assert len(ids) == 25 and len(after) == 20 and not set(ids) & set(after)


def test_variants_that_stay_are_listed_with_what_differs(browser, page, run):
    browser.open(page)
    said = browser.text("#variants")
    assert "21 of 21 pairs" in said and "figure" in said and "date" in said
    browser.find("#variants button.link").click()
    assert browser.all("#pair .diff.conflict.k-figure") or browser.all("#pair .diff.conflict.k-date")
    assert len(browser.all("#pair .tag.stays")) == 2


def test_templates_are_shown_with_their_slots(browser, page, run):
    at = browser.open(page)
    table = run.templates.to_pylist()
    assert len(table) == len(at.all("#templates li.card")) == 4
    first = at.text("#templates li.card")
    assert "Template 1: 4 records" in first and all(f"{f['text']} (" in first for f in table[0]["slots"][0]["fillers"])
    assert "21 pairs are not copies" in at.text("#templates") and at.all('nav a[href="#templates"]')


def test_the_page_speaks_chinese_by_choice_and_by_default(browser, page, run, tmp_path):
    browser.open(page)
    browser.choose("#language", "zh")
    assert browser.js("return document.documentElement.lang") == "zh-Hans"
    assert "共 104 篇文档，删除 45 篇（43.3%），保留 59 篇" in browser.text("#overview")
    for part in ("overview", "thresholds", "clusters", "removals", "variants", "about"):
        assert any("\u4e00" <= c <= "\u9fff" for c in browser.text(f"#{part} h2"))
    browser.js("quchong.openPair(0)")
    assert "公共片段" in browser.text("#pair")
    browser.shoot("pair-zh")
    chinese = run.report(tmp_path / "zh.html", lang="zh")
    browser.open(chinese, dark=True)
    assert browser.text("#overview h2").startswith("共 104 篇文档")
    browser.shoot("overview-zh-dark")


def test_dark_and_light_are_by_the_system_and_by_choice(browser, page):
    def paper():
        return browser.js("return getComputedStyle(document.body).backgroundColor")

    browser.open(page)
    light = paper()
    browser.open(page, dark=True)
    dark = paper()
    assert light != dark
    browser.choose("#theme", "light")
    assert paper() == light
    browser.open(page)
    browser.choose("#theme", "dark")
    assert paper() == dark


def test_a_phone_needs_no_sideways_scrolling(browser, page):
    browser.open(page, width=390, height=844)
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    browser.shoot("phone")
    browser.js("quchong.openPair(0)")
    assert browser.js("const d = document.getElementById('pair'); return d.scrollWidth <= d.clientWidth")
    browser.shoot("phone-pair")


def test_the_page_can_be_printed(browser, page):
    browser.open(page, dark=True)
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert len(printed["data"]) > 50_000
    browser.js("window.dispatchEvent(new Event('beforeprint'))")
    assert browser.js("return document.documentElement.dataset.theme") == "light"
    browser.js("window.dispatchEvent(new Event('afterprint'))")
    assert browser.js("return document.documentElement.dataset.theme") is None


SCRIPT = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><!-- <svg onload=window.hacked=3>"
BIDI = "right\u202eto left\u2066inside\u200b"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A run over texts that were made to break pages."""
    folder = tmp_path_factory.mktemp("hostile")
    news = [json.loads(line) for line in (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()]
    long = "\n".join(row["text"] for row in news[40:])
    bodies = {
        "script": f"{SCRIPT} " + news[0]["text"], "bidi": f"{BIDI} " + news[1]["text"], "long": long * (5_000_000 // len(long.encode()) + 1),
        "word": "w" * 10_000 + " " + news[3]["text"], "emoji": "👩‍🚒🇨🇳" + news[4]["text"], "controls": "a\x1b[31mb\x00c\x07\r\n" + news[5]["text"],
    }  # fmt: skip
    rows = []
    for name, text in bodies.items():
        odd = {"url": "javascript:window.hacked=4", "__proto__": "x", "constructor": "</script>", f"{SCRIPT}": BIDI}
        rows += [
            {
                "id": f"{name}\"'\n<b>{k}</b>",
                "title": f"{SCRIPT} {name}{BIDI}",
                "text": text,
                "source": f"'\"\n{SCRIPT}{name}",
                "time": SCRIPT,
            }
            | odd
            for k in range(2)
        ]
    rows += [
        {"id": "i" * 5000 + str(k), "text": news[9]["text"], "source": "s" * 5000, "time": "2024-01-01"}
        for k in range(2)
    ]
    path = folder / f"{SCRIPT[:1]}x.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    run = qc.dedup(path, out=folder / "run")
    return run, run.report(folder / "hostile.html", lang="en")


def test_hostile_text_is_shown_as_text(browser, hostile):
    run, page = hostile
    assert run.counts["removed"] >= 7  # every second of a kind, at least
    browser.open(page)
    scripts = browser.js("quchong.folding = false; return document.scripts.length")
    shown = ""
    for k in range(browser.js("return quchong.model.pairs.length")):
        browser.js("quchong.openPair(arguments[0])", k)
        shown += browser.text("#pair")
        assert browser.js("const d = document.getElementById('pair'); return d.scrollWidth <= d.clientWidth")
        assert (
            browser.js(
                "return document.querySelectorAll('#pair img, #pair script, #pair b b, #pair svg:not(.measure)').length"
            )
            == 0
        )
    for view in range(3):
        browser.js(
            "document.getElementById('pair').close(); document.querySelectorAll('.views button')[arguments[0]].click()",
            view,
        )
        for k in range(len(browser.all(".choice button"))):
            browser.js("document.querySelectorAll('.choice button')[arguments[0]].click()", k)
    assert browser.js("return window.hacked") is None
    assert browser.js("return [document.scripts.length, document.images.length]") == [scripts, 0]
    for words in (
        "window.hacked = 1",
        "rightU+202Eto left",
        "U+2066inside",
        "aU+001B[31mbU+0000c",
        "javascript:window",
        "w" * 5000,
        "__proto__",
    ):
        assert words in shown, words
    assert "characters after this are not on this page" in shown
    assert "window.hacked = 1" in browser.js("return document.body.innerText")
    seen = browser.js(
        "const d = document.body.cloneNode(true); d.querySelectorAll('script').forEach(s => s.remove()); return d.textContent + document.title"
    )
    assert not [
        c
        for c in seen
        if unicodedata.bidirectional(c) in ("RLO", "LRO", "RLI", "LRI", "FSI", "PDI", "PDF") or c in "\x00\x1b\x07"
    ]
    assert browser.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    browser.shoot("hostile")


def test_a_script_that_gets_into_the_page_all_the_same_does_not_run(browser, hostile, tmp_path):
    _, page = hostile
    text = page.read_text("utf-8").replace(
        "</body>", "<script>window.hacked = 5</script><p onclick='window.hacked = 6'>x</p></body>"
    )
    broken = tmp_path / "broken.html"
    broken.write_text(text, "utf-8")
    browser.open(broken)
    browser.js("document.querySelector('p[onclick]').click()")
    assert browser.js("return window.hacked") is None
    assert [m for m in browser.said() if "Content Security Policy" in m]


def test_unseen_characters_are_those_of_the_terminal(browser, page):
    browser.open(page)
    found = browser.js(
        """const found = [];
        for (let c = 0; c <= 0x10ffff; c++) {
          if (c >= 0xd800 && c <= 0xdfff) continue;
          if (("a" + String.fromCodePoint(c) + "a").match(quchong.UNSAFE)) found.push(c);
        }
        return found;"""
    )
    codes = (c for c in range(0x110000) if not 0xD800 <= c <= 0xDFFF)
    assert found == [c for c in codes if UNSAFE.search(f"a{chr(c)}a")]
    for text in ("👩‍🚒", "a\u200db", "❤️", "a\ufe0fb", "\ufe0f", "x\ufe0f\ufe0f"):
        assert browser.js("return [...arguments[0].matchAll(quchong.UNSAFE)].map(m => m.index)", text) == [
            len(text[: m.start()].encode("utf-16-le")) // 2 for m in UNSAFE.finditer(text)
        ], text


def test_a_run_with_very_many_pairs_opens_soon(browser, tmp_path):
    """The pairs are many times those of a real run, made by repeating its rows under other ids."""
    from quchong.views.model import model
    from quchong.views.page import page as made

    run = qc.dedup(ROOT / "examples" / "news.jsonl")
    run.save(tmp_path / "run")
    saved = qc.load(tmp_path / "run")
    many = pa.concat_tables([pa.table(saved.pairs)] * (200_000 // len(saved.pairs) + 1))
    subject = saved._subject()
    subject.tables = {**subject.tables, "pairs": many}
    text = made(model(subject, {"why": "no pairs", "method": "hybrid"}), "en")
    assert len(text.encode()) < 10_000_000
    path = tmp_path / "many.html"
    path.write_text(text, "utf-8")
    browser.open(path)
    assert f"{len(many):,}" in browser.text("#overview .tiles")
    assert "quchong" in browser.text("header")


@pytest.mark.parametrize(
    ("width", "dark"), [pytest.param(1280, False, marks=pytest.mark.campaign), (1280, True), (390, False)]
)
def test_nothing_serious_is_found_by_axe(browser, page, width, dark):
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed (test group)")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")
    browser.open(page, width=width, dark=dark)

    def findings(where):
        browser.js(script)
        found = browser.driver.execute_async_script(
            "const done = arguments[1]; axe.run(arguments[0]).then(r => done(r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 200))])))",
            where,
        )
        return [one for one in found if one[0] in ("serious", "critical")]

    assert findings("body") == []
    for view in (1, 2):
        browser.js("document.querySelectorAll('.views button')[arguments[0]].click()", view)
        assert findings("#clusters") == []
    browser.slide(3)
    browser.js("quchong.openPair(2)")
    assert findings("#pair") == []


def test_a_notebook_shows_the_page_in_a_frame_that_cannot_reach_it(browser, run, tmp_path):
    notebook = tmp_path / "notebook.html"
    frame = run.report(lang="en")._repr_html_()
    notebook.write_text(
        f"<!doctype html><html data-drawn='true'><meta charset=utf-8><title>it's mine</title><body>{frame}</body></html>",
        "utf-8",
    )
    browser.open(notebook)
    browser.driver.switch_to.frame(0)
    try:
        assert browser.js("return document.documentElement.dataset.drawn") == "true"
        assert "45 of 104 documents removed" in browser.text("#overview")
        browser.find("nav.parts-nav a[href='#clusters']").click()
        assert browser.js("return document.querySelector('h1') !== null && window.scrollY") > 100
        browser.js("document.querySelectorAll('.views button')[2].click()")
        assert "published first" in browser.text("ol.line")
        assert (
            browser.js("try { return window.parent.document.title } catch (error) { return error.name }")
            == "SecurityError"
        )
        assert browser.js("return document.querySelector('meta[http-equiv]').content").startswith("default-src 'none'")
    finally:
        browser.driver.switch_to.default_content()
    browser.shoot("notebook")


TEXTS = [
    "省里的消息说今年秋粮收购价格稳中有升农户卖粮顺畅各地库点昼夜不停安排人手",
    "海关公布前八个月进出口总值同比增长民营企业表现活跃出口机电产品占比过半",
    "气象台预计明后两天沿海有大风渔船应当回港避风景区暂停海上项目请市民留意预警",
]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_names_of_options_are_not_broken(browser, tmp_path, language):
    """A browser breaks a line after a hyphen, so that `--keep` was `--` and `keep` on a phone."""
    digest = {"id": "z", "text": "。".join(TEXTS), "rank": 0}
    rows = [{"id": f"t{k}", "text": text, "rank": 1} for k, text in enumerate(TEXTS)]
    page = qc.dedup([*rows, digest], keep="earliest", roundups="whole", recall_sample=0).report(
        tmp_path / "p.html", lang=language
    )
    for width in (300, 330, 360, 390, 420):
        browser.open(page, width=width, height=844)
        lines = browser.js(
            "return [...document.querySelectorAll('.option')].map((one) => [one.innerText, one.getClientRects().length])"
        )
        assert lines and all(count <= 1 for _, count in lines), (width, lines)
        loose = browser.js(
            "const w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = [];"
            "while (w.nextNode()) if (!w.currentNode.parentElement.closest('.option, option, script, svg') && / --[a-z]/.test(w.currentNode.data))"
            " out.push(w.currentNode.data); return out"
        )
        assert loose == []
