"""Covers: `out=` of `dedup`, `passages` and `fit_statistics`: what is written is what `save` writes, what is refused leaves all as it was."""

from __future__ import annotations

import gc
import io
import json
import os
import sys
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.api import fit_statistics
from quchong.engines.local.outcome import Outcome
from quchong.runs.command_line import made_by
from quchong.runs.manifest import TIMED

A = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，其中服务业占了一半以上，制造业也有回升的迹象。"
NEAR = "去年全市新增就业岗位三十二万个，比上年增长百分之四点五，其中服务业占了一半以上，制造业则有明显的回升。"
B = "昨夜一场大雪让北方多个机场的航班延误，铁路部门加开了二十趟列车疏散旅客，明天气温还要下降。"
LONG = A + B * 2
ROWS = [{"id": f"d{i}", "text": text, "n": i} for i, text in enumerate([A, A, NEAR, B, LONG, "短"])]


@pytest.fixture(params=["jsonl", "parquet", "memory"])
def data(request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if request.param == "jsonl":
        (tmp_path / "in.jsonl").write_text("".join(json.dumps(r) + "\n" for r in ROWS) + "{broken\n")
        return "in.jsonl"
    if request.param == "parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "in.parquet")
        return "in.parquet"
    return ROWS


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(r) + "\n" for r in ROWS))
    return tmp_path / "in.jsonl"


def files(folder):
    """What stands in a folder; of run.json what no clock enters."""
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    manifest = json.loads(found.pop("run.json"))
    for name in TIMED:
        manifest.pop(name, None)
    manifest["counts"].pop("peak_memory_bytes", None)
    return found, manifest


@pytest.mark.parametrize("annotate", [False, True])
def test_dedup_writes_the_folder_that_save_writes(data, tmp_path, annotate):
    result = qc.dedup(data, recall_sample=3, out="run", annotate=annotate)
    saved = qc.dedup(data, recall_sample=3)
    saved.save("saved", mode="annotate" if annotate else "remove")
    assert files(tmp_path / "run") == files(tmp_path / "saved")
    assert result.manifest == json.loads((tmp_path / "run" / "run.json").read_text()) == qc.load("run").manifest
    for name in ("ledger", "pairs", "clusters", "documents"):
        assert getattr(result, name).equals(getattr(saved, name)), name
        assert getattr(result, name).equals(getattr(qc.load("run"), name)), name
    assert result.kept["id"].to_pylist() == saved.kept["id"].to_pylist()
    assert result.explain("d1") == saved.explain("d1")


def test_a_written_result_is_its_folder(path, tmp_path, monkeypatch):
    gc.collect()
    before = sum(isinstance(o, Outcome) for o in gc.get_objects())
    result = qc.dedup("in.jsonl", recall_sample=3, out="run")
    gc.collect()
    assert sum(isinstance(o, Outcome) for o in gc.get_objects()) == before, "texts are let go"
    path.unlink()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert result.removed.num_rows == result.ledger.num_rows > 0 and result.folder.name == "run"
    result.restore(everything=True)
    assert not result.ledger.num_rows and result.kept.num_rows == len(ROWS)


class Watch:
    def __init__(self):
        self.stages = []

    def stage(self, name, _total, _unit):
        self.stages.append(name)

    def advance(self, amount):
        pass


def test_rows_are_written_before_recall_is_waited_for(path):
    watch = Watch()
    qc.dedup(path, out="run", progress=watch)
    rows, waits = (watch.stages.index(name) for name in ("write", "measure recall"))
    # The table of pairs is written as it is made, so that "write tables" also comes early.
    last = len(watch.stages) - 1 - watch.stages[::-1].index("write tables")
    assert rows < waits < last


def test_standard_input_is_copied_into_the_folder_and_does_not_stay_there(path, tmp_path, monkeypatch):
    rows = path.read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows)))
    result = qc.dedup("-", recall_sample=0, out="run")
    assert not (tmp_path / "run" / "stdin").exists() and result.kept.num_rows + result.removed.num_rows == len(ROWS)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows)))
    against = qc.dedup("in.jsonl", against="-", only_against=True, recall_sample=0, out="other")
    assert against.counts["removed"] == len(ROWS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("out", [None, "run"])
def test_pipes_are_read(path, tmp_path, out):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_bytes(path.read_bytes()))
    writer.start()
    result = qc.dedup(tmp_path / "pipe", recall_sample=0, out=out)
    writer.join()
    assert result.counts["read"] == len(ROWS) and result.kept.num_rows


def test_what_exists_is_replaced_only_when_that_was_asked_for(path, tmp_path):
    qc.dedup(path, recall_sample=0, out="run")
    before = files(tmp_path / "run")
    with pytest.raises(qc.OutputError, match=r"run exists: .* with overwrite=True"):
        qc.dedup(path, recall_sample=0, keep="last", out="run")
    assert files(tmp_path / "run") == before
    qc.dedup(path, recall_sample=0, keep="last", out="run", overwrite=True)
    assert files(tmp_path / "run") != before


