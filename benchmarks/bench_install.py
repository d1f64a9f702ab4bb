"""What installing costs: quchong beside other tools, each in a fresh environment of its own; writes docs/results/install.md.

    python benchmarks/bench_install.py --wheel dist/quchong-*-cp311-*manylinux*.whl

Bytes to download are those of all wheels that pip takes, bytes installed those of the environment less an empty one (with compiled
modules, as pip makes them). Seconds are those of the processor, medians of RUNS processes with files in the page cache.
"""

from __future__ import annotations

import argparse
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "results" / "install.md"
RUNS = 7


@dataclass(frozen=True)
class Tool:
    """A tool: what pip installs, what one imports, and the command that shows its help."""

    name: str
    module: str
    help: tuple[str, ...] = ()


PEERS = (
    Tool("datasketch", "datasketch"),
    Tool("rensa", "rensa"),
    Tool("gaoya", "gaoya"),
    Tool("semhash", "semhash"),
    Tool("datatrove", "datatrove", ("inspect_data", "--help")),
    Tool("text-dedup", "text_dedup", ("-m", "text_dedup.minhash", "--help")),
)
HEAD = """\
# What installing costs

Made by `python benchmarks/bench_install.py` with Python {python}: each tool in a fresh environment of its own, the newest
version that pip takes, wheels only. Seconds are those of the processor, medians of {runs} processes; `--help` is that of the tool's
command, where it has one. An interpreter that does nothing took {idle:.2f} s.

| tool | packages | MB to download | MB installed | import, s | `--help`, s |
|---|---|---|---|---|---|
"""


def size(folder: Path) -> int:
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file() and not one.is_symlink())


def median_seconds(command: list[str]) -> float:
    """Return the median seconds of the processor that RUNS processes took, after one that is not counted; its caches are then warm."""
    taken = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken[1:])


def measure(tool: Tool, wanted: str, limit: float) -> str:
    """Return the row of a tool, with the reason where it cannot be installed."""
    with tempfile.TemporaryDirectory() as folder:
        wheels, home = Path(folder, "wheels"), Path(folder, "home")
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        python, before = str(home / "bin" / "python"), size(home)
        pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        got = ["download", "--only-binary", ":all:", "--dest", str(wheels), wanted]
        try:
            done = subprocess.run([*pip, *got], capture_output=True, text=True, check=False, timeout=limit)
        except subprocess.TimeoutExpired:
            return f"| {tool.name} | not downloaded within {limit:.0f} s | | | | |"
        if done.returncode:
            return f"| {tool.name} | does not install: {done.stderr.strip().splitlines()[-1][:120]} | | | | |"
        files = list(wheels.iterdir())
        version = next(f.name.split("-")[1] for f in files if f.name.split("-")[0].replace("_", "-") == tool.name)
        subprocess.run(
            [*pip, "install", "--no-index", "--find-links", str(wheels), wanted], check=True, capture_output=True
        )
        installed = size(home) - before
        imported = median_seconds([python, "-c", f"import {tool.module}"])
        shown = "none"
        if tool.help:
            first = [python] if tool.help[0] == "-m" else [str(home / "bin" / tool.help[0])]
            rest = list(tool.help if tool.help[0] == "-m" else tool.help[1:])
            try:
                shown = f"{median_seconds([*first, *rest]):.2f}"
            except subprocess.CalledProcessError as error:
                shown = f"fails ({(error.stderr or b'').decode().strip().splitlines()[-1][:60]})"
        numbers = f"{len(files)} | {size(wheels) / 1e6:.0f} | {installed / 1e6:.0f} | {imported:.2f} | {shown}"
        return f"| {tool.name} {version} | {numbers} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True, help="wheel of quchong that this Python takes")
    parser.add_argument("--only", nargs="*", help="names of other tools to measure")
    parser.add_argument("--limit", type=float, default=300, help="seconds that downloading one may take")
    asked = parser.parse_args()
    rows = [measure(Tool("quchong", "quchong", ("quchong", "--help")), str(asked.wheel.resolve()), asked.limit)]
    print(rows[0], flush=True)
    for tool in PEERS:
        if asked.only is None or tool.name in asked.only:
            rows.append(measure(tool, tool.name, asked.limit))
            print(rows[-1], flush=True)
    idle = median_seconds([sys.executable, "-c", "pass"])
    head = HEAD.format(python=platform.python_version(), runs=RUNS, idle=idle)
    own = "quchong's own wheel is {:.1f} MB of its download; the rest is mostly Arrow and NumPy.\n"
    _, mark, others = PAGE.read_text("utf-8").partition("\n## ")  # sections that are written by hand
    PAGE.write_text(
        head + "\n".join(rows) + "\n\n" + own.format(asked.wheel.stat().st_size / 1e6) + mark + others, "utf-8"
    )


if __name__ == "__main__":
    main()
