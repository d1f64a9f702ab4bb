"""Covers: the content of a file in place of its path, values of a column in place of its name, methods of data frames tried on a result."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import quchong as qc

CONTENTS = [
    ('{"text": "a"}\n{"text": "b"}\n', "JSON lines file", "[json.loads(line) for line in text.splitlines()]"),
    ('[{"text": "a"},\n {"text": "b"}]\n', "JSON file", "json.loads(text)"),
    ("id,text\n1,one\n2,two\n3,three\n", "CSV file", "pandas.read_csv(io.StringIO(text))"),
    ("id\ttext\n1\tone\n2\ttwo\n", "CSV file", r"sep='\t'"),
    ("one text\nanother one\nthe third\n", "3 lines", "text.splitlines()"),
]
CALLS = {
    "dedup": qc.dedup,
    "passages": qc.passages,
    "estimate": qc.estimate,
    "distinct": qc.distinct,
    "decontaminate": lambda data: qc.decontaminate(data, [{"question": "a", "answer": "b"}]),
    "against": lambda data: qc.dedup(["a"], against=data),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("content", "kind", "remedy"), CONTENTS, ids=[one[1] for one in CONTENTS])
def test_the_content_of_a_file_is_told_from_its_path(call, content, kind, remedy):
    with pytest.raises(qc.QuchongError) as caught:
        CALLS[call](content)
    assert kind in str(caught.value) and remedy in str(caught.value)


COLUMNS = [pd.Series(["a", "b"]), np.array(["a", "b"]), pl.Series(["a", "b"]), ["a", "b", "c", "d"]]


@pytest.mark.parametrize("values", COLUMNS, ids=lambda one: type(one).__module__)
def test_values_of_a_column_in_place_of_its_name_lead_to_the_table(values):
    with pytest.raises(TypeError, match=r"only data without a name: give ids .*qc\.dedup\(df, text='text', id='id'\)"):
        qc.dedup(["one", "two"], values)
    with pytest.raises(qc.UsageError, match=r"^id: a \w+ cannot be used, .*qc\.dedup\(df, text='text', id='id'\)"):
        qc.dedup(["one", "two"], id=values)


def test_a_column_of_texts_in_place_of_its_name_leads_to_the_table():
    with pytest.raises(qc.UsageError, match=r"^text: a Series cannot be used"):
        qc.dedup(pd.DataFrame({"text": ["a"]}), text=pd.Series(["a"]))


WRITERS = [
    ([{"text": "a"}], "to_csv", "result.kept.to_pandas().to_csv('kept.csv')"),
    ([{"text": "a"}], "write_parquet", "result.kept.to_pandas().to_parquet('kept.parquet')"),
    ([{"text": "a"}], "to_excel", "result.kept.to_pandas().to_excel('kept.xlsx')"),
    (pd.DataFrame({"text": ["a"]}), "to_csv", "result.kept.to_csv('kept.csv')"),
    (
        pd.DataFrame({"text": ["a"]}),
        "to_json",
        "result.kept.to_json('kept.jsonl', orient='records', lines=True, force_ascii=False)",
    ),
    (pl.DataFrame({"text": ["a"]}), "to_csv", "result.kept.write_csv('kept.csv')"),
    (pl.DataFrame({"text": ["a"]}), "to_json", "result.kept.write_ndjson('kept.jsonl')"),
]


@pytest.mark.parametrize(
    ("data", "name", "call"), WRITERS, ids=[f"{type(one[0]).__module__}-{one[1]}" for one in WRITERS]
)
def test_a_method_that_writes_a_frame_leads_to_the_kept_rows_and_to_save(tmp_path, monkeypatch, data, name, call):
    monkeypatch.chdir(tmp_path)
    result = qc.dedup(data)
    with pytest.raises(AttributeError) as caught:
        getattr(result, name)
    assert f"to write the kept rows: {call}; to write the whole run: result.save('run/')" in str(caught.value)
    if "parquet" not in name and "excel" not in name:
        eval(call, {"result": result})
        assert list(tmp_path.iterdir())
