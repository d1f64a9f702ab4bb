"""Files of a release, collected in one folder with their sums."""

from __future__ import annotations

import hashlib
import shutil
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

SUMS = "SHA256SUMS"
NOTES = "NOTES.md"


def version_in(path: Path) -> str:
    """Return the version in the name of a wheel or a source distribution; "" for another file."""
    name = path.name.removesuffix(".tar.gz") if path.name.endswith(".tar.gz") else path.name.removesuffix(".whl")
    parts = name.split("-")
    return parts[1] if len(parts) > 1 and name != path.name else ""


def unreadable(path: Path) -> str:
    """Return why an archive cannot be read to its end; "" if it can."""
    try:
        if path.name.endswith(".whl"):
            with zipfile.ZipFile(path) as archive:
                damaged = archive.testzip()
            return f"{damaged} is damaged" if damaged else ""
        with tarfile.open(path) as archive:
            archive.getmembers()
        return ""
    except (OSError, zipfile.BadZipFile, tarfile.TarError, EOFError) as error:
        return str(error) or type(error).__name__


def write_sums(folder: Path) -> Path:
    """Write SHA256SUMS of a folder, as `sha256sum --check` reads it, and return its path."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != SUMS)
    lines = (f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in names)
    (folder / SUMS).write_text("".join(lines), "utf-8")
    return folder / SUMS


def collect(files: Iterable[Path], site: Path | None, notes: str, folder: Path) -> list[Path]:
    """Copy the files of a release to a new folder, with the site as an archive, the notes and the sums; return what is in it.

    Raises:
        FileExistsError: the folder exists.
    """
    folder.mkdir(parents=True)
    for path in files:
        shutil.copy2(path, folder)
    if site is not None:
        shutil.make_archive(str(folder / "site"), "zip", site)
    (folder / NOTES).write_text(notes, "utf-8")
    write_sums(folder)
    return sorted(folder.iterdir())
