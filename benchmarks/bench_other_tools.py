"""What other tools remove of copies and of records that differ, beside quchong: the table of docs/guide/other-tools.md.

    python benchmarks/bench_other_tools.py --peers PYTHON              one that has datasketch, rensa, gaoya, simhash
    python benchmarks/bench_other_tools.py --peers PYTHON --datatrove PYTHON

Covers: copies made of the originals of examples/news.jsonl, and its records on templates, as truth. Every tool is run by the call of its
README, and with shingles of 5 characters, since most take a Chinese clause for a word. Of pairs, rows are looked at in their order, and
one is removed if it is paired with a kept row before it.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path += [str(ROOT / "benchmarks" / "systems"), str(ROOT / "benchmarks" / "decisions")]

COPIES = ("equal", "other typography", "reprint", "excerpt")
"""Kinds of rows that can go."""
OTHERS = ("another figure", "same form")
"""Kinds of rows that state something else, and must stay."""
LEAST = 6
"""Sentences of an original, so that a reprint is not longer than it."""
SCRIPTS = str.maketrans(
    "国这个们来时为说对会学实员东车开条线长过还进运书馆点两万与见让请记报场张间问门风飞鱼鸟岁岛电话认识处区单业从众优伤几办动务历厅",
    "國這個們來時為說對會學實員東車開條線長過還進運書館點兩萬與見讓請記報場張間問門風飛魚鳥歲島電話認識處區單業從眾優傷幾辦動務歷廳",
)
"""Simplified and traditional characters."""
PEERS = ("datasketch", "rensa", "gaoya", "simhash")
HOW = {"stock": "its README", "characters": "5 characters"}


def typography(text: str) -> str:
    """Return a text in other characters that say the same: full-width figures, traditional characters, plain marks, other line breaks."""
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    if not re.search("[一-鿿]", text):
        return re.sub(r"\s+", " ", text.translate(str.maketrans("'-", "’–"))).upper()
    marks = str.maketrans("，；：", ",;:")
    return "\n".join(text.translate(wide).translate(marks).translate(SCRIPTS).split("。"))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, each with its mark."""
    return re.findall(r"(?:[^。.!?！？]|\.(?=\d))+[。.!?！？]*\s*", text)


def reprint(text: str) -> str:
    """Return a text as another medium has it: a dateline in front, a sentence left out, a source line behind."""
    parts = sentences(text)
    del parts[len(parts) // 2]
    if re.search("[一-鿿]", text):
        return "本报综合消息 " + "".join(parts) + "\n（来源：晚报 责任编辑：周晓）"
    return "HARBOUR CITY (Wire) - " + "".join(parts) + "\nSource: Evening Wire"


def another_figure(text: str) -> str | None:
    """Return a text in which the first number of two digits or more is greater by one; None without such a number."""
    found = re.search(r"(?<![\d.])[1-8]\d+(?![\d.])", text)
    return None if found is None else text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :]


