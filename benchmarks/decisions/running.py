"""Runs of tools over the corpora of a folder: removals in FOLDER/removals/TOOL/PART/NAME.csv."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from making import read_rows
from removals import Removals, write_removals

HERE = Path(__file__).parent
PEERS = {
    "rensa": ("rensa", "stock"),
    "gaoya": ("gaoya", "stock"),
    "datasketch": ("datasketch", "stock"),
    "simhash (PyPI)": ("simhash", "stock"),
    "text-dedup": ("text_dedup", "stock"),
    "rensa, characters": ("rensa", "characters"),
    "gaoya, characters": ("gaoya", "characters"),
}
"""Peers, each with its module and setting."""
OURS = "quchong"


def todo(folder: Path, tool: str, *, parts: list[str], again: bool) -> Iterator[tuple[Path, Path]]:
    """Yield corpora and the files of removals that are missing; with `again` all."""
    for part in parts:
        for corpus in sorted((folder / "corpora" / part).glob("*.jsonl")):
            removals = folder / "removals" / tool.replace(" ", "_") / part / f"{corpus.stem}.csv"
            if again or not removals.exists():
                yield corpus, removals


def of_quchong(corpus: Path, method: str | None) -> Removals:
    """Return what quchong removes from a corpus, by a method or the default."""
    import quchong

    rows = [{"id": row["id"], "text": row["text"]} for row in read_rows(corpus)]
    ledger = quchong.dedup(rows, recall_sample=0, **({"method": method} if method else {})).ledger
    return dict(zip(ledger["id"].to_pylist(), ledger["survivor_id"].to_pylist(), strict=True))


def run(folder: Path, tool: str, *, parts: list[str], again: bool, python: str = "", command: str = "") -> int:
    """Run a tool over what it has no removals of. Return the number of corpora.

    Args:
        folder: the folder `make` was given.
        tool: "quchong", "quchong METHOD", one of PEERS, or any name with a command.
        parts: parts of the benchmark.
        again: run over corpora that have removals too.
        python: the Python that has the peer.
        command: of another tool, with {corpus} and {removals} for the two files.

    Raises:
        ValueError: the tool is not known and has no command.
        RuntimeError: it failed; what it said is on the terminal.
    """
    jobs = list(todo(folder, tool, parts=parts, again=again))
    if command:
        for corpus, removals in jobs:
            removals.parent.mkdir(parents=True, exist_ok=True)
            _call([word.format(corpus=corpus, removals=removals) for word in shlex.split(command)])
    elif tool.split(" ")[0] == OURS:
        for corpus, removals in jobs:
            write_removals(removals, of_quchong(corpus, tool.removeprefix(OURS).strip() or None))
            print(f"{tool} {corpus.stem}", file=sys.stderr, flush=True)
    elif tool in PEERS:
        if jobs:
            files = [str(path) for job in jobs for path in job]
            _call([python or sys.executable, str(HERE / "peer_removals.py"), *PEERS[tool], *files])
    else:
        raise ValueError(f"unknown tool {tool}: give --command, or one of {OURS}, {', '.join(PEERS)}")
    return len(jobs)


def _call(command: list[str]) -> None:
    if subprocess.run(command, check=False).returncode:
        raise RuntimeError(f"failed: {shlex.join(command)[:300]}")
