"""Files beneath a folder: no link is followed on any step, nothing but a regular file is opened, and moves go to plain names alone."""

from __future__ import annotations

import json
import os
import socket
import stat
from pathlib import Path

import pytest

from quchong.errors import OutputError, RunError
from quchong.languages import speaking
from quchong.outputs import Staging, is_plain_name, names_beneath, open_beneath, read_beneath, settle, stands_beneath
from quchong.outputs.owner import Mark
from quchong.outputs.protocol import COMMIT, NEW, OWNER

pytestmark = pytest.mark.skipif(os.name != "posix", reason="folders are not opened there")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "run" / "kept").mkdir(parents=True)
    (tmp_path / "run" / "kept" / "a").write_text("a")
    return tmp_path / "run"


@pytest.mark.parametrize(
    "name", ["", "/", "..", ".", "../secret", "kept/../../secret", "/etc/passwd", "a//b", "a/", "a\0", "\ud800", "./a"]
)
def test_names_that_are_not_plain(folder, name):
    assert not is_plain_name(name)
    with pytest.raises(RunError, match="outside its folder"):
        open_beneath(folder, name)
    assert not stands_beneath(folder, name)


def test_plain_names_of_any_letters(folder):
    for name in ("kept/a", "a b", "去重.jsonl", "..a", os.fsdecode(b"\xff.jsonl"), "-o", "*"):
        assert is_plain_name(name)
    assert read_beneath(folder, "kept/a", 10) == b"a"
    assert names_beneath(folder, "") == ["kept"] and names_beneath(folder, "none") == []
    with pytest.raises(FileNotFoundError):
        open_beneath(folder, "kept/b")
    with pytest.raises(RunError, match="1 byte, more than"):
        read_beneath(folder, "kept/a", 0)


def link(place):
    place.symlink_to("../secret")


def pipe(place):
    os.mkfifo(place)


def folder_at(place):
    place.mkdir()


def plug(place):
    with socket.socket(socket.AF_UNIX) as one:
        here = Path.cwd()
        os.chdir(place.parent)
        try:
            one.bind(place.name)
        finally:
            os.chdir(here)


@pytest.mark.parametrize("make", [link, pipe, folder_at, plug])
def test_what_is_no_regular_file_is_refused_with_its_name(folder, make):
    make(folder / "kept.jsonl")
    with pytest.raises(RunError, match=r"run/kept\.jsonl is not opened, because it is a link, or not a regular file"):
        open_beneath(folder, "kept.jsonl")


def test_a_link_on_the_way_is_refused(folder, tmp_path):
    (folder / "sub").symlink_to(tmp_path)
    with pytest.raises(RunError, match="run/sub is not opened, because it is a link"):
        open_beneath(folder, "sub/secret")
    assert not stands_beneath(folder, "sub/secret")


def test_the_folder_itself_may_be_reached_through_a_link(folder, tmp_path):
    (tmp_path / "link").symlink_to(folder)
    assert read_beneath(tmp_path / "link", "kept/a", 10) == b"a"


def stopped(run, names, token="00000000"):
    """What a command that was killed seems to have left beside `run/place`."""
    left = run / f".place.quchong-{token}"
    (left / NEW / "kept").mkdir(parents=True)
    left.chmod(0o700)
    for name in ("a", "kept/a"):
        (left / NEW / name).write_text("new")
    (left / OWNER).write_text(Mark(token, "place", socket.gethostname(), 4_000_000, None).text())
    (left / COMMIT).write_text(json.dumps(names))
    return left


def test_moves_that_were_decided_are_made(folder):
    left = stopped(folder, ["kept/a", "a", "kept/gone"])
    settle(folder / "place", moves={"a", "kept/a", "kept/gone"}.__contains__)
    assert (folder / "a").read_text() == (folder / "kept" / "a").read_text() == "new" and not left.exists()


