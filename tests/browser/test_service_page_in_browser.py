"""Covers: the page of a service in a real browser: paste, drop, matches and marks, counts, tokens, errors, languages, hostile text, axe.

Compared against: what the index answers. Run: pytest tests/browser/test_service_page_in_browser.py.
"""

import json
import unicodedata
from pathlib import Path

import pytest

import quchong as qc

pytest.importorskip("uvicorn", reason="Uvicorn is not installed (extra serve)")
from quchong.serve.access import add_caller, remove_caller
from quchong.serve.limits import Limits
from quchong.serve.server import Server

ROOT = Path(__file__).parents[2]
NEWS = ROOT / "examples" / "news.jsonl"
ROWS = {row["id"]: row for row in map(json.loads, NEWS.read_text("utf-8").splitlines())}
OPEN = "document.getElementById('pair').open"
COUNTED = "document.querySelector('[data-count=documents]').textContent !== '–'"
TROUBLE = "!document.getElementById('trouble').hidden"


class Visit:
    """The page of a service in the browser."""

    def __init__(self, browser, server, index):
        self.browser, self.server, self.index = browser, server, index

    def __call__(self, language="en", **screen):
        self.browser.screen(**screen)
        self.browser.driver.get(self.server.url)
        self.browser.js("sessionStorage.clear(); localStorage.clear(); localStorage['quchong.language'] = arguments[0]", language)  # fmt: skip
        self.browser.driver.get(self.server.url)
        assert self.browser.js("return document.documentElement.dataset.drawn") == "true"
        return self.browser

    def paste(self, text):
        self.browser.js(
            "const a = document.getElementById('given'); a.value = arguments[0]; a.dispatchEvent(new Event('input'))",
            text,
        )

    def ask(self, text):
        """Pastes and asks; returns the answer in one sentence."""
        self.paste(text)
        self.browser.find("#send").click()
        return self.answered()

    def answered(self):
        self.browser.until(f"document.querySelector('.verdict') || {TROUBLE}")
        return self.browser.text(".verdict")

    def take(self, name, text, charset="utf-8"):
        """Chooses a file as the button does."""
        self.browser.driver.execute_async_script(
            "const [bytes, name, done] = arguments; quchong.takeFile(new File([new Uint8Array(bytes)], name)).then(done)",
            list(text if isinstance(text, bytes) else text.encode(charset)),
            name,
        )

    def trouble(self):
        self.browser.until(TROUBLE)
        return self.browser.text("#trouble")

    def compare(self, k=0):
        self.browser.js("document.querySelector(`[data-match='${arguments[0]}']`).click()", k)
        self.browser.until(OPEN)


@pytest.fixture
def serve(browser, tmp_path):
    """Makes a service over documents, and its page."""
    closing = []
    browser.driver.get("about:blank")
    browser.said()
    browser.asked()

    def started(documents=NEWS, settings=None, **more):
        index = qc.Index.create(tmp_path / "seen", **(settings or {}))
        closing.append(index.close)
        index.add(documents)
        server = Server(index, port=0, **more)
        server.__enter__()
        closing.append(lambda: server.__exit__(None, None, None))
        return Visit(browser, server, index)

    yield started
    addresses = {url.split("/", 3)[2].split(":")[0] for url in browser.asked()}
    browser.driver.get("about:blank")
    for close in reversed(closing):
        close()
    assert addresses <= {"127.0.0.1"}  # no request leaves the machine
    browser.asked()
    # What a page of ours breaks is told here; that a request was refused is told by the tests.
    assert [one for one in browser.said() if "Failed to load resource" not in one] == []


