"""Writes what a shell reads about quchong, into share/: man pages in English and Chinese, completions of bash, zsh and fish.

    python tools/shell_files            writes what has changed
    python tools/shell_files --check    writes nothing, and fails if a file is not up to date

Everything comes from the commands themselves: their options, helps and catalogue. The build installs share/ with the wheel.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from files import shell_files

FOLDER = Path(__file__).parents[2] / "share"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    made = shell_files()
    there = {str(file.relative_to(FOLDER)): file for file in FOLDER.rglob("*") if file.is_file()}
    changed = sorted(
        name for name, text in made.items() if name not in there or there[name].read_text("utf-8") != text
    )  # fmt: skip
    left = sorted(set(there) - set(made))
    if check and (changed or left):
        sys.exit(f"not up to date: {', '.join(changed + left)}\nrun python tools/shell_files")
    for name in () if check else changed:
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(made[name], "utf-8")
        print(f"wrote share/{name}")
    for name in () if check else left:
        there[name].unlink()
        print(f"removed share/{name}")


if __name__ == "__main__":
    main()
