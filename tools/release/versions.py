"""Every place that says the version: pyproject.toml says it, the others repeat it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "pyproject.toml"
NUMBER = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"
PLACES = {
    SOURCE: rf'(?m)^version = "({NUMBER})"',
    "packages/lab/pyproject.toml": rf'(?m)^version = "({NUMBER})"',
    "CITATION.cff": rf"(?m)^version: ({NUMBER})",
}
"""Files that must say the version, and the pattern by which it is found in each."""
MAY_SAY = rf"quchong(?:[ =:@-]|==| \| )v?({NUMBER})\b"
"""Pattern of the version where a file may say it: man pages, images, units, guides of installing."""
MAY_BE = (
    "deploy/**/*",
    "src/**/*.1",
    "man/**/*",
    "docs/**/*.1",
    "share/**/*.1",
    "docs/guide/install*.md",
    ".github/**/*",
)
LAB_NEEDS = ("packages/lab/pyproject.toml", r'"quchong>=(\d+\.\d+),<(\d+\.\d+)"')
"""File and pattern of the versions that quchong-lab works with: those of one minor version."""


def version_of_source() -> str:
    """Return the version of pyproject.toml."""
    return re.findall(PLACES[SOURCE], (ROOT / SOURCE).read_text("utf-8"))[0]


def said_elsewhere() -> Iterator[tuple[str, str]]:
    """Yield the path and the version of every place that repeats it; "" where a place that must say it does not."""
    for name, pattern in PLACES.items():
        found = re.findall(pattern, (ROOT / name).read_text("utf-8"))
        yield from ((name, one) for one in found or [""])
    for pattern in MAY_BE:
        for path in sorted(ROOT.glob(pattern)):
            if path.is_file():
                yield from (
                    (path.relative_to(ROOT).as_posix(), one)
                    for one in re.findall(MAY_SAY, path.read_text("utf-8", "ignore"))
                )


def wrong_places(version: str) -> list[str]:
    """Return a line for each place that says another version, or none; the versions that quchong-lab needs count as one."""
    wrong = [f"{name} says {found or 'none'}, not {version}" for name, found in said_elsewhere() if found != version]
    name, pattern = LAB_NEEDS
    major, minor = (int(part) for part in version.split(".")[:2])
    wanted = (f"{major}.{minor}", f"{major}.{minor + 1}")
    found = re.findall(pattern, (ROOT / name).read_text("utf-8"))
    return wrong + ([] if found == [wanted] else [f"{name} needs quchong {found}, not >={wanted[0]},<{wanted[1]}"])


def set_version(version: str) -> list[str]:
    """Write a version to every place that must say it; return the files that changed."""
    changed = []
    major, minor = (int(part) for part in version.split(".")[:2])
    for name, pattern in PLACES.items():
        path = ROOT / name
        before = path.read_text("utf-8")
        after = re.sub(pattern, lambda found: found[0].replace(found[1], version), before)
        if name == LAB_NEEDS[0]:
            after = re.sub(LAB_NEEDS[1], f'"quchong>={major}.{minor},<{major}.{minor + 1}"', after)
        if after != before:
            path.write_text(after, "utf-8")
            changed.append(name)
    return changed
