"""Covers: the page of a service as a file: its words in both languages, its policy, scripts that set text only; and the text that was read.

Compared against: the answers of the index. Run: pytest tests/unit/serve/test_service_page.py.
"""

import http.client
import json
import re
import string

import pytest

import quchong as qc

pytest.importorskip("starlette", reason="Starlette is not installed (extra serve)")
pytest.importorskip("uvicorn", reason="Uvicorn is not installed (extra serve)")
from quchong.serve.page import OWN, SHARED, own_asset, page, serve_words
from quchong.serve.server import Server
from quchong.views.page import asset
from quchong.views.words import words

PAGE = "<!doctype html><html><body><nav>home</nav><article><p>{}</p></article></body></html>"
TEXT = "".join(f"The {n}th ferry left the quay at dusk while the keeper counted lamps along the wall. " for n in range(6))  # fmt: skip


@pytest.fixture
def ask(tmp_path):
    """Asks a service over one document: method, path, body and type; returns status and what it answers."""
    with (
        qc.Index.create(tmp_path / "seen", text="title,text") as index,
        Server(index, port=0) as server,
    ):
        index.add([{"id": "a", "title": "Ferries", "text": TEXT}])

        def asked(method, path, body=None, kind="application/json", **headers):
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            try:
                connection.request(method, path, body, {"content-type": kind, **headers} if body else headers)
                answer = connection.getresponse()
                return answer, answer.read()
            finally:
                connection.close()

        yield asked


def test_the_text_that_was_read_is_told_on_request(ask):
    for body, kind in (
        (json.dumps({"title": "Ferries", "text": TEXT}), "application/json"),
        (PAGE.format(TEXT), "text/html"),
        (TEXT, "text/plain"),
        (json.dumps({"text": TEXT}), "application/json"),  # one of the columns is enough
    ):
        answer, raw = ask("POST", "/query?text=true&passages=1", body, kind)
        said = json.loads(raw)
        assert answer.status == 200 and said["text"] and "<" not in said["text"] and "home" not in said["text"]
        (match,) = said["matches"]
        stored = json.loads(ask("GET", "/documents/a")[1])["text"]
        for one in match["passages"]:
            mine, theirs = said["text"][one["start"] : one["end"]], stored[one["survivor_start"] : one["survivor_end"]]
            assert mine.split() == theirs.split() and len(mine) > 100  # offsets count in what was told
    assert "text" not in json.loads(ask("POST", "/query", TEXT, "text/plain")[1])
    answer, raw = ask("POST", "/query?text=maybe", TEXT, "text/plain")
    assert answer.status == 400 and b"text='maybe'" in raw


def test_the_page_comes_in_the_language_asked_for_with_its_policy(ask):
    for language, tag in (("zh-CN,zh;q=0.9", "zh-Hans"), ("en", "en")):
        answer, raw = ask("GET", "/", **{"accept-language": language})
        text, policy = raw.decode(), answer.headers["content-security-policy"]
        assert f'<html lang="{tag}">' in text
        (within,) = re.findall(r'Policy" content="([^"]+)"', text)
        assert policy == within + "; frame-ancestors 'none'" and "unsafe" not in policy
        assert policy.startswith("default-src 'none'; script-src 'sha256-") and "connect-src 'self'" in policy
        assert len(re.findall("'sha256-", policy)) == len(SHARED) + len(OWN) + 1
        assert answer.headers["x-frame-options"] == "DENY" and answer.headers["cache-control"] == "no-store"


def test_every_word_is_said_in_both_languages():
    own = {key: said for key, said in serve_words().items() if key not in words()}
    assert len(own) > 40 and all(key.startswith("serve.") for key in own)
    for key, said in own.items():
        fields = [sorted(name for _, name, _, _ in string.Formatter().parse(said[tag]) if name) for tag in ("en", "zh")]
        assert set(said) == {"en", "zh"} and fields[0] == fields[1], key
        assert re.search(r"[\u4e00-\u9fff]", said["zh"]) and not re.search(r"[\u4e00-\u9fff]", said["en"]), key


def test_every_word_that_is_asked_for_is_there_and_every_one_is_asked_for():
    source = "\n".join([*map(own_asset, OWN), *map(asset, SHARED[1:])])
    own = {key for key in serve_words() if key not in words()}
    asked = set(re.findall(r"""["'`]([a-z_]+(?:\.[a-z_]+)*)["'`]""", source))
    assert {key for key in own if key not in asked and not key.startswith(("serve.wrong.", "serve.kind."))} <= {
        "serve.documents", "serve.kept", "serve.pairs",
    }  # fmt: skip
    for key in re.findall(r"""q\.t\("([^"]+)"[),]""", source):
        assert key in serve_words(), key
    troubles = {key.removeprefix("serve.wrong.") for key in own if key.startswith("serve.wrong.")}
    assert {one for one in troubles if not re.search(rf'"{one}"', source)} == set()


def test_scripts_set_text_never_html_and_ask_the_service_alone():
    for name in OWN:
        source = own_asset(name)
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|setTimeout\(['\"]", source
        ), name
        assert not re.search(
            r"setAttribute\(\s*['\"](?:style|on\w+)|https?://|XMLHttpRequest|WebSocket|sendBeacon|EventSource", source
        ), name
        assert ("fetch(" in source) == (name == "asking.js")
    assert not re.search(r"\son\w+=|style=|javascript:", own_asset("serve.html"))
    assert "url(" not in own_asset("serve.css") and "@import" not in own_asset("serve.css")


def test_a_page_of_an_index_without_web_pages_offers_none():
    offered = '"given_kinds":["text","record"]'
    assert offered in page(("text", "record"), 1024, "en", tokens=False, texts=True)[0]
