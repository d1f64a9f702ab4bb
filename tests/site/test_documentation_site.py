"""Covers: the site of the documentation: no warning, no broken link, the switch of languages, search from the disk, axe, charts and pictures.

Compared against: docs/, the tables of docs/results, the public names of quchong. The tests build all but the decisions; `make site` builds
those too. Run: pytest tests/site.
"""

import json
import posixpath
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from matrices import each_once

import quchong
from quchong.plan.catalogue import METHODS

pytest.importorskip("furo", reason="the site needs the group site: pip install --group site")
pytest.importorskip("myst_parser", reason="the site needs the group site: pip install --group site")
ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "site"
LANGUAGES = ("en", "zh")
AXE_PAGES = ("index", "methods/minhash", "charts", "guide/index")
SCREENS = each_once((1300, 390), (True, False))
"""Wide and dark, narrow and light; the other two in a campaign."""
EXTERNAL = re.compile(r"^(?:[a-z]+:|//)", re.IGNORECASE)


class Page(HTMLParser):
    """What a page links to and loads, its anchors, and the switch of languages."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors, self.switches = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors.update(found[name] for name in ("id", "name") if found.get(name))
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
            if "language-switch" in found.get("class", "").split():
                self.switches.append(found["href"])
        loaded = found.get("src") or (found.get("href") if tag == "link" else None)
        if loaded and not (tag == "link" and found.get("rel") in ("alternate", "next", "prev", "search", "index")):
            self.loads.append(loaded)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site without the decisions; the build ends with an error if Sphinx warns of anything."""
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        str(TOOL),
        "--part",
        "--jobs",
        "1",
        "--out",
        str(folder / "out"),
        "--work",
        str(folder / "work"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return folder / "out"


@pytest.fixture(scope="module")
def pages(site):
    """All pages, by their path in the site."""
    found = [path for language in LANGUAGES for path in (site / language).rglob("*.html")]
    return {path.relative_to(site).as_posix(): Page(path.read_text("utf-8")) for path in found}


def resolved(page, link):
    path, _, anchor = link.partition("#")
    path = unquote(path.partition("?")[0])
    return (posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page), unquote(anchor)


def test_every_page_of_docs_is_a_page_of_the_site(site):
    for source in (ROOT / "docs").rglob("*.md"):
        if source.parent.name == "decisions" and source.name != "README.md":
            continue
        language = "zh" if source.name.endswith(".zh-CN.md") else "en"
        name = source.name.removesuffix(".md").removesuffix(".zh-CN")
        address = (source.parent / ("overview" if name == "README" else name)).relative_to(ROOT / "docs")
        assert (site / language / f"{address}.html").is_file(), source


def test_no_link_is_broken(site, pages):
    broken = []
    for page, content in pages.items():
        for link in content.links + content.loads:
            if EXTERNAL.match(link):
                continue
            target, anchor = resolved(page, link)
            if not (site / target).exists():
                broken.append((page, link, "no file"))
            elif anchor and target in pages and anchor not in pages[target].anchors:
                broken.append((page, link, "no anchor"))
    assert broken == []


def test_pages_load_nothing_from_the_network(pages):
    assert {(page, link) for page, content in pages.items() for link in content.loads if EXTERNAL.match(link)} == set()


def test_styles_and_scripts_load_nothing_from_the_network(site):
    for path in [*site.rglob("*.css")]:
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//|@import", path.read_text("utf-8")), path


def test_each_page_leads_to_itself_in_the_other_language_or_to_its_home(pages):
    switched = 0
    for page, content in pages.items():
        language, _, address = page.partition("/")
        other = "zh" if language == "en" else "en"
        twin = f"{other}/{address}"
        wanted = twin if twin in pages else f"{other}/index.html"
        assert content.switches and {resolved(page, link)[0] for link in content.switches} == {wanted}, page
        switched += wanted == twin and address != "index.html"
    assert switched > 2 * len(METHODS)


def test_the_first_page_leads_to_both_homes(site):
    assert {"en/index.html", "zh/index.html"} <= set(Page((site / "index.html").read_text("utf-8")).links)


def test_every_public_name_has_its_types_and_its_docstring(site, pages):
    listed = {anchor for page, content in pages.items() if page.startswith("en/api/") for anchor in content.anchors}
    assert {f"quchong.{name}" for name in quchong.__all__} - listed == {"quchong.methods"}
    text = (site / "en" / "api" / "find.html").read_text("utf-8")
    assert "Iterable" in text and "Find exact copies, near-duplicates and contained documents" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_method_has_a_page_with_a_picture(site, language):
    for name in METHODS:
        text = (site / language / "methods" / f"{name}.html").read_text("utf-8")
        (label,) = re.findall(r'<svg class="seen-picture"[^>]*aria-label="([^"]+)"', text)
        assert label.startswith(f"{name} 如何比较 A 与 B" if language == "zh" else f"How {name} compares A and B"), (
            label
        )


def test_the_same_texts_give_the_same_picture():
    code = "import sys; sys.path.insert(0, sys.argv[1]); import pictures; print([pictures.picture(m, 'zh') for m in ('hybrid', 'simhash', 'check')])"
    drawn = {
        subprocess.run([sys.executable, "-c", code, str(TOOL)], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(drawn) == 1 and len(drawn.pop()) > 10_000


def test_charts_have_the_numbers_of_their_tables(site):
    text = (site / "en" / "charts.html").read_text("utf-8")
    labels = re.findall(r'<svg class="bars"[^>]*aria-label="([^"]+)"', text)
    assert len(labels) >= 12
    (speed,) = [label for label in labels if label.startswith("Seconds for a corpus")]
    table = re.search(
        r"^\| corpus \| system \| seconds .*\n\|.*\n((?:\|.*\n)+)",
        (ROOT / "benchmarks" / "README.md").read_text("utf-8"),
        re.MULTILINE,
    )[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert len(rows) > 10
    for row in rows:
        assert re.search(rf"{re.escape(row[1].replace('`', ''))}: {float(row[2]):.3g}\b", speed), row


@pytest.mark.parametrize(("language", "said"), [("en", "45 of 104 documents removed"), ("zh", "45")])
def test_the_report_of_the_sample_is_embedded(site, pages, browser, language, said):
    page = f"{language}/live.html"
    assert f"../files/report-{language}.html" in pages[page].loads
    assert any(resolved(f"{language}/index.html", link)[0] == page for link in pages[f"{language}/index.html"].links)
    browser.driver.get((site / page).as_uri())
    browser.driver.switch_to.frame(browser.find("iframe.live-report"))
    try:
        browser.until("document.documentElement.dataset.drawn === 'true'")
        assert said in browser.text("#overview")
    finally:
        browser.driver.switch_to.default_content()


def test_the_session_shows_what_the_command_printed(site):
    assert "59 (56.7%)" in (site / "en" / "recording.html").read_text("utf-8")
    assert "近似重复 duplicate" in (site / "zh" / "recording.html").read_text("utf-8")


def found(browser, site, language, query):
    """Addresses of the pages that a search from the disk finds, in their order."""
    browser.driver.get(f"{(site / language / 'search.html').as_uri()}?q={query}")
    browser.until("document.querySelector('#search-results').dataset.done === 'true'")
    return browser.js(
        "return [...document.querySelectorAll('#search-results li > a')].map(a => a.getAttribute('href').split('#')[0])"
    )


def quotes(browser):
    return browser.js("return [...document.querySelectorAll('#search-results mark')].map(m => m.textContent)")


@pytest.mark.parametrize(
    ("language", "query", "page"),
    [("zh", "去重", "index.html"), ("zh", "编号", "relations.html"), ("zh", "近似重复", "relations.html"), ("zh", "似重", "relations.html"),
     ("zh", "召回率", "guide/evaluation.html"), ("zh", "minhash 签名", "methods/minhash.html"), ("zh", "转", "guide/chains.html"),
     ("en", "winnowing", "methods/winnowing.html"), ("en", "near-duplicates", "index.html"), ("en", "rethreshold", "api/results.html"),
     ("en", "天气", "guide/inspect.html")],
)  # fmt: skip
def test_search_finds_words_from_the_disk(browser, site, language, query, page):
    browser.said()
    browser.asked()
    assert page in found(browser, site, language, query)
    assert quotes(browser)
    assert browser.said() == [] and browser.asked() == []


def test_chinese_queries_find_the_pages_that_have_them(browser, site):
    """Compared against: the texts of the pages. A query that is a part of a word finds every page that has it."""
    script = (site / "zh" / "_static" / "texts.js").read_text("utf-8")
    texts = json.loads(script.removeprefix("window.pageTexts=").removesuffix(";\n"))
    for query in ("近似重", "阈值", "布隆过滤器"):
        having = {f"{page}.html" for page, text in texts.items() if query in text}
        assert having and having <= set(found(browser, site, "zh", query)), query


def test_a_search_for_nothing_that_is_there_says_so(browser, site):
    assert found(browser, site, "zh", "龘龘") == []
    assert browser.text("#search-results .search-summary") == "没有同时包含这些词的页面。"


@pytest.mark.parametrize(("width", "dark"), SCREENS)
def test_axe_finds_nothing_and_pages_fit_the_screen(browser, site, width, dark):
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed (test group)")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")
    browser.screen(width, 844 if width < 600 else 900, dark)
    for number, address in enumerate(AXE_PAGES):
        language = LANGUAGES[(number + dark) % 2]
        browser.driver.get((site / language / f"{address}.html").as_uri())
        browser.js(script)
        violations = browser.driver.execute_async_script(
            "const done = arguments[0]; axe.run().then(r => done(r.violations.map(v => [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 160))])))"
        )
        assert violations == [], (language, address)
        assert browser.js("return document.documentElement.scrollWidth <= innerWidth"), (language, address)
        browser.shoot(f"site-{language}-{address.replace('/', '-')}-{width}{'-dark' if dark else ''}")


@pytest.mark.parametrize("width", [1300, 390])
def test_wide_tables_scroll_by_themselves(browser, site, width):
    browser.screen(width, 844)
    browser.driver.get((site / "en" / "results" / "systems.html").as_uri())
    assert browser.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    wide = browser.js(
        "return [...document.querySelectorAll('.table-wrapper')].filter(t => t.scrollWidth > t.clientWidth).map(t => getComputedStyle(t).overflowX)"
    )
    assert wide and set(wide) == {"auto"}
