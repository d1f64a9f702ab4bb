"""Covers: the character set of a page, declared rightly, wrongly, twice, not at all. Run: pytest tests/unit/pages."""

import pytest

pytest.importorskip("resiliparse", reason="the extra html is not installed")

from quchong.pages.charset import charset_of, to_utf8

SIMPLIFIED = "网页去重的方法很多，这里说明其中一种。新闻网站常常转载同一篇文章，读者因此看到许多重复的内容。"
TRADITIONAL = "網頁去重的方法很多，這裡說明其中一種。新聞網站常常轉載同一篇文章，讀者因此看到許多重複的內容。"
SAID = ["utf-8", "gb2312", "gbk", "big5", "iso-8859-1", "windows-1251", "shift_jis", "utf-16", "nonsense", "", "x" * 60]
WRITTEN = [
    (SIMPLIFIED, "utf-8"),
    (SIMPLIFIED, "gbk"),
    (SIMPLIFIED, "gb18030"),
    (TRADITIONAL, "big5"),
    (TRADITIONAL, "utf-8"),
]


def page(text, said):
    return f'<html><head><meta charset="{said}"><title>{text[:8]}</title></head><body><p>{text}</p></body></html>'


@pytest.mark.parametrize(("text", "written"), WRITTEN)
@pytest.mark.parametrize("meta", SAID)
@pytest.mark.parametrize("header", [None, *SAID])
def test_bytes_go_before_what_is_said(text, written, meta, header):
    html = page(text, meta)
    said = header if header is None else f"text/html; charset={header}"
    assert to_utf8(html.encode(written), said).decode() == html


@pytest.mark.parametrize(("text", "written"), WRITTEN)
@pytest.mark.parametrize("length", [4, 6, 10, 20])
def test_short_pages(text, written, length):
    assert to_utf8(text[:length].encode(written)).decode() == text[:length]


@pytest.mark.parametrize(("text", "written"), WRITTEN)
def test_broken_and_cut_pages(text, written):
    raw = page(text * 5, "utf-8").encode(written)
    assert text[-20:] in to_utf8(raw[:200] + b"\xff" + raw[200:] + b"\x80").decode()
    for cut in range(1, 5):
        assert to_utf8(text.encode(written)[:-cut]).decode().startswith(text[:40])


@pytest.mark.parametrize("written", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_marks_and_wide_characters(written):
    html = page(SIMPLIFIED, "gb2312")
    assert to_utf8(html.encode(written), "text/html; charset=gbk").decode() == html


@pytest.mark.parametrize(
    ("text", "written", "said"),
    [
        ("C'est une journée d'été à la forêt, où les élèves étaient déjà arrivés.", "cp1252", ""),
        ("Größe und Übermaß", "latin-1", "iso-8859-1"),
        ("Это русский текст о погоде в городе.", "cp1251", "windows-1251"),
        ("これは日本語の文章です。天気がよいので散歩をします。", "cp932", "shift_jis"),
        ("これは日本語の文章です。天気がよいので散歩をします。", "euc-jp", "euc-jp"),
        ("오늘은 날씨가 좋아서 산책을 했습니다.", "cp949", "ks_c_5601-1987"),
    ],
)
def test_other_languages_where_they_are_declared(text, written, said):
    assert to_utf8(text.encode(written), f"text/html; charset={said}").decode() == text
    assert text in to_utf8(page(text, said).encode(written)).decode()


def test_header_before_meta_where_both_fit():
    raw = page("é", "windows-1254").encode("cp1252")
    assert charset_of(raw, "text/html; charset=windows-1252") == "cp1252"
    assert charset_of(raw) == "cp1254"


def test_nothing_and_ascii():
    assert to_utf8(b"") == b""
    assert charset_of(b"<p>abc") == "utf-8"