def corpus() -> list[dict[str, str]]:
    """Return rows with id, text, kind; rows of the kind "original" are no copies of each other."""
    with (ROOT / "examples" / "news.jsonl").open(encoding="utf-8") as lines:
        news = {row["id"]: row["text"] for row in map(json.loads, lines)}
    with (ROOT / "examples" / "truth.jsonl").open(encoding="utf-8") as lines:
        truth = [row for row in map(json.loads, lines) if row["left"] in news and row["right"] in news]
    forms = sorted({row[side] for row in truth if row["relation"] == "variant" for side in ("left", "right")})
    related = {row["right"] for row in truth} | {
        row["left"] for row in truth if row["relation"] in ("contains", "partial")
    } - set(forms)
    rows = [
        {"id": i, "text": text, "kind": "original"} for i, text in news.items() if i not in related and i not in forms
    ]
    rows = [row for row in rows if len(sentences(row["text"])) >= LEAST]
    made = []
    for row in rows:
        text = row["text"]
        of_kinds = {
            "equal": text,
            "other typography": typography(text),
            "reprint": reprint(text),
            "excerpt": "".join(sentences(text)[: max(2, len(sentences(text)) * 2 // 5)]),
            "another figure": another_figure(text),
        }
        made += [{"id": f"{row['id']} {kind}", "text": one, "kind": kind} for kind, one in of_kinds.items() if one]
    return rows + made + [{"id": i, "text": news[i], "kind": "same form"} for i in forms]


def of_pairs(texts: list[str], pairs: Iterator[tuple[int, int]]) -> list[int]:
    """Return the rows that go: those paired with a kept row before them."""
    before: dict[int, set[int]] = {}
    for i, j in pairs:
        before.setdefault(max(i, j), set()).add(min(i, j))
    gone: set[int] = set()
    for row in range(len(texts)):
        if before.get(row, set()) - gone:
            gone.add(row)
    return sorted(gone)


def peer(name: str, how: str, texts: list[str]) -> list[int]:
    """Return the rows that a tool removes; run by a Python that has it."""
    from peer_removals import pairs_of

    return of_pairs(texts, pairs_of(name, how, texts))


def datatrove(how: str, texts: list[str]) -> list[int]:
    """Return the rows that the four MinHash stages of datatrove remove."""
    import bench_jobs
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        pq.write_table(pa.table({"id": [str(i) for i in range(len(texts))], "text": texts}), path / "in.parquet")
        (path / "work").mkdir()
        bench_jobs.datatrove(path / "in.parquet", path / "work", how == "stock")
        lines = [line for part in (path / "work" / "out").iterdir() for line in part.read_text("utf-8").splitlines()]
        left = {int(json.loads(line)["id"]) for line in lines}
    return sorted(set(range(len(texts))) - left)


def ours(rows: list[dict[str, str]], **options: Any) -> list[int]:
    """Return the rows that quchong removes."""
    import quchong as qc

    result = qc.dedup(
        [{"id": row["id"], "text": row["text"]} for row in rows], keep="first", recall_sample=0, **options
    )
    return [int(row) for row in result.removed_rows]


def asked_of(python: str, name: str, how: str, texts: list[str]) -> tuple[str, list[int]]:
    """Return the version of a tool and the rows it removes, by a Python that has it."""
    ran = subprocess.run(
        [python, __file__, "--run", name, how],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    if ran.returncode:
        raise SystemExit(f"{name}, {how}: {ran.stderr[-2000:]}")
    version, gone = json.loads(ran.stdout.strip().splitlines()[-1])
    return version, gone


def table(rows: list[dict[str, str]], removed: dict[str, list[int]]) -> str:
    """Return the table: for each tool, how many rows of each kind it removes."""
    kinds = ("original", *COPIES, *OTHERS)
    total = Counter(row["kind"] for row in rows)
    head = "| tool | " + " | ".join(f"{kind}, of {total[kind]}" for kind in (*COPIES, *OTHERS, "original")) + " |"
    lines = [head, "|---|" + "---:|" * len(kinds)]
    for tool, gone in removed.items():
        found = Counter(rows[row]["kind"] for row in gone)
        lines.append(f"| {tool} | " + " | ".join(str(found[kind]) for kind in (*COPIES, *OTHERS, "original")) + " |")
    return "\n".join(lines)


def main() -> None:
    """Reads which Pythons have the tools, and prints the table."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--peers", metavar="PYTHON")
    asked.add_argument("--datatrove", metavar="PYTHON")
    asked.add_argument("--run", nargs=2, metavar=("NAME", "HOW"), help="one tool, in this process; texts come as JSON")
    given = asked.parse_args()
    if given.run:
        from importlib.metadata import version

        name, how = given.run
        texts = json.load(sys.stdin)
        print(json.dumps([version(name), datatrove(how, texts) if name == "datatrove" else peer(name, how, texts)]))
        return
    rows = corpus()
    texts = [row["text"] for row in rows]
    removed = {
        "quchong": ours(rows),
        "quchong, `--preset training`": ours(rows, preset="training"),
        "quchong, `--method minhash --threshold 0.8`": ours(rows, method="minhash", threshold=0.8),
    }
    pythons = {name: given.peers for name in PEERS if given.peers} | (
        {"datatrove": given.datatrove} if given.datatrove else {}
    )
    for name, python in pythons.items():
        for how in HOW:
            version, gone = asked_of(python, name, how, texts)
            removed[f"{name} {version}, {HOW[how]}"] = gone
    print(table(rows, removed))


if __name__ == "__main__":
    main()
