"""Installs wheels where there is no compiler, and runs the main job with each.

    python tools/wheels/check.py dist/*.whl

A wheel for this machine gets a fresh virtual environment for each Python here that takes it. One for Linux on aarch64 runs
under qemu's emulator with a Python of Debian, where apt-get brings both. Of one for musl, the loader of musl resolves the
symbols. What cannot run here is named, with the reason; the command fails if anything that ran gave another answer.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from emulated import Emulated, NotHere, musl_symbols
from environment import ROOT, interpreter, run

SAMPLE = ROOT / "examples" / "news.jsonl"
KEPT = 59
"""Documents of the sample that are kept."""
VERSIONS = ("3.11", "3.12", "3.13", "3.14", "3.15")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", nargs="+", type=Path)
    for wheel in parser.parse_args().wheels:
        for told in check(wheel.resolve()):
            print(f"{wheel.name}: {told}", flush=True)


def check(wheel: Path) -> Iterator[str]:
    """Yield what was run with a wheel, or why nothing can be. Raises SystemExit if it does not install, or answers otherwise."""
    python, abi, platform = wheel.stem.split("-")[-3:]
    if "macosx" in platform or "win" in platform:
        yield "not run: it is for another system"
        return
    try:
        if "musllinux" in platform:
            yield musl_symbols(wheel, platform.rpartition("_x86_64")[1][1:] or "aarch64")
        elif "aarch64" in platform:
            version = "3.11" if python == "cp311" else "3.13"
            emulated = Emulated(version)
            yield f"under qemu, Python {version} of Debian: {_answer(emulated.install(wheel))}"
        else:
            yield from _in_bare_environments(wheel, python, abi)
    except NotHere as reason:
        yield f"not run: {reason}"


def _in_bare_environments(wheel: Path, python: str, abi: str) -> Iterator[str]:
    """Install a wheel with each Python here that takes it; nothing but that Python is on the PATH."""
    least = int(python.removeprefix("cp3"))
    for version in VERSIONS:
        minor = int(version.partition(".")[2])
        base = interpreter(version) if minor == least or (abi == "abi3" and minor > least) else None
        if base is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            run(base, "-m", "venv", folder)
            commands = Path(folder) / "bin"
            bare = {"PATH": str(commands), "HOME": folder}
            pip = (
                commands / "python",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--only-binary",
                ":all:",
            )
            run(*pip, wheel, env=bare)
            yield f"Python {version}: {_answer(([commands / 'quchong'], bare))}"


def _answer(installed: tuple[list[Path | str], dict[str, str]]) -> str:
    """Run the installed command: its version, and the main job on the sample. Raises SystemExit for another answer."""
    command, environment = installed
    version = run(*command, "--version", env=environment).stdout.split()[-1]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        run(*command, "dedup", SAMPLE, "-o", out, env={**environment, "LC_ALL": "C.UTF-8"}, cwd=folder)
        kept = sum(1 for _ in (out / "kept.jsonl").open(encoding="utf-8"))
    if kept != KEPT:
        raise SystemExit(f"{kept} documents of {SAMPLE.name} were kept, where {KEPT} are")
    return f"quchong {version}, {kept} documents of the sample kept"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
