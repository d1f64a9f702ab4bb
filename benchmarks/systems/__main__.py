"""The table of all systems: every method and its peers on six sets, each with its best threshold.

    python benchmarks/systems --shared DATA -o docs/results/systems.md
    python benchmarks/systems --shared DATA --work FOLDER --systems 'hybrid;minhash' --sets en_reuters --seconds 300

DATA is the folder of shared data sets. Every system runs in a process of its own, and every peer in an environment of its own, made
below --work where none is given with --peer NAME=PYTHON. What was measured stands in FOLDER/results.jsonl: a command that
is stopped goes on where it was; --again measures anew. A peer that cannot be installed is left out, with the reason.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
import time
import venv
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from page import page
from scored import scored
from truths import SETS, Set

import quchong
from quchong.plan.catalogue import DEFAULT, METHODS

HERE = Path(__file__).parent
CANNOT = {"text-dedup": "0.4.0 is there for Python 3.11; not wired in yet: its installation was stopped after 120 s"}
ALSO = {"hybrid, variants removed": (DEFAULT, {"facts": "remove"})}
"""Settings of methods that have a row of their own."""
PEERS = {"rensa": "rensa==0.5.0", "gaoya": "gaoya==0.2.2", "datasketch": "datasketch", "simhash": "simhash"}

EVERY = (*METHODS, *ALSO, *PEERS)


def made(one: Set, data: Path, folder: Path) -> tuple[Path, Path, Path]:
    """Texts as Parquet and as JSON lines, and the truth; made once."""
    stem = folder / one.name.replace(" ", "_")
    texts, plain, truth = (stem.with_name(stem.name + end) for end in (".parquet", ".texts.jsonl", ".truth.jsonl"))
    if not truth.exists():
        table = one.texts(data)
        pq.write_table(table, texts)
        plain.write_text("".join(json.dumps(t) + "\n" for t in table["text"].to_pylist()), "utf-8")
        truth.write_text("".join(json.dumps(row) + "\n" for row in one.labels(data)), "utf-8")
    return texts, plain, truth


def child(command: list[str], seconds: float) -> str:
    """What a process prints.

    Raises:
        RuntimeError: it failed, or took too long; in words for the table.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"stopped after {seconds:g} s") from error
    if done.returncode:
        raise RuntimeError(f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1][:200]}")
    return done.stdout


def ours(system: str, texts: Path, truth: Path, seconds: float) -> dict:
    """A method tuned, timed and, where it is the default, asked where it loses."""
    run = [sys.executable, str(HERE / "ours.py")]
    method, fixed = ALSO.get(system, (system, {}))
    told = json.loads(child([*run, "tune", method, str(texts), str(truth), json.dumps(fixed)], seconds))
    where = [method, str(texts), str(truth), json.dumps(told["parameters"])]
    told |= json.loads(child([*run, "time", *where], seconds))
    if method == DEFAULT:
        told["losses"] = json.loads(child([*run, "losses", *where], seconds))
    return told


def again(row: dict, texts: Path, truth: Path, seconds: float) -> dict:
    """An earlier measurement that lacks what is told now: run once more with its threshold.

    Raises:
        RuntimeError: it says something else than it did, or took too long.
    """
    method, _ = ALSO.get(row["system"], (row["system"], {}))
    run = [sys.executable, str(HERE / "ours.py"), "time", method, str(texts), str(truth), json.dumps(row["parameters"])]
    told = json.loads(child(run, seconds))
    if abs(told["relation"]["f1"] - (row["held"]["f1"]["value"] or 0.0)) > 0.00051:  # earlier ones have three digits
        raise RuntimeError(f"F1 is {told['relation']['f1']:.3f} now")
    return row | told | {"day": today()}


