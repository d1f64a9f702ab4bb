"""Environments of the tools: one with zig and the auditors, one for each Python that builds; none is the project's own."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "wheels"
"""Where environments, toolchains and build trees lie; `make clean` removes it."""


def run(*command: str | Path, **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command. Raises SystemExit with the end of what it printed if it fails."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)  # type: ignore[call-overload]
    if done.returncode:
        said = (done.stdout + done.stderr).strip().splitlines()
        raise SystemExit("\n".join([*said[-40:], f"failed with {done.returncode}: {' '.join(map(str, command))}"]))
    return done


def processor_seconds() -> float:
    """Return the seconds of processors that finished commands have taken, with those that they began."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def interpreter(version: str) -> Path | None:
    """Return an interpreter of a version such as "3.12": on the PATH, of pyenv, or this one; None if there is none."""
    found = [shutil.which(f"python{version}")]
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found += [str(folder / "bin" / "python") for folder in sorted(pyenv.glob(f"{version}.*"))]
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    for name in [sys.executable, *filter(None, found)]:
        done = subprocess.run([name, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode == 0 and done.stdout.strip() == version:
            return Path(name)
    return None


def requirements(group: str) -> list[str]:
    """Return the requirements of a dependency group of pyproject.toml, or of "build": what builds the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    if group == "build":
        return [*project["build-system"]["requires"], "cmake>=3.20,<5", "ninja>=1.11,<2"]
    return list(project["dependency-groups"][group])


def environment(name: str, python: Path, needs: list[str]) -> Path:
    """Return the folder of the commands of a virtual environment with these requirements; make it where it is absent."""
    folder = WORK / name
    mark = folder / "needs.txt"
    if not mark.is_file() or mark.read_text("utf-8") != "\n".join(needs):
        run(python, "-m", "venv", "--clear", folder)
        run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *needs)
        mark.write_text("\n".join(needs), "utf-8")
    return folder / "bin"


def tools() -> Path:
    """Return the folder of the commands of zig, auditwheel, abi3audit and uv."""
    return environment("tools", Path(sys.executable), requirements("wheels"))


def zig() -> Path:
    """Return zig itself, a binary within the package ziglang."""
    code = "import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / 'zig')"
    return Path(run(tools() / "python", "-c", code).stdout.strip())
