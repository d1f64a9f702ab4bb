"""Tests of tables of a run that draw themselves and stay tables for code."""

from __future__ import annotations

import io
import pickle
import re

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.results.run_table import RunTable

TEXT = "The council said that the new bridge will open in March, and that drivers pay {} percent less toll in the first year."
ROWS = [
    {"id": "a", "title": "Bridge <opens>", "text": TEXT.format(12), "time": "2026-03-01"},
    {"id": "b", "title": "Bridge", "text": TEXT.format(12) + " It rained.", "time": "2026-03-02"},
    {"id": "c", "title": "Toll", "text": TEXT.format(14), "time": "2026-03-03"},
    {
        "id": "d",
        "title": "Cats",
        "text": "Nobody has copied this note about three cats that live in the harbour.",
        "time": None,
    },
]
TABLES = ("ledger", "pairs", "examined_pairs", "clusters")


@pytest.fixture(scope="module", params=["memory", "folder"])
def result(request, tmp_path_factory):
    if request.param == "memory":
        return qc.dedup(ROWS)
    return qc.dedup(ROWS, out=tmp_path_factory.mktemp("tables") / "run")


def tables_of(result):
    return [*(getattr(result, name) for name in TABLES), result.least_similar(2), result.chains()]


def test_every_table_stays_a_table_for_code(result):
    for found in tables_of(result):
        plain = found.table
        assert isinstance(found, RunTable) and isinstance(plain, pa.Table) and len(plain)
        assert pa.table(found).equals(plain)
        assert (found.num_rows, found.column_names, found.schema) == (len(plain), plain.column_names, plain.schema)
        assert found.to_pylist() == plain.to_pylist() and len(found) == len(plain)
        assert found[0] == plain[0] and found["relation" if "relation" in plain.column_names else 0].equals(
            plain["relation" if "relation" in plain.column_names else 0]
        )
        assert found == plain and found == pickle.loads(pickle.dumps(found)) and found != plain.slice(1)
        assert found.equals(found)
        file = io.BytesIO()
        pq.write_table(pa.table(found), file)
        assert pq.read_table(file).num_rows == len(plain)


def test_rows_taken_of_a_table_draw_themselves_and_other_tables_are_plain(result):
    found = result.pairs
    for some in (found.slice(0, 1), found.filter(pa.array([True] * len(found))), found.sort_by("jaccard"), found[0:1]):
        assert isinstance(some, RunTable) and "Bridge" in some._repr_html_()
    assert isinstance(found.select(["left_id"]), pa.Table)
    assert isinstance(found["left_id"], pa.ChunkedArray)


def test_data_frames_are_made_of_them(result):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    found = result.ledger
    assert isinstance(found.to_pandas(), pandas.DataFrame) and len(found.to_pandas()) == len(found)
    assert isinstance(found.to_polars(), polars.DataFrame) and found.to_polars().height == len(found)
    assert polars.from_arrow(found.table.select(["id"])).height == polars.DataFrame(found.select(["id"])).height


def test_they_show_both_texts_and_titles_and_load_nothing(result):
    for found in tables_of(result):
        shown = found._repr_html_()
        assert "Bridge &lt;opens&gt;" in shown and "<script" not in shown and "http" not in shown
        assert not re.search(r"\bid: large_string\b", shown)
    shown = result.least_similar(1)._repr_html_()
    assert "The council said that the new bridge" in shown and shown.count('class="q-begin"') == 2
    assert "<b>12</b>" not in shown and "→" in shown


def test_they_are_short_when_printed(result):
    for found in tables_of(result):
        lines = repr(found).splitlines()
        assert 2 <= len(lines) <= 6 and "Bridge" in repr(found)
    removed = result.ledger["id"][0].as_py(), result.ledger["survivor_id"][0].as_py()
    assert f"  {removed[0]} → {removed[1]}  " in repr(result.ledger)


def test_they_speak_the_language_that_is_chosen(result):
    qc.set_language("zh")
    try:
        assert repr(result.ledger).startswith("删除的文档：")
        assert repr(result).startswith("<quchong.Result：4 篇文档，保留")
        assert "保留" in result.summary() and "文档" in result.summary()
        assert "jaccard" not in result.explain("d").__str__() and str(result.explain("d")).startswith("d 已保留")
        with pytest.raises(qc.UsageError, match="方法"):
            qc.dedup(ROWS, method="nonsense")
        assert "保留" in result._repr_html_()
    finally:
        qc.set_language(None)
    assert repr(result).startswith("<quchong.Result: 4 documents")
    with pytest.raises(qc.UsageError, match="lang must be"):
        qc.set_language("fr")


def test_a_table_without_its_run_or_with_lost_texts_is_drawn_by_ids(tmp_path):
    (tmp_path / "a.jsonl").write_text("\n".join(f'{{"id": "{k}", "text": "{TEXT.format(12)}"}}' for k in "xy"))
    found = qc.dedup(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").unlink()
    assert "<b>y</b>" in found.ledger._repr_html_() and "  y → x  " in repr(found.ledger)
    assert "<b>y</b>" in pickle.loads(pickle.dumps(found.ledger))._repr_html_()


def test_empty_tables_say_so():
    found = qc.dedup([{"text": "one text alone"}])
    assert repr(found.ledger) == "removals: 0"
    assert repr(found.clusters) == "clusters: 0"
    assert "removals: 0" in found.ledger._repr_html_()


def test_a_series_is_listed_behind_the_chains_and_called_one():
    issue = "市卫生健康委员会通报：{}月{}日零时至二十四时，全市新增病例{}例，新增治愈出院{}例，尚在医学观察的密切接触者{}人，请市民做好防护。"
    rows = [
        {
            "id": f"s{k:02}",
            "text": issue.format(3, k + 1, 7 * k + 3, 5 * k + 2, 11 * k + 19),
            "time": f"2020-03-{k + 1:02}",
            "source": "卫健委",
        }
        for k in range(12)
    ]
    rows += [{"id": f"z{k}", "text": TEXT.format(12), "time": f"2026-03-0{k + 1}", "source": f"p{k}"} for k in range(2)]
    chains = qc.dedup(rows, recall_sample=0).chains()
    assert [line.split()[0] for line in repr(chains).splitlines()] == ["chains:", "z0", "s00"]
    assert "chains: 1\n" in repr(chains) and "s00  a series of 12 documents on one template" in repr(chains)
    drawn = chains._repr_html_()
    assert drawn.index("z0</b>") < drawn.index("s00</b>") and "a series of 12 documents" in drawn
