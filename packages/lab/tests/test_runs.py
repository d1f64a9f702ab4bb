"""Covers: runs that are stopped and go on, what `lab show` and `lab gather` tell of finished ones, answers, the pool of queries."""

import json

import pyarrow as pa
import pytest
from click.testing import CliRunner

from quchong.errors import InputError, OutputError, UsageError
from quchong.outputs import local
from quchong.work import work_folder
from quchong_lab import runs
from quchong_lab.answers import digest
from quchong_lab.cells import cell
from quchong_lab.command import command
from quchong_lab.experiment import Claim, Experiment, Findings, Plot
from quchong_lab.gather import answers_of, gather, page, result
from quchong_lab.pool import pooled, read_queries
from quchong_lab.runs import finished, key, run_into


def made(stop_at, calls, name="short-text/bloom-memory"):
    """An experiment of five cells; the fourth one is cut off where asked."""

    def square(number, seed):
        calls.append(number)
        if number == stop_at:
            raise KeyboardInterrupt
        return {"number": number, "square": float(number**2 + seed)}

    def run(scale, seed):
        return Findings(pa.Table.from_pylist([cell(f"{n}", square, n, seed) for n in range(5)]), ("said",))

    claims = (Claim("1", "five numbers", "they are squares"),)
    return Experiment(name, "Squares", "Nobody 2000", claims, (Plot("number", "square"),), run)


