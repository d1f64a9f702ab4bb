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
import math
import os
import platform
import resource
import signal
import subprocess
import sys
import time
import venv
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from page import page
from peer_stock import SETTINGS
from scored import scored
from truths import SETS, Set

import quchong
from quchong.evaluation.values import thresholds_after, tunable
from quchong.plan.catalogue import DEFAULT, METHODS

HERE = Path(__file__).parent
CANNOT: dict[str, str] = {}
"""Peers that are left out, and why."""
ALSO = {"hybrid, variants removed": (DEFAULT, {"facts": "remove"})}
"""Settings of methods that have a row of their own."""
PEERS = {
    "rensa": ("rensa", ("rensa==0.5.0",)),
    "gaoya": ("gaoya", ("gaoya==0.2.2",)),
    "datasketch": ("datasketch", ("datasketch",)),
    "simhash (PyPI)": ("simhash", ("simhash",)),
    "text-dedup": (
        "text_dedup",
        (
            "datasets",
            "click",
            "click-option-group",
            "tqdm",
            "xxhash",
            "scipy",
            "regex",
            "ftfy",
            "zstandard",
            "psutil",
            "rich",
        ),
    ),
}
"""Of every peer the module, and what is installed. No peer has the name of a method: cells are known by set and name."""
ALONE = {"text-dedup": "text-dedup==0.4.0"}
"""Installed without what it names: unisim, pyspark and others, which its MinHash does not import."""
STOCK = {f"{name}, stock": name for name in PEERS}
"""Peers as they come have rows of their own."""
PEER = {name: name for name in PEERS} | STOCK
"""Of every row of a peer the peer."""
EVERY = (*METHODS, *ALSO, *PEERS, *STOCK)
MISSING, STOPPED, OLDER, DONE = range(4)


IDLE = 12
"""Times the seconds of the processor that a process may take by the clock."""


class StoppedError(RuntimeError):
    """A process took too long."""


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
    """What a process prints. `seconds` are of the processor, so that other work beside does not decide who is stopped.

    Raises:
        StoppedError: it took too long. RuntimeError: it failed; both in words for the table.
    """
    most = (math.ceil(seconds), math.ceil(seconds) + 5)
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=IDLE * seconds, check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, most),
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise RuntimeError(f"waited for {IDLE * seconds:g} s") from error
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise StoppedError(f"stopped after {seconds:g} s")
    if done.returncode:
        raise RuntimeError(f"failed: {(done.stderr.strip().splitlines() or ['no message'])[-1][:200]}")
    return done.stdout


def ours(system: str, texts: Path, truth: Path, seconds: float) -> dict:
    """A method tuned, timed and, where it is the default, asked where it loses. Where tuning all its thresholds takes too long, the
    first is tuned alone.
    """
    run = [sys.executable, str(HERE / "ours.py")]
    method, fixed = ALSO.get(system, (system, {}))
    tuning = [method, str(texts), str(truth), json.dumps(fixed)]
    try:
        told = json.loads(child([*run, "tune", *tuning], seconds))
    except StoppedError:
        if not several(system):
            raise
        told = json.loads(child([*run, "tune-first", *tuning], seconds)) | {"alone": True}
    where = [method, str(texts), str(truth), json.dumps(told["parameters"])]
    told |= json.loads(child([*run, "time", *where], seconds))
    if method == DEFAULT:
        told["losses"] = json.loads(child([*run, "losses", *where], seconds))
    return told


def repeated(row: dict, texts: Path, truth: Path, seconds: float) -> dict:
    """An earlier measurement that lacks what is told now: run once more with its threshold; where that says something else than it
    did, measured anew. One of a single threshold, of a method that states several, is tuned again first.

    Raises:
        RuntimeError: it failed, or took too long.
    """
    if several(row["system"]) and not row.get("thresholds"):
        with suppress(StoppedError):
            run = [sys.executable, str(HERE / "ours.py"), "tune"]
            method, fixed = ALSO.get(row["system"], (row["system"], {}))
            told = json.loads(child([*run, method, str(texts), str(truth), json.dumps(fixed)], seconds))
            row = row | told | {"alone": False}
        row = row if row.get("thresholds") else row | {"alone": True}
    method, _ = ALSO.get(row["system"], (row["system"], {}))
    run = [sys.executable, str(HERE / "ours.py"), "time", method, str(texts), str(truth), json.dumps(row["parameters"])]
    told = json.loads(child(run, seconds))
    if abs(told["relation"]["f1"] - (row["held"]["f1"]["value"] or 0.0)) > 0.00051:  # earlier ones have three digits
        told = ours(row["system"], texts, truth, seconds)
    return {key: value for key, value in row.items() if key != "carried"} | told | {"day": today()}


