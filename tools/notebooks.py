"""Runs notebooks of examples/notebooks in this process, without a notebook server, and stores what their cells show.

    python tools/notebooks.py               runs all, in a copy of examples/, and writes their outputs
    python tools/notebooks.py --check       writes nothing; exit code 1 if a notebook shows something else than it stores
    python tools/notebooks.py reprints      only notebooks whose name has this in it

Stored are texts alone: what cells print, and the plain form of their last expression. In Jupyter results are shown as pages and
tables. Metadata that editors add (times, kernels, collapsed cells) are taken out, so that a difference is one of words.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
FOLDER = EXAMPLES / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MODULE = "quchong_notebook"
"""Name of the module in which the cells of a notebook run."""
Notebook = dict[str, Any]


def notebooks() -> list[Path]:
    """Return the paths of all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """Read a notebook.

    Raises:
        ValueError: it is no JSON.
    """
    return json.loads(path.read_text("utf-8"))


def spell(notebook: Notebook) -> str:
    """Return a notebook as it is stored, nbformat 4.5: cells with ids in their order, one line of text in each line of the file."""
    cells = []
    for number, cell in enumerate(notebook["cells"], 1):
        source = "".join(cell["source"]).splitlines(keepends=True)
        kept = {"cell_type": cell["cell_type"], "id": f"cell-{number:02}", "metadata": {}, "source": source}
        if cell["cell_type"] == "code":
            kept |= {"execution_count": None, "outputs": cell.get("outputs", [])}
        cells.append(kept)
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def run_cell(source: str, names: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Run the code of a cell with these names and return its outputs: the printed text, then the plain form of the last expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec", dont_inherit=True), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval", dont_inherit=True), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append(
            {"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)}
        )
    if value is not None:
        plain = {"text/plain": repr(value).splitlines(keepends=True)}
        outputs.append({"data": plain, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run(notebook: Notebook, name: str) -> tuple[Notebook, dict[str, Any]]:
    """Run all cells in the working folder; return the notebook with its outputs, and the names that its code has made."""
    module = sys.modules[MODULE] = ModuleType(MODULE)  # classes look for their module
    names, cells = vars(module), []
    for number, cell in enumerate(notebook["cells"], 1):
        made = {}
        if cell["cell_type"] == "code":
            made = {"outputs": run_cell("".join(cell["source"]), names, f"{name}, cell {number}")}
        cells.append(cell | made)
    return notebook | {"cells": cells}, names


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """Work in a copy of examples/, in its folder of notebooks, in English, and return to where one was."""
    import quchong as qc

    before = Path.cwd()
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary) / "examples"
        shutil.copytree(EXAMPLES, place)
        os.chdir(place / "notebooks")
        try:
            yield place / "notebooks"
        finally:
            os.chdir(before)
            qc.set_language(None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of names of notebooks")
    parser.add_argument("--check", action="store_true", help="write nothing")
    given = parser.parse_args()
    changed = 0
    for path in notebooks():
        if given.names and not any(name in path.name for name in given.names):
            continue
        with workplace():
            text = spell(run(read(path), path.name)[0])
        if text != path.read_text("utf-8"):
            changed += 1
            print(f"{path.name}: shows something else" if given.check else f"{path.name}: written")
            if not given.check:
                path.write_text(text, "utf-8")
    return int(given.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main())