def test_a_stopped_run_goes_on_behind_its_last_whole_cell(tmp_path):
    calls, folder = [], tmp_path / "short-text" / "bloom-memory"
    with pytest.raises(KeyboardInterrupt):
        run_into(made(3, calls), folder, "quick", 2)
    assert calls == [0, 1, 2, 3] and not folder.exists() and work_folder(folder).is_dir()
    calls.clear()
    found, _ = run_into(made(None, calls), folder, "quick", 2)
    assert calls[:2] == [3, 4]  # then those of the answers, with another seed
    assert found.table.equals(made(None, []).run("quick", 2).table)
    assert not work_folder(folder).exists()
    whole = tmp_path / "whole"
    run_into(made(None, []), whole, "quick", 2)
    for name in ("table.csv", "table.md", "plot.svg", "run.json"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.parametrize("change", ["seed", "scale", "code"])
def test_cells_of_another_run_are_not_taken(tmp_path, monkeypatch, change):
    calls, folder = [], tmp_path / "e"
    with pytest.raises(KeyboardInterrupt):
        run_into(made(3, calls), folder, "quick", 1)
    calls.clear()
    if change == "code":
        monkeypatch.setattr(runs, "_code", lambda: "other")
    run_into(made(None, calls), folder, "paper" if change == "scale" else "quick", 2 if change == "seed" else 1)
    assert calls[:5] == [0, 1, 2, 3, 4]


def test_a_finished_run_is_told_by_its_key(tmp_path):
    found = made(None, [])
    run_into(found, tmp_path / "e", "quick", 1)
    assert finished(tmp_path / "e", key(found, "quick", 1))
    assert not finished(tmp_path / "e", key(found, "quick", 2))
    assert not finished(tmp_path / "e", key(found, "quick", 1, pa.table({"title": ["a"], "text": ["b"]})))
    assert not finished(tmp_path / "nothing", key(found, "quick", 1))


def test_answers_leave_out_time_and_see_every_other_figure():
    def of(**columns):
        return digest(Findings(pa.table({"f1": [0.5], "seconds": [1.0], **columns})))

    assert of() == of(seconds=[2.0]) == of(f1=[0.500001])
    assert len({of(), of(f1=[0.501]), of(f1=[None]), of(more=[1])}) == 4
    assert digest(Findings(pa.table({"a": [1]}), more={"b": pa.table({"a": [1]})})) != digest(
        Findings(pa.table({"a": [1]}))
    )


def test_one_page_has_the_runs_of_a_folder_and_their_answers(tmp_path):
    name = "short-text/bloom-memory"
    run_into(made(None, []), tmp_path / "lab" / name, "quick", 1)
    out = tmp_path / "results.md"
    missing = gather(tmp_path / "lab", out)
    text = out.read_text("utf-8")
    assert name not in missing and "web/ccdet-thresholds" in missing and "cluster/scale" in text
    assert "## Squares" in text and "they are squares" in text and "| 4 | 17 |" in text and "- said" in text
    assert answers_of(text) == {name: digest(made(None, []).run("quick", 1))}
    gather(tmp_path / "lab", out)
    assert out.read_text("utf-8") == text


def test_long_tables_stay_in_their_folder(tmp_path):
    def run(scale, seed):
        return Findings(pa.table({"a": list(range(41))}), more={"short": pa.table({"a": [7]})})

    run_into(Experiment("web/tree-family", "T", "P", (), (), run), tmp_path / "web" / "tree-family", "quick", 1)
    text, _ = page(tmp_path)
    assert "41 rows: `web/tree-family/table.csv`." in text and "| 40 |" not in text and "| 7 |" in text


def test_no_page_takes_the_place_of_what_people_wrote(tmp_path):
    run_into(made(None, []), tmp_path / "short-text" / "bloom-memory", "quick", 1)
    out = tmp_path / "mine.md"
    out.write_text("my own words", "utf-8")
    with pytest.raises(OutputError, match="was not written by quchong lab gather"):
        gather(tmp_path, out)
    assert out.read_text("utf-8") == "my own words"
    with pytest.raises(InputError, match="lab run --all"):
        page(tmp_path / "nothing")


def test_a_finished_run_is_shown(tmp_path):
    folder = tmp_path / "short-text" / "bloom-memory"
    run_into(made(None, []), folder, "quick", 1)
    by_name = CliRunner().invoke(command, ["show", "short-text/bloom-memory", "-o", str(tmp_path)])
    by_folder = CliRunner().invoke(command, ["show", str(folder)])
    assert by_name.exit_code == by_folder.exit_code == 0
    assert by_name.output == by_folder.output
    assert "| 4 | 17 |" in by_name.output and "plot.svg" in by_name.output and "scale quick, seed 1" in by_name.output
    with pytest.raises(InputError, match="lab run NAME"):
        result(tmp_path / "short-text")


def test_a_name_or_all_and_queries_with_texts(tmp_path):
    for arguments, words in (
        (["run"], "--all"),
        (["run", "web/tree-family", "--all"], "--all"),
        (["run", "web/tree-family", "--queries", "q.txt"], "--texts"),
        (["run", "short-text/bloom-memory", "--texts", str(tmp_path / "t.jsonl")], "makes its own texts"),
    ):
        (tmp_path / "t.jsonl").write_text(json.dumps({"title": "a", "text": "b"}), "utf-8")
        done = CliRunner().invoke(command, [*arguments, "-o", str(tmp_path / "out")])
        assert isinstance(done.exception, UsageError) and words in str(done.exception)
    assert local([tmp_path / "out"]) and not (tmp_path / "out").exists()


def test_the_pool_has_what_any_query_finds_first():
    texts = pa.table(
        {"title": ["grain", "oil", "grain", None, "gold"],
         "text": ["wheat exports rise", "crude falls", "grain grain grain", "exports of crude oil", "nothing here"]}
    )  # fmt: skip
    assert pooled(texts, ["grain exports"], 1)["title"].to_pylist() == ["grain"]
    assert pooled(texts, ["grain exports", "Crude!"], 5)["text"].to_pylist() == texts["text"].to_pylist()[:4]
    assert len(pooled(texts, ["unheard"], 5)) == 0
    assert len(pooled(texts.slice(0, 0), ["grain"], 5)) == 0
    with pytest.raises(UsageError, match="not 0"):
        pooled(texts, ["grain"], 0)


def test_queries_stand_one_a_line(tmp_path):
    path = tmp_path / "q.txt"
    path.write_text("grain exports\n\n ，\n 原油 价格 \n", "utf-8")
    assert read_queries(path) == ["grain exports", "原油 价格"]
    path.write_text("\n", "utf-8")
    with pytest.raises(InputError, match="has no query"):
        read_queries(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_queries(tmp_path / "none.txt")
