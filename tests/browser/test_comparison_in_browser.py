"""Covers: the comparison of a pair (what differs, folds, scroll lock, steps), sorted tables and CSV, the containment slider.

Compared against: the tables of the run, `Result.rethreshold`, `quchong.inspect`. Run: pytest tests/browser/test_comparison_in_browser.py.
"""

import csv
import io

import pytest

import quchong as qc

pytestmark = pytest.mark.usefixtures("quiet")
LONG = "".join(f"第{k}段写的是城里第{k}条街道在去年春天修好以后的样子，居民说第{k}次看到。\n" for k in range(60))


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """Two near-copies of 2,000 characters, of which one has another word in its middle and another end."""
    changed = LONG.replace("第30次看到", "第30次听见") + "编辑加了一句。"
    run = qc.dedup(
        [{"id": "a", "text": LONG}, {"id": "b", "text": changed}, {"id": "c", "text": changed + "再加一句。"}]
    )
    return run.report(tmp_path_factory.mktemp("long") / "long.html", lang="en")


def test_a_near_copy_shows_what_differs_first_and_folds_what_is_equal(browser, long):
    browser.open(long).js("quchong.openPair(0)")
    dialog = browser.js("return [...document.getElementById('pair').children].map(n => n.className)")
    assert dialog.index("what-differs") < dialog.index("sides")
    folds = [button.get_attribute("data-said") for button in browser.all("#pair .side:first-child button.fold")]
    assert folds and all("equal lines" in one for one in folds)
    shown = browser.text("#pair .side:first-child .text")
    assert len(shown) < len(LONG) / 2 and "第30次" in shown  # what differs is in sight
    whole = browser.js("return document.querySelector('#pair .side:first-child .text').textContent.replaceAll('‸', '')")
    assert whole.startswith(LONG[:1500])  # nothing is lost, only hidden
    browser.find("#pair .side:first-child button.fold").click()
    assert len(browser.all("#pair .side:first-child button.fold")) == len(folds) - 1
    assert len(browser.all("#pair .side:last-child button.fold")) == len(folds) - 1  # opened on both sides
    browser.js("document.querySelectorAll('#pair .switch input')[1].click()")
    assert not browser.all("#pair button.fold") and len(browser.text("#pair .side:first-child .text")) > 0.9 * len(LONG)


def test_nothing_is_left_in_sight_behind_the_fold_at_the_end_of_equal_texts(browser, tmp_path):
    run = qc.dedup([{"id": "a", "text": LONG.strip()}, {"id": "b", "text": LONG.strip().replace("，", ",")}])
    browser.open(run.report(tmp_path / "equal.html", lang="en")).js("quchong.openPair(0)")
    left = browser.js(
        """
        const text = document.querySelector('#pair .side:first-child .text'), behind = document.createRange();
        behind.setStartAfter([...text.querySelectorAll('.folded')].at(-1));
        behind.setEndAfter(text.lastChild);
        return behind.toString();
        """
    )
    assert left.strip() == ""


def test_differences_are_gone_through_by_key_and_by_button(browser, page):
    k = browser.open(page).js("return quchong.model.pairs.findIndex(p => p.differences.length > 3)")
    browser.js("quchong.openPair(arguments[0])", k)
    many = browser.js("return quchong.model.pairs[arguments[0]].differences.length", k)

    def at():
        return browser.js(
            "return [...document.querySelectorAll('#pair .difference')].findIndex(n => n.ariaCurrent === 'true')"
        )

    assert at() == -1
    browser.find("#pair").send_keys("n")
    assert at() == 0 and browser.all("#pair .shine") and browser.text("#pair .difference-at") == f"1 of {many}"
    browser.find("#pair").send_keys("n")
    assert at() == 1
    browser.find("#pair").send_keys("pp")
    assert at() == many - 1  # round from the first to the last
    browser.find("#pair [data-difference-step='1']").click()
    assert at() == 0


def test_both_texts_scroll_together_until_that_is_turned_off(browser, long):
    browser.open(long, height=500).js("quchong.folding = false; quchong.openPair(0)")
    heights = "return [...document.querySelectorAll('#pair .text')].map(box => box.scrollTop)"

    def scroll(to):
        browser.driver.execute_async_script(
            "const box = document.querySelector('#pair .text'), done = arguments[1];"
            "box.scrollTop = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))",
            to,
        )
        return browser.js(heights)

    left, right = scroll(300)
    assert left == 300 and abs(left - right) < 40
    assert scroll(0) == [0, 0]
    browser.js("document.querySelector('#pair .switch input').click()")
    left, right = scroll(400)
    assert left == 400 and right == 0


