"""Covers: the commands on pages. Run: pytest tests/pages/test_page_commands.py."""

import gzip
import io
import json
import sys

import pytest
from page_files import article, crawl, packed, page


@pytest.fixture
def folder(tmp_path):
    """Six pages, in three character sets; 4 is a copy of 1 in another frame and character set."""
    (tmp_path / "pages" / "sub").mkdir(parents=True)
    for n in range(6):
        charset = ("utf-8", "gbk", "utf-16")[n % 3]
        (tmp_path / "pages" / "sub" / f"{n}.html").write_bytes(page(1 if n == 4 else n, charset, extra=f"<!-- {n} -->"))
    return tmp_path / "pages"


@pytest.mark.parametrize("given", ["folder", "glob", "names"])
def test_dedup_and_explain(command, folder, tmp_path, given):
    names = sorted(folder.rglob("*.html"))
    inputs = {"folder": [folder], "glob": [folder / "**" / "*.html"], "names": names}[given]
    command("dedup", *inputs, "-o", tmp_path / "run", "-q")
    prefix = "sub/" if given == "folder" else ""
    assert (tmp_path / "run" / "removed.txt").read_text() == f"{prefix}4.html\n"
    assert (tmp_path / "run" / "kept.txt").read_text() == "".join(f"{prefix}{n}.html\n" for n in (0, 1, 2, 3, 5))
    out = command("explain", tmp_path / "run", f"{prefix}4.html")
    assert f"copy of {prefix}1.html" in out and article(1)[:40] in out
    command("restore", tmp_path / "run", f"{prefix}4.html")
    assert (tmp_path / "run" / "kept.txt").read_text() == "".join(f"{prefix}{n}.html\n" for n in range(6))


@pytest.mark.parametrize(("name", "said"), [("4.html", []), ("4.page", ["--format", "html"])])
def test_a_page_compared_against_is_explained_as_a_page(command, folder, tmp_path, name, said):
    other = tmp_path / name
    other.write_bytes((folder / "sub" / "4.html").read_bytes())
    command("dedup", folder, "--against", other, *said, "-o", tmp_path / "run", "-q")
    out = command("explain", tmp_path / "run", "sub/1.html")
    assert f"of against/{name}" in out
    assert "<html" not in out and "<p>" not in out


def test_dedup_of_a_warc(command, tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(packed(crawl()))
    command(
        "dedup",
        tmp_path / "a.warc.gz",
        "-o",
        tmp_path / "run",
        "-q",
        "--body",
        "all",
        "--keep",
        "latest",
        "--time-key",
        "crawl_time",
    )
    out = command("explain", tmp_path / "run", "http://site1.example.com/1.html")
    assert "of http://site0.example.com/4.html" in out and "版权所有" in out
    assert json.loads((tmp_path / "run" / "run.json").read_text())["config"]["body"] == "all"


@pytest.mark.parametrize(("name", "data"), [("html", page(1)), ("warc", packed(crawl()))])
def test_stdin(command, tmp_path, monkeypatch, name, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    command("dedup", "-", "--format", name, "-o", tmp_path / "run", "-q")
    assert {path.name for path in (tmp_path / "run").iterdir()} >= (
        {"kept.txt"} if name == "html" else {"kept.warc.gz"}
    )


def test_another_column(command, tmp_path):
    rows = [{"id": n, "raw": page(1).decode()} for n in range(2)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    err = command("dedup", tmp_path / "a.jsonl", "--dry-run", "-q", code=3)
    assert "has the key 'text' or 'html'" in err and "--html-key" in err
    assert "removed" in command("dedup", tmp_path / "a.jsonl", "--html-key", "raw", "--dry-run")


def test_compare(command, folder):
    one, four = folder / "sub" / "1.html", folder / "sub" / "4.html"
    assert "relation of" in command("compare", one, four) and ": exact" in command("compare", one, four)
    text = folder / "1.txt"
    text.write_text(article(1), encoding="utf-8")
    found = json.loads(command("compare", text, one, "--json"))
    assert found["containment_left"] > 0.9
    assert "版权所有" in command("compare", one, four, "--body", "all")


def test_filter(command, folder, tmp_path):
    command("filter", folder, "--removed", tmp_path / "removed.txt", "-q")
    assert (tmp_path / "removed.txt").read_text() == f"{folder}/sub/4.html\n"
    rows = [json.dumps({"html": page(n % 2, extra=f"<!-- {n} -->").decode()}, ensure_ascii=False) for n in range(4)]
    (tmp_path / "a.jsonl").write_text("\n".join([*rows, '{"html": 3}']), encoding="utf-8")
    command("filter", tmp_path / "a.jsonl", "--removed", tmp_path / "b.jsonl", "--skipped", tmp_path / "c.jsonl")
    assert (tmp_path / "b.jsonl").read_text(encoding="utf-8") == "".join(f"{row}\n" for row in rows[2:])
    assert json.loads((tmp_path / "c.jsonl").read_text())["line"] == 5


def test_filter_knows_what_it_cannot_take(command, tmp_path):
    (tmp_path / "a.warc").write_bytes(b"".join(crawl()))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "a.jsonl").write_text("{}")
    assert "reads JSON lines" in command("filter", tmp_path / "a.warc", code=2)
    assert "contains data files" in command("filter", tmp_path / "d", code=2)


def test_statistics(command, folder, tmp_path):
    assert command("statistics", folder, "-o", tmp_path / "s.parquet").startswith("6 documents")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (gzip.compress(b"WARC/1.0\r\n", mtime=0), "--format warc"),
        (b"WARC/1.0\r\n", "--format warc"),
        (b"PAR1", "--format parquet"),
    ],
    ids=["packed WARC", "WARC", "Parquet"],
)
def test_packed_data_under_a_wrong_name_is_told(tmp_path, command, raw, said):
    path = tmp_path / "in.jsonl"
    path.write_bytes(raw)
    assert said in command("dedup", path, "--dry-run", code=3)