def peer(name: str, python: str, one: Set, files: tuple[Path, Path, Path], seconds: float) -> dict:
    texts, plain, truth = files
    out, language = plain.with_suffix(f".{name}.pairs"), "english" if one.english else "chinese"
    child([python, str(HERE / "peers.py"), "pairs", name, str(plain), language, str(out)], seconds)
    ids = pq.read_table(texts, columns=["id"])["id"].cast(pa.large_string()).to_pylist()
    with out.open(encoding="utf-8") as file:
        told = scored(ids, truth, (json.loads(line) for line in file))
    out.unlink()
    at = told["parameters"]
    told["setting"] = (
        f"{at['n']} {'words' if one.english else 'characters'}, {'distance' if name == 'simhash' else 'threshold'} {at['at']:g}"
    )
    return told | json.loads(
        child([python, str(HERE / "peers.py"), "time", name, str(plain), language, json.dumps(at)], seconds)
    )


def installed(name: str, given: dict[str, str], folder: Path) -> str:
    """The Python of an environment that has a peer.

    Raises:
        RuntimeError: it cannot be installed.
    """
    if name in given:
        return given[name]
    place = folder / "environments" / name
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
        child([str(python), "-m", "pip", "install", "-q", PEERS[name], "numpy"], 600)
    child([str(python), "-c", f"import {name}"], 60)
    return str(python)


def today() -> str:
    return str(datetime.datetime.now(datetime.UTC).date())


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python benchmarks/systems", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--shared", type=Path, required=True, help="folder of the shared data sets")
    parser.add_argument(
        "--work", type=Path, default=Path(".bench/systems"), help="folder for texts, environments and results"
    )
    parser.add_argument("--systems", help="only these, with semicolons")
    parser.add_argument("--sets", help="only these, with commas")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PYTHON", help="a Python that has a peer")
    parser.add_argument("--seconds", type=float, default=600, help="most a process may take")
    parser.add_argument("--again", action="store_true", help="measure again what was measured")
    parser.add_argument("-o", "--output", type=Path, help="page to write")
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    known = asked.work / "results.jsonl"
    results: dict[tuple[str, str], dict] = {}
    if known.exists():
        for line in known.read_text("utf-8").splitlines():
            row = json.loads(line)
            results[row["set"], row["system"]] = row
    systems = [name for name in EVERY if not asked.systems or name in asked.systems.split(";")]
    sets = [one for one in SETS if not asked.sets or one.name in asked.sets.split(",")]
    given = dict(one.split("=", 1) for one in asked.peer)
    pythons, skipped = {}, dict(CANNOT)
    for name in (name for name in systems if name in PEERS):
        try:
            pythons[name] = installed(name, given, asked.work)
        except RuntimeError as error:
            skipped[name] = str(error)
    for one in sets:
        files = made(one, asked.shared, asked.work)
        documents = pq.read_metadata(files[0]).num_rows
        for name in (name for name in systems if name not in skipped):
            old = results.get((one.name, name))
            if old and not asked.again and (name in PEERS or "held" not in old or "relation" in old):
                continue
            row = {"set": one.name, "system": name, "peer": name in PEERS, "documents": documents, "day": today()}
            start = time.perf_counter()
            try:
                if old and not asked.again:
                    row = again(old, files[0], files[2], asked.seconds)
                elif name in PEERS:
                    row |= peer(name, pythons[name], one, files, asked.seconds)
                else:
                    row |= ours(name, files[0], files[2], asked.seconds)
                told = f"F1 {row['held']['f1']['value']}"
            except RuntimeError as error:
                if old and "held" in old:  # what was measured stays, until it is measured anew
                    print(f"{one.name}, {name}: not run again: {error}", flush=True)
                    continue
                row["why"] = told = str(error)
            results[one.name, name] = row
            with known.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(f"{one.name}, {name}: {told} ({time.perf_counter() - start:.0f} s)", flush=True)
    if asked.output is not None:
        machine = f"{os.cpu_count()} processors ({platform.machine()}), Python {platform.python_version()}"
        asked.output.write_text(page(list(results.values()), quchong.__version__, machine, skipped, EVERY), "utf-8")
        print(f"written to {asked.output}")


if __name__ == "__main__":
    main()
