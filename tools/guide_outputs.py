"""Makes what stands below the commands in the `console` blocks of a page, by running them.

    python tools/guide_outputs.py docs/guide/inspect.md docs/guide/inspect.zh-CN.md

The commands run in their order in a folder with the examples, 100 columns wide. Output that ends in `...` keeps as many
lines as it had. tests/test_readme.py runs the same commands and holds the pages to what they print.
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
from pathlib import Path

ROOT = Path(__file__).parents[1]
ENTRY = re.compile(r"^\$ (.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Writes the pages named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    given = parser.parse_args()
    for page in given.pages:
        with tempfile.TemporaryDirectory() as folder:
            made = made_again(page.read_text("utf-8"), Path(folder))
        page.write_text(made, "utf-8")


def made_again(text: str, folder: Path) -> str:
    """The page with the outputs its commands give now."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    command = folder / "bin" / "quchong"
    command.parent.mkdir()
    code = shlex.quote("from quchong.cli.main import main; main()")
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {code} "$@"\n', "utf-8")
    command.chmod(0o755)
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100"}

    def entry(found: re.Match[str]) -> str:
        line, before = found[1], found[2]
        done = subprocess.run(
            line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{line}: {done.stderr}")
        if before.endswith("...\n"):
            kept = max(0, len(before.splitlines()) - 1)
            return f"$ {line}\n" + "".join(one + "\n" for one in done.stdout.splitlines()[:kept]) + "...\n"
        return f"$ {line}\n{done.stdout}"

    return BLOCK.sub(lambda block: f"```console\n{ENTRY.sub(entry, block[1])}```", text)


if __name__ == "__main__":
    main()
