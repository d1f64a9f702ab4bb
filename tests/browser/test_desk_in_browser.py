"""Covers: the review desk in a real browser: labels that outlive a restart, asking, lists, tabs, language, hostile text, accessibility.

Compared against: the decisions file. Run: pytest tests/browser/test_desk_in_browser.py.
"""

import json
import shutil
import unicodedata
from pathlib import Path

import pytest

import quchong as qc
from quchong.runs.decisions_file import read_acts

pytest.importorskip("uvicorn", reason="Uvicorn is not installed (extra serve)")
ROOT = Path(__file__).parents[2]
OPEN = "document.getElementById('pair').open"
SAVED = "document.querySelector('#pair .saved')?.textContent === 'Saved'"


@pytest.fixture(scope="module")
def master(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "news"
    qc.dedup(ROOT / "examples" / "news.jsonl", out=folder)
    return folder


@pytest.fixture
def run(master, tmp_path):
    return qc.load(shutil.copytree(master, tmp_path / "news"))


class Visit:
    """The page of a desk in the browser."""

    def __init__(self, browser, desk):
        self.browser, self.desk = browser, desk

    def __call__(self, **screen):
        self.browser.screen(**screen)
        self.browser.driver.get(self.desk.url)
        self.ready()
        return self.browser

    def ready(self, close=True):
        """Waits for list, measures and the first pair, which is closed."""
        self.browser.until(
            "document.querySelector('#rows [role=status]') && document.querySelector('[data-measure], #measures .begin')"
        )
        self.browser.until("document.documentElement.dataset.opened")
        if close:
            self.browser.js("document.getElementById('pair').close()")

    def acts(self):
        return read_acts(self.desk.decisions)[0] if self.desk.decisions.exists() else []


@pytest.fixture
def visit(browser, run):
    browser.driver.get("about:blank")
    browser.said()
    browser.asked()
    with run.review(lang="en") as desk:
        yield Visit(browser, desk)
        assert browser.said() == []
        assert [url for url in browser.asked() if not url.startswith(desk.url)] == []  # no request leaves the machine
        browser.driver.get("about:blank")
    browser.asked()


def open_row(browser, k=0):
    browser.js(
        "document.querySelector(arguments[0]).click()", f"[data-row='{k}']"
    )  # lists are drawn anew when acts come in
    browser.until(OPEN)


def test_a_label_and_a_verdict_outlive_a_restart(browser, run, visit):
    visit()
    assert browser.js("return document.querySelectorAll('#measures .tiles').length") == 0  # nothing is counted yet
    open_row(browser)
    gone = browser.text("#pair .side .doc-id")
    browser.find("[data-say='desk.label.different']").click()
    browser.until(SAVED)
    browser.find("[data-say='desk.overturn']").click()
    browser.until("document.querySelector(\"[data-say='desk.overturn']\").ariaPressed === 'true'")
    label, verdict = visit.acts()
    assert (label.label, label.how, verdict.act, verdict.id) == ("different", "chosen", "overturn", gone)
    browser.shoot("desk-pair-en")
    visit.desk.close()
    with run.review(lang="en") as again:
        browser.driver.get(again.url)
        visit.ready()
        assert "different" in browser.text("#rows tbody tr") and "removal overturned" in browser.text("#rows tbody tr")
        assert browser.text("[data-measure='desk.labels']") == browser.text("[data-measure='desk.overturned']") == "1"
        open_row(browser)
        pressed = browser.js(
            "return [...document.querySelectorAll('#pair [aria-pressed=true]')].map(b => b.dataset.say)"
        )
        assert pressed == ["desk.label.different", "desk.overturn"]
        asked = [url for url in browser.asked() if not url.startswith((visit.desk.url, again.url))]
        assert asked == []
        browser.driver.get("about:blank")
        browser.asked()


def test_a_desk_that_is_gone_says_that_nothing_is_saved(browser, visit):
    visit()
    open_row(browser)
    visit.desk.close()
    browser.find("[data-say='desk.label.same']").click()
    browser.until("!document.getElementById('trouble').hidden")
    assert "nothing more is saved" in browser.js("return document.getElementById('trouble').textContent")
    assert browser.js("return document.querySelector('#pair .saved').textContent") == ""
    assert browser.all("#pair [aria-pressed=true]") == [] and visit.acts() == []
    assert all("ERR_CONNECTION_REFUSED" in one for one in browser.said())  # the browser says so too


def test_ask_me_goes_from_pair_to_pair_by_keys(browser, visit):
    visit()
    browser.find("#ask").click()
    browser.until(OPEN)
    for n, key in enumerate("1234s1"):
        before = browser.js("return document.querySelector('#pair .sides').innerText")
        assert "This pair was drawn at random from" in browser.text("#pair")
        browser.find("#pair").send_keys(key)
        browser.until("document.querySelector('#pair .sides').innerText !== arguments[0]", before)
        assert len(visit.acts()) == n + 1 - (n > 3)
    acts = visit.acts()
    assert [act.label for act in acts] == ["same", "contained", "different", "unsure", "same"]
    assert {act.how for act in acts} == {"asked"} and len({act.key for act in acts}) == 5
    browser.shoot("desk-ask-en")
    browser.find("#pair").send_keys("\ue00c")
    browser.until("document.querySelector(\"[data-measure='desk.labels']\")?.textContent === '5'")
    said = browser.text("#measures")
    assert (
        "5 of the 20 labels needed to" in said and "precision, recall" in said and "–" not in said
    )  # no dashes before there are figures


def test_measures_and_a_recommended_threshold_come_with_the_labels(browser, visit):
    visit()
    assert "0 of the 20 labels needed to" in browser.text("#measures")
    desk = visit.desk.desk
    while "none" not in (answer := desk.ask()):
        copies = answer["shown"]["relation"] in ("duplicate", "contains", "contained_in")
        desk.label(answer["said"]["pair"], "same" if copies else "different", True)
    browser.driver.refresh()
    visit.ready()
    browser.until("document.querySelector(\"[data-measure='best']\")")
    assert "Drawn by the desk: " in browser.text("#measures") and "“hard to tell”" not in browser.text("#measures")
    assert browser.text("[data-measure='desk.precision']") == browser.text("[data-measure='desk.recall']") == "100.0%"
    assert "No better threshold was found: keep the threshold of the run" in browser.text(
        "#measures"
    ) or "quchong dedup … --" in browser.text("#measures")
    assert browser.all("#measures canvas")
    browser.shoot("desk-measures-en")


def test_keys_take_back_and_arrows_turn(browser, visit):
    visit()
    open_row(browser, 24)
    assert browser.text("#pair .control .soft") == "25 of 45"
    browser.find("#pair").send_keys("\ue014")
    browser.until("document.querySelector('#pair .control .soft')?.textContent === '26 of 45'")  # the next page
    browser.find("#pair").send_keys("\ue012")
    browser.until("document.querySelector('#pair .control .soft')?.textContent === '25 of 45'")
    browser.find("#pair").send_keys("a")
    browser.until("document.querySelector(\"[data-say='desk.accept']\").ariaPressed === 'true'")
    browser.find("#pair").send_keys("a")
    browser.until("document.querySelector(\"[data-say='desk.accept']\").ariaPressed === 'false'")
    assert [act.act for act in visit.acts()] == ["accept", "clear"]


def test_lists_are_filtered_searched_and_turned(browser, visit):
    visit()

    def found():
        return browser.text("#rows [role=status]")

    assert found() == "45 removed documents" and len(browser.all("#rows tbody tr")) == 25
    browser.js("document.querySelector(\"[data-turn='page.next']\").focus()")
    browser.driver.switch_to.active_element.send_keys("\n")
    browser.until("document.querySelectorAll('#rows tbody tr').length === 20")
    assert browser.driver.switch_to.active_element.get_attribute("data-turn") == "page.previous"
    browser.choose("#filter-relation", "exact")
    browser.until("document.querySelector('#rows [role=status]').textContent === '16 removed documents'")
    browser.choose("#filter-relation", "")
    browser.js("const s = document.getElementById('search'); s.value = 'N009'; s.dispatchEvent(new Event('input'))")
    browser.until("document.querySelector('#rows [role=status]').textContent === '1 removed documents'")
    browser.js("const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input'))")
    browser.until("document.querySelector('#rows [role=status]').textContent === '45 removed documents'")
    browser.js("document.querySelector(\"[data-view='pairs']\").click()")
    browser.until("document.querySelector('#rows [role=status]').textContent.endsWith(' pairs')")
    browser.choose("#filter-relation", "variant")
    browser.until("document.querySelector('#rows [role=status]').textContent === '21 pairs'")
    open_row(browser, 1)
    assert len(browser.all("#pair .tag.stays")) == 2 and not browser.all("[data-say='desk.overturn']")


def test_two_tabs_keep_both_labels_and_see_each_other(browser, visit):
    visit()
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        browser.driver.get(visit.desk.url)
        visit.ready()
        open_row(browser, 1)
        browser.find("#pair").send_keys("2")
        browser.until(SAVED)
        browser.driver.switch_to.window(first)
        open_row(browser, 0)
        browser.find("#pair").send_keys("1")
        browser.until(SAVED)
        assert [act.label for act in visit.acts()] == ["contained", "same"]
        browser.js("document.getElementById('pair').close(); document.dispatchEvent(new Event('visibilitychange'))")
        browser.until("document.querySelectorAll('#rows tbody tr')[1].innerText.includes('one contains the other')")
        browser.until("document.querySelector(\"[data-measure='desk.labels']\")?.textContent === '2'")
    finally:
        for handle in browser.driver.window_handles:
            if handle != first:
                browser.driver.switch_to.window(handle)
                browser.driver.close()
        browser.driver.switch_to.window(first)


def test_the_desk_speaks_chinese_by_choice_and_keeps_the_choice(browser, visit):
    visit()
    browser.choose("#language", "zh")
    browser.until("document.documentElement.lang === 'zh-Hans'")
    assert "这次去重做得怎么样" in browser.text("#measures") and "45 篇已删文档" in browser.text("#list")
    open_row(browser)
    assert "这次删除" in browser.text("#pair") and "公共片段" in browser.text("#pair")
    browser.shoot("desk-pair-zh")
    browser.find("#pair").send_keys("\ue00c")
    browser.driver.refresh()
    visit.ready()
    assert browser.js("return document.documentElement.lang") == "zh-Hans"
    browser.shoot("desk-zh")
    browser.choose("#language", "en")


def test_a_phone_needs_no_sideways_scrolling(browser, visit):
    visit(width=390, height=844, dark=True)
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    browser.shoot("desk-phone")
    browser.js("document.querySelector('[data-row]').click()")
    browser.until(OPEN)
    assert browser.js("const d = document.getElementById('pair'); return d.scrollWidth <= d.clientWidth")
    browser.shoot("desk-phone-pair")


@pytest.mark.parametrize(
    ("width", "dark"), [pytest.param(1280, False, marks=pytest.mark.campaign), (1280, True), (390, False)]
)
def test_nothing_serious_is_found_by_axe(browser, visit, width, dark):
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed (test group)")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")
    desk = visit.desk.desk
    for _ in range(40):
        answer = desk.ask()
        desk.label(answer["said"]["pair"], "same" if answer["said"]["removal"] >= 0 else "different", True)
    desk.verdict(0, "accept")
    desk.verdict(1, "overturn")
    visit(width=width, dark=dark)
    browser.until("document.querySelector(\"[data-measure='best']\")")

    def findings(where):
        browser.js(script)
        found = browser.driver.execute_async_script(
            "const done = arguments[1]; axe.run(arguments[0]).then(r => done(r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 200))])))",
            where,
        )
        return [one for one in found if one[0] in ("serious", "critical")]

    assert findings("body") == []
    browser.js("document.querySelector('[data-row]').click()")
    browser.until(OPEN)
    assert findings("#pair") == []
    browser.js("document.getElementById('pair').close(); document.getElementById('ask').click()")
    browser.until(OPEN + " && document.querySelector(\"[data-say='desk.skip']\")")
    assert findings("#pair") == []


