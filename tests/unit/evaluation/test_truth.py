"""Covers: quchong.evaluation.label_reader: truths of pairs and clusters in every format, other names and words, what is refused.

Run: pytest tests/unit/evaluation/test_truth.py.
"""

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong.errors import InputError, UsageError
from quchong.evaluation.label_reader import read_truth
from quchong.evaluation.labels import LABELS
from quchong.relations import RELATIONS

ROWS = [
    {"left_id": "b", "right_id": "a", "label": "different"},
    {"left_id": "c", "right_id": "d", "label": "contained"},
    {"left_id": "a", "right_id": "b", "label": "same"},
]


def pairs(truth):
    return {(a, b): LABELS[n] for a, b, n in zip(truth.left, truth.right, truth.label.tolist(), strict=True)}


def written(path, rows):
    table = pa.Table.from_pylist(rows)
    if path.suffix == ".parquet":
        pq.write_table(table, path)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    else:
        table.to_pandas().to_csv(path, index=False, sep="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
def test_every_format_gives_the_same_truth_and_the_last_line_of_a_pair_wins(tmp_path, suffix):
    truth = read_truth(written(tmp_path / f"truth{suffix}", ROWS))
    assert pairs(truth) == {("a", "b"): "same", ("c", "d"): "contained"}
    assert (truth.kind, truth.repeated, truth.complete, truth.told) == ("pairs", 1, False, True)


@pytest.mark.parametrize("given", [ROWS, pa.Table.from_pylist(ROWS), pd.DataFrame(ROWS), pl.DataFrame(ROWS)])
def test_rows_in_memory(given):
    assert pairs(read_truth(given)) == {("a", "b"): "same", ("c", "d"): "contained"}


def test_whole_numbers_name_documents_as_text_does():
    rows = [{"left_id": 10, "right_id": 9.0, "label": "same"}, {"left_id": "9", "right_id": "10", "label": "unsure"}]
    assert pairs(read_truth(rows)) == {("10", "9"): "unsure"}


@pytest.mark.parametrize("yes", [1, 1.0, True, "1", "True", "yes", "是"])
@pytest.mark.parametrize("no", [0, 0.0, False, "0", "FALSE", "No", "否"])
def test_answers_to_whether_two_are_copies(yes, no):
    rows = [{"doc1": "a", "doc2": "b", "is_dup": yes}, {"doc1": "a", "doc2": "c", "is_dup": no}]
    truth = read_truth(rows)
    assert pairs(truth) == {("a", "b"): "same", ("a", "c"): "different"}
    assert truth.told


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
def test_answers_in_files(tmp_path, suffix):
    for values in ([1, 0], [True, False]):
        rows = [{"id1": "a", "id2": "b", "是否重复": values[0]}, {"id1": "a", "id2": "c", "是否重复": values[1]}]
        assert pairs(read_truth(written(tmp_path / f"truth{suffix}", rows))) == {
            ("a", "b"): "same",
            ("a", "c"): "different",
        }


def test_words_that_are_given_count_before_answers():
    rows = [{"left_id": "a", "right_id": "b", "label": "1"}]
    assert pairs(read_truth(rows, words={"1": "different"})) == {("a", "b"): "different"}


def test_other_columns_and_words():
    rows = [{"a": "x", "b": "y", "kind": "dup"}, {"a": "x", "b": "z", "kind": "different"}]
    truth = read_truth(rows, {"left": "a", "right": "b", "label": "kind"}, {"dup": "same"})
    assert pairs(truth) == {("x", "y"): "same", ("x", "z"): "different"}


def test_a_truth_in_relations():
    rows = [{"left_id": "a", "right_id": str(i), "label": r} for i, r in enumerate(RELATIONS)]
    assert [pairs(read_truth(rows))[str(i), "a"] for i in range(len(RELATIONS))] == [
        "same", "same", "contained", "contained", "different", "different", "unsure",
    ]  # fmt: skip


def test_without_a_column_of_labels_all_are_the_same():
    truth = read_truth([{"left_id": "a", "right_id": "b", "jaccard": 0.9}])
    assert pairs(truth) == {("a", "b"): "same"} and not truth.told


def test_clusters_and_documents_in_none():
    truth = read_truth(
        [
            {"id": "a", "cluster": 1},
            {"id": "b", "cluster": "1"},
            {"id": "c", "cluster": None},
            {"id": "d", "cluster": ""},
        ]
    )
    assert truth.cluster["a"] == truth.cluster["b"]
    assert len({truth.cluster[i] for i in "acd"}) == 3 and truth.counts() == {"documents": 4, "clusters": 3}


@pytest.mark.parametrize(
    ("words", "label"),
    [("dup copy match 重复 相同 True", "same"), ("distinct unique 不同 不重复 FALSE", "different")],
)
def test_words_that_people_use_are_labels(words, label):
    for word in words.split():
        assert pairs(read_truth([{**ROWS[0], "label": word}])) == {("a", "b"): label}


def test_bad_lines_cost_only_themselves(tmp_path):
    path = tmp_path / "truth.jsonl"
    lines = [
        json.dumps(ROWS[1]),
        "",
        "{half",
        "[1]",
        json.dumps({"left_id": "a", "label": "same"}),
        json.dumps({**ROWS[0], "right_id": "b"}),
    ]
    path.write_text("\n".join(lines), "utf-8")
    truth = read_truth(path)
    assert pairs(truth) == {("c", "d"): "contained"}
    assert [one.partition(":")[0] for one in truth.skipped] == ["line 3", "line 4", "line 5", "line 6"]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{**ROWS[0], "label": "sam"}], "row 0: 'sam' is not a label; did you mean same"),
        ([{**ROWS[0], "label": "yep"}], "truth_words='yep=same'"),
        ([{**ROWS[0], "label": "yep"}, ROWS[1], {**ROWS[1], "label": "no!"}], "truth_words='yep=same,no!=different'"),
        ([{**ROWS[0], "label": None}], "row 0: the label is empty; write one of same"),
        ([{**ROWS[0], "label": " "}], "row 0: the label is empty"),
        ([{**ROWS[0], "label": 2}], "2 is not a label"),
        ([{**ROWS[0], "label": 0.5}], "'0.5' is a score, not a label"),
        ([{**ROWS[0], "label": "0.93"}], "'0.93' is a score, not a label"),
        ([{**ROWS[0], "label": "nan"}], "'nan' is not a label"),
        ([{"left": "a", "right": "b", "dup?": 1}, {"left": "a", "right": "c", "dup?": 0}], "but 'dup?' looks like it: read it with truth_keys='label=dup?'"),
        ([{"id": "a", "family no": 7, "site": "x"}], "it has the column 'id', but not 'cluster'. Name that column with truth_keys='cluster=COLUMN'"),
        ([{"doc": "a", "cluster": 7}], "it has the column 'cluster', but not 'id'. Name that column with truth_keys='id=doc'"),
        ([{"id": "a", "dup": "yes"}, {"id": "b", "dup": ""}, {"id": "c", "dup": "no"}], "says in the column 'dup' for each document whether it is a copy"),
        ([{"编号": 1, "重复": 0}, {"编号": 2, "重复": 1}], "says in the column '重复' for each document whether it is a copy, not of which"),
        ([{"id": "a", "ok": 1.0}, {"id": "b", "ok": 0.0}], "says in the column 'ok' for each document whether it is a copy"),
        ([{"id": "a", "text": "甲乙丙", "ok": 1}], "contains documents, not labels"),
        ([{"a": "x", "b": "y"}], "it has neither left_id and right_id (pairs) nor id and cluster (clusters). It has these columns: 'a', 'b'"),
        ([], "has no labels"),
        ([{"left_id": "a", "right_id": "a", "label": "same"}], "both documents of a pair are"),
        ([{"id": None, "cluster": 1}], "has no labels"),
    ],
)  # fmt: skip
def test_what_is_no_truth_is_told_with_its_place(rows, said):
    with pytest.raises(InputError) as error:
        read_truth(rows)
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: read_truth(3), "truth must be a path, a table or a list of dicts, got int"),
        (lambda: read_truth(__file__), "must end in .jsonl"),
        (lambda: read_truth(ROWS, {"lft": "a"}), "cannot have 'lft'"),
        (lambda: read_truth(ROWS, None, {"dup": "smae"}), "maps 'dup' to 'smae'"),
    ],
)
def test_calls_that_cannot_be_meant(call, said):
    with pytest.raises(UsageError) as error:
        call()
    assert said in str(error.value)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "utf-16", "big5"])
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_the_encoding_of_labels_is_detected(tmp_path, encoding, suffix):
    """Excel on a Chinese machine writes CSV in GBK."""
    rows = [{"文檔1": "甲一", "文檔2": f"乙{number}號新聞", "關係": "same"} for number in range(9)]
    if suffix == ".jsonl":
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    else:
        lines = [
            ("," if suffix == ".csv" else "\t").join(values) for values in (rows[0], *(row.values() for row in rows))
        ]
    path = tmp_path / f"truth{suffix}"
    path.write_bytes("\n".join(lines).encode(encoding))
    truth = read_truth(path, {"left": "文檔1", "right": "文檔2", "label": "關係"})
    assert set(pairs(truth)) == {(f"乙{number}號新聞", "甲一") for number in range(9)} and not truth.skipped


