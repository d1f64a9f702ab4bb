"""Tests of what was changed, chosen by imports: `make quick`.

    python tools/quick.py                  files that differ from the last commit, or are new
    python tools/quick.py --since main     files that differ from a branch
    python tools/quick.py --list           says what it would run, and runs nothing
    python tools/quick.py --times build/tests.xml    writes tests/seconds.json from the report of `make check`

A test is near a changed module if it imports it, or imports a module that does, or is named after it, or stands in a folder named after
its room (commands are imported by their names, which no graph shows); what is nearest runs first, until the seconds of
tests/seconds.json are used up. Left out are the folders of `SLOW`: `make test` and `make check` run them. Says what it chose and what it
left out.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import grimp

ROOT = Path(__file__).resolve().parents[1]
SLOW = ("browser", "conformance", "faults", "fuzz", "memory", "promises", "quality")
"""Folders of tests that start processes, Spark or a browser, or read whole corpora."""
ALWAYS = ("tests/test_house.py",)
SECONDS, EACH, FAR, LONG = 50.0, 1.5, 3, 0.2
"""Seconds of the processor to be used on each processor; of a file that nobody timed; steps of imports beyond which nothing is chosen;
seconds from which on `make test` leaves a test out."""
WHOLE = 10.0
"""Seconds of a file from which on it is left out as a whole if nearly all of them are those of long tests."""


def changed(since: str) -> list[str]:
    """Return the files that differ from a commit and those git does not know, as paths below the root."""
    asked = (["git", "diff", "--name-only", since], ["git", "ls-files", "--others", "--exclude-standard"])
    found = (subprocess.run(one, cwd=ROOT, capture_output=True, text=True, check=True).stdout for one in asked)
    return sorted({line for out in found for line in out.splitlines()})


def imported(path: Path) -> set[str]:
    """Return the modules of quchong that a file imports, anywhere in it; of a name that may be a module, both."""
    out: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            out |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
    return {name for name in out if name.partition(".")[0] == "quchong"}


def steps_to(graph: grimp.ImportGraph, modules: Iterable[str]) -> dict[str, int]:
    """Return how many imports lead to the nearest of some modules, for every module that imports one, themselves 0."""
    out = dict.fromkeys((one for one in modules if one in graph.modules), 0)
    front = list(out)
    while front:
        near = {one for module in front for one in graph.find_modules_that_directly_import(module)} - out.keys()
        out |= {one: max(out[module] for module in front) + 1 for one in near}
        front = sorted(near)
    return out


def module_of(file: str) -> str:
    """Return the module a source file is, or of which a kernel's C++ file is the native part."""
    path = Path(file)
    if path.parts[0] == "cpp" and len(path.parts) > 2:
        return f"quchong.kernels.{path.parts[1]}"
    parts = path.relative_to("src").with_suffix("").parts if path.parts[0] == "src" else ()
    return ".".join(parts[:-1] if parts[-1:] == ("__init__",) else parts)


def after_its_name(path: Path, steps: dict[str, int]) -> int:
    """Return how far a file of tests is by what it is named after: one step more than a module, two more than a module of a room."""
    words, rooms = {*path.stem.split("_")}, {*path.parts}
    far = [FAR + 1]
    for module, step in steps.items():
        room, leaf = ([*module.split("."), ""])[1], module.rpartition(".")[2]
        far += [step + 1] * (leaf in words) + [step + 2] * (room in rooms)
    return min(far)


def chosen(files: list[str], budget: float) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return tests that run and tests that are near but have no time left, each as (steps, path), nearest first."""
    graph = grimp.build_graph("quchong")
    steps = steps_to(graph, filter(None, map(module_of, files)))
    seconds = json.loads((ROOT / "tests" / "seconds.json").read_text("utf-8"))["files"]
    tests = [p for p in sorted((ROOT / "tests").rglob("test_*.py")) if p.relative_to(ROOT).parts[1] not in SLOW]
    near = []
    near_modules = {module: step for module, step in steps.items() if step < 2}
    for path in tests:
        name = path.relative_to(ROOT).as_posix()
        far = min((steps[one] for one in imported(path) if one in steps), default=FAR + 1)
        far = min(far, after_its_name(path.relative_to(ROOT), near_modules))
        if name in files or name in ALWAYS:
            far = -1
        if far <= FAR:
            near.append((far, seconds.get(name, EACH), name))
    run, late = [], []
    for far, took, name in sorted(near):
        (run if took <= budget or far < 0 else late).append((far, name))
        budget -= took if run[-1:] == [(far, name)] else 0
    return run, late


def times(report: Path) -> dict[str, Any]:
    """Return what a JUnit report says of time.

    Returns:
        "files": seconds of each file of tests, those of half a second and more, longest first. "long": ids of the tests that took `LONG`
        seconds or more, by name, and files of which nearly all is such: what they share takes long whichever test comes first.
    """
    files: dict[str, float] = defaultdict(float)
    tests: dict[str, float] = defaultdict(float)
    for case in ElementTree.parse(report).iter("testcase"):
        path = case.get("classname", "").replace(".", "/") + ".py"
        files[path] += float(case.get("time", 0))
        tests[f"{path}::{case.get('name', '')}"] += float(case.get("time", 0))
    ordered = sorted(files.items(), key=lambda one: -one[1])
    long = {name: took for name, took in tests.items() if took >= LONG}
    inside: dict[str, float] = defaultdict(float)
    for name, took in long.items():
        inside[name.partition("::")[0]] += took
    whole = {name for name, took in ordered if took >= WHOLE and inside[name] >= 0.9 * took}
    return {
        "files": {name: round(took, 1) for name, took in ordered if took >= 0.5},
        "long": sorted(whole | {name for name in long if name.partition("::")[0] not in whole}),
    }


def main() -> int:
    """Choose, say what was chosen, and run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", default="HEAD", help="commit or branch to compare with (default: the last commit)")
    parser.add_argument("--list", action="store_true", help="run nothing")
    parser.add_argument("--times", type=Path, help="a JUnit report, to write tests/seconds.json from")
    asked = parser.parse_args()
    if asked.times:
        text = json.dumps(times(asked.times), indent=1) + "\n"
        return (ROOT / "tests" / "seconds.json").write_text(text, "utf-8") * 0
    sys.path.insert(0, str(ROOT / "src"))
    files = changed(asked.since)
    workers = os.cpu_count() or 1
    run, late = chosen(files, SECONDS * workers)
    print(f"{len(files)} files differ from {asked.since}; {len(run)} files of tests are near:")
    for far, name in run:
        print(f"  {'itself' if far < 0 else f'{far} steps':8} {name}")
    if late:
        print(f"{len(late)} that are near too would take too long: {', '.join(name for _, name in late)}")
    print(
        f"Left to `make test` and `make check`: {', '.join(f'tests/{name}' for name in SLOW)}, and what is farther away.",
        flush=True,
    )
    if asked.list:
        return 0
    command = [sys.executable, "-m", "pytest", "-n", str(workers), "--dist", "loadscope", "--no-loadscope-reorder"]
    return subprocess.run([*command, "--tb=short", *(name for _, name in run)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
