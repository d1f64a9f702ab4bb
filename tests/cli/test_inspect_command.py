"""Covers: quchong inspect: files, pages, texts, documents of a run; output as text, JSON and page; wrong calls.

Compared against: quchong.inspect, quchong.compare, the ledger of the run. Run: pytest tests/cli/test_inspect_command.py.
"""

import json

import pytest

import quchong as qc

PAGE = "<html><head><title>地铁四号线开通</title></head><body><h1>地铁四号线开通</h1>{}</body></html>"


@pytest.fixture
def files(tmp_path, article):
    one, two = tmp_path / "a.txt", tmp_path / "b.txt"
    one.write_text(article(1) + "。" + article(2), "utf-8")
    two.write_text(article(1) + "。", "utf-8")
    return one, two


@pytest.fixture
def run(dedup, jsonl, rows):
    return dedup(jsonl("in.jsonl", rows))


def test_two_files_with_every_step_and_the_scores_of_compare(command, files):
    ran = command("inspect", *files, "--method", "shingling", "--lang", "en")
    found = qc.compare(*files, method="shingling")
    assert ran.code == 0 and ran.out.startswith(f"How shingling compares {files[0]} and {files[1]}")
    assert f"{found.measures['evidence']:.3f}" in ran.out and f": {found.relation} (" in ran.out
    told = json.loads(command("inspect", *files, "--method", "shingling", "--json").out)
    assert told["comparison"] == json.loads(json.dumps(found.as_dict()))
    assert [d["name"] for d in told["documents"]] == [str(f) for f in files]
    (step,) = [s for s in told["steps"] if s["what"] == "evidence.shingling"]
    assert step["value"] == found.measures["evidence"] and step["passed"] is False


def test_one_file_and_the_language(command, files, monkeypatch):
    assert "锚点" in command("inspect", files[0], "--lang", "zh").out
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    ran = command("inspect", files[0])
    assert ran.code == 0 and "锚点" in ran.out and "判定" not in ran.out
    assert "anchors" in command("inspect", files[0], "--lang", "en").out


def test_texts_on_the_command_line_and_pages(command, tmp_path, article):
    ran = command("inspect", f"{article(1)}\n。", "--method", "ccdet", "--lang", "en")
    assert ran.code == 0 and "the first text" in ran.out and "features of full stops" in ran.out
    page = tmp_path / "a.html"
    page.write_text(PAGE.format("".join(f"<p>{article(k)}。</p>" for k in (1, 2, 3))), "utf-8")
    pytest.importorskip("resiliparse", reason="pages need the extra html")
    ran = command("inspect", page, "--method", "tree-long-sentence", "--body", "all", "--lang", "en")
    assert ran.code == 0 and "地铁四号线开通" in ran.out and "structure tree" in ran.out


def test_documents_of_a_run_are_named_like_those_of_explain(command, run):
    by_option = command("inspect", "--run", run.folder, "piece", "whole", "--lang", "en")
    assert by_option.code == 0 and "How hybrid compares piece and whole" in by_option.out
    assert "relation of piece to whole: contained_in (containment)" in by_option.out
    assert command("inspect", f"{run.folder}/piece", "whole", "--lang", "en").out == by_option.out
    assert command("inspect", f"{run.folder}/piece", f"{run.folder}/whole", "--lang", "en").out == by_option.out
    (row,) = [r for r in run.ledger if r["id"] == "piece"]
    told = json.loads(command("inspect", f"{run.folder}/piece", "whole", "--json").out)
    assert told["comparison"]["jaccard"] == row["jaccard"] and told["comparison"]["rule"] == row["rule"]


@pytest.mark.parametrize("method", ["ccdet", "spotsigs", "imatch", "partial", "tree-key-sentence", "two-stage"])
def test_a_run_of_another_method_is_counted_as_it_counted(command, dedup, jsonl, rows, method):
    spoken = [{**row, "text": row["text"][:60] + "。" + row["text"][60:] + "。"} for row in rows]
    run = dedup(jsonl("in.jsonl", spoken), "--method", method)
    assert run.pairs
    for row in run.pairs:
        told = json.loads(command("inspect", "--run", run.folder, row["left_id"], row["right_id"], "--json").out)
        assert told["method"] == method and told["comparison"]["relation"] == row["relation"]
        if row["relation"] != "exact":  # of which the tables tell no evidence
            assert told["comparison"]["measures"].get("evidence") == row.get("evidence")
    other = command(
        "inspect", "--run", run.folder, "b", "c", "--method", "hybrid", "--threshold", "0.5", "--lang", "en"
    )
    assert other.code == 0 and "How hybrid compares b and c" in other.out


def test_a_page_is_written_once_and_never_over_an_input(command, files, tmp_path):
    out = tmp_path / "seen.html"
    assert "written to" in command("inspect", *files, "-o", out).out and out.read_text("utf-8").startswith(
        "<!doctype html>"
    )
    assert "--overwrite" in command("inspect", *files, "-o", out).line
    assert command("inspect", *files, "-o", out, "--overwrite").code == 0
    before = files[0].read_bytes()
    assert command("inspect", *files, "-o", files[0], "--overwrite").code != 0 and files[0].read_bytes() == before


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("{a}", "{b}", "{a}"), "takes one or two documents, but got 3"),
        (("{none}",), "none.txt"),
        (("{folder}",), "is a folder: give a text"),
        (("{a}", "--method", "hybird"), "hybrid"),
        (("{a}", "--width", "3"), "width"),
        (
            ("{a}", "--json", "-o", "{folder}/x.html"),
            "--json prints the result, and --output writes a web page: give only one of them",
        ),
        (("{a}", "--overwrite"), "--overwrite can only be used with --output"),
        (("{a}", "-o", "{folder}/no/x.html"), "there is no folder"),
        (("--run", "{folder}", "b"), "run.json"),
        (("--run", "{run}", "nobody"), "no document has the id 'nobody'"),
        (("--run", "{run}", "b", "b"), "give two different documents"),
        (("--run", "{run}", "b", "--body", "all"), "--social and --body are for files"),
        (("{a}", "{run}/b"), "is a document of a run"),
        (("{run}/b", "{a}"), "no document has the id"),
        (("{a}", "--threshold", "2"), "--threshold"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else None,
)
def test_wrong_calls_end_in_one_line_with_a_remedy(command, files, run, tmp_path, argv, said):
    (tmp_path / "folder").mkdir()
    places = {
        "a": files[0],
        "b": files[1],
        "none": tmp_path / "none.txt",
        "folder": tmp_path / "folder",
        "run": run.folder,
    }
    ran = command("inspect", *(one.format(**places) for one in argv))
    assert ran.code not in (0, 1) and said in ran.line, ran.err


def test_help_names_the_options_and_no_method_loads(command):
    ran = command("inspect", "--help")
    assert ran.code == 0 and all(o in ran.out for o in ("--run", "--method", "--output", "--lang", "--json", "--most"))
    assert command("inspect").code == 2