def test_files_that_cannot_be_read(tmp_path):
    for name, content in (("gone.jsonl", None), ("gbk.jsonl", "中".encode("gbk")), ("no.parquet", b"PAR1")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="no such file" if content is None else "labels cannot be read from"):
            read_truth(tmp_path / name)


@pytest.mark.parametrize(
    "names",
    [("left", "right", "relation"), ("id1", "id2", "label"), ("doc1", "doc2", "gold"), ("文档1", "文档2", "关系")],
)
def test_usual_names_of_columns_are_known(names):
    left, right, label = names
    truth = read_truth([{left: "a", right: "b", label: "duplicate"}, {left: "a", right: "c", label: "variant"}])
    assert truth.told and len(truth.label) == 2
    groups = read_truth([{"doc_id": "a", "group": 1}, {"doc_id": "b", "group": 1}])
    assert groups.cluster == {"a": "1", "b": "1"}


def test_our_own_names_and_those_given_come_first():
    rows = [{"left_id": "a", "right_id": "b", "left": "x", "right": "y", "label": "same", "relation": "none of ours"}]
    truth = read_truth(rows)
    assert (truth.left, truth.right) == (["a"], ["b"])
    given = read_truth(rows, {"left": "left", "right": "right"})
    assert (given.left, given.right) == (["x"], ["y"])


