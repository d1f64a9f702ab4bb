"""Makes what stands below the commands in the `console` blocks of a page, by running them.

    python tools/guide_outputs.py docs/guide/inspect.md docs/guide/inspect.zh-CN.md

The commands run in their order in a folder with the examples, 100 columns wide; those of a page in Chinese in Chinese. Output
that ends in `...` keeps as many lines as it had. `quchong serve … &` starts a service for the commands below it, on a free port whatever
the page says, and ends with the page. tests/test_readme.py runs the same commands and holds the pages to what they print.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENTRY = re.compile(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


class Services:
    """Services that the commands of a page start, each on a free port, whatever port the page says.

    Args:
        folder: where the commands run.
        environment: their environment.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder, self._environment = folder, environment
        self._ports: dict[str, str] = {}  # as written: in truth
        self._running: list[subprocess.Popen[str]] = []

    @staticmethod
    def is_start(line: str) -> bool:
        """Is it a command that starts a service?"""
        return line.startswith("quchong serve ") and line.endswith("&")

    def start(self, line: str) -> str:
        """Starts a service, and returns what it prints when it answers, with the port of the page."""
        command = line.removesuffix("&").replace("quchong serve ", "quchong serve --port 0 ", 1)
        written = re.search(r"--port (\d+)", line)
        command = re.sub(r"--port [1-9]\d*", "", command)
        one = subprocess.Popen(
            ["sh", "-c", f"exec {command}"],
            cwd=self._folder,
            env=dict(self._environment),
            stdout=subprocess.PIPE,
            text=True,
        )
        self._running.append(one)
        assert one.stdout is not None
        said = one.stdout.readline()
        port = re.search(r":(\d+)$", said)
        if port is None:
            raise RuntimeError(f"{line}: no service, but {said!r}")
        self._ports[written[1] if written else "8765"] = port[1]
        return self.as_written(said)

    def in_truth(self, line: str) -> str:
        """A command with the ports of the services that run."""
        return re.sub(r":(\d+)", lambda m: ":" + self._ports.get(m[1], m[1]), line)

    def as_written(self, text: str) -> str:
        """An output with the ports of the page."""
        written = {port: one for one, port in self._ports.items()}
        return re.sub(r":(\d+)", lambda m: ":" + written.get(m[1], m[1]), text)

    def stop(self) -> None:
        """Ends all services."""
        for one in self._running:
            one.terminate()
            one.communicate()


def main() -> None:
    """Writes the pages named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    given = parser.parse_args()
    for page in given.pages:
        with tempfile.TemporaryDirectory() as folder:
            made = made_again(page.read_text("utf-8"), Path(folder), "zh" if page.name.endswith(".zh-CN.md") else "en")
        page.write_text(made, "utf-8")


def made_again(text: str, folder: Path, language: str) -> str:
    """The page with the outputs its commands give now, in a language."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    command = folder / "bin" / "quchong"
    command.parent.mkdir()
    code = shlex.quote("from quchong.cli.main import main; main()")
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {code} "$@"\n', "utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "QUCHONG_LANG": language}
    services = Services(folder, environment)

    def entry(found: re.Match[str]) -> str:
        line, before = found[1], found[2]
        if services.is_start(line):
            return f"$ {line}\n{services.start(line)}"
        done = subprocess.run(
            services.in_truth(line),
            shell=True,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(f"{line}: {done.stderr}")
        printed = services.as_written(done.stdout)
        printed += "\n" if printed and not printed.endswith("\n") else ""  # a body of HTTP ends without one
        if before.endswith("...\n"):
            kept = max(0, len(before.splitlines()) - 1)
            return f"$ {line}\n" + "".join(one + "\n" for one in printed.splitlines()[:kept]) + "...\n"
        return f"$ {line}\n{printed}"

    try:
        return BLOCK.sub(lambda block: f"```console\n{ENTRY.sub(entry, block[1])}```", text)
    finally:
        services.stop()


if __name__ == "__main__":
    main()
