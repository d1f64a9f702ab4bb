"""Covers: methods of a researcher beside those of an experiment, exports of documents and truth, the small table."""

import json

import pytest
from click.testing import CliRunner

import quchong as qc
from quchong.errors import OutputError, UsageError
from quchong_lab import experiment
from quchong_lab.command import command
from quchong_lab.further import export, load_method, measured_too, systems
from quchong_lab.report import best_by_system
from quchong_lab.web.labelled import labelled
from quchong_lab.web.pages import WebRecipe

MINE = """
from dataclasses import dataclass
from typing import ClassVar

from quchong.methods import Shingling


@dataclass(frozen=True, slots=True)
class Mine(Shingling):
    name: ClassVar[str] = "mine"
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


def test_a_class_of_a_file_is_measured_beside_the_others_and_the_corpus_is_exported(mine, tmp_path):
    out, made = tmp_path / "lab", tmp_path / "made"
    arguments = [
        "run",
        "sentences/methods",
        "--scale",
        "quick",
        "-o",
        str(out),
        "--method",
        f"{mine}:Mine",
        "--export",
        str(made),
    ]
    done = CliRunner().invoke(command, arguments, catch_exceptions=False)
    assert "| Mine |" in done.output and "| system | our best F1 | the paper's F1 |" in done.output
    assert done.output.index("our best F1") < done.output.index("the paper says")
    rows = {row["system"]: row for row in best_by_system(experiment("sentences/methods"), _table(out)).to_pylist()}
    assert rows["Mine"]["our best F1"] == pytest.approx(rows["Shingle, 8 tokens"]["our best F1"], abs=0.1)
    assert rows["SpotSigs"]["the paper's F1"] == "0.94 (Theobald 2008: 2,160 English news pages, at 0.44; from memory)"
    assert rows["Mine"]["the paper's F1"] == "-"
    assert json.loads((out / "sentences/methods/run.json").read_text())["methods"] == ["Mine"]
    run = qc.dedup(made / "pages.jsonl")
    found = qc.evaluate(run, made / "truth.jsonl", complete=True)
    assert found.precision.value > 0.9 and found.recall.value > 0.5


def _table(out):
    import pyarrow.csv

    return pyarrow.csv.read_csv(out / "sentences/methods/table.csv")


def test_what_names_no_method_is_refused(mine):
    for given, said in ((f"{mine}:Other", "it has Mine, Shingling"), ("no.py:Mine", "there is no file no.py"), (str(mine), "name a file"),
                        ("nonsense", "unknown method")):  # fmt: skip
        with pytest.raises(UsageError, match=said):
            load_method(given)
    assert load_method("minhash").name == "minhash"
    mine.write_text("raise ValueError('broken')")
    with pytest.raises(UsageError, match="cannot be executed: broken"):
        load_method(f"{mine}:Mine")
    done = CliRunner().invoke(command, ["run", "sentences/suffix", "--method", "minhash"])
    assert "compares no methods on labelled documents" in str(done.exception)


def test_exports_are_numbered_and_overwrite_nothing(tmp_path):
    recipe = WebRecipe(pages=40, seed=3)
    with measured_too([], tmp_path / "made"):
        data = labelled(recipe, "all")
        labelled(recipe, "main")
    names = sorted(path.name for path in (tmp_path / "made").iterdir())
    assert names == ["pages-2.jsonl", "pages.jsonl", "truth-2.jsonl", "truth.jsonl"]
    truth = [json.loads(line) for line in (tmp_path / "made" / "truth.jsonl").read_text().splitlines()]
    assert {(row["left_id"], row["right_id"]) for row in truth} == data.relation.keys() | data.undecided
    assert {row["label"] for row in truth} <= {"same", "contained", "unsure"}
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot be written"), measured_too([], tmp_path / "file"):
        export(data)
    assert systems(()) == ()
