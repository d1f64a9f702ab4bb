"""Covers: files of kept and removed rows that somebody sorted or edited. Compared against: the run as it was written."""

import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import InputChanged, RunError
from quchong.runs.row_ids import check_row_ids

HAN = "天地人山水火木金土日月星云风雨雪春夏秋冬东西南北城市乡村道路桥梁学校医院工厂商店农田果园河流湖泊海洋船只"


def write(path, rows):
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".csv":
        path.write_text("id,text\n" + "".join(f'{row["id"]},"{row["text"]}"\n' for row in rows), encoding="utf-8")
    else:
        path.write_text(
            "".join(f'{{"id": "{row["id"]}", "text": "{row["text"]}"}}\n' for row in rows), encoding="utf-8"
        )


def turned(path):
    """The rows of a file in the other order."""
    if path.suffix == ".parquet":
        table = pq.read_table(path)
        pq.write_table(table.take(pa.array(np.arange(len(table))[::-1])), path)
    else:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        head = lines[:1] if path.suffix == ".csv" else []
        path.write_text("".join([*head, *lines[len(head) :][::-1]]), encoding="utf-8")


@pytest.fixture
def run(tmp_path):
    def run(suffix, repeated=False):
        dice = random.Random(3)
        rows = []
        for k in range(6):
            text = "".join(dice.choices(HAN, k=80 + 10 * k))
            rows += [{"id": f"a{k}", "text": text}, {"id": "same" if repeated else f"b{k}", "text": text + "。"}]
        write(tmp_path / f"in{suffix}", rows)
        qc.dedup(tmp_path / f"in{suffix}", out=tmp_path / "run")
        return tmp_path / "run", [row["text"] for row in rows]

    return run


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_rows_in_another_order_are_not_put_back(run, suffix):
    folder, _ = run(suffix)
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.name.split(".")[0] != "removed"}
    turned(folder / f"removed{suffix}")
    ids = [row["id"] for row in qc.load(folder).ledger.to_pylist()]
    with pytest.raises(RunError, match=f"removed\\{suffix}: row 1 has the id"):
        qc.load(folder).restore([ids[0]])
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.name.split(".")[0] != "removed"} == before


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_no_other_text_is_shown_under_an_id(run, suffix):
    folder, texts = run(suffix)
    turned(folder / f"removed{suffix}")
    turned(folder / f"kept{suffix}")
    result = qc.load(folder)
    for row in result.ledger.to_pylist():
        found = result.explain(row["id"])
        assert "cannot be read" in str(found)
    for rows in (lambda: result.kept, lambda: result.removed):
        with pytest.raises(RunError, match="has the id"):
            rows()
    result.report(folder.parent / "report.html")
    page = (folder.parent / "report.html").read_text(encoding="utf-8")
    assert not [text for text in texts if text[:20] in page]


def test_ids_that_repeat_are_known_by_what_they_were(run):
    folder, _ = run(".jsonl", repeated=True)
    removed = qc.load(folder).ledger["id"].to_pylist()
    assert any("~" in one for one in removed)
    assert "cannot be read" not in str(qc.load(folder).explain(removed[-1]))
    assert qc.load(folder).restore(removed).ids


def test_made_up_ids_say_nothing_of_rows():
    strings = pa.array(["in#0", "a~2", "b"], pa.large_string())
    check_row_ids(strings, pa.array([None, "a", "b"], pa.large_string()), "kept.jsonl", np.arange(3))
    check_row_ids(pa.array([1, 2]), pa.array(["1", "2"], pa.large_string()), "kept.jsonl", np.arange(2))
    check_row_ids(strings[:0], strings[:0], "kept.jsonl", np.arange(0))
    with pytest.raises(InputChanged, match=r"kept.jsonl: row 9 has the id 'b', but the run wrote 'a~2'"):
        check_row_ids(strings, pa.array([None, "b", "b"], pa.large_string()), "kept.jsonl", np.array([0, 8, 9]))
