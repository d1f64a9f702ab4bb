"""One page with the results of all runs in a folder: claims, tables, remarks, and the answers that show whether the page is too old."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from quchong.errors import InputError, OutputError
from quchong.outputs import MANIFEST, staged_file
from quchong_lab.catalogue import EXPERIMENTS

FIRST = "<!-- written by quchong lab gather: change nothing here -->"
LONGEST = 40
"""Rows of the longest table that is printed on the page."""
_ANSWERS = re.compile(r"^<!-- answers of ([a-z0-9/-]+): ([0-9a-f]{16}|none) -->$", re.MULTILINE)
_ROWS = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def result(folder: Path) -> tuple[dict[str, Any], str]:
    """Return the manifest (run.json) and the text of table.md of a finished run.

    Raises:
        InputError: the folder contains no run of an experiment.
    """
    try:
        about = json.loads((folder / MANIFEST).read_text("utf-8"))
        text = (folder / "table.md").read_text("utf-8")
        if "experiment" in about:
            return about, text
    except (OSError, ValueError, TypeError):
        pass
    raise InputError("{} has no run of an experiment: quchong lab run NAME -o DIR makes one", folder)


def pictures(folder: Path) -> list[Path]:
    """Return the plots of a run, in order."""
    return sorted(folder.glob("plot*.svg"))


def page(folder: Path) -> tuple[str, list[str]]:
    """Return the page of all runs below a folder, and the names of experiments without a run.

    Raises:
        InputError: the folder contains no run.
    """
    found: dict[str, tuple[dict[str, Any], str]] = {}
    for name in EXPERIMENTS:
        if (folder / name / MANIFEST).is_file():
            found[name] = result(folder / name)
    if not found:
        raise InputError("{} has no run of an experiment: quchong lab run --all -o {} makes them", folder, folder)
    missing = [name for name in EXPERIMENTS if name not in found]
    parts = [FIRST, "# Results of the papers' experiments", "", *_head(found, missing), ""]
    for name, (about, text) in found.items():
        parts += [_section(name, about, text), ""]
    return "\n".join(parts).rstrip() + "\n", missing


def gather(folder: Path, out: Path) -> list[str]:
    """Write the page of a folder to a file; return the names of experiments without a run.

    Raises:
        InputError: as `page`.
        OutputError: `out` exists and was not written by `gather`, or it cannot be written.
    """
    text, missing = page(folder)
    if out.is_file() and not out.read_text("utf-8", "replace").startswith(FIRST):
        raise OutputError("{} was not written by quchong lab gather: choose another place", out)
    with staged_file(out) as new:
        new.write_text(text, encoding="utf-8")
    return missing


def answers_of(text: str) -> dict[str, str]:
    """Return the digest of answers for each experiment on a page; "none" if its figures never repeat."""
    return dict(_ANSWERS.findall(text))


def _head(found: dict[str, tuple[dict[str, Any], str]], missing: list[str]) -> list[str]:
    abouts = [about for about, _ in found.values()]
    said = {
        k: ", ".join(sorted({str(about[k]) for about in abouts})) for k in ("scale", "seed", "quchong", "processors")
    }
    lines = [
        f"{len(found)} of {len(EXPERIMENTS)} experiments, scale: {said['scale']}, seed: {said['seed']}, quchong {said['quchong']}, "
        f"{said['processors']} processors. Times are of that machine, and say something beside each other only.",
        "",
        "`quchong lab run --all --scale SCALE -o DIR`, then `quchong lab gather DIR -o FILE`, write this page. Tables of more than "
        f"{LONGEST} rows are in DIR, with all plots.",
    ]
    return lines + ([f"Without a run here: {', '.join(missing)}."] if missing else [])


def _section(name: str, about: dict[str, Any], text: str) -> str:
    def short(match: re.Match[str]) -> str:
        rows = match[0].count("\n") - 2
        return match[0] if rows <= LONGEST else f"{rows:,} rows: `{name}/table.csv`.\n"

    text = re.sub(r"^(#+) ", r"#\1 ", _ROWS.sub(short, text), flags=re.MULTILINE)
    head, _, rest = text.partition("\n")
    scale = f"Scale {about['scale']}, seed {about['seed']}" + (", own texts." if about.get("own_texts") else ".")
    return f"{head}\n\n<!-- answers of {name}: {about.get('answers') or 'none'} -->\n{scale}\n{rest}".rstrip()