def test_a_pasted_copy_is_shown_beside_what_it_is_a_copy_of(serve):
    visit = serve()
    browser = visit()
    text = ROWS["n011"]["text"]
    visit.paste(text)
    browser.find("#given").send_keys("\ue009", "\ue007")  # Ctrl-Enter
    assert visit.answered() == "Copy: n010 is kept, and your text would be removed"
    told = [one.text for one in browser.all(".match")]
    best = visit.index.query(text, passages=True).matches
    assert [one.id for one in best] == ["n011", "n010"]
    assert "exact" in told[0] and "n011" in told[0] and "removed in the index" in told[0] and "equal normal form" in told[0]  # fmt: skip
    assert f"{best[1].jaccard:.3f}" in told[1] and "kept instead of your text" in told[1]
    assert "Facts in conflict: term" in told[1] and told[1].index("amend → change") < told[1].index("wording")
    browser.shoot("serve-answer-en")
    visit.compare(1)
    sides = browser.js("return [...document.querySelectorAll('#pair .text')].map(n => n.textContent)")
    browser.js("quchong.folding = false; quchong.showPair()")
    for k, (side, other) in enumerate(zip(browser.all("#pair .text"), (text, visit.index.text("n010")), strict=True)):
        assert browser.js("return arguments[0].textContent", side).replace("‸", "") == other, sides[k]
    marked = browser.js("return [...document.querySelectorAll('#pair .text mark.same')].map(n => n.textContent).join('')")  # fmt: skip
    assert all(
        text[p.start : p.end].replace(" ", "")[:20] in marked.replace(" ", "").replace("‸", "")
        for p in best[1].passages
    )
    differing = browser.js("return [...document.querySelectorAll('#pair .text .diff.conflict')].map(n => n.textContent)")  # fmt: skip
    assert differing == ["amend", "change"]
    assert [one.text for one in browser.all("#pair .side .tag")] == ["your text", "kept in the index"]
    browser.find("#pair").send_keys("n")
    assert browser.text(".difference-at") == "1 of 4"
    browser.find("#pair").send_keys("\ue012")  # to the left: the match before
    browser.until("document.querySelectorAll('#pair .doc-id')[1].textContent === 'n011'")
    assert browser.js("return document.activeElement.closest('#pair') !== null")
    browser.shoot("serve-pair-en")
    browser.find("#pair").send_keys("\ue00c")
    browser.until(f"!{OPEN}")


def test_what_is_new_is_called_so_and_nothing_is_added(serve):
    visit = serve()
    browser = visit()
    assert visit.ask("一段谁也没有写过的话，说的是灯塔、海雾和一只不肯飞走的鸟。" * 3) == "New: the index has no document like this text"  # fmt: skip
    assert browser.all(".match") == [] and len(visit.index) == len(ROWS)
    visit.ask("   \n ")
    assert "There is no text to look up: paste a text, or choose a file" in visit.trouble()


def test_what_covers_a_passage_and_wide_characters_are_marked_where_they_are(serve):
    base = "".join(f"第{n}段讲的是第{n}号渡口怎样在夜里靠岸，船工怎样数灯。" for n in range(1, 9))
    kept = "😀🚢" + base + "末尾说票价是25元。"
    visit = serve([{"id": "k", "text": kept}])
    browser = visit()
    given = "🎉🎉🎉" + base + "末尾说票价是35元。"
    visit.ask(given)
    visit.compare()
    browser.js("quchong.folding = false; quchong.showPair()")
    texts = browser.js("return [...document.querySelectorAll('#pair .text')].map(n => n.textContent.replaceAll('‸', ''))")  # fmt: skip
    assert texts == [given, kept]
    figures = browser.js("return [...document.querySelectorAll('#pair .text .diff.conflict')].map(n => n.textContent)")
    assert [one.strip("元") for one in figures] == ["🎉", "35", "😀🚢", "25"]  # a row of one symbol is named once


def test_a_long_text_is_shown_around_what_differs_first_of_all_in_facts(serve):
    base = [f"第{n}段讲的是第{n}号渡口怎样在夜里靠岸，船工怎样数灯。" for n in range(2400)]
    middle = len(base) // 2
    kept = "".join([*base[:middle], "票价是25元。", *base[middle:]])
    visit = serve([{"id": "k", "text": kept}])
    browser = visit()
    visit.ask("".join(["卷首语一则。", *base[:middle], "票价是35元。", *base[middle:]]))
    visit.compare()
    sides = browser.js("return [...document.querySelectorAll('#pair .text')].map(n => n.textContent)")
    assert "票价是35元" in sides[0] and "票价是25元" in sides[1]
    assert all(len(one) < 21_000 and f"第{middle}段" in one and "第0段" not in one for one in sides)
    figures = browser.js("return [...document.querySelectorAll('#pair .text .diff.conflict')].map(n => n.textContent)")
    assert "".join(figures) == "35元25元" and browser.all("#pair button.fold")


