"""Writes the view of a run to a file: a page, or a workbook where the name ends in .xlsx."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable
from pathlib import Path

from quchong.errors import OutputError, Param
from quchong.languages import Message
from quchong.outputs import Place, check_apart, local, staged
from quchong.views.model import model, thresholds_of
from quchong.views.page import GENERATOR, page
from quchong.views.subject import Subject
from quchong.views.words import LANGUAGES, Language, default_language
from quchong.views.workbook import write_workbook

LARGEST = 9_800_000
"""Bytes of a page."""
WORKBOOK = ".xlsx"
_REMEDY = Message("make room or choose another place")

__all__ = ["LANGUAGES", "Language", "default_language", "write_report"]


def write_report(
    subject: Subject,
    path: Path,
    language: Language | None = None,
    *,
    overwrite: bool = False,
    read: Iterable[Place] = (),
) -> Path:
    """Writes the page of a run, or the workbook of its removals, whole or not at all.

    Args:
        subject: the run.
        path: of the file; where it ends in .xlsx a workbook is written.
        language: of the page at first, and of the workbook; without it the one of the environment.
        overwrite: replace an earlier report there; no other file is replaced.
        read: places that must not be written over or into.

    Returns:
        The path.

    Raises:
        OutputError: the file exists, lies in a run or an input, or cannot be written.
        UsageError: a workbook, and the extra `report` is not installed.
    """
    language = language or default_language()
    check_apart(read, local([path]))
    place = Path(os.path.realpath(path))

    def check() -> None:
        if not place.parent.is_dir():
            raise OutputError(
                "cannot write {}: there is no folder {}; make it, or choose another place", path, place.parent
            )
        if os.path.lexists(place):
            _check_replaceable(path, place, overwrite)

    with staged(place, check, _REMEDY) as new:
        if is_workbook(path):
            write_workbook(subject, new, language)
        else:
            new.write_bytes(_fitting(subject, language))
    return path


def is_workbook(path: Path) -> bool:
    """Does the name ask for a workbook?"""
    return path.suffix.lower() == WORKBOOK


def _fitting(subject: Subject, language: Language) -> bytes:
    """The page, with less in it where it would be too large."""
    thresholds, scale = thresholds_of(subject), 1.0
    while True:
        made = page(model(subject, thresholds, scale), language).encode("utf-8", "replace")
        if len(made) <= LARGEST or scale < 0.01:
            return made
        scale *= 0.9 * LARGEST / len(made)


def _check_replaceable(path: Path, place: Path, overwrite: bool) -> None:
    """Raises OutputError unless the file may be replaced."""
    if place.is_dir():
        raise OutputError("cannot write {}: it is a folder; name a file, such as report.html", path)
    if not overwrite:
        raise OutputError(
            "{} exists: choose another name, or replace that report with {}", path, Param("overwrite", True)
        )
    if not _ours(place):
        raise OutputError(
            "{} is no report of quchong, so {} leaves it alone: choose another name", path, Param("overwrite", True)
        )


def _ours(place: Path) -> bool:
    """Is the file a page or a workbook that quchong wrote?"""
    try:
        with place.open("rb") as file:
            if f'name="generator" content="{GENERATOR}"'.encode() in file.read(2000):
                return True
        with zipfile.ZipFile(place) as packed:
            return GENERATOR.encode() in packed.read("docProps/core.xml")[:4000]
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return False
