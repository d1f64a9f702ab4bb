"""Covers: what version 1.0 promises (docs/stability.md): names, commands, methods, tables and formats stay as tests/contract/*.json has them, and
what a release wrote (tests/samples/release-*, tools/release_samples.py) is explained, reported, verified, restored, decided again and continued.

Run: pytest tests/test_contract.py
"""

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import forked
import pytest

import quchong as qc

ROOT = Path(__file__).parents[1]
RELEASES = sorted((ROOT / "tests" / "samples").glob("release-*"))
NEWS = "n003"
"""A removed document of the sample: an exact copy of n002."""


def tool(name):
    """A module of tools/contract, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"contract_{name}", ROOT / "tools" / "contract" / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


COMPARISON, PROMISES = tool("comparison"), tool("promises")


@pytest.mark.parametrize("name", PROMISES.PROMISES)
def test_nothing_that_is_promised_disappears_or_changes(name):
    promised = PROMISES.read(ROOT / "tests" / "contract" / f"{name}.json")
    assert promised
    broken = [str(one) for one in COMPARISON.compare(promised, PROMISES.PROMISES[name](), (name,)) if one.kind != "new"]
    assert not broken, "take it back, or deprecate it first (docs/stability.md); then python tools/contract --accept"


def test_the_stored_contract_is_as_the_tool_writes_it():
    for name in PROMISES.PROMISES:
        path = ROOT / "tests" / "contract" / f"{name}.json"
        assert path.read_text("utf-8") == PROMISES.spell(PROMISES.read(path)), name


POSITION, KEYWORD = {"kind": "position or keyword", "place": 0}, {"kind": "keyword", "default": "None"}


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        ({"load": {"parameters": {"folder": POSITION}}}, {}, ["gone: load"]),
        ({"id": "string"}, {"id": "int64"}, ["changed: id: string before, now int64"]),
        ({"id": "string"}, {"id": "string", "part": "int64"}, ["new: part"]),
        ({"--body": ["main", "all"]}, {"--body": ["main", "accurate"]}, ["gone: --body / all", "new: --body / accurate"]),
        ({"parameters": {}}, {"parameters": {"x": KEYWORD}}, ["new: parameters / x"]),
        ({"parameters": {}}, {"parameters": {"x": POSITION}}, ["changed: parameters / x: a new parameter that has no default"]),
        ({"parameters": {"x": KEYWORD}}, {"parameters": {"x": KEYWORD | {"default": "1"}}},
         ["changed: parameters / x / default: None before, now 1"]),
        ({"run folder": 1}, {"run folder": 1}, []),
    ],
)  # fmt: skip
def test_what_breaks_a_promise(before, now, found):
    assert [str(one) for one in COMPARISON.compare(before, now)] == found


def test_a_break_is_accepted_only_if_the_changelog_names_it_under_changed_or_removed():
    gone = list(
        COMPARISON.compare(
            {"dedup": {"options": {"--keep": "text", "--keep-work": "flag"}}}, {"dedup": {"options": {}}}
        )
    )
    log = "# Changelog\n\n## [Unreleased]\n\n### {}\n- `--keep-work` of `dedup` is gone: use `--work`.\n\n## [0.1.0]\n\n### Removed\n- `--keep`\n"
    lines = {part: COMPARISON.accepted_lines(log.replace("{}", part)) for part in ("Added", "Changed", "Removed")}
    assert [len(COMPARISON.unnamed(gone, lines[part])) for part in lines] == [2, 1, 1]
    assert COMPARISON.unnamed(gone, lines["Removed"]) == ["gone: dedup / options / --keep"]


def test_every_public_name_and_column_is_in_the_contract():
    python, tables, commands = (
        PROMISES.read(ROOT / "tests" / "contract" / f"{n}.json") for n in ("python", "tables", "commands")
    )
    assert set(qc.__all__) <= set(python["quchong"])
    assert "survivor_id" in tables["ledger"] and "differences" in tables["pairs"]
    assert commands["commands"]["dedup"]["options"]["--output"] == "path"
    assert "130" in commands["exit codes"]


# What a release wrote.


@pytest.fixture(params=RELEASES, ids=lambda path: path.name)
def sample(request, tmp_path, monkeypatch):
    """A copy of what a release wrote."""
    shutil.copytree(request.param, tmp_path / "sample")
    monkeypatch.chdir(tmp_path / "sample")
    return tmp_path / "sample"


def told(*words):
    """What a command prints."""
    done = forked.run(*words)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def rows(path):
    return [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]


def test_a_release_has_a_sample():
    assert RELEASES and all((one / "run" / "run.json").is_file() for one in RELEASES)


def test_a_sample_has_no_address_of_the_machine_that_made_it():
    for about in (ROOT / "tests" / "samples").rglob("run.json"):
        assert "/tmp/" not in about.read_text("utf-8"), about


def test_a_run_of_a_release_is_explained_verified_and_reported(sample):
    assert told("explain", "run", NEWS).startswith("n003 was removed: it is an exact copy of n002\n")
    assert "decided differently: 0\n" in told("verify", "run")
    assert "槐荫里小区" in told("templates", "run")
    assert "n005 published first" in told("chains", "run")
    told("report", "run", "-o", "page.html")
    assert NEWS in Path("page.html").read_text("utf-8")


def test_a_run_of_a_release_is_loaded_and_decided_again(sample):
    result = qc.load("run")
    manifest = json.loads(Path("run/run.json").read_text("utf-8"))
    counts = manifest["counts"]
    assert (len(result.kept), len(result.ledger)) == (counts["kept"], counts["removed"]) == (34, 14)
    assert len(result.templates) == counts["templates"]["templates"] == 5
    assert result.pairs.table.schema.names[:3] == ["left_id", "right_id", "relation"]
    again = result.rethreshold(0.99)
    assert len(again.kept) > len(result.kept)
    assert {"n002", "n005"} <= {row["id"] for row in again.kept.to_pylist()}


def test_rows_of_a_release_are_put_back_with_the_decisions_it_wrote(sample):
    told("restore", "run", "--decisions", "decisions.jsonl")
    assert NEWS in {row["id"] for row in rows("run/kept.jsonl")} and NEWS not in {
        row["id"] for row in rows("run/removed.jsonl")
    }
    told("dedup", "news.jsonl", "--decisions", "decisions.jsonl", "-o", "again", "-q")
    assert {NEWS, "n002"} <= {row["id"] for row in rows("again/kept.jsonl")}


def test_a_run_in_parts_and_one_of_ids_are_read(sample):
    assert told("explain", "parts", NEWS).startswith("n003 was removed")
    told("restore", "parts", NEWS)
    assert NEWS in qc.load("parts").kept["id"].to_pylist()
    assert told("explain", "ids", NEWS).startswith("n003 was removed")
    assert len(qc.load("ids").ledger) == 14


def test_a_run_on_spark_is_read_without_spark(sample):
    assert told("explain", "spark", NEWS).startswith("n003 was removed: it is an exact copy of n002\n")
    assert "decided differently: 0\n" in told("verify", "spark")
    here, there = qc.load("run"), qc.load("spark")
    for table in ("ledger", "clusters"):
        ids = [getattr(one, table).table.select(["id", "survivor_id"]).to_pylist() for one in (here, there)]
        assert ids[0] == ids[1]
    told("restore", "spark", NEWS)
    assert NEWS in qc.load("spark").kept["id"].to_pylist()


def test_a_new_run_goes_against_a_run_of_a_release(sample):
    told("dedup", "news.jsonl", "--against", "run", "-o", "next", "-q")
    assert rows("next/kept.jsonl") == []


def test_units_and_leaks_of_a_release_are_explained_and_put_back(sample):
    assert "cut: 2 documents have this unit; kept in document f1, unit 2" in told("explain", "units", "f2")
    assert "exam.jsonl e1: question" in told("explain", "leaks", "t1")
    told("restore", "units", "f2")
    told("restore", "leaks", "t1")
    assert "版权所有" in next(row["text"] for row in rows("units/kept.jsonl") if row["id"] == "f2")
    assert "t1" in {row["id"] for row in rows("leaks/kept.jsonl")}


def test_statistics_of_a_release_weigh_as_those_of_today(sample):
    told("statistics", "news.jsonl", "--method", "two-stage", "-o", "counted")
    assert Path("counted").read_bytes() == Path("statistics").read_bytes()
    told(
        "dedup",
        "news.jsonl",
        "--method",
        "two-stage",
        "--weights",
        "idf",
        "--statistics",
        "statistics",
        "-o",
        "weighed",
        "-q",
    )
    assert NEWS not in {row["id"] for row in rows("weighed/kept.jsonl")}


@pytest.mark.parametrize("kind", ["bloom", "trie", "digest"])
def test_the_state_of_a_filter_of_a_release_goes_on(sample, kind):
    shutil.copy(ROOT / "examples" / "posts.jsonl", "posts.jsonl")
    with Path("posts.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "new", "text": "今天第一次在河边看到白鹭。"}\n')
    passed = told("filter", "posts.jsonl", "--filter", kind, "--state", f"{kind}.state", "-q")
    assert [json.loads(line)["id"] for line in passed.splitlines()] == ["new"]


def test_an_index_of_a_release_goes_on(sample):
    for number, folder in enumerate(sorted((ROOT / "tests" / "samples").glob("index-*"))):
        shutil.copytree(folder, f"index{number}")
        with qc.Index(f"index{number}") as index:
            answer = index.add(
                {"id": "c1", "text": "据报道，市政府周一宣布，地铁四号线将于三月通车，全线共有二十座车站。"}
            )
            assert not answer.new and answer.survivor_id in ("a1", "a2", "a3")
            assert "c1" in index.ids()
