"""Covers: file names that are not UTF-8 in whole runs; ids and paths that nothing can have."""

import json
import os
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.errors import QuchongError, UsageError
from quchong.features.statistics import FeatureStatistics

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file systems take UTF-8 names alone there")
ODD = os.fsdecode(b"caf\xe9")
TEXT = "今天天气很好，我们去公园散步看花，然后回家吃饭"
ROWS = [{"id": "a", "text": TEXT}, {"id": "b", "text": TEXT + "。"}, {"text": "另一篇文章，说的是别的事情"}]


def lines(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")


def table(path):
    with pa.OSFile(os.fsencode(path), "wb") as file:
        pq.write_table(pa.Table.from_pylist(ROWS), file)


def stream(path):
    rows = pa.Table.from_pylist(ROWS)
    with pa.OSFile(os.fsencode(path), "wb") as file, pa.ipc.new_stream(file, rows.schema) as writer:
        writer.write_table(rows)


def cells(path):
    path.write_text(f"id,text\na,{TEXT}\nb,{TEXT}。\n,另一篇文章，说的是别的事情\n", encoding="utf-8")


def workbook(path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    pytest.importorskip("python_calamine")
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        for row, values in enumerate(
            [["id", "text"], ["a", TEXT], ["b", TEXT + "。"], ["", "另一篇文章，说的是别的事情"]]
        ):
            sheet.write_row(row, 0, values)


@pytest.mark.parametrize(
    ("suffix", "write"),
    [(".jsonl", lines), (".parquet", table), (".arrow", stream), (".csv", cells), (".xlsx", workbook)],
    ids=lambda one: one if isinstance(one, str) else "",
)
@pytest.mark.parametrize("copies", [1, 2], ids=["one", "two"])
def test_a_run_over_a_file_whose_name_is_not_utf8(tmp_path, suffix, write, copies):
    inputs = [tmp_path / f"{ODD}{number}{suffix}" for number in range(copies)]
    for path in inputs:
        write(path)
    saved = qc.dedup(inputs, out=tmp_path / f"{ODD}out", workers=1, recall_sample=0)
    manifest = json.loads((tmp_path / f"{ODD}out" / "run.json").read_text(encoding="utf-8"))
    assert [one["name"] for one in manifest["inputs"]] == [rf"caf\xe9{n}{suffix}" for n in range(copies)]
    assert rf"caf\xe90{suffix}#2" in saved.documents["id"].to_pylist()
    assert saved.counts["removed"] == 2 * copies - 1 + (copies - 1)
    again = qc.load(tmp_path / f"{ODD}out")
    assert again.kept.num_rows == saved.counts["kept"]
    assert again.explain("b").text.rstrip("。") == TEXT
    if copies == 2 and suffix == ".xlsx":  # the second of them has no row left, and a workbook without rows has no text
        return
    assert qc.dedup(inputs[0], against=tmp_path / f"{ODD}out", workers=1, recall_sample=0).counts["kept"] == 0
    assert again.save(tmp_path / f"{ODD}copy").is_dir()
    assert again.restore(everything=True)


def test_lists_of_paths_are_read_again_whatever_the_names(tmp_path):
    folder = tmp_path / f"{ODD}dir"
    folder.mkdir()
    names = [ODD + ".txt", "caf\\xe9.txt", "line\nend.txt", "a\\nb.txt", "plain.txt"]
    for number, name in enumerate(names):
        (folder / name).write_text(
            f"{TEXT}{number}" if number < 4 else "别的文章说别的事情，与此无关", encoding="utf-8"
        )
    saved = qc.dedup(folder, out=tmp_path / "out", workers=1, recall_sample=0)
    again = qc.load(tmp_path / "out")
    listed = again.kept["path"].to_pylist() + again.removed["path"].to_pylist()
    assert sorted(listed) == sorted([r"caf\xe9.txt", r"caf\x5cxe9.txt", r"line\nend.txt", r"a\x5cnb.txt", "plain.txt"])
    assert again.documents["id"].to_pylist() == saved.documents["id"].to_pylist()
    for spelling, number in ((r"caf\xe9.txt", 0), (r"caf\x5cxe9.txt", 1), (r"line\nend.txt", 2), (r"a\x5cnb.txt", 3)):
        assert again.explain(spelling).text == f"{TEXT}{number}"
    assert again.explain(ODD + ".txt").text == f"{TEXT}0"  # as the command line gives it
    assert all(again.texts(listed))
    assert again.rethreshold(0.99).counts["read"] == 5
    assert again.restore(everything=True)


def test_texts_cut_out_of_a_folder_are_written_under_their_own_names(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for name in (ODD + ".txt", "b.txt"):
        (folder / name).write_text(f"{TEXT}{name.encode('utf-8', 'replace').hex()}", encoding="utf-8")
    qc.passages(folder, min_chars=8, workers=1).save(tmp_path / "out", cut="copies")
    assert {path.name for path in (tmp_path / "out").rglob("*.txt")} >= {ODD + ".txt", "b.txt"}


def test_a_work_folder_of_such_a_name(tmp_path):
    lines(tmp_path / "a.jsonl")
    (tmp_path / ODD).mkdir()
    found = qc.dedup(tmp_path / "a.jsonl", out=tmp_path / "out", work=tmp_path / ODD, workers=1, recall_sample=0)
    assert found.counts["removed"] == 1
    assert list((tmp_path / ODD).iterdir()) == []


def test_statistics_of_such_a_name(tmp_path):
    lines(tmp_path / "a.jsonl")
    path = tmp_path / f"{ODD}.parquet"
    qc.fit_statistics(tmp_path / "a.jsonl").save(path)
    assert FeatureStatistics.load(path).documents == 3
    qc.fit_statistics(tmp_path / "a.jsonl").save(path)  # replaces it, as it is one


HALF, NUL = "\ud800x", "a\0b"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    found = qc.dedup(ROWS, workers=1, recall_sample=0)
    return found, qc.load(found.save(tmp_path_factory.mktemp("odd") / "run"))


@pytest.mark.parametrize("odd", [HALF, ODD, NUL], ids=["half", "byte", "nul"])
@pytest.mark.parametrize("saved", [False, True], ids=["memory", "folder"])
def test_ids_that_no_document_has_are_named(results, odd, saved):
    result = results[saved]
    calls = [
        lambda: result.explain(odd), lambda: result.compare(odd, "a"), lambda: result.compare("a", odd), lambda: result.inspect(odd),
        lambda: result.inspect("a", odd), lambda: result.chains(odd), lambda: result.chains([odd, "a"]),
    ]  # fmt: skip
    calls += [lambda: result.restore([odd])] if saved else []
    for call in calls:
        with pytest.raises(QuchongError, match=r"ud800x|xe9|x00b|a.b"):
            call()


@pytest.mark.parametrize("odd", [HALF, NUL], ids=["half", "nul"])
def test_paths_that_no_file_can_have_are_refused_by_name(results, odd, tmp_path):
    found, saved = results
    path = Path(odd)
    rows = [{"text": "a"}]
    calls = {
        "left": lambda: qc.compare(path, "b"), "right": lambda: qc.compare("b", path), "": lambda: qc.dedup(path),
        "left ": lambda: qc.inspect(path), "right ": lambda: qc.inspect("a", path), "out": lambda: qc.dedup(rows, out=odd),
        " ": lambda: qc.passages(path), "protect": lambda: qc.dedup(rows, protect=path), "decisions": lambda: qc.dedup(rows, decisions=odd),
        "boilerplate": lambda: qc.dedup(rows, boilerplate=path), "work": lambda: qc.dedup(rows, out=tmp_path / "o", work=odd),
        "  ": lambda: qc.dedup(rows, against=path), "folder": lambda: qc.load(odd), "folder ": lambda: found.save(odd), "path": lambda: found.report(odd),
        "path ": lambda: saved.report(odd), "out ": lambda: saved.labels(out=odd), "   ": lambda: qc.fit_statistics(["a b"]).save(path),
        "out  ": lambda: saved.chains(out=odd), "    ": lambda: qc.evaluate(saved, path), "     ": lambda: qc.dedup(rows, method="kmatch", statistics=path),
    }  # fmt: skip
    for name, call in calls.items():
        with pytest.raises(QuchongError, match=rf"^{name.strip()}"):
            call()
    assert list(tmp_path.iterdir()) == []


def test_the_reason_is_said(results):
    with pytest.raises(UsageError, match=r"out: 'a\\x00b' cannot be used, a file name cannot have a NUL character"):
        qc.dedup([{"text": "a"}], out=NUL)
    with pytest.raises(UsageError, match="half a character"):
        results[0].save(HALF)
