"""Covers: `quchong index` as people call it: what `add` and `query` print, streams, ends, JSON, settings, deletion.

Run: pytest tests/cli/test_index_commands.py.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import quchong as qc

EXAMPLES = Path(__file__).parents[2] / "examples"
ADD = [sys.executable, "-m", "quchong", "index", "add"]


@pytest.fixture
def seen(tmp_path, command):
    """An empty index."""
    assert command("index", "create", tmp_path / "seen", "-q").code == 0
    return tmp_path / "seen"


@pytest.fixture
def family(article):
    """A document, its exact copy, a near-copy with another figure, an excerpt, a longer one, and one that is like none."""
    base = f"昨天共有120人参加，{article(1, 300)}。"
    return [
        {"id": "a", "text": base},
        {"id": "b", "text": base.replace("，", ",")},
        {"id": "c", "text": base.replace("120", "130")},
        {"id": "d", "text": base[40:190]},
        {"id": "e", "text": base + article(2, 200)},
        {"id": "f", "text": article(3, 300)},
    ]


def tally(out):
    """The summary as a dict."""
    rows = (line.strip().rsplit("  ", 1) for line in out.splitlines() if "  " in line)
    return {
        name.strip(): int(value.replace(",", "")) for name, value in rows if value.strip().replace(",", "").isdigit()
    }


def test_a_line_for_each_document_that_is_not_new_and_a_summary(command, jsonl, seen, family):
    ran = command("index", "add", seen, jsonl("in.jsonl", family))
    assert ran.code == 0 and ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0] == "b is an exact copy of a; removed in favour of e"  # which came later in the batch
    assert lines[1].startswith("c is a variant of a; similarity 0.9")
    assert "; differs: figure 130 → 120; kept" in lines[1]
    assert re.match(
        r"d is contained in [abc]; containment 100\.0%; removed( in favour of e)?; 1 more match in the index$", lines[2]
    )
    assert lines[3].startswith("e is longer than a and contains it; containment 100.0%; kept, and replaces a")
    counts = tally(ran.out)
    assert counts.pop("removed as copies") + counts.pop("earlier documents replaced by better copies", 0) == 3
    assert counts == {
        "added": 6, "new": 2, "exact": 1, "variant": 1, "contained_in": 1, "contains": 1, "documents in the index": 6,
    }  # fmt: skip


def test_what_is_asked_is_not_added_and_both_say_the_same(command, jsonl, seen, family):
    first, *others = family
    assert command("index", "add", seen, jsonl("first.jsonl", [first])).code == 0
    asked = command("index", "query", seen, jsonl("in.jsonl", others[:1]))
    assert (
        asked.out.startswith("b is an exact copy of a; would be removed if added\n")
        and tally(asked.out)["queried"] == 1
    )
    assert tally(asked.out)["documents in the index"] == 1
    added = command("index", "add", seen, jsonl("in.jsonl", others[:1]))
    assert (
        added.out.splitlines()[0] == asked.out.splitlines()[0].replace("would be removed if added", "removed")
        and tally(added.out)["documents in the index"] == 2
    )


def test_json_has_what_the_api_answers(command, jsonl, seen, family):
    source = jsonl("in.jsonl", family)
    assert command("index", "add", seen, source, "-q").out == ""
    rows = [{**one, "id": f"{one['id']}2"} for one in family]
    ran = command("index", "query", seen, jsonl("again.jsonl", rows), "--json", "--passages")
    with qc.Index(seen, read_only=True) as index:
        expected = [one.as_dict() for one in index.query(rows, passages=True)]
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert found == json.loads(json.dumps(expected)) and len(found) == 6
    assert found[0]["matches"][0]["relation"] == "exact" and found[3]["matches"][0]["passages"]
    assert "queried" in ran.err  # the summary is not JSON
    strange = [*rows[:1], {"id": "new", "text": "与此毫不相干的一段话，只为占一个位置，说的是山里的雾和早上的茶。"}]
    known = command("index", "query", seen, jsonl("two.jsonl", strange), "--json", "--only-known", "-q")
    assert [json.loads(line)["id"] for line in known.out.splitlines()] == ["a2"] and known.err == ""


def test_fail_on_found_and_bad(command, jsonl, seen, family):
    source = jsonl("in.jsonl", family[:2])
    assert command("index", "query", seen, source, "-q", "--fail-on", "found").code == 0
    assert command("index", "add", seen, source, "-q", "--fail-on", "bad").code == 0
    ran = command("index", "query", seen, source, "-q", "--fail-on", "found")
    assert ran.code == 6 and "--fail-on: 2 documents are not new; all other documents were answered" in ran.err
    assert command("index", "query", seen, jsonl("bad.jsonl", [family[5], b"{"]), "-q", "--fail-on", "bad").code == 6


def test_bad_records_are_told_with_their_line_and_the_others_are_added(command, jsonl, seen, family):
    rows = [family[0], b"[1]", b'{"text": 7}', b'{"title": "no text"}', b'{"text": "half', family[1]]
    ran = command("index", "add", seen, jsonl("in.jsonl", rows))
    said = [line.split("in.jsonl, ")[1] for line in ran.err.splitlines()]
    assert said[:3] == [
        "line 2: not a JSON object",
        "line 3: text is a number, not a string",
        "line 4: no key 'text' or 'html'; the record has 'title'",
    ]
    assert said[3].startswith("line 5: broken JSON") and len(said) == 4
    assert tally(ran.out)["added"] == 2 and tally(ran.out)["could not be read"] == 4
    only = command("index", "add", seen, jsonl("worse.jsonl", [b"{"] * 30))
    assert (
        only.code == 3
        and only.err.count("broken JSON") == 20
        and "further bad records are counted but not listed" in only.err
    )
    assert "no record can be read: all 30 records are bad" in only.err


def test_a_stream_that_is_sent_again_adds_nothing(command, jsonl, seen, family):
    source = jsonl("in.jsonl", family)
    assert command("index", "add", seen, source).code == 0
    ran = command("index", "add", seen, source)
    counts = tally(ran.out)
    assert ran.code == 0 and ran.err == "" and counts["skipped because the id is already in the index"] == 6
    assert counts["added"] == 0 and counts["documents in the index"] == 6


def test_files_of_other_formats(command, tmp_path, seen, family):
    pq.write_table(pa.Table.from_pylist(family[:3]), tmp_path / "in.parquet")
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "one.txt").write_text(family[0]["text"], "utf-8")
    ran = command("index", "add", seen, tmp_path / "in.parquet", tmp_path / "texts")
    assert ran.code == 0 and tally(ran.out)["added"] == 4 and "one.txt is an exact copy of" in ran.out


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stream_is_answered_as_it_arrives_and_ends_with_a_summary(seen, family, number):
    environment = {**os.environ, "QUCHONG_LANG": "en"}
    with subprocess.Popen(
        [*ADD, str(seen), "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        for row in family[:2]:
            process.stdin.write(json.dumps(row).encode() + b"\n")
            process.stdin.flush()
        assert process.stdout.readline() == b"b is an exact copy of a; removed\n"  # the stream has not ended
        process.stdin.write(json.dumps(family[3]).encode() + b"\n")
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"d is contained in a")
        process.send_signal(number)
        out = process.stdout.read().decode()
        assert process.wait() == 130 and process.stderr.read() == b""
    assert tally(out)["added"] == 3 and tally(out)["documents in the index"] == 3
    with qc.Index(seen, read_only=True) as index:
        assert index.ids() == ["a", "b", "d"]


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
def test_what_was_reported_survives_kill_9(seen, family):
    with subprocess.Popen([*ADD, str(seen), "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdin.write(b"".join(json.dumps(row).encode() + b"\n" for row in family))
        process.stdin.flush()
        told = [json.loads(process.stdout.readline())["id"] for _ in family]
        process.kill()
        process.wait()
    with qc.Index(seen, read_only=True) as index:
        assert index.ids() == told == [row["id"] for row in family]


def test_settings_are_those_of_dedup_and_stay(command, tmp_path, jsonl, article):
    made = command(
        "index", "create", tmp_path / "posts", "--method", "short-text", "--threshold", 0.6, "--per", "user", "--within", "7d",
        "--keep", "latest", "--text-key", "title,text", "--sync", "250ms",
    )  # fmt: skip
    assert made.code == 0 and made.out.endswith("posts has 0 documents; add to it with quchong index add\n")
    rows = [{"id": n, "user": user, "time": f"2026-03-0{day}T10:00:00", "title": "同题", "text": article(1)}
            for n, (user, day) in enumerate([("a", 1), ("b", 1), ("a", 2)])]  # fmt: skip
    ran = command("index", "add", tmp_path / "posts", jsonl("in.jsonl", rows))
    assert ran.out.splitlines()[0] == "2 is an exact copy of 0; kept, and replaces 0"
    told = command("index", "stats", tmp_path / "posts").out
    for words in ("short-text", "latest", "within 7d, per user", "within 250ms"):
        assert words in told, words
    figures = json.loads(command("index", "stats", tmp_path / "posts", "--json").out)
    assert (figures["documents"], figures["kept"], figures["settings"]["text"]) == (3, 2, ["title", "text"])


def test_documents_are_deleted_by_id_and_by_a_file_of_ids(command, tmp_path, jsonl, seen, family):
    assert command("index", "add", seen, jsonl("in.jsonl", family), "-q").code == 0
    (tmp_path / "ids.txt").write_text("d\n\ne\n", "utf-8")
    ran = command("index", "delete", seen, "c", "nowhere", "--ids", tmp_path / "ids.txt")
    assert ran.code == 0 and ran.out == "deleted 3 documents\n" and "has no document 'nowhere'" in ran.err
    with qc.Index(seen, read_only=True) as index:
        assert index.ids() == ["a", "b", "f"]
    again = command("index", "query", seen, jsonl("part.jsonl", family[3:4]))
    assert again.out.startswith("d is contained in a; ")


def test_whole_numbers_as_ids_are_found_as_they_are_typed(command, jsonl, seen, article):
    rows = [{"id": n, "text": article(n)} for n in (7, 8)]
    assert command("index", "add", seen, jsonl("in.jsonl", rows), "-q").code == 0
    assert command("index", "delete", seen, 7).out == "deleted 1 document\n"
    with qc.Index(seen, read_only=True) as index:
        assert index.ids() == [8]


def test_documents_expire_by_their_time(command, jsonl, seen, article):
    rows = [
        {"id": "old", "time": "2001-01-01", "text": article(1)},
        {"id": "new", "time": "2999-01-01", "text": article(2)},
    ]
    assert command("index", "add", seen, jsonl("in.jsonl", rows), "-q").code == 0
    assert command("index", "expire", seen, "--older-than", "30d").out.startswith("deleted 1 document dated before ")
    with qc.Index(seen, read_only=True) as index:
        assert index.ids() == ["new"]


def test_inspect_sees_documents_of_an_index_as_the_index_does(command, tmp_path, jsonl, seen, family):
    assert command("index", "add", seen, jsonl("in.jsonl", family), "-q").code == 0
    (tmp_path / "new.txt").write_text(family[2]["text"], "utf-8")
    ran = command("inspect", "--index", seen, "a", tmp_path / "new.txt", "--json")
    found = json.loads(ran.out)
    assert found["method"] == "hybrid" and found["comparison"]["relation"] == "variant"
    both = json.loads(command("inspect", f"{seen}/a", "c", "--json").out)
    assert both["comparison"] == found["comparison"]


@pytest.mark.parametrize("words", [("index", "delete"), ("explain",)])
def test_ids_of_an_index_are_completed(command, jsonl, seen, family, monkeypatch, words):
    assert command("index", "add", seen, jsonl("in.jsonl", family), "-q").code == 0
    monkeypatch.setenv("_QUCHONG_COMPLETE", "bash_complete")
    for typed, found in ((f"{seen} a", "plain,a\n"), (f"{seen} f", "plain,f\n")):
        line = f"quchong {' '.join(words)} {typed}"
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        assert command().out == found


def test_commands_and_kinds_are_completed(command, monkeypatch):
    monkeypatch.setenv("_QUCHONG_COMPLETE", "bash_complete")
    for line, found in (
        ("quchong ind", "plain,index\n"), ("quchong index ex", "plain,expire\nplain,export\n"),
        ("quchong index create x --method minh", "plain,minhash\n"), ("quchong index query x --fail-on fo", "plain,found\n"),
    ):  # fmt: skip
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        assert command().out == found, line


def test_a_shadow_is_told_where_it_decides_otherwise(command, tmp_path, jsonl, article):
    assert command("index", "create", tmp_path / "two", "--shadow", "threshold=0.95,containment=0.95", "-q").code == 0
    text = article(1, 300)
    rows = [{"id": "a", "text": text}, {"id": "b", "text": text[:270] + article(2, 30)}, {"id": "c", "text": text}]
    ran = command("index", "add", tmp_path / "two", jsonl("in.jsonl", rows))
    lines = ran.out.splitlines()
    assert lines[0].startswith("b is a near-duplicate of a; ") and lines[0].endswith("; shadow: kept")
    assert lines[1].startswith("c is an exact copy of a; removed") and "shadow" not in lines[1]
    assert tally(ran.out)["shadow decides differently"] == 1
    assert "containment=0.95, threshold=0.95" in command("index", "stats", tmp_path / "two").out


def test_what_is_replaced_is_counted_once(command, jsonl, seen, article):
    rows = [{"id": "a", "text": article(1, 300)}, {"id": "b", "text": article(1, 300) + article(2, 30)}]
    together = tally(command("index", "add", seen, jsonl("in.jsonl", rows)).out)
    assert together["removed as copies"] + together.get("earlier documents replaced by better copies", 0) == 1
    longer = [{"id": "c", "text": rows[1]["text"] + article(3, 30)}]
    later = tally(command("index", "add", seen, jsonl("later.jsonl", longer)).out)
    assert (later["removed as copies"], later["earlier documents replaced by better copies"]) == (0, 1)
