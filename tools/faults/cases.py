"""The commands that are stopped: what each begins with, what it writes, and what reads its result."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import corpus
from child import Hook

RUN = "run"
QUIET = ("--recall-sample", "0", "-q")
OTHER = ("--method", "exact")
"""An earlier run by this method has another answer than one by the default."""


@dataclass(frozen=True)
class Case:
    """One command.

    Attributes:
        name: of the case.
        inputs: writes the inputs into an empty folder.
        argv: the command that is stopped.
        before: commands that come first, undisturbed.
        result: what the command writes, a file or folder.
        again: what is added to the command when its result is there already.
        reader: a command that reads a whole result; a document's id is put in the place of ID.
        hooks: set in the process, such as smaller pieces.
        stream: the result goes to standard output, see stream.py.
        slow: seconds rather than a fraction of one; few stops.
    """

    name: str
    inputs: Callable[[Path], object]
    argv: tuple[str, ...]
    before: tuple[tuple[str, ...], ...] = ()
    result: str = RUN
    again: tuple[str, ...] = ("--overwrite",)
    reader: tuple[str, ...] = ("explain", RUN, "ID")
    hooks: tuple[Hook, ...] = field(default=())
    stream: bool = False
    slow: bool = False
    named: str = "n003"


def _dedup() -> list[Case]:
    found = []
    for kind in corpus.FORMATS:
        name = "in" if kind == "texts" else f"in.{kind}"
        named = {"texts": "n003.txt", "warc": corpus.rows()[2]["url"]}.get(kind, "n003")

        def inputs(folder: Path, kind: str = kind) -> object:
            return corpus.write(folder, kind, corpus.rows())

        run = ("dedup", name, "-o", RUN, *QUIET)
        first = (*run, *OTHER)
        over = (*run, "--overwrite")
        notes = ("--mode", "annotate")
        found.append(Case(f"dedup-{kind}", inputs, run, named=named))
        found.append(Case(f"overwrite-{kind}", inputs, over, (first,), again=(), named=named))
        found.append(Case(f"annotate-{kind}", inputs, (*over, *notes), ((*first, *notes),), again=(), named=named))
    return found


def _two(folder: Path) -> None:
    corpus.write(folder, "jsonl", corpus.rows(0, 20), "today")
    corpus.write(folder, "parquet", corpus.rows(20, 20), "more")
    corpus.write(folder, "csv", corpus.rows(10, 40), "archive")


def _news(folder: Path) -> None:
    corpus.write(folder, "jsonl", corpus.rows())


def _apart(folder: Path) -> None:
    """In a folder of its own, so that the result stands beside what it was made of."""
    _news(folder)


def _posts(folder: Path) -> None:
    """Three files of posts, many of them repeats, and a record that cannot be read."""
    texts = [f"第{n % 23}条消息：今天的天气，{n % 7}度。" for n in range(120)]
    for part in range(3):
        lines = [json.dumps({"id": n, "text": texts[n]}, ensure_ascii=False) for n in range(part * 40, part * 40 + 40)]
        (folder / f"{part}.jsonl").write_text("\n".join([*lines, '{"id":']) + "\n", "utf-8")


_SMALL = (("quchong.cli.pieces", "PIECE", 1200), ("quchong.cli.filter", "SAVE_SECONDS", -1.0))
_STREAM = (
    "filter",
    "0.jsonl",
    "1.jsonl",
    "2.jsonl",
    "--removed",
    "removed.jsonl",
    "--skipped",
    "skipped.jsonl",
    "--state",
    "state",
)
_FIRST = ("dedup", "in.jsonl", "-o", RUN, *QUIET)
_PASSAGES = ("passages", "in.jsonl", "--corpus", "-o", "found", "--min-chars", "20", "-q")
_OVER = (*_PASSAGES, "--overwrite")
_STATISTICS = ("statistics", "in.jsonl", "-o", "idf.parquet", "-q")
_NOTHING = ("methods",)
_REPORT = ("report", RUN, "-o", "look.html", "-q")
_XLSX = ("report", RUN, "-o", "look.xlsx", "-q")
_CHAINS = ("chains", RUN, "-o", "chains.jsonl")

CASES = {
    case.name: case
    for case in [
        *_dedup(),
        Case("against", _two, ("dedup", "today.jsonl", "more.parquet", "--against", "archive.csv", "-o", RUN, *QUIET)),
        Case("overwrite-many", _two, ("dedup", "today.jsonl", "more.parquet", "-o", RUN, "--overwrite", *QUIET),
             (("dedup", "archive.csv", "-o", RUN, *QUIET),), again=(), named="n012"),
        Case("restore-one", _news, ("restore", RUN, "n003"), (_FIRST,), again=()),
        Case("restore-all", _two, ("restore", RUN, "--all"),
             (("dedup", "today.jsonl", "more.parquet", "archive.csv", "-o", RUN, *QUIET),), again=(), named="n012"),
        Case("passages", _news, _PASSAGES, result="found", reader=_NOTHING),
        Case("passages-cut", _news, (*_OVER, "--cut", "copies"), ((*_PASSAGES, "--common", "2"),), "found", (), _NOTHING),
        Case("passages-boilerplate", _news, (*_OVER, "--cut", "boilerplate", "--common", "2"), ((*_PASSAGES, "--cut", "copies"),),
             "found", (), _NOTHING),
        Case("statistics", _news, _STATISTICS, result="idf.parquet", reader=_NOTHING),
        Case("statistics-overwrite", _news, (*_STATISTICS, "--overwrite"), ((*_STATISTICS, "--strip", "dateline"),), "idf.parquet", (),
             ("dedup", "in.jsonl", "--dry-run", *QUIET, "--method", "two-stage", "--weights", "idf", "--statistics", "idf.parquet")),
        Case("report", _news, _REPORT, (_FIRST,), "look.html", reader=_NOTHING),
        Case("report-overwrite", _news, (*_REPORT, "--overwrite"), (_FIRST, (*_REPORT, "--lang", "zh")), "look.html", (), _NOTHING),
        Case("report-xlsx", _news, (*_XLSX, "--overwrite"), (_FIRST, (*_XLSX, "--lang", "zh")), "look.xlsx", (), _NOTHING),
        Case("chains", _news, (*_CHAINS, "--overwrite"), (_FIRST, (*_CHAINS, "--time-key", "id")), "chains.jsonl", (), _NOTHING),
        Case("chains-parquet", _news, ("chains", RUN, "-o", "chains.parquet"), (_FIRST,), "chains.parquet", reader=_NOTHING),
        Case("filter", _posts, _STREAM, hooks=_SMALL, stream=True, result="state"),
        Case("filter-digest", _posts, (*_STREAM, "--filter", "digest"), hooks=_SMALL, stream=True, result="state"),
        Case("filter-trie", _posts, (*_STREAM, "--filter", "trie"), hooks=_SMALL, stream=True, result="state"),
        Case("filter-confirm", _posts, (*_STREAM, "--confirm"), hooks=_SMALL, stream=True, result="state"),
        Case("lab", lambda folder: None, ("lab", "run", "short-text/simhash-weights", "--scale", "quick", "-o", "lab"),
             (("lab", "run", "short-text/simhash-weights", "--scale", "quick", "-o", "lab", "--seed", "2"),), "lab", (), _NOTHING,
             slow=True),
    ]
}  # fmt: skip
"""Every case by name."""