def test_files_are_read_by_their_name_and_charset(serve):
    page = "<!doctype html><html><head><title>x</title></head><body><nav>首页 | 新闻</nav><article><p>{}</p></article></body></html>"  # fmt: skip
    visit = serve()
    browser = visit()
    text = ROWS["n005"]["text"]
    visit.take("copy.txt", text, "gb18030")
    browser.find("#send").click()
    assert "n006" in visit.answered() or "n005" in visit.answered()
    assert "exact" in browser.text(".match")
    browser.find("#remove").click()
    assert browser.js("return document.activeElement.id") == "given" and browser.all(".verdict") == []
    visit.take("copy.HTML", page.format(text.replace("\n", "</p><p>")))
    assert browser.js("return document.getElementById('kind').value") == "page"
    browser.find("#send").click()
    visit.answered()
    visit.compare()
    left = browser.js("return document.querySelector('#pair .text').textContent")
    assert "首页" not in left and "<p>" not in left and text[:12] in left  # the text that was read, not the page
    browser.find("#pair").send_keys("\ue00c")
    browser.find("#clear").click()
    visit.take("record.json", json.dumps(ROWS["n003"]))
    assert browser.js("return document.getElementById('kind').value") == "record"
    browser.find("#send").click()
    assert "n002" in visit.answered()
    browser.find("#clear").click()
    visit.take("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00\xff\xff")
    assert "picture.png is not text" in visit.trouble()


def test_a_dropped_file_is_taken_and_a_file_over_the_limit_is_told(serve):
    visit = serve(limits=Limits(body=4096))
    browser = visit()
    drop = (
        "const t = new DataTransfer(); t.items.add(new File([arguments[0]], arguments[1]));"
        "for (const name of ['dragover', 'drop']) document.body.dispatchEvent(new DragEvent(name, {dataTransfer: t, bubbles: true, cancelable: true}))"
    )
    browser.js(drop, ROWS["n003"]["text"], "n3.txt")
    browser.until("document.querySelector('.file')")
    assert browser.text(".file").startswith("File: n3.txt, 2 KB")
    assert not browser.js("return document.documentElement.classList.contains('dropping')")
    browser.js(drop, "长" * 4000, "long.txt")
    assert visit.trouble() == "The text is too large: the service accepts at most 4 KB, but the text has 12 KB."
    browser.find("#clear").click()
    visit.paste("长" * 1366)
    browser.find("#send").click()
    assert "the text has 5 KB" in visit.trouble()


def test_matches_beyond_ten_are_folded(serve):
    base = "".join(f"The {n}th ferry left the quay at dusk while the keeper counted lamps along the wall. " for n in range(30))  # fmt: skip
    rows = [{"id": k, "text": base + f"Ending number {k}: " + "abcdefghijklm"[k] * 4} for k in range(13)]
    visit = serve(rows)
    browser = visit()
    visit.ask(base + "One more ending.")
    found = len(visit.index.query(base + "One more ending.").matches)
    assert found > 10
    assert len([one for one in browser.all(".match") if one.is_displayed()]) == 10
    assert browser.text(".further summary") == f"{found - 10} more documents"
    browser.find(".further summary").click()
    browser.until("document.querySelectorAll('.match').length === arguments[0]", found)
    visit.compare(found - 1)
    assert browser.text("#pair .control .soft") == f"{found} of {found}"


