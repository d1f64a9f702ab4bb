"""Benchmark of decisions: records on a template, true copies and texts with one edit; made corpora with truth, and scores of any tool.

    python benchmarks/decisions make FOLDER                          corpora in FOLDER/corpora
    python benchmarks/decisions run FOLDER quchong                   removals in FOLDER/removals/quchong
    python benchmarks/decisions run FOLDER rensa --python PYTHON     a peer, by the Python that has it
    python benchmarks/decisions run FOLDER mine --command "mine {corpus} {removals}"
    python benchmarks/decisions score FOLDER mine                    tables of one tool
    python benchmarks/decisions score-one CORPUS.jsonl REMOVALS.csv  one corpus
    python benchmarks/decisions results FOLDER TOOL [TOOL ...]       adds scores to docs/results/decisions.csv and writes the page beside it
    python benchmarks/decisions pin                                  floors of tests/quality/test_template_families.py
    python benchmarks/decisions files -o FILES.jsonl                 the Python files of an installed environment
    python benchmarks/decisions read FILES.jsonl LEDGER.csv          60 removals of each rule, to read

A corpus has JSON lines with id and text. A tool answers with CSV: `removed,kept`, or `left,right` for pairs of copies.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from making import LENGTHS, PARTS, Asked, make, read_rows
from page import page
from page_tables import percent
from peer_settings import SETTINGS
from pinning import pin
from python_files import score_vendored, write_files
from reading import told
from removals import POLICIES, read_removals
from results import merged, read_results, score_folder, write_results
from running import run
from scoring import Score, score, score_copies

ROOT = Path(__file__).resolve().parents[2]
RESULTS, PAGE = ROOT / "docs/results/decisions.csv", ROOT / "docs/results/decisions.md"


def _names(text: str, known: tuple[str, ...] | None = None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name for name in names if known and name not in known]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; known: {', '.join(known or ())}")
    return names


def _table(scores: list[Score]) -> str:
    lines = [
        f"{'family':34}{'half':8}{'records':>9}{'lost %':>8}{'misled %':>10}{'copies':>8}{'present %':>11}{'clusters':>10}{'largest':>9}"
    ]
    for one in scores:
        lines.append(
            f"{one.family:34}{one.half:8}{one.records:9}{percent(one.lost_share):>8}{percent(one.misled_share):>10}{one.surplus:8}"
            f"{percent(one.present_share):>11}{one.clusters:10}{one.largest:9}"
        )
    untold = sum(one.untold for one in scores)
    return "\n".join(
        [*lines, *([f"{untold} removals do not say for whom: misled and clusters leave them out"] if untold else [])]
    )


def _make(asked: argparse.Namespace) -> None:
    wanted = Asked(
        _names(asked.families), tuple(map(int, _names(asked.sizes))), _names(asked.halves, ("tune", "report")),
        tuple(map(int, _names(asked.lengths))), asked.pairs, asked.seed,
    )  # fmt: skip
    for part, what in make(asked.folder, _names(asked.parts, PARTS), wanted).items():
        print(f"{part}: {what}")


def _run(asked: argparse.Namespace) -> None:
    parts = list(_names(asked.parts, PARTS))
    try:
        count = run(
            asked.folder, asked.tool, parts=parts, again=asked.again, python=asked.python, command=asked.command
        )
    except (ValueError, RuntimeError) as error:
        sys.exit(str(error))
    print(f"{asked.tool}: {count} corpora")


def _score(asked: argparse.Namespace) -> None:
    for one in score_folder(asked.folder, asked.tool):
        print(f"{one.part:9}{one.size:13}{_table([one.score]).splitlines()[1]}")


def _score_one(asked: argparse.Namespace) -> None:
    rows = read_rows(asked.corpus)
    try:
        removals = read_removals(asked.removals, [row["id"] for row in rows], asked.pairs)
    except (ValueError, OSError) as error:
        sys.exit(str(error))
    if "vendored" in rows[0]:
        surplus, removed = score_vendored(rows, removals)
        print(f"{len(rows):,} files, {len(removals):,} removed; of {surplus:,} surplus vendored ones {removed:,}")
        return
    print(_table(score(rows, removals)))
    for one in score_copies(rows, removals):
        print(f"copies by {one.family:24}{one.surplus:9}  present {percent(one.present_share)}")


def _results(asked: argparse.Namespace) -> None:
    found = read_results(RESULTS)
    for tool in asked.tools:
        given, _, name = tool.partition("=")
        found = merged(found, score_folder(asked.folder, given, name))
    write_results(RESULTS, found)
    found = read_results(RESULTS)  # in the order of the file
    settings = {tool: SETTINGS.get(tool, "as it comes") for tool in dict.fromkeys(one.tool for one in found)}
    command = f"python benchmarks/decisions results FOLDER {' '.join(repr(tool) if ' ' in tool else tool for tool in asked.tools)}"
    PAGE.write_text(page(found, settings, command), "utf-8")
    print(f"wrote {RESULTS.relative_to(ROOT)} and {PAGE.relative_to(ROOT)}")


def _files(asked: argparse.Namespace) -> None:
    print(write_files(asked.output, *asked.folders))


def _read(asked: argparse.Namespace) -> None:
    for text in told(asked.corpus, asked.removals, asked.count, asked.rule, asked.seed):
        print(text)


def _pin(asked: argparse.Namespace) -> None:
    sys.exit(pin(worse=asked.allow_worse))


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python benchmarks/decisions", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    made = commands.add_parser("make", help="write the corpora")
    made.add_argument("folder", type=Path)
    made.add_argument("--families", default="", help="these families and reverse clusters, with commas")
    made.add_argument("--sizes", default="100,2000", help="records of a family in a corpus of its own")
    made.add_argument("--halves", default="tune,report")
    made.add_argument("--lengths", default=",".join(map(str, LENGTHS)), help="characters of texts with edits")
    made.add_argument("--pairs", type=int, default=60, help="of a cell of edits")
    made.add_argument("--seed", type=int, default=1)
    made.set_defaults(call=_make)
    ran = commands.add_parser("run", help="run a tool over what it has no removals of")
    ran.add_argument("folder", type=Path)
    ran.add_argument("tool")
    ran.add_argument("--python", default="", help="the Python that has the peer")
    ran.add_argument("--command", default="", help="of another tool, with {corpus} and {removals}")
    ran.add_argument("--again", action="store_true", help="over corpora that have removals too")
    ran.set_defaults(call=_run)
    for one in (made, ran):
        one.add_argument("--parts", default=",".join(PARTS), help="with commas")
    scored = commands.add_parser("score", help="print the scores of a tool")
    scored.add_argument("folder", type=Path)
    scored.add_argument("tool")
    scored.set_defaults(call=_score)
    alone = commands.add_parser("score-one", help="print the scores of one file of removals or pairs")
    alone.add_argument("corpus", type=Path)
    alone.add_argument("removals", type=Path)
    alone.add_argument("--pairs", choices=POLICIES, default="greedy", help="how pairs become removals")
    alone.set_defaults(call=_score_one)
    page_of = commands.add_parser("results", help="add scores to the file of results and write the page")
    page_of.add_argument("folder", type=Path)
    page_of.add_argument("tools", nargs="*", metavar="TOOL[=NAME]", help="a tool, and what the page calls it")
    page_of.set_defaults(call=_results)
    files = commands.add_parser("files", help="write the Python files of an installed environment as a corpus")
    files.add_argument("folders", type=Path, nargs="*", help="folders of packages; that of this Python if left out")
    files.add_argument("-o", "--output", type=Path, required=True)
    files.set_defaults(call=_files)
    read = commands.add_parser("read", help="print removals drawn by chance, to read")
    read.add_argument("corpus", type=Path)
    read.add_argument("removals", type=Path, help="CSV with removed and kept, and rule if there are several")
    read.add_argument("--rule", default="", help="this one alone")
    read.add_argument("--count", type=int, default=60, help="of each rule")
    read.add_argument("--seed", type=int, default=1)
    read.set_defaults(call=_read)
    pinned = commands.add_parser("pin", help="measure quchong on small families and write the floors of tests/quality")
    pinned.add_argument(
        "--allow-worse", action="store_true", help="write them where families are worse than pinned, too"
    )
    pinned.set_defaults(call=_pin)
    asked = parser.parse_args()
    asked.call(asked)


if __name__ == "__main__":
    main()
