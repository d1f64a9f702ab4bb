"""Covers: signs and units that belong to a figure, in the normal form. Compared against: pairs written down here."""

import re
import unicodedata
from pathlib import Path

import pyarrow as pa
import pytest
from twins import text as ref

import quchong as qc
from quchong import kernels
from quchong.text import form

GUIDE = (Path(__file__).parents[3] / "docs" / "guide" / "dedup.md").read_text("utf-8")
DIFFERENT = [
    ("净利润-5.3%", "净利润+5.3%"), ("净利润−5.3%", "净利润5.3%"), ("净利润+5.3%", "净利润5.3%"), ("增长5.3%", "增长5.3"),
    ("增长5%", "增长5‰"), ("气温-5℃", "气温5℃"), ("气温5℃", "气温5℉"), ("气温5℃", "气温5"), ("售价￥5", "售价$5"), ("售价¥5", "售价5"),
    ("售价5€", "售价5£"), ("（-5.3%）", "（5.3%）"), ("涨幅-5%", "涨幅5%"), ("-$5", "$5"), ("误差±5", "误差5"), ("18+", "18"),
    ("从-5到-3度", "从5到3度"), ("2019年-3.2%", "2019年3.2%"), ("5+3", "5-3"), ("3--5℃", "3-5℃"), ("５％", "５"), ("c++11", "c 11"),
]  # fmt: skip
EQUAL = [
    ("下降−5.3％", "下降-5.3%"), ("下降－5.3%", "下降-5.3%"), ("售价￥5", "售价¥5"), ("售价＄5", "售价$ 5"), ("气温5℃", "气温5 °C"),
    ("涨5 %", "涨5%"), ("涨5\u3000%", "涨5%"), ("3-5天", "3～5天"), ("3天-5天", "3天—5天"), ("5万元-8万元", "5万元—8万元"),
    ("1月5日-3月8日", "1月5日至3月8日".replace("至", "—")), ("2020-01-01", "2020/01/01"), ("A-5", "A 5"), ("010-12345678", "010 12345678"),
    ("3%-5%", "3%—5%"), ("增长一百二十%", "增长120％"), ("COVID-19", "COVID 19"), ("- 5 个", "5 个"), ("--5", "5"),
]  # fmt: skip


def exact(a: str, b: str, **options) -> bool:
    table = qc.dedup([{"id": "a", "text": a}, {"id": "b", "text": b}], recall_sample=0, **options).pairs
    return table["relation"].to_pylist() == ["exact"]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
@pytest.mark.parametrize("options", [{}, {"tokens": "char"}, {"normalise": "plain"}])
def test_what_differs_in_a_sign_or_unit_is_not_exact(a, b, options):
    assert not exact(a, b, **options)


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_spellings_of_a_sign_and_dashes_make_no_difference(a, b):
    assert exact(a, b)


@pytest.mark.parametrize(
    ("text", "want"),
    [("净利−1,234.5 %。", ["净", "利", "-1234.5%"]), ("今-5℃左", ["今", "-5°c", "左"]), ("5°cat", ["5°", "cat"]), ("US$ 5", ["us", "$5"]),
     ("$-5$", ["$-5$"]), ("5 € 10 €", ["5€", "10€"]), ("3℃-5℃", ["3°c", "5°c"]), ("cpi5%", ["cpi5%"])],
)  # fmt: skip
def test_a_figure_and_its_signs_are_one_token_with_their_place(text, want):
    tables = ref.Tables()
    tokens = ref.tokenise(text, tables)
    assert [t.text for t in tokens] == want
    got = kernels.text.tokenise(form(), pa.array([text], pa.large_string()), places=True)
    figure = next(i for i, t in enumerate(want) if any(c.isdigit() for c in t))
    assert (
        ref.plain_signs(text[got.start[figure] : got.end[figure]].replace(",", "")).replace("℃", "°c") == want[figure]
    )


def test_a_long_number_with_a_unit_is_no_figure_still():
    assert (
        ref.tokenise("-1380013800%", ref.Tables())[0].value
        < ref.NUMBER_TOKEN
        <= ref.tokenise("-138001380%", ref.Tables())[0].value
    )


def test_figures_that_differ_in_a_sign_are_a_variant():
    words = "公司今日发布年度业绩报告显示净利润同比变动为{}主要原因是汇率的变化"
    table = qc.dedup([words.format("-5.3%"), words.format("+5.3%")], recall_sample=0).pairs
    assert table["relation"].to_pylist() == ["variant"]


def test_the_place_of_a_shared_passage_holds_the_sign():
    start, end = "第一季度财务报告里写明全公司净利润变动", "这是董事会在周二晚间公布的数据来源"
    a, b = f"甲{start}−5.3%", f"乙{start}-5.3％"
    found = qc.passages([a + "丙" + end, b + "丁" + end], min_chars=16).table.to_pylist()
    assert [a[p["left_start"] : p["left_end"]] for p in found][:1] == [f"{start}−5.3%"]
    assert [b[p["right_start"] : p["right_end"]] for p in found][:1] == [f"{start}-5.3％"]


def listed(line: str) -> list[str]:
    """The signs of one line of the guide's list, those of a range among them."""
    (found,) = re.findall(rf"^- {line}[^`]*(.*)$", GUIDE, re.MULTILINE)
    first, last = (int(one, 16) for one in re.findall(r"U\+([0-9A-F]{4})", found) or ("1", "0"))
    return re.findall(r"`([^`]+)`", found) + [chr(code) for code in range(first, last + 1)]


def told(text: str) -> list[str]:
    return [token.text for token in ref.tokenise(text, ref.Tables())]


def test_the_list_of_the_guide_is_what_the_code_has():
    leading, trailing, none = listed("before a figure"), listed("after a figure"), listed("signs that do not count")
    money = [sign for sign in leading if sign not in "-−+±"]
    assert set(leading) == set(ref.MINUS + ref.PLUS + ref.EITHER + ref.MONEY)
    assert "and the same currency signs" in GUIDE
    assert {unicodedata.normalize("NFKC", sign)[0] for sign in trailing} == set(ref.PARTS + ref.PLUS)
    plain = told("变动5左右")
    for sign in leading:
        assert told(f"变动{sign}5左右") != plain, sign
    for sign in trailing + money:
        assert told(f"变动5{sign}左右") != plain, sign
    for sign in none:
        assert told(f"变动{sign}5左右") == told(f"变动5{sign}左右") == plain, sign
    for high, digit in ("²2", "³3"):
        assert told(f"变动5{high}左右") == told(f"变动5{digit}左右") != plain
