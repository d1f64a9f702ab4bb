"""Covers: `quchong passages`: two texts, a corpus, what is written, and options that do not belong."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from quchong.tables import PASSAGES

SHARED = "河边的码头在清晨开始装货，工人们把一袋袋粮食搬上船去，船长在甲板上数着袋子，数完以后在本子上画了一道线。"
OTHER = "镇上的学校新修了操场。孩子们下课以后都跑到那里去玩，老师站在旁边看着他们。"


@pytest.fixture
def two(tmp_path):
    left, right = tmp_path / "a.txt", tmp_path / "b.txt"
    left.write_bytes(f"开头是别的话。\r\n{SHARED}\r\n后面也是。".encode())
    right.write_text(f"{OTHER}{SHARED}", encoding="utf-8")
    return left, right


def told(command, *argv):
    ran = command("passages", *argv, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)["passages"]


def test_two_texts(command, two):
    (p,) = told(command, *two)
    assert list(p) == ["left_start", "left_end", "right_start", "right_end", "kind"] and p["kind"] == "exact"
    left, right = (path.read_bytes().decode() for path in two)
    assert left[p["left_start"] : p["left_end"]] == right[p["right_start"] : p["right_end"]] == SHARED[:-1]
    shown = command("passages", *two)
    assert shown.code == 0 and "exact" in shown.out and f"⟦{SHARED[:-1]}⟧" in shown.out


def test_reworked_and_joined(command, two):
    left, right = two
    changed = SHARED.replace("清晨", "黎明").replace("甲板上", "船头")
    right.write_text(OTHER + changed, encoding="utf-8")
    found = told(command, left, right)
    assert [p["kind"] for p in found] == ["near"]
    text = right.read_text(encoding="utf-8")
    assert text[found[0]["right_start"] : found[0]["right_end"]] == changed[:-1]
    exact = told(command, left, right, "--method", "hybrid")
    assert len(exact) == 2 and {p["kind"] for p in exact} == {"exact"}
    assert [p["kind"] for p in told(command, left, right, "--method", "hybrid", "--gap", "3")] == ["near"]
    assert told(command, left, right, "--exact", "--min-chars", "30") == []
    assert command("passages", left, right, "--min-chars", "500").out.endswith("share no passage\n")


def write(path, rows):
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), encoding="utf-8")
    return path


def test_a_corpus(command, tmp_path, article):
    rows = [{"id": f"d{i}", "text": article(i) + "\n" + SHARED, "more": [i]} for i in range(4)]
    corpus = write(tmp_path / "c.jsonl", [*rows, {"id": "alone", "text": "没有别的文章说过这句话。"}])
    corpus.write_text(corpus.read_text(encoding="utf-8") + "broken\n", encoding="utf-8")
    found = told(command, corpus, "--min-chars", "30", "--common", "3")
    assert {p["documents"] for p in found if p["boilerplate"]} == {4}
    out = tmp_path / "out"
    ran = command("passages", corpus, "-o", out, "--min-chars", "30", "--cut", "copies", "--keep", "first")
    assert ran.code == 0 and "1 bad record was" in ran.out and SHARED[:20] in ran.out
    assert pq.read_table(out / "passages.parquet").schema.equals(PASSAGES)
    cut = [json.loads(line) for line in (out / "cut.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [r["id"] for r in cut] == ["d0", "d1", "d2", "d3", "alone"] and [r.get("more") for r in cut][:2] == [
        [0],
        [1],
    ]
    assert [SHARED in r["text"] for r in cut] == [True, False, False, False, False]
    assert json.loads((out / "run.json").read_text())["cut"]["taken"]["documents"] == 3
    assert json.loads((out / "skipped.jsonl").read_text())["line"] == 6
    again = command("passages", corpus, "-o", out)
    assert again.code == 4 and "--overwrite" in again.line
    assert command("passages", corpus, "-o", out, "--overwrite").code == 0
    assert not (out / "cut.jsonl").exists()


def test_two_parts_of_a_corpus(command, tmp_path):
    a = write(tmp_path / "a.jsonl", [{"id": "a", "text": SHARED}])
    b = write(tmp_path / "b.jsonl", [{"id": "b", "text": OTHER + SHARED}])
    assert "--corpus" in command("passages", a, b).line
    (p,) = told(command, a, b, "--corpus", "--min-chars", "30")
    assert {p["left_id"], p["right_id"]} == {"a", "b"}
    out = tmp_path / "out"
    assert command("passages", a, b, "--corpus", "--min-chars", "30", "-o", out, "--cut", "copies").code == 0
    assert sorted(p.name for p in (out / "cut").iterdir()) == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["a.txt", "b.txt", "-o", "x"], "-o applies only if one corpus is searched"),
        (["a.txt", "b.txt", "--cut", "copies"], "--cut applies only if one corpus is searched"),
        (["a.txt", "--method", "hybrid"], "--method applies only if two texts are compared"),
        (["a.txt", "--threshold", "0.5"], "--threshold applies only if two texts are compared"),
        (["a.txt", "--cut", "copies"], "--cut needs an output: name it with -o"),
        (["a.txt", "b.txt", "--min-chars", "0"], "--min-chars must be a whole number of at least 1"),
        (["a.txt", "b.txt", "--id-key", "x"], "--id-key applies only if one corpus is searched"),
        (["a.txt", "."], "is a folder: to search folders as one corpus, give --corpus"),
        (["-", "b.txt"], "give two file names"),
        (["a.txt", "--min-chars", "1"], "--min-chars must be at least 2"),
        (["a.txt", "--common", "1"], "--common must be a whole number of at least 2"),
        (
            ["a.txt", "b.txt", "--threshold", "0.5"],
            "parameters of a method were given without a method (threshold): choose one",
        ),
        (["a.txt", "b.txt", "--method", "nosuch"], "unknown method"),
        (["a.txt", "nosuch.txt"], "nosuch.txt: no such file"),
        (["nosuch.jsonl"], "nosuch.jsonl"),
    ],
)
def test_what_cannot_be_used(command, two, monkeypatch, argv, said):
    monkeypatch.chdir(two[0].parent)
    ran = command("passages", *argv)
    assert ran.code in (2, 3) and said in ran.line
    assert sorted(p.name for p in Path().iterdir()) == ["a.txt", "b.txt"]


def test_pages_cannot_be_cut(command, tmp_path):
    (tmp_path / "p").mkdir()
    for name in "ab":
        (tmp_path / "p" / f"{name}.html").write_text(f"<p>{SHARED}{SHARED}</p>", encoding="utf-8")
    out = tmp_path / "out"
    ran = command("passages", tmp_path / "p", "-o", out, "--cut", "copies", "--cut-at", "exact", "--body", "all")
    assert ran.code == 2 and "web page" in ran.err and not out.exists()


def test_two_documents_of_a_run(command, tmp_path, article):
    rows = [
        {"id": "whole", "text": article(1)[:60] + SHARED + article(2)[:60]},
        {"id": "other", "text": article(3)[:20] + SHARED.replace("清晨", "黎明")},
        {"id": "copy", "text": article(1)[:60] + SHARED + article(2)[:60]},
        {"id": "alone", "text": article(5)},
    ]
    out = tmp_path / "run"
    assert command("dedup", write(tmp_path / "c.jsonl", rows), "-o", out).code == 0
    beside = json.loads(command("explain", out, "other", "--with", "whole", "--json").out)
    (p,) = beside["passages"]
    passage = beside["other_text"][p["survivor_start"] : p["survivor_end"]]
    assert p["kind"] == "near" and SHARED[:-1] in passage and len(passage) <= len(SHARED) + 10  # texts of 50 characters
    assert beside["relation"] == "partial" and 0 < beside["containment"] < 1
    shown = command("explain", out, "whole", "other", "--with", "other").out
    assert f"{SHARED[:-1]}⟧" in shown and "1 shared passage (1 reworked)" in shown
    assert "not listed as a pair" in command("explain", out, "alone", "--with", "whole").out
    assert command("explain", out, "copy", "--gap", "5").code == 0
    removed = json.loads(command("explain", out, "whole", "--with", "copy", "--json").out)
    assert removed["relation"] == "exact" and [q["kind"] for q in removed["passages"]] == ["exact"]
    assert command("explain", out, "alone", "--with", "nosuch").code == 2


def test_passages_of_the_ledger_are_joined_on_demand(command, tmp_path):
    text = SHARED + OTHER
    rows = [
        {"id": "long", "text": text + "多出来的一句。"},
        {"id": "short", "text": text.replace("数着袋子", "点着口袋")},
    ]
    out = tmp_path / "run"
    assert command("dedup", write(tmp_path / "c.jsonl", rows), "-o", out).code == 0
    apart = json.loads(command("explain", out, "short", "--json").out)["passages"]
    assert len(apart) == 2 and {p["kind"] for p in apart} == {"exact"}
    (whole,) = json.loads(command("explain", out, "short", "--gap", "8", "--json").out)["passages"]
    assert whole == {
        "start": 0,
        "end": len(text) - 1,
        "survivor_start": 0,
        "survivor_end": len(text) - 1,
        "kind": "near",
    }


@pytest.mark.parametrize(("at", "counts"), [("sentence", [1, 1, 1]), ("exact", [3, 0, 0])])
def test_a_cut_says_how_many_passages_it_took_whole_in_part_or_not(command, tmp_path, jsonl, article, at, counts):
    """Three passages of the first document come back: as whole sentences, with half a sentence more, and within a sentence."""
    whole, part, half, inner = (article(seed, 90) for seed in (1, 2, 3, 4))
    texts = [
        f"{whole}。{article(5, 40)}{inner}{article(6, 40)}。{part}。{half}{article(7, 30)}。",
        f"{whole}。{article(8, 60)}。",
        f"{part}。{half}{article(9, 60)}。",
        f"{article(10, 30)}{inner}{article(11, 30)}。",
    ]
    rows = [{"id": str(n), "text": text, "time": f"2026-01-0{n + 1}"} for n, text in enumerate(texts)]
    out = tmp_path / "out"
    ran = command("passages", jsonl("in.jsonl", rows), "-o", out, "--cut", "copies", "--cut-at", at)
    taken = json.loads((out / "run.json").read_text("utf-8"))["cut"]["taken"]
    assert [taken[f"passages_{how}"] for how in ("whole", "part", "left")] == counts, taken
    said = (
        f"repeated passages: {sum(counts)}. Cut entirely: {counts[0]}. Cut in part: {counts[1]}. Not cut: {counts[2]}"
    )
    assert said in ran.out and ("--cut-at exact" in ran.out) == (at == "sentence")