def test_no_output_over_what_is_read(path, tmp_path):
    (tmp_path / "ids").write_text("d1\n")
    counted = fit_statistics(path, out="df")
    assert counted.path is None and qc.methods.TwoStage(weights="idf", statistics="df").statistics.path.name == "df"
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    calls = {
        "the output out='in.jsonl' is the same as the input in.jsonl": lambda: qc.dedup("in.jsonl", out="in.jsonl"),
        "the output out='ids' is the same as the input protect='ids'": lambda: qc.dedup(
            ROWS, protect=tmp_path / "ids", out="ids"
        ),
        "the output out='ids' is the same as the input boilerplate='ids'": lambda: qc.dedup(
            ROWS, boilerplate="ids", out="ids"
        ),
        "the output out='in.jsonl' is the same as the input against='in.jsonl'": lambda: qc.dedup(
            ROWS, against="in.jsonl", out="in.jsonl"
        ),
        "the output out='df' is the same as the input statistics='df'": lambda: qc.dedup(
            ROWS, method=qc.methods.TwoStage(weights="idf", statistics="df"), out="df"
        ),
        "the output out='in.jsonl/p' is inside the input in.jsonl": lambda: qc.passages("in.jsonl", out="in.jsonl/p"),
        "the output out='in.jsonl' is the same": lambda: fit_statistics("in.jsonl", out="in.jsonl", overwrite=True),
    }
    for said, call in calls.items():
        with pytest.raises(qc.OutputError) as told:
            call()
        assert str(told.value).replace(f"{tmp_path}/", "").startswith(said), (said, told.value)
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize(
    ("call", "given"),
    [
        (qc.dedup, {"annotate": True}), (qc.dedup, {"overwrite": True}), (qc.passages, {"cut": "copies"}),
        (qc.passages, {"overwrite": True}), (fit_statistics, {"overwrite": True}),
    ],
)  # fmt: skip
def test_how_to_write_needs_a_place(call, given):
    with pytest.raises(qc.UsageError, match=f"{next(iter(given))} needs an output: name it with out"):
        call(ROWS, **given)


def test_ids_to_protect_may_stand_in_a_file(path, tmp_path):
    (tmp_path / "ids").write_text("\ufeffd1\n\nd2\n", encoding="utf-8")
    listed = qc.dedup(path, protect=["d1", "d2"], recall_sample=0)
    assert qc.dedup(path, protect=tmp_path / "ids", recall_sample=0).ledger.equals(listed.ledger)
    (tmp_path / "ids").write_bytes(b"\xff")
    for name in ("ids", "nowhere"):
        with pytest.raises(
            qc.InputError, match=rf"protect='.*{name}' cannot be read: .*; give UTF-8 text, one id per line"
        ):
            qc.dedup(path, protect=tmp_path / name)


@pytest.mark.parametrize("cut", ["none", "copies"])
def test_passages_writes_the_folder_that_save_writes(data, tmp_path, cut):
    found = qc.passages(data, min_chars=20, out="found", cut=cut, cut_at="exact")
    qc.passages(data, min_chars=20).save("saved", cut=cut, at="exact")
    assert files(tmp_path / "found") == files(tmp_path / "saved")
    assert found.manifest == json.loads((tmp_path / "found" / "run.json").read_text()) and found.table.num_rows


def test_statistics_are_written(path, tmp_path):
    counted = fit_statistics(path, out="df")
    fit_statistics(path).save("other")
    assert (tmp_path / "df").read_bytes() == (tmp_path / "other").read_bytes()
    with pytest.raises(
        qc.OutputError, match=r"df exists: choose another file, such as .*df2, or replace it with overwrite=True"
    ):
        fit_statistics(path, out="df")
    assert fit_statistics(path, ngram_size=3, out="df", overwrite=True).digest != counted.digest
    (tmp_path / "mine").write_text("notes")
    with pytest.raises(qc.InputError, match="mine"):
        fit_statistics(path, out="mine", overwrite=True)
    assert (tmp_path / "mine").read_text() == "notes"


def test_only_the_command_line_stands_in_run_json(path, tmp_path):
    qc.dedup(path, recall_sample=0, out="run")
    with made_by(["dedup", "in.jsonl", "-o", "made"]):
        qc.dedup(path, recall_sample=0, out="made")
        qc.passages(path, out="found")
    qc.passages(path, out="last")
    said = {
        name: json.loads((tmp_path / name / "run.json").read_text()).get("command")
        for name in ("run", "made", "found", "last")
    }
    assert said == {
        "run": None,
        "made": ["dedup", "in.jsonl", "-o", "made"],
        "found": ["dedup", "in.jsonl", "-o", "made"],
        "last": None,
    }
