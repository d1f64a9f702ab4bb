"""Covers: the part of the report page about media (`quchong.views.media`), and the direction of differences, in a real browser."""

import json
from pathlib import Path

import pytest

import quchong as qc

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("quiet")


def test_the_matrix_counts_the_reprints_of_the_chains(browser, page, run):
    rows = run.chains().to_pylist()
    browser.open(page)
    told = browser.js("return [...document.querySelectorAll('.matrix .cell')].map((c) => parseInt(c.innerText))")
    assert sum(told) == len([row for row in rows if row["certainty"] in ("only", "likely")])
    series = {row["chain_id"] for row in rows if row["role"] == "series"}
    assert len(browser.all("#media .card:nth-of-type(2) details")) == len(series) == 4
    assert "停水通知" in browser.text("#media") and browser.all('nav a[href="#media"]')
    browser.shoot("media-en")


@pytest.mark.parametrize(("width", "dark"), [(390, False), (1300, True)])
def test_the_part_fits_its_screen(browser, page, width, dark):
    browser.open(page, width=width, dark=dark)
    assert browser.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    browser.js("document.querySelector('#media').scrollIntoView()")
    browser.shoot(f"media-{width}")


def test_a_run_without_chains_has_no_such_part(browser, tmp_path):
    text = json.loads((ROOT / "examples" / "news.jsonl").read_text("utf-8").splitlines()[0])["text"]
    browser.open(qc.dedup([text], recall_sample=0).report(tmp_path / "one.html"))
    assert browser.js("return document.getElementById('media').hidden")
    assert not browser.all('nav a[href="#media"]')


def test_a_row_and_its_dialog_tell_differences_from_removed_to_kept(browser, page):
    browser.open(page)
    browser.js(
        "document.getElementById('search').value = 'n007';"
        "document.getElementById('search').dispatchEvent(new Event('input'))"
    )
    browser.until("[...document.querySelectorAll('#removals tbody tr')].some((r) => r.innerText.includes('n007'))")
    row = browser.js(
        "return [...document.querySelectorAll('#removals tbody tr')].find((r) => r.innerText.includes('n007')).innerText"
    )
    assert "removed → kept:" in row and "运行 → 配合" in row
    browser.js(
        "[...document.querySelectorAll('#removals tbody tr')].find((r) => r.innerText.includes('n007')).querySelector('button').click()"
    )
    sides = browser.js("return [...document.querySelectorAll('#pair .side header')].map((h) => h.innerText)")
    assert "removed" in sides[0] and "n007" in sides[0] and "kept" in sides[1]
    first = browser.js(
        "return [...document.querySelectorAll('#pair .differences li')].map((d) => d.innerText).find((t) => t.includes('运行'))"
    )
    assert first.index("运行") < first.index("配合")
