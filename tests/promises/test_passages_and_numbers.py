"""Covers: passages end where characters end: a number in words is several digits in normal form, and none of its characters
alone is one of them.

Compared against: the normal form of what is marked, tokenised by itself. Run: pytest tests/promises/test_passages_and_numbers.py
"""

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quchong as qc
from quchong.kernels.text import tokenise
from quchong.text import form

STEM = "渡口的老船工每天清晨都要把缆绳解开然后等着第一班客人上船如果天气不好他就坐在岸边的茶馆里和人说话直到雾散了才动身去对岸今天一共运了"
number = st.sampled_from(["二十三", "二十一", "23", "21", "一百二十", "120", "三百", "三", "两千零五", "㎏", "kv", "½"])
part = st.lists(number | st.sampled_from([STEM[:40], STEM[10:50], STEM[30:], "船", "，", "。"]), min_size=1, max_size=6)


def normal(texts):
    docs = tokenise(form("standard", "char"), pa.array(texts, pa.large_string())).docs
    return [docs.tokens[docs.offsets[i] : docs.offsets[i + 1]].tolist() for i in range(len(texts))]


@settings(max_examples=300, deadline=None)
@given(part.map("".join), part.map("".join))
def test_passages_of_a_corpus_are_equal_in_normal_form(a, b):
    texts = {"a": a, "b": b}
    table = qc.passages([{"id": name, "text": text} for name, text in texts.items()], min_chars=20).table
    for p in table.to_pylist():
        left, right = normal(
            [texts[p[f"{side}_id"]][p[f"{side}_start"] : p[f"{side}_end"]] for side in ("left", "right")]
        )
        assert (
            left == right and p["characters"] >= 20
        )  # alone a number in words may be read otherwise than beside others


@pytest.mark.parametrize("name", ["mdr", "yap3", "winnowing"])
@settings(max_examples=100, deadline=None)
@given(part.map("".join), part.map("".join))
def test_passages_of_methods_are_equal_in_normal_form(name, a, b):
    for p in qc.align(a, b, method=name, **({"min_length": 20} if name == "mdr" else {})):
        if p.kind == "exact":
            left, right = normal([a[p.start : p.end], b[p.survivor_start : p.survivor_end]])
            assert left == right and left


@pytest.mark.parametrize(("one", "other"), [("二十三", "二十一"), ("二十三", "2"), ("三百", "三十"), ("㎏", "kv")])
def test_a_sentence_with_another_number_is_not_cut(one, other):
    rows = [{"id": x, "text": STEM + x + "。" + rest} for x, rest in ((one, "船上没有别人"), (other, "后来下起了雨"))]
    found = qc.passages(rows)
    (p,) = found.table.to_pylist()
    assert [rows[0]["text"][p["left_start"] : p["left_end"]], rows[1]["text"][p["right_start"] : p["right_end"]]] == [
        STEM
    ] * 2
    assert found.cut().to_pylist() == rows


def test_the_same_number_written_otherwise_belongs_to_the_passage():
    rows = [
        {"id": x, "text": STEM + x + "。" + rest} for x, rest in (("五十二", "船上没有别人"), ("52", "后来下起了雨"))
    ]
    found = qc.passages(rows)
    (p,) = found.table.to_pylist()
    assert p["characters"] == len(STEM) + 2
    assert [r["text"] for r in found.cut().to_pylist()] == ["船上没有别人", rows[1]["text"]]


BEFORE = "前面还有一段完全一样的话，说的是春天的河流和山上的树木以及田野里的花，一直说到傍晚才停下来。"


@pytest.mark.parametrize(
    ("a", "b", "own"),
    [
        ("3.5%", "35%", "35%"),
        ("一共是35。", "一共是350。", "350"),
        ("end of word fix。", "end of word fixing。", "fixing"),
        ("二十三名工人", "三十三名工人", "三十三"),
        ("一百二十三。", "一百二十九。", "一百二十九"),
        ("½亩", "1亩", "1"),
    ],
)
@pytest.mark.parametrize("at", ["sentence", "exact"])
def test_nothing_that_differs_in_a_number_or_word_is_cut(a, b, own, at):
    texts = [f"{BEFORE}其中营业利润增长{x}后来的话。" for x in (a, b)]
    found = qc.passages(texts, min_chars=10)
    exact = found.table.filter(pc.equal(found.table["kind"], "exact")).to_pylist()
    for p in exact:
        left, right = (texts[int(p[f"{s}_id"][-1])][p[f"{s}_start"] : p[f"{s}_end"]] for s in ("left", "right"))
        assert qc.compare(left, right).relation == "exact"
    after = found.cut(at=at)["text"].to_pylist()
    assert (after != texts) == bool(exact)
    assert "".join(after).count(a) == "".join(texts).count(a) and any(own in text for text in after)