def test_the_sample_has_a_truth_that_is_read_without_options():
    truth = read_truth(Path(__file__).parents[3] / "examples" / "truth.jsonl")
    assert len(truth.left) == 132 and set(truth.label.tolist()) == {0, 1, 2}


@pytest.mark.parametrize("column", ["is_dup", "重复"])
def test_answers_about_documents_are_not_taken_for_clusters(column):
    rows = [{"id": "a", column: 0}, {"id": "b", column: 1}]
    with pytest.raises(InputError, match="whether it is a copy, not of which"):
        read_truth(rows, {"cluster": column})
    with pytest.raises(InputError, match="whether it is a copy, not of which"):
        read_truth([{"id": "a", "cluster": "是"}, {"id": "b", "cluster": "否"}])


def test_two_clusters_may_be_called_by_the_numbers_of_answers():
    assert read_truth([{"id": "a", "cluster": 0}, {"id": "b", "cluster": 1}, {"id": "c", "cluster": 1}]).cluster == {
        "a": "0",
        "b": "1",
        "c": "1",
    }


def test_scores_of_pairs_without_labels_are_told_and_not_read():
    rows = [{"id1": "a", "id2": "b", "score": 0.9, "n": 3}, {"id1": "a", "id2": "c", "score": 0.1, "n": 4}]
    truth = read_truth(rows)
    assert truth.scores == ("score",) and truth.label.tolist() == [0, 0]
    assert any(str(one).startswith("score has scores, which are not read") for one in truth.column_remarks())
    assert read_truth([row | {"label": "same"} for row in rows]).scores == ()
