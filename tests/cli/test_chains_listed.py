"""Covers: `quchong chains`: the list, files, languages, and wrong calls."""

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "news.jsonl"


@pytest.fixture
def run(dedup):
    return dedup(EXAMPLES).folder


def test_the_largest_chains_are_listed(command, run):
    ran = command("chains", run, "--show", "1")
    assert ran.code == 0 and not ran.err
    head, _, first, *rest = ran.out.splitlines()
    assert head.startswith("34 chains, 80 documents, 4 series, 1 roundup")
    assert first == "n005 published first, 3 documents follow"
    assert any(line.strip().startswith("copied from n005 (only earlier document): a copy") for line in rest)
    assert rest[-1].startswith("... and 37 more chains: --show 38")


def test_chinese_is_all_chinese(command, run, monkeypatch):
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    ran = command("chains", run, "n098")
    assert ran.code == 0 and "汇编，收录 3 篇文章：n074、n078、n094" in ran.out and "较可能" in ran.out
    assert not any(word in ran.out for word in ("from", "document", "likely", "changed"))


def test_lines_are_no_wider_than_the_terminal(command, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    from quchong.cli.printing import width

    for lang in ("en", "zh"):
        assert max(map(width, command("chains", run, "--lang", lang).out.splitlines())) <= 60


def test_json_has_every_row_and_every_column(command, run):
    lines = [json.loads(line) for line in command("chains", run, "--json").out.splitlines()]
    assert len({line["id"] for line in lines}) == 95
    one = next(line for line in lines if line["id"] == "n009")
    assert one["source_id"] in ("n005", "n007") and one["relation"] == "contained_in" and one["changes"]


def test_ids_choose_chains(command, run):
    out = command("chains", run, "n009", "n019").out
    assert "n005 published first, 3 documents follow" in out and "n019 published first, 3 documents follow" in out
    assert out.startswith("2 chains, 8 documents")


def test_a_file_is_written_and_told_of(command, run, tmp_path):
    out = tmp_path / "c.jsonl"
    assert command("chains", run, "-o", out).out.splitlines()[-1] == f"written to {out}"
    assert "exists" in command("chains", run, "-o", out).line
    assert command("chains", run, "-o", out, "--overwrite").code == 0


def test_a_column_without_times_is_noted_once(command, run):
    out = command("chains", run, "--time-key", "url", "--show", "1").out
    assert (
        " ".join(out.split()).count(
            "note: the column url has no time that can be read, so sources are inferred from the texts alone; name a column of times with --time-key"
        )
        == 1
    )
    assert "from the texts alone" in out


@pytest.mark.parametrize("option", ["--time-key", "--source-key", "--title-key", "--link-key"])
def test_a_column_that_nobody_has_is_refused(command, run, option):
    done = command("chains", run, option, "nosuch")
    assert done.code == 2 and f"{option} nosuch: no record has this column" in done.line


def test_titles_cannot_act_on_the_terminal(command, tmp_path, dedup):
    text = json.loads(EXAMPLES.read_text("utf-8").splitlines()[0])["text"]
    rows = [
        {"id": f"a\x1b[3{k}m", "text": text, "title": "t\x1b]0;x\x07\n\u202e", "source": "\x9b2J"} for k in range(2)
    ]
    path = tmp_path / "in.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    folder = dedup(path).folder
    for options in ((), ("--json",)):
        out = command("chains", folder, *options).out
        assert not set(out) & set("\x1b\x07\x9b\u202e") and "t" in out


@pytest.mark.parametrize(
    ("argv", "code", "told"),
    [
        (("{run}", "nope"), 2, "no document has the id 'nope'"),
        (("{run}", "--overwrite"), 2, "--overwrite needs an output: name it with -o"),
        (("{run}", "-o", "{tmp}/c.pdf"), 2, "must end in .jsonl, .parquet, .xlsx or .csv"),
        (("{run}", "--time-zone", "Mars/Olympus"), 2, "give a name such as Asia/Shanghai or UTC"),
        (("{run}", "-o", "{run}/c.jsonl"), 4, "is inside"),
        (("{run}", "-o", "{tmp}/no/c.jsonl"), 4, "there is no folder"),
        (("{run}", "--workers", "0"), 2, "--workers must be"),
        (("{tmp}",), 5, "is not a run folder"),
        (("{tmp}/none",), 5, "is not a folder"),
    ],
)
def test_wrong_calls_are_told_in_one_line(command, run, tmp_path, argv, code, told):
    ran = command("chains", *(part.format(run=run, tmp=tmp_path) for part in argv))
    assert ran.code == code and told in ran.line
    assert not (tmp_path / "c.pdf").exists() and not (run / "c.jsonl").exists()


@pytest.mark.parametrize("argv", [(), ("{run}", "--least", "1"), ("{run}", "--show", "0"), ("{run}", "--lang", "fr")])
def test_values_out_of_range_show_the_usage(command, run, argv):
    assert command("chains", *(part.format(run=run) for part in argv)).code == 2