SCRIPT = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><!-- <svg onload=window.hacked=3>"
BIDI = "right\u202eto left\u2066inside\u200b"


def test_hostile_text_is_shown_as_text(browser, tmp_path):
    news = [json.loads(line) for line in (ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()]
    bodies = {
        "script": SCRIPT + news[0]["text"], "bidi": BIDI + news[1]["text"], "long": news[2]["text"] + "长" * 400_000,
        "word": "w" * 10_000 + " " + news[3]["text"], "controls": "a\x1b[31mb\x00c\x07\r\n" + news[5]["text"],
    }  # fmt: skip
    rows = [
        {"id": f"{name}\"'\n<b>{k}</b>", "title": f"{SCRIPT} {name}{BIDI}", "text": text, "source": SCRIPT, "time": SCRIPT,
         "url": "javascript:window.hacked=4", "__proto__": "x", SCRIPT: BIDI}
        for name, text in bodies.items()
        for k in range(2)
    ]  # fmt: skip
    path = tmp_path / "hostile.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    run = qc.dedup(path, out=tmp_path / "<b>run")
    assert run.counts["removed"] >= 5
    browser.driver.get("about:blank")
    browser.said()
    with run.review(lang="en") as desk:
        visit = Visit(browser, desk)
        visit()
        scripts, shown = (
            browser.js("quchong.folding = false; return document.scripts.length"),
            browser.js("return document.body.innerText"),
        )
        for k in range(run.counts["removed"]):
            open_row(browser, k)
            browser.find("#pair").send_keys("1")
            browser.until(SAVED)
            shown += browser.text("#pair")
            assert browser.js("const d = document.getElementById('pair'); return d.scrollWidth <= d.clientWidth")
            assert (
                browser.js(
                    "return document.querySelectorAll('#pair img, #pair script, #pair b b, #pair svg:not(.measure)').length"
                )
                == 0
            )
            browser.find("#pair").send_keys("\ue00c")
        assert browser.js("return window.hacked") is None
        assert browser.js("return [document.scripts.length, document.images.length]") == [scripts, 0]
        for words in (
            "window.hacked = 1",
            "rightU+202Eto left",
            "aU+001B[31mbU+0000c",
            "javascript:window",
            "w" * 5000,
            "__proto__",
        ):
            assert words in shown, words
        assert not [
            c
            for c in shown
            if unicodedata.bidirectional(c) in ("RLO", "LRO", "RLI", "LRI", "FSI", "PDI", "PDF") or c in "\x00\x1b\x07"
        ]
        assert browser.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        assert {act.key for act in visit.acts()} == {
            tuple(sorted((row["id"], row["survivor_id"]))) for row in run.ledger.to_pylist()
        }
        browser.shoot("desk-hostile")
        assert browser.said() == []
        assert [url for url in browser.asked() if not url.startswith(desk.url)] == []
        browser.driver.get("about:blank")
    browser.asked()


def test_another_page_cannot_decide(browser, visit, tmp_path):
    """A page of somebody else who knew even the address: the browser names its origin, and the desk refuses."""
    visit()
    page = tmp_path / "evil.html"
    page.write_text("<!doctype html><title>x</title>", "utf-8")
    browser.driver.get(page.as_uri())
    said = browser.driver.execute_async_script(
        "const done = arguments[1]; fetch(arguments[0] + 'label', {method: 'POST', headers: {'content-type': 'text/plain'},"
        'body: \'{"pair": 0, "label": "same"}\', mode: \'no-cors\'}).then(r => done(r.type), e => done(String(e)))',
        visit.desk.url,
    )
    assert said in ("opaque", "TypeError: Failed to fetch") and visit.acts() == []
    browser.driver.execute_async_script(
        "const done = arguments[1], f = document.createElement('iframe'); f.onload = () => done(1); f.src = arguments[0]; document.body.append(f); setTimeout(done, 3000)",
        visit.desk.url,
    )
    browser.said()
    browser.driver.get("about:blank")
