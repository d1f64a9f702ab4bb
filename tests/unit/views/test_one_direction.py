"""Covers: every place that tells how a removed document differs from the kept one tells it in one direction, and says which.

Compared are `explain` (text, notebook, JSON), the report's row and pair, the workbook and the table ledger, for n007, removed for n005,
in both languages. In chains n007 is the copy, so that its changes go from the source, and the words say so.
"""

import json
from pathlib import Path

import openpyxl
import pytest

import quchong as qc
from quchong.findings import differences_of
from quchong.languages import speaking
from quchong.report.chains import chain_lines
from quchong.views.model import model, thresholds_of
from quchong.views.subject import Subject
from quchong.views.words import words

EXAMPLES = Path(__file__).parents[3] / "examples" / "news.jsonl"
REMOVED, KEPT = "运行", "配合"
ARROW = {"en": "removed → kept", "zh": "已删 → 保留"}


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    return qc.dedup(EXAMPLES, out=tmp_path_factory.mktemp("runs") / "news", recall_sample=0)


def in_order(text):
    return f"{REMOVED} → {KEPT}" in text and f"{KEPT} → {REMOVED}" not in text


def test_the_ledger_has_the_removed_document_first(result):
    row = next(row for row in result.ledger.to_pylist() if row["id"] == "n007")
    assert row["survivor_id"] == "n005"
    assert (REMOVED, KEPT) in [(d.left, d.right) for d in differences_of(row)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_explain_says_the_direction(result, lang):
    with speaking(lang):
        e = result.explain("n007")
        line = next(line for line in str(e).splitlines() if REMOVED in line and KEPT in line)
        assert ARROW[lang] in line and in_order(line)
        page = e._repr_html_()
    assert ARROW["en"] in page or ARROW["zh"] in page


def test_explain_names_both_documents_of_other_pairs(result):
    assert f"differs (n005 → n007): term {KEPT} → {REMOVED}" in str(result.compare("n005", "n007"))
    assert f"differs (n007 → n005): term {REMOVED} → {KEPT}" in str(result.compare("n007", "n005"))


def test_the_report_has_the_removed_document_first_in_row_and_pair(result):
    subject = Subject(result._run)
    page = json.loads(json.dumps(model(subject, thresholds_of(subject))))
    ids = page["documents"]["id"]
    pair = next(p for p in page["pairs"] if p["removed"] and ids[p["left"]] == "n007")
    assert ids[pair["right"]] == "n005" and [REMOVED, KEPT] in [d[6:8] for d in pair["differences"]]
    for lang, arrow in ARROW.items():
        assert arrow in words()["column.changed"][lang] and arrow in words()["direction.removed"][lang]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_workbook_says_the_direction(result, tmp_path, lang):
    result.report(tmp_path / "news.xlsx", lang=lang)
    sheet = openpyxl.load_workbook(tmp_path / "news.xlsx").worksheets[0]
    head, *rows = sheet.iter_rows(values_only=True)
    column = next(k for k, name in enumerate(head) if ARROW[lang] in name)
    assert in_order(next(row for row in rows if row[0] == "n007")[column])


@pytest.mark.parametrize(("lang", "told"), [("en", "changed (source → copy): "), ("zh", "改动（来源 → 本篇）：")])
def test_chains_say_that_they_go_from_the_source_to_the_copy(result, lang, told):
    rows = result.chains("n007").to_pylist()
    assert next(row for row in rows if row["id"] == "n007")["source_id"] == "n005"
    lines = [str(line) for _, line in chain_lines(rows, lang)]
    line = next(line for line in lines if REMOVED in line and line.startswith(told))
    assert f"{KEPT} → {REMOVED}" in line
