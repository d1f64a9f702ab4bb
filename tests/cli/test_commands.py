"""Every command and option of `quchong`, through its command line."""

from __future__ import annotations

import csv
import importlib
import json
import re
import subprocess
import sys
from dataclasses import fields

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import quchong as qc
from quchong.cli.main import COMMANDS, PACKAGES
from quchong.cli.printing import width
from quchong.errors import UsageError
from quchong.parameters import parameters_of
from quchong.plan.catalogue import METHODS
from quchong.plan.plan import parse_within


def lines(path):
    with pa.input_stream(str(path), compression="detect") as file:
        return [json.loads(line) for line in file.read().splitlines()]


def cells(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


def write_cells(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter="\t" if path.suffix == ".tsv" else ",")
        writer.writeheader()
        writer.writerows(rows)
    return path


def write(path, rows):
    """Rows in the format of the path's suffix."""
    if path.suffix in (".csv", ".tsv"):
        return write_cells(path, rows)
    if path.suffix in (".parquet", ".arrow", ".feather"):
        table = pa.Table.from_pylist(rows)
        if path.suffix == ".parquet":
            pq.write_table(table, path)
        elif path.suffix == ".arrow":
            with pa.ipc.new_file(str(path), table.schema) as writer:
                writer.write_table(table)
        else:
            feather.write_feather(table, str(path))
        return path
    codec = {".gz": "gzip", ".zst": "zstd", ".bz2": "bz2"}.get(path.suffix)
    with pa.output_stream(str(path), compression=codec) as file:
        file.write("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
    return path


def read(path):
    if path.suffix in (".csv", ".tsv"):
        return [row | {"n": int(row["n"])} for row in cells(path)]
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    if path.suffix in (".arrow", ".feather"):
        return feather.read_table(str(path)).to_pylist()
    return lines(path)


FORMATS = ["jsonl", "ndjson", "jsonl.gz", "jsonl.zst", "jsonl.bz2", "csv", "tsv", "parquet", "arrow", "feather"]


@pytest.mark.parametrize("suffix", FORMATS)
def test_formats(tmp_path, dedup, rows, gone, suffix):
    run = dedup(write(tmp_path / f"in.{suffix}", rows))
    assert run.removed == gone
    assert read(run.folder / f"kept.{suffix}") == [row for row in rows if row["id"] not in gone]
    assert read(run.folder / f"removed.{suffix}") == [row for row in rows if row["id"] in gone]
    assert {k: run.counts[k] for k in ("read", "kept", "removed", "skipped")} == {
        "read": 10, "kept": 6, "removed": 4, "skipped": 0,
    }  # fmt: skip
    assert run.relations == {"copy": "exact", "c": "duplicate", "piece": "contained_in", "en2": "exact"}


def test_a_folder_of_texts(tmp_path, dedup, command, rows, gone):
    for row in rows:
        path = tmp_path / "pages" / row["id"][0] / f"{row['id']}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(row["text"], encoding="utf-8")
    run = dedup(tmp_path / "pages")
    names = sorted(f"{row['id'][0]}/{row['id']}.txt" for row in rows)
    away = {f"{k[0]}/{k}.txt": f"{v[0]}/{v}.txt" for k, v in gone.items()}
    assert run.removed == away
    assert (run.folder / "kept.txt").read_text().split() == [name for name in names if name not in away]
    assert (run.folder / "removed.txt").read_text().split() == sorted(away)
    told = json.loads(command("explain", run.folder, "p/piece.txt", "--json").out)
    texts = {row["id"]: row["text"] for row in rows}
    assert (told["text"], told["survivor_text"]) == (texts["piece"], texts["whole"])


def test_stdin(tmp_path, rows, gone):
    raw = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    out = tmp_path / "run"
    ran = subprocess.run([sys.executable, "-m", "quchong.cli.main", "dedup", "-", "-o", out, "-q"],
                         input=raw, capture_output=True, check=False)  # fmt: skip
    assert ran.returncode == 0, ran.stderr.decode()
    assert [row["id"] for row in lines(out / "removed.jsonl")] == [row["id"] for row in rows if row["id"] in gone]
    assert not (out / "stdin").exists() and not (tmp_path / "run.partial").exists()
    assert qc.load(out).manifest["inputs"][0]["name"] == "stdin"


def test_stdin_of_another_format(tmp_path, rows, gone):
    raw = write_cells(tmp_path / "in.csv", rows).read_bytes()
    out = tmp_path / "run"
    argv = [sys.executable, "-m", "quchong.cli.main", "dedup", "-", "--format", "csv", "-o", out, "-q"]
    ran = subprocess.run(argv, input=raw, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert read(out / "kept.csv") == [row for row in rows if row["id"] not in gone]


def test_several_inputs(tmp_path, dedup, rows, gone):
    (tmp_path / "in" / "deep").mkdir(parents=True)
    write(tmp_path / "in" / "a.jsonl", rows[:5])
    write_cells(tmp_path / "in" / "deep" / "b.csv", rows[5:])
    for inputs in ([tmp_path / "in"], [tmp_path / "in" / "a.jsonl", tmp_path / "in" / "deep" / "b.csv"],
                   [tmp_path / "in" / "**" / "*.*"]):  # fmt: skip
        run = dedup(*inputs)
        assert run.removed == gone
        assert lines(run.folder / "kept" / "a.jsonl") == [row for row in rows[:5] if row["id"] not in gone]
        assert read(run.folder / "kept" / "deep" / "b.csv") == [row for row in rows[5:] if row["id"] not in gone]
        assert lines(run.folder / "removed" / "a.jsonl") == [row for row in rows[:5] if row["id"] in gone]


NOTES = [f"quchong_{name}" for name in ("fate", "id", "survivor", "relation", "jaccard", "containment")]


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_annotate(tmp_path, dedup, rows, gone, suffix):
    run = dedup(write(tmp_path / f"in.{suffix}", rows), "--mode", "annotate")
    got = read(run.folder / f"annotated.{suffix}")
    assert [{k: v for k, v in row.items() if k not in NOTES} for row in got] == rows
    assert list(got[0]) == [*rows[0], *NOTES]
    for row in got:
        went = row["id"] in gone
        assert row["quchong_fate"] == ("removed" if went else "kept")
        assert (row["quchong_id"], row["quchong_survivor"]) == (row["id"], gone.get(row["id"], row["id"]))
        assert bool(row["quchong_relation"]) == bool(row["quchong_jaccard"]) == went
    assert not list(run.folder.glob("kept*")) and not list(run.folder.glob("removed*"))
    assert qc.load(run.folder).explain("piece").text == rows[4]["text"]


def test_json(tmp_path, command, jsonl, rows):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "run", "--json", "-q")
    assert ran.code == 0 and ran.err == ""
    assert json.loads(ran.out) == json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert json.loads(ran.out)["command"][0] == "dedup"


def test_dry_run(tmp_path, command, jsonl, rows, monkeypatch):
    path = jsonl("in.jsonl", rows)
    monkeypatch.chdir(tmp_path)
    for more in ([], ["-o", "run"]):
        ran = command("dedup", path, "--dry-run", *more)
        assert ran.code == 0 and "removed" in ran.out and "written to" not in ran.out
        assert [p.name for p in tmp_path.iterdir()] == ["in.jsonl"]
    manifest = json.loads(command("dedup", path, "--dry-run", "--json", "-q").out)
    assert (manifest["mode"], manifest["counts"]["removed"], manifest["files"]) == ("dry run", 4, {})


def test_the_summary_says_what_to_do_next(tmp_path, command, jsonl, rows):
    ran = command("dedup", jsonl("in.jsonl", rows), "-o", tmp_path / "run", "--progress")
    assert f"written to {tmp_path / 'run'}" in ran.out and f"quchong explain {tmp_path / 'run'} c\n" in ran.out
    assert "read and fingerprint" in ran.err
    assert command("dedup", tmp_path / "in.jsonl", "--dry-run", "-q").err == ""


def test_against(tmp_path, dedup, command, jsonl, rows, article):
    old = [{"id": "b", "text": article(2)}, {"id": "z", "text": article(4) + "旧版"}, {"id": "y", "text": article(4)}]
    run = dedup(jsonl("in.jsonl", rows), "--against", jsonl("old/in.jsonl", old))
    assert run.removed == {
        "copy": "b", "c": "against/b", "longer": "against/b", "piece": "whole", "alone": "against/y", "en2": "en",
    }  # fmt: skip
    assert (run.counts["read"], run.counts["reference"], run.counts["kept"]) == (10, 3, 4)
    assert [row["id"] for row in lines(run.folder / "kept.jsonl")] == ["b", "whole", "en", "mixed"]
    assert not any(row["removed"] for row in run.documents if row["reference"])
    assert not any(p["left_id"][:8] == p["right_id"][:8] == "against/" for p in run.pairs)
    told = json.loads(command("explain", run.folder, "alone", "--json").out)
    assert (told["survivor_id"], told["survivor_text"]) == ("against/y", article(4))
    assert json.loads(command("explain", run.folder, "copy", "--json").out)["survivor_text"] == article(1)
    run = dedup(tmp_path / "in.jsonl", "--against", tmp_path / "old" / "in.jsonl", "--only-against")
    assert sorted(run.removed) == ["alone", "c", "longer"]


def test_against_twice_and_in_other_formats(tmp_path, dedup, jsonl, rows, article):
    one = write_cells(tmp_path / "one.csv", [{"text": article(1)}])
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "p.txt").write_text(article(4), encoding="utf-8")
    run = dedup(jsonl("in.jsonl", rows), "--against", one, "--against", tmp_path / "pages", "--only-against")
    assert run.removed == {"b": "against/one.csv#0", "copy": "against/one.csv#0", "alone": "against/p.txt"}


def test_pipes(tmp_path, dedup, rows):
    raw = {"in": rows, "old": [{"id": "o", "text": rows[6]["text"]}]}
    for name, docs in raw.items():
        write(tmp_path / f"{name}.jsonl", docs)
    out = tmp_path / "run"
    script = 'exec "$0" -m quchong.cli.main dedup <(cat in.jsonl) --against <(cat old.jsonl) -o run -q'
    ran = subprocess.run(["bash", "-c", script, sys.executable], cwd=tmp_path, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert len(lines(out / "kept.jsonl")) == 5 and not (out / "stdin").exists()
    assert qc.load(out).explain("alone").survivor_text is None  # a pipe cannot be read again


def test_protect(tmp_path, dedup, jsonl, rows):
    (tmp_path / "ids").write_text("\ufeffcopy\n\n piece \nb\n", encoding="utf-8")
    run = dedup(jsonl("in.jsonl", rows), "--protect", tmp_path / "ids")
    assert run.removed == {"c": "longer", "en2": "en"}
    assert {row["id"] for row in run.documents if row["protected"]} == {"copy", "piece", "b"}


def test_relations(tmp_path, dedup, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    assert sorted(dedup(path, "--relations", "exact").removed) == ["copy", "en2"]
    run = dedup(path, "--relations", "exact, duplicate")
    assert sorted(run.removed) == ["c", "copy", "en2"]
    assert {p["relation"] for p in run.pairs} == {"exact", "duplicate", "contained_in"}


def test_variants(tmp_path, dedup, jsonl, article):
    texts = [f"{article(8, 60)}第{a}号{article(9, 30)}共{b}人{article(10, 40)}合{c}元" for a, b, c in
             ((1203, 57, 88410), (1377, 61, 90277))]  # fmt: skip
    path = jsonl("in.jsonl", [{"id": str(k), "text": text} for k, text in enumerate(texts)])
    run = dedup(path)
    assert run.removed == {} and [p["relation"] for p in run.pairs] == ["variant"]
    for option in (["--facts", "remove"], ["--relations", "exact,variant"]):
        run = dedup(path, *option)
        assert run.relations == {"1": "variant"}
    assert dedup(path, "--no-guards").relations == {"1": "duplicate"}


def test_what_variants_differ_in_is_told(tmp_path, command, jsonl, article):
    """In the summary, by explain and by compare; `title`'s bidi mark and the escape in it act on no terminal."""
    texts = [f"{article(8, 60)}第{a}号{article(9, 30)}共{b}人{article(10, 40)}合{c}元{title}" for a, b, c, title in
             ((2, 3, 4, "完\x1b[2J"), (5, 6, 7, "完\u202e"))]  # fmt: skip
    path = jsonl(
        "in.jsonl", [{"id": str(k), "text": text, "time": f"2020-03-0{k + 1}"} for k, text in enumerate(texts)]
    )
    said = "figure 第2 → 第5; figure 3 → 6; figure 4元 → 7元"
    kept = command("dedup", path, "-o", tmp_path / "kept", "--recall-sample", 0)
    assert "variants kept" in kept.out and "1 pair, in figures 1" in kept.out
    told = command("explain", tmp_path / "kept", "0").out
    assert f"differs (0 → 1): {said}" in told and "this document is not newer than the other" in told
    gone = command("dedup", path, "-o", tmp_path / "gone", "--facts", "remove", "--recall-sample", 0)
    assert "removed as variants" in gone.out and "1, in figures 1" in gone.out and "variants kept" not in gone.out
    told = command("explain", tmp_path / "gone", "1").out
    assert (
        "differs (removed → kept): figure 第5 → 第2; figure 6 → 3; figure 7元 → 4元" in told
        and "this document is newer than the other" in told
    )
    files = []
    for k, text in enumerate(texts):
        files.append(tmp_path / f"{k}.txt")
        files[-1].write_text(text, encoding="utf-8")
    compared = command("compare", *files)
    assert f"differs (0.txt → 1.txt): {said}" in compared.out and "variant" in compared.out
    assert not any(sign in out for sign in "\x1b\u202e" for out in (told, compared.out))
    found = json.loads(command("compare", *files, "--json", "--facts", "figure").out)
    assert found["facts"] == ["figure"] and [d["left"] for d in found["differences"][:3]] == ["第2", "3", "4元"]


@pytest.mark.parametrize(
    ("keep", "survivor"),
    [
        ("longest", "m"),
        ("shortest", "k"),
        ("earliest", "l"),
        ("latest", "m"),
        ("first", "l"),
        ("last", "k"),
        ("source:乙>甲", "k"),
        ("source:丙,shortest", "k"),
        ("column:quality desc", "l"),
        ("column:quality", "k"),
        ("prefer:kind=full", "m"),
        ("earliest:seen", "k"),
    ],
)
def test_keep(dedup, jsonl, article, keep, survivor):
    text = article(20)
    docs = [
        {
            "id": "l",
            "text": text + "后记甲",
            "time": "2024-01-01",
            "source": "甲",
            "quality": 9,
            "kind": "x",
            "seen": 3,
        },
        {
            "id": "m",
            "text": text + "后记甲乙丙",
            "time": "2024-03-01",
            "source": "甲",
            "quality": 8,
            "kind": "full",
            "seen": 2,
        },
        {"id": "k", "text": text, "time": "2024-02-01", "source": "乙", "quality": 7.5, "kind": "x", "seen": 1},
    ]
    run = dedup(jsonl("in.jsonl", docs), "--keep", keep)
    assert run.removed == {i: survivor for i in "klm" if i != survivor}
    assert run.manifest["config"]["keep"].split(":")[0].split(",")[0] == keep.split(":")[0].split(",")[0]


def test_scope(dedup, jsonl, article):
    docs = [
        {"id": "a", "text": article(1), "time": "2024-01-01 08:00", "lang": "zh", "url": "https://www.one.example/1"},
        {"id": "b", "text": article(1), "time": "2024-01-03 08:00", "lang": "en", "url": "https://www.one.example/2"},
        {"id": "c", "text": article(1) + "完", "time": "2024-01-20", "lang": "zh", "url": "https://two.example/1"},
    ]
    path = jsonl("in.jsonl", docs)
    earliest = ["--keep", "earliest"]
    assert dedup(path, *earliest).removed == {"b": "a", "c": "a"}
    assert dedup(path, *earliest, "--within", "7d").removed == {"b": "a"}
    assert dedup(path, *earliest, "--within", "12h").removed == {}
    assert dedup(path, *earliest, "--within", "3w").removed == {"b": "a", "c": "a"}
    assert dedup(path, *earliest, "--per", "lang").removed == {"c": "a"}
    assert dedup(path, *earliest, "--same-site").removed == {"b": "a"}
    assert dedup(path, *earliest, "--same-site", "--per", "lang").removed == {}


def test_strip(command, dedup, jsonl, article):
    body = article(30, 90)
    docs = [
        {"id": "a", "text": body},
        {"id": "b", "text": f"新华社北京3月5日电（记者 李明）{body}\n来源：东方日报\n责任编辑：王芳"},
    ]
    path = jsonl("in.jsonl", docs)
    assert dedup(path).relations in ({"a": "contained_in"}, {"a": "duplicate"})
    run = dedup(path, "--strip", "dateline,source,editor")
    assert run.relations == {"b": "exact"}
    (passage,) = run.ledger[0]["passages"]
    assert docs[1]["text"][passage["start"] : passage["end"]] == body
    assert f"⟦{body}⟧" in command("explain", run.folder, "b").out


def test_boilerplate(tmp_path, dedup, jsonl, article):
    menu = [article(40, 90), article(41, 90)]
    docs = [{"id": str(k), "text": "\n".join([menu[0], article(42 + k, 30), menu[1]])} for k in range(2)]
    path = jsonl("in.jsonl", docs)
    (tmp_path / "menu.txt").write_text("\n".join(menu), encoding="utf-8")
    assert len(dedup(path).removed) == 1
    run = dedup(path, "--boilerplate", tmp_path / "menu.txt")
    assert run.removed == {} and run.pairs == []


def test_text_of_several_columns(dedup, jsonl, article):
    docs = [
        {"id": "a", "title": article(1, 40), "body": article(2, 80)},
        {"id": "b", "title": article(3, 40), "body": article(2, 80)},
        {"id": "c", "title": None, "body": article(1, 40) + article(2, 80)},  # another border between the columns
        {"id": "d", "title": article(1, 40), "body": article(2, 80)},
    ]
    path = jsonl("in.jsonl", docs)
    assert dedup(path, "--text-key", "title,body", "--relations", "exact").removed == {"d": "a"}
    assert dedup(path, "--text-key", "body", "--relations", "exact").removed == {"b": "a", "d": "a"}


def test_names_of_other_columns(dedup, jsonl, article):
    docs = [{"nr": k, "words": article(1), "day": f"2024-0{3 - k}-01", "paper": "甲乙"[k]} for k in range(2)]
    path = jsonl("in.jsonl", docs)
    keys = ["--column", "words", "--id-field", "nr", "--time-key", "day", "--source-key", "paper"]
    assert dedup(path, *keys, "--keep", "earliest").removed == {0: 1}
    assert dedup(path, *keys, "--keep", "source:甲").removed == {1: 0}


def test_a_config_file(tmp_path, dedup, command, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    (tmp_path / "c.toml").write_text('relations = "exact"\nthreshold = 0.9\n')
    run = dedup(path, "--config", tmp_path / "c.toml")
    assert sorted(run.removed) == ["copy", "en2"] and run.manifest["config"]["parameters"]["threshold"] == 0.9
    (tmp_path / "c.json").write_text('{"relations": "exact", "id-key": "id"}')
    assert len(dedup(path, "--config", tmp_path / "c.json", "--relations", "contained_in").removed) == 1
    (tmp_path / "c.toml").write_text("nonsense = 1\n")
    ran = command("dedup", path, "--config", tmp_path / "c.toml", "--dry-run")
    assert ran.code == 2 and "nonsense" in ran.line
    assert command("dedup", path, "--config", tmp_path / "none.toml", "--dry-run").code == 2
    (tmp_path / "c.json").write_text("[1]")
    assert "has no options" in command("dedup", path, "--config", tmp_path / "c.json", "--dry-run").line


@pytest.mark.parametrize(
    "method", sorted(set(METHODS) - {"imatch-random"})
)  # ten texts of one alphabet make no lexicon
def test_methods_on_the_same_road(dedup, jsonl, rows, gone, method):
    run = dedup(jsonl("in.jsonl", rows), "--method", method)
    assert run.manifest["config"]["method"] == method and {"copy", "en2"} <= set(run.removed) <= set(gone)
    assert all(row["method"] == method for row in run.ledger)


def test_explain(command, dedup, jsonl, rows):
    run = dedup(jsonl("in.jsonl", rows))
    ran = command("explain", run.folder, "piece", "whole", "alone")
    assert ran.code == 0
    piece, rest = ran.out.split("\nwhole was kept\n")
    assert piece.startswith("piece was removed") and f"⟦{rows[4]['text']}⟧" in piece
    assert "was removed as copies of this document: piece" in rest and "\nalone was kept\n" in rest
    shown = [json.loads(line) for line in command("explain", run.folder, "piece", "whole", "--json").out.splitlines()]
    assert [(one["id"], one["removed"], one["survivor_id"]) for one in shown] == [
        ("piece", True, "whole"),
        ("whole", False, None),
    ]
    first = shown[0]
    (passage,) = first["passages"]
    assert first["text"][passage["start"] : passage["end"]] == rows[4]["text"]
    assert first["survivor_text"][passage["survivor_start"] : passage["survivor_end"]] == rows[4]["text"]
    assert shown[1]["members"] == ["piece"] and shown[1]["near"][0]["relation"] == "contains"
    assert qc.load(run.folder).explain("piece").as_dict()["relation"] == "contained_in"
    ran = command("explain", run.folder, "nobody")
    assert ran.code == 2 and "no document has the id 'nobody'" in ran.line


def test_explain_of_what_is_no_run(tmp_path, command):
    for place, message in ((tmp_path / "none", "is not a folder"), (tmp_path, "is not a run folder")):
        ran = command("explain", place, "a")
        assert ran.code == 5 and message in ran.line


def test_explain_of_a_damaged_run(command, dedup, jsonl, rows):
    run = dedup(jsonl("in.jsonl", rows))
    (run.folder / "pairs.parquet").write_bytes(b"PAR1 no more")
    ran = command("explain", run.folder, "piece")
    assert ran.code == 5 and "pairs.parquet cannot be read" in ran.line
    (run.folder / "run.json").write_text('{"format": 99, "quchong": "9.0"}')
    assert "later version of quchong (9.0)" in command("explain", run.folder, "piece").line


def test_a_quiet_restore_says_nothing(command, dedup, jsonl, rows):
    run = dedup(jsonl("in.jsonl", rows))
    ran = command("restore", run.folder, "--all", "-q")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert "has no removed row that matches" in command("restore", run.folder, "--all", "--quiet").out


def test_restore(command, dedup, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    run = dedup(path)
    ran = command("restore", run.folder, "--relation", "contained_in")
    assert (ran.code, ran.out) == (0, f"put back 1 row\n  rows put back: 1; file: {run.folder / 'kept.jsonl'}\n")
    assert command("restore", run.folder, "--all").out.startswith("put back 3 rows\n")
    assert (run.folder / "kept.jsonl").read_bytes() == path.read_bytes()
    for argv, message in (
        ((), "say which rows to put back: give ids, or --relation"),
        (("nobody",), "document"),
        (("alone",), "not removed"),
    ):
        ran = command("restore", run.folder, *argv)
        assert ran.code == 2 and message in ran.line


def test_compare(tmp_path, command, article):
    left, right = tmp_path / "a.txt", tmp_path / "b.txt"
    left.write_text(article(1)[:80], encoding="utf-8")
    right.write_text(article(1), encoding="utf-8")
    ran = command("compare", left, right)
    assert ran.code == 0 and "contained_in" in ran.out and f"⟦{article(1)[:80]}⟧" in ran.out
    told = json.loads(command("compare", left, right, "--json").out)
    assert (told["relation"], told["containment_left"]) == ("contained_in", 1.0)
    place = {"left_start": 0, "left_end": 80, "right_start": 0, "right_end": 80}
    assert told["passages"][0] == place | {"kind": "exact"}
    assert json.loads(command("compare", left, left, "--json").out)["relation"] == "exact"
    right.write_text(article(7), encoding="utf-8")
    assert json.loads(command("compare", left, right, "--json").out)["relation"] == "none"
    for empty in ("", "。！"):
        right.write_text(empty, encoding="utf-8")
        assert json.loads(command("compare", left, right, "--json").out)["relation"] == "none"
    right.write_bytes(b"\xff\xff text")
    ran = command("compare", left, right)
    assert ran.code == 3 and "b.txt: " in ran.line and "UTF-8" in ran.line
    assert command("compare", left, tmp_path / "none").code == 3
    assert command("compare", left, tmp_path).code == 3


def test_methods(command):
    ran = command("methods")
    assert ran.code == 0 and all(name in ran.out for name in METHODS)
    told = {one["name"]: one for one in json.loads(command("methods", "--json").out)}
    assert set(told) == set(METHODS)
    for name, kind in METHODS.items():
        assert set(told[name]["parameters"]) == {f.name for f in fields(kind)} >= set(parameters_of(kind))
        one = command("methods", name)
        assert one.code == 0 and kind.traits.paper in " ".join(one.out.split())
        listed = one.out.partition("parameter ")[2].partition("\n\n")[0].splitlines()[1:]
        rows = [line.split(maxsplit=1) for line in listed if not line.startswith(" ")]
        assert {parameter for parameter, _ in rows} == set(parameters_of(kind))
        assert all(len(meaning.split()) > 2 for _, meaning in rows), rows  # a default and words on it
        assert max(map(width, one.out.splitlines())) <= 100 >= max(map(width, ran.out.splitlines()))
    assert json.loads(command("methods", "ccdet", "--json").out) == told["ccdet"]
    assert command("methods", "nonsense").code == 2
    assert "finds" in told["hybrid"] and "paper" in told["hybrid"]


def test_set_gives_what_has_no_option(tmp_path, command, jsonl):
    path = jsonl(
        "in.jsonl", [{"id": "a", "text": "今天天气很好。明天也好。"}, {"id": "b", "text": "今天天气很好。后天不好。"}]
    )
    ran = command("dedup", path, "--dry-run", "--json", "--method", "ccdet", "--set", "tail=3", "--set", "min-shared=2",
                  "--set", "prune=none", "--set", "recount=false", "--threshold", "0.5")  # fmt: skip
    told = json.loads(ran.out)["config"]["parameters"]
    assert (told["tail"], told["min_shared"], told["prune"], told["recount"], told["threshold"]) == (
        3,
        2,
        "none",
        False,
        0.5,
    )
    for bad, said in [
        ("tail", "a parameter and a value"),
        ("nonsense=1", "no parameter nonsense"),
        ("tail=x", "tail must be a whole number"),
    ]:
        ran = command("dedup", path, "--dry-run", "--method", "ccdet", "--set", bad)
        assert ran.code == 2 and said in ran.line, ran.line
    twice = ["--set", "threshold=0.4", "--threshold", "0.5"]
    assert "twice" in command("dedup", path, "--dry-run", "--method", "ccdet", *twice).line


def test_every_command_has_help_and_the_same_line(command):
    for name, line in COMMANDS.items():
        ran = command(name, "--help")
        assert ran.code == 0 and f"quchong {name} [OPTIONS]" in ran.out
        assert importlib.import_module(PACKAGES.get(name, f"quchong.cli.{name}")).command.short_help == line
    assert "Exit codes" in command("--help").out
    assert command("--version").out.strip().endswith(qc.__version__)
    assert command("nonsense").code == 2


class Absent:
    """Finder to which the package of experiments is not installed."""

    @staticmethod
    def find_spec(name, *_):
        if name == "quchong_lab":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def without_lab(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "quchong_lab"]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("argv", [[], ["list"], ["--help"], ["run", "--all"]], ids=" ".join)
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "quchong: quchong lab is in the package quchong-lab: install it with pip install ./packages/lab in the source folder"),
        ("zh", "quchong：quchong lab 在单独的软件包 quchong-lab 中：请在 quchong 的源码目录里用 pip install ./packages/lab 安装"),
    ],
    ids=["en", "zh"],
)  # fmt: skip
def test_a_command_of_a_package_that_is_not_installed_says_what_to_install(command, monkeypatch, argv, language, said):
    without_lab(monkeypatch)
    monkeypatch.setattr(sys, "meta_path", [Absent, *sys.meta_path])
    ran = command("lab", *argv, "--lang", language)
    assert ran.code == 2 and ran.line.startswith(said), ran
    assert "lab" in command("--help").out


def test_a_fault_inside_such_a_package_is_not_told_as_its_absence(command, monkeypatch, tmp_path):
    (tmp_path / "quchong_lab").mkdir()
    (tmp_path / "quchong_lab" / "__init__.py").touch()
    (tmp_path / "quchong_lab" / "command.py").write_text("import a_module_that_is_missing\n")
    without_lab(monkeypatch)
    monkeypatch.syspath_prepend(str(tmp_path))
    ran = command("lab", "list")
    for name in ("quchong_lab", "quchong_lab.command"):
        sys.modules.pop(name, None)
    assert ran.code == 1 and "a_module_that_is_missing" in ran.err


@pytest.mark.parametrize(
    "argv", [["--help"], ["dedup", "--help"], ["explain", "--help"], ["restore", "--help"], ["--version"]]
)
def test_help_answers_at_once(argv):
    ran = subprocess.run([sys.executable, "-X", "importtime", "-m", "quchong.cli.main", *argv],
                         capture_output=True, text=True, check=False)  # fmt: skip
    assert ran.returncode == 0
    imported = {line.rpartition("|")[2].strip().split(".")[0] for line in ran.stderr.splitlines() if "|" in line}
    assert "click" in imported and not {"pyarrow", "numpy", "rich", "orjson"} & imported


def test_within_spans():
    assert [parse_within(t) for t in ("90m", "12h", "7d", "2w", "1.5d", "30s")] == [
        5400.0, 43200.0, 604800.0, 1209600.0, 129600.0, 30.0,
    ]  # fmt: skip
    assert parse_within(None) is None
    with pytest.raises(UsageError):
        parse_within("")


@pytest.mark.parametrize(
    ("argv", "near"),
    [
        (["dedupe"], "dedup"),
        (["dedup", "x", "--dry-run", "--method", "min-hash"], "minhash"),
        (["methods", "winowing"], "winnowing"),
        (["lab", "run", "web/ccdet-treshold"], "web/ccdet-thresholds"),
        (["dedup", "x", "--kep", "longest"], "--keep"),
    ],
)
def test_a_name_with_a_slip_is_answered_with_the_right_one(command, argv, near):
    ran = command(*argv)
    assert ran.code == 2 and re.search(f"[Dd]id you mean.*{near}", ran.err), ran.err


@pytest.mark.parametrize(("argv", "columns"), [(["methods"], 60), (["methods", "hybrid"], 80), (["lab", "list"], 80)])
def test_lists_fit_the_terminal(command, monkeypatch, argv, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = command(*argv)
    assert ran.code == 0 and max(map(width, ran.out.splitlines())) <= columns


def test_explain_says_why_a_document_was_kept_or_skipped(command, dedup, jsonl, article, tmp_path):
    (tmp_path / "ids.txt").write_text("copy\n")
    rows = [
        {"id": "copy", "text": article(1)},
        {"id": "whole", "text": article(1) + "完"},
        {"id": "few", "text": "好"},
        {"id": "null", "text": None},
        b'{"id": "broken", "text": ',
        b'["no object"]',
    ]
    path = jsonl("in.jsonl", rows)
    run = dedup(path, "--protect", tmp_path / "ids.txt")
    assert "copy was kept: the document is protected (--protect)" in command("explain", run.folder, "copy").out
    assert "the document is too short" in command("explain", run.folder, "few").out
    told = command("explain", run.folder, "broken").out.splitlines()
    assert told[0].startswith("broken was skipped") and told[1].startswith("  in.jsonl, line 5 (record 5): ")
    (one,) = json.loads(command("explain", run.folder, "broken", "--json").out)["skipped"]
    assert one["line"] == 5 and one["reason"] in told[1]
    assert "line 6" in command("explain", run.folder, "in.jsonl#5").out
    assert command("explain", run.folder, "nobody").code == 2
    if run.manifest["counts"]["skipped"] == 3:  # a row without a text is a record of its own
        assert "line 4" in command("explain", run.folder, "null").out
    against = dedup(path, "--against", path)
    ran = command("explain", against.folder, "against/few")
    assert "belongs to the corpus of --against" in ran.out


def test_explain_shows_the_threshold_that_decided(command, dedup, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    for argv, shown in (((), "threshold 0.85"), (("--containment", "0.7"), "threshold 0.7")):
        run = dedup(path, *argv)
        assert f"rule: containment ({shown})" in command("explain", run.folder, "piece").out
        (decided,) = [row["threshold"] for row in run.ledger if row["id"] == "piece"]
        assert f"threshold {decided:g}" == shown
    assert "(threshold 1)" in command("explain", run.folder, "copy").out


def test_the_thresholds_that_decided_are_in_run_json_and_help(command, dedup, jsonl, rows):
    path = jsonl("in.jsonl", rows)
    strict = dedup(path, "--preset", "strict").manifest["thresholds"]
    assert (strict["jaccard"], strict["containment"]) == (0.75, 0.9)
    given = dedup(path, "--threshold", 0.9).manifest["thresholds"]
    assert {given[name] for name in ("jaccard", "short_jaccard", "latin_jaccard")} == {0.9}
    assert dedup(path, "--method", "ccdet").manifest["thresholds"] == {"threshold": 0.6, "ratio": 0.5}
    out = command("methods", "hybrid").out
    for value in ("0.75", "0.68", "0.60", "0.90", "0.85", "0.80"):
        assert value in out


def test_the_package_is_the_command_too():
    ran = subprocess.run([sys.executable, "-m", "quchong", "--version"], capture_output=True, text=True, check=True)
    assert ran.stdout.strip().endswith(qc.__version__)
