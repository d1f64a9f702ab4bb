"""Covers: one form for all spellings of an address, and its site. Run: pytest tests/unit/pages."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quchong.pages import canonical, host_of, site_of_host, sites


@pytest.mark.parametrize(
    ("url", "one"),
    [
        ("HTTP://WWW.News.com:80/a//b/index.html?utm_source=x&id=3#top", "news.com/a/b?id=3"),
        ("http://news.com/a/b/?id=3", "news.com/a/b?id=3"),
        ("news.com", "news.com"),
        ("//news.com/", "news.com"),
        ("https://news.com:443/a?b=2&a=1&spm=q", "news.com/a?a=1&b=2"),
        ("https://news.com:8443/a;jsessionid=1A2B", "news.com:8443/a"),
        ("https://user:pw@news.com./%7Ea/%e4%b8%ad?x=%20", "news.com/~a/中?x=+"),
        ("http://news.com/a%2fb", "news.com/a%2Fb"),
        ("http://[bad", "http://[bad"),
        ("  ", ""),
    ],
)
def test_canonical(url, one):
    assert canonical(url) == one


@given(st.text(max_size=60))
def test_no_text_is_too_odd(url):
    assert isinstance(canonical(url), str)
    assert isinstance(host_of(url), str)


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://news.sina.com.cn/c/1.shtml", "sina.com.cn"),
        ("http://www.163.com", "163.com"),
        ("https://a.github.io/x", "a.github.io"),
        ("http://10.0.0.1:8080/x", "10.0.0.1"),
        ("http://localhost/x", "localhost"),
        ("", ""),
    ],
)
def test_site(url, site):
    assert site_of_host(host_of(url)) == site


def test_sites_are_as_given_or_of_the_address():
    given = pa.array(["mine", "", None, None], pa.large_string())
    url = pa.array(["http://a.com", "http://b.c.com/", None, "http://d.com.cn/x"], pa.large_string())
    assert sites(given, url).to_pylist() == ["mine", "c.com", None, "d.com.cn"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://例子.cn/a", "http://xn--fsqu00a.cn/a"),
        ("http://a.cn/x/../b/./c", "http://a.cn/b/c"),
        ("http://a.cn/../b", "http://a.cn/b"),
    ],
)
def test_addresses_that_are_one(one, other):
    assert canonical(one) == canonical(other) != ""