def several(system: str) -> bool:
    """Does a system of ours state several thresholds, all of which are tuned?"""
    if system in PEER:
        return False
    method = METHODS[ALSO.get(system, (system,))[0]]()
    try:
        return bool(thresholds_after(method, tunable(method).name))
    except quchong.UsageError:
        return False


def state(row: dict | None, seconds: float) -> int:
    """Whether a cell is missing, was stopped by a smaller limit, lacks what is told now, or is done."""
    if row is None:
        return MISSING
    if "held" not in row:
        return STOPPED if row.get("limit", seconds) < seconds else DONE
    tuned = row.get("thresholds") or row.get("alone") or not several(row["system"])
    return DONE if tuned and not row.get("carried") and (row.get("peer") or "relation" in row) else OLDER


def cells(
    sets: Sequence[Set], systems: Sequence[str], results: Mapping[tuple[str, str], dict], seconds: float, *, again: bool
) -> list[tuple[Set, str]]:
    """What is to be measured: what is missing first, then what was stopped, by sets with few cells; then earlier figures, cheap ones
    first.
    """
    known = Counter(one for one, _ in results)
    todo = [
        (
            MISSING if again else state(results.get((one.name, name)), seconds),
            results.get((one.name, name), {}).get("cpu", 0.0),
            known[one.name],
            place,
            one,
            name,
        )
        for place, one in enumerate(sets)
        for name in systems
    ]
    return [(one, name) for at, *_, one, name in sorted(todo, key=lambda job: job[:4]) if at != DONE]


def peer(name: str, python: str, one: Set, files: tuple[Path, Path, Path], seconds: float) -> dict:
    texts, plain, truth = files
    stock = name in STOCK
    name = PEERS[PEER[name]][0]
    out, language = plain.with_suffix(f".{name}.pairs"), "english" if one.english else "chinese"
    language = "stock" if stock else language
    child([python, str(HERE / "peers.py"), "pairs", name, str(plain), language, str(out)], seconds)
    ids = pq.read_table(texts, columns=["id"])["id"].cast(pa.large_string()).to_pylist()
    with out.open(encoding="utf-8") as file:
        told = scored(ids, truth, (json.loads(line) for line in file))
    out.unlink()
    at = told["parameters"]
    told["setting"] = (
        SETTINGS[name]
        if stock
        else (
            f"{at['n']} {'words' if one.english else 'characters'}, {'distance' if name == 'simhash' else 'threshold'} {at['at']:g}"
        )
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
    module, wanted = PEERS[name]
    place = folder / "environments" / module
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
        child([str(python), "-m", "pip", "install", "-q", *wanted, "numpy"], 600)
        if name in ALONE:
            child([str(python), "-m", "pip", "install", "-q", "--no-deps", ALONE[name]], 600)
    child([str(python), "-c", f"import {module}"], 60)
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
    parser.add_argument("--seconds", type=float, default=600, help="most a process may take of the processor")
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
    wanted = {PEER.get(name) for name in systems}
    for name in (name for name in PEERS if name in wanted):
        try:
            pythons[name] = installed(name, given, asked.work)
        except RuntimeError as error:
            skipped[name] = str(error)
    measured = [name for name in systems if PEER.get(name) not in skipped]
    files = {one.name: made(one, asked.shared, asked.work) for one in sets}
    for one, name in cells(sets, measured, results, asked.seconds, again=asked.again):
        old = None if asked.again else results.get((one.name, name))
        texts, _, truth = files[one.name]
        row: dict = {"set": one.name, "system": name, "peer": name in PEER}
        row |= {"documents": pq.read_metadata(texts).num_rows, "day": today()}
        start = time.perf_counter()
        try:
            if old and "held" in old and not row["peer"]:
                row = repeated(old, texts, truth, asked.seconds)
            elif row["peer"]:
                row |= peer(name, pythons[PEER[name]], one, files[one.name], asked.seconds)
            else:
                row |= ours(name, texts, truth, asked.seconds)
            told = f"F1 {row['held']['f1']['value']}"
        except RuntimeError as error:
            if old and "held" in old:  # what was measured stays, until it is measured anew
                print(f"{one.name}, {name}: not run again: {error}", flush=True)
                continue
            row["why"] = told = str(error)
            if isinstance(error, StoppedError):
                row["limit"] = asked.seconds
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
