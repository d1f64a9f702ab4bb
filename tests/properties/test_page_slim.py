"""Covers: pages made slim, compiled and in plain Python; that the depth counted is never less than a parser's.

Compared against: the twin, on markup made of the pieces that matter; the parser of the extra html, for depth.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from twins.page import slim as reference

from quchong.kernels.page import slim as native

PIECES = (
    b"< > </ / \" ' = \n \0 \1 &amp; x \xe4\xb8\xad \xff <!-- --> -- ! ? <script> </script> </SCRIPT <style <svg> </svg> <a|href=x>"
    b' <a> </a> <b> </b> <strong> <p> </p> <li> <ul> </ul> </li> <dd> <dt> <div|class="a|b"> </div> <table> <td> <tr> </td>'
    b" </table> <h1> </h1> <H2|id=q> <h9> <hr> <br/> <form|style='display:|NONE'> </form> <title> </title> <meta|name=x>"
    b" <link|rel=canonical> <time|datetime=z> <script|type=application/ld+json> <x-y|hidden> </x-y> <button> </button> <object>"
    b" <span|aria-hidden=true|id=1|ID=2> </span> <a<b> style class= dd> <select> <option> <body> <template> </template>"
).split(b" ")
markup = st.lists(
    st.sampled_from([piece.replace(b"|", b" ") for piece in PIECES]) | st.binary(max_size=3), max_size=40
).map(b"".join)


@settings(max_examples=400, deadline=None)
@given(markup, st.sampled_from([1, 2, 3, 5, 128]), st.sampled_from([0, 3, 10, 300_000]))
def test_both_make_the_same_of_a_page(html, max_depth, max_tags):
    assert tuple(native(html, max_depth, max_tags)) == reference(html, max_depth, max_tags)


TAGS = (
    "a b font span x-y div p li ul dd dt dl h1 h2 table tr td caption button object center form ruby rt option".split()
)
tags = st.lists(st.sampled_from([f"<{t}>" for t in TAGS] + [f"</{t}>" for t in TAGS]), min_size=1, max_size=5)


def deepest(html):
    """Elements within elements in the parsed tree."""
    resiliparse = pytest.importorskip("resiliparse.parse.html")
    deepest, stack = 0, [(resiliparse.HTMLTree.parse(html).document, 0)]
    while stack:
        node, depth = stack.pop()
        deepest = max(deepest, depth)
        stack.extend((child, depth + 1) for child in node.child_nodes)
    return deepest


@settings(max_examples=40, deadline=None)
@given(tags)
def test_what_is_repeated_is_never_nested_deeper_than_allowed(parts):
    """A parser adds the rest of a table to each table, formatting elements again (three of a kind), html and body."""
    thin = native(("x" + "".join(parts) * 100).encode(), 20)
    assert deepest(thin.html.decode()) <= 4 * 20 + 3 * 14 + 4


def test_depth_and_tags_are_bounded_and_text_is_kept():
    thin = native(b"<div>" * 1000 + b"text" + b"</div>" * 1000, 10)
    assert thin.html.count(b"<div>") == 10
    assert b"text" in thin.html
    assert native(b"<i>" * 100, 10, 50).tags == 51


def test_marks_and_facts():
    page = b'<title>T</title><meta name="a"><script>var x="<b>"</script><h2>S</h2><a href="/">l</a><b>f</b>\1\2'
    thin = native(page)
    assert thin.html == b"<!DOCTYPE html><h2>\x0fS</h2><a>\1l\2</a><b>\3f\4</b>"
    assert [(kind, page[start:end]) for kind, start, end in thin.facts] == [("t", b"T"), ("m", b' name="a">')]


@pytest.mark.parametrize("limits", [(0, 1), (1, -1)])
def test_limits_below_their_least(limits):
    with pytest.raises(ValueError, match=r"^(max_depth must be 1|max_tags must be 0) to"):
        native(b"", *limits)
