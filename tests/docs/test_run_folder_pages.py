"""Covers: the pages on the run folder in both languages: every column of every table with its type, every file and every field of run.json.

Compared against: the schemas by which tables are written, and what runs of several kinds leave. Run: pytest tests/docs/test_run_folder_pages.py.
"""

import json
import re
from pathlib import Path

import forked
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from quchong import tables
from quchong.engines.contamination import schemas

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "guide" / name for name in ("run-folder.md", "run-folder.zh-CN.md")]
SCHEMAS = (
    tables.LEDGER, tables.PAIRS, tables.CLUSTERS, tables.TEMPLATES, tables.FATES, tables.UNITS, tables.UNIT_DOCUMENTS, tables.PASSAGES,
    schemas.MATCHES, schemas.ITEMS, schemas.DOCUMENTS,
)  # fmt: skip
"""Schemas of the tables, in the order of the pages."""
RUNS = {
    "plain": (),
    "annotated": ("--mode", "annotate", "--keep-work"),
    "ids": ("--ids-only", "--add-columns", "copies,sources,first_seen,last_seen", "--mix", "*=2"),
    "shards": ("--shard-size", "64K", "--compress", "zst"),
    "cut": ("--roundups", "cut", "--keep-per-cluster", "2"),
    "two": ("--method", "two-stage", "--stage1", "bloom"),
}
RARE = {"engine", "parts", "decisions", "remarks", "restored"}
"""Fields of run.json that none of RUNS has: of Spark, of decisions, of kept work that was not used, of what was put back."""


def word(of_type, nullable):
    """The word by which the pages name a type."""
    if pa.types.is_list(of_type) and not pa.types.is_struct(of_type.value_type):
        base = f"list of {word(of_type.value_type, False)}"
    elif pa.types.is_list(of_type):
        base = "list"
    elif pa.types.is_string(of_type) or pa.types.is_large_string(of_type):
        base = "text"
    else:
        base = {pa.float64(): "float64"}.get(of_type, str(of_type))
    return base + "?" * nullable


def columns(fields, before=""):
    """Name and type of every column of a schema, and of the members of its lists of structs."""
    for field in fields:
        yield f"`{before}{field.name}`", word(field.type, field.nullable)
        if pa.types.is_list(field.type) and pa.types.is_struct(field.type.value_type):
            yield from columns(field.type.value_type, f"{before}{field.name}[].")


def shown(page):
    """The tables of a page: for each its rows, as lists of cells, without the head."""
    found = re.findall(r"(?:^\|.*\n)+", page.read_text("utf-8"), re.MULTILINE)
    return [[[cell.strip() for cell in line.strip("|").split(" | ")] for line in one.splitlines()[2:]] for one in found]


def names(table):
    """The names in the first cells of a table."""
    return [name for row in table for name in re.findall(r"`([^`]+)`", row[0])]


def run(out, *options):
    done = forked.run("dedup", str(ROOT / "examples" / "news.jsonl"), "-o", str(out), "-q", *options)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Folders of all RUNS; in the plain one a document was put back."""
    folder = tmp_path_factory.mktemp("runs")
    for name, options in RUNS.items():
        run(folder / name, *options)
    assert forked.run("restore", str(folder / "plain"), "n009", "-q").returncode == 0
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_column_of_every_table_is_there_with_its_type_and_meaning(page):
    of_tables = [
        table
        for table in shown(page)
        if table[0][0] in {next(columns(one))[0] for one in SCHEMAS} and len(table[0]) == 3
    ]
    ids = [["`id`", "text?"], ["`source`", "text"], ["`row`", "int64"]]
    of_tables = [table for table in of_tables if [row[:2] for row in table] != ids]
    assert len(of_tables) == len(SCHEMAS)
    for table, schema in zip(of_tables, SCHEMAS, strict=True):
        assert [tuple(row[:2]) for row in table] == list(columns(schema))
        assert all(row[2] for row in table)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_run_leaves_is_there(page, runs):
    files = names(shown(page)[0])
    known = re.compile("|".join(re.escape(name).replace(r"\*", r"\w+(\.zst)?") for name in files))
    left = {path.name for name in RUNS for path in (runs / name).iterdir()}
    assert len(left) > 12
    assert [name for name in left if not known.fullmatch(name) and name not in ("kept", "removed", "work")] == []
    assert [file for file in files if "*" not in file and file.rstrip("/") not in left] == ["decisions.jsonl"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_field_of_run_json_and_every_count_is_there(page, runs):
    *_, fields, counts = [
        table
        for table in shown(page)
        if table[0][0] in ("`format`", "`records`, `skipped`, `without_text`", "`records`、`skipped`、`without_text`")
    ]
    manifests = [json.loads((runs / name / "run.json").read_text("utf-8")) for name in RUNS]
    written = {field for manifest in manifests for field in manifest}
    assert written - set(names(fields)) == set()
    assert set(names(fields)) - written <= RARE
    assert {one for manifest in manifests for one in manifest["counts"]} == set(names(counts))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_columns_of_other_files_are_there(page, runs, tmp_path):
    by_first = {names(table)[0]: table for table in shown(page) if table}
    row = json.loads((runs / "annotated" / "annotated.jsonl").read_text("utf-8").splitlines()[0])
    assert [name for name in row if name.startswith("quchong_")] == names(by_first["quchong_fate"])
    kept = pq.read_schema(runs / "ids" / "kept_ids.parquet")
    assert kept.names[:3] == ["id", "source", "row"]
    text = page.read_text("utf-8")
    assert all(f"`{name}`" in text for name in kept.names)
    (tmp_path / "bad.jsonl").write_text('no record\n{"text": "one"}\n', "utf-8")
    done = forked.run("dedup", str(tmp_path / "bad.jsonl"), "-o", str(tmp_path / "run"), "-q")
    assert done.returncode == 0, done.stderr
    bad = json.loads((tmp_path / "run" / "skipped.jsonl").read_text("utf-8"))
    skipped = [table for table in shown(page) if len(table[0]) == 2 and table[0][0] == "`source`"]
    assert [names(table) for table in skipped] == [list(bad)]
