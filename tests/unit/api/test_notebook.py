"""Covers: a result, a loaded one and their explanations in a notebook (`Result._repr_html_`, `Result.plot`)."""

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import quchong as qc
from quchong.report import plot

NEWS = Path(__file__).parents[3] / "examples" / "news.jsonl"
TAGS = {"div", "style", "p", "b", "i", "table", "thead", "tbody", "tr", "th", "td", "ul", "li", "span", "ins", "mark",
        *(f"{{http://www.w3.org/2000/svg}}{name}" for name in ("svg", "text", "path", "rect", "title"))}  # fmt: skip
ATTRIBUTES = {"class", "style", "title", "dir", "scope", "colspan", "role", "aria-label", "viewBox", "font-size", "fill", "x", "y", "d",
              "text-anchor", "opacity", "stroke", "stroke-opacity", "width", "height"}  # fmt: skip


@pytest.fixture(scope="module")
def result():
    return qc.dedup(NEWS)


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("QUCHONG_LANG", "en")


def read(html):
    return ElementTree.fromstring(html)


def rows(html):
    """The table of a result: what stands in its two columns."""
    cells = [["".join(cell.itertext()) for cell in row] for row in read(html).iter("tr")]
    return {row[0]: row[1] for row in cells if len(row) == 2}


def assert_still(html):
    """Nothing in it runs or loads anything."""
    tree = read(html)
    assert {one.tag for one in tree.iter()} <= TAGS
    assert {name for one in tree.iter() for name in one.attrib} <= ATTRIBUTES
    assert not re.search(r"url\(|@import|javascript:|https?://(?!www\.w3\.org/2000/svg)", html)


def test_a_result_shows_its_counts(result):
    shown = rows(result._repr_html_())
    assert shown["read"] == "104" and shown["kept"] == "59 (56.7%)" and shown["removed"] == "45 (43.3%)"
    assert [shown[name] for name in ("duplicate", "exact", "contained in")] == ["19", "16", "10"]
    assert shown["pairs of variants kept"] == "21, in fields 21"
    beginnings = {name.split()[0]: (name, value) for name, value in shown.items()}
    assert beginnings["n005"][1] == "4 documents" and beginnings["n028"][1] == "3 documents"
    assert_still(result._repr_html_())


def test_its_picture_counts_the_listed_pairs(result):
    drawn = read(result._repr_html_()).findall(".//{http://www.w3.org/2000/svg}title")
    counted = sum(int(one.text.split()[-1]) for one in drawn)
    exact = result.pairs["relation"].to_pylist().count("exact")
    assert counted == result.pairs.num_rows - exact
    assert f"{exact} pairs of exact copies are not in the plot" in result._repr_html_()


def test_a_loaded_result_shows_the_same(result, tmp_path):
    loaded = qc.load(result.save(tmp_path / "run"))
    assert loaded._repr_html_() == result._repr_html_()
    assert loaded.explain("n009")._repr_html_() == result.explain("n009")._repr_html_()


def test_it_speaks_chinese_where_the_place_does(result, monkeypatch):
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    shown = rows(result._repr_html_())
    assert shown["读入"] == "104" and shown["近似重复"] == "19" and shown["保留的变体对"] == "21（栏位 21）"
    assert "n009 已删除：它包含于 n005" in result.explain("n009")._repr_html_()


def test_every_document_of_a_run_can_be_shown(result):
    for name in result.documents["id"].to_pylist():
        assert_still(result.explain(name)._repr_html_())
    for pair in result.pairs.slice(0, 10).to_pylist():
        assert_still(result.compare(pair["left_id"], pair["right_id"])._repr_html_())


def test_nothing_alarms_skipped_records_and_short_texts_are_told(tmp_path):
    assert "0 documents read" in qc.dedup([])._repr_html_()
    path = tmp_path / "in.jsonl"
    lines = [
        json.dumps({"id": "a", "text": "短"}),
        "{broken",
        json.dumps({"id": "a", "text": "另一篇短文"}),
        json.dumps({"id": "c"}),
    ]
    path.write_text("\n".join(lines), "utf-8")
    result = qc.dedup(path)
    shown = result._repr_html_()
    assert rows(shown)["skipped (bad records)"] == "1"
    assert (
        len(read(shown).findall(".//p[@class='q-alarm q-alarm']"))
        + len(read(shown).findall(".//p[@class='q-alarm q-note']"))
        == len(result.alarms)
        > 0
    )


def test_hostile_ids_and_texts_run_nothing():
    hostile = '<img src=x onerror="alert(1)">\u202e</style><script>alert(1)</script>' + "停水通知请提前储水" * 8
    result = qc.dedup([{"id": "<b>'\"\n", "text": hostile}, {"id": "</svg>", "text": hostile + "。"}])
    assert_still(result._repr_html_())
    for name in result.documents["id"].to_pylist():
        shown = result.explain(name)._repr_html_()
        assert_still(shown)
        assert "<script" not in shown and "\u202e" not in shown and "⟨U+202E⟩" in shown


def test_a_plot_has_the_bars_of_the_listed_pairs(result):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="plots need the extra plot")
    pyplot.switch_backend("agg")
    axes = result.plot()
    exact = result.pairs["relation"].to_pylist().count("exact")
    assert sum(bar.get_height() for bar in axes.patches) == result.pairs.num_rows - exact
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "thresholds of duplicates",
        "duplicate",
        "contained in",
        "variant",
        "unexamined",
    ]
    thresholds = sorted({row["threshold"] for row in result.ledger.to_pylist() if row["rule"] == "jaccard"})
    assert [line.get_xdata()[0] for line in axes.lines] == pytest.approx(thresholds) and thresholds
    own = qc.dedup(NEWS, method="minhash", recall_sample=0).plot()
    assert [line.get_xdata()[0] for line in own.lines] == [0.7]
    _, mine = pyplot.subplots()
    assert result.plot(mine) is mine and len(mine.patches) == len(axes.patches)
    assert qc.dedup([]).plot().get_title(loc="left") == "There is no pair to draw."
    pyplot.close("all")


def test_a_plot_is_chinese_where_a_font_has_the_signs(result, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="plots need the extra plot")
    from matplotlib import font_manager

    pyplot.switch_backend("agg")
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    there = {font.name for font in font_manager.fontManager.ttflist} & set(plot.FONTS)
    axes = result.plot()
    assert axes.get_ylabel() == ("对数" if there else "pairs")
    axes.figure.canvas.draw()  # a sign without a picture is a warning, and so an error
    monkeypatch.setattr(plot, "FONTS", ())
    without = result.plot()
    assert without.get_ylabel() == "pairs"
    without.figure.canvas.draw()
    pyplot.close("all")


def test_wrong_axes_and_a_missing_library_are_told(result, monkeypatch):
    pytest.importorskip("matplotlib", reason="plots need the extra plot")
    with pytest.raises(qc.UsageError, match=r"ax must be an Axes of matplotlib.* not 'axes'"):
        result.plot("axes")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        qc.UsageError, match="plots need matplotlib, which the extra plot of quchong installs: pip install"
    ):
        result.plot()
