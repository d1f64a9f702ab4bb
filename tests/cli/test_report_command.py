"""Covers: `quchong report`: where the page and the workbook go, what is refused, runs of every mode and of Spark's form.

Run: pytest tests/cli/test_report_command.py.
"""

import json
import re

import pytest


@pytest.fixture
def folder(dedup, jsonl, rows):
    return dedup(jsonl("rows.jsonl", rows)).folder


def shown(page):
    """What a page holds of its run."""
    return json.loads(
        re.search(r'<script type="application/json" id="model">(.*?)</script>', page.read_text("utf-8"))[1]
    )


def test_the_page_stands_beside_the_run(command, folder, gone):
    ran = command("report", folder)
    page = folder.with_name(f"{folder.name}.html")
    assert (ran.code, ran.err) == (0, "") and ran.out == f"written to {page}\n"
    made = shown(page)
    ids, removals = made["documents"]["id"], made["removals"]
    assert {ids[a]: ids[b] for a, b in zip(removals["document"], removals["survivor"], strict=True)} == gone
    assert made["language"] == "en" and made["about"]["name"] == folder.name


def test_progress_is_told_unless_asked_not_to(command, folder, tmp_path):
    told = command("report", folder, "-o", tmp_path / "a.html", "--progress").err.splitlines()
    stages = ["open the run", "decide again at other thresholds", "find who copied whom", "choose and read texts"]
    assert [line.split(" in ")[0].split(":")[0] for line in told] == stages
    assert "thresholds" in told[1].split(":")[1]
    pytest.importorskip("xlsxwriter", reason="XlsxWriter is not installed (extra report)")
    told = command("report", folder, "-o", tmp_path / "a.xlsx", "--progress").err.splitlines()
    assert told[-1].startswith("write the workbook: ") and "documents in" in told[-1]


def test_the_language_is_asked_for_or_that_of_the_environment(command, folder, tmp_path, monkeypatch):
    assert command("report", folder, "-o", tmp_path / "a.html", "--lang", "zh").code == 0
    assert shown(tmp_path / "a.html")["language"] == "zh"
    monkeypatch.setenv("QUCHONG_LANG", "zh")
    assert command("report", folder, "-o", tmp_path / "b.html").code == 0
    assert shown(tmp_path / "b.html")["language"] == "zh"
    assert command("report", folder, "-o", tmp_path / "c.html", "--lang", "en").code == 0
    assert shown(tmp_path / "c.html")["language"] == "en"


def test_a_report_is_replaced_when_asked_and_nothing_else_is(command, folder, tmp_path):
    page = tmp_path / "page.html"
    assert command("report", folder, "-o", page).code == 0
    before = page.read_bytes()
    again = command("report", folder, "-o", page, "--lang", "zh")
    assert again.code == 4 and "--overwrite" in again.line and page.read_bytes() == before
    assert command("report", folder, "-o", page, "--lang", "zh", "--overwrite").code == 0
    assert page.read_bytes() != before
    mine = tmp_path / "mine.html"
    mine.write_text("mine")
    refused = command("report", folder, "-o", mine, "--overwrite")
    assert refused.code == 4 and "not a report of quchong" in refused.line and mine.read_text() == "mine"


def test_a_workbook_is_asked_for_by_its_name_or_the_option(command, folder, tmp_path):
    pytest.importorskip("xlsxwriter", reason="XlsxWriter is not installed (extra report)")
    assert command("report", folder, "--xlsx").out == f"written to {folder}.xlsx\n"
    assert command("report", folder, "-o", tmp_path / "list.xlsx").code == 0
    for path in (tmp_path / f"{folder.name}.xlsx", tmp_path / "list.xlsx"):
        assert path.read_bytes().startswith(b"PK")
    wrong = command("report", folder, "--xlsx", "-o", tmp_path / "list.html")
    assert wrong.code == 2 and "does not end in .xlsx" in wrong.line