@pytest.mark.parametrize(
    "names",
    [["a", "../secret"], ["a", "{outside}"], ["a", "b"], ["a", 1], {}, "a", ["kept/../../secret"], ["a", "\ud800"]],
)
def test_a_list_of_moves_of_a_stranger_moves_nothing(folder, tmp_path, names):
    names = (
        [str(tmp_path / "secret") if name == "{outside}" else name for name in names]
        if isinstance(names, list)
        else names
    )
    left = stopped(folder, names)
    with pytest.raises(OutputError, match=r"commit differs from what quchong writes.*delete"):
        settle(folder / "place", moves=lambda name: name != "b")
    assert not (folder / "a").exists() and left.exists() and (tmp_path / "secret").read_text() == "secret"


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a", "kept/a", "a"], "'a' is listed twice"),
        (["kept/a", "kept/a"], "'kept/a' is listed twice"),
        (["a"], "'kept' is not listed"),
        (["kept/gone", "a"], "'kept/a' is not listed"),
        (["kept/a"], "'a' is not listed"),
        ([], "'a' is not listed"),
    ],
)
def test_a_list_names_every_staged_file_once(folder, names, why):
    left = stopped(folder, names)
    before = sorted(left.rglob("*"))
    with pytest.raises(OutputError) as caught:
        settle(folder / "place", moves=lambda name: True)
    assert str(caught.value) == (
        f"{left / COMMIT} differs from what quchong writes ({why}), so no file is moved: delete {left}"
    )
    assert not (folder / "a").exists() and sorted(left.rglob("*")) == before
    with speaking("zh"):
        shown = caught.value.message.translation()
    assert why not in shown and why.split("'")[1] in shown and "so no file is moved: delete" not in shown


def test_names_a_thousand_folders_deep_are_no_traceback(folder):
    stopped(folder, ["a", "kept/a", "x/" * 5000 + "x"])
    settle(folder / "place", moves=lambda name: True)
    assert (folder / "a").read_text() == "new"


def test_a_command_without_moves_makes_none(folder):
    stopped(folder, ["a"])
    with pytest.raises(OutputError, match="commit differs from what quchong writes"):
        settle(folder / "place")
    assert not (folder / "a").exists()


def test_moves_follow_no_link(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    left = stopped(folder, ["a", "kept/a", "b/c"])
    (left / NEW / "b").mkdir()
    (left / NEW / "b" / "c").write_text("new")
    (folder / "b").symlink_to(outside)
    with pytest.raises(OutputError, match="is a link, or not a regular file"):
        settle(folder / "place", moves=lambda name: True)
    assert not list(outside.iterdir())


@pytest.mark.parametrize(("goal", "why"), [("link", "is a link, or not a regular file"), ("folder", "b/c is a folder")])
def test_before_the_first_move_every_goal_is_looked_at(folder, tmp_path, goal, why):
    left = stopped(folder, ["a", "kept/a", "b/c"])
    (left / NEW / "b").mkdir()
    (left / NEW / "b" / "c").write_text("new")
    if goal == "link":
        (tmp_path / "outside").mkdir()
        (folder / "b").symlink_to(tmp_path / "outside")
    else:
        (folder / "b" / "c").mkdir(parents=True)
    staged = {path.relative_to(left): path.read_bytes() for path in left.rglob("*") if path.is_file()}
    with pytest.raises(OutputError, match=f"{why}.*nothing is stored in this folder: delete"):
        settle(folder / "place", moves=lambda name: True)
    assert not (folder / "a").exists() and (folder / "kept" / "a").read_text() == "a"
    assert {path.relative_to(left): path.read_bytes() for path in left.rglob("*") if path.is_file()} == staged


def test_a_link_among_the_new_files_is_not_moved(folder):
    left = stopped(folder, ["kept/a", "l"])
    (left / NEW / "l").symlink_to("/etc/passwd")
    with pytest.raises(OutputError, match="is not a regular file"):
        settle(folder / "place", moves=lambda name: True)
    assert (folder / "kept" / "a").read_text() == "a"


def test_a_folder_that_others_may_write_is_refused(folder):
    left = stopped(folder, ["a"])
    left.chmod(0o777)
    with pytest.raises(OutputError, match="may be written by other users"):
        settle(folder / "place", moves=lambda name: True)
    assert not (folder / "a").exists()


def test_staging_folders_are_made_for_this_user_alone(folder):
    staging = Staging.begin(folder / "place")
    try:
        assert stat.S_IMODE(staging.folder.stat().st_mode) == 0o700
    finally:
        staging.drop()