def test_counts_are_alive_and_rest_while_nobody_looks(serve, monkeypatch):
    monkeypatch.setattr("quchong.serve.service.FRESH_SECONDS", 0.0)
    visit = serve()
    browser = visit()
    shown = "[...document.querySelectorAll('[data-count]')].map(n => n.textContent).join()"
    figures = visit.index.stats()
    browser.until(f"{shown} === arguments[0]", f"{figures.documents},{figures.kept},{figures.pairs}")
    visit.index.add({"id": "later", "text": "后来才到的一篇，谁也没有见过。"})
    browser.until(f"{shown}.startsWith(arguments[0])", f"{figures.documents + 1},")  # by itself
    browser.js("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    browser.js("document.dispatchEvent(new Event('visibilitychange'))")
    browser.asked()
    browser.driver.execute_async_script("quchong.count().then(arguments[0])")
    assert browser.asked() == []
    browser.js("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
    browser.until("performance.getEntriesByType('resource').filter(one => one.name.endsWith('/stats')).length > 2")


def test_a_token_is_asked_for_kept_in_this_tab_and_forgotten(serve, tmp_path):
    access = tmp_path / "callers"
    token = add_caller(access, "reader", "read")
    add_caller(access, "other", "admin")
    visit = serve(access=access)
    browser = visit()
    assert browser.js("return document.activeElement.id") == "token" and "–" in browser.text("#counts")
    assert browser.asked() != [] and browser.said() == []  # nothing is asked before there is a token
    visit.paste(ROWS["n011"]["text"])
    browser.find("#send").click()
    assert "Enter an access token first" in visit.trouble()
    for wrong in ("qc_wrong", "令牌"):
        browser.find("#token").send_keys(wrong, "\n")
        browser.until("document.getElementById('trouble').textContent.includes('does not know this token')")
        assert browser.js("return [document.activeElement.id, sessionStorage.length]") == ["token", 0]
        browser.js("quchong.trouble(null)")
    browser.find("#token").send_keys(token, "\n")
    browser.until(COUNTED)
    assert not browser.all("#token") and token not in browser.js("return document.documentElement.outerHTML")
    assert browser.js("return [sessionStorage.length, localStorage.length]") == [1, 1]
    browser.find("#send").click()
    assert "n010" in visit.answered()
    browser.driver.refresh()
    browser.until(COUNTED)
    remove_caller(access, "reader")  # replaced while the page is open
    browser.js("quchong.count()")
    assert "does not know this token" in visit.trouble()
    assert browser.js("return sessionStorage.length") == 0 and browser.text("[data-count=documents]") == "–"
    browser.find("#token").send_keys(add_caller(access, "again", "read"), "\n")
    browser.until(COUNTED)
    browser.find("#forget").click()
    assert browser.js("return sessionStorage.length") == 0 and browser.all("#token")
    browser.shoot("serve-token-en")


def test_too_many_requests_and_late_answers_are_told_in_the_language_of_the_page(serve):
    visit = serve(limits=Limits(rate=0.05))
    browser = visit("zh")
    visit.paste("问到不让问为止。")
    for _ in range(3):
        browser.find("#send").click()
        browser.until("document.getElementById('send').getAttribute('aria-disabled') !== 'true'")
    assert visit.trouble().startswith("服务正忙，请 ") and browser.all(".verdict") == []
    assert any("429" in one for one in browser.said())
    browser.choose("#language", "en")
    assert visit.trouble().startswith("The service is too busy at the moment. Ask again in ")


def test_a_service_that_takes_too_long_or_is_gone_is_told(serve):
    visit = serve(limits=Limits(answer_seconds=1e-9))
    browser = visit("zh")
    browser.until(COUNTED)
    visit.paste("问一下。")
    browser.find("#send").click()
    said = visit.trouble()
    assert said.startswith("服务暂时无法回答，请 5 秒后再试。") and "请重发" in said
    browser.choose("#language", "en")
    assert visit.trouble() == "The service cannot answer at the moment. Ask again in 5 s."
    visit.server.__exit__(None, None, None)
    browser.find("#send").click()
    browser.until("document.getElementById('trouble').textContent.startsWith('The service does not answer')")
    browser.js("quchong.count()")
    browser.until("document.querySelector('#counts .soft')")
    assert "does not answer at the moment" in browser.text("#counts") and browser.text("[data-count=kept]") != "–"


def test_an_index_without_texts_says_that_nothing_can_be_compared(serve):
    visit = serve(settings={"store": "features"})
    browser = visit()
    visit.ask(ROWS["n011"]["text"])
    assert browser.all("[data-match]") == [] and "stores no texts" in browser.text("#answer")


def test_the_page_speaks_chinese_and_the_service_with_it(serve):
    visit = serve()
    browser = visit("zh")
    assert visit.ask(ROWS["n007"]["text"]) == "见过：保留 n005，这篇会被删除"
    told = browser.text("#answer")
    assert "近似重复" in told and "冲突的事实：用词" in told and "你的文本 → 索引中的文档：" in told
    browser.shoot("serve-answer-zh")
    visit.compare(1)
    assert "你的文本" in browser.text("#pair") and "公共片段" in browser.text("#pair")
    browser.find("#pair").send_keys("\ue00c")
    browser.choose("#kind", "record")
    browser.find("#send").click()
    assert "请求失败" in visit.trouble() and "JSON" in visit.trouble()
    assert browser.js("return document.documentElement.lang") == "zh-Hans"


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_needs_no_sideways_scrolling(serve, dark):
    visit = serve()
    browser = visit("zh" if dark else "en", width=390, height=844, dark=dark)
    visit.ask(ROWS["n007"]["text"])
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    browser.shoot(f"serve-phone-{'dark' if dark else 'light'}")
    visit.compare(1)
    assert browser.js("const d = document.getElementById('pair'); return d.scrollWidth <= d.clientWidth")
    browser.shoot(f"serve-phone-pair-{'dark' if dark else 'light'}")


@pytest.mark.parametrize(("width", "dark"), [(1280, True), (390, False)])
def test_nothing_serious_is_found_by_axe(serve, tmp_path, width, dark):
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed (test group)")
    script = (Path(axe.__file__).parent / "axe.min.js").read_text("utf-8")
    access = tmp_path / "callers"
    token = add_caller(access, "reader", "read")
    visit = serve(access=access)
    browser = visit(width=width, dark=dark)

    def findings(where):
        browser.js(script)
        return browser.driver.execute_async_script(
            "const done = arguments[1]; axe.run(arguments[0]).then(r => done(r.violations.map(v => [v.impact, v.id, v.nodes.map(n => n.html.slice(0, 200))])))",
            where,
        )

    browser.find("#send").click()
    visit.trouble()
    assert findings("body") == []
    browser.find("#token").send_keys(token, "\n")
    browser.until(COUNTED)
    visit.ask(ROWS["n007"]["text"])
    assert findings("body") == []
    visit.take("a.html", "<p>" + ROWS["n007"]["text"])
    assert findings("body") == []
    visit.compare(1)
    assert [one for one in findings("#pair") if one[0] in ("serious", "critical")] == []


SCRIPT = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><!-- <svg onload=window.hacked=3>"
BIDI = "right\u202eto left\u2066inside\u200b"


def test_hostile_text_is_shown_as_text(serve):
    news = [ROWS[id]["text"] for id in ("n001", "n002", "n005", "n010", "n022")]
    bodies = {
        f"{SCRIPT} a/b?c#d%": SCRIPT + news[0], f"bidi {BIDI}": BIDI + news[1], "../x": news[2] + "长" * 60_000,
        "word": "w" * 10_000 + " " + news[3], "__proto__": "a\x1b[31mb\x07\r\n" + news[4],
    }  # fmt: skip
    visit = serve([{"id": id, "text": text} for id, text in bodies.items()])
    browser = visit()
    scripts, shown = browser.js("quchong.folding = false; return document.scripts.length"), ""
    for id, text in bodies.items():
        visit.take(f"{SCRIPT}.txt", SCRIPT + text)
        shown += browser.text("#ask")
        browser.find("#send").click()
        browser.until("document.querySelector('.match')")
        shown += browser.text("#answer")
        visit.compare()
        assert visit.index.query(SCRIPT + text).matches[0].id == id
        shown += browser.text("#pair")
        assert browser.js("const d = document.getElementById('pair'); return d.scrollWidth <= d.clientWidth")
        assert browser.js("return document.querySelectorAll('img, svg, #pair script, main script').length") == 0
        assert len(browser.js("return document.querySelectorAll('#pair .text')[1].textContent")) > 20
        browser.find("#pair").send_keys("\ue00c")
        browser.find("#clear").click()
    assert browser.js("return [window.hacked, document.scripts.length]") == [None, scripts]
    for words in ("window.hacked = 1", "rightU+202Eto left", "aU+001B[31mb", "w" * 50, "__proto__", "a/b?c#d%"):
        assert words in shown, words
    controls = [c for c in shown if unicodedata.bidirectional(c) in ("RLO", "LRO", "RLI", "LRI", "FSI", "PDI", "PDF")]
    assert controls == [] and not set("\x1b\x07") & set(shown)
    assert browser.js("return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    visit.take("error.txt", "x")
    browser.choose("#kind", "record")
    browser.find("#send").click()
    assert "The request failed." in visit.trouble()


def test_the_policy_forbids_what_the_page_does_not_need(serve):
    visit = serve()
    browser = visit()
    browser.until(COUNTED)
    assert browser.said() == []
    tried = browser.driver.execute_async_script(
        "const done = arguments[0], s = document.createElement('script'); s.textContent = 'window.hacked = 1'; document.body.append(s);"
        "fetch('http://localhost:1/').then(() => done('sent'), () => done(String(window.hacked)))"
    )
    assert tried == "undefined"
    said = browser.said()
    assert len([one for one in said if "Content Security Policy" in one or "violates" in one]) >= 2, said
