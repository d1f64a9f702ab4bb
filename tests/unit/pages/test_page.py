"""Covers: what is read from a page: body, weights of lines, title, time, address. Run: pytest tests/unit/pages."""

import json
import sys

import pytest

pytest.importorskip("resiliparse", reason="the extra html is not installed")

from quchong.errors import UsageError
from quchong.pages import BODIES, read_page
from quchong.pages.body import best_run, lines_of
from quchong.pages.metadata import when, without_site

ONE = "网页去重的方法很多，这里只说明其中的一种，它先找出正文，再比较正文里的句子。"
TWO = "同一篇文章常常被许多网站转载，版面和广告各不相同，正文却几乎没有改动。"
THREE = "所以应当先把菜单、推荐和评论去掉，剩下的段落才拿来比较，结果会好得多。"

NEWS = f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>怎样去掉重复的网页_某某新闻</title>
<link rel="canonical" href="https://news.example.cn/a/1.html"><style>p{{color:red}}</style><script>var p = "<p>假的</p>";</script></head>
<body><div class="top"><a href="/">首页</a> <a href="/n">新闻</a> <a href="/s">体育</a></div>
<div class="path"><a href="/">首页</a> &gt; <a href="/n">新闻</a> &gt; 正文</div>
<h1>怎样去掉重复的网页</h1><div>2019年09月07日 19:53 来源：某某日报</div><div>分享到：<a href="#">微博</a><a href="#">微信</a></div>
<p>{ONE}</p><p><strong>一、为什么</strong></p><p>{TWO}<b>不多</b></p><h3>怎么办</h3><p>{THREE}</p>
<p>（责任编辑：某某）</p><h4>相关阅读</h4><ul><li><a href="1">另一条不相干的新闻标题在这里</a></li><li><a href="2">又一条新闻，也在这里</a></li></ul>
<div>热门评论</div><p>{ONE}我也这样想，说得对。</p><p>3小时前 回复</p>
<div>版权所有 2019 某某网</div></body></html>"""


def test_a_page_of_news():
    page = read_page(NEWS.encode("gbk"))
    assert page.text.split("\n") == [ONE, "一、为什么", TWO + "不多", "怎么办", THREE]
    assert page.blocks == "pbp3p"
    assert page.title == "怎样去掉重复的网页"
    assert not any(c < " " and c != "\n" for c in page.text)
    assert page.time == "2019-09-07T19:53:00"
    assert page.url == "https://news.example.cn/a/1.html"
    assert read_page(NEWS) == page


def test_all_visible_text():
    page = read_page(NEWS, "all")
    assert "首页" in page.text
    assert "版权所有" in page.text
    assert "假的" not in page.text
    assert len(page.blocks) == len(page.text.split("\n"))


@pytest.mark.parametrize("body", ["main", "all"])
@pytest.mark.parametrize(
    "html",
    [
        "",
        " ",
        "<p>",
        "x",
        "<p>\u200b</p>",
        "<p>a&#133;b&#8232;c\u2028d</p><p>\u00a0</p>",
        "<pre>a\n\n b\f\nc\r\n</pre>",
        "<p>&#1;&#2;&#3;&#14;x</p>",
        NEWS,
    ],
)
def test_one_weight_a_line_and_no_empty_line(html, body):
    page = read_page(html, body)
    lines = page.text.split("\n") if page.text else []
    assert len(page.blocks) == len(lines) == len(page.text.splitlines())
    assert all(line.strip() for line in lines)
    assert set(page.blocks) <= set("123456bp")
    assert not any(c < " " for c in page.text.replace("\n", "").replace("\t", ""))


def test_a_body_called_a_menu_is_found():
    html = f'<div class="menu" role="navigation"><p>{ONE}</p><p>{TWO}</p><p>{THREE}</p></div>'
    assert read_page(html).text.split("\n") == [ONE, TWO, THREE]


def test_a_body_hidden_until_scripts_run():
    html = f'<div style="visibility: hidden; opacity: 0"><p>{ONE}</p><p>{TWO}</p></div><div style="display: none">{THREE}</div>'
    assert read_page(html).text.split("\n") == [ONE, TWO]


def test_a_body_in_a_script():
    markup = "".join(f"<p>{line}</p>" for line in (ONE, TWO, THREE) * 2)
    script = json.dumps({"title": "某某", "content": markup})
    for html in (
        f"<div id=app></div><script>window.DATA = {script}</script>",
        "<script>var d = {content: '" + markup.replace("<", "&lt;").replace(">", "&gt;") + "'}</script>",
        '<script type="application/ld+json">'
        + json.dumps([{"@graph": {"articleBody": "\n".join([ONE, TWO, THREE])}}])
        + "</script>",
    ):
        assert read_page(html).text.split("\n")[:3] == [ONE, TWO, THREE]


def test_weights_come_from_marks():
    marked = "\x0e\x01Title\x02\n\x03all\x04 \x03bold\x04\n\x03some\x04 plain\n\x01link\x02\nplain"
    assert [(line.text, line.block, line.linked) for line in lines_of(marked)] == [
        ("Title", "1", 5), ("all bold", "b", 0), ("some plain", "p", 0), ("link", "p", 4), ("plain", "p", 0),
    ]  # fmt: skip
    assert best_run([]).sum == 0


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2019年09月07日 19:53", "2019-09-07T19:53:00"),
        ("2019年9月7日19时53分", "2019-09-07T19:53:00"),
        ("2019-11-25 11:01:53　来源: 新京报", "2019-11-25T11:01:53"),
        ("发布时间：2019/1/2", "2019-01-02"),
        ("2019.12.31 下午 3:05", "2019-12-31T15:05:00"),
        ("2019-09-07T13:43:45+08:00", "2019-09-07T13:43:45+08:00"),
        ("2019-09-07T13:43:45.123Z", "2019-09-07T13:43:45+00:00"),
        ("Sat, 07 Sep 2019 19:53:00 GMT", "2019-09-07T19:53:00"),
        ("2019年13月41日 2019-02-30 2018-05-17", "2018-05-17"),
        ("电话 0351-3985088", None),
        ("", None),
    ],
)
def test_moments(text, moment):
    assert when(text) == moment


@pytest.mark.parametrize(
    ("title", "site", "alone"),
    [
        ("某事发生了以后_某某新闻", "", "某事发生了以后"),
        ("某事发生了以后 怎么办--文化--某民网", "", "某事发生了以后 怎么办"),
        ("Something happened - Some Site", "", "Something happened"),
        ("A well-known thing", "", "A well-known thing"),
        ("Something happened at Some Site", "Some Site", "Something happened at"),
        ("新闻", "新闻", "新闻"),
        ("", "", ""),
    ],
)
def test_titles_without_their_site(title, site, alone):
    assert without_site(title, site) == alone


def test_what_the_page_declares_goes_first():
    html = (
        '<title>T of the page | Site</title><meta property="og:title" content="The &quot;title&quot;"><meta property="og:url" content="//a.example/b?c=1&amp;d=2">'
        '<meta name="Date" content="2001-01-01"><meta property="article:published_time" content="2020-02-29T18:34:31+08:00"><p>2019-09-07 10:00</p>'
    )
    page = read_page(html)
    assert (page.title, page.url, page.time) == (
        'The "title"',
        "https://a.example/b?c=1&d=2",
        "2020-02-29T18:34:31+08:00",
    )
    assert (
        read_page('<link rel="canonical" href="/relative"><meta property="og:url" content="about:blank">x').url is None
    )
    linked = '<script type="application/ld+json">{"datePublished":"2020-03-01"}</script><h1>标题在这里</h1><p>2020-03-01 08:15</p><p>2020-03-02 09:00</p>'
    assert read_page(linked).time == "2020-03-01T08:15:00"
    assert read_page('<time datetime="2020-03-01T10:00">yesterday</time>').time == "2020-03-01T10:00:00"


def test_bodies_that_are_not_there():
    with pytest.raises(UsageError, match="use main, all, accurate"):
        read_page("x", "most")
    assert BODIES == ("main", "all", "accurate")


@pytest.mark.parametrize(
    ("gone", "body", "library"),
    [("resiliparse.extract.html2text", "main", "resiliparse"), ("trafilatura", "accurate", "trafilatura")],
)
def test_a_missing_library_is_named(monkeypatch, gone, body, library):
    monkeypatch.setitem(sys.modules, gone, None)
    with pytest.raises(UsageError, match=rf"pip install .*{library}"):
        read_page(NEWS, body)


def test_the_accurate_road():
    try:
        import trafilatura  # noqa: F401
    except ImportError as error:
        pytest.skip(f"the extra accurate is not installed: {error}")
    page = read_page(NEWS, "accurate")
    assert ONE in page.text
    assert len(page.blocks) == len(page.text.split("\n"))
    assert page.title == "怎样去掉重复的网页"
    assert not any(c < " " and c != "\n" for c in page.text)