def test_the_steps_of_the_decision_are_those_of_inspect(browser, page, run):
    browser.open(page)
    pairs = browser.js(
        "const d = quchong.model.documents.id; return quchong.model.pairs.map(p => [d[p.left], d[p.right], p.relation, p.steps])"
    )
    looked = 0
    for left, right, relation, steps in pairs[:30]:
        if relation == "exact":
            assert steps == [["equal", None, None, 1]]
            continue
        told = {gate["what"]: gate for gate in run.inspect(left, right).to_dict()["steps"]}
        for what, value, needed, passed in steps:
            gate = told[what]
            assert (gate["passed"], gate["needed"] and round(gate["needed"], 4)) == (
                None if passed is None else bool(passed),
                needed,
            ), what
            assert value == (round(gate["value"], 4) if isinstance(gate["value"], float) else gate["value"]), (
                left,
                right,
                what,
            )
            looked += 1
    assert looked > 100
    k = next(k for k, pair in enumerate(pairs) if pair[2] == "duplicate")
    browser.js("quchong.openPair(arguments[0]); document.querySelector('#pair .waterfall').open = true", k)
    said = browser.text("#pair .waterfall")
    assert "The search proposed this pair." in said and "needs" in said and "are removed" in said
    assert browser.js("return document.querySelectorAll('#pair .measure').length") >= 3


def test_removals_are_sorted_by_their_heads_and_by_the_distance_from_the_threshold(browser, page, run):
    browser.open(page)

    def column(n):
        return [cell.text for cell in browser.all(f"#removals tbody td:nth-child({n})")]

    browser.find("#removals [data-sort='jaccard']").send_keys("\n")
    scores = [float(one) for one in column(4)]
    assert scores == sorted(scores, reverse=True)
    head = "return document.querySelector('#removals th:nth-child(4)').ariaSort"
    assert browser.js(head) == "descending"
    browser.driver.switch_to.active_element.send_keys("\n")  # the key stays on the head
    scores = [float(one) for one in column(4)]
    assert scores == sorted(scores) and browser.js(head) == "ascending"
    browser.choose("#removals-order", "line")
    first = [cell.text for cell in browser.all("#removals tbody td:nth-child(2) .doc-id")]
    distance = browser.js(
        "const m = quchong.model; return Object.fromEntries(m.removals.document.map((d, k) => [m.documents.id[d], m.removals.distance[k]]))"
    )
    assert len({distance[doc] for doc in first}) > 3
    nearest = run.least_similar(25)["id"].to_pylist()  # of equal distance in another order
    assert [distance[doc] for doc in first] == [distance[doc] for doc in nearest]


def test_what_is_shown_is_saved_as_csv(browser, page, run):
    browser.open(page)
    browser.js(
        "window.made = []; const old = quchong.asCsv; quchong.asCsv = (h, r) => { const t = old(h, r); window.made.push(t); return t }"
    )
    browser.js("URL.createObjectURL = () => '#'; HTMLAnchorElement.prototype.click = () => {}")
    browser.choose("#filter-relation", "0")
    for part in ("removals", "variants", "clusters"):
        browser.find(f"#{part} button.csv").send_keys("\n")
    removed, variants, clusters = (
        list(csv.reader(io.StringIO(t.lstrip("\ufeff")))) for t in browser.js("return window.made")
    )
    exact = {row["id"] for row in run.ledger.to_pylist() if row["relation"] == "exact"}
    assert {row[1] for row in removed[1:]} == exact and removed[0][0] == "Relation"
    assert len(variants) == 22 and len(clusters) - 1 == len(run.clusters)
    assert (
        browser.js("return quchong.asCsv(['a'], [['=1+1'], ['x,\"y'], [-1]])")
        == '\ufeffa\r\n\'=1+1\r\n"x,""y"\r\n-1\r\n'
    )


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_containment_slider_tells_what_rethreshold_gives(browser, page, run, share):
    browser.open(page)
    values = browser.js("return quchong.model.thresholds.containment.values")
    step = round(share * (len(values) - 1))
    browser.js(
        "const s = document.getElementById('slider-containment'); s.value = arguments[0]; s.dispatchEvent(new Event('input'))",
        step,
    )
    again = run.rethreshold(containment=values[step])
    assert f"{again.counts['removed']} removed, {again.counts['kept']} kept" in browser.js(
        "return document.querySelectorAll('.result')[1].innerText"
    )
    assert "run: 0.8 to 0.85" in browser.text("#thresholds") and len(browser.all(".run-mark")) == 2


def test_what_there_is_none_of_is_not_spoken_of(browser, tmp_path):
    run = qc.dedup(
        [{"id": "a", "text": "今天天气很好，我们去公园散步。"}, {"id": "b", "text": "股市今日收盘上涨两成。"}],
        recall_sample=0,
    )
    browser.open(run.report(tmp_path / "few.html", lang="en"))
    said = browser.text("#overview")
    for none in ("no alarm", "Not measured", "0 documents", "There are no clusters"):
        assert none not in said
    assert all(card.text.strip() for card in browser.all("#overview .card"))


def test_a_gap_of_years_breaks_the_time_axis(browser, tmp_path):
    rows = [{"id": f"{y}{d}", "text": f"第{y}{d}号公告：{'甲乙丙丁戊己庚辛壬癸'[d]}地今天开始办理{y * d}项业务。", "time": f"{y}-03-1{d}"}
            for y in (2016, 2020) for d in range(5)]  # fmt: skip
    browser.open(qc.dedup(rows).report(tmp_path / "gap.html", lang="en"))
    time = browser.js("return quchong.model.by_time")
    assert (
        time["unit"] == "day"
        and time["labels"].count(None) == 1
        and len(time["labels"]) == 11
        and sum(time["read"]) == 10
    )
    assert "Breaks in the axis" in browser.text("#overview")
