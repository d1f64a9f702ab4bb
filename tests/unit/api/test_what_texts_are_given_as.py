"""Covers: texts, file names and ids given in a way that a call does not take: the answer is the call that takes them."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import quchong as qc

WORDS = "光合作用只在白天进行"
ROWS = [{"id": "a", "text": "去年全市新增就业岗位三十二万个。"}, {"id": "b", "text": "另一篇完全不同的文章在这里。"}]
TEXTS = [row["text"] for row in ROWS]


@pytest.mark.parametrize(("call", "written"), [
    (lambda: qc.dedup(WORDS), "qc.dedup([text])"),
    (lambda: qc.dedup(TEXTS, against=WORDS), "qc.dedup(data, against=[text])"),
    (lambda: qc.passages(WORDS), "qc.passages([text])"),
    (lambda: qc.passages(TEXTS, against="光合作用，只在白天进行。"), "qc.passages(data, against=[text])"),
    (lambda: qc.estimate(WORDS), "qc.estimate([text])"),
    (lambda: qc.fit_statistics(data=WORDS), "qc.fit_statistics([text])"),
    (lambda: qc.decontaminate(TEXTS, WORDS), "qc.decontaminate(data, [text])"),
    (lambda: qc.decontaminate(WORDS, TEXTS), "qc.decontaminate([text], against)"),
    (lambda: qc.Index.create("seen", fit=WORDS), "qc.Index.create(folder, fit=[text])"),
])  # fmt: skip
def test_a_text_is_answered_with_the_call_and_the_parameter_that_got_it(call, written, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(qc.InputError) as raised:
        call()
    assert str(raised.value).endswith(written)


@pytest.mark.parametrize("call", [
    lambda name: qc.compare(name, name), lambda name: qc.compare("one text", name), lambda name: qc.inspect(name),
    lambda name: qc.inspect("one text", name), lambda name: qc.align(name, "one text"), lambda name: qc.align("one text", name),
])  # fmt: skip
def test_the_name_of_a_file_is_not_compared_as_a_text(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("a.txt")  # there is none
    (tmp_path / "a.txt").write_text(TEXTS[0], "utf-8")
    with pytest.raises(qc.UsageError, match=r"'a.txt' is the name of a file") as raised:
        call("a.txt")
    assert "pathlib.Path" in str(raised.value)


def test_a_text_that_is_the_name_of_a_file_can_be_compared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("one text").touch()
    assert qc.compare({"text": "one text"}, {"text": "one text"}).relation == "exact"


@pytest.mark.parametrize("name", ["ids", "id", "doc_ids", "编号"])
@pytest.mark.parametrize("made", [list, tuple, np.array, pd.Series, pl.Series])
def test_a_list_of_ids_is_answered_with_the_two_ways_to_give_ids(name, made):
    with pytest.raises(
        qc.UsageError, match=f"^{name}: a .* cannot be used, because ids are read from a column"
    ) as raised:
        qc.dedup(TEXTS, **{name: made(["a", "b"])})
    calls = re.findall(r"qc\.dedup\(.*?\)(?=;|$)", str(raised.value))
    assert len(calls) == 2
    for call in calls:
        result = eval(call, {"qc": qc, "df": pd.DataFrame(ROWS), "ids": ["a", "b"], "texts": TEXTS})
        assert result.documents["id"].to_pylist() == ["a", "b"]


def test_ids_beside_a_list_that_takes_no_dict():
    with pytest.raises(qc.UsageError, match=r"qc\.distinct\(records, text='text', id='id'\)"):
        qc.distinct(TEXTS, ids=["a", "b"])


def test_the_mode_of_the_command_line_is_a_flag_in_python(tmp_path):
    with pytest.warns(UserWarning, match="mode is the name on the command line; in Python this parameter is annotate"):
        qc.dedup(ROWS, mode="annotate", out=tmp_path / "run")
    assert (tmp_path / "run" / "annotated.parquet").exists()
    qc.dedup(ROWS, mode="remove", out=tmp_path / "other")
    assert (tmp_path / "other" / "kept.parquet").exists()
    with pytest.raises(qc.UsageError, match="mode and annotate are the same parameter"):
        qc.dedup(ROWS, mode="annotate", annotate=True, out=tmp_path / "third")
    qc.dedup(ROWS, method="sl-st", mode="blocks")  # a parameter of this method


KINDS = [lambda rows: rows, pd.DataFrame, pl.DataFrame, lambda rows: {row["id"]: row["text"] for row in rows},
         lambda rows: pd.Series([row["text"] for row in rows]), lambda rows: pl.Series([row["text"] for row in rows])]  # fmt: skip


@pytest.mark.parametrize("made", KINDS)
def test_the_calls_that_a_result_shows_in_place_of_len_and_a_loop_work(made):
    result = qc.dedup(made(ROWS))
    with pytest.raises(TypeError) as raised:
        len(result)
    assert eval(str(raised.value).rpartition("write ")[2], {"result": result}) == 2
    with pytest.raises(TypeError) as raised:
        list(result)
    looped = str(raised.value).rpartition("; use ")[2].partition("; ")[0]
    found = eval(f"[list(one) for one in ({looped})]", {"result": result})
    assert len(found[0]) == 2
    parts: dict[str, object] = {"result": result}
    exec(str(raised.value).rpartition("write ")[2], parts)
    assert len(parts["kept"]) == 2 and not len(parts["removed"])


@pytest.mark.parametrize(
    "name", ["num_rows", "height", "iloc", "head", "shape", "to_pylist", "iterrows", "items", "tail", "dtypes"]
)
@pytest.mark.parametrize("made", KINDS)
def test_the_call_shown_for_an_attribute_of_a_table_works(made, name):
    result = qc.dedup(made(ROWS))
    with pytest.raises(AttributeError) as raised:
        getattr(result, name)
    call = str(raised.value).rpartition("write ")[2].replace("[...]", "[0]")
    eval(call, {"result": result})


ROW, COLUMN = pd.DataFrame(ROWS).iloc[0], pd.DataFrame(ROWS)["text"]


@pytest.mark.parametrize(("given", "names"), [
    (ROW, {"row": ROW}), (COLUMN, {"left": COLUMN, "right": COLUMN}), (COLUMN.to_numpy(), {"left": TEXTS, "right": TEXTS}),
    (pl.DataFrame(ROWS)["text"], {"left": TEXTS, "right": TEXTS}), (pd.DataFrame(ROWS), {"df": pd.DataFrame(ROWS)}),
    (pl.DataFrame(ROWS), {"df": pl.DataFrame(ROWS)}),
])  # fmt: skip
def test_rows_and_columns_are_answered_with_code_that_compares_them(given, names):
    with pytest.raises(qc.UsageError) as raised:
        qc.compare(given, given)
    code = re.split(r"as a dict: |row by row, use ", str(raised.value))[1].partition("; for")[0]
    found = eval(code, {"qc": qc, **names})
    assert all(one.relation == "exact" for one in (found if isinstance(found, list) else [qc.compare(found, found)]))


@pytest.mark.parametrize("made", [pd.DataFrame, pl.DataFrame])
def test_a_dict_of_tables_is_answered_with_the_call_that_joins_them(made):
    data = {"one": made(ROWS), "two": made(ROWS)}
    with pytest.raises(qc.UsageError, match=r"join the tables first") as raised:
        qc.dedup(data)
    joined = eval(str(raised.value).rpartition("first: ")[2], {"data": data, "pandas": pd, "polars": pl})
    assert qc.dedup(joined).counts["read"] == 2 * len(ROWS)