@pytest.mark.parametrize(
    ("out", "code", "said"),
    [("inside", 4, "is inside"), ("none/a.html", 4, "there is no folder"), (".", 4, "choose another output")],
)
def test_places_that_are_refused_are_told(command, folder, tmp_path, out, code, said):
    place = folder / "a.html" if out == "inside" else tmp_path / out
    before = sorted(tmp_path.rglob("*"))
    ran = command("report", folder, "-o", place)
    assert ran.code == code and said in ran.line
    assert sorted(tmp_path.rglob("*")) == before


def test_what_is_no_run_is_told(command, tmp_path):
    for run in (tmp_path, tmp_path / "nowhere"):
        ran = command("report", run, "-o", tmp_path / "a.html")
        assert ran.code == 5 and str(run) in ran.line
    assert not list(tmp_path.iterdir())


def test_a_damaged_run_is_told(command, folder, tmp_path):
    (folder / "pairs.parquet").write_bytes(b"PAR1 and nothing else")
    ran = command("report", folder, "-o", tmp_path / "a.html")
    assert ran.code == 5 and "pairs.parquet" in ran.line and not (tmp_path / "a.html").exists()


def test_a_run_whose_rows_are_gone_is_shown_without_texts(command, folder, tmp_path, gone):
    for side in ("kept", "removed"):
        next(folder.glob(f"{side}.*")).unlink()
    assert command("report", folder, "-o", tmp_path / "a.html").code == 0
    made = shown(tmp_path / "a.html")
    assert (
        made["thresholds"]["why"] == "closed" and not made["pairs"] and len(made["removals"]["document"]) == len(gone)
    )


@pytest.mark.parametrize(
    "options", [("--mode", "annotate"), ("--relations", "exact"), ("--facts", "remove"), ("--method", "exact")]
)
def test_runs_of_every_kind_have_a_page(command, dedup, jsonl, rows, tmp_path, options):
    run = dedup(jsonl("rows.jsonl", rows), *options)
    assert command("report", run.folder, "-o", tmp_path / "a.html").code == 0
    made = shown(tmp_path / "a.html")
    assert len(made["removals"]["document"]) == len(run.ledger)
    texts = {row["id"]: row["text"] for row in rows}
    for number, (text, _, _) in made["documents"]["text"].items():
        assert text == texts[made["documents"]["id"][int(number)]]
    assert len(made["pairs"]) >= len(run.ledger)


def test_a_corpus_compared_against_has_its_documents_in_the_page(command, dedup, jsonl, rows, tmp_path):
    archive = jsonl("archive.jsonl", rows[:6])
    run = dedup(jsonl("today.jsonl", [row | {"id": f"t-{row['id']}"} for row in rows]), "--against", archive)
    assert command("report", run.folder, "-o", tmp_path / "a.html").code == 0
    made = shown(tmp_path / "a.html")
    assert made["documents"]["reference"] and made["about"]["counts"]["reference"] == 6
    assert sum(made["by_source"]["read"]) == len(rows)


def test_numbers_as_ids_and_pages_as_texts(command, dedup, jsonl, tmp_path, article):
    body = "".join(f"<p>{article(k)}。</p>" for k in range(4))
    html = f"<html><head><title>云河</title></head><body><article>{body}</article></body></html>"
    run = dedup(jsonl("pages.jsonl", [{"id": k, "html": html} for k in (10, 9)] + [{"id": 3, "text": article(9)}]))
    assert run.counts["removed"] == 1
    assert command("report", run.folder, "-o", tmp_path / "a.html").code == 0
    made = shown(tmp_path / "a.html")
    assert all(article(0) in text for text, _, _ in made["documents"]["text"].values()) and len(made["pairs"]) == 1
    assert all("html" not in fields["shown"] for fields in made["documents"]["fields"].values())


def test_what_was_put_back_is_no_longer_listed(command, folder, tmp_path, gone):
    assert command("restore", folder, "copy").code == 0
    assert command("report", folder, "-o", tmp_path / "a.html").code == 0
    made = shown(tmp_path / "a.html")
    assert len(made["removals"]["document"]) == len(gone) - 1
    assert made["thresholds"]["back"][-1][0] <= len(gone) - 1
