"""Covers: pages that would cost too much, or are none. Run: pytest tests/unit/pages."""

import zlib

import pytest

pytest.importorskip("resiliparse", reason="the extra html is not installed")

import quchong.pages.page as module
from quchong.pages import UnreadablePage, read_page
from quchong.pages.page import LARGEST, LARGEST_TEXT, MOST_TAGS

READ = {
    "levels": (b"<div>" * 100_000 + b"hello " * 20 + b"</div>" * 100_000, "hello"),
    "levels of bold": (b"<b>" * 100_000 + b"hello", "hello"),
    "stray ends": (b"<div></p>" * 100_000 + b"hello", "hello"),
    "lists": (b"<ul><li>x" * 100_000, "x"),
    "open links": (b"<a href=x><div>x" * 100_000, "x"),
    "tables": (b"<table><tr><td>" * 90_000 + b"hello", "hello"),
    "reopened": (b"<p>x<b><i><font color=1>" * 60_000, "x"),
    "script": (b"<p>hello</p><script>" + b'var a="<div>";' * 1_400_000 + b"</script><p>there</p>", "there"),
    "open script": (b"<p>hello</p><script>" + b"<p>x</p>" * 2_000_000, "hello"),
    "attributes": (b"<div " + b" ".join(b"a%d=1" % i for i in range(1_000_000)) + b">hello", "hello"),
    "one attribute": (b'<div class="' + b"x" * 20_000_000 + b'">hello', "hello"),
    "open comment": (b"<p>hello</p><!--" + b"-" * 20_000_000, "hello"),
    "linked data": (b'<script type="application/ld+json">' + b"[" * 1_000_000 + b"</script>hello", "hello"),
    "strings": (b"<script>" + b'content:"' * 500_000 + b"</script>hello", "hello"),
    "entities": (b"&#x1;&#2;&#65533;&lt;b&gt;" * 100_000, "<b>"),
    "one line": (b"<p>" + b"a" * 10_000_000, "aaaa"),
}


TRIED = [(what, body, (i + j) % 2) for i, what in enumerate(READ) for j, body in enumerate(("main", "all"))]


@pytest.mark.parametrize(
    ("what", "body"),
    [pytest.param(what, body, marks=[pytest.mark.campaign] * odd) for what, body, odd in TRIED],
)
def test_what_is_read_with_bounded_work(what, body, work, monkeypatch):
    html, held = READ[what]
    handed, extract = [], module._extracted
    monkeypatch.setattr(module, "_extracted", lambda text, main: handed.append(len(text)) or extract(text, main))
    with work() as done:
        page = read_page(html, body)
    assert done.calls < 4 * len(html) + 10_000
    assert len(handed) <= 3 and max(handed) <= LARGEST_TEXT  # of what the library does natively
    assert what == "lists" or held in page.text  # lists of one letter are no body
    assert len(page.text) <= 3 * len(html)
    assert len(page.blocks) == page.text.count("\n") + bool(page.text)


SKIPPED = {
    "bytes": (b"x" * (LARGEST + 1), f"the page has {LARGEST + 1:,} bytes, but at most {LARGEST:,} bytes are read"),
    "text": (b"<p>" + b"x" * LARGEST_TEXT, r"bytes of text and tags \(scripts are not counted\)"),
    "signs": (b"<" * 5_000_000, r"bytes of text and tags \(scripts are not counted\)"),
    "tags": (b"<i>x" * (MOST_TAGS + 1), f"more than {MOST_TAGS:,} tags"),
    "zeros": (bytes(1_000_000), "binary data"),
    "noise": (
        zlib.compress(str(range(9)).encode() + bytes(range(256)) * 40)[2:] + bytes(range(32)) * 400,
        "binary data",
    ),
    "PDF": (b"%PDF-1.4\n", "a PDF file"),
    "image": (b"\x89PNG\r\n\x1a\n", "an image"),
    "compressed": (b"\x1f\x8b\x08\x00", "decompress it first"),
}


@pytest.mark.parametrize("what", SKIPPED)
def test_what_is_refused_with_its_limit(what, work):
    html, reason = SKIPPED[what]
    with work() as done, pytest.raises(UnreadablePage, match=reason):
        read_page(html)
    assert done.calls < 10_000
