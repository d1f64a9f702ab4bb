"""Writer of the view of a run: an HTML page, or a workbook if the file name ends in .xlsx."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

from quchong.errors import InputError, OutputError, UsageError
from quchong.languages import Message
from quchong.outputs import Place, check_apart, check_regular, local, staged
from quchong.outputs.replacing import check_replaceable_file
from quchong.progress import Stages
from quchong.views import inline
from quchong.views.chronology import chronologies
from quchong.views.clusters import biggest, shown_of
from quchong.views.inline import InlineReport
from quchong.views.model import model, thresholds_of
from quchong.views.page import GENERATOR, page
from quchong.views.subject import Subject
from quchong.views.words import LANGUAGES, Language, default_language
from quchong.views.workbook import write_workbook

LARGEST = 9_800_000
"""Maximum size of a page, in bytes."""
WORKBOOK = ".xlsx"
OTHERS = (
    ".pdf",
    ".doc",
    ".docx",
    ".xls",
    ".csv",
    ".tsv",
    ".json",
    ".jsonl",
    ".parquet",
    ".md",
    ".txt",
    ".png",
    ".svg",
    ".zip",
)
"""Endings of formats that no report has, so that nobody finds a web page in a file of another name."""
_REMEDY = Message("make room or choose another place")

__all__ = ["LANGUAGES", "Language", "default_language", "write_report"]


def write_report(
    subject: Subject,
    path: Path,
    language: Language | None = None,
    *,
    overwrite: bool = False,
    read: Callable[[], Iterable[Place]] = tuple,
    stages: Stages | None = None,
) -> Path:
    """Write the page of a run, or the workbook of its removals, atomically.

    Args:
        subject: the run.
        path: the file; a workbook is written if it ends in .xlsx.
        language: the language that the page shows first, and that of the workbook; None takes that of the environment.
        overwrite: True to replace an earlier report; no other file is replaced.
        read: returns the places that must not be overwritten; called again before the page is moved into place, because texts are
            read while it is made.
        stages: receives the progress.

    Returns:
        The path.

    Raises:
        OutputError: the file exists, is inside a run folder or an input, or cannot be written.
        UsageError: a workbook is asked for, and the extra `report` is not installed; the file name ends as another format's does.
    """
    language, stages = language or default_language(), stages or Stages()
    check_place(path, overwrite, read())
    place = Path(os.path.realpath(path))
    with staged(place, lambda: check_place(path, overwrite, read()), _REMEDY) as new:
        if is_workbook(path):
            with stages.stage("write the workbook", len(subject.tables["ledger"])) as progress:
                write_workbook(subject, new, language, progress.advance)
        else:
            new.write_bytes(_fitting(subject, language, stages, LARGEST))
    return path


def check_file_name(path: object) -> None:
    """Raise OutputError for a path that ends as a folder does, because a report is one file."""
    if isinstance(path, str) and path[-1:] in ("/", os.sep) and "://" not in path:  # an address may have a password
        raise OutputError(
            "{} is a folder, but a report is one file: give a file, such as {}", path, f"{path.rstrip('/')}.html"
        )


def check_place(path: Path, overwrite: bool, read: Iterable[Place]) -> None:
    """Check that a report can be written to a path.

    Raises:
        OutputError: see `write_report`.
        UsageError: the file name ends as another format's does.
    """
    check_apart(read, local([path]))
    place = Path(os.path.realpath(path))
    if not place.parent.is_dir():
        raise OutputError(
            "cannot write {}: there is no folder {}; make it, or choose another place", path, place.parent
        )
    if os.path.lexists(place):
        _check_replaceable(path, place, overwrite)
    if path.suffix.lower() in OTHERS:
        raise UsageError(
            "a report is a web page (.html) or a workbook ({}), but {} ends in {}: choose one of the two. To get "
            "a PDF, print the page",
            WORKBOOK, path, path.suffix,
        )  # fmt: skip


def inline_report(subject: Subject, language: Language | None = None, stages: Stages | None = None) -> InlineReport:
    """Return the page of a run for a notebook, as `write_report` makes it but smaller."""
    made = _fitting(subject, language or default_language(), stages or Stages(), inline.LARGEST)
    return InlineReport(made.decode())


def is_workbook(path: Path) -> bool:
    """Return True if the file name ends in .xlsx."""
    return path.suffix.lower() == WORKBOOK


def _fitting(subject: Subject, language: Language, stages: Stages, largest: int) -> bytes:
    """Return the page, with less content if it would be too large."""
    with stages.stage("decide again at other thresholds", None, "thresholds") as progress:
        thresholds = thresholds_of(subject, progress.advance)
    with stages.stage("find who copied whom"):
        lines = chronologies(subject, shown_of(biggest(subject)))
    scale = 1.0
    with stages.stage("choose and read texts"):
        while True:
            made = page(model(subject, thresholds, scale, lines), language).encode("utf-8", "replace")
            if len(made) <= largest or scale < 0.01:
                return made
            scale *= 0.9 * largest / len(made)


def _check_replaceable(path: Path, place: Path, overwrite: bool) -> None:
    """Raise OutputError unless the file may be replaced."""
    if place.is_dir():
        raise OutputError("cannot write {}: it is a folder; name a file, such as report.html", path)
    check_replaceable_file(place, Message("a report of quchong"), _is_own_file, overwrite=overwrite, shown=path)


def _is_own_file(place: Path) -> bool:
    """Return True if the file is a page or a workbook that quchong wrote."""
    try:
        check_regular(place)
        with place.open("rb") as file:
            if f'name="generator" content="{GENERATOR}"'.encode() in file.read(2000):
                return True
        with zipfile.ZipFile(place) as packed:
            return GENERATOR.encode() in packed.read("docProps/core.xml")[:4000]
    except (OSError, ValueError, KeyError, InputError, zipfile.BadZipFile):
        return False
