"""Folders for work and staging: of this user alone, and looked at only through their descriptor."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from quchong.errors import OutputError
from quchong.outputs import OwnFolder, make_own_folder, open_own_file, open_own_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows knows neither owner nor mode of a folder")
STRANGER = 12345
as_root = pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root can give a folder away")


def made(path: Path, mode: int = 0o700) -> Path:
    path.mkdir()
    path.chmod(mode)
    return path


def test_a_folder_is_made_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with_parent = tmp_path / "new" / "folder"
        os.close(make_own_folder(with_parent))
    finally:
        os.umask(before)
    assert stat.S_IMODE(with_parent.stat().st_mode) == 0o700
    with pytest.raises(FileExistsError):
        make_own_folder(with_parent)


@pytest.mark.parametrize("mode", [0o700, 0o755, 0o750, 0o500])
def test_a_folder_that_only_its_user_may_write_is_opened(tmp_path: Path, mode: int) -> None:
    os.close(open_own_folder(made(tmp_path / "folder", mode)))


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o1777, 0o702, 0o720])
def test_a_folder_that_others_may_write_is_refused_by_name(tmp_path: Path, mode: int) -> None:
    with pytest.raises(OutputError, match=r"folder may be written by other users \(mode .*chmod go-w"):
        open_own_folder(made(tmp_path / "folder", mode))


@as_root
def test_a_folder_of_another_user_is_refused_by_root_too(tmp_path: Path) -> None:
    folder = made(tmp_path / "folder")
    os.chown(folder, STRANGER, -1)
    with pytest.raises(OutputError, match="folder is another user's"):
        open_own_folder(folder)


@pytest.mark.parametrize("kind", ["link", "file", "fifo"])
def test_what_is_no_folder_is_refused_by_name(tmp_path: Path, kind: str) -> None:
    place = tmp_path / "folder"
    if kind == "link":
        place.symlink_to(made(tmp_path / "elsewhere"), target_is_directory=True)
    elif kind == "file":
        place.touch()
    else:
        os.mkfifo(place)
    with pytest.raises(OutputError, match="folder is a link, or no folder"):
        open_own_folder(place)


def test_a_missing_folder_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_own_folder(tmp_path / "folder")


def test_a_folder_put_in_the_place_of_the_opened_one_is_not_looked_at(tmp_path: Path) -> None:
    place = made(tmp_path / "folder")
    (place / "mine").write_bytes(b"mine")
    folder = OwnFolder.open_path(place)
    place.rename(tmp_path / "moved")
    made(place)
    (place / "mine").write_bytes(b"theirs")
    with folder.open("mine") as file:
        assert file.read() == b"mine"
    with folder.open("new", "xb") as file:
        file.write(b"new")
    folder.rename("new", "other")
    folder.remove("mine")
    assert folder.names() == ["other"]
    assert {entry.name for entry in place.iterdir()} == {"mine"}


@pytest.mark.parametrize("kind", ["link", "fifo", "folder"])
def test_only_regular_files_are_opened(tmp_path: Path, kind: str) -> None:
    folder = OwnFolder.made(tmp_path / "folder")
    outside = tmp_path / "outside"
    outside.write_bytes(b"outside")
    if kind == "link":
        (folder.path / "file").symlink_to(outside)
    elif kind == "fifo":
        os.mkfifo(folder.path / "file")
    else:
        (folder.path / "file").mkdir()
    with pytest.raises(OSError, match="file"):
        folder.open("file")
    with pytest.raises(FileExistsError):  # a new file is never written through what stands there
        folder.open("file", "xb")
    assert outside.read_bytes() == b"outside"


@pytest.mark.parametrize("name", ["", ".", "..", "../outside", "sub/file", "/etc/passwd", "a\0b"])
def test_only_names_of_entries_are_taken(tmp_path: Path, name: str) -> None:
    folder = OwnFolder.made(tmp_path / "folder")
    for act in (folder.open, folder.remove, lambda name: folder.rename("file", name)):
        with pytest.raises(ValueError, match="no name of a file"):
            act(name)


def test_files_are_for_the_user_alone(tmp_path: Path) -> None:
    folder = OwnFolder.made(tmp_path / "folder")
    before = os.umask(0)
    try:
        folder.open("file", "xb").close()
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder.path / "file").stat().st_mode) == 0o600
    with open_own_file(folder.descriptor, folder.path / "file", "r+b") as file:
        file.write(b"changed")
    assert (folder.path / "file").read_bytes() == b"changed"


def test_a_closed_folder_lets_go_of_its_descriptor(tmp_path: Path) -> None:
    folder = OwnFolder.made(tmp_path / "folder")
    descriptor = folder.descriptor
    folder.close()
    folder.close()
    with pytest.raises(OSError, match="descriptor"):
        os.fstat(descriptor)
